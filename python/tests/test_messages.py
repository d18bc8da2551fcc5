# SPDX-License-Identifier: Apache-2.0
"""
Every message that the package can raise or warn with, and a call that brings it. The statements are listed from the sources, so
a new one without an example fails. Run as a program it writes docs/reference/messages.md.
"""
import ast
import os
import pathlib
import re
import sys
import tempfile
import textwrap
import warnings

import numpy as np
import pytest

import wgdn

SOURCES = pathlib.Path(wgdn.__file__).parent
PAGE = pathlib.Path(os.environ.get("WGDN_PACKAGE", SOURCES)).parents[1] / "docs" / "reference" / "messages.md"
NEEDS = ["pandas", "polars", "pyarrow", "scipy", "networkx", "igraph", "torch", "torch_geometric", "dgl", "anndata", "sklearn",
         "matplotlib"]

# What the examples have in common, as a reader would write it.
BEFORE = """
import anndata, dgl, igraph, networkx as nx, numpy as np, pandas as pd, polars as pl, pyarrow as pa, pyarrow.parquet
import scipy.sparse as sp, torch
import wgdn
from torch_geometric.data import Data, HeteroData
ring = [(0, 1), (1, 2), (2, 0)]
X = np.array([[1.0, 0.0], [0.5, 2.0], [3.0, 1.0]])
names = {"source": ["a", "b"], "target": ["b", "c"]}
table = pd.DataFrame({"age": [1.0, 2.0, 3.0]}, index=["a", "b", "c"])
sets = pd.DataFrame({"graph": [1, 1, 2], "source": ["a", "b", "a"], "target": ["b", "c", "c"]})
E = wgdn.Embedding([[1, 0], [0, 1]], ["a", "b"])
both = wgdn.Embedding([[1, 0], [0, 1]], [1, 1], kinds=["user", "item"])
fitted = wgdn.FilterEmbedding(dim=2).fit(names)
trained = wgdn.WGDN(dim=2, epochs=1).fit(ring)
sales = {"user": ["ann", "ann", "bob", "bob", "cid"], "item": ["tea", "jam", "tea", "jam", "tea"]}
shop = wgdn.Recommender().fit(sales)
path, pairs = nx.path_graph(3), torch.tensor([[0, 1], [1, 2]])
cells = anndata.AnnData(np.eye(3, dtype=np.float32))
cells.obsp["connectivities"] = cells.obsp["distances"] = sp.csr_matrix(np.ones((3, 3)) - np.eye(3))
"""
TITLES = {"__init__": "The package", "datasets": "Sample data", "_arrow": "Arrow tables", "_attributes": "Attributes of graphs",
          "_dgl": "DGL", "_edges": "Edges", "_embedding": "Embeddings", "_errors": "Arguments and old names", "_estimators": "Estimators",
          "_features": "Features and labels", "_graph": "Graphs and files", "_hetero": "Several types of nodes", "_inputs": "Edges with features",
          "_jobs": "Labels and clusters", "_kinds": "Objects that hold no numbers", "_mistaken": "Edges and features in the wrong place", "_names": "Ids",
          "_options": "Options", "_parquet": "Parquet", "_plot": "Pictures", "_recommend": "Recommendations", "_sklearn": "scikit-learn", "_tables": "Tables", "_tasks": "Tasks"}
