# SPDX-License-Identifier: Apache-2.0
"""Calls that once returned vectors of no use without a word: now right, or refused with the call that is right."""
import numpy as np
import pytest
from graphs import rings

import wgdn

X, EDGES, Y = rings()
N = len(X)


def adjacency(kind="sparse"):
    sp = pytest.importorskip("scipy.sparse")
    a = sp.coo_matrix((np.ones(len(EDGES[0])), EDGES), (N, N)).tocsr()
    a = ((a + a.T) > 0).astype(np.float32)
    return a if kind == "sparse" else a.toarray()


@pytest.mark.parametrize("kind", ["sparse", "dense", "pairs", "arrays", "table"])
def test_graph_of_an_estimator_is_a_graph(kind):
    """An adjacency matrix as graph= was taken for features."""
    graph = {"pairs": list(zip(*(e.tolist() for e in EDGES))), "arrays": EDGES,
             "table": {"source": EDGES[0], "target": EDGES[1]}}.get(kind)
    graph = adjacency(kind) if graph is None else graph
    made = wgdn.FilterEmbedding(graph=graph, dim=8).fit_transform()
    assert made.tobytes() == wgdn.embed(wgdn.Graph(EDGES), dim=8).tobytes()


@pytest.mark.parametrize("graph", [
    [(0, 1), (1, 2)], [("a", "b"), ("b", "c")], np.array([[0, 1], [1, 2], [2, 0]]), np.array([[0, 1, 2], [1, 2, 0]]),
    adjacency("sparse"), adjacency("dense"), "table"], ids=range(7))
def test_a_graph_as_features(graph):
    """dataset([(0, 1), (1, 2)]) had 0 edges."""
    if isinstance(graph, str):
        graph = pytest.importorskip("pandas").DataFrame({"src": [0, 1], "dst": [1, 2]})
    if isinstance(graph, np.ndarray):
        with pytest.raises(wgdn.InvalidError, match="graph="):
            wgdn.FilterEmbedding(dim=2).fit(graph)
    else:
        assert wgdn.FilterEmbedding(dim=2).fit(graph).embed(graph).shape[0] > 2
    assert wgdn.Graph(graph).edges > 0


def test_features_alone_are_features():
    assert wgdn.Graph(X=X).n_features == X.shape[1]
    assert wgdn.Graph(X=np.eye(4)).n_features == 4
    assert wgdn.Graph([], adjacency()).n_features == N


def test_labels_follow_their_index():
    pd = pytest.importorskip("pandas")
    names = [f"n{i}" for i in range(N)]
    frame = pd.DataFrame(X, index=names)
    label = pd.Series(Y, index=names)
    expected = wgdn.Graph(EDGES, frame, y=Y).y
    shuffled = label.sample(frac=1, random_state=1)
    assert not np.array_equal(shuffled.to_numpy(), Y)
    np.testing.assert_array_equal(wgdn.Graph(EDGES, frame, y=shuffled).y, expected)
    numbered = pd.Series(Y).sample(frac=1, random_state=1)  # rows have no ids: the index is their numbers
    np.testing.assert_array_equal(wgdn.Graph(EDGES, X, y=numbered).y, expected)
    some = wgdn.Graph(EDGES, frame, y=shuffled[shuffled.index != "n0"]).y
    assert some[0] == -1 and np.array_equal(some[1:], expected[1:])
    np.testing.assert_array_equal(wgdn.Graph(EDGES, frame, y=pd.Series(Y)).y, expected)  # 0, 1, ...: in order
    np.testing.assert_array_equal(wgdn.Graph(EDGES, X, y=label).y, expected)  # nothing to match
    with pytest.raises(wgdn.InvalidError, match="'m0'.*'n0'"):
        wgdn.Graph(EDGES, frame, y=pd.Series(Y, index=[f"m{i}" for i in range(N)]))
    with pytest.warns(UserWarning, match="1 of 61 labels .*'other'"):
        wgdn.Graph(EDGES, frame, y=pd.concat([label, pd.Series([0], index=["other"])]))
    with pytest.raises(wgdn.InvalidError, match="twice"):
        wgdn.Graph(EDGES, frame, y=pd.concat([label[:-1], label[:1]]))


