# SPDX-License-Identifier: Apache-2.0
"""
Self-supervised embeddings of nodes and graphs: the Wiener Graph Deconvolutional Network.

    import wgdn
    Z = wgdn.embed(A, X)                                # the closed form: seconds, no training
    Z = wgdn.WGDN(dim=64).fit_transform(X, edges=A)     # the autoencoder

The same C library as the program `wgdn`: the same data, options and seed give the same bits.
"""
from typing import TYPE_CHECKING, Any

from . import _waiting  # noqa: F401  first: the library is loaded with the next line
from ._core import (
    EngineError,
    Error,
    FileError,
    FormatError,
    InvalidError,
    NoMemoryError,
    NumberError,
    RangeError,
    StoppedError,
    TrainingError,
    UnsupportedError,
    machine,
)
from ._core import preset_names as presets
from ._core import version as __version__
from ._errors import ArgumentError, MissingFileError, PackageError, UnknownIdError
from ._build import dataset
from ._dataset import Dataset, read
from ._embedding import Embedding, Neighbours, read_embedding, similar
from ._closed import embed
from ._load import load
from ._plot import plot, plot_curve, plot_map, plot_response
from ._progress import Progress
from ._tasks import estimate, evaluate, restore

if TYPE_CHECKING:
    from ._estimator import WGDN
    from ._filter import FilterEmbedding

__all__ = [
    "ArgumentError", "Dataset", "Embedding", "EngineError", "Error", "FileError", "FilterEmbedding", "FormatError",
    "InvalidError", "MissingFileError", "Neighbours", "NoMemoryError", "NumberError", "PackageError", "Progress",
    "RangeError", "StoppedError", "TrainingError", "UnknownIdError", "UnsupportedError", "WGDN", "__version__", "dataset", "embed",
    "estimate", "evaluate", "load", "machine", "plot", "plot_curve", "plot_map", "plot_response",
    "presets", "read", "read_embedding", "restore", "similar",
]

# These import scikit-learn, if it is installed: when they are asked for.
_ESTIMATORS = {"WGDN": "_estimator", "FilterEmbedding": "_filter"}


def __getattr__(name: str) -> Any:
    if name not in _ESTIMATORS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(f".{_ESTIMATORS[name]}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_ESTIMATORS})