# What the compiled module says to wrong arguments, which only the package itself could pass.
CORE = [
    "arrays(source=np.zeros(2))", "arrays(target=z[:1])", "arrays(features=4, offset=np.array([0, 1, 3]), column=np.zeros(2, np.int32))",
    "arrays(ids=[b'a'])", "arrays(type=np.zeros(2, np.int32), type_names=5)", "arrays(memory=-1)", "arrays(nodes=0)",
    "wgdn._core.dataset_sparse(wgdn.Graph(ring, X)._handle, z, z, z)", "wgdn._core.search(z, z, X, X, 0, 1, 0, 0)",
    "wgdn._core.number_texts(1, np.zeros(1, np.uint8), np.array([0, 5]), np.zeros(1, np.uint8), np.array([0, 1]), z[:1].copy(), z[:1].copy())",
    "wgdn._core.number_texts(1, np.zeros(1, np.uint8), np.array([0, 1]), np.zeros(1, np.uint8), np.array([0, 0, 1]), z[:1].copy(), z.copy())",
    "wgdn._core.gather_texts(np.array([20, 0, 5, 0], np.int32), np.array([0, 20]), z, z, np.zeros(20, np.uint8))",
    "wgdn._core.option_table('nothing')", "wgdn._core.preset('nothing')", "wgdn._core.project(z, X, 0, {})",
    "wgdn._core.response('heat', -1.0, -1)",
]
# Calls by file of the statement; ";" separates statements.
EXAMPLES = {
    "__init__": ["wgdn.nothing", "wgdn.Dataset"],
    "datasets": ["wgdn.datasets.write('nothing')"],
    "_arrow": [
        "wgdn.Graph(pa.table({'source': [1], 'target': [2], 'weight': pa.array([[1]])}), weight='weight')",
        "wgdn.Graph(pa.table({'source': [1], 'target': pa.array([1], pa.date32())}), source='source', target='target')",
        "wgdn.Graph(pl.DataFrame({'source': ['a', None], 'target': ['b', 'c']}))",
        "wgdn.Graph(OneColumn(pa.array([1, 2])))", "wgdn.Graph(Broken())"],
    "_attributes": [
        "wgdn.Graph(ring, y='label')", "wgdn.Graph(ring, attributes='x')", "wgdn.Graph(dgl.graph(([0], [1])), attributes='x')",
        "wgdn.Graph(igraph.Graph(3), attributes='x')", "wgdn.Graph(path, attributes='x')", "wgdn.Graph(cells, y='type')",
        "nx.set_node_attributes(path, 'red', 'color'); wgdn.Graph(path, attributes='color')"],
    "_dgl": ["g = dgl.graph(([0], [1])); g.ndata['x'] = torch.ones(2, 3); wgdn.Graph(g)"],
    "_edges": [
        "wgdn.Graph(np.ones(5))", "wgdn.Graph(([0], [1], [1.0, 2.0]))", "wgdn.Graph([(0, 1, 'heavy')])",
        "wgdn.Graph([(0, 1, -1.0)])", "wgdn.Graph(ring, ids=[7, 8, 9])", "wgdn.Graph(([0, 1], [1]))",
        "wgdn.Graph((np.array([0.5]), np.array([1.0])))",
        "wgdn.Graph({'user': [1], 'item': [1]}, np.ones((2, 1)), source='user', target='item', bipartite=True)",
        "wgdn.Graph({'user': [1, 2], 'item': [1, 3]}, source='user', target='item')", "wgdn.Graph(np.array([[0, 1], [1, 2]]))",
        "wgdn.Graph(sp.eye(3, 4))", "wgdn.Graph(torch.eye(3, 4).to_sparse())",
        "wgdn.Graph(dgl.heterograph({('a', 'to', 'b'): ([0], [1])}), np.eye(3))", "wgdn.Graph([(0, 1), (1, 2, 3.0)])",
        "wgdn.Graph([[0, 1, 1], [1, 0, 1], [1, 1, 0]])",
        "wgdn.Graph({'user': [1], 'item': [1]}, source='user', target='item', bipartite=True, ids=[1, 2])",
        "wgdn.Graph([[0, 1], [1, 2]])", "wgdn.Graph(ring, source='a')", "wgdn.embed(ring, weight=np.ones(3))", "wgdn.embed(E)", "wgdn.embed(pd.Series([2.0, 1.0], index=pd.MultiIndex.from_tuples([('a', 'b'), ('b', 'c')])))"],
    "_embedding": [
        "wgdn.Embedding([1, 2])", "wgdn.Embedding([[1], [2]], ['a'])", "wgdn.Embedding([[1]], 5)", "wgdn.Embedding([[1]], kinds=['user'])",
        "np.add(np.ones((2, 2)), 1, out=(E,))", "E._nothing", "E.nothing", "wgdn.Embedding([[1]])[5]", "both[1]", "E[0.5]", "E['z']",
        "wgdn.Embedding([[1]]).ids_of('user')", "both.ids_of('shop')", "E[np.array([True])]",
        "wgdn.Embedding([[1], [2]], [7, 8])[np.array([7])]", "E[np.array([0.5])]",
        "without('pyarrow', lambda: wgdn.Embedding(pl.DataFrame({'id': ['a'], 'vector': [[1.0]]})))",
        "wgdn.Embedding(pa.table({'id': ['a'], 'one': [[1.0]], 'two': [[1.0]]}))",
        "pa.parquet.write_table(pa.table({'id': ['a'], 'one': [[1.0]], 'two': [[1.0]]}), 'v.parquet'); wgdn.read_embedding('v.parquet')",
        "wgdn.Embedding(pa.table({'id': ['a', 'b'], 'vector': [[1.0], [1.0, 2.0]]}))",
        "without('pyarrow', lambda: wgdn.read_embedding('v.parquet'))", "E.similar('a', among='user')",
        "E.similar('a', among=np.array([True]))", "E.similar('a', among=[])", "E.similar('a', metric='l2')", "E.similar('a', 0)",
        "E.similar(np.ones((1, 5)))", "E[pd.Series([True], index=['a'])]", "E[pd.Series([True, None], dtype='boolean')]",
        "wgdn.Embedding([[1, 0], [0, 1]], ['a', 'a'])['a']", "E[{'a'}]", "E['a':'b']", "wgdn.Embedding([[1], [2]], {'a', 'b'})",
        "E.similar(np.array([np.nan, 1.0]))"],
    "_errors": ["wgdn.load(None)", "wgdn.Embedding([['a']])", "wgdn.similar(E, 'a', k=1, count=1)", "wgdn.similar(E, 'a', count=1)"],
    "_estimators": [
        "wgdn.FilterEmbedding(memory='models')", "wgdn.FilterEmbedding(dims=2)", "fitted.set_params(memory='models')",
        "wgdn.FilterEmbedding().set_params(dims=2)", "wgdn.FilterEmbedding(cache='8G').fit(names)",
        "wgdn.FilterEmbedding(cache=5).fit(names)", "wgdn.FilterEmbedding(graph=names).fit(np.ones((2, 2)))",
        "wgdn.FilterEmbedding(graph=ring).fit(['x'])", "wgdn.FilterEmbedding(graph=ring).fit([7])",
        "wgdn.FilterEmbedding(graph=names).fit(['z'])", "wgdn.FilterEmbedding().fit(np.ones((3, 2)), ([0], [1]))",
        "wgdn.FilterEmbedding().transform(ring)", "wgdn.FilterEmbedding().fit()",
        "wgdn.FilterEmbedding(dim=2).fit(X, graph=ring).transform(np.ones((3, 5)), graph=ring)",
        "wgdn.FilterEmbedding(dim=2).fit(X, graph=ring).transform(pd.DataFrame(X, columns=['a', 'b']), graph=ring)",
        "wgdn.FilterEmbedding(dim=2).fit(pd.DataFrame(X, columns=['a', 'b']), graph=ring).transform(X, graph=ring)",
        "wide = pd.DataFrame(X, columns=['a', 'b']); wgdn.FilterEmbedding(dim=2).fit(wide, graph=ring).transform(wide[['b', 'a']], graph=ring)",
        "wgdn.FilterEmbedding(graph=ring).fit(graph=ring)", "wgdn.FilterEmbedding(dim=2).fit(np.random.default_rng(1).normal(size=(5, 3)))",
        "wgdn.FilterEmbedding(dim=2).fit([path, path]).embed([path, path], align=E)", "fitted.embed(names, align=5)",
        "wgdn.FilterEmbedding(dim=1).fit(names).embed(names, align=E)", "wgdn.embed([], ids=['a'], features='structure')",
        "fitted.embed({'source': ['x'], 'target': ['y']})",
        "fitted.embed({'source': ['a', 'x'], 'target': ['b', 'y']})", "wgdn.FilterEmbedding(graph=ring).fit().transform(graph=ring)",
        "wgdn.FilterEmbedding(dim=2).fit(X, graph=ring).transform(X)", "fitted.embed()",
        "fitted.embed(np.eye(3), edges=ring)", "fitted.save('m'); wgdn.WGDN.load('m')",
        "shop.save('m'); wgdn.load('m', graph=sales)",
        "wgdn.embed(ring, 'structure')", "wgdn.embed(ring, features=np.ones((3, 2)))", "wgdn.embed(ring, dims=2)",
        "wgdn.embed(ring, key_added='v')", "wgdn.embed(None, np.random.default_rng(1).normal(size=(5, 3)))",
        "wgdn.WGDN(dim=65536, layers=8).fit(graph=([0], [1_000_000]))", "wgdn.WGDN.from_preset('karate')",
        "wgdn.WGDN(callback=5).fit(ring)", "wgdn.WGDN(checkpoint_every='a').fit(ring)", "wgdn.embed(ring, np.eye(3))",
        "wgdn.FilterEmbedding(ring)", "wgdn.FilterEmbedding().fit(ring, dim=4)", "wgdn.FilterEmbedding().fit(ring, weights_column='a')",
        "wgdn.FilterEmbedding(graph=ring).fit(source='a')",
        "wgdn.FilterEmbedding(graph=names).fit([['a'], {}])", "wgdn.FilterEmbedding(graph=wgdn.Graph(sales, bipartite=True)).fit(['soap'])",
        "wgdn.NodeClassifier(graph=wgdn.Graph({'user': [1, 2], 'item': [1, 2]}, bipartite=True)).fit([1, 2], ['a', 'b'])"],
    "_features": [
        "wgdn.Graph(ring, [[1], [2], [{}]])", "wgdn.Graph(names, pd.DataFrame({'id': ['a', 'b', 'c']}), id='id', feature_scale='row')",
        "wgdn.Graph(ring, np.ones(3))", "wgdn.Graph(ring, np.ones((3, 0)))", "wgdn.Graph(ring, sp.eye(3, dtype=complex))",
        "wgdn.Graph(ring, np.ones((3, 1), complex))", "wgdn.Graph(ring, np.zeros((3, 1), 'M8[D]'))", "wgdn.Graph(ring, [['a'], ['b'], ['c']])",
        "wgdn.Graph(ring, table, id='name')", "wgdn.Graph(ring, np.eye(3), id='name')",
        "wgdn.evaluate(pa.table({'job': ['a', 'b']}), [0, 1])",
        "without('pyarrow', lambda: wgdn.Graph(ring, Capsule(pa.table({'job': ['a', 'b', 'c']}))))",
        "wgdn.Graph(names, table.assign(age=['a', 'b', 'c']), feature_scale='no')",
        "wgdn.Graph([Data(x=torch.ones(2, 2), edge_index=pairs[:, :1]), Data(x=torch.ones(2, 3), edge_index=pairs[:, :1])])",
        "wgdn.Graph([Data(x=torch.ones(2, 2), edge_index=pairs[:, :1]), Data(x=torch.ones(2, 2).to_sparse(), edge_index=pairs[:, :1])])",
        "wgdn.Graph(names, y=pd.Series([0, 1, 1], index=['a', 'b', 'b']))", "wgdn.Graph(names, y=pd.Series([0, 1], index=['x', 'y']))",
        "wgdn.Graph(names, y=pd.Series([0, 1], index=['a', 'y']))", "wgdn.Graph(ring, y=np.full((3, 2), 5))", "wgdn.Graph(ring, y=[0, 1])", "wgdn.Graph(ring, y=[['a', 'b'], ['a']])",
        "wgdn.Graph(ring, y=[[0, 1], [1, 1], [0, 0]])", "wgdn.Graph(sets, y=np.ones((2, 2)), graph_id='graph')",
        "wgdn.Graph(ring, y=[-1, 1, 1])",
        "wgdn.Graph(names, table.assign(vector=[[1.0], [2.0], [3.0]]))", "wgdn.Graph(ring, pd.DataFrame([['x', 'y'], ['y', 'x'], ['y', 'y']], columns=['job', 'job']))",
        "wgdn.Graph(ring, y={7: 'cook'})", "wgdn.Graph(names, table, y=table['age'])", "wgdn.Graph({'user': [1, 2], 'item': [1, 2]}, y={1: 'a'}, bipartite=True)", "wgdn.Graph(names, y=pd.Series(['cook', 'smith', 'cook']))",
        "wgdn.Graph(ring, splits=np.ones((3, 2)))", "wgdn.Graph(ring, splits=['train', 'test', 'all'])",
        "wgdn.predict(names, pd.DataFrame({'customer': ['a', 'b'], 'job': ['cook', 'smith']}))",
        "wgdn.Graph({'source': [1, 2], 'target': [2, 3]}, y=pd.Series(['cook', 'smith', 'cook']))"],
    "_graph": [
        "wgdn.embed(ring, memory='much')", "wgdn.Graph(ring, weights='all')", "wgdn.Graph(wgdn.Graph(ring), y=[0, 1, 1])",
        "wgdn.Graph('edges.csv', y=[0, 1])", "wgdn.Graph(ring, 'x.csv')", "wgdn.Graph(ring).features", "wgdn.Graph(ring).labels",
        "wgdn.embed('edges.csv', np.eye(3))", "wgdn.read('edges.parquet')", "wgdn.Graph(ring, [[1.0], [2.0], [np.inf]])",
        "wgdn.dataset(np.eye(3), ring)", "wgdn.embed(ring, bipartite='no')", "wgdn.read(names)", "wgdn.read(5)"],
    "_hetero": [
        "wgdn.Graph(hetero(), edge_types='rates')", "h = hetero(); h['user'].x = torch.eye(2).to_sparse(); wgdn.Graph(h)",
        "h = hetero(); del h['user', 'buys', 'item'].edge_index; h['user', 'buys', 'item'].note = 1; wgdn.Graph(h)",
        "h = hetero(); h['user'].num_nodes = 1; wgdn.Graph(h)", "wgdn.Graph(HeteroData())",
        "h = hetero(); h['user'].y = h['item'].y = torch.tensor([0, 1]); wgdn.Graph(h)"],
    "_inputs": [
        "wgdn.Graph(path, np.eye(5))", "wgdn.Graph(ring, np.ones((3, 1)), ids=['a'])", "wgdn.Graph(sp.eye(3), nodes=5)",
        "wgdn.Graph(ring, nodes=2)", "wgdn.Graph([])", "wgdn.Graph(path, pd.DataFrame({'x': [1, 2, 3]}, index=[2, 1, 0]))",
        "wgdn.Graph(Data(num_nodes=2))", "wgdn.Graph(cells, edge_types='none')", "wgdn.Graph(cells, use_rep='X_pca')",
        "wgdn.Graph(cells, edge_types='distances')", "wgdn.Graph([hetero(), hetero()])", "wgdn.Graph([path, 5])",
        "wgdn.Graph([Data(x=torch.ones(2, 2), edge_index=pairs[:, :1]), Data(num_nodes=2, edge_index=pairs[:, :1])])",
        "wgdn.Graph(sets, pd.DataFrame({'graph': [1], 'age': [2.0]}), graph_id='graph')",
        "wgdn.Graph(sets, pd.DataFrame({'graph': [1], 'age': [2.0]}), graph_id='graph', id='name')",
        "wgdn.Graph(sets, np.eye(5), graph_id='graph')", "wgdn.Graph(sets, pd.DataFrame({'age': [2.0]}), graph_id='graph')",
        "wgdn.Graph(sets, pd.DataFrame({'age': [2.0, 3.0]}, index=['1/a', '1/a']), graph_id='graph')",
        "wgdn.Graph(sets, table, graph_id='graph')", "wgdn.Graph(sets, pd.DataFrame({'age': [2.0]}, index=['1/a']), graph_id='graph')",
        "wgdn.Graph(ring, graph_id='graph')", "wgdn.Graph(sets, graph_id='graph', bipartite=True)",
        "wgdn.Graph(sets[:0], graph_id='graph')", "wgdn.Graph(sets, graph_id='graph', ids=['a'])",
        "wgdn.Graph(path, np.eye(3), attributes='x')", "wgdn.Graph(ring, nodes=-1)", "wgdn.Graph(ring, use_rep='X_pca')",
        "wgdn.Graph(ring, edge_types='rates')", "wgdn.Graph(hetero(), np.eye(4))", "wgdn.Graph(hetero(), ids=['a'])",
        "wgdn.Graph(path, source='a')", "wgdn.Graph(ring, splits=[1, 2])", "wgdn.Graph(names, id='customer')", "wgdn.Graph(nodes=2, ids={'a', 'b'})"],
    "_jobs": [
        "wgdn.predict(ring, {0: 'a', 1: 'b'}, fold=3)", "wgdn.predict(ring, {0: 'a', 9: 'b'})", "wgdn.predict(ring, 'labels.csv')",
        "wgdn.predict(ring, ['a', 'b'])", "wgdn.predict(ring)", "wgdn.NodeClassifier().fit([0, 1], ['a', 'b'])",
        "wgdn.NodeClassifier(graph=ring).fit([0, 1], ['a'])", "wgdn.NodeClassifier(graph=ring).predict([0])",
        "wgdn.predict(ring, np.full((3, 2), 5))", "wgdn.predict(ring, [-1, 1, 1])",
        "wgdn.predict(ring, pd.Series(['a', 'b'], index=[0, 0]))", "wgdn.NodeClassifier(graph=ring).fit([0, 0], ['a', 'b'])",
        "wgdn.NodeClassifier(graph=ring).fit([0, 1], {0: 'a', 1: 'b'})", "wgdn.cluster(ring, k=2)", "wgdn.cluster(ring, 2)",
        "wgdn.NodeClassifier(ring)", "wgdn.NodeClassifier().fit(names, source='source')", "wgdn.NodeClassifier(graph=ring).fit([0, 1], ['a', 'b'], source='a')",
        "wgdn.predict({'user': [1, 2], 'item': [1, 2]}, {1: 'a', 2: 'b'}, bipartite=True)", "wgdn.predict(ring, [float('inf'), 0, 1])",
        "two = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3)]; wgdn.NodeClassifier(graph=two, folds=2).fit([0, 1, 3, 4], list('aabb')).score([2, 5], ['a'])",
        "even = [(i, i + 2) for i in range(80)]; wgdn.predict(even, {i: i / 7 for i in range(60)}).save('p.model'); wgdn.NodeClassifier.load('p.model', graph=even).predict_proba()"],
    "_kinds": ["wgdn.Graph(ring, iter([1]))", "wgdn.Graph(ring, [[1], [2, 3]])", "wgdn.embed([{'source': 1, 'target': 2}])"],
    "_mistaken": ["wgdn.embed(X, names)", "wgdn.embed(np.eye(4), np.ones((4, 4)) - np.eye(4))", "wgdn.embed(None, np.array([[0, 1], [1, 2], [2, 0]]))"],
    "_names": [
        "wgdn.Graph({'source': np.ones((2, 2)), 'target': np.ones((2, 2))})",
        "wgdn.Graph({'source': ['a', None], 'target': ['b', 'c']})", "wgdn.Graph({'source': [1.0, np.nan], 'target': [2, 3]})",
        "wgdn.Graph({'source': [0.5], 'target': [2]})", "wgdn.Graph({'source': np.array([2**64 - 1], 'u8'), 'target': [2]})",
        "wgdn.Graph({'source': [True], 'target': [2]})", "wgdn.Graph([([1], 'a'), ('b', 'a')], ids=['a', 'b'])",
        "wgdn.Graph(names, ids=['a', 'b'])", "wgdn.Graph(names, ids='customer')", "wgdn.Graph(names, np.eye(3))",
        "wgdn.Graph({'source': [1, 2], 'target': [2, 3]}, np.ones((3, 1)))", "wgdn.Graph([(['a'], 'b'), (1, 'b')])", "wgdn.Graph(nodes=2, ids=['a', None])",
        "wgdn.Graph(nodes=2, ids=[1, 1.0])", "wgdn.Graph([('a', 'b'), (2.5, 'c')])"],
    "_options": ["wgdn.FilterEmbedding(dim=2, n_components=2)", "wgdn.FilterEmbedding(n_jobs='all')", "wgdn.restore(ring, [1.0, 2, 3], fit='taylor')",
                 "wgdn.WGDN(gamma=['a']).fit(ring)", "wgdn.evaluate(E, [0, 1], sim=3)", "wgdn.evaluate(E, [0, 1], weight='amount')"],
    "_parquet": ["wgdn.Graph('nowhere.parquet')",
                 "pa.parquet.write_table(pa.table(names), 'e.parquet'); without('pyarrow.parquet', lambda: without('duckdb', lambda: wgdn.Graph('e.parquet')))"],
    "_plot": [
        "without('matplotlib', lambda: wgdn.plot_curve([1.0, 0.5]))", "wgdn.plot_map(fitted)", "wgdn.plot_map(E, wgdn.Graph(ring, y=[0, 1, 1]))",
        "wgdn.plot_map(np.ones((0, 2)))", "wgdn.plot_map(sp.eye(3))", "open('log.csv', 'w').write('one,two'); wgdn.plot_curve('log.csv')",
        "wgdn.plot_curve([])", "wgdn.plot_response(fitted, names)", "wgdn.plot_response(trained, ring, gamma=1)", "wgdn.plot_response(ring)",
        "wgdn.plot_response(wgdn.Graph(ring, np.zeros((3, 1))))", "wgdn.plot_map(E, points=0)", "wgdn.plot_curve()",
        "wgdn.plot_curve([1.0], names=[])", "wgdn.plot(E, kind='pie')"],
    "_recommend": [
        "wgdn.recommend(sales, [9])", "wgdn.recommend(sales, k=0)", "wgdn.recommend(sales, fold=3)", "wgdn.Recommender(column=8)",
        "wgdn.Recommender().set_params(column=8)", "wgdn.Recommender().recommend()", "wgdn.recommend(sales)['zoe']",
        "shop.recommend('ann', new={'zoe': ['tea']})", "shop.recommend(new={'zoe': 'tea'})", "shop.recommend(new={'zoe': ['tea', 'soap']})", "shop.vectors('a')",
        "wgdn.recommend(sales, user='user')", "wgdn.recommend(sales, item_column='item')", "wgdn.Recommender(sales)", "wgdn.Recommender().fit(sales, [1, 1, 0, 1, 0])",
        "wgdn.recommend(sales, pd.DataFrame(sales))", "wgdn.recommend(sales, [True, False, True])", "wgdn.recommend(sales, among=[])", "shop.recommend(new=pd.DataFrame(sales))",
        "shop.recommend(new={'zoe': [['tea']]})",
        "wgdn.recommend({'a': [1, 1, 2, 2, 3, 3, 1], 'b': [7, 8, 7, 9, 8, 9, 9]}, source='a', target='b')"],
    "_sklearn": ["wgdn.FilterEmbedding(dim=2).fit_transform(np.ones((3, 1)), edges=ring)"],
    "_tables": [
        "wgdn.embed({('a', 'b'): 1.0})", "wgdn.embed(pd.DataFrame({**names, 'amount': [1.0, 2.0]}), weight=pd.Series([1.0, 2.0], name='amount'))",
        "wgdn.Graph(names, table.assign(id=['x', 'y', 'z']))", "wgdn.Graph(names, pd.DataFrame({'id': ['a', 'a'], 'age': [1.0, 2.0]}))",
        "wgdn.Graph(names, source='payer', target='payee')", "wgdn.Graph(names, source='source')",
        "wgdn.Graph({'source': ['a']})", "wgdn.Graph({'from': ['a'], 'to': ['b'], 'sender': ['a'], 'receiver': ['b']})",
        "wgdn.Graph(sets)", "wgdn.Graph({**names, 'amount': [1.0, 2.0]})",
        "wgdn.Graph(pd.DataFrame([[1, 2, 3]], columns=['source', 'target', 'target']), source='source', target='target')",
        "wgdn.Graph(pd.DataFrame({'source': ['a', None], 'target': ['b', 'c']}))", "wgdn.Graph({'source': [1, 2], 'target': [1]})"],
    "_tasks": [
        "wgdn.estimate(np.eye(3)[:, :2], edges=ring)", "wgdn.estimate(ring, dims=2)", "wgdn.estimate(ring, refine=2, epochs=5)",
        "wgdn.estimate(ring, method='fit')", "wgdn.estimate(ring, np.eye(3), method='recommend')",
        "wgdn.evaluate(E, None)", "wgdn.evaluate(E, [0, 1, 1])", "wgdn.evaluate(E, [0, 1], task='guess')",
        "wgdn.evaluate(E, ring, task='links')", "wgdn.evaluate([0, 1], E)", "wgdn.evaluate(sp.eye(3), [0, 1, 1])",
        "wgdn.evaluate(fitted, None)", "wgdn.evaluate(E, wgdn.Graph(ring, y=[0, 1, 1]))", "wgdn.compare(E, E, k=0)",
        "wgdn.compare(E, wgdn.Embedding([[1, 0], [0, 1]], ['x', 'y']))", "wgdn.quality(5, ring)",
        "wgdn.quality(wgdn.FilterEmbedding(), [path, path])", "wgdn.restore(np.ones(3), ring)", "wgdn.restore(ring)",
        "wgdn.restore(path, np.ones(5))", "wgdn.restore(ring, pd.Series([1.0, 2.0, 3.0], index=[1, 2, 3]))"],
}


