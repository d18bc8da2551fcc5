# SPDX-License-Identifier: Apache-2.0
"""Common tasks of a data scientist, as one would write them, from every kind of table and graph; equal to the bit."""
import os
import tempfile
import warnings

import numpy as np
import pytest
from graphs import rings

import wgdn

pd = pytest.importorskip("pandas")
pytestmark = pytest.mark.filterwarnings("ignore:edges. the columns:UserWarning")

N = 60
X, (SOURCE, TARGET), Y = rings()
PEOPLE = pd.DataFrame({"customer": np.arange(N)[::-1] + 1000, "age": np.where(np.arange(N) % 7, 20 + np.arange(N) % 40, np.nan),
                       "job": [f"job{i % 4}" for i in range(N)], "vip": np.arange(N) % 3 == 0,
                       "since": pd.date_range("2020-01-01", periods=N, freq="7D")})
EDGES = pd.DataFrame({"payer": SOURCE + 1000, "payee": TARGET + 1000, "amount": 1.0 + np.arange(len(SOURCE)) % 5})
RATINGS = pd.DataFrame({"user": [f"u{i % 12}" for i in range(90)] + ["ann"] * 5,
                        "item": [f"i{i * 7 % 20}" for i in range(90)] + [f"i{i}" for i in range(5)]})


FOLDER = tempfile.TemporaryDirectory()  # for all of this file, and gone with it


def as_polars(table):
    return pytest.importorskip("polars").from_pandas(table)


def as_arrow(table):
    return pytest.importorskip("pyarrow").Table.from_pandas(table, preserve_index=False)


def as_parquet(table):
    pytest.importorskip("pyarrow")
    path = os.path.join(FOLDER.name, f"{len(os.listdir(FOLDER.name))}.parquet")
    table.to_parquet(path)
    return path


TABLES = {"pandas": lambda table: table, "polars": as_polars, "pyarrow": as_arrow, "Parquet": as_parquet}
EVERY = pytest.mark.parametrize("kind", TABLES)


# ---- the tasks ----

@EVERY
def test_1_edges_of_a_table(kind):
    edges_df = TABLES[kind](EDGES)
    E = wgdn.embed(edges_df, source="payer", target="payee", weight="amount")
    assert isinstance(E, wgdn.Embedding) and E.ids.tolist() == sorted(E.ids.tolist()) and E.ids.dtype == np.int64
    expected = wgdn.embed({"source": SOURCE + 1000, "target": TARGET + 1000, "weight": EDGES.amount.to_numpy()})
    assert E.tobytes() == wgdn.embed(EDGES, source="payer", target="payee", weight="amount").tobytes() == expected.tobytes()
    assert E.tobytes() != wgdn.embed(EDGES[["payer", "payee"]]).tobytes()
    assert np.asarray(E).shape == E.shape and E.mean(axis=0).shape == (E.dim,) and (E @ E.T).shape == (N, N)


@EVERY
def test_2_text_dates_and_gaps(kind, tmp_path):
    edges_df, people_df = TABLES[kind](EDGES), TABLES[kind](PEOPLE)
    E = wgdn.embed(edges_df, people_df, id="customer")
    assert E.ids.tolist() == PEOPLE.customer.tolist()  # the order of the rows of X
    expected = wgdn.embed(EDGES, PEOPLE, id="customer")
    assert E.tobytes() == expected.tobytes()
    EDGES.to_csv(tmp_path / "edges.csv", index=False)
    PEOPLE.to_csv(tmp_path / "people.csv", index=False)
    there = wgdn.embed(tmp_path / "edges.csv", tmp_path / "people.csv", id="customer")
    for name in (1003, 1059):  # rows lie in another order there, which shows in rounding alone
        a, b = E[name], there[str(name)]
        assert a @ b > 0.999 * np.linalg.norm(a) * np.linalg.norm(b)
    np.testing.assert_allclose(np.sort(np.asarray(wgdn.Graph(edges_df, people_df, id="customer").X), axis=0),
                               np.sort(np.asarray(wgdn.read(tmp_path / "edges.csv", tmp_path / "people.csv").X), axis=0))


