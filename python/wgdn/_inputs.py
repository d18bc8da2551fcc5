# SPDX-License-Identifier: Apache-2.0
"""Supported graph types, converted to the arrays of a dataset."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from ._edges import is_networkx, keep_ids, read_edges
from ._features import Features, read_classes, read_features


@dataclass
class Arrays:
    nodes: int
    source: NDArray[np.int64]
    target: NDArray[np.int64]
    features: Optional[Features] = None
    label: Optional[NDArray[np.int32]] = None
    classes: Optional[NDArray[Any]] = None
    split: Optional[NDArray[np.int8]] = None
    ids: Optional[list[Any]] = None
    start: Optional[NDArray[np.int64]] = None
    graph_label: Optional[NDArray[np.int32]] = None
    graph_classes: Optional[NDArray[Any]] = None


def is_data(x: Any) -> bool:
    """A PyTorch Geometric Data."""
    return hasattr(x, "edge_index") and hasattr(x, "num_nodes")


def is_anndata(x: Any) -> bool:
    return hasattr(x, "obsp") and hasattr(x, "obsm") and hasattr(x, "obs_names")


def is_many(x: Any) -> bool:
    """Several graphs: a list of them, or a PyTorch Geometric dataset."""
    if not isinstance(x, (list, tuple)) and (
            is_data(x) or not type(x).__module__.startswith("torch_geometric")):
        return False
    return len(x) > 0 and (is_data(x[0]) or is_networkx(x[0]))


def is_whole(x: Any) -> bool:
    """Whether the object contains edges."""
    return is_data(x) or is_networkx(x) or is_anndata(x) or is_many(x)


def _check_rows(rows: int, nodes: int) -> None:
    if rows != nodes:
        raise ValueError(f"X has {rows} rows, but the graph has {nodes} nodes")


def _from_parts(x: Any, edges: Any, ids: Optional[Sequence[Any]], nodes: Optional[int],
                weights: bool = True) -> Arrays:
    """Features and edges as separate arguments."""
    features = None if x is None else read_features(x)
    names = ids if ids is not None else features.ids if features else None
    e = read_edges(edges, names, weights=weights)
    count = nodes if nodes is not None else features.rows if features else \
        len(ids) if ids is not None else e.nodes
    if features:
        _check_rows(features.rows, e.nodes if e.whole else count)
    if e.whole and e.nodes != count:
        raise ValueError(f"the graph has {e.nodes} nodes, but {count} were given")
    if count < 1:
        raise ValueError("the graph has no nodes: pass features or edges")
    if is_networkx(edges) and names is not None and e.ids is not None \
            and list(names) != list(e.ids):
        raise ValueError("the rows of X are not in the order of graph.nodes: use "
                         "X.loc[list(graph.nodes)]")
    kept = keep_ids(names, count) if names is not None else e.ids
    return Arrays(count, e.source, e.target, features=features, ids=kept)


def _masks(data: Any, nodes: int) -> Optional[NDArray[np.int8]]:
    """train_mask, val_mask and test_mask of a Data, one column for each split or one for all."""
    split: Optional[NDArray[np.int8]] = None
    for number, name in enumerate(("train_mask", "val_mask", "test_mask"), start=1):
        mask = getattr(data, name, None)
        if mask is None:
            continue
        columns = np.asarray(mask, dtype=bool).reshape(nodes, -1)
        if split is None:
            split = np.zeros((columns.shape[1], nodes), np.int8)
        split[columns.T] = number
    return split


def _from_data(data: Any) -> Arrays:
    x = getattr(data, "x", None)
    nodes = int(data.num_nodes)
    features = None if x is None else read_features(x)
    source, target = np.asarray(data.edge_index)
    e = read_edges((source, target))
    arrays = Arrays(nodes, e.source, e.target, features=features, split=_masks(data, nodes))
    y = getattr(data, "y", None)
    if y is not None and np.ndim(y) == 1 and len(y) == nodes:
        arrays.label, arrays.classes = read_classes(y, nodes, "nodes")
    return arrays


def _from_anndata(data: Any, key: Any) -> Arrays:
    name = "connectivities" if key is None else key
    if name not in data.obsp:
        raise ValueError(f"obsp has no {name!r}: compute a neighbour graph first "
                         f"(scanpy.pp.neighbors), or pass its key as edges=; obsp has "
                         f"{', '.join(map(repr, data.obsp)) or 'none'}")
    return _from_parts(data.X, data.obsp[name], list(data.obs_names), None, weights=False)


def _from_many(graphs: Iterable[Any]) -> Arrays:
    """Concatenated as one block-diagonal graph."""
    parts = [_from_whole(g, None) for g in graphs]
    start = np.concatenate([[0], np.cumsum([p.nodes for p in parts])]).astype(np.int64)
    arrays = Arrays(int(start[-1]),
                    np.concatenate([p.source + s for p, s in zip(parts, start)]),
                    np.concatenate([p.target + s for p, s in zip(parts, start)]), start=start)
    features = [p.features for p in parts if p.features]
    if features and len(features) < len(parts):
        raise ValueError("some graphs have features and others have none")
    if features:
        if len({f.columns for f in features}) > 1:
            raise ValueError("the graphs have different numbers of features")
        arrays.features = read_features(np.concatenate([f.dense for f in features]))
    return arrays


def _from_whole(x: Any, edges: Any) -> Arrays:
    if is_data(x):
        return _from_data(x)
    if is_anndata(x):
        return _from_anndata(x, edges)
    if is_networkx(x):
        return _from_parts(None, x, None, None)
    arrays = _from_many(x)
    labels = [np.asarray(getattr(g, "y", None)) for g in x]
    if all(y.size == 1 and y.item() is not None for y in labels):
        arrays.graph_label, arrays.graph_classes = read_classes(
            np.array([y.item() for y in labels]), len(labels), "graphs")
    return arrays


def read_inputs(x: Any, edges: Any, *, y: Any = None, splits: Any = None,
                ids: Optional[Sequence[Any]] = None, nodes: Optional[int] = None) -> Arrays:
    if is_whole(x):
        if edges is not None and not is_anndata(x):
            raise ValueError("X contains edges already; edges= goes with features only")
        arrays = _from_whole(x, edges)
    else:
        arrays = _from_parts(x, edges, ids, nodes)
    if y is not None:
        arrays.label, arrays.classes = read_classes(y, arrays.nodes, "nodes")
    if splits is not None:
        arrays.split = np.ascontiguousarray(splits, dtype=np.int8).reshape(-1, arrays.nodes)
    return arrays
