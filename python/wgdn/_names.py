# SPDX-License-Identifier: Apache-2.0
"""Names of nodes, numbered. The same columns give the same numbers, whatever library held them."""
from __future__ import annotations

import secrets
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._errors import InvalidError

Int64 = NDArray[np.int64]
KINDS = {"i": "int", "u": "int", "f": "float", "O": "text", "U": "text"}


def id_array(ids: Any, like: Any = None) -> NDArray[Any]:
    """
    Ids as an array: integers stay integers, of the type of the columns `like` where these agree; anything else is an
    array of objects.
    """
    if isinstance(ids, np.ndarray) and ids.dtype.kind in "iuO" and ids.ndim == 1 and like is None:
        return ids
    whole = isinstance(ids, np.ndarray) and ids.dtype.kind in "iu"
    names = ids if whole else as_list(ids)
    if whole or names and set(map(type, names)) == {int} and -2**63 <= min(names) and max(names) < 2**63:
        made = np.asarray(names) if whole else np.array(names, dtype=np.int64)
        types = {column.dtype for column in like or () if getattr(getattr(column, "dtype", None), "kind", "") in "iu"}
        return made.astype(types.pop()) if len(types) == 1 else made
    out = np.empty(len(names), dtype=object)  # np.array() would split tuples
    out[:] = names
    return out


def in_order(ids: Any, nodes: int) -> bool:
    """Whether ids are 0, 1, 2, ...: then they are not stored."""
    if len(ids) != nodes:
        return False
    if isinstance(ids, np.ndarray) and ids.dtype.kind in "iu":
        return bool(np.array_equal(ids, np.arange(nodes)))
    return all(isinstance(name, (int, np.integer)) and not isinstance(name, bool) and name == i
               for i, name in enumerate(ids))


def keep_ids(ids: Any, nodes: int, like: Any = None) -> Optional[NDArray[Any]]:
    """Ids that are stored, None for 0, 1, 2, ..."""
    return None if ids is None or in_order(ids, nodes) else id_array(ids, like)


def is_missing(name: Any) -> bool:
    return name is None or type(name).__name__ == "NAType" or bool(name != name)


def check_ids(names: Sequence[Any], where: str, unique: bool = False) -> None:
    """Refuse missing ids; if they are to be unique, also equal ones of several types, whose texts differ: 1 and 1.0."""
    types = set(map(type, names))
    if types <= {str} or types <= {int}:
        return
    missing = sum(map(is_missing, names))
    if missing:
        raise InvalidError(f"{missing} of {len(names)} ids are missing in {where}")
    if unique and len(types) > 1 and len(set(names)) < len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise InvalidError(f"two ids are equal in {where}, such as {twice!r}")


def clean(column: NDArray[Any], what: str) -> NDArray[Any]:
    """Endpoints as int64, or as an array of objects; what is missing or no name is refused."""
    if column.ndim != 1:
        raise InvalidError(f"{what}: expected one column, got shape {column.shape}")
    if column.dtype.kind == "O":
        types = set(map(type, column.tolist()))
        if types - {str, int} and any(map(is_missing, column)):
            raise InvalidError(f"{what}: {sum(map(is_missing, column))} of {len(column)} are missing")
        if types and all(issubclass(t, (int, float, np.integer)) and t is not bool for t in types):
            column = np.array(column.tolist())
        elif str in types and any(issubclass(t, float) for t in types):  # integers that a gap has made floats, beside text
            odd = next((v for v in column if isinstance(v, float) and not v.is_integer()), None)
            if odd is not None:
                raise InvalidError(f"{what}: expected integers or text, got the float {float(odd)!r}")
            column = np.array([int(v) if isinstance(v, float) else v for v in column.tolist()], dtype=object)
    if column.dtype.kind == "f":
        if np.isnan(column).any():
            raise InvalidError(f"{what}: {int(np.isnan(column).sum())} of {len(column)} are missing")
        if (np.abs(column) > 2**53).any() or (column != np.floor(column)).any():
            odd = column[(column != np.floor(column)) | (np.abs(column) > 2**53)][0]
            raise InvalidError(f"{what}: expected integers or text, got the float {odd.item()!r}")
        return column.astype(np.int64)
    if column.dtype.kind == "u" and column.size and column.max() > np.iinfo(np.int64).max:
        raise InvalidError(f"{what}: {column.max()} is beyond 64-bit integers; pass ids as text")
    if column.dtype.kind in "iu" or column.size == 0:
        return np.ascontiguousarray(column, dtype=np.int64)
    if column.dtype.kind not in "OUT":
        raise InvalidError(f"{what}: expected integers or text, got {column.dtype}")
    return column.astype(object)


