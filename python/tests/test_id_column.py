# SPDX-License-Identifier: Apache-2.0
"""A column of ids in a table of nodes is the ids of its rows, or refused; never a feature."""
import numpy as np
import pytest
import wgdn

pd = pytest.importorskip("pandas")

EDGES = pd.DataFrame({"source": ["a", "b", "c"], "target": ["b", "c", "a"]})


def test_a_column_named_id_holds_the_ids():
    x = pd.DataFrame({"age": [30.0, 40.0, 50.0], "id": ["c", "a", "b"]})
    d = wgdn.Graph(EDGES, x)
    assert list(d.ids) == ["c", "a", "b"]
    np.testing.assert_array_equal(np.asarray(d.X).ravel(), [30, 40, 50])


def test_numbers_are_ids_too():
    x = pd.DataFrame({"id": [10, 20, 30], "age": [1.0, 2.0, 3.0]})
    d = wgdn.Graph({"source": [10, 20], "target": [20, 30]}, x)
    assert d.X.shape == (3, 1)


def test_a_column_named_like_an_end_of_the_edges_holds_the_ids():
    edges = pd.DataFrame({"payer_iban": ["a", "b"], "payee_iban": ["b", "c"]})
    x = pd.DataFrame({"payer_iban": ["a", "b", "c"], "age": [1.0, 2.0, 3.0]})
    d = wgdn.Graph(edges, x)
    assert list(d.ids) == ["a", "b", "c"] and d.X.shape == (3, 1)


def test_an_end_that_the_caller_names_is_found_in_the_table_of_nodes():
    edges = pd.DataFrame({"one": ["a", "b"], "other": ["b", "c"], "more": ["x", "y"]})
    x = pd.DataFrame({"age": [1.0, 2.0, 3.0], "one": ["c", "b", "a"]})
    d = wgdn.Graph(edges, x, source="one", target="other")
    assert list(d.ids) == ["c", "b", "a"] and d.X.shape == (3, 1) and d.edges == 2


def texts_of(graph):
    """Ids as in files: those of two kinds of nodes are KIND:ID."""
    if graph.kinds is None:
        return [str(i) for i in graph.ids]
    return [f"{kind}:{i}" for kind, i in zip(graph.kinds, graph.ids)]


def as_read(made, table, tmp_path):
    """Whether a table in memory is what its file is, down to the bits of the vectors."""
    table.to_csv(tmp_path / "table.csv", index=False)
    read = wgdn.read(tmp_path / "table.csv")
    assert made.nodes == read.nodes and made.edges == read.edges
    assert texts_of(made) == list(read.ids)
    assert wgdn.embed(made, dim=8).tobytes() == wgdn.embed(read, dim=8).tobytes()


RATINGS = pd.DataFrame({"user": np.arange(60) % 12 + 1, "item": np.arange(60) * 7 % 20 + 1, "rating": np.arange(60) % 5 + 1})
KINDS = "'user' and 'item' are two kinds of nodes.*bipartite=False"


def test_two_kinds_of_nodes_are_read_as_in_files(tmp_path):
    for table in (RATINGS, RATINGS[["user", "item"]].rename(columns={"user": "customer_id", "item": "product_id"}),
                  RATINGS.assign(user=[f"n{i}" for i in RATINGS.user], item=[f"n{i}" for i in RATINGS.item + 11])):
        with pytest.warns(UserWarning, match="are two kinds of nodes: an id in both columns, such as .*bipartite=False"):
            made = wgdn.Graph(table)
        as_read(made, table, tmp_path)
        assert made.nodes == 32
        assert set(made.kinds) == set(table.columns[:2]) and type(made.ids[0]) is type(table.iloc[0, 0])  # ids stay


def test_two_kinds_of_nodes_in_every_table():
    with pytest.warns(UserWarning, match=KINDS):
        graph = wgdn.Graph(RATINGS)
    assert graph.ids[:4].tolist() == [1, 1, 2, 8] and graph.kinds[:4].tolist() == ["user", "item", "user", "item"]
    tables = [RATINGS.to_dict("list")]
    for library in ("polars", "pyarrow"):
        try:
            tables.append(__import__(library).table(RATINGS.to_dict("list")) if library == "pyarrow" else
                          __import__(library).DataFrame(RATINGS.to_dict("list")))
        except ImportError:
            pass
    expected = wgdn.embed(graph, dim=8)
    for table in tables:
        with pytest.warns(UserWarning, match=KINDS):
            assert texts_of(wgdn.Graph(table)) == texts_of(graph)
        with pytest.warns(UserWarning, match=KINDS):
            made = wgdn.embed(table, dim=8)
        assert made.tobytes() == expected.tobytes() and made.shape[0] == 32
        assert made.kinds.tolist() == graph.kinds.tolist() and made.ids.tolist() == graph.ids.tolist()
        assert made[("item", 1)].tolist() == expected.values[1].tolist()


