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


def test_two_kinds_of_nodes_with_the_same_ids(recwarn):
    table = {"customer_id": [1, 2, 3, 4], "product_id": [2, 3, 4, 4]}
    with pytest.warns(UserWarning, match="3 ids in common, such as .*two kinds of nodes"):
        wgdn.Graph(table)
    recwarn.clear()
    wgdn.Graph({"customer_id": [1, 2], "product_id": [10, 11]})
    wgdn.Graph({"source": [1, 2], "target": [2, 3]})
    assert not recwarn.list


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