class OneColumn:
    """An Arrow stream that is no table."""

    columns = ()

    def __init__(self, array):
        self._array = array

    def __arrow_c_stream__(self, requested_schema=None):
        import pyarrow

        return pyarrow.chunked_array([self._array]).__arrow_c_stream__(requested_schema)


class Capsule(OneColumn):
    """A table with nothing but the PyCapsule interface."""

    def __arrow_c_stream__(self, requested_schema=None):
        return self._array.__arrow_c_stream__(requested_schema)


class Broken(OneColumn):
    """A stream that fails on the way."""

    def __init__(self):
        pass

    def __arrow_c_stream__(self, requested_schema=None):
        import pyarrow

        def batches():
            yield pyarrow.record_batch({"source": [1], "target": [2]})
            raise OSError("the connection is lost")

        schema = pyarrow.schema([("source", pyarrow.int64()), ("target", pyarrow.int64())])
        return pyarrow.RecordBatchReader.from_batches(schema, batches()).__arrow_c_stream__(requested_schema)


def arrays(**wrong):
    """A graph of two nodes from arrays, one of them wrong."""
    zero = np.zeros(2, np.int64)
    return wgdn._core.dataset_from_arrays({"nodes": 2, "source": zero, "target": zero, **wrong})


def without(name, call):
    """A call as if a package were not installed."""
    hidden = {key: sys.modules.pop(key) for key in list(sys.modules) if key == name or key.startswith(name + ".")}
    sys.modules[name] = None
    try:
        return call()
    finally:
        del sys.modules[name]
        sys.modules.update(hidden)


