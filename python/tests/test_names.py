# SPDX-License-Identifier: Apache-2.0
"""Names of nodes as text: the same numbers and ids from every kind of table, and no slower than need be."""
import time

import numpy as np
import pytest

import wgdn
from wgdn import _core

RNG = np.random.default_rng(1)
# Empty, short, long, not ASCII, one the beginning of another; longer than 12 bytes lies elsewhere in Arrow's views.
NAMES = ["", "a", "ab", "Empfänger", "日本語", "twelve chars", "thirteen char", "x" * 5000, "1", "01", "a\tb", " a"]
SOURCE = [NAMES[i] for i in RNG.integers(0, len(NAMES), 500)]
TARGET = [NAMES[i] for i in RNG.integers(0, len(NAMES), 500)]


def kinds():
    table = {"source": SOURCE, "target": TARGET}
    yield "dictionary", table
    yield "arrays", {k: np.array(v) for k, v in table.items()}
    yield "pairs", list(zip(SOURCE, TARGET))
    pd = pytest.importorskip("pandas")
    yield "pandas", pd.DataFrame(table, index=range(5, 505))
    yield "pandas objects", pd.DataFrame(table, dtype=object)
    yield "pandas categories", pd.DataFrame(table, dtype="category")
    pa, pl = pytest.importorskip("pyarrow"), pytest.importorskip("polars")
    yield "pyarrow", pa.table(table)
    yield "pyarrow slices", pa.concat_tables([pa.table(table)[:100], pa.table(table)[100:]])
    yield "pyarrow large", pa.table({k: pa.array(v, pa.large_string()) for k, v in table.items()})
    yield "pyarrow middle", pa.table({k: ["z"] * 7 + v + ["y"] for k, v in table.items()})[7:507]
    yield "polars", pl.DataFrame(table)


def test_every_kind_gives_the_same_numbers():
    order = list(dict.fromkeys(name for pair in zip(SOURCE, TARGET) for name in pair))
    first = None
    for kind, table in kinds():
        d = wgdn.Graph(table)
        assert d.ids.tolist() == order, kind
        counts = d.counts
        first = first or counts
        assert counts == first, kind
        ids = order[::-1]
        again = wgdn.Graph(table, np.eye(len(ids), dtype=np.float32), ids=ids)
        assert again.ids.tolist() == ids and again.edges == d.edges, kind
        with pytest.raises(wgdn.InvalidError, match="which is not in ids"):
            wgdn.Graph(table, np.eye(2, dtype=np.float32), ids=["a", "ab"])
        with pytest.raises(wgdn.InvalidError, match="X has no ids"):
            wgdn.Graph(table, np.eye(12, dtype=np.float32))


def test_names_of_several_types_stay_apart():
    d = wgdn.Graph({"source": np.array(["b", 1, "a"], object), "target": np.array([1, "a", "b"], object)})
    assert d.ids.tolist() == ["b", 1, "a"]
    with pytest.raises(wgdn.InvalidError, match='the id "1" of node 1 is another node'):
        wgdn.Graph({"source": np.array(["1", 1, "a"], object), "target": np.array([1, "a", "1"], object)})


def test_the_core_refuses_offsets_that_are_not_sound():
    text, out = np.frombuffer(b"abc", np.uint8), np.empty(2, np.int64)
    good = np.array([0, 1, 3])
    assert _core.number_texts(1, text, good, text, good, out, out.copy()) == ["a", "bc"]
    for bad in ([0, 1, 4], [-1, 1, 3], [0, 3, 1], [0, 2**62, 3]):
        with pytest.raises(ValueError, match="offsets"):
            _core.number_texts(1, text, np.array(bad), text, good, out, out.copy())
    with pytest.raises((ValueError, TypeError)):
        _core.number_texts(1, text, good, text, good, out[:1], out.copy())
    with pytest.raises((ValueError, TypeError)):
        _core.number_texts(1, text, np.zeros(0, np.int64), text, good, out, out)


def test_text_edges_of_pandas_take_about_as_long_as_of_a_file(tmp_path):
    """They took fifteen times as long. Both are timed here, so a busy machine slows both."""
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    names = np.array([f"user{i:07d}" for i in range(60_000)], object)
    table = pd.DataFrame({k: names[RNG.integers(0, len(names), 300_000)] for k in ("source", "target")})
    table.to_csv(tmp_path / "edges.csv", index=False)

    def seconds(call):
        spent = []
        for _ in range(3):
            begin = time.process_time()
            call()
            spent.append(time.process_time() - begin)
        return min(spent)

    assert seconds(lambda: wgdn.Graph(table)) < 5 * seconds(lambda: wgdn.read(tmp_path / "edges.csv"))
