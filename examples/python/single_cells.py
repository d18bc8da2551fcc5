#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Types of cells with Scanpy: counts, principal components, a graph of neighbors, then clusters of
that graph and of the graph that wgdn's vectors give. The counts are made up, with known types.

    python single_cells.py [SEEDS]               # needs scanpy, leidenalg and scikit-learn
"""
import sys
import warnings

import anndata
import numpy as np
import scanpy
import wgdn
from sklearn.metrics import adjusted_rand_score

CELLS, GENES, TYPES, MARKERS = 2000, 1500, 10, 25
warnings.simplefilter("ignore", FutureWarning)


def make_cells(seed: int) -> anndata.AnnData:
    """Counts of rare genes; each type has markers, and shares half of them with its neighbor."""
    rng = np.random.default_rng(seed)
    kind = rng.choice(TYPES, CELLS, p=rng.dirichlet(np.full(TYPES, 5.0)))
    level = np.tile(rng.gamma(0.4, 0.5, GENES), (TYPES, 1))
    for t in range(TYPES):
        level[t, rng.choice(GENES, MARKERS, replace=False)] += 0.9
        level[(t + 1) % TYPES] = np.where(rng.random(GENES) < 0.5, level[t], level[(t + 1) % TYPES])
    depth = rng.lognormal(0, 0.35, (CELLS, 1))
    counts = rng.poisson(level[kind] * depth * rng.gamma(2, 0.5, (CELLS, GENES)))
    cells = anndata.AnnData(counts.astype(np.float32))
    cells.obs["type"] = [f"type {t}" for t in kind]
    return cells


found = []
for seed in range(int(sys.argv[1]) if len(sys.argv) > 1 else 3):
    cells = make_cells(seed)
    scanpy.pp.normalize_total(cells)
    scanpy.pp.log1p(cells)
    scanpy.pp.pca(cells, n_comps=30)
    scanpy.pp.neighbors(cells, use_rep="X_pca")
    wgdn.embed(cells, use_rep="X_pca", key_added="X_wgdn")
    again = scanpy.pp.neighbors(cells, use_rep="X_wgdn", key_added="wgdn", copy=True)
    scores = []
    for data, key in (cells, None), (again, "wgdn"):
        scanpy.tl.leiden(data, neighbors_key=key, flavor="igraph", n_iterations=2, random_state=0)
        scores.append(float(adjusted_rand_score(data.obs["type"], data.obs["leiden"])))
    found.append(scores)
    print(f"seed {seed}: cells: {cells.n_obs}, adjusted Rand index {scores[0]:.3f} by the components' "
          f"graph, {scores[1]:.3f} by the vectors' graph")
mean = np.mean(found, axis=0)
print(f"mean over {len(found)}: {mean[0]:.3f} and {mean[1]:.3f}")
