#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Embeddings in hnswlib: an index that grows as nodes come.

    python vector_hnswlib.py       # needs hnswlib
"""
import os
import tempfile

import hnswlib
import numpy as np
import wgdn
from sample import read_papers

data = read_papers()
vectors = wgdn.embed(data).values
expected = wgdn.similar(vectors, list(range(data.nodes)), k=10).ids

index = hnswlib.Index(space="cosine", dim=vectors.shape[1])
index.init_index(max_elements=data.nodes, ef_construction=200, M=16, random_seed=1)
known = data.nodes - 100
index.add_items(vectors[:known], np.arange(known))
index.add_items(vectors[known:], np.arange(known, data.nodes))  # nodes that came later
index.set_ef(64)
with tempfile.TemporaryDirectory() as folder:
    index.save_index(os.path.join(folder, "papers.hnsw"))
    again = hnswlib.Index(space="cosine", dim=vectors.shape[1])
    again.load_index(os.path.join(folder, "papers.hnsw"))
again.set_ef(64)
found, _ = again.knn_query(vectors, k=11)
agree = sum(len(set(row) & set(right)) for row, right in zip(found, expected))
print(f"{agree / expected.size:.3f} of the neighbors that an exact search finds")
print(f"vectors: {again.get_current_count()}")
