# SPDX-License-Identifier: Apache-2.0
"""Every kind of input leads to the same dataset."""
import numpy as np
import pytest
from graphs import rings

import wgdn

X, (SOURCE, TARGET), Y = rings()
N = len(X)


def fit(*args, **kwargs):
    return wgdn.WGDN(dim=8, epochs=3).fit_transform(*args, **kwargs)


EXPECTED = fit(X, graph=(SOURCE, TARGET))


def adjacency(kind="csr_matrix", dtype=float):
    sp = pytest.importorskip("scipy.sparse")
    coo = sp.coo_matrix((np.ones(len(SOURCE), dtype), (SOURCE, TARGET)), (N, N))
    return getattr(sp, kind)(coo)


@pytest.mark.parametrize("edges", [
    np.stack([SOURCE, TARGET]), np.stack([SOURCE, TARGET], axis=1),
    (SOURCE.astype(np.int32), TARGET.astype(np.int32)), [SOURCE.tolist(), TARGET.tolist()],
    (np.concatenate([SOURCE, TARGET, [3]]), np.concatenate([TARGET, SOURCE, [3]])),
], ids=["2xm", "mx2", "int32", "lists", "repeats and a loop"])
def test_edge_arrays(edges):
    assert fit(X, graph=edges).tobytes() == EXPECTED.tobytes()


@pytest.mark.parametrize("kind", ["csr_matrix", "csc_matrix", "coo_matrix", "csr_array"])
def test_scipy_adjacency(kind):
    assert fit(X, graph=adjacency(kind)).tobytes() == EXPECTED.tobytes()
    assert fit(X, graph=adjacency(kind, np.int8)).tobytes() == EXPECTED.tobytes()


def test_dense_adjacency():
    assert fit(X, graph=adjacency().toarray()).tobytes() == EXPECTED.tobytes()


@pytest.mark.parametrize("features", [
    X.astype(np.float64), np.asfortranarray(X), np.hstack([X, X])[:, :X.shape[1]], X.tolist(),
    X[::-1][::-1], X.astype(object),
], ids=["float64", "fortran", "strided", "lists", "reversed", "object"])
def test_features_that_need_a_copy(features):
    assert fit(features, graph=(SOURCE, TARGET)).tobytes() == EXPECTED.tobytes()


def test_read_only_and_mapped_features(tmp_path):
    still = X.copy()
    still.flags.writeable = False
    assert fit(still, graph=(SOURCE, TARGET)).tobytes() == EXPECTED.tobytes()
    np.save(tmp_path / "x.npy", X)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    assert fit(mapped, graph=(SOURCE, TARGET)).tobytes() == EXPECTED.tobytes()


def test_sparse_features():
    """Any format, unsorted and repeated entries; what the caller has stays as it is."""
    sp = pytest.importorskip("scipy.sparse")
    csr = sp.random(N, 12, 0.3, format="csr", random_state=1, dtype=np.float32)
    expected = fit(csr, graph=(SOURCE, TARGET))
    for other in (csr.tocsc(), csr.tocoo(), sp.csr_array(csr), csr.astype(np.float64)):
        assert fit(other, graph=(SOURCE, TARGET)).tobytes() == expected.tobytes()
    order = np.concatenate([np.arange(b - 1, a - 1, -1) for a, b in zip(csr.indptr, csr.indptr[1:])])
    messy = sp.csr_matrix((csr.data[order], csr.indices[order], csr.indptr), csr.shape)
    before = messy.indices.copy()
    assert fit(messy, graph=(SOURCE, TARGET)).tobytes() == expected.tobytes()
    assert (messy.indices == before).all()


def test_features_are_borrowed():
    """No copy of what is float32 and contiguous: the dataset holds the array itself."""
    import sys

    x = X.copy()
    before = sys.getrefcount(x)
    d = wgdn.Graph((SOURCE, TARGET), x)
    assert sys.getrefcount(x) == before + 1
    with pytest.raises(ValueError):
        x.resize((1, 1))  # refused while somebody looks
    x[0, 0] = 42
    assert d.X[0, 0] == 42
    del d
    assert sys.getrefcount(x) == before


