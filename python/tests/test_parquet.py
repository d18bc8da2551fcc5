# SPDX-License-Identifier: Apache-2.0
"""Paths of Parquet files, read by pyarrow or by DuckDB."""
import sys

import numpy as np
import pytest

import wgdn
from graphs import rings

X, (SOURCE, TARGET), Y = rings()
NAMES = [f"n{i}" for i in range(len(X))]


@pytest.fixture(params=["pyarrow", "duckdb"])
def files(request, tmp_path, monkeypatch):
    """Edges and features; one of the two libraries is there."""
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    pytest.importorskip("duckdb")
    weight = np.linspace(1, 2, len(SOURCE))
    edges = pyarrow.table({"src": [NAMES[i] for i in SOURCE], "dst": [NAMES[i] for i in TARGET],
                           "weight": weight})
    parquet.write_table(edges, tmp_path / "edges.parquet")
    table = pyarrow.table({"name": NAMES, **{f"x{j}": X[:, j] for j in range(X.shape[1])}})
    parquet.write_table(table, tmp_path / "features.pq")
    if request.param == "duckdb":
        monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
        monkeypatch.setitem(sys.modules, "pyarrow", None)
    return tmp_path, edges, table


def test_the_same_as_the_tables(files):
    folder, edges, table = files
    expected = wgdn.Graph(edges, table, id="name")
    d = wgdn.Graph(str(folder / "edges.parquet"), folder / "features.pq", id="name")
    assert d.ids.tolist() == NAMES and d.counts["weighted"] == 1
    assert wgdn.embed(d, dim=8).tobytes() == wgdn.embed(expected, dim=8).tobytes()


def test_edges_alone(files):
    folder, edges, _ = files
    path = str(folder / "edges.parquet")
    expected = wgdn.embed(edges, dim=8).tobytes()
    assert wgdn.embed(path, dim=8).tobytes() == expected
    assert wgdn.FilterEmbedding(dim=8).fit_transform(path).tobytes() == expected
    assert wgdn.FilterEmbedding(dim=8).fit_transform(graph=path).tobytes() == expected
    assert wgdn.embed(path, features="structure", dim=8).shape[0] == len(X)


def test_refusals(tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError, match="no such file"):
        wgdn.Graph(tmp_path / "gone.parquet")
    (tmp_path / "edges.parquet").write_bytes(b"PAR1")
    for name in ("pyarrow", "pyarrow.parquet", "duckdb"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match="need pyarrow or duckdb"):
        wgdn.embed(tmp_path / "edges.parquet")
    with pytest.raises(ValueError, match="wgdn.Graph"):
        wgdn.read(tmp_path / "edges.parquet")
