# SPDX-License-Identifier: Apache-2.0
"""Graph, features, labels, splits and ids, validated."""
from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Optional, Union

import numpy as np
from numpy.typing import NDArray

from . import _core, _options
from ._errors import InvalidError, own_errors
from ._html import table
from ._parquet import is_parquet
from ._sizes import read_bytes
from ._wording import as_keywords

if TYPE_CHECKING:
    from ._core import Path

Column = Union[str, int, None]  # heading or number


class Dataset:
    """
    A graph with features, labels and splits; created by :func:`dataset` or :func:`read`.

    It is immutable, so copies and deep copies are the same object, and scikit-learn may clone an
    estimator that holds one. Contiguous float32 numbers of the features are
    borrowed, not copied: do not modify them while the dataset is in use.
    """

    def __init__(self, handle: _core.DatasetHandle, ids: Optional[list[Any]] = None,
                 classes: Optional[NDArray[Any]] = None,
                 feature_names: Optional[NDArray[np.object_]] = None) -> None:
        self._handle = handle
        self._facts = _core.dataset_facts(handle)
        if ids is None and self._facts["has_ids"]:
            ids = list(_core.dataset_ids(handle))
        self._ids = None
        if ids is not None:
            self._ids = np.empty(len(ids), dtype=object)  # np.array() would split tuples
            self._ids[:] = ids
        self._classes = classes
        self.feature_names = feature_names

    @property
    def nodes(self) -> int:
        return self._facts["nodes"]

    @property
    def edges(self) -> int:
        """Number of undirected edges; each counts once."""
        return self._facts["edges"]

    @property
    def n_features(self) -> int:
        """Number of columns of the features, 0 without features."""
        return self._facts["features"]

    @property
    def graphs(self) -> int:
        return self._facts["graphs"]

    @property
    def counts(self) -> dict[str, int]:
        """Sizes, and what was dropped or merged on input."""
        return dict(self._facts)

    @property
    def remarks(self) -> list[tuple[str, int, str]]:
        """What reading dropped, merged or decided: a word, how many, and a sentence."""
        return [(what, count, as_keywords(text))
                for what, count, text in _core.dataset_remarks(self._handle)]

    @property
    def ids(self) -> Optional[NDArray[np.object_]]:
        """The id of each node; None if nodes are numbered 0, 1, ..."""
        return self._ids

    @property
    def classes(self) -> Optional[NDArray[Any]]:
        """The class names of the labels 0, 1, ...; None without labels."""
        if self._classes is None and self._facts["classes"]:
            self._classes = np.array(_core.dataset_class_names(self._handle), dtype=object)
        return self._classes

    @property
    def labels(self) -> Optional[NDArray[np.int32]]:
        """The class of each node, -1 for none."""
        if not self._facts["classes"]:
            return None
        out = np.empty(self.nodes, np.int32)
        _core.dataset_labels(self._handle, out)
        return out

    @property
    def splits(self) -> Optional[NDArray[np.int8]]:
        """A row for each split: 0 none, 1 train, 2 validation, 3 test."""
        if not self._facts["splits"]:
            return None
        out = np.empty((self._facts["splits"], self.nodes), np.int8)
        _core.dataset_splits(self._handle, out)
        return out

    @property
    def features(self) -> Any:
        """A copy: an array, a SciPy CSR array if sparse, or None."""
        if self.n_features == 0:
            return None
        if self._facts["dense"]:
            out = np.empty((self.nodes, self.n_features), np.float32)
            _core.dataset_dense(self._handle, out)
            return out
        import scipy.sparse

        entries = self._facts["entries"]
        offset, column = np.empty(self.nodes + 1, np.int64), np.empty(entries, np.int32)
        value = np.empty(entries, np.float32)
        _core.dataset_sparse(self._handle, offset, column, value)
        return scipy.sparse.csr_array((value, column, offset), shape=(self.nodes, self.n_features))

    @property
    def graph_start(self) -> NDArray[np.int64]:
        """The first node of each graph, then the number of nodes."""
        return self._graphs()[0]

    @property
    def graph_labels(self) -> Optional[NDArray[np.int32]]:
        return self._graphs()[1] if self._facts["graph_classes"] else None

    def _graphs(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        start, label = np.empty(self.graphs + 1, np.int64), np.empty(self.graphs, np.int32)
        _core.dataset_graphs(self._handle, start, label)
        return start, label

    def write(self, path: Path) -> None:
        """Write .safetensors (everything), .npz (all but several graphs) or .tsv (edges)."""
        _core.dataset_write(self._handle, path, None)

    def __repr__(self) -> str:
        parts = [f"{self.nodes} nodes", f"{self.edges} edges"]
        parts += [f"{self.n_features} features"] if self.n_features else []
        parts += [f"{self._facts['classes']} classes"] if self._facts["classes"] else []
        parts += [f"{self.graphs} graphs"] if self.graphs > 1 else []
        return f"<wgdn.Dataset: {', '.join(parts)}>"

    def _repr_html_(self) -> str:
        shown = {"nodes": self.nodes, "edges": self.edges, "features": self.n_features,
                 "labels": self._facts["classes"], "splits": self._facts["splits"],
                 "graphs": self.graphs}
        return table("wgdn.Dataset", list(shown.items()))

    def __copy__(self) -> Dataset:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Dataset:
        return self

    def _packed(self) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "data.safetensors")
            self.write(path)
            with open(path, "rb") as f:
                return f.read()

    def _digest(self) -> str:
        """Of all that a fit looks at. Not kept: borrowed features may be others next time."""
        return hashlib.sha256(self._packed()).hexdigest()

    def __reduce__(self) -> tuple[Any, ...]:
        packed = self._packed()
        ids = None if self._ids is None else self._ids.tolist()
        return _unpack, (packed, ids, self._classes, self.feature_names)


