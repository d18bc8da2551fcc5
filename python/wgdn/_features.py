# SPDX-License-Identifier: Apache-2.0
"""
Features and labels as the library's arrays; numbers are borrowed where no conversion is needed. Indices of sparse
features are always copied: the library checks them once, and memory that a caller can change afterward would lead it
outside its arrays.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from ._kinds import as_array, is_arrow, is_frame, is_sparse, is_sparse_tensor


@dataclass
class Features:
    rows: int
    columns: int
    dense: Optional[NDArray[np.float32]] = None
    offset: Optional[NDArray[np.int64]] = None
    column: Optional[NDArray[np.int32]] = None
    value: Optional[NDArray[np.float32]] = None
    ids: Optional[Sequence[Any]] = None  # of the rows
    names: Optional[NDArray[np.object_]] = None  # of the columns, if all are text


def _check_shape(shape: tuple[int, ...]) -> None:
    if len(shape) != 2:
        raise ValueError(f"expected 2D features, got shape {shape}. Reshape your data with "
                         "X.reshape(-1, 1) if it has one feature, X.reshape(1, -1) if it is one node")
    for size, what in zip(shape, ("sample", "feature")):
        if size < 1:
            raise ValueError(f"0 {what}(s) (shape={shape}) while a minimum of 1 is required.")


def _sparse(x: Any) -> Features:
    csr = x.tocsr()
    if csr.dtype.kind == "c":
        raise ValueError("Complex data not supported")
    if not (getattr(csr, "has_canonical_format", False) and csr.has_sorted_indices):
        csr = csr.copy()  # the caller's matrix stays unsorted
        csr.sum_duplicates()
        csr.sort_indices()
    return Features(csr.shape[0], csr.shape[1],
                    offset=np.array(csr.indptr, dtype=np.int64),
                    column=np.array(csr.indices, dtype=np.int32),
                    value=np.ascontiguousarray(csr.data, dtype=np.float32))


def _to_float(a: NDArray[Any]) -> NDArray[np.float32]:
    if a.dtype.kind == "c":
        raise ValueError("Complex data not supported")
    try:
        with np.errstate(over="ignore"):  # beyond float32 is infinite, which the library refuses
            return np.ascontiguousarray(a, dtype=np.float32)
    except ValueError as error:
        raise ValueError(f"X: expected numbers, got text ({error}): leave it out, encode it, or "
                         "name the column of ids as ids= of wgdn.dataset()") from None


def _check_ids(ids: Any, names: Sequence[Any]) -> None:
    if isinstance(ids, str) and ids not in names:
        raise ValueError(f"ids = {ids!r}: X has no such column; it has "
                         f"{', '.join(map(str, names))}")


def _from_arrow(x: Any, ids: Any) -> Features:
    """Columns of numbers; one of them may hold the ids."""
    from ._arrow import ArrowTable

    table = ArrowTable(x, "X")
    _check_ids(ids, table.names)
    names = [name for name in table.names if not (isinstance(ids, str) and name == ids)]
    _check_shape((len(table), len(names)))
    dense = np.empty((len(table), len(names)), np.float32)
    for j, name in enumerate(names):
        column = table.column(name)
        if column.dtype.kind not in "biuf":
            raise ValueError(f"X: the column {name!r} holds text, and features are numbers: leave "
                             "it out, or name it as ids= of wgdn.dataset()")
        dense[:, j] = column
    return Features(dense.shape[0], dense.shape[1], dense=dense,
                    ids=table.column(ids).tolist() if isinstance(ids, str) else None,
                    names=np.array(names, dtype=object))


def _from_sparse_tensor(x: Any) -> Features:
    csr = x.detach().cpu().to_sparse_csr()
    return Features(csr.shape[0], csr.shape[1],
                    offset=np.array(np.asarray(csr.crow_indices()), dtype=np.int64),
                    column=np.array(np.asarray(csr.col_indices()), dtype=np.int32),
                    value=np.ascontiguousarray(csr.values(), dtype=np.float32))


def read_features(x: Any, ids: Any = None) -> Features:
    """Features of every kind; ids: None, or the name of the column of a table that holds them."""
    if isinstance(ids, str) and not is_frame(x) and not is_arrow(x):
        raise ValueError(f"ids = {ids!r} names a column, and X is no table")
    if is_sparse_tensor(x):
        _check_shape(tuple(x.shape))
        return _from_sparse_tensor(x)
    if is_arrow(x):
        return _from_arrow(x, ids)
    if is_frame(x) and isinstance(ids, str):
        _check_ids(ids, list(x.columns))
        f = read_features(x.drop(columns=ids))
        f.ids = x[ids].tolist()
        return f
    if is_sparse(x):
        _check_shape(x.shape)
        return _sparse(x)
    if is_frame(x):
        _check_shape(x.shape)
        names = list(x.columns)
        text = all(isinstance(name, str) for name in names)
        index = x.index
        plain = type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1
        dense = _to_float(x.to_numpy())
        return Features(dense.shape[0], dense.shape[1], dense=dense,
                        ids=None if plain else index.tolist(),
                        names=np.array(names, dtype=object) if text else None)
    a = as_array(x, "X")
    _check_shape(a.shape)
    dense = _to_float(a)
    return Features(dense.shape[0], dense.shape[1], dense=dense)


def join_features(parts: Sequence[Features]) -> Features:
    """The rows of several graphs one behind another, all dense or all sparse."""
    columns = parts[0].columns
    if any(f.columns != columns for f in parts):
        raise ValueError("the graphs have different numbers of features")
    dense = [f.dense for f in parts if f.dense is not None]
    if len(dense) == len(parts):
        return Features(sum(f.rows for f in parts), columns, dense=np.concatenate(dense))
    offset = [f.offset for f in parts if f.offset is not None]
    column = [f.column for f in parts if f.column is not None]
    value = [f.value for f in parts if f.value is not None]
    if dense or not len(offset) == len(column) == len(value) == len(parts):
        raise ValueError("some graphs have dense features and others sparse ones")
    before = np.cumsum([0] + [o[-1] for o in offset[:-1]])
    starts = [np.zeros(1, np.int64)] + [o[1:] + b for o, b in zip(offset, before)]
    return Features(sum(f.rows for f in parts), columns, offset=np.concatenate(starts),
                    column=np.concatenate(column), value=np.concatenate(value))


def read_classes(y: Any, rows: int, what: str) -> tuple[NDArray[np.int32], NDArray[Any]]:
    """Classes 0, 1, ... in sorted order, -1 where a label is missing (None, NaN), and the labels."""
    a = as_array(y, "y")
    if a.shape != (rows,):
        raise ValueError(f"y: labels of shape {a.shape} for {rows} {what}")
    if a.dtype.kind == "f":
        missing = np.isnan(a)
    else:
        missing = np.array([v is None or v != v for v in a]) if a.dtype.kind == "O" \
            else np.zeros(rows, bool)
    classes, number = np.unique(a[~missing], return_inverse=True)
    label = np.full(rows, -1, np.int32)
    label[~missing] = number.reshape(-1)
    return label, classes
