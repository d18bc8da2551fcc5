# SPDX-License-Identifier: Apache-2.0
"""
The class Embedding: vectors with the ids of their nodes, which behaves as an array and converts to the tables of other
libraries; nearest neighbors; and the comparison of two embeddings.
"""
from __future__ import annotations

import os
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Optional, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._errors import ArgumentError, InvalidError, PackageError, UnknownIdError, old_names, own_errors
from ._graph import Graph, html_table
from ._kinds import is_arrow, is_frame, numbers_rows
from ._names import as_list, check_ids, id_array, places, two_of
from ._parquet import is_parquet, read_parquet

if TYPE_CHECKING:
    from ._core import Path

METRICS = ("cosine", "dot")  # in the order of wgdn_similarity


class Ids(np.ndarray[Any, np.dtype[Any]]):
    """Ids of nodes of one kind: an array that knows the kind, so that `among=` can be left out."""

    kind: Optional[str] = None

    def __array_finalize__(self, obj: Any) -> None:
        self.kind = getattr(obj, "kind", None)


class Embedding(np.lib.mixins.NDArrayOperatorsMixin):
    """
    Vectors of nodes, an array-like of float32 with the ids of the nodes in their original type.

    It works wherever an array does: ``E @ W``, ``E.mean(axis=0)``, scikit-learn, matplotlib. Rows are in the order of the
    nodes of the graph (see :class:`wgdn.Graph`).

    - ``E["ann"]`` is the vector of one node, ``E[["ann", "bob"]]`` an Embedding of several; without ids, row numbers
      take their place
    - ``E[:10]`` and ``E[mask]`` are Embeddings of some rows; ``E[rows, columns]`` indexes the array as NumPy does
    - ``"ann" in E`` and ``for name in E`` look at the ids

    Parameters
    ----------
    values : a 2-D array, or a table of :meth:`to_pandas`, :meth:`to_polars` or :meth:`to_arrow`
    ids : unique ids, one for each row, or None
    kinds : the kind of each node where there are two, such as "user" and "item"

    Attributes
    ----------
    values : the array
    ids : an array of the ids, or None: rows are numbered 0, 1, ...
    kinds : the kind of each node, or None
    columns : names of the columns, wgdn0, wgdn1, ...
    made_from : a dictionary that tells the method, its options and the size of the graph; empty if not known

    Examples
    --------
    >>> import wgdn
    >>> E = wgdn.Embedding([[1, 0], [0.9, 0.1], [0, 1]], ["ann", "bob", "cid"])
    >>> E["bob"].tolist()[0] > 0.5, "eve" in E, list(E[1:])
    (True, False, ['bob', 'cid'])
    >>> E.similar("ann", k=1).ids.tolist()
    ['bob']
    """

    @own_errors
    def __init__(self, values: Any, ids: Optional[Union[Sequence[Any], NDArray[Any]]] = None, *,
                 kinds: Any = None, made_from: Optional[Mapping[str, Any]] = None) -> None:
        if is_frame(values) or is_arrow(values):
            values, ids, kinds = _parts_of_table(values, ids, kinds)
        self.values: NDArray[np.float32] = np.ascontiguousarray(values, dtype=np.float32)
        self.ids: Optional[NDArray[Any]] = None
        self.kinds: Optional[NDArray[np.object_]] = None
        self.made_from = dict(made_from or {})
        self._rows: Optional[dict[Any, Any]] = None
        if self.values.ndim != 2:
            raise InvalidError(f"values: expected a 2-D array with a row for each node, got shape "
                               f"{self.values.shape}")
        for what, given in (("ids", ids), ("kinds", kinds)):
            if given is not None and not hasattr(given, "__len__"):
                raise InvalidError(f"{what} = {given!r}: expected one for each row")
            if isinstance(given, (set, frozenset)):
                raise InvalidError(f"{what}: a set has no order, and the rows have one: pass a list")
            if given is not None and len(given) != len(self.values):
                raise InvalidError(f"{len(given)} {what} for {len(self.values)} vectors")
        if ids is not None:
            self.ids = id_array(ids)
            if self.ids.dtype == object:
                check_ids(self.ids.tolist(), "ids")
        if kinds is not None:
            if ids is None:
                raise InvalidError("kinds goes with ids")
            self.kinds = np.empty(len(kinds), dtype=object)
            self.kinds[:] = as_list(kinds)

    # ---- as an array ----

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows, and of columns."""
        return self.values.shape[0], self.values.shape[1]

    @property
    def ndim(self) -> int:
        """2."""
        return 2

    @property
    def size(self) -> int:
        """Number of all values."""
        return self.values.size

    @property
    def dtype(self) -> np.dtype[np.float32]:
        """float32."""
        return self.values.dtype

    @property
    def T(self) -> NDArray[np.float32]:
        """The transposed array."""
        return self.values.T

    @property
    def dim(self) -> int:
        """Embedding dimension."""
        return self.shape[1]

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return [f"wgdn{i}" for i in range(self.dim)]

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return self.values.__array_interface__

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> NDArray[Any]:
        if copy:
            return np.array(self.values, dtype=dtype)
        return np.asarray(self.values, dtype=dtype)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        plain = [x.values if isinstance(x, Embedding) else x for x in inputs]
        if any(isinstance(x, Embedding) for x in options.get("out", ())):
            raise ArgumentError("an Embedding is not changed in place: use embedding.values")
        return getattr(ufunc, method)(*plain, **options)

    def __getattr__(self, name: str) -> Any:
        # Methods of arrays such as mean(), tobytes() and astype().
        if name.startswith("_") or name == "values":
            raise AttributeError(name)
        found = getattr(self.values, name, None)
        if not callable(found):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return found

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_rows": None}

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return f"<wgdn.Embedding: {self.shape[0]} vectors, dim {self.dim}" + \
            (", with ids>" if self.ids is not None else ">")

    def _repr_html_(self) -> str:
        """The first rows and columns."""
        names = range(len(self)) if self.ids is None else self.ids
        rows = [(name, *(f"{v:.4g}" for v in vector[:8]), *("..." for _ in vector[8:9]))
                for name, vector in zip(names, self.values[:5])]
        return html_table(f"wgdn.Embedding: {len(self)} vectors, dim {self.dim}", rows)

    # ---- by id ----

    def _places(self) -> dict[Any, Any]:
        """Rows by id, as places() returns them."""
        if self._rows is None:
            assert self.ids is not None
            self._rows = places(self.ids, self.kinds)
            if len(self._rows) < len(self):
                row = {name: i for i, name in enumerate(self.ids.tolist())}
                for i, name in enumerate(self.ids.tolist()):
                    if not np.array_equal(self.values[i], self.values[row[name]]):
                        raise InvalidError(f"ids: {name!r} is the id of two vectors, rows {i} and {row[name]}: remove one")
        return self._rows

    def row(self, id: Any) -> int:
        """The row of an id, or of an index if there are no ids; of nodes of two kinds, also of ("user", id)."""
        if isinstance(id, (bool, np.bool_)) or not isinstance(id, Hashable):
            raise ArgumentError(f"embedding[...] takes an id, a list of ids, a slice of row numbers or a mask, not {type(id).__name__}")
        if self.ids is None:
            if not isinstance(id, (int, np.integer)) or not 0 <= id < len(self.values):
                more = "; a row of numbers is one of embedding.values" if isinstance(id, (float, np.floating)) else ""
                raise UnknownIdError(f"no vector has the index {id!r}: there are 0 .. {len(self) - 1}{more}")
            return int(id)
        found = self._places().get(id)
        if isinstance(found, list):
            assert self.kinds is not None
            raise UnknownIdError(two_of(id, found, self.kinds))
        if found is None:
            known = next(iter(self.ids.tolist()), None)
            if isinstance(id, (float, np.floating)):
                raise UnknownIdError(f"no vector has the id {float(id)!r}, which is a number of a vector: iterate over "
                                     "embedding.ids for ids, or over embedding.values for vectors")
            raise UnknownIdError(f"no vector has the id {id!r}; ids are {type(known).__name__}, such as "
                                 f"{known!r}")
        return int(found)

    def rows(self, ids: Any) -> NDArray[np.int64]:
        """The rows of several ids."""
        kind = getattr(ids, "kind", None)
        names: list[Any] = as_list(ids)
        if kind is not None and self.kinds is not None:
            names = [(kind, name) for name in names]
        return np.array([self.row(name) for name in names], np.int64)

    def ids_of(self, kind: str) -> Ids:
        """
        The ids of the nodes of one kind, such as "item" in a graph of users and items.

        >>> import wgdn
        >>> ratings = {"user": ["ann", "ann", "bob"], "item": [7, 8, 8]}
        >>> E = wgdn.embed(ratings, bipartite=True, dim=2)
        >>> E.ids_of("item").tolist()
        [7, 8]
        """
        if self.ids is None:
            raise InvalidError(f"ids_of({kind!r}): these vectors have no ids")
        if self.kinds is not None:
            known: Any = self.kinds
        else:  # as files and HeteroData name them: KIND:ID
            known = np.array([str(name).partition(":")[0] if ":" in str(name) else None for name in self.ids.tolist()],
                             dtype=object)
        chosen = known == kind
        if not chosen.any():
            kinds = sorted({str(name) for name in known.tolist() if name is not None})
            raise InvalidError(f"ids_of({kind!r}): no node is of this kind; kinds are {', '.join(kinds) or 'not known'}")
        found: Ids = id_array(self.ids[chosen].tolist(), [self.ids]).view(Ids)
        found.kind = kind if self.kinds is not None else None
        return found

    def _part(self, rows: Any) -> Embedding:
        return Embedding(self.values[rows], None if self.ids is None else self.ids[rows],
                         kinds=None if self.kinds is None else self.kinds[rows], made_from=self.made_from)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            if any(end is not None and not hasattr(end, "__index__") for end in (key.start, key.stop, key.step)):
                raise ArgumentError("embedding[a:b] takes numbers of rows: pass a list of ids for some of them")
            return self._part(key)
        if isinstance(key, tuple) and any(isinstance(part, (slice, np.ndarray, list)) or part is Ellipsis for part in key):
            return self.values[key]
        given: Any = key
        values = self._mask(given) if _is_mask(given) else given.to_pylist() if hasattr(given, "to_pylist") else \
            given.to_numpy() if hasattr(given, "to_numpy") else given
        if isinstance(values, (list, np.ndarray)):
            return self._part(self._chosen(values, key))
        vector: NDArray[np.float32] = self.values[self.row(key)]
        return vector

    def _chosen(self, values: Any, key: Any) -> NDArray[np.int64]:
        """Rows of a mask, or of a list of ids."""
        if _is_mask(key):
            return np.flatnonzero(values)
        if type(key) is np.ndarray and key.dtype.kind in "iu" and self.ids is not None and self.ids.dtype.kind in "iu":
            raise ArgumentError("embedding[array]: the ids are integers, so an array of integers may be ids or rows: pass a "
                                "list, embedding[array.tolist()], for ids, or embedding.values[array] for rows")
        if isinstance(values, np.ndarray) and values.dtype.kind == "f":
            raise ArgumentError("embedding[...] takes an id, a list of ids, a slice or a mask, not an array of floats; ids that "
                                "are floats because of a gap are embedding[series.dropna().astype(int)]")
        return self.rows(key if isinstance(key, Ids) else values)

    def _mask(self, key: Any) -> NDArray[np.bool_]:
        """A mask in the order of the rows; a Series of pandas whose index holds ids goes by these."""
        gaps = int(key.isna().sum()) if hasattr(key, "iloc") else key.null_count() if callable(getattr(key, "null_count", None)) else 0
        if gaps:
            raise InvalidError(f"the mask has {gaps} missing of {len(key)}: fill them with True or False")
        mask = np.asarray(key, dtype=np.bool_)
        if hasattr(key, "iloc") and self.ids is not None and not numbers_rows(key.index):
            of = dict(zip(key.index.tolist(), mask.tolist()))
            names = self.ids.tolist() if self.kinds is None or key.index.nlevels == 1 else list(zip(self.kinds.tolist(), self.ids.tolist()))
            strange = next((name for name in names if name not in of), None)
            if strange is not None:
                raise InvalidError(f"the mask has nothing for the id {strange!r}: pass mask.to_numpy() for the order of the vectors")
            return np.array([of[name] for name in names], np.bool_)
        if mask.shape != (len(self),):
            raise InvalidError(f"a mask of shape {mask.shape} for {len(self)} vectors")
        return mask

    def __contains__(self, id: object) -> bool:
        try:
            self.row(id)
        except TypeError:  # a list is no id
            return False
        except UnknownIdError:
            return self.ids is not None and isinstance(self._places().get(id), list)
        return True

    def __iter__(self) -> Iterator[Any]:
        return iter(range(len(self)) if self.ids is None else self.ids.tolist())

    # ---- what is done with it ----

    def similar(self, query: Any, k: int = 10, *, among: Any = None, metric: Literal["cosine", "dot"] = "cosine",
                threads: int = 0) -> Neighbors:
        """
        The k nearest neighbors of an id, of a list of ids, or of vectors: :func:`wgdn.similar`.

        >>> import wgdn
        >>> E = wgdn.Embedding([[1, 0], [0.9, 0.1], [0, 1]], ["ann", "bob", "cid"])
        >>> E.similar("ann", k=1, among=["cid"]).ids.tolist()
        ['cid']
        """
        return similar(self, query, k, among=among, metric=metric, threads=threads)

    def plot(self, *, color: Any = None, **options: Any) -> Any:
        """
        Draw the vectors as points in two dimensions: :func:`wgdn.plot_map`.

        `color` holds a label for each vector, as an array in the order of the rows or as a pandas Series by id; or it is
        a graph with labels. Returns the Axes of matplotlib.
        """
        from ._plot import plot_map

        return plot_map(self, color, **options)

    # ---- tables and files ----

    def _id_parts(self) -> dict[str, Any]:
        """Columns that say whose vector a row is."""
        ids = np.arange(len(self)) if self.ids is None else self.ids
        return {"id": ids} if self.kinds is None else {"kind": self.kinds, "id": ids}

    def to_pandas(self) -> Any:
        """
        A DataFrame with the ids as index, in their original type, and the columns wgdn0, wgdn1, ...

        ``df.join(E.to_pandas(), on="customer")`` puts the vectors beside the rows of another table. Nodes of two kinds have
        an index of kind and id.
        """
        import pandas

        index: Any = None
        if self.kinds is not None:
            assert self.ids is not None
            index = pandas.MultiIndex.from_arrays([self.kinds.tolist(), _loose(self.ids)], names=["kind", "id"])
        elif self.ids is not None:
            index = pandas.Index(_loose(self.ids), name="id", tupleize_cols=False)
        names: Any = self.columns
        return pandas.DataFrame(self.values, index=index, columns=names)

    def to_polars(self) -> Any:
        """A DataFrame of polars with the column id and the columns wgdn0, wgdn1, ..."""
        import polars

        parts = {name: _loose(values) for name, values in self._id_parts().items()}
        return polars.DataFrame({**parts, **dict(zip(self.columns, np.ascontiguousarray(self.values.T)))})

    def to_arrow(self, *, columns: bool = False) -> Any:
        """
        A table of pyarrow: the column `id` (row numbers without ids) and the column `vector`, lists
        of fixed size, which share the memory of ``values``. This is what DuckDB, LanceDB, polars and
        others take for an array column. With `columns`, columns wgdn0, wgdn1, ... instead.
        """
        import pyarrow

        parts = {}
        for name, values in self._id_parts().items():
            try:
                parts[name] = pyarrow.array(_loose(values))
            except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError):  # of several types, or tuples
                parts[name] = pyarrow.array([str(value) for value in values.tolist()])
        if columns:
            parts.update((name, pyarrow.array(np.ascontiguousarray(column)))
                         for name, column in zip(self.columns, self.values.T))
            return pyarrow.table(parts)
        flat = pyarrow.array(self.values.reshape(-1))
        return pyarrow.table({**parts, "vector": pyarrow.FixedSizeListArray.from_arrays(flat, self.dim)})

    def to_parquet(self, path: Path, *, columns: bool = False) -> None:
        """Write the table of :meth:`to_arrow` as Parquet, by pyarrow."""
        import pyarrow.parquet

        pyarrow.parquet.write_table(self.to_arrow(columns=columns), os.fsdecode(path))

    def to_npz(self, path: Path) -> None:
        """Write .npz with the vectors and their ids, as the program does; :func:`wgdn.read_embedding` reads it."""
        _core.embedding_write(self._nodes()._handle, path, "npz", None, self.values, self.dim)

    def _nodes(self) -> Graph:
        """A graph without edges that has the ids."""
        if self.ids is None:
            return Graph(nodes=len(self))
        names = self.ids.tolist()
        if self.kinds is not None:
            names = [f"{kind}:{name}" for kind, name in zip(self.kinds.tolist(), names)]
        return Graph(nodes=len(self), ids=names)

    def write(self, path: Path, *, numbers: Optional[str] = None) -> None:
        """Write .npz, .safetensors, .tsv, .csv or word2vec text (.w2v, .txt) with ids, or .npy.

        ``numbers="f16"`` writes arrays with two bytes a number, three digits; ``"bf16"``, for .safetensors, two digits.
        """
        _core.embedding_write(self._nodes()._handle, path, None, numbers, self.values, self.dim)


def _is_mask(key: Any) -> bool:
    """Whether it says yes or no for each row: booleans of NumPy, pandas or polars, or a list of them."""
    if isinstance(key, list):
        return bool(key) and all(isinstance(v, (bool, np.bool_)) for v in key)
    return str(getattr(key, "dtype", "")).lower().rpartition(".")[2].startswith("bool")


def _loose(ids: NDArray[Any]) -> Any:
    """Integers as an array, of their own type; anything else as a list, whose types the other library finds."""
    return np.asarray(ids) if ids.dtype.kind in "iu" else ids.tolist()


def _parts_of_table(table: Any, ids: Any, kinds: Any) -> tuple[Any, Any, Any]:
    """Vectors, ids and kinds of a table such as those that an Embedding converts to."""
    if is_frame(table):
        if ids is None and type(table.index).__name__ == "MultiIndex" and list(table.index.names) == ["kind", "id"]:
            kinds, ids = (table.index.get_level_values(i) for i in (0, 1))
        elif ids is None and not numbers_rows(table.index):
            ids = table.index
        elif ids is None and "id" in table.columns:  # as in tables of Arrow
            ids, kinds = table["id"], table["kind"] if "kind" in table.columns else kinds
            table = table.drop(columns=[name for name in ("id", "kind") if name in table.columns])
        return table.to_numpy(), None if ids is None else id_array(np.asarray(ids)), kinds
    from ._arrow import ArrowTable

    open = ArrowTable(table, "values")
    names = [name for name in open.names if name not in ("id", "kind")]
    if names == ["vector"]:
        try:
            import pyarrow
        except ImportError:
            raise PackageError("values: a column of lists needs pyarrow: pip install pyarrow") from None
        return _vectors_of(table if isinstance(table, pyarrow.Table) else pyarrow.table(table), "values")
    values = np.column_stack([open.column(name) for name in names]) if names else np.zeros((len(open), 0))
    held: Any = id_array(open.column("id")) if ids is None and "id" in open.names else ids
    plain = held is not None and ids is None and held.dtype.kind in "iu" and np.array_equal(held, np.arange(len(held)))
    return values, None if plain else held, open.column("kind") if "kind" in open.names else kinds


def _vectors_of(table: Any, what: str) -> tuple[Any, Any, Any]:
    """
    A table of pyarrow: a column of vectors, lists of one length, or columns of numbers; the columns `id` and `kind` have
    the ids.
    """
    import pyarrow

    names = [name for name in table.column_names if name not in ("id", "kind")]
    lists = [name for name in names if pyarrow.types.is_nested(table.schema.field(name).type)]
    if len(lists) > 1 or lists and len(names) > 1 or not names:
        raise InvalidError(f"{what}: expected the column 'id' and either one column of vectors or columns "
                           f"of numbers; it has {', '.join(table.column_names)}")
    if lists:
        column = table[lists[0]].combine_chunks()
        flat = np.asarray(column.flatten(), dtype=np.float32)
        if column.null_count or len(flat) % max(len(column), 1) or len(set(column.value_lengths().to_pylist())) > 1:
            raise InvalidError(f"{what}: the vectors differ in length, or some are missing")
        values = flat.reshape(len(column), -1)
    else:
        values = np.column_stack([np.asarray(table[name], dtype=np.float32) for name in names])
    kinds = table["kind"].to_pylist() if "kind" in table.column_names else None
    ids = table["id"].to_numpy() if "id" in table.column_names else None
    plain = ids is not None and kinds is None and ids.tolist() == list(range(len(ids)))
    return values, None if plain else ids, kinds


def _from_parquet(path: Path) -> Embedding:
    try:
        import pyarrow
    except ImportError:
        raise PackageError(f"{os.fsdecode(path)}: vectors in Parquet need pyarrow: pip install pyarrow") from None
    table: Any = read_parquet(path)
    values, ids, kinds = _vectors_of(table if isinstance(table, pyarrow.Table) else pyarrow.table(table),
                                     os.fsdecode(path))
    return Embedding(values, ids, kinds=kinds)


@own_errors
def read_embedding(path: Path) -> Embedding:
    """
    Read embeddings in one of the formats of :meth:`Embedding.write`, or Parquet of :meth:`Embedding.to_parquet`.

    Parquet keeps the type of the ids; the other formats hold text.
    """
    if is_parquet(path):
        return _from_parquet(path)
    handle, rows, dim = _core.embedding_read(path)
    values = np.empty((rows, dim), np.float32)
    _core.embedding_values(handle, values)
    ids = _core.embedding_ids(handle)
    plain = all(name == str(i) for i, name in enumerate(ids))
    return Embedding(values, None if plain else ids)


class Neighbors(NamedTuple):
    """
    Nearest neighbors, best first: of one query an array of ids and one of scores, of several a row for each. Without ids,
    row numbers take their place; nodes of two kinds have the kind in `kinds`.
    """

    ids: NDArray[Any]
    scores: NDArray[np.float32]
    kinds: Optional[NDArray[np.object_]] = None

    def to_pandas(self) -> Any:
        """
        A DataFrame with the columns id and score; of several queries, with the number of the query.

        >>> import wgdn
        >>> E = wgdn.Embedding([[1, 0], [0.9, 0.1], [0, 1]], ["ann", "bob", "cid"])
        >>> E.similar("ann", k=2).to_pandas()["id"].tolist()   # doctest: +SKIP
        ['bob', 'cid']
        """
        import pandas

        parts = {"id": self.ids.reshape(-1), "score": self.scores.reshape(-1)}
        if self.kinds is not None:
            parts = {"kind": self.kinds.reshape(-1), **parts}
        if self.ids.ndim == 2:
            parts = {"query": np.repeat(np.arange(len(self.ids)), self.ids.shape[1]), **parts}
        return pandas.DataFrame(parts)


def _among(e: Embedding, among: Any) -> Optional[NDArray[np.int64]]:
    """Rows that neighbors are chosen from, ascending; None: all."""
    if among is None:
        return None
    if isinstance(among, str):
        raise ArgumentError(f"among = {among!r}: expected a list of ids, such as embedding.ids_of({among!r})")
    values = among.ids if isinstance(among, Embedding) and among.ids is not None else among
    if _is_mask(values):
        return np.flatnonzero(e._mask(values))
    rows = np.unique(e.rows(values))
    if not len(rows):
        raise InvalidError("among is empty: expected at least one id")
    return rows


@own_errors
@old_names(count="k")
def similar(vectors: Any, query: Any, k: int = 10, *, among: Any = None,
            metric: Literal["cosine", "dot"] = "cosine", threads: int = 0) -> Neighbors:
    """
    Exact nearest neighbors of each query, best first.

    Parameters
    ----------
    vectors : Embedding or array
    query : an id, a list of ids (row indices if there are no ids), a vector or a 2-D array of vectors
        A node is not its own neighbor.
    k : number of neighbors
    among : ids that neighbors are chosen from, default all
    metric : similarity, "cosine" or "dot"
    threads : number of threads, 0 for all

    Examples
    --------
    >>> import wgdn
    >>> e = wgdn.Embedding([[1, 0], [0.9, 0.1], [0, 1]], ["Ann", "Bob", "Cid"])
    >>> wgdn.similar(e, "Ann", k=1).ids.tolist()
    ['Bob']
    >>> wgdn.similar(e, ["Ann", "Cid"], k=1).ids.tolist()
    [['Bob'], ['Bob']]
    """
    e = vectors if isinstance(vectors, Embedding) else Embedding(vectors)
    if metric not in METRICS:
        raise InvalidError(f"metric = {metric!r}: it may be {', '.join(METRICS)}")
    if not hasattr(k, "__index__") or k < 1:
        raise InvalidError(f"k = {k!r}: expected an integer of at least 1")
    x, own, one = _queries(e, query)
    if x.shape[1] != e.dim:
        raise InvalidError(f"query: vectors of dim {x.shape[1]} for an embedding of dim {e.dim}")
    for what, array in (("query", x), ("vectors", e.values)):
        wrong = ~np.isfinite(array).all(axis=1)
        if wrong.any():
            raise InvalidError(f"{what}: row {int(wrong.argmax())} has numbers that are not finite, so nothing is near or far from it")
    chosen = _among(e, among)
    space = e.values if chosen is None else np.ascontiguousarray(e.values[chosen])
    itself = own is not None and (chosen is None or bool(np.isin(own, chosen).any()))
    count = min(k, len(space) - (1 if itself else 0))
    ask = min(count + (1 if itself else 0), len(space))
    index = np.empty((len(x), ask), np.int64)
    score = np.empty((len(x), ask), np.float32)
    if len(x) and ask:
        _core.search(index, score, space, x, e.dim, ask, METRICS.index(metric), threads)
    if chosen is not None:
        index = chosen[index]
    if itself:  # drop each id from its own list, or the last if it is not there
        assert own is not None
        others = index != own[:, None]
        others[others.all(axis=1), -1] = False
        index, score = index[others].reshape(len(x), count), score[others].reshape(len(x), count)
    if one:
        index, score = index[0], score[0]
    return Neighbors(index if e.ids is None else e.ids[index], score, None if e.kinds is None else e.kinds[index])


def _queries(e: Embedding, query: Any) -> tuple[NDArray[np.float32], Optional[NDArray[np.int64]], bool]:
    """Vectors of the queries, the rows of those that are nodes, and whether there is a single one."""
    if isinstance(query, Embedding):
        return query.values, None, False
    known = isinstance(query, (str, bytes)) or e.ids is not None and isinstance(query, tuple)
    given = np.zeros(()) if known else np.asarray(query)
    if given.ndim == 2 and given.dtype.kind == "f" or given.ndim == 1 and given.dtype.kind == "f" and len(given) == e.dim:
        x = np.ascontiguousarray(given.reshape(-1, given.shape[given.ndim - 1]), dtype=np.float32)
        return x, None, given.ndim == 1
    one = given.ndim == 0
    rows = np.array([e.row(query)], np.int64) if one else e.rows(query)
    return np.ascontiguousarray(e.values[rows]), rows, one
