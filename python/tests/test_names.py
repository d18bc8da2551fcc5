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


def test_integers_beside_text_are_text_as_in_files(tmp_path):
    mixed = {"source": np.array(["b", 1, "a"], object), "target": np.array([1, "a", "1"], object)}
    beside = {"source": np.array([1, 2, 3]), "target": ["a", "1", "b"]}
    for table in (mixed, beside):
        rows = "".join(f"{a},{b}\n" for a, b in zip(*table.values()))
        (tmp_path / "e.csv").write_text("source,target\n" + rows)
        d, there = wgdn.Graph(table), wgdn.read(tmp_path / "e.csv")
        assert d.ids.tolist() == there.ids.tolist() and d.edges == there.edges
        assert wgdn.embed(d, dim=2).tobytes() == wgdn.embed(there, dim=2).tobytes()
    assert wgdn.Graph({"source": np.array(["b", (1, 2)], object), "target": np.array([(1, 2), "a"], object)}).ids.tolist() == \
        ["b", (1, 2), "a"]


def test_integers_match_text_of_the_other_table():
    pd = pytest.importorskip("pandas")
    x = pd.DataFrame({"age": [30.0, 40.0, 50.0]}, index=[7, 8, 9])
    d = wgdn.Graph({"source": ["7", "8"], "target": ["8", "9"]}, x)
    assert d.ids.tolist() == [7, 8, 9] and d.edges == 2
    x.index = ["7", "8", "9"]
    assert wgdn.Graph({"source": [7, 8], "target": [8, 9]}, x).edges == 2
    with pytest.raises(wgdn.InvalidError, match="which is not in the index of X"):
        wgdn.Graph({"source": ["7", "x"], "target": ["8", "9"]}, x)


def test_columns_that_list_their_texts():
    """Categories and dictionaries: some unused, in another order, in several pieces, beside plain text."""
    pa, pl, pd = (pytest.importorskip(name) for name in ("pyarrow", "polars", "pandas"))
    order = list(dict.fromkeys(name for pair in zip(SOURCE, TARGET) for name in pair))
    plain = wgdn.Graph({"source": SOURCE, "target": TARGET})
    s, t = (pa.array(c).dictionary_encode() for c in (SOURCE, TARGET))
    unused = pd.Categorical(SOURCE, categories=[*sorted(NAMES), "unused"])
    tables = [pa.table({"source": s, "target": t}), pa.table({"source": s, "target": TARGET}),
              pa.concat_tables([pa.table({"source": pa.array(SOURCE[a:b]).dictionary_encode(), "target":
                                          pa.array(TARGET[a:b]).dictionary_encode()}) for a, b in ((0, 90), (90, 500))]),
              pl.DataFrame({"source": SOURCE, "target": TARGET}).cast(pl.Categorical),
              pd.DataFrame({"source": unused, "target": TARGET}), pd.DataFrame({"source": unused, "target": unused})]
    for table in tables[:-1]:
        d = wgdn.Graph(table)
        assert d.ids.tolist() == order and (d.adjacency != plain.adjacency).nnz == 0
        assert wgdn.Graph(table, np.eye(12), ids=NAMES).edges == plain.edges
    assert wgdn.Graph(tables[-1]).ids.tolist() == list(dict.fromkeys(SOURCE))
    with pytest.raises(wgdn.InvalidError, match="1 missing of 2"):
        wgdn.Graph(pa.table({"source": pa.array(["a", None]).dictionary_encode(), "target": ["b", "c"]}))


def test_the_core_refuses_views_outside_of_their_blocks():
    block = np.frombuffer(b"a text of 20 letters", np.uint8)
    address, size, out = np.array([block.ctypes.data]), np.array([20]), np.empty(20, np.uint8)

    def gather(length, number, start):
        views = np.array([length, 0, number, start], np.int32)
        _core.gather_texts(views, np.array([0, length]), address, size, out)

    gather(20, 0, 0)
    assert out.tobytes() == block.tobytes()
    for bad in ((20, 1, 0), (20, -1, 0), (20, 0, 1), (20, 0, -1), (21, 0, 0), (-1, 0, 0), (20, 0, 2**31 - 1)):
        with pytest.raises(ValueError, match="outside its blocks"):
            gather(*bad)


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