@pytest.mark.parametrize("none", [-1, -1.0, None, float("nan")])
def test_no_label_in_is_no_label_out(none):
    y = [none if i % 3 == 0 else i % 2 for i in range(N)]
    d = wgdn.Graph(EDGES, X, y=y)
    assert d.classes.tolist() == [0, 1] and (d.y[::3] == -1).all() and (d.y >= 0).sum() == 40
    again = wgdn.Graph(EDGES, X, y=d.y)  # what it gives, it takes
    np.testing.assert_array_equal(again.y, d.y)
    assert len(again.classes) == 2


def test_minus_one_and_one_are_no_two_classes():
    with pytest.raises(wgdn.InvalidError, match="-1 means no label"):
        wgdn.Graph(EDGES, X, y=np.where(Y == 1, 1, -1))


def test_lists_of_three():
    rows = [[0, 1, 0.5], [1, 2, 0.25], [2, 0, 2]]
    with pytest.raises(wgdn.InvalidError, match=r"tuples.*np\.array"):
        wgdn.Graph(rows)
    assert wgdn.Graph([tuple(row) for row in rows]).edges == 3
    assert wgdn.Graph(np.array(rows)).nodes == 3
    more = [*rows, [2, 3, 1.5]]
    d, tuples = wgdn.Graph(more), wgdn.Graph([tuple(row) for row in more])
    assert d.edges == 4 and d.counts == tuples.counts and d.counts["weighted"] == 1


def test_a_batch_is_several_graphs():
    torch = pytest.importorskip("torch")
    data = pytest.importorskip("torch_geometric.data")
    graphs = [data.Data(x=torch.randn(n, 3), edge_index=torch.tensor([range(n), [*range(1, n), 0]]),
                        y=torch.tensor([n % 2])) for n in (4, 5, 6, 7)]
    batch = data.Batch.from_data_list(graphs)
    d = wgdn.Graph(batch)
    assert d.graphs == 4 and d.graph_start.tolist() == [0, 4, 9, 15, 22] and d.graph_labels.tolist() == [0, 1, 0, 1]
    assert wgdn.embed(batch, dim=8).tobytes() == wgdn.embed(graphs, dim=8).tobytes()


def test_swapped_arguments():
    """Square features in the place of the graph."""
    square = np.random.default_rng(1).random((N, N)).astype(np.float32)
    for kind in ("sparse", "dense"):
        a = adjacency(kind)
        for features in (square, np.eye(N)):
            with pytest.raises(wgdn.InvalidError, match="swapped.*the graph, then X"):
                wgdn.embed(features, a)
            with pytest.raises(wgdn.InvalidError, match="swapped"):
                wgdn.Graph(features, a)
            assert len(wgdn.embed(a, features, dim=8)) == N
    directed = np.triu(adjacency("dense"))
    assert len(wgdn.embed(directed, square, dim=8)) == N


def test_nodes_that_a_model_of_structure_does_not_know():
    """They had vectors of zeros, in silence."""
    first = {"source": [f"a{i}" for i in range(20)], "target": [f"a{(i + 1) % 20}" for i in range(20)]}
    model = wgdn.FilterEmbedding(dim=8).fit(graph=first)
    other = {k: [name.replace("a", "b") for name in v] for k, v in first.items()}
    for call in (model.embed, model.transform):
        with pytest.raises(wgdn.Error, match="none of the 20"):
            call(graph=other)
    both = {k: first[k] + other[k] for k in first}
    with pytest.warns(UserWarning, match="20 of 40 nodes"):
        made = model.embed(both)
    assert not made[other["source"]].any() and made[first["source"]].any(axis=1).all()


