# SPDX-License-Identifier: Apache-2.0
"""
The twelve tasks and the jobs from every kind of input: a table of docs/results/python.md, whose cells say whether a result has the bits
of the first row. Run as a program it writes the table.
"""
import hashlib
import os
import pathlib
import sys
import tempfile
import warnings

import numpy as np
import pytest
from graphs import rings

import wgdn

PAGE = pathlib.Path(os.environ.get("WGDN_PACKAGE", pathlib.Path(__file__).parents[1] / "wgdn")).parents[1] / \
    "docs" / "results" / "python.md"
BEGIN, END = "<!-- inputs and tasks: python/tests/test_every_input.py -->\n", "<!-- end -->\n"

X, (SOURCE, TARGET), Y = rings()
N, M = len(X), len(SOURCE)
WEIGHT = (1 + np.arange(M) % 4).astype(np.float32)
EDGES = {"payer": SOURCE, "payee": TARGET, "amount": WEIGHT}
NAMED = {"source": "payer", "target": "payee", "weight": "amount"}
ROWS = {"customer": np.arange(N), **{f"x{j}": column for j, column in enumerate(X.T)}}
RATINGS = {"user": [f"u{i % 12}" for i in range(90)] + ["ann"] * 5,
           "item": [f"i{i * 7 % 20}" for i in range(90)] + [f"i{i}" for i in range(5)]}


def people():
    pd = pytest.importorskip("pandas")
    return pd.DataFrame({"customer": np.arange(N), "age": np.where(np.arange(N) % 7, 20.0 + np.arange(N) % 40, np.nan),
                         "job": [f"job{i % 4}" for i in range(N)], "since": pd.date_range("2020-01-01", periods=N)})


class Input:
    """One kind: its edges and features, how it names columns, and what makes such a table of a DataFrame, if it is one."""

    def __init__(self, edges, x, convert=None):
        self.edges, self.x, self.convert = edges, x, convert
        self.named = {} if convert is None else NAMED

    def graph(self, **more):
        return wgdn.Graph(self.edges, self.x, **self.named, **more, id=None if self.convert is None else "customer")


def arrays():
    return Input((SOURCE, TARGET, WEIGHT), X)


def table_of(convert):
    frame = pytest.importorskip("pandas").DataFrame
    return Input(convert(frame(EDGES)), convert(frame(ROWS)), convert)


def pandas():
    return table_of(lambda made: made)


def polars():
    return table_of(pytest.importorskip("polars").from_pandas)


def pyarrow():
    pa = pytest.importorskip("pyarrow")
    return table_of(lambda made: pa.Table.from_pandas(made, preserve_index=False))


def scipy():
    return Input(pytest.importorskip("scipy.sparse").coo_array((WEIGHT, (SOURCE, TARGET)), (N, N)).tocsr(), X)


def networkx():
    made = pytest.importorskip("networkx").Graph()
    made.add_nodes_from(range(N))
    made.add_weighted_edges_from((a, b, float(w)) for a, b, w in zip(SOURCE.tolist(), TARGET.tolist(), WEIGHT))
    return Input(made, X)


def geometric():
    torch, pyg = pytest.importorskip("torch"), pytest.importorskip("torch_geometric")
    return Input(pyg.data.Data(x=torch.from_numpy(X), edge_index=torch.from_numpy(np.stack([SOURCE, TARGET])),
                               edge_weight=torch.from_numpy(WEIGHT)), None)


INPUTS = {"arrays": arrays, "pandas": pandas, "polars": polars, "pyarrow": pyarrow, "SciPy": scipy, "NetworkX": networkx,
          "PyTorch Geometric": geometric}


# ---- the tasks: bytes of what comes back; None where the kind has no such thing ----

def embed_with_features(i):
    return i.graph(), lambda g: wgdn.embed(g, dim=8).tobytes()


def embed_with_text_and_dates(i):
    if isinstance(i.edges, tuple) or i.x is None:
        return None
    given = people() if i.convert is None else i.convert(people())
    return wgdn.Graph(i.edges, given, **i.named, id="customer"), lambda g: wgdn.embed(g, dim=8).tobytes()


def join_a_table(i):
    def run(g):
        there = people().join(wgdn.embed(g, dim=4).to_pandas(), on="customer")
        return there.filter(like="wgdn").to_numpy().tobytes()
    return i.graph(), run


def two_kinds_of_nodes(i):
    if i.convert is None:
        return None
    ratings = i.convert(pytest.importorskip("pandas").DataFrame(RATINGS))
    return wgdn.Graph(ratings, source="user", target="item", bipartite=True), lambda g: wgdn.embed(g, dim=8).tobytes()


def similar_nodes(i):
    def run(g):
        found = wgdn.embed(g, dim=8).similar([3, 4], k=5)
        return np.asarray(found.ids).tobytes() + found.scores.tobytes()
    return i.graph(), run


