#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Topics of papers: logistic regression on the words and on embeddings of either kind. Rows are
scaled to length 1, as wgdn.evaluate() does; columns are not standardized: of the closed form they are
principal components, and the last would become as large as the first.

    python node_classification.py [MAP.png]    # needs scikit-learn; for the map matplotlib
"""
import sys

import wgdn
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.preprocessing import normalize
from sample import read_papers

data = read_papers()
y, split = data.y, data.splits
assert y is not None and split is not None
train, test = split[0] == 1, split[0] == 3
print(f"nodes: {data.nodes}, {train.sum()} of them with a label that may be used, {test.sum()} to tell")

kinds = {
    "words alone": data.X,  # sparse
    "closed form, wgdn.embed": wgdn.embed(data),
    "autoencoder, wgdn.WGDN": wgdn.WGDN.from_preset("cora", dim=128, epochs=60).fit_transform(data),
}
for name, table in kinds.items():
    vectors = normalize(table)
    model = GridSearchCV(LogisticRegression(max_iter=1000), {"C": [1, 10, 100, 1000]}, cv=5)
    model.fit(vectors[train], y[train])
    print(f"{name}: accuracy {model.score(vectors[test], y[test]):.3f}, {table.shape[1]} columns")

if len(sys.argv) > 1:
    wgdn.plot(kinds["closed form, wgdn.embed"], data, path=sys.argv[1])
