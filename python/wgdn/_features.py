# SPDX-License-Identifier: Apache-2.0
"""
Features and labels as the library's arrays; numbers are borrowed where no conversion is needed. Indices of sparse
features are always copied: the library checks them once, and memory that a caller can change afterward would lead it
outside its arrays.
"""
from __future__ import annotations

import csv
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._errors import ArgumentError, InvalidError, PackageError, warn
from ._kinds import as_array, is_arrow, is_frame, is_sparse, is_sparse_tensor, numbers_rows
from ._names import as_list, id_array, in_order, is_missing, two_of
from ._tables import IDS, ROWS, column_names, open_table, plain_name, rows_of


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
    id_values: Any = None  # the same ids in the type of their column
    encoding: Optional[bytes] = None  # how a table became features, for the library


@dataclass
class Encode:
    """How tables become features: options of wgdn.read(), and the model whose features they have to be."""

    options: dict[str, str] = field(default_factory=dict)
    like: Optional[_core.ModelHandle] = None

    def wanted(self, table: Any, names: Sequence[Any]) -> bool:
        """Whether a table has to be encoded: its columns are not all numbers, or the caller says how."""
        if self.options or self.like is not None and _core.model_encoding(self.like):
            return True
        if is_frame(table):
            part = table[list(names)]
            return any(getattr(dtype, "kind", "O") not in "biuf" for dtype in part.dtypes) or bool(part.isna().any().any())
        from ._arrow import ArrowTable

        return not ArrowTable(table, "X").are_numbers(names)


def _texts_of(table: Any, name: Any) -> list[str]:
    """A column as the fields of a CSV file: numbers with all digits, dates as ISO 8601, gaps empty."""
    if is_frame(table):
        column = table[name]
        values, gone = column.astype(object).tolist(), column.isna().tolist()
    else:
        values = _python_values(table, name)
        gone = [v is None or v != v for v in values]
    for v in values[:1000]:
        if isinstance(v, (list, tuple, dict, set, np.ndarray, complex)):
            raise InvalidError(f"X: the column {name!r} holds values of type {type(v).__name__}: make columns of numbers of it, or leave it "
                               f"out, ignore={name!r}")
    return ["" if missing else _text_of(v) for v, missing in zip(values, gone)]


def _text_of(value: Any) -> str:
    """A value as a field: durations and times of a day as seconds, a period as its first day."""
    if hasattr(value, "total_seconds"):
        return repr(value.total_seconds())
    if hasattr(value, "hour") and not hasattr(value, "year"):
        return repr(value.hour * 3600 + value.minute * 60 + value.second + value.microsecond / 1e6)
    if hasattr(value, "isoformat"):
        return str(value.isoformat())
    if hasattr(value, "to_timestamp"):
        return str(value.to_timestamp().isoformat())
    if isinstance(value, float):
        return repr(value)
    return str(value).lower() if isinstance(value, (bool, np.bool_)) else str(value)


def _python_values(table: Any, name: str) -> list[Any]:
    """A column of an Arrow table as Python values, None where missing, by whichever library the table is of."""
    if hasattr(table, "get_column"):  # polars
        return list(table.get_column(name).to_list())
    return list(_as_pyarrow(table)[name].to_pylist())


def _as_pyarrow(table: Any) -> Any:
    try:
        import pyarrow
    except ImportError:
        raise PackageError("X: text, dates and gaps of this table need pyarrow: pip install pyarrow") from None
    return table if isinstance(table, pyarrow.Table) else pyarrow.table(table)


def drop_columns(table: Any, names: list[Any]) -> Any:
    """A table without some columns."""
    if is_frame(table):
        return table.drop(columns=names)
    return table.drop(names) if hasattr(table, "get_column") else _as_pyarrow(table).drop_columns(names)


ROW = "row of X"  # heading of the rows' numbers


