# SPDX-License-Identifier: Apache-2.0
"""Edges of all supported types, converted to two arrays of node indices."""
from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

Int64 = NDArray[np.int64]


@dataclass
class Edges:
    source: Int64
    target: Int64
    nodes: int  # lower bound: the largest index + 1
    ids: Optional[list[Any]]  # by index; None: no ids
    whole: bool  # whether `nodes` is exact


def is_networkx(x: Any) -> bool:
    return hasattr(x, "adj") and hasattr(x, "nodes") and hasattr(x, "number_of_edges")


def is_sparse(x: Any) -> bool:
    """A SciPy sparse matrix or array, without importing SciPy."""
    return hasattr(x, "tocoo") and hasattr(x, "nnz")


def is_frame(x: Any) -> bool:
    return hasattr(x, "columns") and hasattr(x, "iloc")


def numbers(x: Any, what: str) -> Int64:
    """A 1-D array of integers, borrowed if it is int64 already."""
    a = np.asarray(x)
    if a.ndim != 1 or (a.size and a.dtype.kind not in "iu"):
        raise ValueError(f"{what}: expected a 1-D array of integers, got {a.dtype} "
                         f"of shape {a.shape}")
    return np.ascontiguousarray(a, dtype=np.int64)


def _from_pair(source: Any, target: Any) -> Edges:
    s, t = numbers(source, "sources of edges"), numbers(target, "targets of edges")
    if s.shape != t.shape:
        raise ValueError(f"{s.size} sources and {t.size} targets of edges")
    nodes = int(max(s.max(), t.max())) + 1 if s.size else 0
    return Edges(s, t, nodes, None, False)


def _from_array(a: NDArray[Any]) -> Edges:
    """2 x m as PyTorch Geometric has it, m x 2, or an adjacency matrix."""
    if a.ndim == 2 and a.shape == (2, 2):
        raise ValueError("edges of shape (2, 2) are ambiguous: pass them as "
                         "(sources, targets)")
    if a.ndim == 2 and a.shape[0] == 2:
        return _from_pair(a[0], a[1])
    if a.ndim == 2 and a.shape[1] == 2:
        return _from_pair(a[:, 0], a[:, 1])
    if a.ndim == 2 and a.shape[0] == a.shape[1]:
        source, target = np.nonzero(a)
        return Edges(source.astype(np.int64), target.astype(np.int64), len(a), None, True)
    raise ValueError(f"edges: expected an array of shape (2, m) or (m, 2), (sources, targets), an "
                     f"adjacency matrix, a DataFrame or a NetworkX graph; got shape {a.shape}")


def _from_sparse(a: Any, weights: bool) -> Edges:
    if a.shape[0] != a.shape[1]:
        raise ValueError(f"edges: expected a square adjacency matrix, got shape {a.shape}; "
                         "features are X, the first argument")
    coo = a.tocoo()
    values = np.asarray(coo.data)
    there = values != 0
    if weights and values[there].size and (values[there] != values[there][0]).any():
        warnings.warn("edge weights differ; the model ignores them and uses weight 1",
                      UserWarning, stacklevel=2)
    return Edges(np.ascontiguousarray(coo.row[there], dtype=np.int64),
                 np.ascontiguousarray(coo.col[there], dtype=np.int64), int(a.shape[0]), None, True)


def _in_order(ids: Sequence[Any], nodes: int) -> bool:
    """Whether ids are 0, 1, 2, ...: then they are not stored."""
    return all(isinstance(name, (int, np.integer)) and not isinstance(name, bool) and name == i
               for i, name in enumerate(ids)) and len(ids) == nodes


def keep_ids(ids: Optional[Sequence[Any]], nodes: int) -> Optional[list[Any]]:
    return None if ids is None or _in_order(ids, nodes) else list(ids)


def _from_networkx(graph: Any) -> Edges:
    names = list(graph.nodes)
    place = {name: i for i, name in enumerate(names)}
    pairs = np.fromiter((place[end] for edge in graph.edges() for end in edge[:2]), np.int64)
    return Edges(np.ascontiguousarray(pairs[0::2]), np.ascontiguousarray(pairs[1::2]), len(names),
                 keep_ids(names, len(names)), True)


def _columns(table: Any) -> tuple[Any, Any]:
    names = list(table.columns)
    if "source" in names and "target" in names:
        return table["source"].to_numpy(), table["target"].to_numpy()
    if len(names) < 2:
        raise ValueError("a DataFrame of edges needs two columns: source and target")
    return table.iloc[:, 0].to_numpy(), table.iloc[:, 1].to_numpy()


def _from_table(table: Any, ids: Optional[Sequence[Any]]) -> Edges:
    """
    Endpoints are ids. Without ids of the nodes, these are numbered as the program does for an edge
    list: integers by value, other ids in order of appearance.
    """
    import pandas

    source, target = _columns(table)
    ends = np.column_stack([source, target]).ravel()
    if pandas.isna(ends).any():
        raise ValueError("the DataFrame of edges has missing endpoints")
    if ids is None:
        whole = source.dtype.kind in "iu" and target.dtype.kind in "iu"
        names = np.unique(ends) if whole else pandas.unique(ends)
        if whole and names.size and names[0] < 0:
            names = pandas.unique(ends)
    else:
        names = np.asarray(ids, dtype=object)
    place = pandas.Index(names).get_indexer(ends)
    if (place < 0).any():
        stranger = ends[int(np.flatnonzero(place < 0)[0])]
        raise ValueError(f"the DataFrame of edges has the id {stranger!r}, which is not in X")
    place = place.astype(np.int64)
    return Edges(np.ascontiguousarray(place[0::2]), np.ascontiguousarray(place[1::2]), len(names),
                 keep_ids(names.tolist(), len(names)), True)


def read_edges(edges: Any, ids: Optional[Sequence[Any]] = None, *, weights: bool = True) -> Edges:
    """
    Edges of a graph whose nodes may have ids already. weights: whether to warn if edge weights
    differ, since they are ignored.
    """
    if edges is None:
        none = np.zeros(0, np.int64)
        return Edges(none, none, 0, None, False)
    if is_networkx(edges):
        return _from_networkx(edges)
    if is_sparse(edges):
        return _from_sparse(edges, weights)
    if is_frame(edges):
        return _from_table(edges, ids)
    if isinstance(edges, (tuple, list)) and len(edges) == 2 and np.ndim(edges[0]) == 1:
        return _from_pair(edges[0], edges[1])
    return _from_array(np.asarray(edges))
