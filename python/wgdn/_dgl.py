# SPDX-License-Identifier: Apache-2.0
"""Graphs of DGL, seen as the Data or the HeteroData of PyTorch Geometric that they correspond to."""
from __future__ import annotations

from typing import Any, Optional

from ._errors import warn
from ._kinds import as_array, is_dgl

# What DGL's own datasets call it, in the words of PyTorch Geometric.
NAMES = {"x": "feat", "y": "label", "train_mask": "train_mask", "val_mask": "val_mask",
         "test_mask": "test_mask"}


def _weights(held: Any) -> Optional[Any]:
    """Of edges: a column 'weight', or 'w' for short."""
    for name in ("weight", "w"):
        if name in held:
            return as_array(held[name], f"edata[{name!r}]").reshape(len(held[name]), -1)[:, 0]
    return None


class Nodes:
    """A type of nodes; what it has not got is None."""

    def __init__(self, graph: Any, name: str) -> None:
        self.num_nodes = int(graph.num_nodes(name))
        held = graph.nodes[name].data
        for theirs, ours in NAMES.items():
            setattr(self, theirs, held[ours] if ours in held else None)
        wide = [k for k in held if k not in NAMES.values() and held[k].ndim == 2]
        if "feat" not in held and wide:
            warn(f"ndata has {', '.join(map(repr, wide))}, but no 'feat': no features are used; "
                 f"attributes={wide[0]!r} takes one")


class Ends:
    """A type of edges."""

    def __init__(self, graph: Any, triple: tuple[str, str, str]) -> None:
        source, target = graph.edges(etype=triple, order="eid")
        self.edge_index = as_array(source, "edges"), as_array(target, "edges")
        self.edge_weight = _weights(graph.edges[triple].data)


class One(Nodes):
    """A graph with one type of each."""

    def __init__(self, graph: Any) -> None:
        super().__init__(graph, graph.ntypes[0])
        ends = Ends(graph, graph.canonical_etypes[0])
        self.edge_index, self.edge_weight = ends.edge_index, ends.edge_weight


class Several:
    """A graph with several types of nodes or edges."""

    def __init__(self, graph: Any) -> None:
        self.node_types, self.edge_types = list(graph.ntypes), list(graph.canonical_etypes)
        self._held: dict[Any, Any] = {t: Nodes(graph, t) for t in self.node_types}
        self._held.update({t: Ends(graph, t) for t in self.edge_types})

    def __getitem__(self, name: Any) -> Any:
        return self._held[name]


def has_one_type(graph: Any) -> bool:
    return len(graph.ntypes) == 1 and len(graph.canonical_etypes) == 1


def of_dgl(graph: Any) -> Any:
    """What is no graph of DGL stays as it is."""
    if not is_dgl(graph):
        return graph
    return One(graph) if has_one_type(graph) else Several(graph)