def _unpack(packed: bytes, ids: Optional[list[Any]], classes: Optional[NDArray[Any]],
            names: Optional[NDArray[np.object_]]) -> Dataset:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "data.safetensors")
        with open(path, "wb") as f:
            f.write(packed)
        data = read(path)
    return Dataset(data._handle, ids, classes, names)


def _files(features: Union[Path, Sequence[Path], None]) -> Optional[Path]:
    """Several files as the library takes them: separated by commas."""
    if features is None or isinstance(features, (str, bytes, os.PathLike)):
        return features
    return ",".join(os.fsdecode(name) for name in features)


@own_errors
def read(path: Path, *, features: Union[Path, Sequence[Path], None] = None,
         labels: Optional[Path] = None,
         splits: Optional[Path] = None, label_column: Optional[str] = None,
         format: str = "auto", header: Literal["auto", "no", "yes"] = "auto",
         binarise: bool = False, threads: int = 0, source: Column = None, target: Column = None,
         weight: Column = None, type: Column = None, graph: Column = None, id: Column = None,
         separator: Optional[str] = None, decimal: Optional[str] = None,
         bipartite: Optional[bool] = None,
         weights: Literal["use", "ignore", "log"] = "use",
         feature_scale: Literal["auto", "standard", "none", "row"] = "auto",
         max_categories: Optional[int] = None, ignore: Sequence[str] = (),
         like: Any = None, memory: Union[int, str, None] = None,
         scratch: Optional[Path] = None,
         directed: Literal["ignore", "forward", "backward", "both"] = "ignore",
         strict: bool = False) -> Dataset:
    """
    Read a dataset as the program does: an edge list, .npz, Matrix Market, TU folder or zip, OGB
    folder, .safetensors, also compressed by gzip. See docs/formats.md.

    source, target, weight, type, graph : columns of an edge list, by heading or number from 1
    id : column of the ids in features, likewise
    separator, decimal : of text files, where the first lines do not show them
    bipartite : whether the same id as source and as target is two nodes; None: if the headings mean
        two kinds of nodes, such as customer and product
    weights : of edges; they are used, ignored, or replaced by log(1 + weight)
    directed : a closed form also filters along the edges, against them, or both
    features : a file, or several that become columns side by side; tables of them may have numbers,
        dates, booleans, categories and gaps
    feature_scale, max_categories, ignore : how such tables become features; columns left out
    like : a fitted estimator; new rows are encoded as the features that it was fitted to
    memory : for the dataset and the closed form, in bytes or as '8G'; what needs more goes through
        files in the folder scratch (by default the current one), and the vectors are the same
    strict : refuse rows that cannot be used, such as labels of unknown ids, instead of skipping and
        counting them
    """
    for file in (path, features, labels, splits):
        if is_parquet(file):
            raise InvalidError(f"{os.fsdecode(file)}: Parquet goes by way of tables: use wgdn.dataset("
                               "features, edges) with the path of either or both")
    given = {"features": _files(features), "labels": labels, "splits": splits,
             "label_column": label_column, "format": format, "header": header,
             "binarise": binarise, "threads": threads, "source": source, "target": target,
             "weight": weight, "type": type, "graph": graph, "id": id, "separator": separator,
             "decimal": decimal, "bipartite": bipartite, "weights": weights,
             "feature_scale": feature_scale, "max_categories": max_categories,
             "ignore": ignore if isinstance(ignore, str) else ",".join(ignore),
             "memory": read_bytes(memory),
             "scratch": scratch or (None if memory is None else "."), "directed": directed,
             "strict": strict}
    texts = _options.texts(_options.DATASET, {name: value for name, value in given.items()
                                              if value is not None})
    return Dataset(_core.dataset_read(path, texts, None if like is None else like._model))
