# SPDX-License-Identifier: Apache-2.0
"""Recommender and recommend(): ids keep their types, lists are those of the program, mistakes have messages."""
import pickle

import numpy as np
import pytest

import wgdn


def ratings(users=60, items=24, seed=3):
    """Two groups of users with tastes of their own; users are numbers, items text."""
    random = np.random.default_rng(seed)
    pairs = {(int(u), f"item {2 * int(i) + u % 2}") for u in range(users) for i in random.integers(0, items // 2, 6)}
    ordered = sorted(pairs)
    return {"customer": [u for u, _ in ordered], "product": [i for _, i in ordered]}


def test_lists_have_the_ids_of_the_table():
    table = ratings()
    found = wgdn.recommend(table, k=5, bipartite=True)
    assert len(found) == 60 and found.items.shape == (60, 5) and 7 in found
    assert all(isinstance(item, str) for item, _ in found[7])
    seen = {(u, i) for u, i in zip(table["customer"], table["product"])}
    assert not any((u, item) in seen for u in found for item, _ in found[u])
    own = [int(item.split()[1]) % 2 == u % 2 for u in found for item, _ in found[u][:3]]
    assert np.mean(own) > 0.9


def test_some_users_and_items():
    fitted = wgdn.Recommender(seed=4).fit(ratings(), bipartite=True)
    few = fitted.recommend([3, 5], 4, among=["item 0", "item 1", "item 3"])
    assert list(few) == [3, 5] and {item for u in few for item, _ in few[u]} <= {"item 0", "item 1", "item 3"}
    assert few.items.shape == (2, 4) and few.items[0, 3] is None and np.isnan(few.scores[0, 3])
    all_items = fitted.recommend(3, 24, include_seen=True)
    assert len(all_items[3]) == len(fitted.items_)
    assert fitted.score_ and fitted.held_out_["ndcg"] > fitted.popularity_["ndcg"]


def test_new_users():
    fitted = wgdn.Recommender().fit(ratings(), bipartite=True)
    with pytest.warns(UserWarning, match="1 items"):
        found = fitted.recommend(k=3, new={"zoe": ["item 0", "item 2", "soap"], 5: ["item 1"]})
    assert list(found) == ["zoe", 5] and "item 0" not in dict(found["zoe"])
    assert all(int(item.split()[1]) % 2 == 0 for item, _ in found["zoe"])
    known = fitted.recommend(3, k=4)
    table = ratings()
    same = fitted.recommend(k=4, new={3: [i for u, i in zip(table["customer"], table["product"]) if u == 3]})
    assert [i for i, _ in same[3]] == [i for i, _ in known[3]]


def test_links_of_a_graph():
    edges = [(i, j) for i in range(6) for j in range(i) if (i, j) != (5, 0)] + [(0, 6)]
    found = wgdn.recommend(edges, 0, k=1)
    assert found[0][0][0] == 5


@pytest.mark.parametrize("first", [0, 1000])
def test_users_are_the_first_column(first, tmp_path):
    """Where items outnumber users, or have the smaller numbers, items got lists of users."""
    table = ratings(users=8, items=40)
    table = {"user": [u + 500 for u in table["customer"]], "item": [int(i.split()[1]) + first for i in table["product"]]}
    found = wgdn.recommend(table, k=2)
    assert sorted(found.users.tolist()) == list(range(500, 508)) and all(item in table["item"] for u in found for item, _ in found[u])
    path = tmp_path / "sales.csv"
    path.write_text("user,item\n" + "".join(f"{u},{i}\n" for u, i in zip(table["user"], table["item"])))
    assert sorted(wgdn.recommend(path, k=2).users.tolist()) == [str(u) for u in range(500, 508)]
    with pytest.warns(UserWarning, match="bipartite=True"):
        wgdn.recommend({"a": table["user"], "b": table["item"]}, source="a", target="b")


def same(a, b):
    return a.users.tolist() == b.users.tolist() and a.items.tolist() == b.items.tolist() and a.scores.tobytes() == b.scores.tobytes()


def test_files(tmp_path):
    fitted = wgdn.Recommender(seed=4).fit(ratings(), bipartite=True)
    fitted.save(tmp_path / "shop.model")
    for loaded in (wgdn.Recommender.load(tmp_path / "shop.model"), wgdn.load(tmp_path / "shop.model")):
        assert isinstance(loaded, wgdn.Recommender) and same(loaded.recommend(k=5), fitted.recommend(k=5))
        assert loaded.users_.dtype.kind == "i" and loaded.held_out_ == fitted.held_out_ and loaded.score_ == fitted.score_
        assert same(loaded.recommend(k=3, new={"zoe": ["item 0"]}), fitted.recommend(k=3, new={"zoe": ["item 0"]}))
    again = pickle.loads(pickle.dumps(fitted))
    assert again.seed == 4 and again.users_.tolist() == fitted.users_.tolist() and same(again.recommend(k=5), fitted.recommend(k=5))
    (tmp_path / "cut.model").write_bytes((tmp_path / "shop.model").read_bytes()[:2000])
    with pytest.raises(wgdn.FormatError):
        wgdn.Recommender.load(tmp_path / "cut.model")


def test_ids_of_a_file_are_integers_only_if_all_are(tmp_path):
    table = {"user": ["007", "8", "9", "9", "8"], "item": [1, 2, 1, 2, 1]}
    wgdn.Recommender().fit(table).save(tmp_path / "m")
    loaded = wgdn.load(tmp_path / "m")
    assert loaded.users_.tolist() == ["007", "8", "9"] and loaded.items_.tolist() == [1, 2]


def test_files_of_the_program(tmp_path, program):
    table = ratings()
    path = tmp_path / "ratings.csv"
    path.write_text("customer,product\n" + "".join(f"{u},{i}\n" for u, i in zip(table["customer"], table["product"])))
    program("recommend", path, "--save", tmp_path / "theirs", "--vectors", tmp_path / "v.npz", "--dim", "6", "-q")
    theirs, fitted = wgdn.load(tmp_path / "theirs"), wgdn.Recommender().fit(table, bipartite=True)
    assert same(theirs.recommend([3, 5], k=5), fitted.recommend([3, 5], k=5))
    fitted.save(tmp_path / "ours")
    lists = program("recommend", tmp_path / "ours", "3", "--count", "4", "-q").splitlines()
    assert [line.split("\t")[1] for line in lists[-4:]] == [item for item, _ in fitted.recommend(3, k=4)[3]]
    E, written = fitted.vectors(6), wgdn.read_embedding(tmp_path / "v.npz")
    where = {name: row for row, name in enumerate(written.ids.tolist())}
    rows = [where[f"{kind}:{name}"] for kind, name in zip(E.kinds.tolist(), E.ids.tolist())]
    assert written.values[rows].tobytes() == E.tobytes()


def test_vectors():
    fitted = wgdn.Recommender().fit(ratings(), bipartite=True)
    E = fitted.vectors(dim=8)
    assert E.shape == (len(fitted.users_) + len(fitted.items_), 8) and 0 < E.made_from["kept"] <= 1
    assert E.ids_of("user").tolist() == fitted.users_.tolist() and E.ids_of("item").tolist() == fitted.items_.tolist()
    near = E.similar(("user", 3), k=5, among=E.ids_of("item"), metric="dot")
    assert all(int(item.split()[1]) % 2 == 1 for item in near.ids.tolist())
    assert fitted.vectors(dim=8, threads=1).tobytes() == E.tobytes() == fitted.vectors(dim=8, threads=4).tobytes()


def test_a_matrix_of_users_and_items():
    sparse = pytest.importorskip("scipy.sparse")
    table = ratings()
    users, items = np.array(table["customer"]), np.array([int(i.split()[1]) for i in table["product"]])
    matrix = sparse.coo_array((np.ones(len(users)), (users, items)), (60, 24)).tocsr()
    found = wgdn.recommend(matrix, k=5)
    assert found.users.tolist() == list(range(60)) and set(found.items.reshape(-1).tolist()) <= set(range(24))
    named = wgdn.recommend({"user": users, "item": items}, k=5, bipartite=True)  # items in another order, so in other bits
    assert found.items.tolist() == named.items.tolist() and np.allclose(found.scores, named.scores, rtol=1e-4)
    square = sparse.coo_array(([1.0], ([0], [1])), (2, 2)).tocsr()
    g = wgdn.Graph(square, bipartite=True)
    assert g.nodes == 4 and g.kinds.tolist() == ["user", "user", "item", "item"] and g.ids.tolist() == [0, 1, 0, 1]


def test_the_same_lists_as_the_program(tmp_path, program):
    table = ratings()
    path = tmp_path / "ratings.csv"
    path.write_text("customer,product\n" + "".join(f"u{u},{i}\n" for u, i in zip(table["customer"], table["product"])))
    program("recommend", path, "--count", "5", "-o", tmp_path / "lists.csv", "-q")
    rows = [line.split(",") for line in (tmp_path / "lists.csv").read_text().splitlines()[1:]]
    found = wgdn.recommend({**table, "customer": [f"u{u}" for u in table["customer"]]}, k=5)
    ours = {(u, item): score for u in found for item, score in found[u]}
    assert {(r[0], r[1]) for r in rows} == set(ours)
    assert all(np.float32(r[2]) == np.float32(ours[r[0], r[1]]) for r in rows)


def test_tables_of_lists():
    pandas = pytest.importorskip("pandas")
    found = wgdn.recommend(pandas.DataFrame(ratings()), k=3, bipartite=True)
    frame = found.to_pandas()
    assert list(frame.columns) == ["user", "item", "score"] and len(frame) == 180 and frame["user"].dtype.kind == "i"
    assert "60 lists" in repr(found) and "<table>" in found._repr_html_()


@pytest.mark.parametrize("call, words", [
    (lambda: wgdn.recommend(ratings(), [999], bipartite=True), "users: 999"),
    (lambda: wgdn.recommend(ratings(), among=["tea"], bipartite=True), "among: 'tea'"),
    (lambda: wgdn.recommend(ratings(), k=0), "k = 0"),
    (lambda: wgdn.recommend(ratings(), dim=8), "dim"),
    (lambda: wgdn.Recommender().recommend(), "fit"),
    (lambda: wgdn.Recommender().fit(ratings(), bipartite=True).recommend(3, new={1: []}), "new"),
    (lambda: wgdn.Recommender().fit(ratings(), bipartite=True).recommend(new={1: "item 0"}), "new"),
    (lambda: wgdn.Recommender(columnz=8), "columns"),
    (lambda: wgdn.recommend(np.zeros((3, 3))), "no edges"),
])
def test_mistakes(call, words):
    with pytest.raises((wgdn.Error, TypeError), match=words):
        call()


def test_scikit_learn_clones():
    base = pytest.importorskip("sklearn.base")
    copy = base.clone(wgdn.Recommender(columns=64, random_state=7))
    assert copy.columns == 64 and copy.seed == 7
