#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Embeddings in FAISS: an exact index and one of inverted lists.

    python vector_faiss.py         # needs faiss-cpu
"""
from typing import Any

import faiss
import numpy as np
import wgdn
from sample import read_papers

data = read_papers()
vectors = wgdn.embed(data).values
expected = wgdn.similar(vectors, list(range(data.nodes)), k=10).ids

unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
exact = faiss.IndexFlatIP(unit.shape[1])  # inner products of unit vectors are cosines
lists: Any = faiss.index_factory(unit.shape[1], "IVF32,Flat", faiss.METRIC_INNER_PRODUCT)
lists.train(unit)
lists.nprobe = 4

for name, index in ("exact", exact), ("inverted lists", lists):
    index.add(unit)
    _, found = index.search(unit, 11)
    agree = sum(len(set(row) & set(right)) for row, right in zip(found, expected))  # itself is not in
    print(f"{name}: {index.ntotal} vectors, {agree / expected.size:.3f} of the neighbors")
print(f"vectors: {exact.ntotal}")
