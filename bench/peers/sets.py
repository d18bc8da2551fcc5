# SPDX-License-Identifier: Apache-2.0
"""The datasets as peers get them: nodes, symmetric adjacency, features, ids.

Nodes are numbered as wgdn numbers them (docs/reference/formats.md): rows of an npz file, else integer ids by
value. The graph is undirected, without self loops; the weights of Wikipedia count, as in wgdn,
except in Wikipedia-unweighted. Ids go with the vectors, so that no judge depends on the order. FRESH are for
validation: no constant, rule or threshold of wgdn may be chosen by a result on them (selftest looks who names them).
"""
import os
import pathlib
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np
import scipy.sparse as sp


@dataclass
class Data:
    n: int
    adjacency: sp.csr_matrix       # n x n, symmetric, float32, zero diagonal
    features: Optional[Any]        # n x F float32, CSR or dense; None: edges alone
    ids: np.ndarray                # n texts
    weighted: bool = False
    name: str = ""


@dataclass(frozen=True)
class Set:
    name: str
    file: str                      # under $WGDN_DATA
    labels: str = ""               # where they are not in the file; .labels.tsv: several for a node
    binarize: bool = False         # features become x > 0
    weighted: bool = False
    features: bool = True          # of an npz file


SETS = {s.name: s for s in (
    Set("Cora", "cora/cora.npz"),
    Set("CiteSeer", "citeseer/citeseer.npz"),
    Set("Photo", "amazon_photo/amazon_electronics_photo.npz"),
    Set("Computers", "amazon_computers/amazon_electronics_computers.npz"),
    Set("CS", "coauthor_cs/ms_academic_cs.npz", binarize=True),
    Set("Physics", "coauthor_physics/ms_academic_phy.npz", binarize=True),
    Set("Minesweeper", "hetero/minesweeper.npz"),
    Set("Tolokers", "extra/tolokers/tolokers.npz"),
    Set("Chameleon", "hetero/chameleon_filtered.npz"),
    Set("Squirrel", "hetero/squirrel_filtered.npz"),
    Set("Actor", "hetero/actor.npz"),
    Set("BlogCatalog", "plain/BlogCatalog.edg", "plain/BlogCatalog.labels.tsv"),
    Set("PPI", "plain/PPI.edg", "plain/PPI.labels.tsv"),
    Set("Wikipedia", "plain/Wikipedia.edg", "plain/Wikipedia.labels.tsv", weighted=True),
    Set("facebook_large", "extra/facebook_large/facebook_edges.csv",
        "extra/facebook_large/facebook_target.csv"),
    Set("Wikipedia-unweighted", "plain/Wikipedia.edg", "plain/Wikipedia.labels.tsv"),
    Set("ACM", "fresh/acm.npz"),
    Set("Cora-ML", "fresh/cora_ml.npz"),
    Set("CiteSeer-full", "fresh/citeseer_full.npz"),
    Set("UAI", "fresh/uai.npz"),
    Set("BlogCatalog-attributes", "fresh/blogcatalog_attributes.npz"),
    Set("Flickr-attributes", "fresh/flickr_attributes.npz"),
    Set("PolBlogs", "fresh/polblogs.npz", features=False),
)}
FRESH = tuple(s.name for s in SETS.values() if s.file.startswith("fresh/"))
EXTRA = ("Wikipedia-unweighted", *FRESH)    # run when asked for by name


def path(name: str) -> pathlib.Path:
    folder = os.environ.get("WGDN_DATA")
    if not folder:
        raise SystemExit("peers: set WGDN_DATA to the folder of the datasets")
    return pathlib.Path(folder) / name


def load(name: str) -> Data:
    spec = SETS[name]
    file = path(spec.file)
    data = load_npz(file, spec.binarize) if file.suffix == ".npz" else load_edges(file, spec.weighted)
    data.name = name
    return data


def load_npz(file, binarize=False) -> Data:
    """Arrays of the gnn-benchmark layout, or plain arrays (edges, node_features)."""
    with np.load(file) as z:
        names = z["node_names"] if "node_names" in z.files else None
        if "adj_indptr" in z.files:
            n = int(z["adj_shape"][0])
            rows = sp.csr_matrix((np.ones(len(z["adj_indices"]), np.float32), z["adj_indices"],
                                  z["adj_indptr"]), shape=(n, n)).tocoo()
            edges = np.stack([rows.row, rows.col], axis=1)
            x = None
            if "attr_indptr" in z.files:
                x = sp.csr_matrix((z["attr_data"], z["attr_indices"], z["attr_indptr"]),
                                  shape=tuple(z["attr_shape"]), dtype=np.float32)
                x.sum_duplicates()
        else:
            edges, x = z["edges"], z["node_features"].astype(np.float32)
            n = len(x)
            if np.count_nonzero(x) < x.size / 4:
                x = sp.csr_matrix(x)
    if binarize:
        x = (x > 0).astype(np.float32)
    return Data(n, symmetric(n, edges), x, node_ids(n, names))


def load_edges(file, weighted=False) -> Data:
    """Text with two integer ids on a line, and maybe a weight; a header is a line with letters."""
    with open(file) as f:
        first = f.readline()
    table = np.loadtxt(file, delimiter="," if "," in first else None, ndmin=2,
                       skiprows=int(any(c.isalpha() for c in first)))
    ids, ends = np.unique(table[:, :2].astype(np.int64), return_inverse=True)
    weights = table[:, 2] if weighted else None
    n = len(ids)
    return Data(n, symmetric(n, ends.reshape(-1, 2), weights), None, ids.astype(str), weighted)


def symmetric(n, edges, weights=None) -> sp.csr_matrix:
    """A_ij = the largest weight of the edges i - j, 0 where there is none; A_ii = 0."""
    i, j = edges.astype(np.int64).T
    w = np.ones(len(i), np.float32) if weights is None else np.asarray(weights, np.float32)
    keep = (i != j) & (w != 0)
    i, j, w = i[keep], j[keep], w[keep]
    key = np.concatenate([i * n + j, j * n + i])
    cells, inverse = np.unique(key, return_inverse=True)
    best = np.zeros(len(cells), np.float32)
    np.maximum.at(best, inverse, np.concatenate([w, w]))
    a = sp.csr_matrix((best, (cells // n, cells % n)), shape=(n, n))
    a.sort_indices()
    return a


def node_ids(n, names) -> np.ndarray:
    """The names if all differ, else the rows' numbers."""
    if names is not None and len(np.unique(names)) == n:
        return names.astype(str)
    return np.arange(n).astype(str)


def filter_operator(a) -> sp.csr_matrix:
    """S = D^-1/2 (A + I) D^-1/2, D the row sums of A + I."""
    a = (a + sp.identity(a.shape[0], np.float32, format="csr")).tocsr()
    d = sp.diags((1 / np.sqrt(np.asarray(a.sum(axis=1)).ravel())).astype(np.float32))
    return (d @ a @ d).tocsr().astype(np.float32)


def unit_rows(x):
    """Rows scaled to length 1; a row of zeros stays."""
    if sp.issparse(x):
        length = np.sqrt(np.asarray(x.multiply(x).sum(axis=1)).ravel())
        return (sp.diags((1 / np.where(length > 0, length, 1)).astype(x.dtype)) @ x).tocsr()
    length = np.linalg.norm(x, axis=1, keepdims=True)
    return x / np.where(length > 0, length, 1)