def hetero():
    """Two users who buy two items."""
    import torch
    from torch_geometric.data import HeteroData

    made = HeteroData()
    made["user"].x, made["item"].x = torch.eye(2), torch.eye(2)
    made["user", "buys", "item"].edge_index = torch.tensor([[0, 1], [1, 0]])
    return made


def statements():
    """Where the package raises or warns: (file, first line): last line."""
    found = {}
    for path in sorted(SOURCES.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) or called in ("warn", "deprecated"):
                found[path.stem, node.lineno] = node.end_lineno
    return found


class Recorder:
    """Runs examples, and notes the statements that they reach and what these say."""

    def __init__(self):
        self.places, self.said = set(), {}
        self.prelude = {"without": without, "arrays": arrays, "z": np.zeros(2, np.int64), "hetero": hetero, "OneColumn": OneColumn, "Capsule": Capsule, "Broken": Broken}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(BEFORE, self.prelude)

    def _warned(self, text, kind, stacklevel):
        """In place of warnings.warn: the frames of the package that led here."""
        frame = sys._getframe(1)
        while frame is not None:
            self._note(frame.f_code.co_filename, frame.f_lineno)
            frame = frame.f_back
        self._words.append((kind.__name__, text))

    def _note(self, file, line):
        if pathlib.Path(file).parent == SOURCES:
            self.places.add((pathlib.Path(file).stem, line))

    def run(self, example):
        """The kind and the text of what an example raises or warns with."""
        import copy

        import wgdn._errors

        self._words = []
        space = {**self.prelude, "path": copy.deepcopy(self.prelude["path"])}
        before, here = wgdn._errors.warnings.warn, os.getcwd()
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            os.chdir(folder)
            wgdn._errors.warnings.warn = self._warned
            try:
                exec(example, space)
            except Exception as error:
                self._words.insert(0, (type(error).__name__, str(error)))
                at = error
                while at is not None:
                    tb = at.__traceback__
                    while tb is not None:
                        self._note(tb.tb_frame.f_code.co_filename, tb.tb_lineno)
                        tb = tb.tb_next
                    at = at.__cause__ or at.__context__
            finally:
                wgdn._errors.warnings.warn = before
                os.chdir(here)
        self.said[example] = self._words
        return self._words