def test_rows_of_another_order_than_the_nodes_of_networkx():
    """They were taken in the order of the nodes, without a word, where the nodes are 0, 1, ..."""
    nx, pd = pytest.importorskip("networkx"), pytest.importorskip("pandas")
    x = pd.DataFrame({"x": [1.0, 2.0, 3.0]}, index=[2, 1, 0])
    with pytest.raises(ValueError, match="not in the order of graph.nodes"):
        wgdn.Graph(nx.path_graph(3), x)
    assert wgdn.Graph(nx.path_graph(3), x.loc[[0, 1, 2]]).X.ravel().tolist() == [3, 2, 1]


def test_networkx():
    nx = pytest.importorskip("networkx")
    G = nx.Graph()
    G.add_nodes_from(range(N))
    G.add_edges_from(zip(SOURCE.tolist(), TARGET.tolist()))
    assert fit(X, graph=G).tobytes() == EXPECTED.tobytes()
    for kind in (nx.DiGraph, nx.MultiGraph):
        assert fit(X, graph=kind(G)).tobytes() == EXPECTED.tobytes()
    names = nx.relabel_nodes(G, {i: f"n{i}" for i in range(N)})
    m = wgdn.WGDN(dim=8, epochs=3)
    assert m.fit_transform(X, graph=names).tobytes() == EXPECTED.tobytes()
    assert list(m.ids_) == list(names.nodes)


def test_karate_club():
    """No features: structural ones. The two factions are separated."""
    nx = pytest.importorskip("networkx")
    G = nx.karate_club_graph()
    m = wgdn.WGDN(dim=32, epochs=200)
    Z = m.fit_transform(G)
    assert Z.shape == (34, 32) and m.ids_ is None
    club = np.array([G.nodes[i]["club"] == "Officer" for i in G])
    score = wgdn.evaluate(Z, club, task="cluster")["results"][0]["ari"]
    assert score > 0.5
    tuples = nx.grid_2d_graph(4, 4)  # nodes are tuples: ids come back as they were
    e = wgdn.WGDN(dim=4, epochs=2).fit(tuples).embed(tuples)
    assert e.ids[5] == (1, 1) and e[(1, 1)].shape == (4,)


def test_pandas():
    pd = pytest.importorskip("pandas")
    names = np.array([f"n{i:02d}" for i in range(N)], dtype=object)
    table = pd.DataFrame(X, index=names)
    edges = pd.DataFrame({"weight": 1.0, "source": names[SOURCE], "target": names[TARGET]})
    m = wgdn.WGDN(dim=8, epochs=3)
    assert m.fit_transform(table, graph=edges).tobytes() == EXPECTED.tobytes()
    assert list(m.ids_) == list(names)
    e = m.embed(edges, table)
    assert (e["n07"] == EXPECTED[7]).all() and e.to_pandas().loc["n07"].shape == (8,)
    with pytest.raises(ValueError, match="n59.*not in the index of X"):
        m.fit(table.iloc[:-1], graph=edges)
    numbered = pd.DataFrame({"a": SOURCE, "b": TARGET})
    assert fit(X, graph=numbered).tobytes() == EXPECTED.tobytes()


def test_pytorch_geometric(cora):
    torch = pytest.importorskip("torch")
    Data = pytest.importorskip("torch_geometric.data").Data
    data = Data(x=torch.from_numpy(X), edge_index=torch.from_numpy(np.stack([SOURCE, TARGET])),
                y=torch.from_numpy(Y))
    assert fit(data).tobytes() == EXPECTED.tobytes()
    assert (wgdn.Graph(data).y == Y).all()
    with np.load(cora) as f:
        rows = np.repeat(np.arange(f["adj_shape"][0]), np.diff(f["adj_indptr"]))
        dense = np.zeros(f["attr_shape"], np.float32)
        dense[np.repeat(np.arange(len(dense)), np.diff(f["attr_indptr"])), f["attr_indices"]] = 1
        train = np.zeros(len(dense), bool)
        train[f["train_idx"]] = True
        real = Data(x=torch.from_numpy(dense), y=torch.from_numpy(f["labels"].astype(np.int64)),
                    edge_index=torch.from_numpy(np.stack([rows, f["adj_indices"]]).astype(np.int64)),
                    train_mask=torch.from_numpy(train))
    d, read = wgdn.Graph(real), wgdn.read(cora)
    assert d.edges == read.edges and (d.y == read.y).all()
    assert ((d.splits == 1) == (read.splits == 1)).all()
    a = wgdn.WGDN(dim=16, epochs=2).fit_transform(real)
    b = wgdn.WGDN(dim=16, epochs=2).fit_transform(dense, graph=np.asarray(real.edge_index))
    assert a.tobytes() == b.tobytes()


