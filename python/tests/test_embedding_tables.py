# SPDX-License-Identifier: Apache-2.0
"""Embeddings as tables of pandas, Arrow and Parquet."""
import numpy as np
import pytest

import wgdn

VALUES = np.arange(12, dtype=np.float32).reshape(4, 3)
NAMES = ["wgdn0", "wgdn1", "wgdn2"]


def test_pandas():
    pytest.importorskip("pandas")
    table = wgdn.Embedding(VALUES, list("abcd")).to_pandas()
    assert list(table.columns) == NAMES and list(table.index) == list("abcd")
    assert table.loc["c", "wgdn1"] == 7 and (table.dtypes == np.float32).all()
    assert list(wgdn.Embedding(VALUES).to_pandas().index) == [0, 1, 2, 3]


def test_arrow_shares_the_vectors():
    pyarrow = pytest.importorskip("pyarrow")
    e = wgdn.Embedding(VALUES, list("abcd"))
    table = e.to_arrow()
    assert table.column_names == ["id", "vector"] and table["id"].to_pylist() == list("abcd")
    assert table.schema.field("vector").type == pyarrow.list_(pyarrow.float32(), 3)
    assert table["vector"].to_pylist() == VALUES.tolist()
    held = table["vector"].chunk(0).values.buffers()[1]
    assert held.address == e.values.ctypes.data  # no copy


@pytest.mark.parametrize("ids, kept", [
    (None, [0, 1, 2, 3]), ([7, 8, 9, 10], [7, 8, 9, 10]), (["a", 1, "b", 2], ["a", "1", "b", "2"])])
def test_ids_of_any_type(ids, kept):
    pytest.importorskip("pyarrow")
    assert wgdn.Embedding(VALUES, ids).to_arrow()["id"].to_pylist() == kept


def test_columns():
    pytest.importorskip("pyarrow")
    table = wgdn.Embedding(VALUES).to_arrow(columns=True)
    assert table.column_names == ["id", *NAMES] and table["wgdn2"].to_pylist() == [2, 5, 8, 11]


def test_parquet_is_read_by_others(tmp_path):
    pytest.importorskip("pyarrow")
    e = wgdn.Embedding(VALUES, list("abcd"))
    e.to_parquet(tmp_path / "vectors.parquet")
    e.to_parquet(str(tmp_path / "wide.parquet"), columns=True)
    duckdb = pytest.importorskip("duckdb")
    sql = f"select id, vector::float[3] from '{tmp_path}/vectors.parquet' where vector[1] > 5"
    assert duckdb.sql(sql).fetchall() == [("c", (6, 7, 8)), ("d", (9, 10, 11))]
    polars = pytest.importorskip("polars")
    assert polars.read_parquet(tmp_path / "wide.parquet").columns == ["id", *NAMES]


def test_ids_are_what_it_holds():
    """"a" in e raised KeyError, and so did list(e)."""
    e = wgdn.Embedding(VALUES, list("abcd"))
    assert "a" in e and "z" not in e and ["a"] not in e and list(e) == list("abcd")
    assert e[["d", "a"]].tolist() == VALUES[[3, 0]].tolist() and e[np.array(["b"])].tolist() == VALUES[[1]].tolist()
    assert {name: vector.tolist() for name, vector in zip(e, e.values)}["c"] == VALUES[2].tolist()
    plain = wgdn.Embedding(VALUES)
    assert 3 in plain and 4 not in plain and list(plain) == [0, 1, 2, 3]
    assert plain[[2, 1]].tolist() == VALUES[[2, 1]].tolist()
    with pytest.raises(KeyError, match="no vector has the id 'z'"):
        e[["a", "z"]]
    with pytest.raises(wgdn.UnknownIdError, match="embedding.ids"):
        e[VALUES[0, 0]]
    part = e[1:3]
    assert isinstance(part, wgdn.Embedding) and list(part) == ["b", "c"] and part["c"].tolist() == VALUES[2].tolist()
    assert list(e[np.array([True, False, False, True])]) == ["a", "d"]
    np.testing.assert_array_equal(e[np.array([2, 0]), :], VALUES[[2, 0]])  # as scikit-learn takes rows
    with pytest.raises(TypeError, match="may be ids or rows"):
        wgdn.Embedding(VALUES, [3, 2, 1, 0])[np.array([0, 1])]
    pd = pytest.importorskip("pandas")
    assert e[pd.Series(["b", "b"])].tolist() == VALUES[[1, 1]].tolist()


