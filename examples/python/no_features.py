#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proteins by their interactions alone: nodes have no features and several labels each.

    WGDN_DATA=... python no_features.py
"""
import os

import wgdn

folder = os.path.join(os.environ["WGDN_DATA"], "plain")
data = wgdn.read(os.path.join(folder, "PPI.edg"), y=os.path.join(folder, "PPI.labels.tsv"))
vectors = wgdn.embed(data)
print(f"nodes: {data.nodes}, edges: {data.edges}, labels: {data.counts['classes']}")

found = wgdn.evaluate(vectors, data, train_fraction=0.5, runs=3, baselines=True)
for row in found["results"]:
    name = "wgdn.embed" if row["name"] == "vectors" else row["name"]
    print(f"{name}: micro F1 {row['micro_f1_mean']:.3f}, macro F1 {row['macro_f1_mean']:.3f}")

near = vectors.similar(list(vectors)[:3], k=3)
print("most alike:", near.ids.tolist())
