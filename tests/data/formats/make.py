#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The files of this folder, written by the tools that people have them from.

    python3 make.py         # networkx igraph pandas pyarrow tables openpyxl fastavro scipy
    python3 make.py torch   # torch_geometric
"""
import json
import sys


def club(kind):
    """Five people, one of them alone; numbers, a class, weights and a second attribute."""
    g = kind()
    people = (("ann", 31, True, "red"), ("bob", 28, False, "blue"), ('zoë "z"', 40, True, "red"),
              ("dan", 55, False, "blue"), ("eve", 19, True, "red"))
    for name, age, on, team in people:
        g.add_node(name, age=age, active=on, **{"class": team}, motto="of " + team)
    del g.nodes["eve"]["age"]
    g.add_edge("ann", "bob", weight=2.5, kind="friend")
    g.add_edge("bob", 'zoë "z"', weight=1.0, kind="work")
    g.add_edge('zoë "z"', "ann", weight=0.5, kind="work")
    g.add_edge("ann", "dan", kind="friend")
    return g


def graphs():
    import igraph
    import networkx as nx
    g = club(nx.Graph)
    nx.write_gexf(g, "club.gexf")
    nx.write_gexf(club(nx.DiGraph), "directed.gexf")
    nx.write_gml(g, "club.gml")
    nx.write_edgelist(nx.relabel_nodes(g, {'zoë "z"': "zoë"}), "club.edgelist")
    nx.write_edgelist(nx.grid_2d_graph(2, 3), "grid.edgelist", delimiter=",")
    for key in "links", "edges":
        json.dump(nx.node_link_data(g, edges=key), open(f"club_{key}.json", "w"), indent=1)
    json.dump(nx.node_link_data(nx.grid_2d_graph(2, 3), edges="links"), open("grid.json", "w"))
    for i, n in enumerate(g):  # as Gephi saves it: captions, colours, places
        g.nodes[n]["viz"] = {"color": {"r": 9 * i, "g": 0, "b": 0, "a": 1.0}, "size": 4.0,
                             "position": {"x": float(i), "y": 1.0, "z": 0.0}}
    nx.write_gexf(nx.convert_node_labels_to_integers(g, label_attribute="label"), "viz.gexf")
    z = igraph.Graph.Famous("Zachary")
    z.vs["name"] = [f"p{i}" for i in range(z.vcount())]
    z.vs["part"] = [i % 3 for i in range(z.vcount())]
    z.es["weight"] = [1.5] * z.ecount()
    z.write_gml("zachary.gml")


def tables():
    import fastavro
    import pandas
    import scipy.sparse
    import sqlite3
    t = pandas.DataFrame({"source": ["ann", "bob", "ann", "dan"], "target": ["bob", "cleo", "cleo", "ann"]})
    t.to_parquet("edges.parquet")
    t.to_feather("edges.feather")
    t.to_orc("edges.orc")
    t.to_hdf("edges.h5", key="edges", complevel=9)
    t.to_pickle("edges.pkl")
    t.to_excel("edges.xlsx", index=False)
    with sqlite3.connect("edges.sqlite") as db:
        db.execute("PRAGMA page_size = 512")
        t.to_sql("edges", db, index=False)
    fields = [{"name": n, "type": "string"} for n in t.columns]
    with open("edges.avro", "wb") as f:
        fastavro.writer(f, {"type": "record", "name": "edge", "fields": fields}, t.to_dict("records"))
    scipy.sparse.save_npz("coo.npz", scipy.sparse.coo_matrix(([2.0, 1, 1], ([0, 1, 2], [1, 2, 3])), (5, 5)))


def torch():
    import numpy
    import torch
    from torch_geometric.data import Data
    from torch_geometric.transforms import RandomNodeSplit, ToUndirected
    torch.manual_seed(1)
    d = Data(x=torch.randn(12, 3), y=torch.arange(12) % 3, edge_index=torch.stack([torch.arange(10), torch.arange(1, 11)]),
             edge_weight=torch.arange(1, 11) / 2)
    d = RandomNodeSplit(num_splits=2, num_val=3, num_test=3)(ToUndirected()(d))
    d.edge_attr = torch.ones(d.num_edges, 2)
    numpy.savez_compressed("pyg.npz", **{k: v.numpy() for k, v in d.items()})
    src, dst = d.edge_index.numpy()
    numpy.savez_compressed("dgl.npz", src=src, dst=dst, feat=d.x.numpy(), label=d.y.numpy(),
                           train_mask=d.train_mask.numpy()[:, 0].astype("u1"), num_nodes=12)


if __name__ == "__main__":
    torch() if "torch" in sys.argv else (graphs(), tables())