def test_2_a_model_encodes_other_rows_alike(tmp_path):
    m = wgdn.FilterEmbedding(dim=8).fit(PEOPLE.set_index("customer"), graph=EDGES[["payer", "payee"]])
    whole = m.embed(EDGES[["payer", "payee"]], PEOPLE.set_index("customer"))
    m.save(tmp_path / "model")
    again = wgdn.load(tmp_path / "model").embed(EDGES[["payer", "payee"]], PEOPLE.set_index("customer"))
    assert whole.tobytes() == again.tobytes()
    few = PEOPLE[PEOPLE.job != "job0"].set_index("customer")  # categories and means would be others
    some = EDGES[EDGES.payer.isin(few.index) & EDGES.payee.isin(few.index)][["payer", "payee"]]
    assert m.embed(some, few).shape == (len(few), 8)


@EVERY
def test_3_join(kind):
    E = wgdn.embed(TABLES[kind](EDGES), TABLES[kind](PEOPLE), id="customer", dim=4)
    df = PEOPLE
    df = df.join(E.to_pandas(), on="customer")
    assert len(df) == N and not df.wgdn0.isna().any()
    assert df[df.customer == 1007][E.columns].to_numpy().tolist() == [E[1007].tolist()]
    if kind == "polars":
        joined = as_polars(PEOPLE).with_columns(__import__("polars").col("customer").cast(__import__("polars").Int32))
        E = wgdn.embed(as_polars(EDGES), joined, id="customer", dim=4)
        assert joined.join(E.to_polars(), left_on="customer", right_on="id").height == N  # Int32 stays Int32


@EVERY
def test_4_two_kinds_of_nodes(kind, tmp_path):
    ratings = TABLES[kind](RATINGS)
    E = wgdn.embed(ratings, source="user", target="item", bipartite=True)
    near = E.similar("ann", k=10, among=E.ids_of("item"))
    assert len(near.ids) == 10 and set(near.ids) <= set(RATINGS.item) and set(near.kinds) == {"item"}
    assert (np.diff(near.scores) <= 0).all()
    RATINGS.to_csv(tmp_path / "r.csv", index=False)
    there = wgdn.embed(tmp_path / "r.csv", source="user", target="item", bipartite=True)
    assert E.tobytes() == there.tobytes() and there.ids_of("item").tolist() == [f"item:{i}" for i in E.ids_of("item")]
    assert [f"{k}:{i}" for k, i in zip(E.kinds, E.ids)] == there.ids.tolist()


def test_4_the_same_id_in_both_kinds(tmp_path):
    table = pd.DataFrame({"user": [1, 2, 3, 1], "item": [1, 1, 2, 3]})
    E = wgdn.embed(table, source="user", target="item", bipartite=True, dim=3)
    assert len(E) == 6 and E.ids.tolist() == [1, 1, 2, 3, 2, 3] and 1 in E
    with pytest.raises(wgdn.UnknownIdError, match=r"\('user', 1\) or \('item', 1\)"):
        E[1]
    assert E[("item", 1)].tolist() == E.values[1].tolist()
    assert set(E.similar(("user", 1), k=9, among=E.ids_of("item")).kinds) == {"item"}
    assert E.to_pandas().loc[("item", 1)].tolist() == E.values[1].tolist()
    for back in (wgdn.Embedding(E.to_pandas()), wgdn.Embedding(E.to_polars()), wgdn.Embedding(E.to_arrow())):
        assert back.kinds.tolist() == E.kinds.tolist() and back.ids.tolist() == E.ids.tolist()


def test_5_save_load(tmp_path):
    graph, path = wgdn.Graph((SOURCE, TARGET), X=X), tmp_path / "model"
    m = wgdn.FilterEmbedding(dim=64).fit(graph); m.save(path); again = wgdn.load(path)  # noqa: E702
    assert again.embed(graph).tobytes() == m.embed(graph).tobytes()
    for other in (EDGES, as_polars(EDGES), as_arrow(EDGES)):
        m = wgdn.FilterEmbedding(dim=64).fit(other)
        assert m.embed(other).tobytes() == wgdn.embed(EDGES, dim=64).tobytes()


