# SPDX-License-Identifier: Apache-2.0
"""Vectors of `wgdn recommend --vectors`: what lists by dot product lose, and whether two vector indexes return them."""
import functools
import tempfile
import time
from pathlib import Path

import numpy as np

import recommend
import tools

NAME = "vectors"
SETS = recommend.SETS
FULL, DIMS, INDEXED = "wgdn recommend", (64, 128, 256, 512), 256
INDEXES = ("FAISS", "pgvector")
METHODS = (FULL, *(f"dot products of {k} columns" for k in DIMS), *(f"{name} with {INDEXED} columns" for name in INDEXES))
TEXT = f"""## Vectors for an index

`wgdn recommend MODEL --vectors` writes vectors of users and items whose dot products approximate the score. The table
has Recall@20 and NDCG@20 of lists by dot product on the same splits, without the items of the training data. *Lost* is the
share of the full score's Recall@20 that is lost. *Kept* is the share of its best 20 items that are among the best 20 by
dot product. FAISS (`IndexFlatIP`) and pgvector (a PostgreSQL server, `ORDER BY vector <#> query`) hold the item vectors of
{INDEXED} columns. They are asked for the best 10 items of 500 users. *Same* is the share of the places in these lists
with the item that NumPy finds. Seconds are those of writing the vectors, or of 500 queries.
"""
COLUMNS = (("recall", "Recall@20", 4), ("ndcg", "NDCG@20", 4), ("lost", "lost", 3), ("kept", "kept", 3),
           ("same", "same", 4), ("seconds", "seconds", 1))
ASKED, NEAREST = 500, 10


@functools.lru_cache(maxsize=1)
def fit(program, data, name):
    """A folder with the saved recommender, and its lists of 20."""
    given, _ = recommend.load(data, name)
    folder = tempfile.TemporaryDirectory()
    recommend.write_csv(Path(folder.name) / "train.csv", given)
    tools.run(program, "recommend", Path(folder.name) / "train.csv", "--save", Path(folder.name) / "saved.model", "-q",
              "-T", tools.THREADS)
    since = time.monotonic()
    tools.run(program, "recommend", Path(folder.name) / "saved.model", "--count", recommend.K, "-o",
              Path(folder.name) / "lists.csv", "-q", "-T", tools.THREADS)
    seconds = time.monotonic() - since
    lists = tools.read_lists(Path(folder.name) / "lists.csv", {f"u{u}": u for u in range(given.shape[0])},
                             {f"i{i}": i for i in range(given.shape[1])}, recommend.K)
    return folder, lists, seconds


@functools.lru_cache(maxsize=2)
def vectors(program, data, name, dim):
    """Vectors of users and items by their numbers; rows of zeros where the data has none."""
    given, _ = recommend.load(data, name)
    folder = Path(fit(program, data, name)[0].name)
    _, seconds, _ = tools.run(program, "recommend", folder / "saved.model", "--vectors", folder / "v.npz", "--dim", dim,
                              "-q", "-T", tools.THREADS)
    with np.load(folder / "v.npz") as found:
        rows, ids = found["embedding"], found["ids"]
    sides = [np.zeros((count, rows.shape[1]), np.float32) for count in given.shape]
    place = {"user": 0, "item": 1}
    for row, text in zip(rows, ids):
        side, _, number = str(text).partition(":")
        sides[place[side]][int(number[1:])] = row
    return (*sides, seconds)


def ask_faiss(items, users):
    import faiss
    index = faiss.IndexFlatIP(items.shape[1])
    index.add(items)
    since = time.monotonic()
    return index.search(users, NEAREST)[1], time.monotonic() - since


def ask_pgvector(items, users):
    import pgserver
    import psycopg2
    with tempfile.TemporaryDirectory() as folder:
        server = pgserver.get_server(folder, cleanup_mode="stop")
        try:
            with psycopg2.connect(server.get_uri()) as connection, connection.cursor() as cursor:
                cursor.execute("CREATE EXTENSION vector")
                cursor.execute(f"CREATE TABLE items (item integer, v vector({items.shape[1]}))")
                texts = Path(folder) / "items.tsv"
                texts.write_text("".join(f"{i}\t{as_text(row)}\n" for i, row in enumerate(items)))
                with open(texts) as f:
                    cursor.copy_expert("COPY items FROM STDIN", f)
                since, found = time.monotonic(), []
                for row in users:
                    cursor.execute("SELECT item FROM items ORDER BY v <#> %s LIMIT %s", (as_text(row), NEAREST))
                    found.append([item for item, in cursor.fetchall()])
                seconds = time.monotonic() - since
        finally:
            server.cleanup()
    return np.array(found), seconds


def as_text(row):
    return "[" + ",".join(np.format_float_positional(x, unique=True) for x in row) + "]"


def compare_index(items, users, ask):
    """The share of places with the item that NumPy has there, in double."""
    exact = users.astype(np.float64) @ items.T.astype(np.float64)
    best = np.argsort(-exact, axis=1, kind="stable")[:, :NEAREST]
    found, seconds = ask(items, users)
    return {"same": float(np.mean(found == best)), "seconds": seconds}


def measure(program, data, name, method):
    given, test = recommend.load(data, name)
    _, exact, seconds = fit(program, data, name)
    full = tools.recall_and_ndcg(exact, test)
    if method == FULL:
        return {"recall": full[0], "ndcg": full[1], "seconds": seconds}
    for index, ask in zip(INDEXES, (ask_faiss, ask_pgvector)):
        if method.startswith(index):
            users, items, _ = vectors(program, data, name, INDEXED)
            some = np.flatnonzero(np.diff(given.indptr))
            return compare_index(items, users[some[np.linspace(0, len(some) - 1, ASKED).astype(int)]], ask)
    users, items, seconds = vectors(program, data, name, int(method.split()[3]))
    lists = recommend.in_blocks(given, lambda at, end: users[at:end] @ items.T)
    recall, ndcg = tools.recall_and_ndcg(lists, test)
    kept = [len(np.intersect1d(a[a >= 0], b)) / max((a >= 0).sum(), 1) for a, b in zip(exact, lists) if (a >= 0).any()]
    return {"recall": recall, "ndcg": ndcg, "lost": 1 - recall / full[0], "kept": float(np.mean(kept)), "seconds": seconds}
