#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proteins by their interactions alone, which have several labels each, or people by their friends: no features.

    python no_features.py
"""

import wgdn
from sample import read_people

data = read_people()
vectors = wgdn.embed(data)
print(f"nodes: {data.nodes}, edges: {data.edges}, labels: {data.counts['classes']}")

found = wgdn.evaluate(vectors, data, train_fraction=0.5, runs=3, baselines=True)
for row in found["results"]:
    name = "wgdn.embed" if row["name"] == "vectors" else row["name"]
    print(f"{name}: micro F1 {row['micro_f1_mean']:.3f}, macro F1 {row['macro_f1_mean']:.3f}" if "micro_f1_mean" in row else
          f"{name}: accuracy {row['accuracy_mean']:.3f}")

near = vectors.similar(list(vectors)[:3], k=3)
print("most alike:", near.ids.tolist())
