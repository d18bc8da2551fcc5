# SPDX-License-Identifier: Apache-2.0
"""
One graph in every kind of object that is read: the same bits from each, with weights and without,
and how often its edges are copied on the way. Kinds whose library is not installed are skipped.
"""
import tracemalloc

import numpy as np
import pytest
from graphs import rings

import wgdn
from wgdn._inputs import read_inputs

X, (SOURCE, TARGET), Y = rings()
N, M = len(X), len(SOURCE)
WEIGHT = (1 + np.arange(M) % 4).astype(np.float32)


pytestmark = pytest.mark.filterwarnings("ignore:Sparse:UserWarning")  # PyTorch on its own types


def need(name):
    return pytest.importorskip(name)


def columns(w):
    return {"source": SOURCE, "target": TARGET, **({} if w is None else {"weight": w})}


def coo(w):
    return need("scipy.sparse").coo_matrix((np.ones(M, np.float32) if w is None else w,
                                            (SOURCE, TARGET)), (N, N))


def duckdb(w):
    made = need("pyarrow").table(columns(w))  # noqa: F841  duckdb finds it by its name
    return need("duckdb").sql("select * from made")


class Capsule:
    """Nothing but the PyCapsule interface."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


def networkx(w):
    graph = need("networkx").Graph()
    graph.add_nodes_from(range(N))
    ends = zip(SOURCE.tolist(), TARGET.tolist())
    if w is None:
        graph.add_edges_from(ends)
    else:
        graph.add_weighted_edges_from((a, b, float(c)) for (a, b), c in zip(ends, w))
    return graph


def igraph(w):
    graph = need("igraph").Graph(n=N, edges=list(zip(SOURCE.tolist(), TARGET.tolist())))
    if w is not None:
        graph.es["weight"] = w.tolist()
    return graph


def sparse_tensor(w, layout):
    torch = need("torch")
    values = torch.ones(M) if w is None else torch.from_numpy(w)
    made = torch.sparse_coo_tensor(torch.from_numpy(np.stack([SOURCE, TARGET])), values, (N, N))
    return made if layout == "coo" else made.to_sparse_csr()


def sparse(name):
    return lambda w: getattr(need("scipy.sparse"), name)(coo(w))


# Edges beside features.
EDGES = {
    "arrays": lambda w: (SOURCE, TARGET) if w is None else (SOURCE, TARGET, w),
    "int32 arrays": lambda w: (SOURCE.astype(np.int32), TARGET.astype(np.int32),
                               *(() if w is None else (w,))),
    "list of tuples": lambda w: list(zip(*(c.tolist() for c in columns(w).values()))),
    "dictionary": columns,
    "pandas": lambda w: need("pandas").DataFrame(columns(w)),
    "polars": lambda w: need("polars").DataFrame(columns(w)),
    "pyarrow": lambda w: need("pyarrow").table(columns(w)),
    "pyarrow in pieces": lambda w: need("pyarrow").concat_tables(
        [need("pyarrow").table(columns(w)).slice(0, 7), need("pyarrow").table(columns(w)).slice(7)]),
    "DuckDB": duckdb,
    "PyCapsule": lambda w: Capsule(need("pyarrow").table(columns(w))),
    **{name: sparse(name) for name in ("csr_matrix", "csc_matrix", "coo_matrix", "csr_array",
                                       "csc_array", "coo_array")},
    "dense": lambda w: coo(w).toarray(),
    "NetworkX": networkx,
    "igraph": igraph,
    "torch COO": lambda w: sparse_tensor(w, "coo"),
    "torch CSR": lambda w: sparse_tensor(w, "csr"),
}


def data(w, adj_t=False):
    """A Data of PyTorch Geometric."""
    torch, geometric = need("torch"), need("torch_geometric")
    made = geometric.data.Data(x=torch.from_numpy(X))
    if adj_t:
        made.adj_t = sparse_tensor(w, "csr")
        return made
    made.edge_index = torch.from_numpy(np.stack([SOURCE, TARGET]))
    if w is not None:
        made.edge_weight = torch.from_numpy(w)
    return made


def anndata(w):
    made = need("anndata").AnnData(X.copy())
    made.obs_names = [str(i) for i in range(N)]
    made.obsp["connectivities"] = coo(w).tocsr()
    return made


def hetero(w):
    """One type of nodes and of edges."""
    torch, geometric = need("torch"), need("torch_geometric")
    made = geometric.data.HeteroData()
    made["node"].x = torch.from_numpy(X)
    made["node", "to", "node"].edge_index = torch.from_numpy(np.stack([SOURCE, TARGET]))
    if w is not None:
        made["node", "to", "node"].edge_weight = torch.from_numpy(w)
    return made


def dgl(w):
    torch = need("torch")
    made = need("dgl").graph((torch.from_numpy(SOURCE), torch.from_numpy(TARGET)), num_nodes=N)
    made.ndata["feat"] = torch.from_numpy(X)
    if w is not None:
        made.edata["weight"] = torch.from_numpy(w)
    return made


# A graph with its features.
WHOLE = {"PyG Data": data, "PyG adj_t": lambda w: data(w, True), "HeteroData": hetero, "DGL": dgl,
         "AnnData": anndata}
ALL = {**EDGES, **WHOLE}


def bits(*given, **named):
    return wgdn.FilterEmbedding(dim=8, features="both").fit_transform(*given, **named).tobytes()


def expected(kind, w):
    """By arrays; where a kind makes ids of its own, with these: structure depends on them."""
    ids = [f"node:{i}" for i in range(N)] if kind == "HeteroData" else None
    return bits(wgdn.Graph(EDGES["arrays"](w), X, ids=ids))


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("kind", ALL)
def test_same_bits(kind, weighted):
    w = WEIGHT if weighted else None
    assert (expected(kind, None) == expected(kind, w)) == (not weighted)
    if kind in EDGES:
        assert bits(X, graph=EDGES[kind](w)) == expected(kind, w)
    else:
        whole = WHOLE[kind](w)
        d = wgdn.Graph(whole)
        assert d.nodes == N and d.edges == M and d.n_features == X.shape[1]
        assert bits(whole) == expected(kind, w)


def grown(m):
    """In place of the small graph's: m random edges, so that copies can be seen."""
    rng, n = np.random.default_rng(1), m // 10
    return {"M": m, "N": n, "SOURCE": rng.integers(0, n, m), "TARGET": rng.integers(0, n, m),
            "X": np.zeros((n, 1), np.float32)}


