# SPDX-License-Identifier: Apache-2.0
"""Recommender and recommend(): ids keep their types, lists are those of the program, mistakes have messages."""
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
