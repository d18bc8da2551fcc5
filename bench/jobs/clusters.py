# SPDX-License-Identifier: Apache-2.0
"""Clusters: groups found without labels, beside k-means on the same vectors and Leiden on the graph."""
import csv
import functools
import subprocess
import tempfile
import time

import igraph
import leidenalg
import numpy as np
import scipy.sparse as sp
from sklearn.cluster import KMeans
from sklearn.metrics import normalized_mutual_info_score

import predict

NAME = "clusters"
SETS = ("Cora", "CiteSeer", "Photo", "Computers", "CS", "Physics", "DBLP")
METHODS = ("wgdn cluster", "wgdn cluster, number chosen", "wgdn cluster --method graph", "k-means on the same vectors",
           "Leiden")
TEXT = """## Clusters

Groups of the nodes, found without labels. NMI compares them with the classes, which no tool sees; modularity is that of
the edges, without weights. `wgdn cluster` and k-means (scikit-learn, ten starts) get the number of classes as the number
of clusters, also for `wgdn cluster --clusters`; *number chosen* lets the program choose it. Leiden (leidenalg) maximizes
modularity and chooses the number itself, as `wgdn cluster --method graph` does.
"""
COLUMNS = (("nmi", "NMI", 3), ("modularity", "modularity", 3), ("clusters", "clusters", 0), ("seconds", "seconds", 1))


@functools.lru_cache(maxsize=1)
def load(data, name):
    path, ids, label, _, _ = predict.load(data, name)
    with np.load(path, allow_pickle=False) as found:
        parts = {key: found[key] for key in found.files}
    a = sp.csr_matrix((parts["adj_data"], parts["adj_indices"], parts["adj_indptr"]), parts["adj_shape"])
    a = (a + a.T).tocsr()
    a.setdiag(0)
    a.eliminate_zeros()
    a.data[:] = 1
    return path, ids, label, a


def modularity(a, group):
    degree = np.asarray(a.sum(1)).ravel()
    total = degree.sum()
    of = sp.csr_matrix((np.ones(len(group)), (np.arange(len(group)), group)))
    return float((of.T @ a @ of).diagonal().sum() / total - ((of.T @ degree / total) ** 2).sum())


def by_program(program, path, ids, *words):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "cluster", "-q", path, "-o", f"{folder}/g.csv", *words], check=True,
                       stdout=subprocess.DEVNULL)
        with open(f"{folder}/g.csv", newline="") as f:
            of = {row["id"]: int(row["cluster"]) for row in csv.DictReader(f)}
    return np.array([of[i] for i in ids])


def groups(program, path, ids, classes, a, method):
    if method == METHODS[0]:
        return by_program(program, path, ids, "--clusters", str(classes))
    if method == METHODS[1]:
        return by_program(program, path, ids)
    if method == METHODS[2]:
        return by_program(program, path, ids, "--method", "graph")
    if method == "Leiden":
        upper = sp.triu(a, 1).tocoo()
        graph = igraph.Graph(n=a.shape[0], edges=list(zip(upper.row.tolist(), upper.col.tolist())))
        found = leidenalg.find_partition(graph, leidenalg.ModularityVertexPartition, seed=0)
        return np.array(found.membership)
    return KMeans(classes, n_init=10, random_state=0).fit(predict.vectors(program, path, tuple(ids))).labels_


def measure(program, data, data_set, method):
    path, ids, label, a = load(data, data_set)
    begin = time.time()
    found = groups(program, path, ids, len(np.unique(label)), a, method)
    seconds = time.time() - begin
    return {"nmi": normalized_mutual_info_score(label, found), "modularity": modularity(a, found),
            "clusters": len(np.unique(found)), "seconds": seconds}