# How many times the memory of source and target, in int64, NumPy takes: what is lent is not copied.
# tests/long/kinds counts what other libraries take, too, for all kinds.
COPIES = {"arrays": 0, "pandas": 0, "polars": 0, "pyarrow": 0, "PyCapsule": 0, "dictionary": 0,
          "PyG Data": 0, "DGL": 0, "int32 arrays": 1, "pyarrow in pieces": 1, "csr_array": 1.5,
          "coo_array": 1}


@pytest.mark.parametrize("kind", COPIES)
def test_copies(kind, monkeypatch):
    for name, value in grown(400_000).items():
        monkeypatch.setitem(globals(), name, value)
    made = ALL[kind](None)
    given = (made, None) if kind in WHOLE else (made, X)
    tracemalloc.start()
    try:
        read_inputs(*given)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak / (16 * M) < COPIES[kind] + 0.45  # masks of a byte or two an edge are no copies


def test_features():
    """Tables of features, tensors and DLPack; a column of ids."""
    expected = bits(X, graph=(SOURCE, TARGET))
    names = [f"n{i:02d}" for i in range(N)]
    wide = {f"f{j}": X[:, j] for j in range(X.shape[1])}
    seen = 0
    for library, call in (("polars", lambda m: m.DataFrame), ("pyarrow", lambda m: m.table),
                          ("pandas", lambda m: m.DataFrame)):
        try:
            make = call(__import__(library))
        except ImportError:
            continue
        seen += 1
        assert bits(make(wide), graph=(SOURCE, TARGET)) == expected
        d = wgdn.Graph((SOURCE, TARGET), make({"name": names, **wide}), id="name")
        assert list(d.ids) == names and d.n_features == X.shape[1]
        assert list(d.feature_names) == list(wide) and (d.X == X).all()
        assert wgdn.Graph((SOURCE, TARGET), make({"name": names, **wide})).n_features > len(wide)  # text is encoded
        with pytest.raises(ValueError, match="id = 'nobody'"):
            wgdn.Graph((SOURCE, TARGET), make(wide), id="nobody")
    assert seen


