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
