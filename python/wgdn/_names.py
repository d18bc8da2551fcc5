# SPDX-License-Identifier: Apache-2.0
"""Names of nodes, numbered. The same columns give the same numbers, whatever library held them."""
from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
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
    """A column of nothing but text; None if it holds anything else."""
    names = column.tolist()
    if set(map(type, names)) != {str}:
        return None
    whole = "".join(names)
    if whole.isascii():
        block, size = whole.encode(), np.fromiter(map(len, names), np.int64, len(names))
    else:
        parts = [name.encode(errors="surrogateescape") for name in names]
        block, size = b"".join(parts), np.fromiter(map(len, parts), np.int64, len(parts))
    return Texts(np.frombuffer(block, np.uint8), np.concatenate([np.zeros(1, np.int64), np.cumsum(size)]))


def take_texts(texts: Texts, rows: NDArray[Any]) -> Texts:
    """Some rows of a column of text, one behind another."""
    size = np.diff(texts.offset)[rows]
    offset = np.concatenate([np.zeros(1, np.int64), np.cumsum(size)])
    place = np.repeat(texts.offset[:-1][rows] - offset[:-1], size) + np.arange(int(offset[-1]))
    return Texts(texts.block[place], offset)


def _text(texts: Texts, i: int) -> str:
    return texts.block[texts.offset[i]:texts.offset[i + 1]].tobytes().decode(errors="surrogateescape")


def _listed(texts: Texts) -> NDArray[np.object_]:
    out = np.empty(len(texts), dtype=object)
    out[:] = [_text(texts, i) for i in range(len(texts))]
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


def _first_seen(source: NDArray[Any], target: NDArray[Any]) -> list[Any]:
    """Names in order of appearance, edge by edge."""
    both = np.empty(2 * len(source), dtype=object)
    both[0::2], both[1::2] = source, target
    return list(dict.fromkeys(both.tolist()))


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
    """The place of each name among the ids."""
    place = {name: i for i, name in enumerate(as_list(ids))}
    try:
        return np.fromiter(map(place.__getitem__, names.tolist()), np.int64, len(names))
    except KeyError as error:
        stranger = error.args[0]
    except TypeError:
        raise InvalidError(f"{what}: an id must be hashable") from None
    known = next(iter(place), None)
    raise InvalidError(f"{what} has the id {stranger!r}, which is not in {where}; these are "
                       f"{type(known).__name__}, such as {known!r}")


def as_list(ids: Iterable[Any]) -> list[Any]:
    """Python values: NumPy scalars have other hashes and texts."""
    if isinstance(ids, list) and not any(issubclass(kind, np.generic) for kind in set(map(type, ids))):
        return ids
    return ids.tolist() if isinstance(ids, np.ndarray) else \
        [name.item() if isinstance(name, np.generic) else name for name in ids]


def number(source: Union[NDArray[Any], Texts], target: Union[NDArray[Any], Texts], rows: Optional[int],
           ids: Optional[Sequence[Any]], where: str) -> tuple[Int64, Int64, Any]:
    """
    Endpoints by name as node numbers, and the names by number, None for 0, 1, ...

    With ids, they are looked up. With so many rows and no ids, integers are rows. With neither,
    nodes are those that occur: integers by value, others in order of appearance, as the program
    numbers an edge list.
    """
    texts = [c if isinstance(c, Texts) else as_texts(c) if c.dtype.kind in "OUT" and c.ndim == 1 and c.size else None
             for c in (source, target)]
    if texts[0] is not None and texts[1] is not None:
        if ids is None and rows is not None:
            _refuse_strangers(np.array([_text(texts[0], 0)], dtype=object), np.zeros(0), rows, False)
        return _number_texts(texts[0], texts[1], ids, where)
    source, target = (_listed(c) if isinstance(c, Texts) else c for c in (source, target))
    s, t = clean(source, "sources of edges"), clean(target, "targets of edges")
    if s.dtype != t.dtype and s.size:
        raise InvalidError("edges: sources and targets are of different types, "
                           f"{s[0]!r} and {t[0]!r}")
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


def number_two_kinds(source: Union[NDArray[Any], Texts], target: Union[NDArray[Any], Texts]
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
    help = "pass ids=, one for each row, or a DataFrame whose index holds them"
    if not integers:
        raise InvalidError(f"X has no ids, so nothing tells which row is {s[0]!r} of the edges: {help}")
    for ends in (s, t):
        wrong = ends[(ends < 0) | (ends >= rows)]
        if wrong.size:
            raise InvalidError(f"X has no ids, so integers in the edges are rows 0 .. {rows - 1}, "
                               f"and {int(wrong[0])} is none: {help}")
