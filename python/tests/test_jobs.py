# SPDX-License-Identifier: Apache-2.0
"""predict(), cluster() and NodeClassifier: labels and ids in any form, and the same as the program where it can be compared."""
import pickle
import sys

import numpy as np
import pytest

import wgdn

BLOCKS, SIZE = 3, 20
NAMES = np.array(["red", "green", "blue"], dtype=object)


def blocks():
    """Edges of a block model whose node i belongs to block i % 3, with ids such as n5."""
    random = np.random.default_rng(3)
    n = BLOCKS * SIZE
    pairs = set()
    for i in range(n):
        for _ in range(4):
            j = int(random.integers(SIZE)) * BLOCKS + (i % BLOCKS if random.random() < .9 else int(random.integers(BLOCKS)))
            if i != j:
                pairs.add((min(i, j), max(i, j)))
    return [(f"n{a}", f"n{b}") for a, b in sorted(pairs)]


EDGES = blocks()
KNOWN = {f"n{i}": NAMES[i % BLOCKS] for i in range(0, BLOCKS * SIZE, 2)}


def truth(ids):
    return [NAMES[int(i[1:]) % BLOCKS] for i in ids.tolist()]


def test_predict():
    p = wgdn.predict(EDGES, KNOWN)
    assert not set(p.ids.tolist()) & set(KNOWN)
    assert len(p) == len(p.ids) == BLOCKS * SIZE - len(KNOWN)
    assert np.mean(p.labels == truth(p.ids)) > .9
    assert p.classes.tolist() == ["blue", "green", "red"]
    np.testing.assert_allclose(p.probabilities.sum(axis=1), 1, atol=1e-5)
    assert p.classes[p.probabilities.argmax(axis=1)].tolist() == p.labels.tolist()
    assert p.report["labeled"] == len(KNOWN) and p.report["accuracy"] > .7 > p.report["baseline"]
    assert "held-out" in repr(p)


def test_labels_in_any_form():
    graph = wgdn.Graph(EDGES)
    first = wgdn.predict(graph, KNOWN)
    spread = [KNOWN.get(name) for name in graph.ids.tolist()]
    forms = [spread, np.array(spread, dtype=object)]
    if "pandas" in sys.modules or pytest.importorskip("pandas"):
        import pandas as pd

        forms += [pd.Series(KNOWN), pd.Series(spread, index=graph.ids)]
    forms.append(dict(reversed(KNOWN.items())))
    for labels in forms:
        p = wgdn.predict(graph, labels)
        assert p.ids.tolist() == first.ids.tolist()
        assert p.probabilities.tobytes() == first.probabilities.tobytes()


def test_threads_and_held_out_labels():
    one = wgdn.predict(EDGES, KNOWN, threads=1)
    assert all(wgdn.predict(EDGES, KNOWN, threads=t).probabilities.tobytes() == one.probabilities.tobytes() for t in (2, 4))
    half = dict(list(KNOWN.items())[::2])
    p = wgdn.predict(EDGES, {**half, **{name: None for name in KNOWN if name not in half}})
    q = wgdn.predict(EDGES, half)
    assert p.probabilities.tobytes() == q.probabilities.tobytes() and len(p) == BLOCKS * SIZE - len(half)


def test_integer_labels_keep_their_type():
    labels = {name: int(name[1:]) % BLOCKS + 5 for name in KNOWN}
    p = wgdn.predict(EDGES, labels)
    assert p.classes.tolist() == [5, 6, 7] and p.labels.dtype.kind == "i"


def test_two_classes():
    p = wgdn.predict(EDGES, {name: label == "red" for name, label in KNOWN.items()}, balance=True)
    assert p.report["auc"] > .8 and p.report["average_precision"] > .5
    assert p.classes.tolist() == [False, True]


def test_numbers():
    graph = wgdn.Graph(EDGES)
    E = wgdn.embed(graph)
    values = E.values[:, 0] * 3 + .5
    labels = {name: float(value) for name, value in list(zip(graph.ids.tolist(), values.tolist()))[::2]}
    p = wgdn.predict(graph, labels)
    assert p.classes is None and p.probabilities is None and p.report["r2"] > .5
    assert p.labels.shape == (len(p),) and p.labels.dtype.kind == "f"