def save_and_load(i):
    def run(g):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model")
            wgdn.FilterEmbedding(dim=8).fit(g).save(path)
            return wgdn.load(path).embed(g).tobytes()
    return i.graph(), run


def align_and_compare(i):
    def run(g):
        E = wgdn.embed(g, dim=8, seed=2)
        other = wgdn.FilterEmbedding(dim=8).fit(g).embed(g, align=E)
        return other.tobytes() + repr(wgdn.compare(E, other)).encode()
    return i.graph(), run


def evaluate_and_quality(i):
    def run(g):
        model = wgdn.FilterEmbedding(dim=8)
        return repr((wgdn.evaluate(model, g, task="links"), wgdn.quality(model, g))).encode()
    return i.graph(), run


def estimate(i):
    return i.graph(), lambda g: repr(wgdn.estimate(g, dim=8)["embed"]["total_bytes"]).encode()


def graph(i):
    def run(g):
        a = g.adjacency
        return b"".join(part.tobytes() for part in (a.indptr, a.indices, a.data, g.X, g.y))
    return i.graph(y=Y), run


def train(i):
    return i.graph(), lambda g: np.asarray(wgdn.WGDN(dim=8, epochs=3, progress=False).fit_transform(g)).tobytes()


def plot(i):
    pytest.importorskip("matplotlib").use("Agg")

    def run(g):
        axes = wgdn.embed(g, dim=8).plot(color=Y)
        made = b"".join(np.asarray(c.get_offsets()).tobytes() for c in axes.collections)
        axes.figure.clear()
        return made
    return i.graph(), run


def recommend_links(i):
    def run(g):
        lists = wgdn.recommend(g, k=5)
        return repr((lists.users.tolist(), lists.items.tolist())).encode() + lists.scores.tobytes()
    return i.graph(), run


def recommend_items(i):
    if i.convert is None:
        return None
    ratings = i.convert(pytest.importorskip("pandas").DataFrame(RATINGS))

    def run(table):
        lists = wgdn.recommend(table, k=3, source="user", target="item", bipartite=True)
        return repr((lists.users.tolist(), lists.items.tolist())).encode() + lists.scores.tobytes()
    return ratings, run


def predict_labels(i):
    labels = {n: ["red", "green", "blue"][Y[n]] if Y[n] < 3 else "other" for n in range(0, N, 2)}

    def run(g):
        found = wgdn.predict(g, labels, folds=3)
        return repr((found.ids.tolist(), found.labels.tolist(), found.report)).encode() + found.probabilities.tobytes()
    return i.graph(), run


def predict_several_labels(i):
    marks = np.stack([Y == 0, np.arange(N) % 5 == 0, Y > 0], axis=1).astype(np.int8)
    marks[1::3] = 0

    def run(g):
        found = wgdn.predict(g, marks, folds=3)
        return repr((found.ids.tolist(), found.labels.tolist(), found.report)).encode() + found.probabilities.tobytes()
    return i.graph(), run


def cluster_nodes(i):
    def run(g):
        found = wgdn.cluster(g, clusters=3)
        return found.labels.tobytes() + found.similarity.tobytes() + repr(found.report).encode()
    return i.graph(), run


TASKS = [embed_with_features, embed_with_text_and_dates, join_a_table, two_kinds_of_nodes, similar_nodes, save_and_load,
         align_and_compare, evaluate_and_quality, estimate, graph, train, plot, recommend_links, recommend_items, predict_labels,
         predict_several_labels, cluster_nodes]


def digest(kind, task):
    """Of the result; None where the kind has no such thing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = task(INPUTS[kind]())
        return None if made is None else hashlib.sha256(made[1](made[0])).hexdigest()


def cells(task):
    found = {kind: digest(kind, task) for kind in INPUTS}
    first = next(d for d in found.values() if d is not None)
    return ["-" if d is None else "same bits" if d == first else "**other bits**" for d in found.values()]


def table():
    lines = ["| task | " + " | ".join(INPUTS) + " |", "|---" * (len(INPUTS) + 1) + "|"]
    return "\n".join(lines + [f"| {task.__name__.replace('_', ' ')} | " + " | ".join(cells(task)) + " |" for task in TASKS]) + "\n"


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.__name__)
def test_every_input_gives_the_same_bits(task):
    pytest.importorskip("matplotlib")
    found = cells(task)
    assert "**other bits**" not in found and found.count("same bits") >= 3
    if PAGE.exists():
        line = f"| {task.__name__.replace('_', ' ')} | " + " | ".join(found) + " |"
        assert line in PAGE.read_text(), f"run python/tests/test_every_input.py: {line}"


if __name__ == "__main__":
    text = PAGE.read_text()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END, text.index(BEGIN))
    PAGE.write_text(text[:begin] + table() + text[end:])
    sys.exit("**other bits**" in table())
