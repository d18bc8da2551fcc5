# SPDX-License-Identifier: Apache-2.0
"""Tables of pandas, of Arrow, and dictionaries: their columns, and which of them are edges."""
from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._errors import ArgumentError, InvalidError, warn
from ._kinds import as_array, is_arrow, is_frame, numbers_rows
from ._names import Coded, as_texts

IDS = ("id", "ids", "node", "nodeid", "vertex", "vertexid")  # over the ids of nodes, never over a feature
ROWS = 1000  # of a table of edges that are looked at


def plain_name(name: Any) -> str:
    return "".join(c for c in str(name).lower() if c not in " _-.:~")


def _find_columns(names: Sequence[Any], rows: Iterable[Sequence[Any]] = ()) -> tuple[int, int, int, int, bool, bool]:
    """As _core.edge_columns(): the rules are those for files."""
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows([names, *rows])
    return _core.edge_columns(text.getvalue().encode(errors="surrogateescape"))


def _names(table: Any) -> list[Any]:
    if is_frame(table):
        return list(table.columns)
    names: Any = getattr(table, "column_names", None) or getattr(table, "columns", ())
    return list(names) if is_arrow(table) else []


def column_names(table: Any) -> list[Any]:
    """The names of the columns of a table of pandas or Arrow."""
    if is_frame(table):
        return list(table.columns)
    return list(open_table(table, "X").names)


def rows_of(table: Any) -> int:
    """The number of rows."""
    return len(table) if is_frame(table) else len(open_table(table, "X"))


def id_column(x: Any, edges: Any, named: Columns) -> Optional[str]:
    """
    The column of a table of nodes that holds their ids: by its name, or because an end of the edges has that name, by
    its heading or as the caller has named it. It is no feature, so a column of such a name that cannot be the ids is
    refused.
    """
    names = _names(x)
    ends: Sequence[Any] = [end for end in (named.source, named.target) if end is not None]
    if not ends and len(_names(edges)) > 1:
        try:
            ends = [_names(edges)[j] for j in _find_columns(_names(edges))[:2]]
        except _core.Error:  # whoever reads the edges says it
            pass
    name = next((n for n in names if isinstance(n, str) and n in ends), None) or \
        next((n for n in names if isinstance(n, str) and plain_name(n) in IDS), None)
    if name is None or len(names) == 1:
        return None
    if is_frame(x):
        index = x.index
        if not numbers_rows(index):
            raise InvalidError(f"X has ids in its index and in the column {name!r}: drop the column, or pass "
                               f"X.reset_index(drop=True)")
    column = open_table(x, "X").column(name)
    if len(set(column.tolist())) < len(column):
        raise InvalidError(f"X: the column {name!r} is named like ids of nodes, but has a value twice: drop it, or "
                           "rename it to use it as a feature")
    return name


@dataclass
class Columns:
    """Which columns of a table of edges the caller has named."""

    source: Any = None
    target: Any = None
    weight: Any = None
    type: Any = None
    graph_id: Any = None

    def check(self, names: Sequence[Any]) -> None:
        for what, name in self.__dict__.items():
            if name is not None and (hasattr(name, "__iter__") or hasattr(name, "__array__")) and not isinstance(name, (str, tuple)):
                own = getattr(name, "name", None)
                raise ArgumentError(f"{what}: expected the name of a column of the edges, got {type(name).__name__}"
                                    + (f"; pass {what}={own!r}" if own in names else "; add it to the table as a column"))
            if name is not None and name not in names:
                raise InvalidError(f"{what} = {name!r}: the table of edges has no such column; it has "
                                   f"{', '.join(map(str, names))}")


def _means(name: Any, place: int) -> bool:
    """Whether a heading beside source and target means weights (place 2) or graphs (place 3)."""
    try:
        return _find_columns(["source", "target", name])[place] == 2
    except _core.Error:
        return False


def _two_kinds(source: Any, target: Any, rows: Iterable[Sequence[Any]]) -> bool:
    """Whether the headings of the ends that the caller has named mean nodes of two kinds."""
    try:
        return _find_columns([source, target], rows)[5]
    except _core.Error:
        return False