def test_tables():
    pytest.importorskip("pandas")
    table = wgdn.predict(EDGES, KNOWN).to_pandas()
    assert table.columns.tolist() == ["id", "label", "probability", "p:blue", "p:green", "p:red"]
    table = wgdn.cluster(EDGES, clusters=3).to_pandas()
    assert table.columns.tolist() == ["id", "cluster", "similarity"] and len(table) == BLOCKS * SIZE


@pytest.mark.parametrize("labels, said", [
    ({"n0": "red", "stranger": "blue"}, "'stranger' is none of the nodes; these are str, such as"),
    (["red", "blue"], "expected one for each of the 60 nodes"),
    ({"n0": "red", "n1": "red"}, "all 2 labeled nodes have the label \"red\""),
    ({}, "no node has a label"),
    ("labels.csv", "read a file of labels by"),
    (None, "the graph has none"),
])
def test_wrong_labels(labels, said):
    with pytest.raises(wgdn.InvalidError, match=said):
        wgdn.predict(EDGES, labels)


def test_wrong_options():
    with pytest.raises(TypeError, match="predict.. has no parameter 'fold'; did you mean 'folds'"):
        wgdn.predict(EDGES, KNOWN, fold=3)
    with pytest.raises(wgdn.InvalidError, match="ask for fewer"):
        wgdn.cluster(EDGES, clusters=1000)


def test_classifier():
    nodes, labels = list(KNOWN), list(KNOWN.values())
    c = wgdn.NodeClassifier(graph=EDGES).fit(nodes, labels)
    others = [name for name in wgdn.Graph(EDGES).ids.tolist() if name not in KNOWN]
    p = wgdn.predict(EDGES, KNOWN)
    assert c.predict(p.ids.tolist()).tolist() == p.labels.tolist()
    assert c.predict_proba(p.ids.tolist()).tobytes() == p.probabilities.tobytes()
    assert c.score(others, [NAMES[int(i[1:]) % BLOCKS] for i in others]) > .9
    assert c.classes_.tolist() == p.classes.tolist()
    with pytest.raises(wgdn.InvalidError, match="not fitted"):
        wgdn.NodeClassifier(graph=EDGES).predict(nodes)


def test_classifier_files(tmp_path):
    nodes, labels = list(KNOWN), list(KNOWN.values())
    c = wgdn.NodeClassifier(graph=EDGES).fit(nodes, labels)
    c.save(tmp_path / "c.model")
    loaded = wgdn.NodeClassifier.load(tmp_path / "c.model")
    assert loaded.classes_.tolist() == c.classes_.tolist() and loaded.report_ == c.report_
    grown = [*EDGES, ("new", "n0"), ("new", "n3")]
    found = loaded.predict(["new"], graph=grown)
    assert found.tolist() == ["red"]
    again = pickle.loads(pickle.dumps(c))
    assert again.predict_proba(nodes).tobytes() == c.predict_proba(nodes).tobytes()
    (tmp_path / "cut.model").write_bytes((tmp_path / "c.model").read_bytes()[:2000])
    with pytest.raises(wgdn.FormatError):
        wgdn.NodeClassifier.load(tmp_path / "cut.model")


def several():
    """Two labels of each known node: its color, and whether it is warm."""
    return {name: [label, "warm" if label == "red" else "cold"] for name, label in KNOWN.items()}


CLASSES = ["blue", "cold", "green", "red", "warm"]


def marks(names, given):
    return np.array([[c in given.get(name, ()) for c in CLASSES] for name in names], np.int64)


