# SPDX-License-Identifier: Apache-2.0
"""The data of the examples: published sets where the variable WGDN_DATA names their folder, else sample data of the package."""
import csv
import os
import tempfile

import numpy as np
import wgdn

FOLDER = os.environ.get("WGDN_DATA")


def _rows(path: str) -> list[list[str]]:
    """The rows of a CSV file without its header."""
    with open(path, newline="", encoding="utf-8") as f:
        return list(csv.reader(f))[1:]


def read_papers() -> wgdn.Graph:
    """Papers that cite each other, with their words, topics and splits: Cora, or made-up articles."""
    if FOLDER is not None:
        return wgdn.read(os.path.join(FOLDER, "cora", "cora.npz"))
    with tempfile.TemporaryDirectory() as folder:
        links, texts, topics = (_rows(path) for path in wgdn.datasets.write("articles", folder).values())
    place = {word: j for j, word in enumerate(sorted({word for _, text in texts for word in text.lower().split()}))}
    words = np.zeros((len(texts), len(place)), np.float32)
    for i, (_, text) in enumerate(texts):
        words[i, [place[word] for word in text.lower().split()]] = 1
    topic = dict(topics)
    ids = [name for name, _ in texts]
    split = [0 if name not in topic else 1 if i % 8 == 0 else 3 for i, name in enumerate(ids)]
    source, target = zip(*links)
    return wgdn.Graph({"source": source, "target": target}, words, ids=ids, y=[topic.get(name) for name in ids], splits=split)


def read_people() -> wgdn.Graph:
    """Nodes without features, of several groups: proteins that interact, or friends."""
    if FOLDER is not None:
        plain = os.path.join(FOLDER, "plain")
        return wgdn.read(os.path.join(plain, "PPI.edg"), y=os.path.join(plain, "PPI.labels.tsv"))
    with tempfile.TemporaryDirectory() as folder:
        friends, circles = wgdn.datasets.write("friends", folder).values()
        return wgdn.read(friends, y=circles)


def read_accounts() -> wgdn.Graph:
    """Nodes with a few columns, some of them fraudulent, and splits: workers of Tolokers, or accounts."""
    if FOLDER is not None:
        return wgdn.read(os.path.join(FOLDER, "extra", "tolokers", "tolokers.npz"))
    with tempfile.TemporaryDirectory() as folder:
        paths = wgdn.datasets.write("transactions", folder)
        data = wgdn.read(paths["transactions.csv"], X=paths["accounts.csv"], y=paths["fraud.csv"])
    labeled = data.y
    assert labeled is not None
    rng = np.random.default_rng(1)
    splits = np.where(labeled < 0, 0, np.where(rng.random((3, data.nodes)) < 0.5, 1, 3))
    edges = data.adjacency.tocoo()
    half = edges.row < edges.col
    return wgdn.Graph((edges.row[half], edges.col[half], edges.data[half]), data.X, y=labeled, splits=splits)


def read_sets() -> dict[str, wgdn.Graph]:
    """Sets of graphs with labels: MUTAG and PROTEINS, or made-up molecules."""
    if FOLDER is not None:
        return {name: wgdn.read(os.path.join(FOLDER, "tu", f"{name}.zip")) for name in ("MUTAG", "PROTEINS")}
    with tempfile.TemporaryDirectory() as folder:
        paths = wgdn.datasets.write("molecules", folder)
        return {"molecules": wgdn.read(paths["bonds.csv"], X=paths["atoms.csv"], y=paths["activity.csv"])}