def test_6_align_and_compare(program, tmp_path):
    m = wgdn.FilterEmbedding(dim=8).fit(EDGES[["payer", "payee"]])
    E = m.embed(EDGES[["payer", "payee"]])
    grown = pd.concat([EDGES[["payer", "payee"]], pd.DataFrame({"payer": [1, 2], "payee": [1000, 1001]})])
    E2 = wgdn.FilterEmbedding(dim=8, seed=5).fit(grown).embed(grown, align=E)
    loose = wgdn.FilterEmbedding(dim=8, seed=5).fit(grown).embed(grown)
    found = wgdn.compare(E, E2)
    assert found["both"] == N and found["only_new"] == 2 and found["cosine_mean"] >= wgdn.compare(E, loose)["cosine_mean"]
    assert wgdn.embed(grown, dim=8, seed=5, align=E).tobytes() == E2.tobytes()
    E.write(tmp_path / "old.npz")
    E2.write(tmp_path / "new.npz")
    import json

    told = json.loads(program("compare", tmp_path / "old.npz", tmp_path / "new.npz", "--json"))
    assert told["both"] == found["both"] and told["similarity_correlation"] == pytest.approx(found["similarity_correlation"])
    assert [told["cosine"][name] for name in ("mean", "median", "least")] == pytest.approx(
        [found[f"cosine_{name}"] for name in ("mean", "median", "min")], abs=1e-6)
    assert next(v for k, v in told.items() if k.endswith("s_kept")) == pytest.approx(found["neighbors_kept"])
    assert told["old"]["effective_rank"] == pytest.approx(found["effective_rank_old"], rel=1e-4)
    assert [row["id"] for row in told["moved_most"]] == [str(name) for name in found["moved_most"]]


def test_7_links_and_quality(program, tmp_path):
    import json

    graph = wgdn.Graph(np.random.default_rng(1).integers(0, 90, (400, 2)), nodes=90)
    m = wgdn.FilterEmbedding(dim=16).fit(graph)
    found = wgdn.evaluate(m, graph, task="links"), wgdn.quality(m, graph)
    graph.write(tmp_path / "g.safetensors")
    m.save(tmp_path / "m")
    told = json.loads(program("eval", tmp_path / "m", tmp_path / "g.safetensors", "--task", "quality", "--json"))
    for name in ("kept_with_another_seed", "kept_with_other_edges", "held_out_auc", "effective_rank", "mean_cosine"):
        assert told[name] == pytest.approx(found[1][name], rel=1e-4, abs=1e-6), name
    told = json.loads(program("eval", tmp_path / "m", tmp_path / "g.safetensors", "--task", "links", "--json"))
    assert told["results"][0]["auc"] == pytest.approx(found[0]["results"][0]["auc"], abs=1e-9)
    assert found[0] == wgdn.evaluate(wgdn.FilterEmbedding(dim=16), graph, task="links")  # it need not be fitted


@EVERY
def test_8_estimate(kind):
    graph = TABLES[kind](EDGES[["payer", "payee"]])
    need = wgdn.estimate(graph, dim=16)
    assert need["embed"]["total_bytes"] > 0 and need["embed"]["seconds"] > 0 and need["train"]["total_bytes"] > 0


def test_9_graph():
    sparse = pytest.importorskip("scipy.sparse")
    A = sparse.coo_matrix((np.ones(len(SOURCE)), (SOURCE, TARGET)), (N, N)).tocsr()
    series = pd.Series(Y).sample(frac=1, random_state=1)  # matched by the index
    g = wgdn.Graph(edges=A, X=X, y=series); g.adjacency  # noqa: E702, B018
    assert (g.adjacency != A.maximum(A.T)).nnz == 0 and (g.y == Y).all() and (g.X == X).all()
    weighted = wgdn.Graph(EDGES, source="payer", target="payee", weight="amount")
    assert weighted.adjacency.sum() == pytest.approx(2 * EDGES.amount.sum())


def test_10_kinds_of_graphs():
    """The same graph from every library: the same bits."""
    made = {"arrays": (SOURCE, TARGET)}
    sparse = pytest.importorskip("scipy.sparse")
    made["SciPy"] = sparse.coo_matrix((np.ones(len(SOURCE)), (SOURCE, TARGET)), (N, N)).tocsr()
    made["pandas"] = pd.DataFrame({"source": SOURCE, "target": TARGET})
    made["polars"], made["pyarrow"] = as_polars(made["pandas"]), as_arrow(made["pandas"])
    nx = pytest.importorskip("networkx")
    made["NetworkX"] = nx.Graph()
    made["NetworkX"].add_nodes_from(range(N))
    made["NetworkX"].add_edges_from(zip(SOURCE.tolist(), TARGET.tolist()))
    try:
        import torch
        from torch_geometric.data import Data
    except ImportError:
        pass
    else:
        made["PyTorch Geometric"] = Data(edge_index=torch.from_numpy(np.stack([SOURCE, TARGET])), num_nodes=N)
    expected = wgdn.embed((SOURCE, TARGET), dim=16)
    for name, graph in made.items():
        assert wgdn.embed(graph, dim=16).tobytes() == expected.tobytes(), name
        m = wgdn.FilterEmbedding(dim=16).fit(graph) if name != "arrays" else wgdn.FilterEmbedding(dim=16).fit(graph=graph)
        assert m.embed(graph).tobytes() == expected.tobytes(), name
        assert wgdn.Graph(graph).adjacency.nnz == 2 * len(SOURCE), name
        assert wgdn.estimate(graph, dim=16)["embed"]["total_bytes"] > 0, name
        assert wgdn.evaluate(m, graph, task="links")["results"][0]["auc"] == \
            wgdn.evaluate(m, (SOURCE, TARGET), task="links")["results"][0]["auc"], name


