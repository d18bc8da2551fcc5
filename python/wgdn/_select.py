# SPDX-License-Identifier: Apache-2.0
"""Rows that X selects where the estimator has a graph of its own."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from ._dataset import Dataset
from ._names import as_list


def _column(X: Any, what: str) -> NDArray[Any]:
    names = np.asarray(X)
    if names.ndim == 2 and names.shape[1] == 1:
        names = names[:, 0]
    if names.ndim != 1:
        raise ValueError(f"the estimator has a graph, so X holds {what}: expected one column, got "
                         f"shape {names.shape}")
    return names


def _by_index(names: NDArray[Any], count: int, what: str) -> NDArray[np.int64]:
    """Integers, also where scikit-learn has made floats of them."""
    good = names.dtype.kind in "iu" or names.dtype.kind == "f" and bool(
        (names == np.floor(names)).all())
    if not good and names.size:
        raise ValueError(f"the estimator has a graph without ids, so X holds {what}: expected "
                         f"integers, got {names.tolist()[0]!r}")
    rows = names.astype(np.int64)
    if ((rows < 0) | (rows >= count)).any():
        raise ValueError(f"X has indices outside 0 .. {count - 1}")
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
        raise ValueError(f"X has the id {error.args[0]!r}, which is none of the graph's; these are "
                         f"{type(data.ids[0]).__name__}, such as {data.ids[0]!r}") from None