@pytest.fixture(scope="module")
def recorder():
    for name in NEEDS:
        pytest.importorskip(name)
    sys.modules["matplotlib"].use("Agg")
    made = Recorder()
    for examples in EXAMPLES.values():
        for example in examples:
            made.run(example)
    return made


def test_every_example_says_something(recorder):
    assert [example for example, said in recorder.said.items() if not said] == []
    for example, said in recorder.said.items():
        for kind, text in said:
            assert not re.search(r"(?<![\w-])--[a-z]", re.sub(r"'wgdn [^']*'", "", text)), (example, text)
            assert kind in dir(wgdn) or kind in ("UserWarning", "DeprecationWarning", "AttributeError", "NotFittedError"), (example, kind)


def test_every_message_has_an_example(recorder):
    missing = [f"{file}.py:{first}" for (file, first), last in statements().items()
               if not any(place == file and first <= line <= last for place, line in recorder.places)]
    assert missing == [], f"{len(missing)} statements without an example in EXAMPLES"


def test_every_message_of_the_compiled_module_has_an_example(recorder):
    folder = PAGE.parents[2] / "python" / "core"
    if not folder.exists():
        pytest.skip("the sources are not here")
    text = " ".join(path.read_text() for path in sorted(folder.glob("*.c")))
    formats = [re.sub(r'"\s*"', "", found) for found in re.findall(r'PyErr_(?:Format|SetString)\(\s*PyExc_\w+,\s*((?:"[^"]*"\s*)+)', text)]
    said = [words for example in CORE for _, words in recorder.run(example)]
    patterns = [re.sub(r"%(lld|d|s)", ".*", re.escape(f.strip().strip('"')).replace(r"\ ", " ")) for f in formats]
    assert len(patterns) > 12
    assert [p for p in patterns if not any(re.search(p, words) for words in said)] == [], said