def test_tensors():
    torch = need("torch")
    expected = bits(X, graph=(SOURCE, TARGET))
    x = torch.from_numpy(X.copy()).requires_grad_()
    assert bits(x, graph=(torch.from_numpy(SOURCE), torch.from_numpy(TARGET))) == expected
    lent = torch.from_numpy(X.copy())
    d = wgdn.Graph((SOURCE, TARGET), lent)
    lent[0, 0] = 42
    assert d.X[0, 0] == 42  # borrowed
    thin = np.where(X > 1, X, 0).astype(np.float32)
    both = [bits(m, graph=(SOURCE, TARGET)) for m in
            (need("scipy.sparse").csr_matrix(thin), torch.from_numpy(thin).to_sparse())]
    assert both[0] == both[1]


def test_words_of_arrow():
    """Text in each of its forms, dictionaries, long words and none; pieces; missing ones refused."""
    pa = need("pyarrow")
    names = np.array([f"n{i} " + "xé"[i % 3 == 0] * (i % 20) for i in range(N)])
    expected = wgdn.Graph((names[SOURCE], names[TARGET]))
    for kind in (pa.string(), pa.large_string(), pa.string_view(),
                 pa.dictionary(pa.int16(), pa.string())):
        columns = [pa.array(names[e].tolist()).cast(pa.string()) for e in (SOURCE, TARGET)]
        columns = [c.dictionary_encode() if "dictionary" in str(kind) else c.cast(kind)
                   for c in columns]
        table = pa.table(dict(zip(("source", "target"), columns)))
        for t in (table, pa.concat_tables([table.slice(0, 11), table.slice(11)])):
            d = wgdn.Graph(t)
            assert list(d.ids) == list(expected.ids) and d.edges == expected.edges, kind
    with pytest.raises(ValueError, match="'source' has 1 missing of 2"):
        wgdn.Graph(pa.table({"source": [1, None], "target": [2, 3]}))
    with pytest.raises(ValueError, match="'source' has the Arrow type"):
        wgdn.Graph(pa.table({"source": [[1], [2]], "target": [2, 3]}))
    gone = [wgdn.Graph(pa.table({"source": SOURCE, "target": TARGET})) for _ in range(50)]
    assert all(d.edges == M for d in gone)


def test_sets_of_graphs():
    """A list, and a user's own dataset, of PyTorch Geometric; graphs of igraph and NetworkX."""
    torch, geometric = need("torch"), need("torch_geometric")

    class Mine(geometric.data.InMemoryDataset):
        def __init__(self):
            super().__init__()
            self.data, self.slices = self.collate([data(None), data(None), data(None)])

    expected = wgdn.FilterEmbedding().fit_transform([data(None)] * 3)
    assert len(expected) == 3
    assert wgdn.FilterEmbedding().fit_transform(Mine()).tobytes() == expected.tobytes()
    assert wgdn.Graph([igraph(None)] * 2).graphs == wgdn.Graph([networkx(None)] * 2).graphs == 2
    assert wgdn.Graph([networkx(WEIGHT), networkx(None)]).counts["weighted"] == 1