@dataclass
class Texts:
    """A column of text as one block of UTF-8: text i lies from offset i to offset i + 1."""

    block: NDArray[np.uint8]
    offset: Int64

    def __len__(self) -> int:
        return len(self.offset) - 1


def as_texts(column: NDArray[Any]) -> Optional[Texts]:
    """A column of nothing but text; None if it holds anything else, or nothing."""
    if column.dtype.kind not in "OU" or not column.dtype.isnative or column.dtype.itemsize == 0:
        column = column.astype(object)
    width = 0 if column.dtype.kind == "O" else column.dtype.itemsize // 4
    offset = np.empty(len(column) + 1, np.int64)
    plain = np.ascontiguousarray(column)
    block = _core.encode_texts(plain.view(np.int32) if width else plain, width, offset) if len(column) else None
    return None if block is None else Texts(np.frombuffer(block, np.uint8), offset)


@dataclass
class Coded:
    """A column of text as the numbers of its texts: a categorical of pandas or polars, a dictionary of Arrow."""

    texts: Texts
    rows: Int64

    def __len__(self) -> int:
        return len(self.rows)


Column = Union[NDArray[Any], Texts, Coded]


def join_texts(parts: Sequence[Texts]) -> Texts:
    """Columns of text, one behind another."""
    if len(parts) == 1:
        return parts[0]
    start = np.cumsum([0] + [int(p.offset[-1]) for p in parts])
    return Texts(np.concatenate([p.block for p in parts]),
                 np.concatenate([np.zeros(1, np.int64), *(p.offset[1:] + s for p, s in zip(parts, start))]))


def join_coded(parts: Sequence[Coded]) -> Coded:
    """The same of columns that have a list of texts each."""
    start = np.cumsum([0] + [len(p.texts) for p in parts])
    return Coded(join_texts([p.texts for p in parts]), np.concatenate([p.rows + s for p, s in zip(parts, start)]))


def _text(texts: Texts, i: int) -> str:
    return texts.block[texts.offset[i]:texts.offset[i + 1]].tobytes().decode(errors="surrogateescape")


def list_texts(texts: Texts) -> NDArray[np.object_]:
    """The same as an array of Python's text."""
    ends, raw = texts.offset.tolist(), texts.block.tobytes()
    out = np.empty(len(texts), dtype=object)
    if raw.isascii():
        plain = raw.decode()
        out[:] = [plain[b:e] for b, e in zip(ends, ends[1:])]
    else:
        out[:] = [raw[b:e].decode(errors="surrogateescape") for b, e in zip(ends, ends[1:])]
    return out


def _number_texts(s: Texts, t: Texts, ids: Optional[Sequence[Any]], where: str
                  ) -> tuple[Int64, Int64, Optional[list[Any]]]:
    """Numbers in order of appearance; with ids, the place of each among them."""
    source, target = np.empty(len(s), np.int64), np.empty(len(t), np.int64)
    names = _core.number_texts(secrets.randbits(64), s.block, s.offset, t.block, t.offset, source, target)
    if ids is None:
        return source, target, names
    place = find(np.array(names, dtype=object), ids, "edges", where)
    return place[source], place[target], None


def _number_codes(s: Coded, t: Coded, ids: Optional[Sequence[Any]], where: str
                  ) -> tuple[Int64, Int64, Optional[list[Any]]]:
    """The same of columns whose different texts are listed: each text is looked at once."""
    every = join_texts([s.texts, t.texts])
    number_of, _, names = _number_texts(every, every, None, "")
    ends = number_of[:len(s.texts)][s.rows], number_of[len(s.texts):][t.rows]
    both = np.stack(ends, axis=1).reshape(-1)
    assert names is not None
    first = np.full(len(names), len(both))
    first[both[::-1]] = np.arange(len(both))[::-1]  # of places that repeat, the last is assigned
    order = np.argsort(first)[:int((first < len(both)).sum())]
    used = [names[i] for i in order.tolist()]
    place = np.empty(len(names), np.int64)
    place[order] = np.arange(len(order)) if ids is None else find(np.array(used, dtype=object), ids, "edges", where)
    return place[ends[0]], place[ends[1]], used if ids is None else None


