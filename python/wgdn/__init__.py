# SPDX-License-Identifier: Apache-2.0
"""
Self-supervised embeddings of nodes and graphs: the Wiener Graph Deconvolutional Network.

    import wgdn
    E = wgdn.embed(A, X)                                # the closed form: seconds, no training
    Z = wgdn.WGDN(dim=64).fit_transform(X, graph=A)     # the autoencoder

The same C library as the program `wgdn`: the same data, options and seed give the same bits.
"""
from typing import TYPE_CHECKING, Any

from . import _waiting  # pyright: ignore[reportUnusedImport]  # noqa: F401  first: the library is loaded with the next line
from . import datasets
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
from ._errors import ArgumentError, MissingFileError, PackageError, UnknownIdError, deprecated
from ._embedding import Embedding, Neighbors, read_embedding, similar
from ._estimators import embed, load
from ._graph import Graph, dataset, read
from ._jobs import Clusters, NodeClassifier, Predictions, cluster, predict
from ._plot import plot, plot_curve, plot_map, plot_response
from ._progress import Progress
from ._recommend import Recommendations, Recommender, recommend
from ._tasks import compare, estimate, evaluate, quality, restore

if TYPE_CHECKING:
    from ._sklearn import WGDN, FilterEmbedding

__all__ = [
    "ArgumentError", "Clusters", "Embedding", "EngineError", "Error", "FileError", "FilterEmbedding", "FormatError", "Graph",
    "InvalidError", "MissingFileError", "Neighbors", "NoMemoryError", "NodeClassifier", "NumberError", "PackageError", "Predictions",
    "Progress", "RangeError", "Recommendations", "Recommender", "StoppedError", "TrainingError", "UnknownIdError", "UnsupportedError", "WGDN",
    "__version__", "cluster", "compare", "dataset", "datasets", "embed", "estimate", "evaluate", "load", "machine", "plot", "plot_curve", "plot_map",
    "plot_response", "predict", "presets", "quality", "read", "read_embedding", "recommend", "restore", "similar",
]

# These import scikit-learn, if it is installed: when they are asked for.
_ESTIMATORS = ("WGDN", "FilterEmbedding")
_OLD = {"Dataset": "Graph", "Neighbours": "Neighbors"}  # names of the release before


def __getattr__(name: str) -> Any:
    if name in _OLD:
        deprecated(f"wgdn.{name}", f"wgdn.{_OLD[name]}")
        return globals()[_OLD[name]]
    if name not in _ESTIMATORS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import _sklearn

    globals()[name] = found = getattr(_sklearn, name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_ESTIMATORS})
