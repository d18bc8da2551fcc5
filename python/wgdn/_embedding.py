# SPDX-License-Identifier: Apache-2.0
"""Embeddings with ids, and nearest neighbours."""
from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Optional, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._build import dataset
from ._errors import ArgumentError, InvalidError, PackageError, UnknownIdError, own_errors
from ._html import table
from ._names import as_list
from ._parquet import is_parquet, read_parquet

if TYPE_CHECKING:
    from ._core import Path

METRICS = ("cosine", "dot")  # in the order of wgdn_similarity


class Embedding:
    """
    One vector for each node. ``values`` is the NumPy array, ``ids`` the nodes' ids or None.
    Converts to a NumPy array. ``embedding[id]`` is the vector of one node, ``embedding[[id, id]]`` an array of several;
    ``id in embedding`` and ``list(embedding)`` look at the ids, or at the row numbers without ids.
    """

    @own_errors
    def __init__(self, values: Any,
                 ids: Optional[Union[Sequence[Any], NDArray[Any]]] = None) -> None:
        self.values: NDArray[np.float32] = np.ascontiguousarray(values, dtype=np.float32)
        self.ids: Optional[NDArray[np.object_]] = None
        self._rows: Optional[dict[Any, int]] = None
        if self.values.ndim != 2:
            raise InvalidError(f"values: expected a 2-D array with a row for each node, got shape "
                               f"{self.values.shape}")
        if ids is not None:
            if len(ids) != len(self.values):
                raise InvalidError(f"{len(ids)} ids for {len(self.values)} vectors")
            self.ids = np.empty(len(ids), dtype=object)
            self.ids[:] = list(ids)

    @property
    def shape(self) -> tuple[int, int]:
        return self.values.shape[0], self.values.shape[1]

    @property
    def dim(self) -> int:
        """Embedding dimension."""
        return self.shape[1]

    def row(self, id: Any) -> int:
        """The row of an id, or of an index if there are no ids."""
        if self.ids is None:
            if not isinstance(id, (int, np.integer)) or not 0 <= id < len(self.values):
                more = "; a row of numbers is one of embedding.values" if isinstance(id, (float, np.floating)) else ""
                raise UnknownIdError(f"no vector has the index {id!r}: there are 0 .. {len(self) - 1}{more}")
            return int(id)
        if self._rows is None:
            self._rows = {name: i for i, name in enumerate(self.ids)}
        if id not in self._rows:
            known = next(iter(self.ids), None)
            if isinstance(id, (float, np.floating)):
                raise UnknownIdError(f"no vector has the id {float(id)!r}, which is a number of a vector: iterate over "
                                     "embedding.ids for ids, or over embedding.values for vectors")
            raise UnknownIdError(f"no vector has the id {id!r}; ids are {type(known).__name__}, such as "
                                 f"{known!r}")
        return self._rows[id]

    def __getitem__(self, id: Any) -> NDArray[np.float32]:
        several = isinstance(id, (list, np.ndarray)) or hasattr(id, "to_numpy")
        if isinstance(id, slice) or isinstance(id, np.ndarray) and id.dtype.kind in "bf":
            raise ArgumentError(f"embedding[...] takes an id or a list of ids, not {type(id).__name__} of "
                                "rows or numbers: use embedding.values[...]")
        vector: NDArray[np.float32] = self.values[
            np.array([self.row(name) for name in as_list(id)], np.int64) if several else self.row(id)]
        return vector

    def __contains__(self, id: object) -> bool:
        try:
            self.row(id)
        except (UnknownIdError, TypeError):  # a list is no id
            return False
        return True

    def __iter__(self) -> Iterator[Any]:
        return iter(range(len(self)) if self.ids is None else self.ids.tolist())

    def __len__(self) -> int:
        return len(self.values)

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> NDArray[Any]:
        if copy:
            return np.array(self.values, dtype=dtype)
        return np.asarray(self.values, dtype=dtype)

    def __repr__(self) -> str:
        return f"<wgdn.Embedding: {self.shape[0]} vectors, dim {self.dim}" + \
            (", with ids>" if self.ids is not None else ">")

    def _repr_html_(self) -> str:
        """The first rows and columns."""
        names = range(len(self)) if self.ids is None else self.ids
        rows = [(name, *(f"{v:.4g}" for v in vector[:8]), *("..." for _ in vector[8:9]))
                for name, vector in zip(names, self.values[:5])]
        return table(f"wgdn.Embedding: {len(self)} vectors, dim {self.dim}", rows)

    def to_pandas(self) -> Any:
        """A DataFrame with the ids as index and the columns wgdn0, wgdn1, ..."""
        import pandas

        return pandas.DataFrame(self.values, index=self.ids, columns=self._names())

    def _names(self) -> list[str]:
        return [f"wgdn{i}" for i in range(self.dim)]

    def to_arrow(self, *, columns: bool = False) -> Any:
        """
        A table of pyarrow: the column `id` (row numbers without ids) and the column `vector`, lists
        of fixed size, which share the memory of ``values``. This is what DuckDB, LanceDB, polars and
        others take for an array column. With `columns`, columns wgdn0, wgdn1, ... instead.
        """
        import pyarrow

        names = np.arange(len(self)) if self.ids is None else self.ids.tolist()
        try:
            ids = pyarrow.array(names)
        except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError):  # of several types, or tuples
            ids = pyarrow.array([str(name) for name in names])
        if columns:
            parts = [pyarrow.array(np.ascontiguousarray(column)) for column in self.values.T]
            return pyarrow.table([ids, *parts], names=["id", *self._names()])
        flat = pyarrow.array(self.values.reshape(-1))
        vector = pyarrow.FixedSizeListArray.from_arrays(flat, self.dim)
        return pyarrow.table([ids, vector], names=["id", "vector"])

    def to_parquet(self, path: Path, *, columns: bool = False) -> None:
        """Write the table of :meth:`to_arrow` as Parquet, by pyarrow."""
        import pyarrow.parquet

        pyarrow.parquet.write_table(self.to_arrow(columns=columns), os.fsdecode(path))

    def write(self, path: Path, *, numbers: Optional[str] = None) -> None:
        """Write .npz, .safetensors, .tsv, .csv or word2vec text (.w2v, .txt) with ids, or .npy.

        ``numbers="f16"`` writes arrays with two bytes a number, three digits; ``"bf16"``, for .safetensors, two digits.
        """
        named = dataset(ids=None if self.ids is None else self.ids.tolist(), nodes=len(self))
        _core.embedding_write(named._handle, path, numbers, self.values, self.dim)


