# SPDX-License-Identifier: Apache-2.0
"""Supported graph types, converted to the arrays of a dataset."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from ._attributes import read_attributes, read_labels
from ._dgl import of_dgl
from ._edges import Known, join_weights, read_edges
from ._errors import InvalidError, warn
from ._features import Features, join_features, read_classes, read_features
from ._hetero import Hetero
from ._kinds import (
    as_array,
    is_anndata,
    is_batch,
    is_data,
    is_hetero,
    is_igraph,
    is_networkx,
    is_whole,
)
from ._mistaken import refuse_edges_as_features, refuse_swapped
from ._names import as_list, keep_ids
from ._tables import id_column


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
    weight: Optional[NDArray[np.float32]] = None  # of edges; None: 1
    start: Optional[NDArray[np.int64]] = None
    graph_label: Optional[NDArray[np.int32]] = None
    graph_classes: Optional[NDArray[Any]] = None


def _check_rows(rows: int, nodes: int) -> None:
    if rows != nodes:
        raise InvalidError(f"X has {rows} rows, but the graph has {nodes} nodes")


def _known(features: Optional[Features], ids: Any, nodes: Optional[int], weights: bool,
           bipartite: Optional[bool] = None) -> Known:
    """What features and arguments say of the nodes."""
    given = as_list(ids) if ids is not None and not isinstance(ids, str) else None
    names = given if given is not None else features.ids if features else None
    rows = nodes if nodes is not None else features.rows if features else None
    return Known(rows, names, "ids" if ids is not None else "the index of X", weights, bipartite)


def _from_parts(x: Any, edges: Any, ids: Any, nodes: Optional[int], weights: bool = True,
                bipartite: Optional[bool] = None) -> Arrays:
    """Features and edges as separate arguments."""
    refuse_swapped(x, edges)
    if ids is None and x is not None:
        ids = id_column(x, edges)
    features = None if x is None else read_features(x, ids if isinstance(ids, str) else None)
    known = _known(features, ids, nodes, weights, bipartite)
    e = read_edges(edges, known)
    names = known.ids
    count = known.rows if known.rows is not None else len(names) if names is not None else e.nodes
    if names is not None and len(names) != count:
        raise InvalidError(f"{len(names)} ids for {count} nodes")
    if features:
        _check_rows(features.rows, e.nodes if e.whole else count)
    if e.whole and e.nodes != count:
        raise InvalidError(f"the graph has {e.nodes} nodes, but {count} were given")
    ends = np.array([v for side in (e.source, e.target) for v in ((side.min(), side.max()) if side.size else ())])
    if count >= 1 and ends.size and (ends.min() < 0 or ends.max() >= count):
        strange = int(ends.min() if ends.min() < 0 else ends.max())
        given = f"X has {count} rows" if features else f"there are {count} nodes"
        raise InvalidError(f"edges name node {strange}, but {given}: integers in arrays and lists are rows 0 .. "
                           f"{count - 1}; for ids pass a table, {{'source': ..., 'target': ...}}, and ids=")
    if count < 1:
        raise InvalidError("the graph has no nodes: pass features or edges")
    if names is not None and e.ids is not None and list(names) != list(e.ids):
        order = "graph.nodes: use X.loc[list(graph.nodes)]" if is_networkx(edges) else \
            "the graph's own"
        raise InvalidError(f"the rows of X are not in the order of {order}")
    kept = keep_ids(names, count) if names is not None else e.ids
    return Arrays(count, e.source, e.target, features=features, ids=kept, weight=e.weight)


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


def _from_data(data: Any, weights: bool) -> Arrays:
    """A Data: edges as edge_index, or as adj_t where a transform has put them there."""
    x = getattr(data, "x", None)
    nodes = int(data.num_nodes)
    features = None if x is None else read_features(x)
    known = Known(nodes, weights=weights)
    if getattr(data, "edge_index", None) is not None:
        source, target = (as_array(side, "edge_index") for side in data.edge_index)
        weight = getattr(data, "edge_weight", None)
        e = read_edges((source, target) if weight is None else (source, target, weight), known)
    elif getattr(data, "adj_t", None) is not None:
        e = read_edges(data.adj_t, known)
    else:
        raise InvalidError("X is a Data without edges: neither edge_index nor adj_t is set")
    arrays = Arrays(nodes, e.source, e.target, features=features, split=_masks(data, nodes),
                    weight=e.weight)
    y = getattr(data, "y", None)
    if y is not None and np.ndim(y) == 1 and len(y) == nodes:
        arrays.label, arrays.classes = read_classes(y, nodes, "nodes")
    return arrays


def _from_hetero(data: Any, edges: Any, weights: bool) -> Arrays:
    h = Hetero(data, edges, weights)
    arrays = Arrays(h.nodes, h.source, h.target, features=h.features, split=h.masks(data),
                    ids=h.ids, weight=h.weight)
    y = h.labels(data)
    if y is not None:
        arrays.label, arrays.classes = read_classes(y, h.nodes, "nodes")
    return arrays


def _from_anndata(data: Any, key: Any, weights: bool, use_rep: Optional[str]) -> Arrays:
    """Cells: a graph of obsp, features of X or of obsm."""
    name = "connectivities" if key is None else key
    if name not in data.obsp:
        raise InvalidError(f"obsp has no {name!r}: compute a neighbour graph first "
                           f"(scanpy.pp.neighbors), or pass its key as edges=; obsp has "
                           f"{', '.join(map(repr, data.obsp)) or 'none'}")
    if use_rep is not None and use_rep != "X" and use_rep not in data.obsm:
        raise InvalidError(f"use_rep = {use_rep!r}: obsm has "
                           f"{', '.join(map(repr, data.obsm)) or 'none'}; 'X' is the matrix itself")
    if weights and "distance" in str(name):
        warn(f"the weights of obsp[{name!r}] are distances, not similarities: its edges are used with "
             "weight 1")
        weights = False
    x = data.X if use_rep in (None, "X") else data.obsm[use_rep]
    return _from_parts(x, data.obsp[name], list(data.obs_names), None, weights)


def _from_many(graphs: Any, weights: bool) -> Arrays:
    """Concatenated as one block-diagonal graph."""
    if is_batch(graphs):
        graphs = graphs.to_data_list()
    graphs = [of_dgl(graphs[i]) for i in range(len(graphs))]
    for i, g in enumerate(graphs):
        if is_hetero(g):
            raise InvalidError(f"X: element {i} has several types of nodes or edges, and graphs of a "
                               "set have one: make each homogeneous, or embed nodes of one alone")
        if not (is_data(g) or is_networkx(g) or is_igraph(g)):
            raise InvalidError(f"X: element {i} is no graph but {type(g).__name__}")
    parts = [_from_whole(g, None, weights, None) for g in graphs]
    start = np.concatenate([[0], np.cumsum([p.nodes for p in parts])]).astype(np.int64)
    arrays = Arrays(int(start[-1]),
                    np.concatenate([p.source + s for p, s in zip(parts, start)]),
                    np.concatenate([p.target + s for p, s in zip(parts, start)]), start=start)
    features = [p.features for p in parts if p.features]
    if features and len(features) < len(parts):
        raise InvalidError("some graphs have features and others have none")
    if features:
        arrays.features = join_features(features)
    arrays.weight = join_weights(parts)
    labels = [np.asarray(getattr(g, "y", None)) for g in graphs]
    if all(y.size == 1 and y.item() is not None for y in labels):
        arrays.graph_label, arrays.graph_classes = read_classes(
            np.array([y.item() for y in labels]), len(labels), "graphs")
    return arrays


def _from_whole(x: Any, edges: Any, weights: bool, use_rep: Optional[str]) -> Arrays:
    if is_hetero(x):
        return _from_hetero(x, edges, weights)
    if is_data(x):
        return _from_data(x, weights)
    if is_anndata(x):
        return _from_anndata(x, edges, weights, use_rep)
    if is_networkx(x) or is_igraph(x):
        return _from_parts(None, x, None, None, weights)
    return _from_many(x, weights)


def read_inputs(x: Any, edges: Any, *, y: Any = None, splits: Any = None, ids: Any = None,
                nodes: Optional[int] = None, weights: bool = True,
                use_rep: Optional[str] = None, attributes: Any = None,
                bipartite: Optional[bool] = None) -> Arrays:
    if isinstance(y, str):
        y = read_labels(x, y)
    if attributes is not None:
        x, edges = read_attributes(x, attributes), x
    else:
        x = of_dgl(x)
    if nodes is not None and (not hasattr(nodes, "__index__") or nodes < 1):
        raise InvalidError(f"nodes = {nodes!r}: expected an integer of at least 1")
    if use_rep is not None and not is_anndata(x):
        raise InvalidError("use_rep goes with an AnnData")
    if is_whole(x):
        if edges is not None and not is_anndata(x) and not is_hetero(x):
            raise InvalidError("X contains edges already; edges= goes with features only")
        if bipartite:
            raise InvalidError("X contains edges already; bipartite=True goes with a table of edges")
        if ids is not None or nodes is not None:
            raise InvalidError("X contains the nodes already; ids= and nodes= go with features and "
                               "edges")
        arrays = _from_whole(x, edges, weights, use_rep)
    else:
        if edges is None and x is not None:
            refuse_edges_as_features(x)
        arrays = _from_parts(x, edges, ids, nodes, weights, bipartite)
    if y is not None:
        arrays.label, arrays.classes = read_classes(y, arrays.nodes, "nodes", arrays.ids)
    if splits is not None:
        split = np.asarray(splits)
        if split.size % arrays.nodes or split.size == 0:
            raise InvalidError(f"splits of shape {split.shape} for {arrays.nodes} nodes")
        arrays.split = np.ascontiguousarray(split, dtype=np.int8).reshape(-1, arrays.nodes)
    return arrays
