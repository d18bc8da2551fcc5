#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Workers of a crowd-sourcing platform who were banned: gradient boosting on what is known of each,
with and without vectors of whom they worked with. Labels are not used to make the vectors.

    python fraud.py [SEEDS]        # needs scikit-learn; 3 seeds
"""
import sys

import numpy as np
import wgdn
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import average_precision_score, roc_auc_score
from sample import read_accounts

seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
data = read_accounts()
y, splits, known = data.y, data.splits, data.X
assert y is not None and splits is not None
print(f"nodes: {data.nodes}, edges: {data.edges}, {known.shape[1]} columns, banned: {np.mean(y == 1):.3f}")

degree = np.diff(data.adjacency.indptr)[:, None]
auc: dict[str, list[float]] = {}
for seed in range(seeds):
    train, test = splits[seed] == 1, splits[seed] == 3
    both = np.hstack([known, wgdn.embed(data, features="both", dim=64, seed=seed + 1)])
    structure = np.hstack([known, wgdn.embed(data, features="structure", dim=64, seed=seed + 1)])
    for name, table in (("columns alone", known), ("with the degree", np.hstack([known, degree])),
                        ("with vectors", both), ("with vectors of the graph alone", structure)):
        model = HistGradientBoostingClassifier(max_iter=200, learning_rate=0.05, random_state=seed)
        model.set_params(early_stopping=True)
        score = model.fit(table[train], y[train]).predict_proba(table[test])[:, 1]
        auc.setdefault(name, []).append(float(roc_auc_score(y[test], score)))
        precision = average_precision_score(y[test], score)
        print(f"seed {seed}, {name}: AUC {auc[name][-1]:.4f}, average precision {precision:.4f}")
for name, values in auc.items():
    print(f"{name}: AUC {np.mean(values):.4f} +- {np.std(values):.4f} over {len(values)} splits")
