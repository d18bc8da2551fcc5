# SPDX-License-Identifier: Apache-2.0
"""C errors become exceptions of a kind, with the library's message."""
import pickle

import numpy as np
import pytest
from graphs import rings

import wgdn
from wgdn import _core

X, EDGES, Y = rings()


def test_kinds():
    for kind, builtin in ((wgdn.InvalidError, ValueError), (wgdn.NoMemoryError, MemoryError),
                          (wgdn.RangeError, OverflowError), (wgdn.EngineError, RuntimeError),
                          (wgdn.FileError, OSError), (wgdn.FormatError, ValueError),
                          (wgdn.UnsupportedError, NotImplementedError),
                          (wgdn.StoppedError, Exception), (wgdn.NumberError, ArithmeticError),
                          (wgdn.TrainingError, RuntimeError)):
        assert issubclass(kind, wgdn.Error) and issubclass(kind, builtin) and kind.__doc__
        assert str(pickle.loads(pickle.dumps(kind("words")))) == "words"


def test_messages(tmp_path):
    with pytest.raises(wgdn.FileError, match="nowhere.npz"):
        wgdn.read(tmp_path / "nowhere.npz")
    (tmp_path / "bad.tsv").write_text("a\tb\nc\n")
    with pytest.raises(wgdn.FormatError, match="tsv:2:1"):
        wgdn.read(tmp_path / "bad.tsv")
    with pytest.raises(wgdn.InvalidError, match="it may be max, sum or mean"):
        wgdn.WGDN(aggregate="median").fit(X, graph=EDGES)
    with pytest.raises(wgdn.InvalidError, match="kernel"):
        wgdn.WGDN(kernel="warmth").fit(X, graph=EDGES)
    with pytest.raises(wgdn.InvalidError, match="NaN"):
        wgdn.Graph(EDGES, np.full_like(X, np.nan))
    with pytest.raises(wgdn.Error, match="finite|diverged"):
        wgdn.WGDN(dim=8, learning_rate=1e6, epochs=200, loss="mse").fit(X * 1e18, graph=EDGES)
    with pytest.raises(wgdn.TrainingError, match="epoch 4: training diverged.*learning_rate= "):
        wgdn.WGDN(dim=8, learning_rate=10, epochs=9).fit(X, graph=EDGES)
    with pytest.raises(wgdn.InvalidError, match="it may be logistic or adam"):
        wgdn.evaluate(X, Y, classifier="liblinear")
    with pytest.raises(wgdn.FileError):
        wgdn.WGDN(dim=4, epochs=1).fit(X, graph=EDGES).save(tmp_path / "no" / "folder")
    with pytest.raises(wgdn.Error):
        wgdn.WGDN.load(tmp_path / "bad.tsv")
    with pytest.raises(ValueError, match="arxiv, citeseer"):
        wgdn.WGDN.from_preset("karate")


def test_does_not_fit():
    with pytest.raises(wgdn.NoMemoryError, match="GB are available"):
        wgdn.WGDN(dim=65536, layers=8).fit(graph=([0], [1_000_000]))


def test_not_fitted():
    with pytest.raises(ValueError, match="not fitted"):
        wgdn.WGDN().transform(X)


