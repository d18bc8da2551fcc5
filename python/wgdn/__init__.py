# SPDX-License-Identifier: Apache-2.0
"""
Self-supervised embeddings of nodes and graphs: the Wiener Graph Deconvolutional Network.

    import wgdn
    Z = wgdn.embed(A, X)                                # the closed form: seconds, no training
    Z = wgdn.WGDN(dim=64).fit_transform(X, edges=A)     # the autoencoder

The same C library as the program `wgdn`: the same data, options and seed give the same bits.
"""
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
from ._dataset import Dataset, dataset, read
from ._embedding import Embedding, Neighbours, read_embedding, similar
from ._estimator import WGDN
from ._filter import FilterEmbedding, embed
from ._load import load
from ._progress import Progress
from ._tasks import estimate, evaluate, restore

__all__ = [
    "Dataset", "Embedding", "EngineError", "Error", "FileError", "FilterEmbedding", "FormatError",
    "InvalidError", "Neighbours", "NoMemoryError", "NumberError", "Progress", "RangeError",
    "StoppedError", "TrainingError", "UnsupportedError", "WGDN", "__version__", "dataset", "embed",
    "estimate", "evaluate", "load", "machine", "presets", "read", "read_embedding", "restore",
    "similar",
]
