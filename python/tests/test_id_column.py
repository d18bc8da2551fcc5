# SPDX-License-Identifier: Apache-2.0
"""A column of ids in a table of nodes is the ids of its rows, or refused; never a feature."""
import numpy as np
import pytest
import wgdn

pd = pytest.importorskip("pandas")

EDGES = pd.DataFrame({"source": ["a", "b", "c"], "target": ["b", "c", "a"]})


def test_a_column_named_id_holds_the_ids():
    x = pd.DataFrame({"age": [30.0, 40.0, 50.0], "id": ["c", "a", "b"]})
    d = wgdn.dataset(x, EDGES)
    assert list(d.ids) == ["c", "a", "b"]
    np.testing.assert_array_equal(np.asarray(d.features).ravel(), [30, 40, 50])


def test_numbers_are_ids_too():
    x = pd.DataFrame({"id": [10, 20, 30], "age": [1.0, 2.0, 3.0]})
    d = wgdn.dataset(x, {"source": [10, 20], "target": [20, 30]})
    assert d.features.shape == (3, 1)


def test_a_column_named_like_an_end_of_the_edges_holds_the_ids():
    edges = pd.DataFrame({"payer_iban": ["a", "b"], "payee_iban": ["b", "c"]})
    x = pd.DataFrame({"payer_iban": ["a", "b", "c"], "age": [1.0, 2.0, 3.0]})
    d = wgdn.dataset(x, edges)
    assert list(d.ids) == ["a", "b", "c"] and d.features.shape == (3, 1)


def as_read(made, table, tmp_path):
    """Whether a table in memory is what its file is, down to the bits of the vectors."""
    table.to_csv(tmp_path / "table.csv", index=False)
    read = wgdn.read(tmp_path / "table.csv")
    assert made.nodes == read.nodes and made.edges == read.edges
    assert [str(i) for i in made.ids] == list(read.ids)
    assert wgdn.embed(made, dim=8).tobytes() == wgdn.embed(read, dim=8).tobytes()


RATINGS = pd.DataFrame({"user": np.arange(60) % 12 + 1, "item": np.arange(60) * 7 % 20 + 1, "rating": np.arange(60) % 5 + 1})
KINDS = "'user' and 'item' are two kinds of nodes.*bipartite=False"


def test_two_kinds_of_nodes_are_read_as_in_files(tmp_path):
    for table in (RATINGS, RATINGS[["user", "item"]].rename(columns={"user": "customer_id", "item": "product_id"}),
                  RATINGS.assign(user=[f"n{i}" for i in RATINGS.user], item=[f"n{i}" for i in RATINGS.item + 11])):
        with pytest.warns(UserWarning, match="are two kinds of nodes: an id in both columns, such as .*bipartite=False"):
            made = wgdn.dataset(edges=table)
        as_read(made, table, tmp_path)
        assert made.nodes == 32


def test_two_kinds_of_nodes_in_every_table():
    with pytest.warns(UserWarning, match=KINDS):
        ids = wgdn.dataset(edges=RATINGS).ids.tolist()
    assert ids[:4] == ["user:1", "item:1", "user:2", "item:8"]
    tables = [RATINGS.to_dict("list")]
    for library in ("polars", "pyarrow"):
        try:
            tables.append(__import__(library).table(RATINGS.to_dict("list")) if library == "pyarrow" else
                          __import__(library).DataFrame(RATINGS.to_dict("list")))
        except ImportError:
            pass
    for table in tables:
        with pytest.warns(UserWarning, match=KINDS):
            assert wgdn.dataset(edges=table).ids.tolist() == ids
        with pytest.warns(UserWarning, match=KINDS):
            assert wgdn.embed(table, dim=8).shape[0] == 32


def test_one_kind_or_two_as_the_caller_says(recwarn):
    one = wgdn.dataset(edges=RATINGS[["user", "item"]], bipartite=False)
    assert one.nodes == 20 and one.ids.tolist() == list(range(1, 21))
    two = wgdn.dataset(edges={"source": [1, 2], "target": [2, 3]}, bipartite=True)
    assert two.ids.tolist() == ["source:1", "target:2", "source:2", "target:3"] and two.edges == 2
    for matrix in (np.eye(3), [(0, 1), (1, 2)]):
        with pytest.raises(wgdn.Error, match="bipartite=True goes with a table"):
            wgdn.dataset(edges=matrix, bipartite=True)
    assert not recwarn.list


def test_columns_without_common_ids_need_no_warning(recwarn):
    assert wgdn.dataset(edges={"customer_id": [1, 2], "product_id": [10, 11]}).ids.tolist() == [1, 2, 10, 11]
    assert wgdn.dataset(edges={"source": [1, 2], "target": [2, 3]}).nodes == 3
    assert wgdn.dataset(edges={"citing_paper": [1, 2], "cited_paper": [2, 3]}).nodes == 3
    assert not recwarn.list


def test_features_of_two_kinds_need_their_ids():
    edges = {"customer_id": [1, 2, 3], "product_id": [2, 1, 1]}
    x = pd.DataFrame({"age": [1.0, 2.0, 3.0]}, index=[1, 2, 3])
    with pytest.warns(UserWarning, match="two kinds"), pytest.raises(wgdn.Error, match="customer_id:1.*bipartite=False"):
        wgdn.dataset(x, edges)
    assert wgdn.dataset(x, edges, bipartite=False).nodes == 3
    kinds = pd.DataFrame({"age": np.arange(5.0)}, index=["customer_id:1", "customer_id:2", "customer_id:3", "product_id:1",
                                                         "product_id:2"])
    with pytest.warns(UserWarning, match="two kinds"):
        made = wgdn.dataset(kinds, edges)
    assert made.nodes == 5 and made.edges == 3 and made.ids[0] == "customer_id:1"
    assert wgdn.dataset(np.ones((4, 2)), edges).nodes == 4  # integers are rows


def test_ends_of_edges_are_found_as_in_files(tmp_path, recwarn):
    n = 40
    table = pd.DataFrame({"booking_date": pd.date_range("2024-01-01", periods=n), "tx": np.arange(n) + 9000,
                          "debtor_iban": [f"d{i % 7}" for i in range(n)], "creditor_iban": [f"d{i % 11}" for i in range(n)],
                          "amount": np.arange(n) * 1.5})
    as_read(wgdn.dataset(edges=table), table, tmp_path)
    assert "booking_date, tx, amount are not used" in str(recwarn.list[0].message)
    with pytest.raises(wgdn.Error, match="which columns are the source and the target"):
        wgdn.dataset(edges={"author1": list("abcd"), "author2": list("bcda"), "author3": list("cdab")})


def test_two_sources_of_ids_are_refused():
    x = pd.DataFrame({"id": [1, 2, 3], "age": [1.0, 2.0, 3.0]}, index=["a", "b", "c"])
    with pytest.raises(wgdn.Error, match="index and in the column 'id'"):
        wgdn.dataset(x, EDGES)


def test_ids_that_repeat_are_refused():
    x = pd.DataFrame({"id": [1, 1, 2], "age": [1.0, 2.0, 3.0]})
    with pytest.raises(wgdn.Error, match="'id' is named like ids"):
        wgdn.dataset(x, {"source": [1], "target": [2]})


def test_polars():
    pl = pytest.importorskip("polars")
    d = wgdn.dataset(pl.DataFrame({"id": [10, 20, 30], "age": [1.0, 2.0, 3.0]}), {"source": [10, 20], "target": [20, 30]})
    assert d.features.shape == (3, 1)
