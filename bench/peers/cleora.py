# SPDX-License-Identifier: Apache-2.0
"""pycleora: iterated Markov propagation from hashed vectors, whitened after each of 40 iterations.

`embed` is its embed() with the defaults, which are 256 columns. `embed_features` starts from the
features, as its documentation says to: a random projection of them (the features themselves where
they are 256 or fewer), "fewer iterations than 40". Three of them: of 1, 2, 3, 5, 8, 16 and 40 the
best on Cora and Photo, the second on Chameleon. It has no use for weights: its embed_weighted()
multiplies rows by numbers and then divides them out.
"""
import numpy as np
import scipy.sparse as sp
from pycleora import SparseMatrix, embed as cleora_embed

ITERATIONS_FROM_FEATURES = 3


def embed(data, dim, threads, seed):
    graph, order = build(data.adjacency, threads)
    return restore(cleora_embed(graph, dim, seed=seed, num_workers=threads), order)


def embed_features(data, dim, threads, seed):
    graph, order = build(data.adjacency, threads)
    start = np.asarray(project(data.features, dim, seed), np.float32)
    out = cleora_embed(graph, start.shape[1], ITERATIONS_FROM_FEATURES,
                       initial_embeddings=start[order], num_workers=threads)
    return restore(out, order)


def build(a, threads):
    """Its graph, a line an edge, and the node of each of its rows. A line of one id is a lone node."""
    upper = sp.triu(a, 1).tocoo()
    lines = [f"{i} {j}" for i, j in zip(upper.row.tolist(), upper.col.tolist())]
    lines += [str(i) for i in np.flatnonzero(np.diff(a.indptr) == 0).tolist()]
    graph = SparseMatrix.from_iterator(iter(lines), "complex::reflexive::node", num_workers=threads)
    return graph, np.array([int(i) for i in graph.entity_ids])


def restore(rows, order):
    out = np.empty_like(rows)
    out[order] = rows
    return out


def project(x, dim, seed):
    """X R / sqrt(dim), R normal; X itself where it has no more than dim columns."""
    if x.shape[1] <= dim:
        return x.toarray() if sp.issparse(x) else x
    r = np.random.default_rng(seed).standard_normal((x.shape[1], dim)).astype(np.float32)
    return (x @ r) / np.sqrt(dim)
