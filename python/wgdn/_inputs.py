# SPDX-License-Identifier: Apache-2.0
"""Supported graph types, converted to the arrays of a dataset."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from ._attributes import read_attributes, read_labels
from ._dgl import of_dgl
from ._edges import Headings, Known, join_weights, read_edges, read_weights
from ._errors import InvalidError, warn
from ._features import (
    Encode,
    Features,
    by_id,
    by_rows,
    drop_columns,
    join_features,
    name_rows,
    read_classes,
    read_features,
    read_label_lists,
    read_splits,
    refuse_unclear,
    spread_by_id,
    take_rows,
    warn_of_leak,
)
from ._hetero import Hetero
from ._kinds import (
    as_array,
    is_anndata,
    is_arrow,
    is_batch,
    is_data,
    is_dgl,
    is_frame,
    is_hetero,
    is_igraph,
    is_networkx,
    is_table,
    is_whole,
)
from ._mistaken import refuse_edges_as_features, refuse_swapped
from ._names import as_list, check_ids, id_array, keep_ids, number, places
from ._tables import IDS, Columns, column_names, edge_columns, id_column, open_table, plain_name


@dataclass
class Arrays:
    nodes: int
    source: NDArray[np.int64]
    target: NDArray[np.int64]
    features: Optional[Features] = None
    label: Optional[NDArray[np.int32]] = None
    label_offset: Optional[NDArray[np.int64]] = None  # in place of label, where nodes have several
    label_list: Optional[NDArray[np.int32]] = None
    classes: Optional[NDArray[Any]] = None
    split: Optional[NDArray[np.int8]] = None
    ids: Optional[NDArray[Any]] = None
    kinds: Optional[NDArray[np.object_]] = None  # of nodes, where there are two
    weight: Optional[NDArray[np.float32]] = None  # of edges; None: 1
    weights: int = 0  # what is made of them, by number as in wgdn_weights
    type: Optional[NDArray[np.int32]] = None  # of edges, among type_names
    type_names: Optional[list[str]] = None
    directed: int = 0  # what their order is for, by number as in wgdn_direction
    memory: int = 0  # bytes that the closed form may use; 0: what there is
    scratch: Optional[bytes] = None  # folder for what exceeds it
    start: Optional[NDArray[np.int64]] = None
    graph_label: Optional[NDArray[np.int32]] = None
    graph_ids: Optional[NDArray[Any]] = None


def _by_id(values: Any, arrays: Arrays, x: Any, given: Any, what: str) -> Any:
    """Labels or splits of pandas with the ids of nodes as their index, where it is that of the table of the nodes."""
    ids: Any = range(arrays.nodes) if arrays.ids is None else arrays.ids.tolist()
    values = name_rows(values, ids, x, given)
    if arrays.ids is not None and not is_frame(x):
        refuse_unclear(values, ids, what)
        if x is None and given is None:
            by_rows(values, what)
    return values


def _set_labels(arrays: Arrays, y: Any, x: Any = None, given: Any = None) -> None:
    """One label for each node, or several; x and given: the table of the nodes and their ids, as the caller has them."""
    ids = None if arrays.ids is None else arrays.ids.tolist()
    if isinstance(y, Mapping):
        place = places(np.arange(arrays.nodes) if arrays.ids is None else arrays.ids, arrays.kinds)
        y = spread_by_id(y, place, arrays.nodes, arrays.kinds, "y")
    warn_of_leak(y, x, "y")
    y = _by_id(by_id(y, "y"), arrays, x, given, "y")
    lists = read_label_lists(y, arrays.nodes, "nodes", ids)
    if lists is None:
        arrays.label, arrays.classes = read_classes(y, arrays.nodes, "nodes", ids)
    else:
        arrays.label_offset, arrays.label_list, arrays.classes = lists


def _check_rows(rows: int, nodes: int) -> None:
    if rows != nodes:
        raise InvalidError(f"X has {rows} rows, but the graph has {nodes} nodes")


@dataclass
class Given:
    """What the caller says of the nodes and the edges of separate features and edges."""

    ids: Any = None
    id: Optional[str] = None
    nodes: Optional[int] = None
    weights: bool = True
    columns: Columns = field(default_factory=Columns)
    bipartite: Union[bool, Headings, None] = None
    encode: Optional[Encode] = None


def _known(features: Optional[Features], given: Given) -> Known:
    """What features and arguments say of the nodes."""
    if isinstance(given.ids, (set, frozenset)):
        raise InvalidError("ids: a set has no order, and the rows have one: pass a list")
    names = as_list(given.ids) if given.ids is not None else features.ids if features else None
    rows = given.nodes if given.nodes is not None else features.rows if features else None
    where = "ids" if given.ids is not None or given.id is not None else "the index of X"
    return Known(rows, names, where, given.weights, given.columns, given.bipartite)


def _from_parts(x: Any, edges: Any, given: Given) -> Arrays:
    """Features and edges as separate arguments."""
    refuse_swapped(x, edges)
    id = given.id
    if id is None and given.ids is None and x is not None:
        id = id_column(x, edges, given.columns)
    features = None if x is None else read_features(x, id, given.encode)
    known = _known(features, given)
    names = known.ids
    if names is not None:
        check_ids(names, known.where, unique=True)
    e = read_edges(edges, known)
    if given.id is not None and x is None:
        raise InvalidError(f"id = {given.id!r} names a column of X, and there is no X")
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
        there = f"X has {count} rows" if features else f"there are {count} nodes"
        raise InvalidError(f"edges name node {strange}, but {there}: integers in arrays and lists are rows 0 .. "
                           f"{count - 1}; for ids pass a table, {{'source': ..., 'target': ...}}, and ids=")
    if count < 1:
        raise InvalidError("the graph has no nodes: pass features or edges")
    own = range(count) if e.ids is None and is_networkx(edges) else e.ids
    if names is not None and own is not None and list(names) != list(own):
        order = "graph.nodes: use X.loc[list(graph.nodes)]" if is_networkx(edges) else \
            "the graph's own"
        raise InvalidError(f"the rows of X are not in the order of {order}")
    kept = keep_ids(given.ids if given.ids is not None else features.id_values if features and features.id_values is not
                    None else names, count) if names is not None else e.ids
    return Arrays(count, e.source, e.target, features=features, ids=kept, kinds=e.kinds, weight=e.weight, type=e.type,
                  type_names=e.type_names)


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
        raise InvalidError("the graph is a Data without edges: neither edge_index nor adj_t is set")
    arrays = Arrays(nodes, e.source, e.target, features=features, split=_masks(data, nodes),
                    weight=e.weight)
    y = getattr(data, "y", None)
    if y is not None and len(y) == nodes and (np.ndim(y) == 1 or np.ndim(y) == 2 and bool(((y == 0) | (y == 1)).all())):
        _set_labels(arrays, y)
    return arrays


def _from_hetero(data: Any, edges: Any, weights: bool) -> Arrays:
    h = Hetero(data, edges, weights)
    arrays = Arrays(h.nodes, h.source, h.target, features=h.features, split=h.masks(data),
                    ids=id_array(h.ids), weight=h.weight)
    y = h.labels(data)
    if y is not None:
        arrays.label, arrays.classes = read_classes(y, h.nodes, "nodes")
    return arrays


def _from_anndata(data: Any, key: Any, weights: bool, use_rep: Optional[str]) -> Arrays:
    """Cells: a graph of obsp, features of X or of obsm."""
    name = "connectivities" if key is None else key
    if name not in data.obsp:
        raise InvalidError(f"obsp has no {name!r}: compute a neighbor graph first "
                           f"(scanpy.pp.neighbors), or pass its key as edge_types=; obsp has "
                           f"{', '.join(map(repr, data.obsp)) or 'none'}")
    if use_rep is not None and use_rep != "X" and use_rep not in data.obsm:
        raise InvalidError(f"use_rep = {use_rep!r}: obsm has "
                           f"{', '.join(map(repr, data.obsm)) or 'none'}; 'X' is the matrix itself")
    if weights and "distance" in str(name):
        warn(f"the weights of obsp[{name!r}] are distances, not similarities: its edges are used with "
             "weight 1")
        weights = False
    x = data.X if use_rep in (None, "X") else data.obsm[use_rep]
    return _from_parts(x, data.obsp[name], Given(ids=list(data.obs_names), weights=weights))


def _from_many(graphs: Any, weights: bool) -> Arrays:
    """Concatenated as one block-diagonal graph."""
    if is_batch(graphs):
        graphs = graphs.to_data_list()
    graphs = [of_dgl(graphs[i]) for i in range(len(graphs))]
    for i, g in enumerate(graphs):
        if is_hetero(g):
            raise InvalidError(f"graph: element {i} has several types of nodes or edges, and graphs of a "
                               "set have one: make each homogeneous, or embed nodes of one alone")
        if not (is_data(g) or is_networkx(g) or is_igraph(g)):
            raise InvalidError(f"graph: element {i} is no graph but {type(g).__name__}")
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
        arrays.graph_label, arrays.classes = read_classes(
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
        return _from_parts(None, x, Given(weights=weights))
    return _from_many(x, weights)


def _nodes_of_graphs(graph: NDArray[np.int64], source: NDArray[np.int64], target: NDArray[np.int64]
                     ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """
    Ends of edges as nodes, where the same number in two graphs is two nodes; and the graph and the number of each. Nodes
    are numbered graph by graph, in order of appearance, as in files.
    """
    both = np.stack([source, target], axis=1).reshape(-1)
    known = int(both.max()) + 1 if both.size else 1
    code, first, place = np.unique(np.repeat(graph, 2) * known + both, return_index=True, return_inverse=True)
    order = np.lexsort((first, code // known))
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    ends = rank[place.reshape(-1)].reshape(-1, 2).T
    return (np.ascontiguousarray(ends[0]), np.ascontiguousarray(ends[1]), code[order] // known, code[order] % known)


def _id_in_set(table: Any, graph: Any, ends: Sequence[Any], id: Any) -> Any:
    """The column of X that holds the ids of nodes, where another one holds those of their graphs."""
    names = column_names(table)
    found = id if id is not None else next((name for name in names if name in ends or
                                            name != graph and plain_name(name) in IDS), None)
    if found is None:
        raise InvalidError(f"X has the graph of each node in its column {graph!r}, and no column of the nodes: name it, "
                           "id=")
    if found not in names:
        raise InvalidError(f"id = {found!r}: X has no such column; it has {', '.join(map(str, names))}")
    return found


def _features_of_set(x: Any, ids: NDArray[Any], named: Columns, id: Any, encode: Optional[Encode]) -> Features:
    """Features of the nodes of several graphs, by their ids GRAPH/NODE; zeros where X has no row."""
    if not is_frame(x) and not is_arrow(x):
        raise InvalidError("X: nothing tells which row is which node of which graph: pass a table whose columns or index "
                           f"hold the ids, such as {ids[0]!r}")
    if named.graph_id in column_names(x):
        node = _id_in_set(x, named.graph_id, (named.source, named.target), id)
        graphs, nodes = (open_table(x, "X").column(name).tolist() for name in (named.graph_id, node))
        keys: list[Any] = [f"{g}/{n}" for g, n in zip(graphs, nodes)]
        features = read_features(drop_columns(x, [named.graph_id, node]), None, encode)
    else:
        features = read_features(x, id, encode)
        keys = ["/".join(map(str, key)) if isinstance(key, tuple) else str(key) for key in features.ids or ()]
        if not keys:
            raise InvalidError(f"X: no column and no index holds the ids of its nodes, such as {ids[0]!r}; name the "
                               f"column, id=, or add a column {named.graph_id!r}")
    place = dict(zip(keys, range(len(keys))))
    if len(place) < len(keys):
        twice = next(key for i, key in enumerate(keys) if place[key] != i)
        raise InvalidError(f"X: two rows are of the node {twice!r}: remove one")
    rows = np.array([place.get(name, -1) for name in ids.tolist()], np.int64)
    found = int((rows >= 0).sum())
    if found == 0:
        raise InvalidError(f"X: none of its {len(keys)} rows is a node of the edges: its ids are such as {keys[0]!r}, those "
                           f"of the edges such as {ids[0]!r}")
    if found < len(ids) or found < len(keys):
        warn(f"X: {len(ids) - found} of {len(ids)} nodes have no row and get zeros; {len(keys) - found} rows belong to no "
             "node of the edges and are not used")
    return take_rows(features, rows)


def _from_graph_column(edges: Any, x: Any, y: Any, given: Given) -> Arrays:
    """A table of edges of several graphs; X by the ids GRAPH/NODE, y by the names of the graphs."""
    if not is_table(edges):
        raise InvalidError("graph_id= goes with a table of edges, such as a DataFrame")
    if given.bipartite:
        raise InvalidError("bipartite=True does not go with graph_id=")
    table = open_table(edges, "edges")
    named, _ = edge_columns(table, given.columns)
    weight = None if named.weight is None else read_weights(table.column(named.weight), len(table),
                                                            Known(weights=given.weights), sums=True)
    column, sources, targets = (table.ends(name) for name in (named.graph_id, named.source, named.target))
    graph, _, graphs = number(column, column, None, None, "")
    source, target, nodes = number(sources, targets, None, None, "")
    graph_ids, names = as_list(graphs), as_list(nodes)
    source, target, of, node = _nodes_of_graphs(graph, source, target)
    if not len(of):
        raise InvalidError("the graph has no nodes: pass features or edges")
    ids = np.empty(len(of), dtype=object)
    ids[:] = [f"{graph_ids[g]}/{names[k]}" for g, k in zip(of.tolist(), node.tolist())]
    arrays = Arrays(len(of), source, target, ids=ids, weight=weight, graph_ids=id_array(graphs, [column]),
                    start=np.searchsorted(of, np.arange(len(graph_ids) + 1)).astype(np.int64))
    if x is not None:
        arrays.features = _features_of_set(x, ids, named, given.id, given.encode)
    if y is not None:
        arrays.graph_label, arrays.classes = read_classes(y, len(graph_ids), "graphs", graph_ids)
    return arrays


WEIGHTS = ("use", "ignore", "log")  # in the order of wgdn_weights
DIRECTED = ("ignore", "forward", "backward", "both")  # in the order of wgdn_direction


def _with_weights(arrays: Arrays, weights: str) -> Arrays:
    """Note what is made of the weights."""
    arrays.weights = WEIGHTS.index(weights)
    if weights == "log" and arrays.weight is None:
        arrays.weight = np.ones(len(arrays.source), np.float32)
    return arrays


def read_inputs(edges: Any, x: Any, *, y: Any = None, splits: Any = None, ids: Any = None, id: Optional[str] = None,
                nodes: Optional[int] = None, columns: Optional[Columns] = None,
                bipartite: Union[bool, Headings, None] = None,
                weights: str = "use", edge_types: Any = None, use_rep: Optional[str] = None,
                attributes: Any = None, encode: Optional[Encode] = None) -> Arrays:
    """A graph, or edges and features, as arrays."""
    if columns is not None and columns.graph_id is not None:
        for name, value in (("splits", splits), ("ids", ids), ("nodes", nodes), ("attributes", attributes),
                            ("edge_types", edge_types), ("use_rep", use_rep), ("type", columns.type)):
            if value is not None:
                raise InvalidError(f"{name}= does not go with graph_id=, a set of graphs")
        arrays = _from_graph_column(edges, x, y, Given(None, id, None, weights != "ignore", columns, bipartite, encode))
        return _with_weights(arrays, weights)
    if isinstance(y, str):
        y = read_labels(edges, y)
    if attributes is not None:
        if x is not None:
            raise InvalidError("attributes= are the features, so X= is not allowed")
        x = read_attributes(edges, attributes)
    elif x is None and ids is None:
        edges = of_dgl(edges)
    if nodes is not None and (not hasattr(nodes, "__index__") or nodes < 1):
        raise InvalidError(f"nodes = {nodes!r}: expected an integer of at least 1")
    if use_rep is not None and not is_anndata(edges):
        raise InvalidError("use_rep goes with an AnnData")
    if edge_types is not None and not is_anndata(edges) and not is_hetero(edges):
        raise InvalidError("edge_types goes with a HeteroData, a DGL graph of several types or an AnnData")
    use = weights != "ignore"
    simple = is_networkx(edges) or is_igraph(edges) or is_dgl(edges)
    if is_whole(edges) and not (simple and (x is not None or ids is not None or nodes is not None)):
        if x is not None:
            raise InvalidError("the graph brings its own features, so X= is not allowed; pass its edges in place of "
                               "the graph")
        if ids is not None or id is not None or nodes is not None:
            raise InvalidError("the graph contains the nodes already; ids=, id= and nodes= go with X and edges")
        if bipartite or any(column is not None for column in (columns or Columns()).__dict__.values()):
            raise InvalidError("the graph contains edges already; source=, target=, weight= and bipartite= go with a "
                               "table of edges")
        arrays = _from_whole(edges, edge_types, use, use_rep)
    else:
        if edges is None and x is not None:
            refuse_edges_as_features(x)
        arrays = _from_parts(x, edges, Given(ids, id, nodes, use, columns or Columns(), bipartite, encode))
    _with_weights(arrays, weights)
    if y is not None:
        _set_labels(arrays, y, x, ids)
    if splits is not None:
        splits = _by_id(splits, arrays, x, ids, "splits")
        arrays.split = read_splits(splits, arrays.nodes, None if arrays.ids is None else arrays.ids.tolist())
    return arrays
