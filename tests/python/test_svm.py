# SPDX-License-Identifier: Apache-2.0
"""`wgdn eval --task graph` against scikit-learn on the same vectors and folds: SVC (RBF) and LinearSVC with
GridSearchCV must agree to 0.3 points, and the folds themselves with StratifiedKFold.

    test_svm.py <wgdn program>
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

try:
    from sklearn.model_selection import GridSearchCV, StratifiedKFold
    from sklearn.svm import SVC, LinearSVC
except ImportError:
    print("skipped: no scikit-learn; set WGDN_PYTHON to a Python that has it")
    sys.exit(77)

N, WIDTH, FOLDS = 400, 24, 10
GRID = {"C": [1e-3, 1e-2, 0.1, 1, 10]}


def make(folder, seed, classes):
    """Blobs that overlap, as vectors of graphs of two nodes each."""
    rng = np.random.default_rng(seed)
    label = rng.integers(classes, size=N)
    x = (rng.normal(size=(N, WIDTH)) + 0.45 * rng.normal(size=(classes, WIDTH))[label]).astype(np.float32)
    np.save(folder / "x.npy", 3 * x + 1)
    data = folder / "T"
    data.mkdir()
    (data / "T_A.txt").write_text("".join(f"{2 * g + 1}, {2 * g + 2}\n" for g in range(N)))
    (data / "T_graph_indicator.txt").write_text("".join(f"{g + 1}\n{g + 1}\n" for g in range(N)))
    (data / "T_graph_labels.txt").write_text("".join(f"{v}\n" for v in label))
    return 3 * x + 1, label


def accuracy(svm, x, label, fold, scaled):
    found = []
    for f in range(FOLDS):
        train, test = fold != f, fold == f
        size = x[train].astype(float).std() if scaled else 1
        search = GridSearchCV(svm, GRID, cv=5).fit(x[train] / size, label[train])
        found.append(search.score(x[test] / size, label[test]))
    return np.mean(found)


def main():
    wrong = 0
    for seed, classes in ((0, 2), (1, 3)):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            x, label = make(folder, seed, classes)
            command = [sys.argv[1], "eval", folder / "x.npy", folder / "T", "--seed", "0", "--no-baselines", "--json"]
            told = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
            fold = np.array(told["fold"])
            theirs = np.empty(N, int)
            split = StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(x, label)
            for f, (_, test) in enumerate(split):
                theirs[test] = f
            print(f"{classes} classes: folds {'as' if (fold == theirs).all() else 'not as'} StratifiedKFold's")
            wrong += not (fold == theirs).all()
            for kind, svm, scaled in (("rbf", SVC(), False),
                                      ("linear", LinearSVC(dual=False, tol=1e-3, max_iter=5000), True)):
                if kind + "_svm_mean" not in told["results"][0]:
                    print(f"  {kind}: not built in")
                    continue
                ours, other = told["results"][0][kind + "_svm_mean"], accuracy(svm, x, label, fold, scaled)
                print(f"  {kind}: {100 * ours:.2f}, scikit-learn {100 * other:.2f}")
                wrong += abs(ours - other) > 0.003
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