def test_labels_in_the_place_of_vectors():
    for call in (lambda: wgdn.evaluate(np.arange(N) % 2, np.ones((N, 3))), lambda: wgdn.evaluate(list(range(N)), np.ones((N, 3)))):
        with pytest.raises(wgdn.Error, match=r"the order is wgdn.evaluate\(vectors, labels\)"):
            call()


def test_numbers_of_a_vector_in_the_place_of_ids():
    for found in (wgdn.Embedding(np.ones((3, 2))), wgdn.Embedding(np.ones((3, 2)), ["a", "b", "c"])):
        with pytest.raises(wgdn.Error, match=r"embedding\.values"):
            found[np.float32(0.03)]


# ---- tables of pandas whose index numbers the rows ----

def shop():
    """Customers who are numbered in another order than their rows, their payments, and what each one is."""
    pd = pytest.importorskip("pandas")
    order = np.random.default_rng(5).permutation(N)
    people = pd.DataFrame({"customer": order, "age": X[order, 0], "group": np.where(Y[order] == 1, "a", "b")})
    return people, pd.DataFrame({"payer": EDGES[0], "payee": EDGES[1]})


@pytest.mark.parametrize("first", [0, 1], ids=["permuted", "from 1"])
def test_labels_of_a_table_go_with_its_rows(first):
    """The labels of a table whose ids are integers went by its row numbers, as if these were ids."""
    people, payments = shop()
    people["customer"] += first
    payments += first
    truth = dict(zip(people["customer"].tolist(), people["group"].tolist()))
    named = {"source": "payer", "target": "payee", "id": "customer"}
    g = wgdn.Graph(payments, people[["customer", "age"]], y=people["group"], **named)
    assert {name: g.classes[k] for name, k in zip(g.ids.tolist(), g.y.tolist())} == truth
    g = wgdn.Graph(payments, X[:, :2], ids=people["customer"], y=people["group"], source="payer", target="payee")
    assert {name: g.classes[k] for name, k in zip(g.ids.tolist(), g.y.tolist())} == truth
    known = people["group"].where(np.arange(N) % 2 == 0)
    p = wgdn.predict(payments, known, people[["customer", "age"]], **named)
    assert p.ids.tolist() == people["customer"].tolist()[1::2]
    same = wgdn.predict(payments, known.to_numpy(), people[["customer", "age"]], **named)
    assert p.probabilities.tobytes() == same.probabilities.tobytes()
    E = wgdn.embed(payments, people[["customer", "age"]], **named)
    for call in (lambda: wgdn.evaluate(E, people["group"]), lambda: wgdn.Graph(payments, y=people["group"], source="payer", target="payee")
                 if first else wgdn.predict(wgdn.Graph(payments, people[["customer", "age"]], **named), known)):
        with pytest.raises(wgdn.InvalidError, match=r"to_numpy\(\)"):
            call()


def test_labels_among_the_features():
    """A table of nodes with its labels, as X, made predictions look perfect."""
    people, payments = shop()
    named = {"source": "payer", "target": "payee", "id": "customer"}
    for call in (lambda: wgdn.predict(payments, people["group"].where(people.index % 2 == 0), people, **named),
                 lambda: wgdn.Graph(payments, people, y=people["group"], **named)):
        with pytest.warns(UserWarning, match="the column 'group' of X has the same values"):
            call()
    with pytest.raises(wgdn.InvalidError, match="an Embedding has vectors and no edges"):
        wgdn.cluster(wgdn.embed(RING, dim=4))