def test_wrong_arguments_of_the_core():
    """The module itself stands wrong types, sizes and handles."""
    d = wgdn.Graph(EDGES, X)._handle
    out = np.empty((len(X), 8), np.float32)
    m = wgdn.WGDN(dim=8, epochs=1).fit(X, graph=EDGES)._model
    for wrong in (out.astype(np.float64), out[:, ::2], np.empty(3, np.float32), "text", 5):
        with pytest.raises((TypeError, ValueError, BufferError)):
            _core.model_embed(m, d, wrong, 1, False)
    still = out.copy()
    still.flags.writeable = False
    with pytest.raises((TypeError, BufferError)):
        _core.model_embed(m, d, still, 1, False)
    for wrong in (m, None, 5, object()):
        with pytest.raises((TypeError, ValueError)):
            _core.dataset_facts(wrong)
    with pytest.raises((TypeError, ValueError)):
        _core.model_embed(d, d, out, 1, False)
    s = np.zeros(2, np.int64)
    good = {"nodes": 2, "source": s, "target": s}
    assert _core.dataset_facts(_core.dataset_from_arrays(good))["nodes"] == 2
    for wrong in ({"nodes": 0}, {"nodes": -1}, {"nodes": 2**62}, {"source": s[:1]}, {"source": s.astype(np.int32)},
                  {"features": -1}, {"features": 2**62}, {"features": 7, "dense": out}, {"label": np.zeros(3, np.int32)},
                  {"splits": 5}, {"ids": [b"a"]}, {"ids": ["a", "b"]}, {"ids": [b"a\0", b"b"]},
                  {"graph_start": np.zeros(0, np.int64)}, {"graph_start": np.array([0, 1, 5])}, {"weights": 9},
                  {"directed": -1}, {"memory": -1}, {"encoding": "text"}, {"type": np.zeros(1, np.int32)},
                  {"type": np.full(2, 3, np.int32), "type_names": [b"a"]}, {"type": np.zeros(2, np.int32)}):
        with pytest.raises((TypeError, ValueError, wgdn.Error)):
            _core.dataset_from_arrays({**good, **wrong})
    sparse = {"features": 4, "offset": np.array([0, 1, 3]), "column": np.zeros(2, np.int32)}
    with pytest.raises(ValueError, match="last row offset"):
        _core.dataset_from_arrays({**good, **sparse})


def with_weight(w):
    return [(0, 1, w), (1, 2, w)]


@pytest.mark.parametrize("call, words", [
    (lambda: wgdn.Graph(EDGES, [["a", "b"]] * 60), "X: expected numbers, got text"),
    (lambda: wgdn.Graph(EDGES, X, y=Y[:-1]), "y: labels of shape"),
    (lambda: wgdn.Graph(EDGES, nodes="60"), "nodes = '60': expected"),
    (lambda: wgdn.Graph(EDGES, nodes=-1), "nodes = -1: expected"),
    (lambda: wgdn.Graph(with_weight("heavy")), "edges: expected numbers as weights"),
    (lambda: wgdn.FilterEmbedding(n_jobs="many"), "n_jobs = 'many': expected"),
    (lambda: wgdn.evaluate(X, None), "graph = None: expected labels"),
    (lambda: wgdn.evaluate(wgdn.WGDN(), wgdn.Graph(EDGES, X, y=Y)), "WGDN instance is not fitted"),
    (lambda: wgdn.evaluate(X, wgdn.Graph(EDGES, X, y=Y), task="links"), "links needs a WGDN"),
    (lambda: wgdn.similar(X, 0, k="ten"), "k = 'ten': expected"),
    (lambda: wgdn.Embedding([1, 2]), "values: expected a 2-D array"),
    (lambda: wgdn.WGDN(dim=4, callback=5).fit(X, graph=EDGES), "callback = 5: expected"),
    (lambda: wgdn.WGDN(dim=4, checkpoint_every="a").fit(X, graph=EDGES), "checkpoint_every = 'a'"),
    (lambda: wgdn.WGDN(gamma=["a"], dim=4).fit(X, graph=EDGES), r"gamma = \['a'\]: expected numbers"),
    (lambda: wgdn.restore(EDGES), "pass graph and observed"),
], ids=lambda v: v if isinstance(v, str) else "")
def test_the_argument_is_named(call, words):
    with pytest.raises((ValueError, TypeError), match=words):
        call()


def test_a_list_that_is_not_all_graphs():
    nx = pytest.importorskip("networkx")
    with pytest.raises(ValueError, match="graph: element 1 is no graph but int"):
        wgdn.Graph([nx.path_graph(3), 5])
    assert wgdn.Graph([], X).edges == 0  # a list without edges is one


def test_evaluate_takes_either_model():
    d = wgdn.Graph(EDGES, X, y=Y)
    m = wgdn.FilterEmbedding(dim=8).fit(d)
    found = wgdn.evaluate(m, d, runs=2)["results"]
    assert found == wgdn.evaluate(m.transform(d), d, runs=2)["results"]


# ---- where an argument belongs ----

PAYMENTS = {"payer": [0, 1, 2, 3, 4, 5, 0], "payee": [1, 2, 0, 4, 5, 3, 3], "amount": [1.0, 2, 3, 4, 5, 6, 7]}
NAMED = {"source": "payer", "target": "payee", "weight": "amount"}