def edge_columns(table: Any, given: Columns) -> tuple[Columns, bool]:
    """
    The columns of a table of edges, and whether the headings of its ends mean nodes of two kinds. The caller has named
    some columns; headings and values tell the others, as in files. A warning names those that are not used.
    """
    names = table.names
    given.check(names)
    told = ", ".join(map(str, names))
    if (given.source is None) != (given.target is None):
        raise InvalidError("edges: pass both source= and target=, the columns of the two ends; the table has "
                           f"{told}")
    taken = [name for name in given.__dict__.values() if name is not None]
    place = [j for j, name in enumerate(names) if name not in taken]
    rest = [names[j] for j in place]
    sample = table.sample(ROWS)
    if given.source is not None:
        source, target = given.source, given.target
        two_kinds = _two_kinds(source, target, zip(*(sample[names.index(name)] for name in (source, target))))
        weight, graph = (next((name for name in rest if _means(name, k)), None) for k in (2, 3))
    elif len(rest) < 2:
        ends = getattr(getattr(table, "index", None), "nlevels", 1) > 1
        raise InvalidError(f"edges: a table of edges needs two columns, source and target; the table has {told or 'none'}"
                           + ("; those of its index become columns by table.reset_index()" if ends else ""))
    else:
        try:
            found = _find_columns(rest, zip(*(sample[j] for j in place)))
        except _core.Error as error:
            raise InvalidError("edges: which columns are the source and the target of an edge? Pass source= and target=; "
                               f"the table has {told}") from error
        source, target, weight, graph = (None if j < 0 else rest[j] for j in found[:4])
        two_kinds = found[5]
    if given.weight is not None:
        weight = given.weight
    if graph is not None and given.graph_id is None:
        raise InvalidError(f"edges: the column {graph!r} names the graph of each edge: pass graph_id={graph!r} for one "
                           "vector per graph, or drop the column")
    unused = [str(name) for name in rest if name not in (source, target, weight)]
    if unused and given.source is None:
        named, them, one = (f"column {unused[0]} is", "it", "it") if len(unused) == 1 else \
            (f"columns {', '.join(unused)} are", "them", "one")
        warn(f"edges: the {named} not used; drop {them}, or pass weight= to use {one} as the weight")
    return Columns(source, target, weight, given.type, given.graph_id), two_kinds


def has_edge_columns(x: Any) -> bool:
    """Whether a table names the two ends of edges."""
    names = _names(x)
    if len(names) < 2:
        return False
    try:
        return _find_columns(names)[4]
    except _core.Error:
        return False


class FrameTable:
    """A DataFrame of pandas."""

    def __init__(self, table: Any, what: str) -> None:
        self.what, self.names, self._table, self.index = what, list(table.columns), table, table.index

    def __len__(self) -> int:
        return len(self._table)

    def column(self, name: Any) -> NDArray[Any]:
        column = self._table[name]
        if column.ndim != 1:
            raise InvalidError(f"{self.what}: the table has the column {name!r} twice")
        self.refuse_missing(name, column)
        held = getattr(column.dtype, "numpy_dtype", None)  # of columns that may have gaps
        return np.asarray(column.to_numpy(dtype=held) if getattr(held, "kind", "") in ("b", "i", "u", "f") else column.to_numpy())

    def sample(self, rows: int) -> list[list[Any]]:
        """The first rows of each column."""
        first = self._table.head(rows)
        return [first.iloc[:, j].tolist() for j in range(len(self.names))]

    def refuse_missing(self, name: Any, column: Any) -> None:
        missing = column.isna()
        if missing.any():
            raise InvalidError(f"{self.what}: the column {name!r} has {int(missing.sum())} missing "
                               f"of {len(column)}")

    def ends(self, name: Any) -> Any:
        """A column of names: text that Arrow holds as stored in memory, anything else as an array."""
        column = self._table[name]
        if column.ndim == 1 and getattr(column.dtype, "storage", "") == "pyarrow" and \
                hasattr(self._table, "__arrow_c_stream__"):
            self.refuse_missing(name, column)
            from ._arrow import ArrowTable

            held = ArrowTable(self._table[[name]].reset_index(drop=True), self.what)
            return held.ends(held.names[0])
        text = column.ndim == 1 and (column.dtype == object or getattr(column.dtype, "storage", "") == "python")
        if text and len(column):
            texts = as_texts(np.asarray(column.array, dtype=object))  # nothing but text: nothing is missing
            if texts is not None:
                return texts
        rows = column.cat.codes.to_numpy() if column.ndim == 1 and hasattr(column, "cat") else None
        if rows is not None and len(rows) and rows.min() >= 0:
            known = np.asarray(column.cat.categories)
            texts = as_texts(known) if known.dtype.kind in "OU" else None
            return known[rows] if texts is None else Coded(texts, rows.astype(np.int64))
        return self.column(name)


class DictTable:
    """A dictionary of columns."""

    def __init__(self, table: dict[Any, Any], what: str) -> None:
        self.what, self.names = what, list(table)
        self._columns = {n: as_array(v, f"{what}: the column {n!r}") for n, v in table.items()}
        for name, column in self._columns.items():
            if column.ndim == 0:
                raise InvalidError(f"{what}: the column {name!r} is one value: expected a list or an array for each column")
        if len({column.shape for column in self._columns.values()}) > 1:
            raise InvalidError(f"{what}: the columns have different lengths")

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    def column(self, name: Any) -> NDArray[Any]:
        return self._columns[name]

    ends = column

    def sample(self, rows: int) -> list[list[Any]]:
        return [column[:rows].tolist() for column in self._columns.values()]


def open_table(table: Any, what: str) -> Any:
    """
    A table with names, a length and columns: arrays that are borrowed where the types allow.
    Missing values are refused.
    """
    if is_frame(table):
        return FrameTable(table, what)
    if is_arrow(table):
        from ._arrow import ArrowTable

        return ArrowTable(table, what)
    return DictTable(table, what)