def _from_parquet(path: Path) -> Embedding:
    """A column of vectors, lists of one length, or columns of numbers; the column `id` has the ids."""
    try:
        import pyarrow
    except ImportError:
        raise PackageError(f"{os.fsdecode(path)}: vectors in Parquet need pyarrow: pip install pyarrow") from None
    table: Any = read_parquet(path)
    table = table if isinstance(table, pyarrow.Table) else pyarrow.table(table)
    names = [name for name in table.column_names if name != "id"]
    lists = [name for name in names if pyarrow.types.is_nested(table.schema.field(name).type)]
    if len(lists) > 1 or lists and len(names) > 1 or not names:
        raise InvalidError(f"{os.fsdecode(path)}: expected the column 'id' and either one column of vectors or columns "
                           f"of numbers; it has {', '.join(table.column_names)}")
    if lists:
        column = table[lists[0]].combine_chunks()
        flat = np.asarray(column.flatten(), dtype=np.float32)
        if column.null_count or len(flat) % max(len(column), 1) or len(set(column.value_lengths().to_pylist())) > 1:
            raise InvalidError(f"{os.fsdecode(path)}: the vectors differ in length, or some are missing")
        values = flat.reshape(len(column), -1)
    else:
        values = np.column_stack([np.asarray(table[name], dtype=np.float32) for name in names])
    ids = table["id"].to_pylist() if "id" in table.column_names else None
    return Embedding(values, None if ids is None or ids == list(range(len(ids))) else ids)


@own_errors
def read_embedding(path: Path) -> Embedding:
    """Read embeddings in one of the formats of :meth:`Embedding.write`, or Parquet of :meth:`Embedding.to_parquet`."""
    if is_parquet(path):
        return _from_parquet(path)
    handle, rows, dim = _core.embedding_read(path)
    values = np.empty((rows, dim), np.float32)
    _core.embedding_values(handle, values)
    ids = _core.embedding_ids(handle)
    plain = all(name == str(i) for i, name in enumerate(ids))
    return Embedding(values, None if plain else ids)


class Neighbours(NamedTuple):
    ids: NDArray[Any]  # a row for each query, best first: ids, or row indices without ids
    scores: NDArray[np.float32]


@own_errors
def similar(vectors: Any, query: Any, *, count: int = 10,
            metric: Literal["cosine", "dot"] = "cosine", threads: int = 0) -> Neighbours:
    """
    Exact nearest neighbours of each query, best first.

    Parameters
    ----------
    vectors : Embedding or array
    query : an id, a list of ids (row indices if there are no ids), a vector or a 2-D array of vectors
        A node is not its own neighbour.
    count : number of neighbours
    metric : similarity, "cosine" or "dot"
    threads : number of threads, 0 for all

    Examples
    --------
    >>> import wgdn
    >>> e = wgdn.Embedding([[1, 0], [0.9, 0.1], [0, 1]], ["Ann", "Bob", "Cid"])
    >>> wgdn.similar(e, "Ann", count=1).ids.tolist()
    [['Bob']]
    """
    e = vectors if isinstance(vectors, Embedding) else Embedding(vectors)
    if metric not in METRICS:
        raise InvalidError(f"metric = {metric!r}: it may be {', '.join(METRICS)}")
    if not hasattr(count, "__index__") or count < 1:
        raise InvalidError(f"count = {count!r}: expected an integer of at least 1")
    given = np.asarray(query) if not isinstance(query, (str, bytes)) else np.zeros(())
    one = given.ndim == 0 or (e.ids is not None and isinstance(query, tuple))
    rows: Optional[NDArray[np.int64]] = None
    vector = given.ndim == 1 and given.dtype.kind == "f" and len(given) == e.dim
    if vector or given.ndim == 2 and given.dtype.kind == "f":
        x = np.ascontiguousarray(given.reshape(-1, given.shape[given.ndim - 1]), dtype=np.float32)
    else:
        rows = np.array([e.row(name) for name in ([query] if one else query)], np.int64)
        x = e.values[rows]
    if x.shape[1] != e.dim:
        raise InvalidError(f"queries of dim {x.shape[1]} for an embedding of dim {e.dim}")
    most = len(e) - (rows is not None)
    count = min(count, most)
    ask = min(count + (rows is not None), len(e))
    index = np.empty((len(x), ask), np.int64)
    score = np.empty((len(x), ask), np.float32)
    if len(x):
        _core.search(index, score, e.values, x, e.dim, ask, METRICS.index(metric), threads)
    if rows is not None:  # drop each id from its own list, or the last if it is not there
        others = index != rows[:, None]
        others[others.all(axis=1), -1] = False
        index, score = index[others].reshape(-1, count), score[others].reshape(-1, count)
    return Neighbours(index if e.ids is None else e.ids[index], score)
