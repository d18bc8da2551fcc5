# SPDX-License-Identifier: Apache-2.0
"""Edges of all supported types, converted to arrays of node indices and weights."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from ._dgl import Ends, has_one_type
from ._errors import InvalidError, warn
from ._kinds import as_array, is_dgl, is_igraph, is_networkx, is_sparse, is_sparse_tensor, is_table, refuse_records
from ._names import Texts, as_held, as_list, clean, find, id_array, in_order, keep_ids, number, number_two_kinds
from ._tables import Columns, edge_columns, open_table

Int64 = NDArray[np.int64]
SHAPES = ("(sources, targets), a list of pairs, an array of shape (2, m) or (m, 2), an adjacency "
          "matrix, a table with the columns source and target, or a graph of NetworkX or igraph")


class Headings:
    """As bipartite=: headings such as user and item mean two kinds of nodes even where no id is in both columns, as in the program's
    recommendations."""

    def __bool__(self) -> bool:
        return False


HEADINGS = Headings()


@dataclass
class Edges:
    source: Int64
    target: Int64
    nodes: int  # lower bound: the largest index + 1
    ids: Optional[NDArray[Any]]  # by index; None: no ids
    whole: bool  # whether `nodes` is exact
    weight: Optional[NDArray[np.float32]] = None  # None: 1
    type: Optional[NDArray[np.int32]] = None  # of each edge, among type_names
    type_names: Optional[list[str]] = None
    kinds: Optional[NDArray[np.object_]] = None  # of each node, where there are two


@dataclass
class Known:
    """What is known of the nodes before edges are read."""

    rows: Optional[int] = None  # how many there are
    ids: Optional[Sequence[Any]] = None
    where: str = "ids"  # what the ids are, for messages
    weights: bool = True  # whether weights are used; one of 0 is no edge in any case
    columns: Columns = field(default_factory=Columns)  # of a table of edges, as the caller has named them
    bipartite: Union[bool, Headings, None] = None  # whether an id in both columns of a table is two nodes; None: by the headings


def read_weights(values: Any, edges: int, known: Known, sums: bool = False) -> Optional[NDArray[np.float32]]:
    """Weights of edges; None if all are 1, unless those of repeated edges add up."""
    w = as_array(values, "weights of edges").reshape(-1)
    if len(w) != edges:
        raise InvalidError(f"edges: {len(w)} weights for {edges} edges")
    if w.dtype.kind == "O" and all(hasattr(v, "__float__") for v in w):
        w = w.astype(np.float64)
    if w.dtype.kind not in "biuf":
        odd = next((v for v in w.tolist() if not hasattr(v, "__float__")), w[0])
        raise InvalidError(f"edges: expected numbers as weights, got {odd!r}")
    if not known.weights:
        w = w != 0
    if not (w != 1).any() and not (sums and known.weights):
        return None
    if w.dtype.kind == "b":
        return w.astype(np.float32)
    wrong = ~np.isfinite(w) | (w < 0)
    if wrong.any():
        k = int(np.flatnonzero(wrong)[0])
        said = "is negative" if w[k] < 0 and np.isfinite(w[k]) else "is not finite"
        raise InvalidError(f"edges: the weight {w[k]} of edge {k} {said}; weights='ignore' takes the edges alone")
    return np.ascontiguousarray(w, dtype=np.float32)


def _from_indices(source: Any, target: Any, weight: Any = None) -> Edges:
    """Node indices, borrowed if they are int64."""
    s, t = (np.ascontiguousarray(x, dtype=np.int64) for x in (source, target))
    nodes = int(max(s.max(), t.max())) + 1 if s.size else 0
    return Edges(s, t, nodes, None, False, weight)


def _refuse_unclear(s: Int64, known: Known) -> None:
    """Where ids are integers other than 0, 1, ..., those of arrays might be either."""
    ids = known.ids
    if s.size and ids is not None and any(isinstance(i, (int, np.integer)) for i in ids) \
            and not in_order(ids, len(ids)):
        raise InvalidError(f"edges: the nodes have integers as {known.where}, so integers in arrays "
                           "and lists may be ids or rows: pass a table, {'source': ..., 'target': "
                           "...}, for ids, or nodes without ids for rows")


def _from_ends(source: Any, target: Any, weight: Any, known: Known) -> Edges:
    """Arrays of endpoints: integers are indices, text is names."""
    s, t = as_array(source, "sources of edges"), as_array(target, "targets of edges")
    if s.shape != t.shape:
        raise InvalidError(f"edges: sources and targets differ, of shapes {s.shape} and {t.shape}")
    if s.ndim != 1 or s.size and "f" in (s.dtype.kind, t.dtype.kind):
        raise InvalidError(f"edges: expected integers in one dimension, got {s.dtype} of shape "
                           f"{s.shape}")
    w = None if weight is None else read_weights(weight, len(s), known)
    one, other = as_held(s), as_held(t)
    if isinstance(one, Texts) and isinstance(other, Texts):
        return _from_names(one, other, w, known)
    s, t = clean(s, "sources of edges"), clean(t, "targets of edges")
    if s.dtype == t.dtype == np.int64:
        _refuse_unclear(s, known)
        return _from_indices(s, t, w)
    return _from_names(s, t, w, known)


def _from_names(source: Any, target: Any, weight: Any, known: Known) -> Edges:
    s, t, names = number(source, target, known.rows, known.ids, known.where)
    if names is None:  # rows, with ids or without
        count = len(known.ids) if known.ids is not None else known.rows
        return Edges(s, t, int(count or 0), None, True, weight)
    return Edges(s, t, len(names), keep_ids(names, len(names), (source, target)), True, weight)


def _shared_id(source: Any, target: Any) -> Any:
    """An id that is in both columns; None if there is none."""
    s, t, names = number(source, target, None, None, "")
    there = np.zeros(len(names), np.bool_)
    there[s] = True
    both = t[there[t]]
    return as_list(names)[int(both[0])] if both.size else None


def _from_two_kinds(source: Any, target: Any, weight: Any, known: Known, kinds: tuple[str, str]) -> Edges:
    """An id in both columns is two nodes. Where X has ids, these are KIND:ID."""
    if known.ids is None and known.rows is not None:
        raise InvalidError("X has no ids, so nothing tells which row is which node of two kinds: pass ids= such as "
                           f"'{kinds[0]}:1' and '{kinds[1]}:1', one for each row")
    s, t, names, first = number_two_kinds(source, target)
    if known.ids is None:
        kind = np.array(kinds, dtype=object)[np.asarray(first, np.int64)]
        return Edges(s, t, len(names), id_array(names, (source, target)), True, weight, kinds=kind)
    texts = np.array([f"{kinds[k]}:{name}" for name, k in zip(names, first)], dtype=object)
    try:
        place = find(texts, known.ids, "edges", known.where)
    except InvalidError as error:
        raise InvalidError(f"{error}. {kinds[0]!r} and {kinds[1]!r} are two kinds of nodes, so the ids of X are heading and "
                           "id; bipartite=False reads them as one kind") from None
    return Edges(place[s], place[t], len(known.ids), None, True, weight)


def _are_two_kinds(source: Any, target: Any, known: Known, kinds: tuple[str, str]) -> bool:
    """Whether an id that is in both columns, whose headings mean two kinds of nodes, makes two nodes, as in files."""
    if known.rows is not None and known.ids is None:  # integers are rows
        return False
    shared = _shared_id(source, target)
    if shared is None:
        return False
    warn(f"edges: {kinds[0]!r} and {kinds[1]!r} are two kinds of nodes: an id in both columns, such as {shared!r}, is two "
         "nodes, as in files; bipartite=False reads it as one, and bipartite=True confirms two")
    return True


def _from_table(edges: Any, known: Known) -> Edges:
    """Endpoints are ids, or rows if the rows have none."""
    table = open_table(edges, "edges")
    named, two_kinds = edge_columns(table, known.columns)
    w = None if named.weight is None else read_weights(table.column(named.weight), len(table), known, sums=True)
    source, target, kinds = table.ends(named.source), table.ends(named.target), (str(named.source), str(named.target))
    if known.bipartite or two_kinds and (isinstance(known.bipartite, Headings) or known.bipartite is None and
                                         _are_two_kinds(source, target, known, kinds)):
        e = _from_two_kinds(source, target, w, known, kinds)
    else:
        e = _from_names(source, target, w, known)
    if named.type is not None:
        names, place = np.unique(np.array([str(v) for v in table.column(named.type).tolist()], dtype=object),
                                 return_inverse=True)
        e.type, e.type_names = place.reshape(-1).astype(np.int32), names.tolist()
    return e


def _from_array(a: NDArray[Any], known: Known) -> Edges:
    """2 x m as PyTorch Geometric has it, m x 2, or an adjacency matrix."""
    if a.shape == (2, 2):
        raise InvalidError("edges of shape (2, 2) are ambiguous: pass (sources, targets) as arrays, "
                           "or a list of pairs")
    if a.ndim == 2 and a.shape[0] == 2:
        return _from_ends(a[0], a[1], None, known)
    if a.ndim == 2 and a.shape[1] == 2:
        return _from_ends(a[:, 0], a[:, 1], None, known)
    if a.ndim == 2 and a.shape[0] == a.shape[1] and a.size and a.dtype.kind in "biuf":
        source, target = np.nonzero(a)
        return Edges(source.astype(np.int64), target.astype(np.int64), len(a), None, True,
                     read_weights(a[source, target], len(source), known))
    raise InvalidError(f"edges: expected {SHAPES}; got {a.dtype} of shape {a.shape}")


def _from_sparse(a: Any, known: Known) -> Edges:
    """An adjacency matrix; or, of two kinds of nodes, a matrix of users x items."""
    if a.shape[0] != a.shape[1] and not known.bipartite:
        raise InvalidError(f"edges: expected a square adjacency matrix, got shape {a.shape}; bipartite=True reads rows and columns as "
                           "two kinds of nodes, and features are X, the second argument")
    coo = a.tocoo()
    values, row, col = np.asarray(coo.data), coo.row, coo.col
    there = values != 0
    if not there.all():
        values, row, col = values[there], row[there], col[there]
    e = Edges(np.ascontiguousarray(row, dtype=np.int64), np.ascontiguousarray(col, dtype=np.int64), int(a.shape[0]), None, True,
              read_weights(values, len(values), known))
    if known.bipartite:
        users, items = map(int, a.shape)
        e.target, e.nodes = e.target + users, users + items
        e.ids = np.concatenate([np.arange(users), np.arange(items)])
        e.kinds = np.array(["user"] * users + ["item"] * items, dtype=object)
    return e


def _from_sparse_tensor(a: Any, known: Known) -> Edges:
    if hasattr(a, "sparse_sizes"):  # of PyTorch Geometric
        sizes, (row, col, value) = a.sparse_sizes(), a.coo()
    else:
        coo = a.to_sparse_coo().coalesce()
        sizes, (row, col), value = tuple(coo.shape), coo.indices(), coo.values()
    if sizes[0] != sizes[1]:
        raise InvalidError(f"edges: expected a square adjacency matrix, got shape {tuple(sizes)}")
    e = _from_ends(row, col, value, known)
    if e.weight is not None and not e.weight.all():
        keep = e.weight != 0
        e.source, e.target, e.weight = e.source[keep], e.target[keep], e.weight[keep]
    e.nodes, e.whole = int(sizes[0]), True
    return e


def _from_networkx(graph: Any, known: Known) -> Edges:
    names = list(graph.nodes)
    place = {name: i for i, name in enumerate(names)}
    ends, weights = [], []
    for edge in graph.edges(data="weight", default=1):
        ends += [place[edge[0]], place[edge[1]]]
        weights.append(edge[2])
    pairs = np.array(ends, np.int64)
    return Edges(np.ascontiguousarray(pairs[0::2]), np.ascontiguousarray(pairs[1::2]), len(names),
                 keep_ids(names, len(names)), True, read_weights(weights, len(weights), known))


def _from_igraph(graph: Any, known: Known) -> Edges:
    pairs = np.array(graph.get_edgelist(), np.int64).reshape(-1, 2)
    nodes = int(graph.vcount())
    names = list(graph.vs["name"]) if "name" in graph.vs.attributes() else None
    weight = graph.es["weight"] if "weight" in graph.es.attributes() else None
    return Edges(np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1]), nodes,
                 keep_ids(names, nodes), True,
                 None if weight is None else read_weights(weight, len(pairs), known))


def _from_dgl(graph: Any, known: Known) -> Edges:
    if not has_one_type(graph):
        raise InvalidError("edges: a graph of DGL with several types of nodes or edges brings its own features: leave "
                           "out X=, ids= and nodes=; edge_types= chooses among its edges")
    ends = Ends(graph, graph.canonical_etypes[0])
    e = _from_ends(*ends.edge_index, ends.edge_weight, known)
    e.nodes, e.whole = int(graph.num_nodes()), True
    return e


def _is_listed(x: Any) -> bool:
    return isinstance(x, (tuple, list))


def _is_pairs(x: Any) -> bool:
    """[(a, b), (a, b, weight), ...]: a list of short tuples; or more than three lists of three."""
    if not isinstance(x, list) or not x:
        return False
    types = set(map(type, x))
    if not all(issubclass(t, (tuple, list)) for t in types):
        return False
    lengths = set(map(len, x))
    return lengths <= {2, 3} if all(issubclass(t, tuple) for t in types) else len(x) > 3 and lengths == {3}


def _from_pairs(edges: Any, known: Known) -> Edges:
    if len(set(map(len, edges))) > 1:
        raise InvalidError("edges: some have a weight and others have none")
    source, target, *weight = (list(map(itemgetter(k), edges)) for k in range(len(edges[0])))
    return _from_ends(_column(source), _column(target), weight[0] if weight else None, known)


def _column(values: Sequence[Any]) -> NDArray[Any]:
    """np.array() would make text of numbers beside text, and split tuples."""
    types = set(map(type, values))
    if all(issubclass(t, (int, np.integer)) for t in types):
        return np.array(values)
    out = np.empty(len(values), dtype=object)
    out[:] = values if types == {str} else as_list(values)
    return out


def _from_listed(edges: Any, known: Known) -> Edges:
    """(sources, targets) or (sources, targets, weights), or rows of an array."""
    parts = [p if hasattr(p, "shape") else _column(p) if _is_listed(p) else p for p in edges]
    if isinstance(edges, list) and len(edges) == 3 and all(_is_listed(p) and len(p) == 3 for p in edges):
        raise InvalidError("edges: three lists of three numbers are three weighted edges or an adjacency matrix of "
                           "three nodes: pass tuples, [(a, b, weight), ...], for edges, or np.array(...) for a matrix")
    ends = len(edges) == 2 or (len(edges) == 3 and isinstance(edges, tuple))
    unclear = isinstance(edges, list) or isinstance(edges[0], tuple)
    if ends and all(hasattr(p, "__len__") for p in parts):
        if unclear and all(_is_listed(p) and len(p) == 2 for p in edges):
            raise InvalidError("edges of shape (2, 2) are ambiguous: pass (sources, targets) as a "
                               "tuple of lists or arrays, or a list of tuples [(a, b), ...]")
        return _from_ends(parts[0], parts[1], edges[2] if len(edges) == 3 else None, known)
    return _from_array(as_array(edges, "edges"), known)


# The first kind that fits reads the edges.
READERS: tuple[tuple[Callable[[Any], bool], Callable[[Any, Known], Edges]], ...] = (
    (is_networkx, _from_networkx),
    (is_igraph, _from_igraph),
    (is_dgl, _from_dgl),
    (is_sparse, _from_sparse),
    (is_sparse_tensor, _from_sparse_tensor),
    (is_table, _from_table),
    (_is_pairs, _from_pairs),
    (_is_listed, _from_listed),
    (lambda x: True, lambda x, known: _from_array(as_array(x, "edges"), known)),
)


def join_weights(parts: Sequence[Any]) -> Optional[NDArray[np.float32]]:
    """Of edges in several parts, each with a source and a weight; None where none has weights."""
    if all(p.weight is None for p in parts):
        return None
    return np.concatenate([np.ones(len(p.source), np.float32) if p.weight is None else p.weight
                           for p in parts])


def read_edges(edges: Any, known: Optional[Known] = None) -> Edges:
    """Edges of a graph, with what is known of its nodes."""
    if edges is None or isinstance(edges, (list, tuple)) and len(edges) == 0:
        none = np.zeros(0, np.int64)
        return Edges(none, none, 0, None, False)
    known = known or Known()
    refuse_records(edges, "edges")
    if type(edges).__name__ == "Embedding":
        raise InvalidError("edges: an Embedding has vectors and no edges: pass the graph that it was made from")
    if hasattr(edges, "iloc") and not hasattr(edges, "columns"):
        raise InvalidError("edges: a Series of pandas is one column; if its index has the ends of edges, pass series.reset_index()")
    read = next(read for fits, read in READERS if fits(edges))
    if read is not _from_table:
        named = [f"{name}=" for name, column in known.columns.__dict__.items() if column is not None]
        named += ["bipartite=True"] if known.bipartite and read is not _from_sparse else []
        if named:
            raise InvalidError(f"{', '.join(named)}: these go with a table of edges, such as a DataFrame"
                               + ("; weights of arrays are a third one, (sources, targets, weights)" if named == ["weight="] else "")
                               + ("; bipartite=True also with a SciPy matrix of users x items" if known.bipartite else ""))
    return read(edges, known)
