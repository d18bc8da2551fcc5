# SPDX-License-Identifier: Apache-2.0
"""Graphs of DGL: one type of nodes and edges, several, sets of graphs."""
import os
import warnings

import numpy as np
import pytest
from graphs import rings

import wgdn

os.environ.setdefault("DGLBACKEND", "pytorch")  # else it writes its choice into the home folder
torch = pytest.importorskip("torch")
dgl = pytest.importorskip("dgl")

X, (SOURCE, TARGET), Y = rings()
N = len(X)


def graph(**edata):
    made = dgl.graph((torch.from_numpy(SOURCE), torch.from_numpy(TARGET)), num_nodes=N)
    made.ndata["feat"], made.ndata["label"] = torch.from_numpy(X.copy()), torch.from_numpy(Y)
    made.edata.update({k: torch.from_numpy(v) for k, v in edata.items()})
    return made


def bits(*given, **named):
    return wgdn.FilterEmbedding(dim=8, features="both").fit_transform(*given, **named).tobytes()


def test_same_as_arrays():
    g = graph()
    g.ndata["train_mask"] = torch.arange(N) % 3 == 0
    d = wgdn.Graph(g)
    assert (d.nodes, d.edges, d.n_features) == (N, len(SOURCE), X.shape[1])
    assert d.y.tolist() == Y.tolist() and d.splits.sum() == (N + 2) // 3
    expected = bits(X, graph=(SOURCE, TARGET))
    assert bits(g) == expected
    assert bits(X, graph=g) == expected  # features of one's own, the edges of the graph
    assert wgdn.embed(g, X, dim=8).tobytes() == wgdn.embed((SOURCE, TARGET), X, dim=8).tobytes()


@pytest.mark.parametrize("name, shape", [("weight", (-1,)), ("w", (-1, 1))])
def test_weights(name, shape):
    w = (1 + np.arange(len(SOURCE)) % 4).astype(np.float32)
    g = graph(**{name: w.reshape(shape)})
    assert bits(g) == bits(X, graph=(SOURCE, TARGET, w)) != bits(X, graph=(SOURCE, TARGET))
    assert wgdn.Graph(g, weights="ignore").counts["weighted"] == 0


def test_other_names():
    g = graph()
    g.ndata["h"] = g.ndata.pop("feat")
    g.ndata["club"] = g.ndata.pop("label")
    with pytest.warns(UserWarning, match="'h', but no 'feat': no features are used"):
        assert wgdn.Graph(g).n_features == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        d = wgdn.Graph(g, attributes="h", y="club")
    assert (d.X == X).all() and (d.y == Y).all()
    with pytest.raises(ValueError, match="attributes: 'z' is missing; ndata has 'h', 'club'"):
        wgdn.Graph(g, attributes="z")


def test_several_types():
    """The HeteroData of the same edges gives the same bits."""
    geometric = pytest.importorskip("torch_geometric")
    buys, knows = ([0, 1, 2], [0, 1, 3]), ([0], [1])
    g = dgl.heterograph({("person", "buys", "thing"): buys, ("person", "knows", "person"): knows})
    g.nodes["thing"].data["feat"] = torch.arange(12.0).reshape(4, 3)
    g.nodes["thing"].data["label"] = torch.tensor([0, 1, 1, 0])
    data = geometric.data.HeteroData()
    data["person"].num_nodes = 3
    data["thing"].x, data["thing"].y = torch.arange(12.0).reshape(4, 3), torch.tensor([0, 1, 1, 0])
    data["person", "buys", "thing"].edge_index = torch.tensor(buys)
    data["person", "knows", "person"].edge_index = torch.tensor(knows)
    ours, theirs = wgdn.Graph(g), wgdn.Graph(data)
    assert ours.ids.tolist() == theirs.ids.tolist() and ours.y.tolist() == theirs.y.tolist()
    assert wgdn.embed(g, dim=8).tobytes() == wgdn.embed(data, dim=8).tobytes()
    assert (wgdn.Graph(g, edge_types="knows").nodes, wgdn.Graph(g, edge_types="knows").edges) == (3, 1)
    with pytest.raises(ValueError, match="no edge type 'eats'; it has"):
        wgdn.Graph(g, edge_types="eats")
    with pytest.raises(ValueError, match="several types of nodes or edges brings its own features"):
        wgdn.Graph(g, X)


def test_sets_of_graphs():
    expected = wgdn.FilterEmbedding(dim=8).fit_transform(wgdn.Graph(graph()))
    made = wgdn.Graph([graph(), graph(), graph()])
    assert made.graphs == 3 and made.nodes == 3 * N and len(expected) == N
    rows = wgdn.FilterEmbedding(dim=8).fit_transform([graph(), graph()])
    assert len(rows) == 2 and rows[0].tobytes() == rows[1].tobytes()
