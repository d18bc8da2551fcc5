# SPDX-License-Identifier: Apache-2.0
"""
Columns of Arrow tables through the PyCapsule interface, so of polars, pyarrow, DuckDB and others,
without importing any of them. Numbers of a table in one piece are borrowed; the rest is copied.

https://arrow.apache.org/docs/format/CDataInterface.html
"""
from __future__ import annotations

import ctypes as c
from collections.abc import Sequence
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._errors import InvalidError
from ._names import Coded, Column, Texts, join_coded, join_texts, list_texts

NUMBERS = {"c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8",
           "e": "f2", "f": "f4", "g": "f8"}
TEXT = (b"u", b"U", b"vu")  # with 32-bit offsets, with 64-bit ones, as views


class _Schema(c.Structure):
    pass


class _Array(c.Structure):
    pass


class _Stream(c.Structure):
    pass


_Schema._fields_ = [("format", c.c_char_p), ("name", c.c_char_p), ("metadata", c.c_void_p),
                    ("flags", c.c_int64), ("n_children", c.c_int64),
                    ("children", c.POINTER(c.POINTER(_Schema))),
                    ("dictionary", c.POINTER(_Schema)),
                    ("release", c.CFUNCTYPE(None, c.POINTER(_Schema))), ("private", c.c_void_p)]
_Array._fields_ = [("length", c.c_int64), ("null_count", c.c_int64), ("offset", c.c_int64),
                   ("n_buffers", c.c_int64), ("n_children", c.c_int64),
                   ("buffers", c.POINTER(c.c_void_p)), ("children", c.POINTER(c.POINTER(_Array))),
                   ("dictionary", c.POINTER(_Array)),
                   ("release", c.CFUNCTYPE(None, c.POINTER(_Array))), ("private", c.c_void_p)]
_Stream._fields_ = [("get_schema", c.CFUNCTYPE(c.c_int, c.POINTER(_Stream), c.POINTER(_Schema))),
                    ("get_next", c.CFUNCTYPE(c.c_int, c.POINTER(_Stream), c.POINTER(_Array))),
                    ("get_last_error", c.CFUNCTYPE(c.c_char_p, c.POINTER(_Stream))),
                    ("release", c.CFUNCTYPE(None, c.POINTER(_Stream))), ("private", c.c_void_p)]


class _Owned:
    """A struct that is released when nobody refers to it any more."""

    def __init__(self, struct: Any) -> None:
        self.struct = struct

    def __del__(self) -> None:
        if self.struct.release:
            self.struct.release(c.byref(self.struct))


def _memory(owner: _Owned, address: Optional[int], dtype: str, first: int, count: int
            ) -> NDArray[Any]:
    """Numbers of a buffer, which keep its owner alive."""
    size = np.dtype(dtype).itemsize
    if count == 0 or not address:
        return np.zeros(0, dtype)
    block: Any = (c.c_char * (count * size)).from_address(address + first * size)
    block._owner = owner
    numbers: NDArray[Any] = np.frombuffer(block, dtype)
    return numbers