def test_12_plot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    E, labels = wgdn.embed((SOURCE, TARGET), X), Y
    ax = E.plot(color=labels)
    assert len(ax.get_legend().get_texts()) == len(set(Y))
    E = wgdn.embed(EDGES, source="payer", target="payee")
    by_id = pd.Series(np.where(E.ids > 1030, "high", "low"), index=E.ids).sample(frac=1, random_state=1)
    assert {t.get_text() for t in E.plot(color=by_id).get_legend().get_texts()} == {"high (29)", "low (31)"}


# ---- an Embedding and back; in-memory data gets what files get ----

@pytest.mark.parametrize("ids", [None, [3, 1, 2], ["b", "a", "c"]], ids=["none", "integers", "text"])
def test_tables_and_back(ids, tmp_path):
    E = wgdn.Embedding(np.arange(6).reshape(3, 2) / 7, ids)
    E.to_parquet(tmp_path / "e.parquet")
    E.to_npz(tmp_path / "e.npz")
    for back in (wgdn.Embedding(E.to_pandas()), wgdn.Embedding(E.to_polars()), wgdn.Embedding(E.to_arrow()),
                 wgdn.Embedding(E.to_arrow(columns=True)), wgdn.read_embedding(tmp_path / "e.parquet")):
        assert back.values.tobytes() == E.values.tobytes()
        assert (back.ids is None) == (ids is None) and list(back) == list(E)
    assert [str(i) for i in wgdn.read_embedding(tmp_path / "e.npz")] == [str(i) for i in E]


def test_scikit_learn_takes_it():
    linear_model, selection = pytest.importorskip("sklearn.linear_model"), pytest.importorskip("sklearn.model_selection")
    E = wgdn.Embedding(wgdn.embed((SOURCE, TARGET), X), np.random.default_rng(1).permutation(N))
    scores = [selection.cross_val_score(linear_model.LogisticRegression(), e, Y, cv=3) for e in (E, E.values)]
    np.testing.assert_array_equal(*scores)


@pytest.mark.parametrize("options", [dict(weights="log"), dict(weights="ignore"), dict(directed="both"),
                                     dict(type="sort"), dict(type="sort", directed="forward"), dict(memory="2G")], ids=str)
def test_options_of_files(options, tmp_path):
    """Weights, types and directions of a table are those of its file, to the bit."""
    table = EDGES.assign(sort=[f"s{i % 3}" for i in range(len(EDGES))])
    table.to_csv(tmp_path / "e.csv", index=False)
    named = dict(source="payer", target="payee", weight="amount", **options)
    here, there = wgdn.Graph(table, **named), wgdn.read(tmp_path / "e.csv", **named)
    assert here.counts["relations"] == there.counts["relations"]
    np.testing.assert_array_equal(here.adjacency.toarray(), there.adjacency.toarray())
    assert wgdn.embed(here, dim=16).tobytes() == wgdn.embed(there, dim=16).tobytes()
    assert wgdn.embed(as_polars(table), dim=16, **named).tobytes() == wgdn.embed(there, dim=16).tobytes()


def test_sets_of_graphs_by_column(tmp_path):
    table = pd.DataFrame({"sample": ["b", "a", "b", "a"], "source": list("xyyz"), "target": list("yzqx")})
    table.to_csv(tmp_path / "e.csv", index=False)
    here, there = wgdn.Graph(table, graph_id="sample"), wgdn.read(tmp_path / "e.csv", graph_id="sample")
    assert here.graphs == there.graphs == 2 and here.ids.tolist() == there.ids.tolist()
    assert wgdn.embed(table, graph_id="sample", dim=4).tobytes() == wgdn.embed(there, dim=4).tobytes()