def test_a_vector_is_a_query():
    """np.float32(...) was looked up as an id."""
    e = wgdn.Embedding([[1, 0], [0.9, 0.1], [0, 1]], ["Ann", "Bob", "Cid"])
    assert wgdn.similar(e, e["Ann"], k=2).ids.tolist() == ["Ann", "Bob"]


@pytest.mark.parametrize("columns", [False, True])
@pytest.mark.parametrize("ids", [None, list("abcd"), [7, 8, 9, 10]], ids=["none", "text", "integers"])
def test_parquet_is_read_again(tmp_path, columns, ids):
    pytest.importorskip("pyarrow")
    wgdn.Embedding(VALUES, ids).to_parquet(tmp_path / "v.parquet", columns=columns)
    again = wgdn.read_embedding(tmp_path / "v.parquet")
    assert again.values.tolist() == VALUES.tolist()
    assert (None if again.ids is None else again.ids.tolist()) == ids


def test_parquet_of_something_else(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    path = tmp_path / "other.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"id": [1, 2], "v": [[1.0], [1.0, 2.0]]}), path)
    with pytest.raises(wgdn.InvalidError, match="differ in length"):
        wgdn.read_embedding(path)
    pyarrow.parquet.write_table(pyarrow.table({"id": [1, 2]}), path)
    with pytest.raises(wgdn.InvalidError, match="column 'id' and"):
        wgdn.read_embedding(path)


def kinds_of_labels():
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    text = ["x" if i % 2 else "y" for i in range(40)]
    return {"series": pd.Series(text), "categorical": pd.Categorical(text), "category": pd.Series(text, dtype="category"),
            "polars": pl.Series("label", text), "polars category": pl.Series("label", text, dtype=pl.Categorical),
            "tuple": tuple(text), "table": pd.DataFrame({"label": text}),
            "index": pd.Series(text, index=[f"n{i}" for i in range(40)]).sample(frac=1, random_state=1)}


@pytest.mark.parametrize("kind", ["series", "categorical", "category", "polars", "polars category", "tuple", "table",
                                  "index"])
def test_labels_to_evaluate(kind):
    """Only lists and arrays were labels; others were taken for features."""
    rng = np.random.default_rng(1)
    vectors = rng.normal(size=(40, 3)).astype(np.float32)
    vectors[np.arange(40), np.arange(40) % 2] += 10  # two directions, as the probe scales rows to length 1
    e = wgdn.Embedding(vectors, [f"n{i}" for i in range(40)])
    labels = kinds_of_labels()[kind]
    found = wgdn.evaluate(e, labels, runs=2)["results"]
    assert found == wgdn.evaluate(vectors, ["x" if i % 2 else "y" for i in range(40)], runs=2)["results"]
    assert found[0]["accuracy_mean"] > 0.9


def test_labels_of_the_wrong_shape():
    with pytest.raises(wgdn.InvalidError, match="one label for each of the 4 vectors, got 3"):
        wgdn.evaluate(VALUES, [0, 1, 0])
    with pytest.raises(wgdn.InvalidError, match="y: a matrix has a column for each class"):
        wgdn.evaluate(VALUES, np.full((4, 2), 2))
    with pytest.raises(wgdn.InvalidError, match="y: a matrix has a column for each class"):
        wgdn.Graph([(0, 1), (2, 3)], y=np.full((4, 2), 2))