def _bits(owner: _Owned, address: Optional[int], first: int, count: int) -> NDArray[np.bool_]:
    raw = _memory(owner, address, "u1", 0, (first + count + 7) // 8)
    return np.unpackbits(raw, bitorder="little")[first:first + count].astype(bool)


def _refuse_missing(owner: _Owned, a: Any, first: int, count: int, what: str) -> None:
    if a.null_count != 0 and a.n_buffers and a.buffers[0]:
        missing = count - int(_bits(owner, a.buffers[0], first, count).sum())
        if missing:
            raise InvalidError(f"{what} has {missing} missing of {count}")


def _views(owner: _Owned, a: Any, first: int, count: int) -> Texts:
    """Views: a length, then a short text, or which block has a long one and where."""
    views = _memory(owner, a.buffers[1], "i4", 4 * first, 4 * count)
    offset = np.concatenate([np.zeros(1, np.int64), np.cumsum(views[::4], dtype=np.int64)])
    block = np.empty(int(offset[-1]), np.uint8)
    held = max(int(a.n_buffers) - 3, 0)  # the last buffer has their sizes
    address = np.array([a.buffers[2 + k] or 0 for k in range(held)], np.int64)
    size = _memory(owner, a.buffers[a.n_buffers - 1], "i8", 0, held)
    _core.gather_texts(views, offset, address, size, block)
    return Texts(block, offset)


def _block(owner: _Owned, s: Any, a: Any, first: int, count: int) -> Texts:
    """A column of text as stored in memory."""
    form = s.format.decode()
    if form == "vu":
        return _views(owner, a, first, count)
    offset = _memory(owner, a.buffers[1], "i4" if form == "u" else "i8", first, count + 1).astype(np.int64)
    begin, end = (int(offset[0]), int(offset[-1])) if len(offset) else (0, 0)
    if not len(offset):
        offset = np.zeros(count + 1, np.int64)
    return Texts(_memory(owner, a.buffers[2], "u1", begin, end - begin), offset - begin)


def _sample(owner: _Owned, s: Any, a: Any, first: int, count: int) -> list[Any]:
    """A part of a column for a look at it: a date is some date, and what is missing or of no use is empty."""
    if s.format.startswith(b"t"):
        return ["2000-01-01"] * count
    there = _bits(owner, a.buffers[0], first, count) if a.null_count and a.n_buffers and a.buffers[0] else None
    try:
        if there is None:
            return list(_values(owner, s, a, first, count, "").tolist())
        runs = np.flatnonzero(there).tolist()  # one at a time: the places of missing values hold anything
        found = {k: _values(owner, s, a, first + k, 1, "").tolist()[0] for k in runs}
    except InvalidError:
        return [""] * count
    return [found.get(k, "") for k in range(count)]


def _values(owner: _Owned, s: Any, a: Any, first: int, count: int, what: str) -> NDArray[Any]:
    """A column, or a part of it, as an array."""
    form = s.format.decode()
    _refuse_missing(owner, a, first, count, what)
    if s.dictionary:
        d = a.dictionary.contents
        known = _values(owner, s.dictionary.contents, d, d.offset, d.length, what)
        chosen: NDArray[Any] = known[_memory(owner, a.buffers[1], NUMBERS[form], first, count)]
        return chosen
    if form in NUMBERS:
        return _memory(owner, a.buffers[1], NUMBERS[form], first, count)
    if form == "b":
        return _bits(owner, a.buffers[1], first, count)
    if s.format in TEXT:
        return list_texts(_block(owner, s, a, first, count))
    if form.startswith("t"):
        raise InvalidError(f"{what} is a date or a time: convert it to a number, or leave it out")
    raise InvalidError(f"{what} has the Arrow type {form!r}: expected numbers or text")


class ArrowTable:
    """A stream of record batches, read once."""

    def __init__(self, table: Any, what: str) -> None:
        pointer = c.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = c.c_void_p, [c.py_object, c.c_char_p]
        capsule = table.__arrow_c_stream__()
        stream = _Stream.from_address(pointer(capsule, b"arrow_array_stream"))

        def take(call: Any, struct: Any) -> Any:
            if call(c.byref(stream), c.byref(struct)) != 0:
                told = stream.get_last_error(c.byref(stream))
                raise InvalidError(f"{what}: {(told or b'the Arrow stream failed').decode()}")
            return struct

        self.what = what
        self._schema = _Owned(take(stream.get_schema, _Schema()))
        schema = self._schema.struct
        if schema.format != b"+s":
            raise InvalidError(f"{what}: expected a table, got one Arrow column")
        self.names = [schema.children[i].contents.name.decode() for i in range(schema.n_children)]
        self._batches: list[_Owned] = []
        while True:
            batch = _Owned(take(stream.get_next, _Array()))
            if not batch.struct.release:
                break
            self._batches.append(batch)

    def ends(self, name: str) -> Column:
        """A column of names: text as stored in memory, anything else as an array."""
        i = self.names.index(name)
        schema = self._schema.struct.children[i].contents
        kind = schema.dictionary.contents if schema.dictionary else schema
        if kind.format not in TEXT or not self._batches:
            return self.column(name)
        parts: list[Any] = []
        for b in self._batches:
            child = b.struct.children[i].contents
            first, count = child.offset + b.struct.offset, b.struct.length
            _refuse_missing(b, child, first, count, f"{self.what}: the column {name!r}")
            if not schema.dictionary:
                parts.append(_block(b, schema, child, first, count))
                continue
            d = child.dictionary.contents
            rows = _memory(b, child.buffers[1], NUMBERS[schema.format.decode()], first, count).astype(np.int64)
            if d.null_count or rows.size and not 0 <= rows.min() <= rows.max() < d.length:
                return self.column(name)
            parts.append(Coded(_block(b, kind, d, d.offset, d.length), rows))
        return join_coded(parts) if schema.dictionary else join_texts(parts)

    def __len__(self) -> int:
        return sum(b.struct.length for b in self._batches)

    def sample(self, rows: int) -> list[list[Any]]:
        """The first rows of each column, of the first batch that has any."""
        batch = next((b for b in self._batches if b.struct.length), None)
        if batch is None:
            return [[] for _ in self.names]
        schema, count = self._schema.struct, min(rows, batch.struct.length)
        children = [(schema.children[i].contents, batch.struct.children[i].contents) for i in range(len(self.names))]
        return [_sample(batch, s, a, a.offset + batch.struct.offset, count) for s, a in children]

    def are_numbers(self, names: Sequence[str]) -> bool:
        """Whether columns are numbers or booleans without gaps."""
        schema = self._schema.struct
        for i in (self.names.index(name) for name in names):
            field = schema.children[i].contents
            if field.dictionary or field.format.decode() not in {**NUMBERS, "b": ""}:
                return False
            for b in self._batches:
                child = b.struct.children[i].contents
                if child.null_count and child.n_buffers and child.buffers[0] and not \
                        _bits(b, child.buffers[0], child.offset + b.struct.offset, b.struct.length).all():
                    return False
            if field.format in (b"e", b"f", b"g") and np.isnan(self.column(self.names[i])).any():
                return False
        return True

    def column(self, name: str) -> NDArray[Any]:
        i = self.names.index(name)
        schema = self._schema.struct.children[i].contents
        parts = []
        for b in self._batches:
            child = b.struct.children[i].contents
            parts.append(_values(b, schema, child, child.offset + b.struct.offset, b.struct.length,
                                 f"{self.what}: the column {name!r}"))
        return parts[0] if len(parts) == 1 else np.concatenate(parts) if parts else np.zeros(0)