def test_repeated_edges_of_a_table_with_weights_add_up(tmp_path):
    """Where all weights were 1, they were merged in silence, and added up in a file."""
    table = pd.DataFrame({"source": [1, 1, 2], "target": [2, 2, 3], "weight": [1, 1, 1]})
    table.to_csv(tmp_path / "e.csv", index=False)
    assert wgdn.Graph(table).adjacency.toarray().tolist() == wgdn.read(tmp_path / "e.csv").adjacency.toarray().tolist() == \
        [[0, 2, 0], [2, 0, 1], [0, 1, 0]]


def test_vectors_are_evaluated_by_id():
    """Labels of a graph in another order of nodes went to other vectors, in silence."""
    names = [f"n{i}" for i in range(N)]
    order = np.random.default_rng(2).permutation(N)
    E = wgdn.Embedding(X, names)
    other = wgdn.Graph(nodes=N, ids=[names[i] for i in order], y=Y[order])
    own = wgdn.Graph(nodes=N, ids=names, y=Y)
    assert wgdn.evaluate(E, other, task="cluster")["results"][0]["nmi"] == pytest.approx(
        wgdn.evaluate(E, own, task="cluster")["results"][0]["nmi"])


# ---- names of the release before ----

@pytest.mark.parametrize("old, new", [
    (lambda: wgdn.dataset(X, (SOURCE, TARGET)).X, lambda: wgdn.Graph((SOURCE, TARGET), X).X),
    (lambda: wgdn.dataset(edges=(SOURCE, TARGET), nodes=N).adjacency.toarray(),
     lambda: wgdn.Graph((SOURCE, TARGET), nodes=N).adjacency.toarray()),
    (lambda: wgdn.Graph((SOURCE, TARGET), X, y=Y).labels, lambda: wgdn.Graph((SOURCE, TARGET), X, y=Y).y),
    (lambda: wgdn.embed((SOURCE, TARGET), features=X, dim=4), lambda: wgdn.embed((SOURCE, TARGET), X, dim=4)),
    (lambda: wgdn.embed(wgdn.Graph((SOURCE, TARGET), X), "structure", dim=4),
     lambda: wgdn.embed(wgdn.Graph((SOURCE, TARGET), X), features="structure", dim=4)),
    (lambda: wgdn.embed((SOURCE, TARGET), X, binarise=True), lambda: wgdn.embed((SOURCE, TARGET), X, binarize=True)),
    (lambda: wgdn.FilterEmbedding(dim=4).fit_transform(X, edges=(SOURCE, TARGET)),
     lambda: wgdn.FilterEmbedding(dim=4).fit_transform(X, graph=(SOURCE, TARGET))),
    (lambda: wgdn.FilterEmbedding(dim=4).fit(X, edges=(SOURCE, TARGET)).dim, lambda: 4),
    (lambda: wgdn.FilterEmbedding(dim=4).fit(X, graph=(SOURCE, TARGET)).embed(X, edges=(SOURCE, TARGET)),
     lambda: wgdn.embed((SOURCE, TARGET), X, dim=4)),
    (lambda: wgdn.similar(X, [0], count=3).ids, lambda: wgdn.similar(X, [0], k=3).ids),
    (lambda: wgdn.evaluate(X, data=Y, task="cluster")["results"][0]["nmi"],
     lambda: wgdn.evaluate(X, Y, task="cluster")["results"][0]["nmi"]),
    (lambda: wgdn.restore(X[:, 0], (SOURCE, TARGET)), lambda: wgdn.restore((SOURCE, TARGET), X[:, 0])),
    (lambda: wgdn.restore((SOURCE, TARGET), X[:, 0], fit="remez"),
     lambda: wgdn.restore((SOURCE, TARGET), X[:, 0], approximation="remez")),
    (lambda: wgdn.Dataset.__name__, lambda: "Graph"), (lambda: wgdn.Neighbours.__name__, lambda: "Neighbors"),
    (lambda: wgdn.WGDN(features="degree").structural_features, lambda: "degree"),
    (lambda: wgdn.FilterEmbedding(memory="folder").cache, lambda: "folder"),
], ids=range(17))
def test_old_names_work_and_warn(old, new):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        value = old()
    told = [w for w in seen if w.category is DeprecationWarning]
    assert told and told[0].filename == __file__ and "next release" in str(told[0].message)
    np.testing.assert_array_equal(value, new())