def test_columns_of_a_file(tmp_path):
    """Headings, numbers and two kinds of nodes, as the program reads them."""
    table = tmp_path / "ratings.csv"
    table.write_text("time;user;item;stars\n1;1;1;2,5\n2;1;2;4,5\n3;2;1;1,0\n")
    assert wgdn.read(table, bipartite=False).nodes == 2 and wgdn.read(table).nodes == 4
    d = wgdn.read(table, source="user", target=3, weight="stars", bipartite=True)
    assert d.nodes == 4 and d.edges == 3 and list(d.ids[:2]) == ["user:1", "item:1"]
    assert d.remarks[0][0] == "columns" and 'source is "user"' in d.remarks[0][2]
    assert wgdn.Graph(np.array([[0], [1]]), np.zeros((2, 1))).remarks == []
    with pytest.raises(ValueError, match="no column has that heading"):
        wgdn.read(table, source="sender")
    with pytest.raises(ValueError, match="it may be . or ,"):
        wgdn.read(table, decimal="x")


def test_list_of_graphs(data):
    """A set of Data is the same as the TU files it was made from."""
    torch = pytest.importorskip("torch")
    Data = pytest.importorskip("torch_geometric.data").Data
    read = wgdn.read(data / "tu" / "MUTAG.zip")
    start, X = read.graph_start, read.X
    X = X if isinstance(X, np.ndarray) else X.toarray()
    edges = tu_edges(data / "tu" / "MUTAG.zip", "MUTAG")
    graphs = []
    for g in range(read.graphs):
        mine = (edges[0] >= start[g]) & (edges[0] < start[g + 1])
        graphs.append(Data(x=torch.from_numpy(X[start[g]:start[g + 1]]),
                           edge_index=torch.from_numpy(edges[:, mine] - start[g]),
                           y=torch.tensor([int(read.graph_labels[g])])))
    d = wgdn.Graph(graphs)
    assert d.graphs == read.graphs == 188 and (d.graph_start == start).all()
    assert (d.graph_labels == read.graph_labels).all() and d.edges == read.edges
    assert fit(d).shape == fit(read).shape == (read.graphs, 8)  # vectors of graphs
    np.testing.assert_allclose(fit(d), fit(read), atol=1e-4)


def test_list_of_graphs_with_sparse_features():
    """The rows that dense ones give; it failed with a message of NumPy's."""
    torch = pytest.importorskip("torch")
    Data = pytest.importorskip("torch_geometric.data").Data
    rng = np.random.default_rng(1)
    dense = [(rng.random((n, 6)) < 0.4).astype(np.float32) for n in (5, 7, 4)]
    ring = [torch.stack([torch.arange(len(x)), (torch.arange(len(x)) + 1) % len(x)]) for x in dense]
    sets = [[Data(x=make(torch.from_numpy(x)), edge_index=e) for x, e in zip(dense, ring)]
            for make in (lambda x: x, lambda x: x.to_sparse(), lambda x: x.to_sparse_csr())]
    plain, *sparse = [wgdn.Graph(graphs) for graphs in sets]
    assert plain.graphs == 3
    for d in sparse:
        assert (d.X.toarray() == plain.X).all()
        assert fit(d).tobytes() == fit(wgdn.Graph(sets[1])).tobytes()
    with pytest.raises(ValueError, match="some graphs have dense features and others sparse"):
        wgdn.Graph([sets[0][0], sets[1][1]])


def tu_edges(path, name):
    import io
    import zipfile

    with zipfile.ZipFile(path) as z:
        inside = next(n for n in z.namelist() if n.endswith(f"{name}_A.txt"))
        pairs = np.loadtxt(io.BytesIO(z.read(inside)), delimiter=",", dtype=np.int64)
    return np.ascontiguousarray(pairs.T - 1)


