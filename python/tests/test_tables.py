# SPDX-License-Identifier: Apache-2.0
"""Tables of edges: which columns, whose rows, which nodes. The same table is the same graph."""
import warnings

import numpy as np
import pytest
from graphs import rings

import wgdn

pd = pytest.importorskip("pandas")

X, (SOURCE, TARGET), Y = rings()
N = len(X)
NAMES = np.array([f"n{i:02d}" for i in range(N)], dtype=object)[::-1]  # not sorted
D = wgdn.Graph((SOURCE, TARGET), X, ids=list(NAMES))
EXPECTED = wgdn.embed(D, dim=16)


def table(source, target, **more):
    return pd.DataFrame({"source": source, "target": target, **more})


def frames(columns):
    """The same table in every library that is here."""
    made = {"pandas": pd.DataFrame(columns), "dict": dict(columns)}
    for name, call in (("polars", lambda m: m.DataFrame(columns)),
                       ("pyarrow", lambda m: m.table(columns))):
        try:
            made[name] = call(__import__(name))
        except ImportError:
            pass
    return made


# ---- whose row a name is ----

def test_names_beside_rows_without_ids():
    """Rows were attached to names by first appearance, in silence."""
    edges = table(NAMES[SOURCE], NAMES[TARGET])
    for features in (X, pd.DataFrame(X), X.tolist()):
        with pytest.raises(ValueError, match="X has no ids.*ids="):
            wgdn.Graph(edges, features)
        with pytest.raises(ValueError, match="X has no ids"):
            wgdn.embed(edges, features)
    d = wgdn.Graph(edges, X, ids=NAMES)
    assert list(d.ids) == list(NAMES) and wgdn.embed(d, dim=16).tobytes() == EXPECTED.tobytes()
    named = pd.DataFrame(X, index=NAMES)
    assert wgdn.embed(edges, named, dim=16).tobytes() == EXPECTED.tobytes()


def test_cora_by_names(cora):
    """Named edges in any order and rows with ids: the accuracy of the file; without ids refused."""
    with np.load(cora) as f:
        rows = np.repeat(np.arange(f["adj_shape"][0]), np.diff(f["adj_indptr"]))
        columns = f["adj_indices"]
        dense = np.zeros(f["attr_shape"], np.float32)
        dense[np.repeat(np.arange(len(dense)), np.diff(f["attr_indptr"])), f["attr_indices"]] = 1
    names = np.array([f"paper{i}" for i in range(len(dense))])
    order = np.random.default_rng(1).permutation(len(rows))
    edges = table(names[rows[order]], names[columns[order]])
    with pytest.raises(ValueError, match="X has no ids"):
        wgdn.embed(edges, dense)
    d = wgdn.Graph(edges, dense, ids=names)
    assert d.edges == wgdn.read(cora).edges and list(d.ids) == list(names)


def test_integers_beside_rows():
    """Integers within the rows are rows, also if some have no edge; others need ids."""
    edges = table([0, 1], [1, 5])
    d = wgdn.Graph(edges, X)  # 57 nodes without edges: this was refused
    assert d.nodes == N and d.edges == 2 and d.ids is None
    for wrong in (table([1, 2], [2, N]), table([7, 1007], [1007, 2007]), table([-1, 0], [0, 1])):
        with pytest.raises(ValueError, match=r"X has no ids.*0 \.\. 59"):
            wgdn.Graph(wrong, X)
    d = wgdn.Graph(table([7, 1007], [1007, 2007]), X[:3], ids=[2007, 1007, 7])
    assert list(d.ids) == [2007, 1007, 7] and d.edges == 2
    with pytest.raises(ValueError, match="8.*not in ids"):
        wgdn.Graph(table([8, 1007], [1007, 2007]), X[:3], ids=[2007, 1007, 7])
    assert wgdn.Graph(edges, nodes=9).nodes == 9


# ---- which nodes ----

def test_same_nodes_from_every_table():
    """Ids 7, 1007, ... were 40 nodes from pandas and 39008 from others."""
    ids = 7 + 1000 * np.arange(40)
    columns = {"source": ids[:-1], "target": ids[1:]}
    for name, edges in frames(columns).items():
        d = wgdn.Graph(edges)
        assert (d.nodes, d.edges) == (40, 39) and list(d.ids) == list(ids), name
    words = {"source": NAMES[SOURCE].tolist(), "target": NAMES[TARGET].tolist()}
    for name, edges in frames(words).items():
        d = wgdn.Graph(edges, X, ids=NAMES)
        assert wgdn.embed(d, dim=16).tobytes() == EXPECTED.tobytes(), name


def test_missing_and_wrong_endpoints():
    for wrong in ([1.0, np.nan], ["a", None]):
        with pytest.raises(ValueError, match="source.*missing"):
            wgdn.Graph(table(wrong, wrong))
    with pytest.raises(ValueError, match="source.*float"):
        wgdn.Graph(table([0.5, 1.5], [1.5, 2.5]))
    assert wgdn.Graph(table([0.0, 1.0], [1.0, 2.0])).nodes == 3  # integers after a merge
    assert wgdn.Graph(table([0, 1], ["0", "2"])).ids.tolist() == ["0", "1", "2"]  # text, as in files
    with pytest.raises(ValueError, match="'2'.*not in ids.*int"):
        wgdn.Graph(table(["2"], ["1"]), ids=[0, 1])


# ---- which columns ----

@pytest.mark.parametrize("names", [("weight", "src", "dst"), ("w", "from", "to"),
                                   ("weight", "Source", "Target"), ("edge_weight", "node1", "node2"),
                                   ("weight", "from_account", "to_account")])
