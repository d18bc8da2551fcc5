# SPDX-License-Identifier: Apache-2.0
"""HeteroData: several types of nodes and edges as one graph."""
import numpy as np
import pytest

import wgdn

torch = pytest.importorskip("torch")
geometric = pytest.importorskip("torch_geometric")


@pytest.fixture
def shop():
    """3 people with 2 features, 4 things with 3, 2 shops without."""
    data = geometric.data.HeteroData()
    data["person"].x = torch.tensor([[1.0, 2], [3, 0], [5, 6]])
    data["thing"].x = torch.arange(12.0).reshape(4, 3)
    data["thing"].y = torch.tensor([0, 1, 1, 0])
    data["thing"].train_mask = torch.tensor([True, False, False, True])
    data["shop"].num_nodes = 2
    data["person", "buys", "thing"].edge_index = torch.tensor([[0, 1, 2], [0, 1, 3]])
    data["person", "knows", "person"].edge_index = torch.tensor([[0], [1]])
    data["shop", "sells", "thing"].edge_index = torch.tensor([[0, 1], [2, 3]])
    return data


def test_types_are_stacked(shop):
    d = wgdn.Graph(shop)
    assert (d.nodes, d.edges, d.n_features) == (9, 6, 5)
    assert d.ids.tolist() == [f"person:{i}" for i in range(3)] + \
        [f"thing:{i}" for i in range(4)] + ["shop:0", "shop:1"]
    dense = d.X.toarray()
    np.testing.assert_array_equal(dense[:3, :2], shop["person"].x)
    np.testing.assert_array_equal(dense[3:7, 2:], shop["thing"].x)
    assert dense.sum() == shop["person"].x.sum() + shop["thing"].x.sum()
    assert d.y.tolist() == [-1] * 3 + [0, 1, 1, 0] + [-1] * 2
    assert d.splits.tolist() == [[0, 0, 0, 1, 0, 0, 1, 0, 0]]


def test_edges_are_those_of_the_types(shop):
    """The same graph by hand gives the same bits."""
    d = wgdn.Graph(shop)
    edges = ([0, 1, 2, 0, 7, 8], [3, 4, 6, 1, 5, 6])
    expected = wgdn.embed(wgdn.Graph(edges, d.X), dim=8, scale=1)  # structure depends on ids
    assert wgdn.embed(shop, dim=8, scale=1).tobytes() == expected.tobytes()
    model = wgdn.FilterEmbedding(dim=8, scale=1).fit(shop)
    np.testing.assert_array_equal(model.embed(shop)["thing:3"], expected[6])


@pytest.mark.parametrize("wanted, nodes, edges", [
    ("buys", 7, 3), (("person", "buys", "thing"), 7, 3), (["buys", "knows"], 7, 4),
    ([("shop", "sells", "thing")], 6, 2), ("knows", 3, 1)])
def test_chosen_types(shop, wanted, nodes, edges):
    d = wgdn.Graph(shop, edge_types=wanted)
    assert (d.nodes, d.edges) == (nodes, edges)


def test_weights(shop):
    shop["person", "buys", "thing"].edge_weight = torch.tensor([1.0, 2, 3])
    assert wgdn.Graph(shop).counts["weighted"] == 1
    assert wgdn.Graph(shop, weights="ignore").counts["weighted"] == 0


def test_refusals(shop):
    for many in ([shop, shop], [geometric.data.Data(num_nodes=2, edge_index=torch.tensor([[0], [1]])), shop]):
        with pytest.raises(ValueError, match=f"element {many.index(shop)} has several types"):
            wgdn.Graph(many)
    with pytest.raises(ValueError, match="no edge type 'eats'; it has"):
        wgdn.Graph(shop, edge_types="eats")
    shop["person"].y = torch.tensor([0, 1, 0])
    with pytest.raises(ValueError, match="several types of nodes have y"):
        wgdn.Graph(shop)
    del shop["person"].y
    shop["person", "knows", "person"].edge_index = torch.tensor([[0], [5]])
    with pytest.raises(ValueError, match="beyond the 3 of type 'person'"):
        wgdn.Graph(shop)