def _encode(table: Any, names: Sequence[Any], rows: int, how: Encode) -> Features:
    """
    Features of a table with text, dates, booleans or gaps. The library's reader of files encodes them, so that they and
    the model are the same as those of the program.
    """
    if not names or rows < 1:
        raise InvalidError(f"X: a table of {rows} rows and {len(names)} columns of features")
    headings = list(map(str, names))
    if len(set(headings)) < len(headings):
        raise InvalidError(f"X: the column {next(h for h in headings if headings.count(h) > 1)!r} is there twice: rename one, or drop it")
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        edges, features = os.path.join(folder, "edges.csv"), os.path.join(folder, "X.csv")
        with open(edges, "w") as f:
            f.write("source,target\n" + "".join(f"{i},{i}\n" for i in range(rows)))
        with open(features, "w", newline="", encoding="utf-8", errors="surrogateescape") as f:
            writer = csv.writer(f, lineterminator="\n")
            writer.writerow([ROW, *map(str, names)])
            writer.writerows(zip(range(rows), *(_texts_of(table, name) for name in names)))
        options = {"features": features, "header": "yes", "id": ROW, "separator": ",", "bipartite": "no", **how.options}
        try:
            handle = _core.dataset_read(edges, options, how.like)
        except _core.Error as error:
            raise type(error)(str(error).replace(features, "X").replace(edges, "X")) from None
    facts = _core.dataset_facts(handle)
    made = Features(rows, facts["features"], encoding=_core.dataset_encoding(handle))
    if facts["dense"]:
        made.dense = np.empty((rows, made.columns), np.float32)
        _core.dataset_dense(handle, made.dense)
        return made
    made.offset, made.column = np.empty(rows + 1, np.int64), np.empty(facts["entries"], np.int32)
    made.value = np.empty(facts["entries"], np.float32)
    _core.dataset_sparse(handle, made.offset, made.column, made.value)
    return made


def _check_shape(shape: tuple[int, ...]) -> None:
    if len(shape) != 2:
        raise InvalidError(f"X: expected 2D features, got shape {shape}. Reshape your data with "
                           "X.reshape(-1, 1) if it has one feature, X.reshape(1, -1) if it is one node")
    for size, what in zip(shape, ("sample", "feature")):
        if size < 1:
            raise InvalidError(f"X: 0 {what}(s) (shape={shape}) while a minimum of 1 is required.")


def _sparse(x: Any) -> Features:
    csr = x.tocsr()
    if csr.dtype.kind == "c":
        raise InvalidError("X: Complex data not supported")
    if not (getattr(csr, "has_canonical_format", False) and csr.has_sorted_indices):
        csr = csr.copy()  # the caller's matrix stays unsorted
        csr.sum_duplicates()
        csr.sort_indices()
    return Features(csr.shape[0], csr.shape[1],
                    offset=np.array(csr.indptr, dtype=np.int64),
                    column=np.array(csr.indices, dtype=np.int32),
                    value=np.ascontiguousarray(csr.data, dtype=np.float32))


def _unreadable(a: NDArray[Any], names: Optional[Sequence[Any]], error: Exception) -> str:
    """Why an array is not numbers: its first column with a value that is none."""
    if a.ndim != 2 or a.dtype.kind != "O":
        return f"X: expected numbers, got {'dates' if a.dtype.kind in 'mM' else 'text'} ({error})"
    for j in range(a.shape[1]):
        column = f"X: the column {names[j]!r}" if names is not None else f"X: column {j}"
        for value in a[:, j]:
            if isinstance(value, (bool, int, float, np.number)):
                continue
            if value is None or type(value).__name__ == "NAType":
                return f"{column} has missing values: fill them with numbers, or drop the column"
            if hasattr(value, "isoformat"):
                return f"{column} is a date ({value}): convert it to a number, such as days since a first day, or " \
                    "pass X as a table such as a DataFrame, whose dates are encoded"
            if isinstance(value, str):
                try:
                    float(value)
                except ValueError as why:
                    return f"X: expected numbers, got text in {column[3:]} ({why}): leave it out, encode it, or name " \
                        "the column of ids, id="
    raise ArgumentError(f"X: expected numbers ({error})") from None


