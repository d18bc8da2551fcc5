#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Molecules and proteins as graphs, a vector each: which are mutagenic, which are enzymes. The
columns are principal components, the first with the largest variance. Do not standardize them: it
would make the last, which are noise, as large as the first (MUTAG: 0.67, which is the larger class).

    python molecules.py            # needs scikit-learn
"""

import numpy as np
import wgdn
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.svm import SVC
from sample import read_sets

for name, data in read_sets().items():
    y = data.graph_labels
    assert y is not None
    rows = np.arange(data.graphs).reshape(-1, 1)  # X selects graphs; the estimator has them all
    folds = StratifiedKFold(10, shuffle=True, random_state=1)
    common = np.bincount(y).max() / data.graphs
    print(f"{name}: graphs: {data.graphs}, nodes: {data.nodes}, the larger class {common:.3f}")
    vectors = wgdn.FilterEmbedding(graph=data).fit_transform(rows)
    model = GridSearchCV(SVC(), {"C": [0.1, 1, 10, 100]}, cv=5)  # chosen within each training part
    score = cross_val_score(model, vectors, y, cv=folds)
    print(f"{name}: accuracy {score.mean():.3f} +- {score.std():.3f}, {vectors.shape[1]} columns")