@pytest.mark.parametrize("call, words", [
    (lambda: wgdn.NodeClassifier(EDGES), r"a graph goes to fit\(\), or to NodeClassifier\(graph=...\)"),
    (lambda: wgdn.FilterEmbedding(EDGES), r"FilterEmbedding\(\) takes parameters by name"),
    (lambda: wgdn.WGDN(64), "got int first"),
    (lambda: wgdn.Recommender(PAYMENTS), r"a graph goes to fit\(\)$"),
    (lambda: wgdn.Recommender().fit(PAYMENTS, [1, 2], **NAMED), "y: a Recommender learns from interactions alone"),
    (lambda: wgdn.Recommender().fit(PAYMENTS, columns=64), r"it belongs to Recommender\(\)"),
    (lambda: wgdn.FilterEmbedding().fit(PAYMENTS, dim=4), r"it belongs to FilterEmbedding\(\)"),
    (lambda: wgdn.FilterEmbedding().fit(PAYMENTS, sauce="payer"), "did you mean 'source'"),
    (lambda: wgdn.FilterEmbedding(graph=EDGES).fit(source="payer"), "has a graph, so source= is not allowed"),
    (lambda: wgdn.NodeClassifier().fit(PAYMENTS, source="payer"), "nodes and their labels"),
    (lambda: wgdn.NodeClassifier().fit([0, 1], ["a", "b"]), "fit.nodes, labels, graph=edges."),
    (lambda: wgdn.NodeClassifier(graph=EDGES).fit([0, 1], ["a", "b"], source="payer"), "source= goes with graph="),
    (lambda: wgdn.recommend(PAYMENTS, user="payer"), "the column is named by source=; users= are the ids to recommend for"),
    (lambda: wgdn.recommend(PAYMENTS, item_col="payee"), "the column is named by target=; among= are the ids that may be listed"),
    (lambda: wgdn.recommend(PAYMENTS, user_list=[1]), "did you mean 'users'"),
    (lambda: wgdn.embed(PAYMENTS, src="payer"), "the column is named by source=$"),
    (lambda: wgdn.embed(PAYMENTS, source="payer", target="payee", weight=np.ones(7)), "weight: expected the name of a column.*got ndarray"),
    (lambda: wgdn.embed(EDGES, weight=np.ones(7)), r"\(sources, targets, weights\)"),
    (lambda: wgdn.embed([{"source": 1, "target": 2}]), r"edges: a list of dictionaries .* pandas.DataFrame\(records\)"),
    (lambda: wgdn.embed([{"source": 1, "target": 2}] * 2), "edges: a list of dictionaries"),
    (lambda: wgdn.embed(EDGES, [{"age": 1}] * 60), "X: a list of dictionaries"),
    (lambda: wgdn.cluster(EDGES, 3), "the number of clusters is clusters=3"),
    (lambda: wgdn.evaluate(X, Y, source="payer"), r"belongs to the graph: pass wgdn.Graph\(..., source='payer'\)"),
    (lambda: wgdn.NodeClassifier(graph=EDGES).fit([[0], {}], ["a", "b"]), "X: expected ids|X holds|X has"),
], ids=lambda v: v if isinstance(v, str) else "")
def test_the_message_says_where(call, words):
    with pytest.raises(wgdn.Error, match=words):
        call()


def test_a_column_as_weight():
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame(PAYMENTS)
    with pytest.raises(TypeError, match="got Series; pass weight='amount'"):
        wgdn.embed(table, weight=table.amount)


def test_methods_take_the_columns_of_a_table():
    table, same = PAYMENTS, wgdn.Graph(PAYMENTS, **NAMED)
    m = wgdn.FilterEmbedding(dim=2)
    expected = m.fit(same).embed(same).tobytes()
    assert m.fit(table, **NAMED).embed(table, **NAMED).tobytes() == m.fit_transform(table, **NAMED).tobytes() == expected
    assert m.transform(graph=table, **NAMED).tobytes() == expected
    c = wgdn.NodeClassifier(folds=2).fit([0, 1, 3, 4], list("aabb"), graph=table, **NAMED)
    assert c.predict([2, 5]).tolist() == ["a", "b"] == c.predict([2, 5], graph=table, **NAMED).tolist()
    assert wgdn.estimate(table, dim=2, **NAMED)["embed"]["total_bytes"] == wgdn.estimate(same, dim=2)["embed"]["total_bytes"]
