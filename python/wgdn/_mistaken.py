# SPDX-License-Identifier: Apache-2.0
"""Edges in the place of features, and the other way around: mistakes that would give vectors of no use in silence."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ._errors import InvalidError
from ._kinds import as_array, is_sparse, is_sparse_tensor, is_table
from ._tables import has_edge_columns


def _square(x: Any) -> Optional[Any]:
    """A square matrix of more than 2 rows, sparse or an array of numbers; else None."""
    if is_sparse(x):
        return x if x.shape[0] == x.shape[1] > 2 else None
    listed = isinstance(x, list) and len(x) > 2 and hasattr(x[0], "__len__") and len(x[0]) == len(x)
    if is_table(x) or is_sparse_tensor(x) or not listed and len(getattr(x, "shape", ())) != 2:
        return None
    try:
        a = as_array(x, "X")
    except (TypeError, ValueError):
        return None
    return a if a.ndim == 2 and a.shape[0] == a.shape[1] > 2 and a.dtype.kind in "biuf" else None


def _is_symmetric(a: Any) -> bool:
    if is_sparse(a):
        return bool((a != a.T).nnz == 0)
    return bool(np.array_equal(a, a.T))


def _is_adjacency(a: Any) -> bool:
    """Symmetric, without a diagonal, nowhere negative, and not empty."""
    return not np.any(a.diagonal()) and bool(a.min() >= 0) and bool(a.max() > 0) and _is_symmetric(a)


def _has_no_edges(a: Any) -> bool:
    """Whether nothing lies beside the diagonal."""
    there = int((a != 0).sum())
    return there == int((a.diagonal() != 0).sum())


def refuse_swapped(x: Any, edges: Any) -> None:
    """X in the place of the edges, which is read without a word if both are square."""
    if x is None or edges is None:
        return
    if isinstance(x, dict) and not is_sparse(x):
        raise InvalidError("X is a dictionary: edges come first, wgdn.embed(edges, X), and features are an array or a table, such as "
                           "pandas.DataFrame(X)")
    features, graph = _square(x), _square(edges)
    if features is None or graph is None or features.shape != graph.shape or not _is_adjacency(features):
        return
    if _has_no_edges(graph) or not _is_symmetric(graph):
        raise InvalidError("X is a symmetric matrix without a diagonal, as an adjacency matrix is, and the graph is not: "
                           "the two seem to be swapped. The order is the graph, then X. If it is right, pass the edges "
                           "as (sources, targets)")


def _pairs_or_matrix(x: Any) -> Optional[str]:
    """What may be edges and may be features, in words; None for anything else."""
    a = _square(x)
    if a is not None and (is_sparse(a) or _is_adjacency(a)):
        return f"a square matrix of {a.shape[0]} rows"
    if hasattr(x, "dtype") and np.ndim(x) == 2 and 2 in x.shape and getattr(x.dtype, "kind", "") in "iu":
        return "an array of pairs of integers"
    return None


def looks_like_edges(x: Any) -> bool:
    """Whether an input in the place of features is edges beyond doubt: a table, tuples, or an adjacency matrix."""
    if has_edge_columns(x) or isinstance(x, dict) and not is_sparse(x):
        return True
    if isinstance(x, (list, tuple)) and len(x) > 0 and all(
            isinstance(pair, tuple) and len(pair) in (2, 3) for pair in x):
        return True
    if isinstance(x, tuple) and len(x) in (2, 3) and all(hasattr(end, "__len__") and np.ndim(end) == 1 for end in x):
        return True
    a = _square(x)
    return a is not None and is_sparse(a) and not _has_no_edges(a)


def refuse_edges_as_features(x: Any) -> None:
    """A graph given as X alone, which would be features of isolated nodes."""
    what = _pairs_or_matrix(x)
    if what is not None:
        raise InvalidError(f"X is {what} and there are no edges: pass a graph as graph=; if these are features of nodes "
                           "without edges, pass graph=[] as well")
