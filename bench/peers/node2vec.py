# SPDX-License-Identifier: Apache-2.0
"""pecanpy: node2vec with its defaults, p = q = 1, ten walks of 80 from each node, window 10, one epoch.

Its program warns that with p = q = 1 the second-order modes (SparseOTF, PreComp) waste time and
recommends the first-order ones, which draw the same walks: FirstOrderUnweighted, and
PreCompFirstOrder where weights count. Compiling the walk by numba is part of each run.
"""
import numpy as np
from pecanpy import pecanpy


def embed(data, dim, threads, seed):
    mode = pecanpy.PreCompFirstOrder if data.weighted else pecanpy.FirstOrderUnweighted
    g = mode(p=1, q=1, workers=threads, random_state=seed)
    fill(g, data.adjacency)
    return g.embed(dim=dim)


def fill(g, a):
    """What its read_npz() does with the arrays of a CSR file."""
    g.indptr = a.indptr.astype(np.uint32)
    g.indices = a.indices.astype(np.uint32)
    g.data = a.data.astype(np.float32)
    g.set_node_ids([str(i) for i in range(a.shape[0])])