def _as_coded(column: Union[Texts, Coded]) -> Coded:
    return column if isinstance(column, Coded) else Coded(column, np.arange(len(column)))


def _first_seen(source: NDArray[Any], target: NDArray[Any]) -> list[Any]:
    """Names in order of appearance, edge by edge."""
    both = np.empty(2 * len(source), dtype=object)
    both[0::2], both[1::2] = source, target
    try:
        return list(dict.fromkeys(both.tolist()))
    except TypeError:
        odd = next(name for name in both.tolist() if not isinstance(name, Hashable))
        raise InvalidError(f"edges: an id is integer or text, and {odd!r} is {type(odd).__name__}") from None


def _by_value(s: Int64, t: Int64) -> tuple[Int64, Int64, Int64]:
    """Integers from 0 on, numbered by value; by a table of all of them where that is short."""
    most = int(max(s.max(), t.max())) if s.size else -1
    if most < 8 * len(s) + 2**20:
        there = np.zeros(most + 1, np.bool_)
        there[s] = there[t] = True
        place = np.cumsum(there, dtype=np.int64) - 1
        return place[s], place[t], np.flatnonzero(there)
    values = np.unique(np.concatenate([s, t]))
    return (np.searchsorted(values, s).astype(np.int64),
            np.searchsorted(values, t).astype(np.int64), values)


def find(names: NDArray[Any], ids: Sequence[Any], what: str, where: str) -> Int64:
    """The place of each name among the ids. Integers on one side and text on the other are compared as text, as in files."""
    place = {name: i for i, name in enumerate(as_list(ids))}
    wanted = names.tolist()
    try:
        return np.fromiter(map(place.__getitem__, wanted), np.int64, len(names))
    except KeyError as error:
        stranger = error.args[0]
    except TypeError:
        raise InvalidError(f"{what}: an id must be hashable") from None
    types = set(map(type, place)) | set(map(type, wanted))
    texts = {str(name): i for name, i in place.items()} if types == {int, str} else {}
    if len(texts) == len(place) and all(str(name) in texts for name in wanted):
        return np.array([texts[str(name)] for name in wanted], np.int64)
    known = next(iter(place), None)
    raise InvalidError(f"{what} has the id {stranger!r}, which is not in {where}; these are "
                       f"{type(known).__name__}, such as {known!r}")


def as_list(ids: Iterable[Any]) -> list[Any]:
    """Python values: NumPy scalars have other hashes and texts."""
    if isinstance(ids, (str, bytes)) or not hasattr(ids, "__iter__"):
        raise InvalidError(f"ids = {ids!r}: expected a list of ids, one for each row; a column of X is named by id=")
    if isinstance(ids, list) and not any(issubclass(kind, np.generic) for kind in set(map(type, ids))):
        return ids
    return ids.tolist() if isinstance(ids, np.ndarray) else \
        [name.item() if isinstance(name, np.generic) else name for name in ids]


def places(ids: NDArray[Any], kinds: Optional[NDArray[Any]]) -> dict[Any, Any]:
    """Rows by id, and by (kind, id) where there are two kinds; a list of rows for an id of both."""
    names = ids.tolist()
    rows: dict[Any, Any] = dict(zip(names, range(len(names))))
    if kinds is None:
        return rows
    if len(rows) < len(names):
        every: dict[Any, list[int]] = {}
        for i, name in enumerate(names):
            every.setdefault(name, []).append(i)
        rows = {name: found if len(found) > 1 else found[0] for name, found in every.items()}
    rows.update(zip(zip(kinds.tolist(), names), range(len(names))))
    return rows


def two_of(id: Any, rows: Sequence[int], kinds: NDArray[Any]) -> str:
    """Why an id is refused that nodes of two kinds have."""
    return f"nodes of two kinds have the id {id!r}: use {' or '.join(repr((kinds[i], id)) for i in rows)}"


