# SPDX-License-Identifier: Apache-2.0
"""A set of graphs as the estimator's own: X selects graphs, by index."""
import numpy as np
import pytest

import wgdn

sklearn = pytest.importorskip("sklearn")


def small_graphs(count=12):
    nx = pytest.importorskip("networkx")
    return [nx.cycle_graph(4 + k % 3) if k % 2 else nx.star_graph(4 + k % 3) for k in range(count)]


@pytest.mark.parametrize("model", [wgdn.FilterEmbedding, wgdn.WGDN], ids=lambda m: m.__name__)
def test_rows_are_graphs(model):
    graphs = wgdn.Graph(small_graphs())
    options = {} if model is wgdn.FilterEmbedding else {"epochs": 2, "dim": 8}
    everything = model(**options).fit_transform(graphs)
    assert len(everything) == 12
    m = model(graph=graphs, **options)
    picked = m.fit_transform(np.array([[3], [11]]))
    assert picked.tobytes() == everything[[3, 11]].tobytes()
    for wrong, words in (([12], r"outside 0 \.\. 11"), (["3"], "indices of its graphs.*'3'"),
                         ([0.5], "indices of its graphs")):
        with pytest.raises(ValueError, match=words):
            m.transform(wrong)


def test_proteins(data):
    """cross_val_score raised KeyError."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    d = wgdn.read(data / "tu" / "PROTEINS.zip")
    pipe = make_pipeline(wgdn.FilterEmbedding(graph=d), StandardScaler(),
                         LogisticRegression(C=0.01, max_iter=2000))
    score = cross_val_score(pipe, np.arange(d.graphs).reshape(-1, 1), d.graph_labels, cv=3)
    assert score.mean() > 0.68  # the larger class has 0.596


def test_nodes_are_found_or_refused():
    """Strings of digits selected rows by number."""
    plain = wgdn.Graph(([0, 1, 2], [1, 2, 3]), np.eye(4))
    m = wgdn.FilterEmbedding(graph=plain, dim=8).fit()
    assert (m.transform([2.0, 1.0]) == m.transform([2, 1])).all()
    for wrong in (["2", "1"], [True, False], [1.5], [None]):
        with pytest.raises(ValueError, match="indices of its nodes"):
            m.transform(wrong)
    named = wgdn.Graph(([0, 1, 2], [1, 2, 3]), np.eye(4), ids=list("abcd"))
    m = wgdn.FilterEmbedding(graph=named, dim=8).fit(["a", "d"])
    for wrong in (["z"], [0], ["a", "z"]):
        with pytest.raises(ValueError, match="X has the id .*'a'"):
            m.transform(wrong)
    with pytest.raises(KeyError, match="no vector has the id 'z'"):
        wgdn.Embedding(np.eye(2), ["a", "b"])["z"]
    with pytest.raises(KeyError, match=r"no vector has the index 5: there are 0 \.\. 1"):
        wgdn.similar(np.eye(2), 5)


# ---- a table of edges with a column of graphs ----

EDGES = {"sample": [10, 10, 9, 9, 11, 10], "a": list("xyxqxx"), "b": list("yzyrxz"), "w": [1.0, 2.0, 1.0, 3.0, 1.0, 0.5]}
NODES = {"sample": [10, 9, 10, 9, 10], "a": list("xxyqz"), "age": [1.5, 4.0, 2.0, 5.0, 3.0], "job": list("auaab")}
NAMED = {"source": "a", "target": "b", "weight": "w", "graph_id": "sample"}


def as_table(kind, columns):
    return getattr(pytest.importorskip(kind), "table" if kind == "pyarrow" else "DataFrame")(columns)


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_features_and_labels_as_from_files(kind, tmp_path):
    pd = pytest.importorskip("pandas")
    pd.DataFrame(EDGES).to_csv(tmp_path / "e.csv", index=False)
    x = pd.DataFrame(NODES)
    x.insert(0, "id", x["sample"].astype(str) + "/" + x.pop("a"))
    x.drop(columns="sample").to_csv(tmp_path / "x.csv", index=False)
    (tmp_path / "y.csv").write_text("graph,label\n9,good\n10,bad\n")
    there = wgdn.read(tmp_path / "e.csv", X=tmp_path / "x.csv", y=tmp_path / "y.csv", **NAMED)
    y = pd.Series(["bad", "good"], index=[10, 9])
    with pytest.warns(UserWarning, match="3 of 8 nodes have no row"):
        here = wgdn.Graph(as_table(kind, EDGES), as_table(kind, NODES), y=y, **NAMED)
    assert here.ids.tolist() == there.ids.tolist() and here.graph_start.tolist() == there.graph_start.tolist()
    assert here.graph_labels.tolist() == there.graph_labels.tolist() == [1, 0, -1]
    assert here.graph_ids.tolist() == [9, 10, 11] and there.graph_ids.tolist() == ["9", "10", "11"]
    assert here.classes.tolist() == ["bad", "good"]
    assert np.asarray(here.X).tobytes() == np.asarray(there.X).tobytes()
    assert (here.adjacency != there.adjacency).nnz == 0
    E = wgdn.embed(here, dim=4)
    assert E.tobytes() == wgdn.embed(there, dim=4).tobytes() and list(E) == [9, 10, 11] and E[9].shape == (E.dim,)
    assert wgdn.evaluate(E, here, task="cluster")["results"][0]["nmi"] >= 0
    with pytest.warns(UserWarning, match="3 of 8"):
        again = wgdn.embed(as_table(kind, EDGES), as_table(kind, NODES), dim=4, **NAMED)
    assert again.tobytes() == E.tobytes()


def test_ids_of_nodes_in_several_graphs():
    """Whole ids, pairs in the index, sparse rows; numbers stay as they are."""
    pd = pytest.importorskip("pandas")
    sparse = pytest.importorskip("scipy.sparse")
    import copy
    import pickle

    edges = pd.DataFrame(EDGES)
    whole = wgdn.Graph(edges, **NAMED)
    age = dict(zip([f"{g}/{n}" for g, n in zip(NODES["sample"], NODES["a"])], NODES["age"]))
    expected = [[age.get(name, 0.0)] for name in whole.ids.tolist()]
    pairs = pd.DataFrame({"age": NODES["age"]}, index=pd.MultiIndex.from_arrays([NODES["sample"], NODES["a"]]))
    for x, more in ((pairs, {}), (pd.DataFrame({"age": list(age.values())}, index=list(age)), {}),
                    (pd.DataFrame({"n": list(age), "age": list(age.values())}), {"id": "n"})):
        with pytest.warns(UserWarning, match="get zeros"):
            g = wgdn.Graph(edges, x, **NAMED, **more)
        assert g.X.tolist() == expected
        again = pickle.loads(pickle.dumps(g))
        assert again.X.tolist() == expected and again.graph_ids.tolist() == [9, 10, 11] and copy.copy(g) is g
    assert not sparse.issparse(g.X)
    for wrong, words in (({"X": np.eye(8)}, "pass a table"), ({"X": pd.DataFrame({"age": [1.0]})}, "holds the ids"),
                         ({"X": pairs, "ids": list(range(8))}, "ids= does not go with graph_id="),
                         ({"X": pairs.set_axis([("q", "q")] * 5)}, "two rows are of the node 'q/q'"),
                         ({"X": pairs.iloc[:1].set_axis([("q", "q")])}, "none of its 1 rows"),
                         ({"y": [0, 1]}, "labels of shape"), ({"X": pd.DataFrame(NODES), "id": "no"}, "no such column"),
                         ({"X": pd.DataFrame({"sample": [9], "age": [1.0]})}, "no column of the nodes")):
        with pytest.raises(wgdn.InvalidError, match=words):
            wgdn.Graph(edges, **{"X": None, **wrong}, **NAMED)


def test_integers_in_several_graphs_are_in_order_of_appearance(tmp_path):
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(3)
    table = pd.DataFrame({"graph": rng.integers(0, 9, 300), "source": rng.integers(0, 20, 300),
                          "target": rng.integers(0, 20, 300)})
    for change in (lambda c: c, lambda c: c.map("n{}".format)):
        table["graph"], table["source"] = change(table["graph"]), change(table["source"])
        table.to_csv(tmp_path / "e.csv", index=False)
        here, there = wgdn.Graph(table, graph_id="graph"), wgdn.read(tmp_path / "e.csv", graph_id="graph")
        assert here.ids.tolist() == there.ids.tolist() and (here.adjacency != there.adjacency).nnz == 0
        assert here.graph_start.tolist() == there.graph_start.tolist()
        assert wgdn.embed(here, dim=8).tobytes() == wgdn.embed(there, dim=8).tobytes()
