# SPDX-License-Identifier: Apache-2.0
"""Tables of pandas, of Arrow, and dictionaries: their columns, and which of them are edges."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from ._errors import InvalidError, warn
from ._kinds import as_array, is_arrow, is_frame
from ._names import as_texts, take_texts

# As the program knows them: alone, or with the same text before or behind both.
PAIRS = (("source", "target"), ("src", "dst"), ("src", "dest"), ("from", "to"),
         ("sender", "receiver"), ("start", "end"), ("origin", "destination"), ("orig", "dest"),
         ("head", "tail"), ("follower", "followee"), ("payer", "payee"), ("caller", "callee"),
         ("citing", "cited"), ("parent", "child"))
NUMBERED = (("1", "2"), ("a", "b"), ("0", "1"))
NOUNS = ("node", "nodeid", "id", "vertex", "name", "person", "user", "userid", "account", "entity",
         "author", "gene", "protein", "object", "actor", "drug", "city")
GRAPHS = ("graph", "graphid", "graphindex")
IDS = ("id", "ids", "node", "nodeid", "vertex", "vertexid")  # over the ids of nodes, never over a feature
WEIGHTS = ("weight", "weights", "edgeweight", "w")


def _plain(name: Any) -> str:
    return "".join(c for c in str(name).lower() if c not in " _-.:~")


def _rests() -> list[tuple[str, str, Optional[Sequence[str]]]]:
    """Pairs, and what may stand beside them; None: anything."""
    return [*((a, b, None) for a, b in PAIRS), ("u", "v", ("",)),
            *((a, b, NOUNS) for a, b in NUMBERED)]


def _is_pair(source: str, target: str) -> bool:
    for a, b, allowed in _rests():
        for x, y in ((source[len(a):] if source.startswith(a) else None,
                      target[len(b):] if target.startswith(b) else None),
                     (source[:-len(a)] if source.endswith(a) else None,
                      target[:-len(b)] if target.endswith(b) else None)):
            if x is not None and x == y and "time" not in x and "date" not in x \
                    and (allowed is None or x in allowed):
                return True
    return False


def _ends(names: Sequence[Any]) -> Optional[tuple[Any, Any]]:
    """The first two columns whose names are a pair, or the two that there are."""
    found = next(((a, b) for a in names for b in names if a is not b and _is_pair(_plain(a), _plain(b))), None)
    return (names[0], names[1]) if found is None and len(names) == 2 else found


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


def id_column(x: Any, edges: Any = None) -> Optional[str]:
    """
    The column of a table of nodes that holds their ids: by its name, or because an end of the edges has that name. It
    is no feature, so a column of such a name that cannot be the ids is refused.
    """
    names = _names(x)
    ends = _ends([n for n in _names(edges) if _plain(n) not in WEIGHTS]) or ()
    name = next((n for n in names if isinstance(n, str) and n in ends), None) or \
        next((n for n in names if isinstance(n, str) and _plain(n) in IDS), None)
    if name is None or len(names) == 1:
        return None
    if is_frame(x):
        index = x.index
        if not (type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1):
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
            if name is not None and name not in names:
                raise InvalidError(f"{what} = {name!r}: the table of edges has no such column; it has "
                                   f"{', '.join(map(str, names))}")


def edge_columns(names: Sequence[Any], given: Columns) -> Columns:
    """The columns of a table of edges: those that the caller has named, others by their names."""
    given.check(names)
    plain = [_plain(name) for name in names]
    named = [n for n in given.__dict__.values() if n is not None]
    weight = given.weight if given.weight is not None else \
        next((n for n, p in zip(names, plain) if p in WEIGHTS and n not in named), None)
    ends = [n for n in names if n is not weight and n not in (given.type, given.graph_id)]
    told = ", ".join(map(str, names))
    if given.source is not None and given.target is not None:
        found: Optional[tuple[Any, Any]] = (given.source, given.target)
    elif given.source is not None or given.target is not None:
        raise InvalidError("edges: pass both source= and target=, the columns of the two ends; the table has "
                           f"{told}")
    else:
        found = _ends(ends)
    if found is None:
        said = "a table of edges needs two columns, source and target" if len(ends) < 2 else \
            "which columns are the source and the target of an edge? Pass source= and target="
        raise InvalidError(f"edges: {said}; the table has {told}")
    unused = [str(n) for n in ends if n not in found]
    graph = next((n for n in unused if _plain(n) in GRAPHS), None)
    if graph is not None and given.graph_id is None:
        raise InvalidError(f"edges: the column {graph!r} names the graph of each edge: pass graph_id={graph!r} for one "
                           "vector per graph, or drop the column")
    if unused and given.source is None:
        warn(f"edges: the columns {', '.join(unused)} are not used; drop them, or pass weight= to use one as the weight")
    return Columns(found[0], found[1], weight, given.type, given.graph_id)


def warn_two_kinds(table: Any, source: Any, target: Any) -> None:
    """Customer 5 and product 5 are one node here; names of two kinds make that unlikely to be meant."""
    rows = 100_000
    names = _plain(source), _plain(target)
    if _is_pair(*names) or min(map(len, names)) < 3:  # a and b say nothing of kinds
        return
    both = set(np.asarray(table.column(source))[:rows].tolist()) & set(np.asarray(table.column(target))[:rows].tolist())
    if both:
        warn(f"edges: {source!r} and {target!r} have {len(both)} ids in common, such as {next(iter(both))!r}: the same id is "
             "the same node. If these are two kinds of nodes, pass bipartite=True; if they are one, bipartite=False")


def has_edge_columns(x: Any) -> bool:
    """Whether a table names the two ends of edges."""
    if not is_frame(x) and not is_arrow(x):
        return False
    names = list(x.columns) if is_frame(x) else list(getattr(x, "column_names", getattr(x, "columns", ())))
    plain = [_plain(name) for name in names if isinstance(name, str)]
    return any(_is_pair(a, b) for a in plain for b in plain if a != b)


class FrameTable:
    """A DataFrame of pandas."""

    def __init__(self, table: Any, what: str) -> None:
        self.what, self.names, self._table = what, list(table.columns), table

    def __len__(self) -> int:
        return len(self._table)

    def column(self, name: Any) -> NDArray[Any]:
        column = self._table[name]
        if column.ndim != 1:
            raise InvalidError(f"{self.what}: the table has the column {name!r} twice")
        self.refuse_missing(name, column)
        return np.asarray(column.to_numpy())

    def refuse_missing(self, name: Any, column: Any) -> None:
        missing = column.isna()
        if missing.any():
            raise InvalidError(f"{self.what}: the column {name!r} has {int(missing.sum())} missing "
                               f"of {len(column)}")


    def ends(self, name: Any) -> Any:
        """A column of names: text that Arrow holds as it lies in memory, anything else as an array."""
        column = self._table[name]
        if column.ndim == 1 and getattr(column.dtype, "storage", "") == "pyarrow" and \
                hasattr(self._table, "__arrow_c_stream__"):
            self.refuse_missing(name, column)
            from ._arrow import ArrowTable

            held = ArrowTable(self._table[[name]].reset_index(drop=True), self.what)
            return held.ends(held.names[0])
        if column.ndim == 1 and column.dtype == object and len(column):
            texts = as_texts(column.to_numpy())  # nothing but text: nothing is missing
            if texts is not None:
                return texts
        if column.ndim == 1 and hasattr(column, "cat") and len(column) and (column.cat.codes >= 0).all():
            known = np.asarray(column.cat.categories)
            texts = as_texts(known) if known.dtype.kind in "OU" else None
            rows = column.cat.codes.to_numpy()
            return known[rows] if texts is None else take_texts(texts, rows)
        return self.column(name)


class DictTable:
    """A dictionary of columns."""

    def __init__(self, table: dict[Any, Any], what: str) -> None:
        self.what, self.names = what, list(table)
        self._columns = {n: as_array(v, f"{what}: the column {n!r}") for n, v in table.items()}
        if len({column.shape for column in self._columns.values()}) > 1:
            raise InvalidError(f"{what}: the columns have different lengths")

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    def column(self, name: Any) -> NDArray[Any]:
        return self._columns[name]

    ends = column


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