def as_held(column: Column) -> Column:
    """A column of nothing but text as one block."""
    if isinstance(column, (Texts, Coded)) or column.dtype.kind not in "OUT" or column.ndim != 1 or not column.size:
        return column
    return as_texts(column) or column


def _plain(column: Column) -> NDArray[Any]:
    """As an array."""
    if isinstance(column, Coded):
        known: NDArray[Any] = list_texts(column.texts)
        return known[column.rows]
    return list_texts(column) if isinstance(column, Texts) else column


def _of_one_type(s: NDArray[Any], t: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Integers beside text are text, as in files."""
    types = set(map(type, s.tolist())) | set(map(type, t.tolist()))
    if types == {int, str}:
        return np.array(list(map(str, s.tolist())), dtype=object), np.array(list(map(str, t.tolist())), dtype=object)
    return s, t


def number(source: Column, target: Column, rows: Optional[int],
           ids: Optional[Sequence[Any]], where: str) -> tuple[Int64, Int64, Any]:
    """
    Endpoints by name as node numbers, and the names by number, None for 0, 1, ...

    With ids, they are looked up. With so many rows and no ids, integers are rows. With neither,
    nodes are those that occur: integers by value, others in order of appearance, as the program
    numbers an edge list.
    """
    one, other = as_held(source), as_held(target)
    if isinstance(one, (Texts, Coded)) and isinstance(other, (Texts, Coded)):
        if ids is None and rows is not None:
            name = _text(one, 0) if isinstance(one, Texts) else _text(one.texts, int(one.rows[0]))
            _refuse_strangers(np.array([name], dtype=object), np.zeros(0), rows, False)
        if isinstance(one, Texts) and isinstance(other, Texts):
            return _number_texts(one, other, ids, where)
        return _number_codes(_as_coded(one), _as_coded(other), ids, where)
    s, t = clean(_plain(source), "sources of edges"), clean(_plain(target), "targets of edges")
    if ids is None and (s.dtype != np.int64 or t.dtype != np.int64):
        s, t = _of_one_type(s, t)
    if ids is not None:
        return find(s, ids, "edges", where), find(t, ids, "edges", where), None
    integers = s.dtype == np.int64
    if rows is not None:
        _refuse_strangers(s, t, rows, integers)
        return s, t, None
    if not integers or s.size and min(s.min(), t.min()) < 0:
        names = _first_seen(s, t)
        return find(s, names, "edges", where), find(t, names, "edges", where), names
    return _by_value(s, t)


def number_two_kinds(source: Column, target: Column
                     ) -> tuple[Int64, Int64, list[Any], list[int]]:
    """
    Ends of edges between two kinds of nodes as node numbers, in order of appearance, edge by edge; the names by number,
    and 0 or 1 for the kind of each.
    """
    numbers, names, first = [], [], []
    for k, column in enumerate((source, target)):
        number_of, _, known = number(column, column, None, None, "")
        known = [] if known is None else as_list(known)
        used, row = np.unique(number_of, return_index=True)
        numbers.append(number_of)
        names.append([known[i] for i in used.tolist()])
        first.append(2 * row + k)
    order = np.argsort(np.concatenate(first), kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    every, count = [*names[0], *names[1]], len(names[0])
    return (place[numbers[0]], place[count + numbers[1]], [every[k] for k in order.tolist()],
            (order >= count).astype(int).tolist())


def _refuse_strangers(s: NDArray[Any], t: NDArray[Any], rows: int, integers: bool) -> None:
    """Without ids only 0 .. rows - 1 say which row they are."""
    help = "pass ids=, one for each row, or name the column of X that holds them, id=; the index of a DataFrame may hold them, too"
    if not integers:
        raise InvalidError(f"X has no ids, so nothing tells which row is {s[0]!r} of the edges: {help}")
    for ends in (s, t):
        wrong = ends[(ends < 0) | (ends >= rows)]
        if wrong.size:
            raise InvalidError(f"X has no ids, so integers in the edges are rows 0 .. {rows - 1}, "
                               f"and {int(wrong[0])} is none: {help}")