def test_labels_as_a_table_of_ids_and_labels():
    people, payments = shop()
    table = people[["customer", "group"]].rename(columns={"customer": "id"})
    E = wgdn.embed(wgdn.Graph(payments, source="payer", target="payee"), dim=8)
    by_id = people.set_index("customer")["group"]
    assert wgdn.evaluate(E, table) == wgdn.evaluate(E, by_id)
    half = table[::2]
    p, q = (wgdn.predict(payments, labels, source="payer", target="payee") for labels in (half, by_id[::2]))
    assert p.probabilities.tobytes() == q.probabilities.tobytes()
    with pytest.raises(wgdn.InvalidError, match=r"table.set_index\('customer'\)\['group'\]"):
        wgdn.predict(payments, people[["customer", "group"]], source="payer", target="payee")


def test_a_mask_with_ids_goes_by_them():
    """A mask of another table than the vectors' own took the rows of that table."""
    pd = pytest.importorskip("pandas")
    E = wgdn.Embedding([[1, 0], [0.9, 0.1], [0, 1]], ["ann", "bob", "cid"])
    old = pd.Series([True, False, False], index=["cid", "bob", "ann"])
    assert list(E[old]) == ["cid"] and E.similar("ann", k=2, among=old).ids.tolist() == ["cid"]
    assert list(E[old.to_numpy()]) == ["ann"] and list(E[pd.Series([True, False, False])]) == ["ann"]
    with pytest.raises(wgdn.InvalidError, match="'bob'"):
        E[old[["ann", "cid"]]]
    with pytest.raises(wgdn.InvalidError, match="1 missing of 3"):
        E[pd.Series([True, None, False], dtype="boolean")]
    numbers = wgdn.Embedding([[1, 0], [0.9, 0.1], [0, 1]], [2, 1, 0])
    for mask in (pd.Series([False, False, True]), [False, False, True], np.array([False, False, True])):
        assert numbers.similar(2, among=mask).ids.tolist() == [0]  # False was the id 0, and True the id 1


def test_ids_of_two_kinds_of_nodes():
    """A user and an item with the same id: labels went to the item."""
    sales = {"user": [1, 1, 2, 2, 3, 3, 4, 4], "item": [1, 2, 1, 2, 3, 4, 3, 4]}
    with pytest.raises(wgdn.InvalidError, match=r"use \('user', 1\) or \('item', 1\)"):
        wgdn.predict(sales, {1: "a", 2: "a", 3: "b", 4: "b"}, bipartite=True, folds=2)
    known = {("user", 1): "a", ("user", 2): "a", ("user", 3): "b", ("user", 4): "b"}
    p = wgdn.predict(sales, known, bipartite=True, folds=2)
    assert p.ids.tolist() == [1, 2, 3, 4] and p.kinds.tolist() == ["item"] * 4 and p.labels.tolist() == ["a", "a", "b", "b"]
    c = wgdn.NodeClassifier(graph=wgdn.Graph(sales, bipartite=True), folds=2).fit(list(known), list(known.values()))
    assert c.predict([("item", 1), ("item", 4)]).tolist() == ["a", "b"]
    with pytest.raises(wgdn.InvalidError, match="two kinds"):
        c.predict([1])
    if pytest.importorskip("pandas"):
        assert p.to_pandas().columns.tolist()[:2] == wgdn.cluster(sales, bipartite=True, clusters=2).to_pandas().columns.tolist()[:2] == \
            ["kind", "id"]