def _to_float(a: NDArray[Any], names: Optional[Sequence[Any]] = None) -> NDArray[np.float32]:
    if a.dtype.kind == "c":
        raise InvalidError("X: Complex data not supported")
    if a.dtype.kind in "mM":
        raise InvalidError("X holds dates or times: convert them to numbers")
    try:
        with np.errstate(over="ignore"):  # beyond float32 is infinite, which the library refuses
            return np.ascontiguousarray(a, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise InvalidError(_unreadable(a, names, error)) from None


def _check_ids(ids: Any, names: Sequence[Any]) -> None:
    if isinstance(ids, str) and ids not in names:
        raise InvalidError(f"id = {ids!r}: X has no such column; it has "
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
            raise InvalidError(f"X: the column {name!r} holds text, and vectors are numbers: leave "
                               "it out, or make an Embedding, whose ids may be text")
        dense[:, j] = column
    held = table.column(ids) if isinstance(ids, str) else None
    return Features(dense.shape[0], dense.shape[1], dense=dense, ids=None if held is None else held.tolist(),
                    names=np.array(names, dtype=object), id_values=held)


def _from_sparse_tensor(x: Any) -> Features:
    csr = x.detach().cpu().to_sparse_csr()
    return Features(csr.shape[0], csr.shape[1],
                    offset=np.array(np.asarray(csr.crow_indices()), dtype=np.int64),
                    column=np.array(np.asarray(csr.col_indices()), dtype=np.int32),
                    value=np.ascontiguousarray(csr.values(), dtype=np.float32))


def read_features(x: Any, ids: Any = None, encode: Optional[Encode] = None) -> Features:
    """Features of every kind; ids: None, or the name of the column of a table that holds them."""
    if encode is not None and (is_frame(x) or is_arrow(x)):
        every = column_names(x)
        _check_ids(ids, every)
        names = [name for name in every if not (isinstance(ids, str) and name == ids)]
        if encode.wanted(x, names):
            held, values = _read_ids(x, ids)
            made = _encode(x, names, rows_of(x), encode)
            made.ids, made.id_values = held, values
            return made
    if isinstance(ids, str) and not is_frame(x) and not is_arrow(x):
        raise InvalidError(f"id = {ids!r} names a column, and X is no table")
    if is_sparse_tensor(x):
        _check_shape(tuple(x.shape))
        return _from_sparse_tensor(x)
    if is_arrow(x):
        return _from_arrow(x, ids)
    if is_frame(x) and isinstance(ids, str):
        _check_ids(ids, list(x.columns))
        f = read_features(x.drop(columns=ids))
        f.ids, f.id_values = x[ids].tolist(), x[ids].to_numpy()
        return f
    if is_sparse(x):
        _check_shape(x.shape)
        return _sparse(x)
    if is_frame(x):
        _check_shape(x.shape)
        names = list(x.columns)
        text = all(isinstance(name, str) for name in names)
        index, plain = x.index, numbers_rows(x.index)
        dense = _to_float(x.to_numpy(), names)
        return Features(dense.shape[0], dense.shape[1], dense=dense,
                        ids=None if plain else index.tolist(), id_values=None if plain else index.to_numpy(),
                        names=np.array(names, dtype=object) if text else None)
    a = as_array(x, "X")
    _check_shape(a.shape)
    dense = _to_float(a)
    return Features(dense.shape[0], dense.shape[1], dense=dense)


def _read_ids(x: Any, name: Optional[str]) -> tuple[Optional[list[Any]], Any]:
    """The ids of a table: of a column, or of the index of pandas; as a list and as an array."""
    if is_frame(x):
        held = x[name].to_numpy() if name is not None else None if numbers_rows(x.index) else x.index.to_numpy()
    else:
        from ._arrow import ArrowTable

        held = None if name is None else ArrowTable(x, "X").column(name)
    return (None, None) if held is None else (held.tolist(), held)


def join_features(parts: Sequence[Features]) -> Features:
    """The rows of several graphs one behind another, all dense or all sparse."""
    columns = parts[0].columns
    if any(f.columns != columns for f in parts):
        raise InvalidError("the graphs have different numbers of features")
    dense = [f.dense for f in parts if f.dense is not None]
    if len(dense) == len(parts):
        return Features(sum(f.rows for f in parts), columns, dense=np.concatenate(dense))
    offset = [f.offset for f in parts if f.offset is not None]
    column = [f.column for f in parts if f.column is not None]
    value = [f.value for f in parts if f.value is not None]
    if dense or not len(offset) == len(column) == len(value) == len(parts):
        raise InvalidError("some graphs have dense features and others sparse ones")
    before = np.cumsum([0] + [o[-1] for o in offset[:-1]])
    starts = [np.zeros(1, np.int64)] + [o[1:] + b for o, b in zip(offset, before)]
    return Features(sum(f.rows for f in parts), columns, offset=np.concatenate(starts),
                    column=np.concatenate(column), value=np.concatenate(value))


def take_rows(f: Features, rows: NDArray[np.int64]) -> Features:
    """Rows by number; zeros for -1."""
    there = rows >= 0
    if f.dense is not None:
        dense = np.zeros((len(rows), f.columns), np.float32)
        dense[there] = f.dense[rows[there]]
        return replace(f, rows=len(rows), dense=dense, ids=None, id_values=None)
    assert f.offset is not None and f.column is not None and f.value is not None
    size = np.where(there, np.diff(f.offset)[rows], 0)
    offset = np.concatenate([np.zeros(1, np.int64), np.cumsum(size)])
    place = np.repeat(f.offset[:-1][rows] - offset[:-1], size) + np.arange(int(offset[-1]))
    return replace(f, rows=len(rows), offset=offset, column=f.column[place], value=f.value[place], ids=None, id_values=None)


def by_id(y: Any, what: str) -> Any:
    """A table of two columns, ids and labels, as a Series with the ids as its index."""
    if not is_frame(y) and not is_arrow(y) or is_frame(y) and len(y.columns) != 2:
        return y
    names = column_names(y) if is_frame(y) or hasattr(y, "columns") or hasattr(y, "schema") else []
    if len(names) != 2:
        return y
    id = next((name for name in names if plain_name(name) in IDS), None)
    if id is not None and is_frame(y):
        return y.set_index(id).iloc[:, 0]
    values = [open_table(y, what).sample(ROWS)[j] for j in (0, 1)]
    if id is None and all(isinstance(v, (int, float)) and v in (0, 1) or is_missing(v) for column in values for v in column):
        return y  # a column for each of two classes
    raise InvalidError(f"{what}: a table of the columns {names[0]!r} and {names[1]!r}: pass a Series by id, such as "
                       f"table.set_index({names[0]!r})[{names[1]!r}], or a dictionary from ids to labels")


def name_rows(y: Any, names: Union[Sequence[Any], NDArray[Any]], *tables: Any) -> Any:
    """Labels of pandas with the ids of nodes as their index, where theirs is that of a table of the nodes: they go row by row."""
    alike = hasattr(y, "iloc") and len(y) == len(names) and any(hasattr(t, "iloc") and t.index.equals(y.index) for t in tables)
    return y.set_axis(list(names), axis=0) if alike else y


def warn_of_leak(y: Any, x: Any, what: str) -> None:
    """Labels that are a column of the features as well tell a model what it is to predict."""
    name = getattr(y, "name", None)
    if name is None or not hasattr(y, "iloc") or not is_frame(x) or name not in x.columns or not x.index.equals(y.index):
        return
    known = y.notna()
    if bool(known.any()) and bool((x[name][known].astype(object) == y[known].astype(object)).all()):
        warn(f"{what}: the column {name!r} of X has the same values, so the features hold what is to be predicted: drop it from X")


def refuse_unclear(y: Any, ids: Union[Sequence[Any], NDArray[Any]], what: str) -> None:
    """Labels of pandas whose index only numbers them, beside ids that are integers, too: they may go by row or by id."""
    if not hasattr(y, "iloc") or not numbers_rows(y.index) or len(y) != len(ids) or in_order(ids, len(ids)):
        return
    odd = next((name for name in as_list(ids) if isinstance(name, int) and 0 <= name < len(y)), None)
    if odd is not None:
        raise InvalidError(f"{what}: the index numbers the rows, and ids of nodes are integers, too, such as {odd}: pass {what}.to_numpy() for "
                           f"the order of the nodes, or {what}.set_axis(ids)")


def spread_by_id(labels: Mapping[Any, Any], place: Mapping[Any, Any], nodes: int, kinds: Any, what: str) -> list[Any]:
    """The labels of a dictionary in the order of the nodes, None for none; place: rows by id, as places() returns them."""
    spread: list[Any] = [None] * nodes
    for name, label in labels.items():
        row = place.get(name)
        if row is None:
            first = next(iter(place), None)
            raise InvalidError(f"{what}: {name!r} is none of the nodes; these are {type(first).__name__}, such as {first!r}")
        if isinstance(row, list):
            raise InvalidError(f"{what}: {two_of(name, row, kinds)}")
        spread[row] = label
    return spread


def by_rows(y: Any, what: str) -> None:
    """Warn that labels whose index only numbers them go by the order of the nodes, which the graph has chosen."""
    if hasattr(y, "iloc") and numbers_rows(y.index):
        warn(f"{what}: the index numbers the rows, so these are taken in the order of the nodes; {what}.set_axis(ids) matches them by id")


PARTS = {"": 0, "none": 0, "train": 1, "training": 1, "val": 2, "valid": 2, "validation": 2, "test": 3}


def read_splits(splits: Any, nodes: int, ids: Optional[Sequence[Any]]) -> NDArray[np.int8]:
    """A row for each split: numbers or words for the parts; a Series of pandas goes by the ids of its index."""
    a = as_array(_align(splits, nodes, ids, "nodes", "splits") if _is_series(splits) else splits, "splits")
    if a.ndim > 2 or a.shape[-1:] != (nodes,) or a.size == 0:
        turned = "; pass splits.T" if a.ndim == 2 and a.shape[0] == nodes else ""
        raise InvalidError(f"splits of shape {a.shape} for {nodes} nodes: expected a row for each split{turned}")
    parts = a.reshape(-1).tolist()
    found = [0 if is_missing(v) else PARTS.get(v.lower(), v) if isinstance(v, str) else v for v in parts]
    odd = next((v for v in found if not isinstance(v, (int, float)) or v not in (0, 1, 2, 3)), None)
    if odd is not None:
        raise InvalidError(f"splits: {odd!r} is no part: expected 0 for none, 1 train, 2 validation, 3 test, or these words")
    return np.array(found, dtype=np.int8).reshape(-1, nodes)


def _is_series(y: Any) -> bool:
    """A Series of pandas: one column with an index."""
    return hasattr(y, "iloc") and hasattr(y, "index") and not hasattr(y, "columns")


def _align(y: Any, rows: int, ids: Optional[Sequence[Any]], what: str, name: str = "y") -> Any:
    """
    Labels of a Series in the order of the nodes, by its index. An index that says nothing of the nodes is ignored: one
    of text where nodes have no ids, or 0, 1, ... where ids are others.
    """
    index = y.index.tolist()
    plain = type(y.index).__name__ == "RangeIndex" and index == list(range(len(index)))
    place = dict(zip(index, range(len(index))))
    whole = all(isinstance(i, (int, np.integer)) and 0 <= i < rows for i in index)
    if len(place) < len(index):
        if ids is None and len(index) == rows:
            return y
        raise InvalidError(f"{name}: its index has the same id twice; pass {name}.to_numpy() for the order of the {what}")
    if ids is None and (plain or not whole):
        return y
    nodes: Sequence[Any] = range(rows) if ids is None else as_list(ids)
    found = [place.get(node, -1) for node in nodes]
    matched = sum(at >= 0 for at in found)
    if matched == 0 and plain and len(index) == rows:
        return y
    if matched == 0:
        raise InvalidError(f"{name}: no id of its index, such as {next(iter(index), None)!r}, is one of the {rows} {what}, "
                           f"such as {nodes[0]!r}; pass {name}.to_numpy() for the order of the {what}")
    if matched < len(index):
        strange = next(i for i in index if i not in set(nodes))
        warn(f"{name}: {len(index) - matched} of {len(index)} labels belong to none of the {rows} {what}, such as that of "
             f"{strange!r}; they are not used")
    values = y.astype(object).to_numpy()
    out = np.full(rows, None, dtype=object)
    out[[at >= 0 for at in found]] = values[[at for at in found if at >= 0]]
    return np.array(out.tolist()) if y.dtype.kind in "biuf" and matched == rows else out


def _missing_labels(a: NDArray[Any]) -> NDArray[np.bool_]:
    """None, NaN and NA; and -1 among numbers, as in the labels of a Graph."""
    gone = np.array([is_missing(v) for v in a.tolist()], bool) if a.dtype.kind == "O" else \
        np.isnan(a) if a.dtype.kind == "f" else np.zeros(len(a), bool)
    there = a[~gone].tolist()
    if a.dtype.kind in "iuf" or there and all(isinstance(v, (int, float)) and v is not True and v is not False
                                              for v in there):
        unlabeled = {i for i, v in enumerate(a.tolist()) if not gone[i] and v == -1}
        if unlabeled and {v for v in there} == {-1, 1}:
            raise InvalidError("y: the labels are -1 and 1, and -1 means no label; pass 0 and 1, or y == 1")
        gone[list(unlabeled)] = True
    return gone


def read_classes(y: Any, rows: int, what: str, ids: Optional[Sequence[Any]] = None
                 ) -> tuple[NDArray[np.int32], NDArray[Any]]:
    """Classes 0, 1, ... in sorted order, -1 where a label is missing (None, NaN, -1), and the labels."""
    a = as_array(_align(y, rows, ids, what) if _is_series(y) else y, "y")
    if a.ndim == 2 and a.shape[1] == 1:
        a = a[:, 0]
    if a.ndim == 2 and len(a) == rows:
        raise InvalidError(f"y has {a.shape[1]} columns: expected one label for each of the {rows} {what}")
    if a.shape != (rows,):
        raise InvalidError(f"y: labels of shape {a.shape} for {rows} {what}; expected one label for each")
    if a.dtype.kind in "mM":  # as Python's dates
        a = a.astype(object) if np.datetime_data(a.dtype)[0] == "D" else a.astype(f"{a.dtype.kind}8[us]").astype(object)
    missing = _missing_labels(a)
    try:
        classes, number = np.unique(a[~missing], return_inverse=True)
    except TypeError:  # text beside numbers
        classes, number = np.unique(a[~missing].astype(str), return_inverse=True)
    label = np.full(rows, -1, np.int32)
    label[~missing] = number.reshape(-1)
    return label, classes


# ---- several labels of a node ----

def is_label_list(value: Any) -> bool:
    """Whether it is several labels of a node."""
    return isinstance(value, (list, tuple, set, frozenset, np.ndarray))


def _matrix_rows(matrix: Any, names: Sequence[Any], what: str) -> list[list[Any]]:
    """The classes of each row of an indicator matrix, by the names of its columns; none where a row has gaps."""
    a = np.asarray(matrix)
    there = a if a.dtype.kind in "biuf" else np.array([[np.nan if is_missing(v) else v for v in row] for row in a.tolist()], object)
    wrong = there[(there != 0) & (there != 1) & (there == there)]
    if wrong.size:
        raise InvalidError(f"{what}: a matrix has a column for each class, 1 where a node has it and else 0; got {wrong.tolist()[0]!r}")
    return [[names[k] for k in np.flatnonzero(row == 1).tolist()] for row in there]


def label_rows(labels: Any, what: str) -> tuple[Any, Optional[NDArray[Any]]]:
    """
    Labels of one dimension, of which each may be a list; and the classes of the columns, if these labels are an indicator matrix of
    NumPy, SciPy or pandas.
    """
    if hasattr(labels, "columns") and hasattr(labels, "iloc"):
        if len(labels.columns) == 1:
            return labels.iloc[:, 0], None
        names = list(labels.columns)
        return _matrix_rows(labels.to_numpy(), names, what), id_array(names)
    if hasattr(labels, "tocsr"):
        labels = labels.toarray()
    elif hasattr(labels, "__array__") and not hasattr(labels, "iloc"):  # a tensor, a column of polars
        labels = as_array(labels, what)
    if isinstance(labels, np.ndarray) and labels.ndim == 2:
        if labels.shape[1] == 1:
            return labels[:, 0], None
        return _matrix_rows(labels, range(labels.shape[1]), what), np.arange(labels.shape[1])
    if isinstance(labels, list) and labels and all(isinstance(row, (list, tuple)) for row in labels):
        if set(map(len, labels)) == {1}:
            return [row[0] for row in labels], None
        if len(set(map(len, labels))) == 1 and labels[0] and {v for row in labels for v in row} <= {0, 1}:
            raise InvalidError(f"{what}: lists of 0 and 1 may be classes or a column for each class: pass np.array({what}) if there is a "
                               "column for each class, or other names of the classes")
    return labels, None


def sort_classes(values: Sequence[Any]) -> NDArray[Any]:
    different = set(values)
    try:
        return id_array(sorted(different))
    except TypeError:  # of several types
        return id_array(sorted(different, key=lambda v: (type(v).__name__, str(v))))


def number_lists(lists: Sequence[Sequence[Any]]) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[Any]]:
    """Lists of labels as numbers from one offset to the next, each once, and the classes in sorted order."""
    once = [list(dict.fromkeys(row)) for row in lists]
    given = [label for row in once for label in row]
    classes = sort_classes(given)
    place = {label: k for k, label in enumerate(classes.tolist())}
    return np.cumsum([0, *map(len, once)], dtype=np.int64), np.array([place[label] for label in given], np.int32), classes


def read_label_lists(y: Any, rows: int, what: str, ids: Optional[Sequence[Any]] = None
                     ) -> Optional[tuple[NDArray[np.int64], NDArray[np.int32], NDArray[Any]]]:
    """As number_lists(), where nodes have lists of labels or a row of an indicator matrix; None where each has a label."""
    found, columns = label_rows(y, "y")
    if columns is not None and is_frame(y):
        found = type(y.iloc[:, 0])(found, index=y.index, dtype=object)
    if columns is None and not any(map(is_label_list, as_list(found) if hasattr(found, "__iter__") else ())):
        return None
    held = as_list(_align(found, rows, ids, what) if _is_series(found) else found)
    if len(held) != rows:
        raise InvalidError(f"y: labels of {len(held)} {what} for {rows}; expected a list of labels for each")
    return number_lists([as_list(v) if is_label_list(v) else [] if is_missing(v) else [v] for v in held])
