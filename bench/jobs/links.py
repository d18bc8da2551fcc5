# SPDX-License-Identifier: Apache-2.0
"""Missing links: a tenth of the edges is held out, and each is ranked among all non-neighbors of its first end."""
import functools
import tempfile
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sp

import tools

NAME = "links"
SETS = ("Cora", "CiteSeer", "Photo", "CS", "Facebook pages", "PPI", "BlogCatalog")
METHODS = ("wgdn", "common neighbors", "Adamic-Adar", "resource allocation", "cosine of wgdn vectors")
TEXT = """## Missing links

A tenth of the edges is held out; MRR and Hits@10 of up to 1500 held-out edges, each ranked among all nodes that are not
neighbors of its first end in the remaining graph. Mean and deviation over three random holdouts. Ties get their mean
rank, and ranks beyond 1000 count as never. `wgdn recommend` reads the remaining graph, with the features where the set
has them, and gets no setting.
"""
COLUMNS = (("mrr", "MRR", 3), ("hits", "Hits@10", 3), ("seconds", "seconds", 1))
FILES = {"Cora": "cora/cora.npz", "CiteSeer": "citeseer/citeseer.npz", "Photo": "amazon_photo/amazon_electronics_photo.npz",
         "CS": "coauthor_cs/ms_academic_cs.npz", "PPI": "plain/PPI.edg", "BlogCatalog": "plain/BlogCatalog.edg"}
HOLDOUTS, QUERIES, DEEPEST, BLOCK = 3, 1500, 1000, 256


@functools.lru_cache(maxsize=1)
def load(data, name):
    """The symmetric 0/1 adjacency matrix, and the arrays of the features or nothing."""
    if name == "Facebook pages":
        path = next(Path(data).glob("extra/facebook_large/*edges*"))
        pairs = np.loadtxt(path, delimiter=",", skiprows=1, dtype=np.int64)
    elif FILES[name].endswith(".edg"):
        pairs = np.loadtxt(Path(data) / FILES[name], dtype=np.int64, usecols=(0, 1))
        pairs = np.unique(pairs, return_inverse=True)[1].reshape(-1, 2)
    else:
        with np.load(Path(data) / FILES[name], allow_pickle=True) as found:
            parts = {key: found[key] for key in found.files}
        adjacency = sp.csr_matrix((parts["adj_data"], parts["adj_indices"], parts["adj_indptr"]), parts["adj_shape"])
        return symmetric(adjacency), {key: parts[key] for key in parts if key.startswith("attr")}
    n = int(pairs.max()) + 1
    return symmetric(sp.csr_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), (n, n))), {}


def symmetric(a):
    a = (a + a.T).tocsr()
    a.setdiag(0)
    a.eliminate_zeros()
    a.data[:] = 1
    return a