def test_minus_one_beside_a_gap_is_no_label():
    """A gap makes floats of integers, and -1.0 was a class of its own."""
    edges = [(i, (i + k) % 40) for i in range(40) for k in (1, 2)]
    labels = [-1.0, float("nan"), *(float(i // 20) for i in range(2, 40))]
    p = wgdn.predict(edges, labels)
    assert p.classes.tolist() == [0.0, 1.0] and p.ids.tolist() == [0, 1]
    with pytest.raises(wgdn.InvalidError, match="infinite"):
        wgdn.predict(edges, [float("inf"), *labels[1:]])


def test_a_table_of_vectors_with_a_column_of_ids():
    """E.to_pandas().reset_index() had its ids as the first number of each vector."""
    pytest.importorskip("pandas")
    E = wgdn.Embedding([[1, 0], [0, 1]], [7, 8])
    again = wgdn.Embedding(E.to_pandas().reset_index())
    assert again.ids.tolist() == [7, 8] and again.tobytes() == E.tobytes()
    assert wgdn.Embedding(wgdn.Embedding(np.eye(4)).to_pandas()[::2]).ids.tolist() == [0, 2]  # rows 0 and 2, not 0 and 1
    both = wgdn.Embedding([[1, 0], [0, 1]], [1, 1], kinds=["user", "item"])
    again = wgdn.Embedding(both.to_pandas().reset_index())
    assert again.kinds.tolist() == ["user", "item"] and again.dim == 2


def test_an_id_of_two_vectors():
    """The last one was taken."""
    E = wgdn.Embedding([[1, 0], [0, 1], [1, 0]], ["a", "a", "b"])
    with pytest.raises(wgdn.InvalidError, match="'a' is the id of two vectors, rows 0 and 1"):
        E["a"]
    assert wgdn.Embedding([[1, 0], [1, 0]], ["a", "a"])["a"].tolist() == [1, 0]


def test_a_score_of_fewer_labels():
    """Labels that were missing at the end were ignored."""
    c = wgdn.NodeClassifier(graph=[(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3)], folds=2).fit([0, 1, 3, 4], list("aabb"))
    with pytest.raises(wgdn.InvalidError, match="each of the 2 nodes of X, got 1"):
        c.score([2, 5], ["a"])
    assert c.score([2, 5], np.array([["a"], ["b"]])) == 1


# ---- values of tables that were read as something else ----

RING = [(i, (i + k) % 40) for i in range(40) for k in (1, 2)]


def test_columns_that_are_named_by_numbers():
    """A column of text beside one named 1 made that one the ids of the rows."""
    pd = pytest.importorskip("pandas")
    other = np.random.default_rng(1).permutation(40)
    made = wgdn.Graph(RING, pd.DataFrame({0: ["x", "y"] * 20, 1: other})).X
    named = wgdn.Graph(RING, pd.DataFrame({"a": ["x", "y"] * 20, "b": other})).X
    np.testing.assert_array_equal(made, named)
    with pytest.raises(wgdn.InvalidError, match="the column 'a' is there twice"):
        wgdn.Graph(RING, pd.DataFrame([["x", "y"]] * 40, columns=["a", "a"]))


def test_durations_times_and_periods_are_numbers():
    """They were categories, one for each value."""
    pd = pytest.importorskip("pandas")
    import datetime

    seconds = np.arange(40.0) * 3600
    same = wgdn.Graph(RING, pd.DataFrame({"c": seconds, "job": ["x", "y"] * 20}), feature_scale="standard").X
    for column in (pd.to_timedelta(seconds, "s"), [datetime.time(i // 60, i % 60) for i in range(40)]):
        made = wgdn.Graph(RING, pd.DataFrame({"c": column, "job": ["x", "y"] * 20}), feature_scale="standard").X
        np.testing.assert_allclose(made, same, atol=1e-6)
    months = pd.period_range("2020", periods=40, freq="M")
    by_period, by_day = (wgdn.Graph(RING, pd.DataFrame({"c": c})).X for c in (months, months.to_timestamp()))
    np.testing.assert_array_equal(by_period, by_day)
    with pytest.raises(wgdn.InvalidError, match="the column 'c' holds values of type list"):
        wgdn.Graph(RING, pd.DataFrame({"c": [[1.0, 2.0]] * 40}))


def test_masked_arrays():
    """Masked labels were labels, and masked weights weights."""
    y = np.ma.array([0, 1] * 20, mask=[True, False, False, False] * 10)
    assert wgdn.predict(RING, y).ids.tolist() == list(range(0, 40, 4))
    assert (wgdn.Graph(RING, y=y).y == -1).sum() == 10
    with pytest.raises(wgdn.InvalidError, match="weights"):
        wgdn.Graph((*zip(*RING), np.ma.array(np.ones(80), mask=[True] + [False] * 79)))


def test_splits_go_by_ids_and_have_the_shape_of_rows():
    """A Series went by rows, columns of masks were read as rows, and 1.5 was 1."""
    pd = pytest.importorskip("pandas")
    names = {"source": [f"n{a}" for a, _ in RING], "target": [f"n{b}" for _, b in RING]}
    part = pd.Series([1] * 20 + [3] * 20, index=[f"n{i}" for i in range(40)])
    g = wgdn.Graph(names, splits=part.sample(frac=1, random_state=1))
    assert g.splits[0].tolist() == part[g.ids].tolist()
    words = part.map({1: "train", 3: "test"})
    assert wgdn.Graph(names, splits=words).splits.tolist() == g.splits.tolist()
    assert wgdn.Graph(RING, splits=[None] * 20 + ["val"] * 20).splits.tolist() == [[0] * 20 + [2] * 20]
    two = np.ones((40, 2), np.int8)
    with pytest.raises(wgdn.InvalidError, match=r"pass splits\.T"):
        wgdn.Graph(RING, splits=two)
    assert wgdn.Graph(RING, splits=two.T).splits.shape == (2, 40)
    for wrong in (1.5, 7, "all"):
        with pytest.raises(wgdn.InvalidError, match="is no part"):
            wgdn.Graph(RING, splits=[wrong] * 40)


def test_labels_by_a_dictionary():
    known = {i: "ab"[i // 20] for i in range(40)}
    assert wgdn.Graph(RING, y=known).y.tolist() == [i // 20 for i in range(40)]
    E = wgdn.embed(RING, dim=8)
    assert wgdn.evaluate(E, known, runs=2) == wgdn.evaluate(E, list(known.values()), runs=2)
    with pytest.raises(wgdn.InvalidError, match="y: 99 is none of the nodes"):
        wgdn.Graph(RING, y={99: "a"})


def test_dates_as_labels_stay_dates():
    """They were nanoseconds."""
    pd = pytest.importorskip("pandas")
    days = pd.Series(pd.to_datetime(["2020-01-01", "2021-01-01"] * 20))
    for y in (days, days[1:], days.to_numpy()):
        assert {str(c)[:10] for c in wgdn.Graph(RING, y=y).classes.tolist()} == {"2020-01-01", "2021-01-01"}


def test_ids_that_a_gap_has_made_floats_beside_text():
    """1.0 and "1" were two nodes."""
    g = wgdn.Graph({"source": np.array([1.0, "a", 2.0], object), "target": np.array(["a", "1", "b"], object)})
    assert g.ids.tolist() == ["1", "a", "2", "b"]
    with pytest.raises(wgdn.InvalidError, match="the float 2.5"):
        wgdn.Graph({"source": np.array([2.5, "a"], object), "target": np.array(["a", "1"], object)})


def test_a_signal_goes_by_its_index():
    pd = pytest.importorskip("pandas")
    signal = pd.Series(np.sin(np.arange(40.0)))
    back = wgdn.restore(RING, signal)
    np.testing.assert_array_equal(wgdn.restore(RING, signal[::-1]), back[::-1])
    named = [(f"n{a}", f"n{b}") for a, b in RING]
    assert wgdn.restore(named, signal.set_axis([f"n{i}" for i in range(40)])).shape == (40,)
    with pytest.raises(wgdn.InvalidError, match="no row for the node"):
        wgdn.restore(RING, signal.set_axis(range(1, 41)))


def test_new_users_as_a_series():
    """Their lists were taken for users."""
    pd = pytest.importorskip("pandas")
    shop = wgdn.Recommender().fit({"user": ["ann", "ann", "bob", "bob", "cid"], "item": ["tea", "jam", "tea", "jam", "tea"]})
    new = {"zoe": ["tea"]}
    assert shop.recommend(new=pd.Series(new)).users.tolist() == ["zoe"]
    for wrong in (pd.DataFrame({"user": ["zoe"], "item": ["tea"]}), ["tea"]):
        with pytest.raises(TypeError, match="new: expected a dictionary"):
            shop.recommend(new=wrong)


@pytest.mark.parametrize("call, words", [
    (lambda: wgdn.embed(RING, bipartite="no"), "bipartite = 'no': expected True, False or None"),
    (lambda: wgdn.embed({"source": ["a"], "target": ["b"]}, id="customer"), "there is no X"),
    (lambda: wgdn.Graph(nodes=2, ids=["a", None]), "1 of 2 ids are missing"),
    (lambda: wgdn.Graph(nodes=2, ids=[1, 1.0]), "two ids are equal"),
    (lambda: wgdn.Graph(nodes=2, ids={"a", "b"}), "a set has no order"),
    (lambda: wgdn.Embedding([[1], [2]], {"a", "b"}), "a set has no order"),
    (lambda: wgdn.Embedding([[1.0]], [None]), "1 of 1 ids are missing"),
    (lambda: wgdn.similar([[1, 0], [np.nan, 1]], 0), "vectors: row 1 has numbers that are not finite"),
    (lambda: wgdn.similar([[1, 0], [0, 1]], np.array([np.nan, 1])), "query: row 0"),
    (lambda: wgdn.Embedding([[1], [2]], [0, 1])[True], "not bool"),
    (lambda: wgdn.Embedding([[1], [2]], ["a", "b"])[{"a"}], "not set"),
    (lambda: wgdn.Embedding([[1], [2]], ["a", "b"])["a":"b"], "numbers of rows"),
    (lambda: wgdn.Graph({"source": [[1]], "target": [[2]]}), "expected one column"),
    (lambda: wgdn.Graph([([1], "a"), (2, "b")]), r"\[1\] is list"),
    (lambda: wgdn.read({"source": [1], "target": [2]}), r"got dict; wgdn.Graph\(\) takes data in memory"),
    (lambda: wgdn.recommend(RING, [True, False]), "got booleans"),
    (lambda: wgdn.recommend(RING, among=[]), "among is empty"),
    (lambda: wgdn.Graph([(0, 1, "heavy")]), "as weights, got 'heavy'"),
], ids=lambda v: v if isinstance(v, str) else "")
def test_values_that_are_refused(call, words):
    with pytest.raises(wgdn.Error, match=words):
        call()


def test_a_table_whose_index_has_the_edges():
    pd = pytest.importorskip("pandas")
    ends = pd.DataFrame({"payer": [0, 1, 2], "payee": [1, 2, 0], "amount": [1.0, 2, 3]}).set_index(["payer", "payee"])
    for wrong in (ends, ends["amount"]):
        with pytest.raises(wgdn.InvalidError, match=r"reset_index\(\)"):
            wgdn.embed(wrong)
    assert wgdn.Graph(ends.reset_index(), source="payer", target="payee").edges == 3


def test_nullable_numbers_and_one_vector():
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame({"source": [0, 1], "target": [1, 2], "weight": pd.array([2.5, 1.0], "Float64")})
    assert wgdn.Graph(table).adjacency.max() == 2.5
    assert wgdn.Embedding([[1, 0]], ["a"]).similar("a").ids.tolist() == []


def test_rows_beside_text_ids_are_told():
    """Labels whose index only numbers them are in the order of a table that the graph does not know."""
    pd = pytest.importorskip("pandas")
    names = {"source": [f"n{a}" for a, _ in RING], "target": [f"n{b}" for _, b in RING]}
    y = pd.Series(["a", "b"] * 20)
    for call in (lambda: wgdn.Graph(names, y=y), lambda: wgdn.evaluate(wgdn.embed(names, dim=8), y)):
        with pytest.warns(UserWarning, match=r"y.set_axis\(ids\)"):
            call()