def test_several_labels(tmp_path, program):
    graph = wgdn.Graph(EDGES)
    p = wgdn.predict(graph, several())
    assert p.report["kind"] == "several" and p.classes.tolist() == CLASSES and p.probabilities.shape == (len(p), 5)
    assert all(isinstance(labels, list) and labels for labels in p.labels)
    assert np.mean([NAMES[int(i[1:]) % BLOCKS] in labels for i, labels in zip(p.ids, p.labels)]) > .8
    (tmp_path / "edges.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in EDGES))
    (tmp_path / "y.csv").write_text("id,label\n" + "".join(f"{n},{one}\n" for n, labels in several().items() for one in labels))
    q = wgdn.predict(wgdn.read(tmp_path / "edges.tsv", y=tmp_path / "y.csv"))
    where = {name: row for row, name in enumerate(q.ids.tolist())}
    assert q.report == p.report and p.probabilities.tobytes() == q.probabilities[[where[i] for i in p.ids]].tobytes()


def test_several_labels_in_any_form():
    pd, sparse = pytest.importorskip("pandas"), pytest.importorskip("scipy.sparse")
    graph = wgdn.Graph(EDGES)
    names, given = graph.ids.tolist(), several()
    first = wgdn.predict(graph, given)
    rows = marks(names, given)
    frame = pd.DataFrame(rows, index=names, columns=CLASSES)
    forms = [[given.get(name) for name in names], [set(given.get(name, ())) for name in names], pd.Series(given), frame,
             frame.sample(frac=1, random_state=1), frame.loc[list(given)].astype(bool)]
    for labels in forms:
        p = wgdn.predict(graph, labels)
        assert p.classes.tolist() == CLASSES and p.probabilities.tobytes() == first.probabilities.tobytes()
    for labels in (rows, rows.astype(bool), rows.astype(float), sparse.csr_array(rows)):
        p = wgdn.predict(graph, labels)
        assert p.classes.tolist() == [0, 1, 2, 3, 4] and p.ids.tolist() == first.ids.tolist()
        assert [[CLASSES[k] for k in labels] for labels in p.labels] == first.labels.tolist()
    one = np.eye(3)[[int(name[1:]) % 3 for name in names]] * np.isin(names, list(KNOWN))[:, None]
    assert wgdn.predict(graph, one).report["kind"] == "class"


def test_classifier_of_several_labels(tmp_path):
    nodes, given = list(KNOWN), several()
    c = wgdn.NodeClassifier(graph=EDGES).fit(nodes, [given[name] for name in nodes])
    p = wgdn.predict(EDGES, given)
    assert c.predict(p.ids.tolist()).tolist() == p.labels.tolist() and c.score(nodes, [given[n] for n in nodes]) > .5
    rows = np.hstack([marks(nodes, given), np.zeros((len(nodes), 1), np.int64)])  # nobody has the last class
    m = wgdn.NodeClassifier(graph=EDGES).fit(nodes, rows)
    found = m.predict(p.ids.tolist())
    assert found.shape == (len(p), 6) and found.dtype.kind == "i" and not found[:, 5].any() and m.classes_.tolist() == [0, 1, 2, 3, 4, 5]
    assert [[CLASSES[k] for k in np.flatnonzero(row)] for row in found] == p.labels.tolist()
    assert m.predict_proba(nodes).shape == (len(nodes), 6) and m.score(nodes, rows) == c.score(nodes, [given[n] for n in nodes])
    c.save(tmp_path / "c.model")
    loaded = wgdn.NodeClassifier.load(tmp_path / "c.model", graph=EDGES)
    assert all(isinstance(labels, list) for labels in loaded.predict(p.ids.tolist()))
    again = pickle.loads(pickle.dumps(m))
    assert again.predict(nodes).tolist() == m.predict(nodes).tolist()


def test_saved_predictions(tmp_path, program):
    graph = wgdn.Graph(EDGES)
    values = wgdn.embed(graph).values[:, 0] * 3 + .5
    numbers = {name: float(value) for name, value in list(zip(graph.ids.tolist(), values.tolist()))[::2]}
    for labels in (KNOWN, several(), numbers):
        p = wgdn.predict(graph, labels)
        p.save(tmp_path / "p.model")
        loaded = wgdn.NodeClassifier.load(tmp_path / "p.model", graph=graph)
        assert loaded.report_ == p.report and loaded.predict(p.ids.tolist()).shape == p.labels.shape
        assert pickle.loads(pickle.dumps(p)).labels.tolist() == p.labels.tolist()
    assert loaded.predict(p.ids.tolist()).dtype.kind == "f"
    with pytest.raises(wgdn.InvalidError, match="numbers, which have no probabilities"):
        loaded.predict_proba(p.ids.tolist())
    (tmp_path / "edges.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in EDGES))
    program("predict", tmp_path / "p.model", tmp_path / "edges.tsv", "-o", tmp_path / "out.csv", "-q")
    assert (tmp_path / "out.csv").read_text().startswith("id,value")


def test_shown_in_a_notebook():
    for shown in (wgdn.predict(EDGES, KNOWN), wgdn.predict(EDGES, several()), wgdn.cluster(EDGES, clusters=3)):
        assert "<table>" in shown._repr_html_() and "<td>" in shown._repr_html_()


def test_labels_of_other_libraries():
    graph = wgdn.Graph(EDGES)
    first = wgdn.predict(graph, [int(n[1:]) % BLOCKS if n in KNOWN else -1 for n in graph.ids.tolist()])
    torch = pytest.importorskip("torch")
    labels = torch.tensor([int(n[1:]) % BLOCKS if n in KNOWN else -1 for n in graph.ids.tolist()])
    p = wgdn.predict(graph, labels)
    assert p.classes.tolist() == [0, 1, 2] and p.probabilities.tobytes() == first.probabilities.tobytes()


def test_labels_that_contradict():
    pd = pytest.importorskip("pandas")
    with pytest.raises(wgdn.InvalidError, match="'n0' is in the index twice"):
        wgdn.predict(EDGES, pd.Series(["red", "blue", "blue"], index=["n0", "n0", "n1"]))
    with pytest.raises(wgdn.InvalidError, match="1 where a node has it"):
        wgdn.predict(EDGES, np.full((60, 3), 2))
    with pytest.raises(wgdn.InvalidError, match="lists of 0 and 1"):
        wgdn.predict(EDGES, [[0, 1]] * 60)
    c = wgdn.NodeClassifier(graph=EDGES)
    with pytest.raises(wgdn.InvalidError, match="'n0' twice"):
        c.fit(["n0", "n1", "n0"], ["red", "blue", "blue"])
    with pytest.raises(wgdn.InvalidError, match="y is a dictionary"):
        c.fit(["n0", "n1"], {"n0": "red", "n1": "blue"})
    twice = [*KNOWN, *KNOWN]
    assert c.fit(twice, [KNOWN[n] for n in twice]).predict_proba().tobytes() == c.fit(list(KNOWN), list(KNOWN.values())).predict_proba().tobytes()


def test_classifier_in_scikit_learn():
    pytest.importorskip("sklearn")
    from sklearn.base import clone, is_classifier
    from sklearn.model_selection import cross_val_score

    c = wgdn.NodeClassifier(graph=wgdn.Graph(EDGES), folds=3)
    assert is_classifier(c) and clone(c).folds == 3
    scores = cross_val_score(c, np.array(list(KNOWN), dtype=object), np.array(list(KNOWN.values()), dtype=object), cv=3)
    assert scores.mean() > .8


def test_cluster():
    c = wgdn.cluster(EDGES, clusters=3)
    assert len(c) == 3 and c.sizes.sum() == BLOCKS * SIZE == len(c.ids)
    assert c.sizes.tolist() == np.bincount(c.labels).tolist() == sorted(c.sizes.tolist(), reverse=True)
    block = np.array([int(i[1:]) % BLOCKS for i in c.ids.tolist()])
    assert all(np.bincount(block[c.labels == k]).max() > 14 for k in range(3))
    for k, typical in enumerate(c.typical):
        assert typical and set(typical) <= set(c.ids[c.labels == k].tolist())
    assert c.labels.tobytes() == wgdn.cluster(EDGES, clusters=3, threads=2).labels.tobytes()
    assert wgdn.cluster(EDGES, method="graph").report["modularity"] >= c.report["modularity"]
    assert wgdn.cluster([(1, 2), (2, 3), (7, 8), (8, 9), (1, 3), (7, 9)], clusters=2).ids.dtype.kind == "i"


def test_columns_of_a_table():
    """The keywords of Graph say which columns are the ends of edges, as in embed() and recommend()."""
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame({"day": range(len(EDGES)), "giver": [a for a, _ in EDGES], "taker": [b for _, b in EDGES]})
    named = {"source": "giver", "target": "taker"}
    assert wgdn.cluster(table, clusters=3, **named).labels.tolist() == wgdn.cluster(EDGES, clusters=3).labels.tolist()
    assert wgdn.predict(table, KNOWN, **named).labels.tolist() == wgdn.predict(EDGES, KNOWN).labels.tolist()
    with pytest.raises(TypeError, match="has no parameter 'sauce'"):
        wgdn.cluster(table, sauce="giver")