def test_anndata():
    """A k-nearest-neighbor graph in obsp; the vectors arrive in obsm."""
    anndata = pytest.importorskip("anndata")
    neighbors = pytest.importorskip("sklearn.neighbors")
    adata = anndata.AnnData(X.copy())
    adata.obs_names = [f"cell{i}" for i in range(N)]
    with pytest.raises(ValueError, match="scanpy.pp.neighbors"):
        fit(adata)
    adata.obsp["connectivities"] = neighbors.kneighbors_graph(X, 5, mode="distance")
    m = wgdn.WGDN(dim=8, epochs=3)
    Z = m.fit_transform(adata)
    assert (adata.obsm["X_wgdn"] == Z).all() and m.ids_[3] == "cell3"
    adata.obsp["mine"] = adjacency("csr_matrix")
    assert m.fit_transform(wgdn.Graph(adata, edge_types="mine")).tobytes() == EXPECTED.tobytes()


def test_refusals():
    cases = [
        (dict(X=X, edges=np.array([[0, 1], [1, 2]])), "ambiguous"),
        (dict(X=X, edges=(SOURCE, TARGET[:-1])), "sources and"),
        (dict(X=X, edges=(SOURCE + 0.5, TARGET)), "integers"),
        (dict(X=X, edges=(SOURCE + N, TARGET)), "edge|node|range|endpoint"),
        (dict(X=X[:-1], edges=adjacency()), "59 rows, but the graph has 60 nodes"),
        (dict(X=X, edges=adjacency()[:, :-1]), "square"),
        (dict(X=X[0], edges=(SOURCE, TARGET)), "2D"),
        (dict(X=X * np.nan, edges=(SOURCE, TARGET)), "finite"),
        (dict(X=X + 1j, edges=(SOURCE, TARGET)), "Complex"),
        (dict(X=X, edges=(SOURCE, TARGET), y=Y[:-1]), "labels of shape"),
        (dict(), "no nodes"),
        (dict(edges=([0], [1]), ids=["a", "a"]), "another node's"),
    ]
    for given, words in cases:
        with pytest.raises(ValueError, match=words):
            wgdn.Graph(**given)


def test_weights_are_used():
    A = adjacency()
    A.data[0] = 2
    weight = np.ones(len(SOURCE), np.float32)
    weight[np.flatnonzero((SOURCE == A.tocoo().row[0]) & (TARGET == A.tocoo().col[0]))] = 2
    weighted = fit(X, graph=A).tobytes()
    assert weighted == fit(X, graph=(SOURCE, TARGET, weight)).tobytes() != EXPECTED.tobytes()
    assert fit(X, graph=(A + A.T) / 1.0).tobytes() == weighted  # both directions: not twice
    assert fit(wgdn.Graph(A, X, weights="ignore")).tobytes() == EXPECTED.tobytes()
    A.data[0] = 0  # a stored zero is no edge
    assert wgdn.Graph(A, X).edges == adjacency().nnz - 1


def test_isolated_nodes_stay():
    assert wgdn.Graph(([0], [1]), nodes=5).nodes == 5
    assert fit(np.eye(4), graph=([0], [1])).shape == (4, 8)


def test_tables(tmp_path):
    (tmp_path / "g.csv").write_text("source,target\na,b\nb,c\nc,a\n")
    (tmp_path / "x.csv").write_text("id,n,c,t\na,1,red,likes cats\nb,,blue,likes dogs\nc,3,red,\n")
    (tmp_path / "y.csv").write_text("id,c,n\na,green,3\nb,red,2\nc,red,2\n")
    read = wgdn.read(tmp_path / "g.csv", X=tmp_path / "x.csv", ignore=["t"])
    assert np.allclose(read.X, [[-1.2247449, 0, 0, 1], [0, 1, 1, 0], [1.2247449, 0, 0, 1]],
                       atol=0.3)
    model = wgdn.FilterEmbedding(dim=8).fit(read)
    new = wgdn.read(tmp_path / "g.csv", X=tmp_path / "y.csv", like=model)
    assert new.n_features == read.n_features
    assert not np.any(new.X[0, 2:])  # green is not known
    both = wgdn.read(tmp_path / "g.csv", X=[tmp_path / "x.csv", tmp_path / "y.csv"], ignore="t", feature_scale="none")
    assert both.n_features == 4 + 3
    with pytest.raises(ValueError, match="feature_scale"):
        wgdn.read(tmp_path / "g.csv", X=tmp_path / "x.csv", feature_scale="no")
    with pytest.raises(ValueError, match="which the model was made with"):
        (tmp_path / "y.csv").write_text("id,n\na,3\n")
        wgdn.read(tmp_path / "g.csv", X=tmp_path / "y.csv", like=model)