def test_one_kind_or_two_as_the_caller_says(recwarn):
    one = wgdn.Graph(RATINGS[["user", "item"]], bipartite=False)
    assert one.nodes == 20 and one.ids.tolist() == list(range(1, 21)) and one.kinds is None
    two = wgdn.Graph({"source": [1, 2], "target": [2, 3]}, bipartite=True)
    assert texts_of(two) == ["source:1", "target:2", "source:2", "target:3"] and two.edges == 2
    for matrix in (np.eye(3), [(0, 1), (1, 2)]):
        with pytest.raises(wgdn.Error, match="bipartite=True: these go with a table"):
            wgdn.Graph(matrix, bipartite=True)
    assert not recwarn.list


def test_the_ends_that_the_caller_names_are_two_kinds_by_their_headings(tmp_path):
    table = RATINGS.rename(columns={"rating": "weight"})[["weight", "item", "user"]]
    with pytest.warns(UserWarning, match=KINDS):
        made = wgdn.Graph(table, source="user", target="item")
    table.to_csv(tmp_path / "table.csv", index=False)
    read = wgdn.read(tmp_path / "table.csv", source="user", target="item")
    assert texts_of(made) == list(read.ids) and made.counts["weighted"] == read.counts["weighted"] == 1
    assert wgdn.embed(made, dim=8).tobytes() == wgdn.embed(read, dim=8).tobytes()


def test_columns_without_common_ids_need_no_warning(recwarn):
    assert wgdn.Graph({"customer_id": [1, 2], "product_id": [10, 11]}).ids.tolist() == [1, 2, 10, 11]
    assert wgdn.Graph({"source": [1, 2], "target": [2, 3]}).nodes == 3
    assert wgdn.Graph({"citing_paper": [1, 2], "cited_paper": [2, 3]}).nodes == 3
    x = pd.DataFrame({"age": np.arange(4.0)}, index=[11, 1, 2, 10])
    assert wgdn.Graph({"customer_id": [1, 2], "product_id": [10, 11]}, x).ids.tolist() == [11, 1, 2, 10]
    assert not recwarn.list


def test_features_of_two_kinds_need_their_ids():
    edges = {"customer_id": [1, 2, 3], "product_id": [2, 1, 1]}
    x = pd.DataFrame({"age": [1.0, 2.0, 3.0]}, index=[1, 2, 3])
    with pytest.warns(UserWarning, match="two kinds"), pytest.raises(wgdn.Error, match="customer_id:1.*bipartite=False"):
        wgdn.Graph(edges, x)
    assert wgdn.Graph(edges, x, bipartite=False).nodes == 3
    kinds = pd.DataFrame({"age": np.arange(5.0)}, index=["customer_id:1", "customer_id:2", "customer_id:3", "product_id:1",
                                                         "product_id:2"])
    with pytest.warns(UserWarning, match="two kinds"):
        made = wgdn.Graph(edges, kinds)
    assert made.nodes == 5 and made.edges == 3 and made.ids[0] == "customer_id:1"
    assert wgdn.Graph(edges, np.ones((4, 2))).nodes == 4  # integers are rows


def test_ends_of_edges_are_found_as_in_files(tmp_path, recwarn):
    n = 40
    table = pd.DataFrame({"booking_date": pd.date_range("2024-01-01", periods=n), "tx": np.arange(n) + 9000,
                          "debtor_iban": [f"d{i % 7}" for i in range(n)], "creditor_iban": [f"d{i % 11}" for i in range(n)],
                          "amount": np.arange(n) * 1.5})
    as_read(wgdn.Graph(table), table, tmp_path)
    assert "booking_date, tx, amount are not used" in str(recwarn.list[0].message)
    with pytest.raises(wgdn.Error, match="which columns are the source and the target"):
        wgdn.Graph({"author1": list("abcd"), "author2": list("bcda"), "author3": list("cdab")})


def test_two_sources_of_ids_are_refused():
    x = pd.DataFrame({"id": [1, 2, 3], "age": [1.0, 2.0, 3.0]}, index=["a", "b", "c"])
    with pytest.raises(wgdn.Error, match="index and in the column 'id'"):
        wgdn.Graph(EDGES, x)


def test_ids_that_repeat_are_refused():
    x = pd.DataFrame({"id": [1, 1, 2], "age": [1.0, 2.0, 3.0]})
    with pytest.raises(wgdn.Error, match="'id' is named like ids"):
        wgdn.Graph({"source": [1], "target": [2]}, x)


def test_polars():
    pl = pytest.importorskip("polars")
    d = wgdn.Graph({"source": [10, 20], "target": [20, 30]}, pl.DataFrame({"id": [10, 20, 30], "age": [1.0, 2.0, 3.0]}))
    assert d.X.shape == (3, 1)