def page(recorder):
    lines = ["# Messages of the Python package", "",
             "Every error and warning that the package itself can give, with a call that brings it. The test `test_messages.py` makes",
             "the page, and fails if a statement of the sources has no example. Messages about files and values come from the library.", "",
             "The calls begin with these lines. `hetero()` is a HeteroData of two users who buy two items, and `without(name, call)` calls",
             "as if a package were not installed.", "", "```py", BEFORE.strip(), "```", ""]
    for file, examples in EXAMPLES.items():
        lines += [f"## {TITLES[file]}", ""]
        for example in examples:
            said = recorder.said[example]
            lines += ["```py", *example.split("; "), "```", ""]
            for kind, text in said:
                clean = re.sub(r"\d+(\.\d+)? GB", "N GB", " ".join(text.split()))
                clean = re.sub(r'File "[^"]*/(\w+\.py)", line \d+', r'File "\1", line N', clean)
                lines += [*(f"> {line}" for line in textwrap.wrap(f"**{kind}**: {clean}", 116, break_long_words=False)), ""]
    return "\n".join(lines).rstrip() + "\n"


def test_the_page_has_every_example():
    if not PAGE.parent.exists():
        pytest.skip("the docs are not here")
    text = PAGE.read_text()
    assert [e for examples in EXAMPLES.values() for e in examples if "\n".join(e.split("; ")) not in text] == [], "write the page anew"


if __name__ == "__main__":
    sys.modules.pop("matplotlib", None)
    import matplotlib

    matplotlib.use("Agg")
    made = Recorder()
    for name, examples in EXAMPLES.items():
        for one in examples:
            made.run(one)
            if "-v" in sys.argv:
                print(name, one, made.said[one][:1], sep="\n    ")
    for (file, first), last in statements().items():
        if not any(place == file and first <= line <= last for place, line in made.places):
            print("no example:", f"{file}.py:{first}")
    PAGE.write_text(page(made))