def test_anndata_keys():
    adata = anndata(None)
    adata.obsm["X_pca"] = X[:, :3].copy()
    d = wgdn.Graph(adata, use_rep="X_pca")
    assert d.n_features == 3
    with pytest.raises(ValueError, match="use_rep = 'X_umap': obsm has 'X_pca'"):
        wgdn.Graph(adata, use_rep="X_umap")
    adata.obsp["distances"] = coo(WEIGHT).tocsr()
    with pytest.warns(UserWarning, match="distances, not similarities"):
        assert wgdn.Graph(adata, edge_types="distances").counts["weighted"] == 0


def test_anndata_embed():
    """use_rep and key_added, as in scanpy."""
    adata = anndata(None)
    adata.obsm["X_pca"] = X[:, :3].copy()
    z = wgdn.embed(adata, dim=8, use_rep="X_pca", key_added="X_mine")
    assert (adata.obsm["X_mine"] == z).all() and "X_wgdn" not in adata.obsm
    assert z.tobytes() == wgdn.embed(wgdn.Graph(adata, use_rep="X_pca"), dim=8).tobytes()
    adata.obs["type"] = [f"t{c}" for c in Y]
    d = wgdn.Graph(adata, y="type")
    assert (d.y == Y).all() and list(d.classes) == ["t0", "t1", "t2"]
    with pytest.raises(ValueError, match="y = 'kind': obs has 'type'"):
        wgdn.Graph(adata, y="kind")
    with pytest.raises(ValueError, match="brings its own features"):
        wgdn.embed(adata, X)
    with pytest.raises(ValueError, match="key_added goes with an AnnData"):
        wgdn.embed((SOURCE, TARGET), X, key_added="X_mine")


@pytest.mark.parametrize("kind", [networkx, igraph], ids=lambda k: k.__name__)
def test_node_attributes(kind):
    """Numbers and vectors of nodes as features, a word as the label."""
    graph = kind(None)
    nodes = [graph.nodes[i] for i in range(N)] if kind is networkx else list(graph.vs)
    for i, node in enumerate(nodes):
        node["age"], node["rest"], node["club"] = float(X[i, 0]), X[i, 1:].tolist(), f"c{Y[i]}"
    d = wgdn.Graph(graph, attributes=["age", "rest"], y="club")
    assert (d.X == X).all() and (d.y == Y).all()
    assert bits(d) == bits(X, graph=(SOURCE, TARGET))
    assert wgdn.Graph(graph).n_features == 0  # nothing is taken that was not asked for
    assert wgdn.Graph(graph, attributes="age").n_features == 1
    with pytest.raises(ValueError, match="attributes: 'size' is missing"):
        wgdn.Graph(graph, attributes=["size"])
    with pytest.raises(ValueError, match="attributes: 'club' is not numbers"):
        wgdn.Graph(graph, attributes=["club"])
    with pytest.raises(ValueError, match="attributes go with"):
        wgdn.Graph((SOURCE, TARGET), attributes=["age"])
    with pytest.raises(ValueError, match="attributes= are the features"):
        wgdn.Graph(graph, X, attributes=["age"])
    with pytest.raises(ValueError, match="y = 'club'"):
        wgdn.Graph((SOURCE, TARGET), X, y="club")


def test_html():
    """What a notebook shows; text is quoted."""
    d = wgdn.Graph((SOURCE, TARGET), X, y=Y)
    assert "<td>60</td>" in d._repr_html_() and "labels" in d._repr_html_()
    e = wgdn.Embedding(X, ["<b>" + str(i) for i in range(N)])
    shown = e._repr_html_()
    assert "&lt;b&gt;0" in shown and "60 vectors" in shown and shown.count("<tr>") < 10
    assert "<table" in wgdn.Embedding(X[:2])._repr_html_()