def test_columns_by_name(names):
    """A table weight, src, dst made nodes of weights."""
    weight = np.linspace(1, 2, len(SOURCE)).astype(np.float32)
    columns = dict(zip(names, (weight, SOURCE, TARGET)))
    expected = wgdn.embed(wgdn.Graph((SOURCE, TARGET, weight), X), dim=16).tobytes()
    for kind, edges in frames(columns).items():
        assert wgdn.embed(edges, X, dim=16).tobytes() == expected, kind
    d = wgdn.Graph(pd.DataFrame(columns), X)
    assert d.counts["weighted"] == 1
    assert wgdn.Graph(pd.DataFrame(columns), X, weights="ignore").counts["weighted"] == 0


def test_columns_without_known_names():
    assert wgdn.Graph(pd.DataFrame({"a": SOURCE, "b": TARGET})).edges == D.edges
    with pytest.warns(UserWarning, match="column time is not used"):
        assert wgdn.Graph(pd.DataFrame({"time": SOURCE, "a": SOURCE, "b": TARGET})).edges == D.edges
    with pytest.raises(ValueError, match="which columns.*tx, author1, author2, author3"):
        wgdn.Graph(pd.DataFrame({"tx": SOURCE, "author1": SOURCE, "author2": TARGET, "author3": TARGET}))
    with pytest.raises(ValueError, match="two columns"):
        wgdn.Graph(pd.DataFrame({"a": SOURCE}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="colour"):  # no weight is dropped without a word
            wgdn.Graph(table([0], [1], colour=["red"]))


# ---- lists ----

def test_lists_of_pairs():
    """[(0, 1), (2, 3)] became the edges 0-2 and 1-3."""
    def degrees(edges):
        d = wgdn.Graph(edges, nodes=4)
        return d, wgdn.embed(d, features="structure", dim=8).tobytes()

    d, z = degrees([(0, 1), (2, 3)])
    assert d.edges == 2 and z == degrees(([0, 2], [1, 3]))[1] != degrees(([0, 1], [2, 3]))[1]
    for unclear in ([[0, 1], [2, 3]], ((0, 1), (2, 3)), np.array([[0, 1], [2, 3]])):
        with pytest.raises(ValueError, match="ambiguous"):
            wgdn.Graph(unclear)
    d = wgdn.Graph([("a", "b"), ("b", "c"), ("c", "d")])
    assert list(d.ids) == ["a", "b", "c", "d"] and d.edges == 3
    w = wgdn.Graph([("a", "b", 2.0), ("b", "c", 1.0)])
    assert w.counts["weighted"] == 1 and list(w.ids) == ["a", "b", "c"]
    d = wgdn.Graph((["a", "b"], ["b", "c"]))
    assert list(d.ids) == ["a", "b", "c"] and d.edges == 2
    with pytest.raises(ValueError, match="X has no ids"):
        wgdn.Graph([("a", "b"), ("b", "c"), ("c", "a")], X[:3])


def test_weights_that_are_refused():
    for wrong, words in ((-1.0, "negative"), (np.nan, "finite"), (np.inf, "finite")):
        with pytest.raises(ValueError, match=f"weight.*{words}.*weights=.ignore"):
            wgdn.Graph(([0, 1], [1, 2], [1.0, wrong]))
        assert wgdn.Graph(([0, 1], [1, 2], [1.0, wrong]), weights="ignore").edges == 2
    with pytest.raises(ValueError, match="'weight' has 1 missing of 2"):
        wgdn.Graph(table([0, 1], [1, 2], weight=[1.0, None]))
    d = wgdn.Graph(table([0, 1], [1, 2], weight=[1.0, 0.0]), nodes=3, weights="ignore")
    assert d.edges == 1  # a weight of 0 is no edge
    with pytest.raises(ValueError, match="weights = 'some'"):
        wgdn.Graph(([0], [1]), weights="some")
    with pytest.raises(ValueError, match="2 weights for 1 edges"):
        wgdn.Graph(([0], [1], [1.0, 2.0]))


def test_nothing_is_left_out_in_silence(tmp_path):
    (tmp_path / "e.tsv").write_text("0\t1\n")
    for more in (dict(ids=["a"] * N), dict(nodes=3), dict(weights="ignore"), dict(y=Y)):
        for whole in (D, tmp_path / "e.tsv"):
            with pytest.raises(ValueError, match=f"{next(iter(more))}="):
                wgdn.Graph(whole, **more)
    nx = pytest.importorskip("networkx")
    with pytest.raises(ValueError, match="ids="):
        wgdn.Graph([nx.path_graph(3)], ids=list("abc"))
    with pytest.raises(ValueError, match="2 ids for 3 nodes"):
        wgdn.Graph(([0], [1]), X[:3], ids=["a", "b"])


def test_integers_that_may_be_ids_or_rows():
    """Rows with the ids 1, 2, ..., and edges of integers in arrays: each would be another graph."""
    table_of_rows = pd.DataFrame(X, index=np.arange(1, N + 1))
    for edges in ((SOURCE, TARGET), np.stack([SOURCE, TARGET]), [(1, 2), (2, 3)]):
        with pytest.raises(ValueError, match="ids or rows.*source.*target"):
            wgdn.Graph(edges, table_of_rows)
    by_id = wgdn.Graph({"source": SOURCE + 1, "target": TARGET + 1}, table_of_rows)
    by_row = wgdn.Graph((SOURCE, TARGET), table_of_rows.to_numpy())
    assert by_id.edges == by_row.edges and list(by_id.ids) == list(range(1, N + 1))
    assert wgdn.Graph((SOURCE, TARGET), pd.DataFrame(X, index=np.arange(N))).ids is None
