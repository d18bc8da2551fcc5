# SPDX-License-Identifier: Apache-2.0
"""Rows that X selects where the estimator has a graph of its own."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from ._dataset import Dataset
from ._errors import InvalidError
from ._kinds import is_sparse_tensor, is_whole
from ._names import as_list


def _column(X: Any, what: str) -> NDArray[Any]:
    names = np.asarray(X)
    if names.ndim == 2 and names.shape[1] == 1:
        names = names[:, 0]
    if names.ndim != 1:
        raise InvalidError(f"the estimator has a graph, so X holds {what}: expected one column, got "
                           f"shape {names.shape}")
    return names


def _by_index(names: NDArray[Any], count: int, what: str) -> NDArray[np.int64]:
    """Integers, also where scikit-learn has made floats of them."""
    good = names.dtype.kind in "iu" or names.dtype.kind == "f" and bool(
        (names == np.floor(names)).all())
    if not good and names.size:
        raise InvalidError(f"the estimator has a graph without ids, so X holds {what}: expected "
                           f"integers, got {names.tolist()[0]!r}")
    rows = names.astype(np.int64)
    if ((rows < 0) | (rows >= count)).any():
        raise InvalidError(f"X has indices outside 0 .. {count - 1}")
    return rows


def find_rows(X: Any, data: Dataset, pools: bool) -> Optional[NDArray[np.int64]]:
    """Indices of the nodes in X, by id or by index; of the graphs, by index; None for all."""
    if X is None:
        return None
    if pools:
        what = "indices of its graphs"
        return _by_index(_column(X, what), data.graphs, what)
    if data.ids is None:
        what = "indices of its nodes"
        return _by_index(_column(X, what), data.nodes, what)
    place = {name: i for i, name in enumerate(data.ids)}
    names = as_list(_column(X, "ids of its nodes"))
    try:
        return np.array([place[name] for name in names], np.int64)
    except KeyError as error:
        raise InvalidError(f"X has the id {error.args[0]!r}, which is none of the graph's; these are "
                           f"{type(data.ids[0]).__name__}, such as {data.ids[0]!r}") from None


def _shape(x: Any) -> tuple[int, ...]:
    try:
        return tuple(x.shape) if hasattr(x, "shape") else np.asarray(x).shape
    except ValueError:  # rows of different length
        return (len(x),)


def _looks_like_edges(X: Any, y: Any) -> bool:
    if isinstance(y, Dataset) or is_whole(y) or is_sparse_tensor(y):
        return True
    if isinstance(y, (tuple, list)) and 2 <= len(y) <= 3 and all(hasattr(p, "__len__") and
                                                                  len(_shape(p)) == 1 for p in y):
        return True
    shape = _shape(y)
    if len(shape) != 2:
        return False
    rows = X.shape[0] if hasattr(X, "shape") else len(X) if hasattr(X, "__len__") else shape[0]
    return bool(shape[0] != rows or shape[0] == shape[1] > 2)


def refuse_edges(X: Any, y: Any) -> None:
    """y is ignored, so edges in its place would be lost without a word."""
    if y is not None and _looks_like_edges(X, y):
        raise InvalidError("y looks like the edges of a graph, and y is ignored: pass them by name, "
                           "fit(X, edges=...)")
