#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Embeddings in Qdrant, in its local mode: no server, the same calls.

    python vector_qdrant.py        # needs qdrant-client
"""

import wgdn
from qdrant_client import QdrantClient, models
from sample import read_papers

data = read_papers()
vectors = wgdn.embed(data).values
labels = data.y
assert labels is not None
asked = list(range(0, data.nodes, 100))
expected = wgdn.similar(vectors, asked, k=10).ids

client = QdrantClient(":memory:")
client.create_collection("papers", vectors_config=models.VectorParams(
    size=vectors.shape[1], distance=models.Distance.COSINE))
client.upload_points("papers", [
    models.PointStruct(id=i, vector=vector.tolist(), payload={"topic": int(labels[i])})
    for i, vector in enumerate(vectors)])

agree = 0
for node, right in zip(asked, expected):
    found = client.query_points("papers", query=node, limit=10).points  # by id: without itself
    agree += len({point.id for point in found} & set(right.tolist()))
topic = models.Filter(must=[models.FieldCondition(key="topic", match=models.MatchValue(value=4))])
for point in client.query_points("papers", query=0, query_filter=topic, limit=3).points:
    print(point.id, point.payload, round(point.score, 3))
print(f"neighbors as those of wgdn.similar: {agree} of {10 * len(asked)}")
print(f"vectors: {client.count('papers').count}")
