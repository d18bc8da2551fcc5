# SPDX-License-Identifier: Apache-2.0
"""What graph objects hold beside their nodes: attributes as features, names of labels."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

from ._errors import InvalidError
from ._kinds import as_array, is_anndata, is_dgl, is_igraph, is_networkx


def _of_nodes(graph: Any, name: str, what: str) -> list[Any]:
    """An attribute of every node."""
    if is_dgl(graph):
        if name not in graph.ndata:
            raise InvalidError(f"{what}: {name!r} is missing; ndata has "
                               f"{', '.join(map(repr, graph.ndata)) or 'none'}")
        return list(as_array(graph.ndata[name], name))
    if is_igraph(graph):
        if name not in graph.vs.attributes():
            raise InvalidError(f"{what}: {name!r} is missing; nodes have "
                               f"{', '.join(map(repr, graph.vs.attributes())) or 'none'}")
        return list(graph.vs[name])
    for node, held in graph.nodes(data=True):
        if name not in held:
            raise InvalidError(f"{what}: {name!r} is missing at node {node!r}, which has "
                               f"{', '.join(map(repr, held)) or 'none'}")
    return [held[name] for _, held in graph.nodes(data=True)]


def read_attributes(graph: Any, names: Union[str, Sequence[str]]) -> NDArray[np.float32]:
    """Features of attributes that are numbers, or vectors of the same length."""
    if not is_networkx(graph) and not is_igraph(graph) and not is_dgl(graph):
        raise InvalidError("attributes go with a graph of NetworkX, igraph or DGL")
    blocks = []
    for name in [names] if isinstance(names, str) else names:
        values = _of_nodes(graph, name, "attributes")
        try:
            blocks.append(np.array(values, dtype=np.float32).reshape(len(values), -1))
        except (TypeError, ValueError):
            raise InvalidError(f"attributes: {name!r} is not numbers, or vectors of one length, at "
                               f"every node; it is {values[0]!r} at the first") from None
    return np.hstack(blocks)


def read_labels(x: Any, name: str) -> Any:
    """Labels by name: an attribute of the nodes, or a column of obs."""
    if is_networkx(x) or is_igraph(x) or is_dgl(x):
        return _of_nodes(x, name, f"y = {name!r}")
    if is_anndata(x):
        if name not in x.obs:
            raise InvalidError(f"y = {name!r}: obs has {', '.join(map(repr, x.obs)) or 'none'}")
        return x.obs[name].to_numpy()
    raise InvalidError(f"y = {name!r}: a name goes with a graph of NetworkX, igraph or DGL, or with "
                       "an AnnData; expected labels")
