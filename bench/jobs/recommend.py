# SPDX-License-Identifier: Apache-2.0
"""Recommendation on published splits: lists of 20 items for every user, scored against the test items."""
import functools
import tempfile
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sp

import tools

NAME = "recommend"
SETS = ("Gowalla", "Yelp2018", "ML-1M", "Last.fm")
METHODS = ("wgdn", "popularity", "item cosine", "item BM25", "ALS 64", "ALS 128", "BPR 64", "EASE 300",
           "cosine of wgdn vectors")
TEXT = """## Recommendation

Recall@20 and NDCG@20 over all test users of published splits; items of the training data are excluded. `wgdn recommend`
gets no setting. Its seconds are those of the command, from the CSV to the lists of all users; seconds of
the others begin with the matrix in memory. Seconds of wgdn and ALS 64 are of one run with nothing else on the machine;
those of the others were taken beside other work, so they are upper bounds. ALS, BPR and the item-item rows are the
package `implicit` with its defaults; EASE is ridge regression over items in NumPy, in single precision, run where the catalog has less than 6000 items.
Last.fm has counts, which `wgdn recommend` reads; the rows of `implicit` are the better of counts and ones.
"""
COLUMNS = (("recall", "Recall@20", 4), ("ndcg", "NDCG@20", 4), ("seconds", "seconds", 1), ("peak", "peak MB", 0))
QUOTED = {
    "Gowalla": {"LightGCN": {"recall": .1830, "ndcg": .1554}, "GF-CF": {"recall": .1849, "ndcg": .1518},
                "SimpleX": {"recall": .1872, "ndcg": .1557}, "ChebyCF": {"recall": .1941, "ndcg": .1616}},
    "Yelp2018": {"LightGCN": {"recall": .0653, "ndcg": .0532}, "GF-CF": {"recall": .0697, "ndcg": .0571},
                 "SimpleX": {"recall": .0701, "ndcg": .0575}},
}
FILES = {"Gowalla": "gowalla", "Yelp2018": "yelp", "ML-1M": "ml-1m"}
K, BLOCK, EASE_ITEMS = 20, 512, 6000


@functools.lru_cache(maxsize=1)
def load(data, name):
    """Training and test interactions, users x items."""
    folder = Path(data) / "recommend"
    if name in FILES:
        both = [sp.load_npz(folder / f"{FILES[name]}_{part}.npz").tocsr() for part in ("train", "test")]
    else:
        rows = [np.loadtxt(folder / f"lastfm_{part}.txt") for part in ("train", "test")]
        users, items = (int(max(r[:, column].max() for r in rows)) + 1 for column in (0, 1))
        both = [sp.csr_matrix((r[:, 2], (r[:, 0].astype(np.int64), r[:, 1].astype(np.int64))), (users, items)) for r in rows]
    return both[0].astype(np.float32), both[1]


def ones(m):
    return sp.csr_matrix((np.ones_like(m.data), m.indices, m.indptr), m.shape)


def write_csv(path, m):
    entries = m.tocoo()
    weighted = bool((entries.data != 1).any())
    with open(path, "w") as f:
        f.write("user,item,weight\n" if weighted else "user,item\n")
        f.writelines(f"u{u},i{i},{w:g}\n" if weighted else f"u{u},i{i}\n"
                     for u, i, w in zip(entries.row, entries.col, entries.data))


def by_program(program, train):
    with tempfile.TemporaryDirectory() as folder:
        source, lists = Path(folder) / "train.csv", Path(folder) / "lists.csv"
        write_csv(source, train)
        _, seconds, peak = tools.run(program, "recommend", source, "--count", K, "-o", lists, "-q", "-T", tools.THREADS)
        found = tools.read_lists(lists, {f"u{u}": u for u in range(train.shape[0])},
                                 {f"i{i}": i for i in range(train.shape[1])}, K)
    return found, {"seconds": seconds, "peak": peak}


def by_cosine(program, train):
    """The items whose vectors have the largest cosine with the user's, by `wgdn embed`."""
    with tempfile.TemporaryDirectory() as folder:
        source, vectors = Path(folder) / "train.csv", Path(folder) / "vectors.npz"
        write_csv(source, train)
        since = time.monotonic()
        tools.run(program, "embed", source, "--bipartite", "-o", vectors, "-q", "-T", tools.THREADS)
        found = np.load(vectors, allow_pickle=False)
        rows, ids = found["embedding" if "embedding" in found else "vectors"], [str(i) for i in found["ids"]]
        rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
        number = {name.split(":")[-1]: k for k, name in enumerate(ids)}
        users = np.array([number.get(f"u{u}", -1) for u in range(train.shape[0])])
        items = np.array([number.get(f"i{i}", -1) for i in range(train.shape[1])])
        item_rows = np.where(items[:, None] >= 0, rows[items], 0)
        lists = in_blocks(train, lambda at, end: np.where(users[at:end, None] >= 0, rows[users[at:end]], 0) @ item_rows.T)
    return lists, {"seconds": time.monotonic() - since}


def in_blocks(train, score):
    return np.vstack([tools.top_rows(score(at, min(at + BLOCK, train.shape[0])), train[at:at + BLOCK], K)
                      for at in range(0, train.shape[0], BLOCK)])


def by_implicit(train, model):
    model.fit(train, show_progress=False)
    return model.recommend(np.arange(train.shape[0]), train, N=K, filter_already_liked_items=True)[0]


def by_ease(train, ridge):
    gram = (train.T @ train).toarray().astype(np.float32)
    gram[np.diag_indices_from(gram)] += ridge
    inverse = np.linalg.inv(gram)
    weights = -inverse / np.diag(inverse)
    np.fill_diagonal(weights, 0)
    return in_blocks(train, lambda at, end: train[at:end] @ weights)


def measure(program, data, name, method):
    given, test = load(data, name)
    train = ones(given)
    more, since = {}, time.monotonic()
    if method == "wgdn":
        lists, more = by_program(program, given)
    elif method == "cosine of wgdn vectors":
        lists, more = by_cosine(program, given)
    elif method == "popularity":
        counts = np.asarray(train.sum(0))
        lists = in_blocks(train, lambda at, end: np.repeat(counts, end - at, axis=0))
    elif method.startswith("EASE"):
        if train.shape[1] > EASE_ITEMS:
            return {}
        lists = by_ease(train, float(method.split()[1]))
    else:
        from implicit import als, bpr, nearest_neighbours
        kind, _, size = method.partition(" ")
        model = {"item cosine": lambda: nearest_neighbours.CosineRecommender(K=100, num_threads=tools.THREADS),
                 "item BM25": lambda: nearest_neighbours.BM25Recommender(K=100, num_threads=tools.THREADS),
                 "ALS": lambda: als.AlternatingLeastSquares(factors=int(size), random_state=1, num_threads=tools.THREADS),
                 "BPR": lambda: bpr.BayesianPersonalizedRanking(factors=int(size), random_state=1,
                                                                num_threads=tools.THREADS),
                 }[method if method in ("item cosine", "item BM25") else kind]()
        lists = by_implicit(train, model)
        if (given.data != 1).any():  # counts: the better of both, so that no tool is held back
            counted = by_implicit(given, model)
            lists = max(lists, counted, key=lambda one: tools.recall_and_ndcg(np.asarray(one), test)[1])
    found = dict(zip(("recall", "ndcg"), tools.recall_and_ndcg(np.asarray(lists), test)))
    return {**found, "seconds": time.monotonic() - since, **more}
