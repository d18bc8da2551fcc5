# SPDX-License-Identifier: Apache-2.0
"""Graphs with several types of nodes and edges: the HeteroData of PyTorch Geometric."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from ._edges import Known, join_weights, read_edges
from ._errors import InvalidError
from ._features import Features, read_features
from ._kinds import as_array


def choose(data: Any, wanted: Any) -> list[tuple[str, str, str]]:
    """Edge types: all of them, or those named by their triples or by the words in the middle."""
    there = list(data.edge_types)
    if wanted is None:
        return there
    single = isinstance(wanted, str) or wanted in there
    chosen = []
    for one in [wanted] if single else wanted:
        found = [t for t in there if one in (t, t[1]) or not isinstance(one, str) and tuple(one) == t]
        if not found:
            raise InvalidError(f"edge_types: the graph has no edge type {one!r}; it has "
                               f"{', '.join(map(str, there))}")
        chosen += [t for t in found if t not in chosen]
    return chosen


def _blocks(parts: list[Optional[NDArray[np.float32]]], counts: list[int]) -> Optional[Features]:
    """Columns of each type beside those of the others; they are zero for nodes of other types."""
    if all(part is None for part in parts):
        return None
    if len(parts) == 1:
        return Features(counts[0], parts[0].shape[1], dense=parts[0])  # type: ignore[union-attr]
    width = [0 if part is None else part.shape[1] for part in parts]
    first = np.concatenate([[0], np.cumsum(width)])
    offset, column, value = [np.zeros(1, np.int64)], [], []
    for part, count, begin in zip(parts, counts, first):
        held = np.zeros((count, 0), np.float32) if part is None else part
        row, place = np.nonzero(held)
        offset.append(offset[-1][-1] + np.cumsum(np.bincount(row, minlength=count)))
        column.append(place + begin)
        value.append(held[row, place])
    return Features(sum(counts), int(first[-1]), offset=np.concatenate(offset).astype(np.int64),
                    column=np.concatenate(column).astype(np.int32),
                    value=np.concatenate(value).astype(np.float32))


def _joined(parts: list[NDArray[Any]]) -> NDArray[Any]:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


class Hetero:
    """The chosen types as one graph: nodes type after type, with ids such as "author:3"."""

    def __init__(self, data: Any, wanted: Any, weights: bool) -> None:
        self.types = choose(data, wanted)
        touched = {name for t in self.types for name in (t[0], t[2])}
        self.names = [n for n in data.node_types if n in touched or wanted is None]
        self.counts = [int(data[name].num_nodes) for name in self.names]
        self.first = dict(zip(self.names, np.concatenate([[0], np.cumsum(self.counts)]).tolist()))
        self.nodes = sum(self.counts)
        self.ids = [f"{name}:{i}" for name, count in zip(self.names, self.counts)
                    for i in range(count)]
        self.features = _blocks([self._dense(data[name]) for name in self.names], self.counts)
        self._read_edges(data, weights)

    def _dense(self, store: Any) -> Optional[NDArray[np.float32]]:
        x = getattr(store, "x", None)
        if x is None:
            return None
        dense = read_features(x).dense
        if dense is None:
            raise InvalidError("graph: the features of a type of nodes are sparse: expected dense ones")
        return dense

    def _read_edges(self, data: Any, weights: bool) -> None:
        parts = []
        known = Known(self.nodes, weights=weights)
        for t in self.types:
            index = getattr(data[t], "edge_index", None)
            if index is None:
                raise InvalidError(f"graph: the edge type {t} has no edge_index")
            pair = [as_array(side, "edge_index").astype(np.int64, copy=False) for side in index]
            for side, end in zip(pair, (t[0], t[2])):
                limit = int(data[end].num_nodes)
                if side.size and (side.min() < 0 or side.max() >= limit):
                    raise InvalidError(f"graph: the edge type {t} names a node beyond the {limit} of "
                                       f"type {end!r}")
            given = getattr(data[t], "edge_weight", None)
            shifted = [side + self.first[end] if self.first[end] else side
                       for side, end in zip(pair, (t[0], t[2]))]
            parts.append(read_edges((*shifted,) if given is None else (*shifted, given), known))
        if not parts:
            raise InvalidError("the graph is a HeteroData without edges")
        self.source = _joined([p.source for p in parts])
        self.target = _joined([p.target for p in parts])
        every = join_weights(parts)
        self.weight = None if every is None or (every == 1).all() else every

    def labels(self, data: Any) -> Optional[NDArray[np.object_]]:
        """y of each node of the one type that has it, None for the others."""
        having = [n for n in self.names if getattr(data[n], "y", None) is not None and np.ndim(data[n].y) == 1]
        if not having:
            return None
        if len(having) > 1:
            raise InvalidError(f"graph: several types of nodes have y ({', '.join(having)}): pass y= with "
                               "a label or None for each node, in the order of the types")
        y = np.full(self.nodes, None, dtype=object)
        begin = self.first[having[0]]
        values = as_array(data[having[0]].y, "y").tolist()
        y[begin:begin + len(values)] = values
        return y

    def masks(self, data: Any) -> Optional[NDArray[np.int8]]:
        """Splits of the types that have masks; the other nodes are in none."""
        split: Optional[NDArray[np.int8]] = None
        for name, count in zip(self.names, self.counts):
            for number, word in enumerate(("train_mask", "val_mask", "test_mask"), start=1):
                mask = getattr(data[name], word, None)
                if mask is None:
                    continue
                columns = np.asarray(mask, dtype=bool).reshape(count, -1).T
                if split is None:
                    split = np.zeros((len(columns), self.nodes), np.int8)
                begin = self.first[name]
                split[:, begin:begin + count][columns] = number
        return split