def hold_out(adjacency, seed):
    """The remaining graph, and the held-out edges with a random first end."""
    random = np.random.default_rng(seed)
    upper = sp.triu(adjacency, 1).tocoo()
    edges = np.column_stack((upper.row, upper.col))
    held = random.permutation(len(edges))[:len(edges) // 10]
    kept = np.delete(edges, held, axis=0)
    queries = edges[held]
    swap = random.random(len(queries)) < .5
    queries[swap] = queries[swap][:, ::-1]
    n = adjacency.shape[0]
    return symmetric(sp.csr_matrix((np.ones(len(kept)), (kept[:, 0], kept[:, 1])), (n, n))), queries[:QUERIES]


def ranks_of_scores(score, remaining, queries):
    """The mean rank of each query's second end among the non-neighbors of the first, by rows of scores."""
    ranks = np.empty(len(queries))
    for at in range(0, len(queries), BLOCK):
        block = queries[at:at + BLOCK]
        rows = score(block[:, 0])
        for k, (u, v) in enumerate(block):
            row = rows[k]
            value = row[v]
            row[remaining.indices[remaining.indptr[u]:remaining.indptr[u + 1]]] = -np.inf
            row[u] = -np.inf
            ranks[at + k] = 1 + (row > value).sum() + ((row == value).sum() - 1) / 2
    return ranks


def write_graph(folder, remaining, features):
    if features:
        path = folder / "remaining.npz"
        np.savez(path, adj_data=remaining.data.astype(np.float32), adj_indices=remaining.indices,
                 adj_indptr=remaining.indptr, adj_shape=np.array(remaining.shape), **features)
        return path, lambda u: str(u)
    path = folder / "remaining.csv"
    upper = sp.triu(remaining, 1).tocoo()
    with open(path, "w") as f:
        f.write("source,target\n")
        f.writelines(f"n{u},n{v}\n" for u, v in zip(upper.row, upper.col))
    return path, lambda u: f"n{u}"


def ranks_of_program(program, remaining, features, queries):
    present = np.diff(remaining.indptr) > 0
    with tempfile.TemporaryDirectory() as folder:
        path, name_of = write_graph(Path(folder), remaining, features)
        lists, nodes = Path(folder) / "lists.csv", Path(folder) / "nodes.txt"
        asked = sorted({int(u) for u in queries[:, 0] if features or present[u]})
        nodes.write_text("".join(f"{name_of(u)}\n" for u in asked))
        tools.run(program, "recommend", path, "--ids", nodes, "--count", DEEPEST, "-o", lists, "-q", "-T", tools.THREADS)
        number = {name_of(u): u for u in range(remaining.shape[0])}
        found = tools.read_lists(lists, number, number, DEEPEST)
    ranks = np.full(len(queries), np.inf)
    for k, (u, v) in enumerate(queries):
        at = np.flatnonzero(found[u] == v)
        if len(at):
            ranks[k] = at[0] + 1
    return ranks


def vectors_of_program(program, remaining, features):
    with tempfile.TemporaryDirectory() as folder:
        path, name_of = write_graph(Path(folder), remaining, features)
        out = Path(folder) / "vectors.npz"
        tools.run(program, "embed", path, "-o", out, "-q", "-T", tools.THREADS)
        found = np.load(out, allow_pickle=False)
        rows = found["embedding" if "embedding" in found else "vectors"]
        ids = [str(i) for i in found["ids"]] if "ids" in found else [name_of(u) for u in range(len(rows))]
    all_rows = np.zeros((remaining.shape[0], rows.shape[1]), dtype=np.float32)
    number = {name_of(u): u for u in range(remaining.shape[0])}
    all_rows[[number[i] for i in ids]] = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    return all_rows


def ranks(program, method, remaining, features, queries):
    if method == "wgdn":
        return ranks_of_program(program, remaining, features, queries)
    if method == "cosine of wgdn vectors":
        rows = vectors_of_program(program, remaining, features)
        return ranks_of_scores(lambda u: rows[u] @ rows.T, remaining, queries)
    degree = np.maximum(np.asarray(remaining.sum(1)).ravel(), 1)
    middle = {"common neighbors": np.ones_like(degree), "Adamic-Adar": 1 / np.log(np.maximum(degree, 2)),
              "resource allocation": 1 / degree}[method]
    second = sp.diags(middle) @ remaining
    return ranks_of_scores(lambda u: (remaining[u] @ second).toarray(), remaining, queries)


def measure(program, data, name, method):
    adjacency, features = load(data, name)
    found = {"mrr": [], "hits": [], "seconds": []}
    for seed in range(HOLDOUTS):
        remaining, queries = hold_out(adjacency, seed)
        since = time.monotonic()
        r = ranks(program, method, remaining, features, queries)
        found["seconds"].append(time.monotonic() - since)
        found["mrr"].append(np.mean(np.where(r <= DEEPEST, 1 / r, 0)))
        found["hits"].append(np.mean(r <= 10))
    return {key: (float(np.mean(values)), float(np.std(values, ddof=1))) for key, values in found.items()}
