# SPDX-License-Identifier: Apache-2.0
"""`wgdn eval` against scikit-learn on the same vectors and splits: logistic regression, nearest
neighbors, AUC, the Adam probe; k-means, NMI, ARI too.

Logistic regression has one objective on both sides, 1/2 |W|^2 + C sum of losses on rows of length 1, and must agree
to 0.1 point of accuracy, the penalty being chosen by the same validation nodes. With a weight decay the Adam
probe minimizes the same loss, C = 1 / (l2 n), and must agree to a point. Where Cora is at hand (WGDN_DATA), its
public split on vectors that are made here is asked, too.

    test_probe.py <wgdn program>
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

try:
    from sklearn.cluster import KMeans
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import adjusted_rand_score, f1_score, normalized_mutual_info_score, roc_auc_score
    from sklearn.neighbors import KNeighborsClassifier
except ImportError:
    print("skipped: no scikit-learn; set WGDN_PYTHON to a Python that has it")
    sys.exit(77)

N, WIDTH, CLASSES, DECAY = 10000, 32, 5, 0.02
PENALTIES = (1, 8, 64, 512)
CORA = 0.78  # of the vectors below
wrong = 0


def check(what, ours, theirs, most):
    global wrong
    print(f"{what}: {100 * ours:.3f}, scikit-learn {100 * theirs:.3f}")
    wrong += not abs(ours - theirs) <= most


def make(folder, seed, classes=CLASSES):
    """Blobs that overlap, and a split of 10, 10 and 80 percent."""
    rng = np.random.default_rng(seed)
    label = rng.integers(classes, size=N)
    x = (rng.normal(size=(N, WIDTH)) + 0.5 * rng.normal(size=(classes, WIDTH))[label]).astype(np.float32)
    part = np.array(["train", "val"] + ["test"] * 8)[rng.permutation(N) % 10]
    np.save(folder / "x.npy", x)
    for name, column in (("y", label), ("s", part)):
        (folder / f"{name}.tsv").write_text("".join(f"{i}\t{v}\n" for i, v in enumerate(column)))
    (folder / "graph.tsv").write_text("".join(f"{i}\t{(i + 1) % N}\n" for i in range(N)))
    return x, label, part


def ask(program, *words):
    done = subprocess.run([program, "eval", *words, "--no-baselines", "--json"], check=True, capture_output=True)
    return json.loads(done.stdout)["results"][0]


def run(program, folder, *options):
    return ask(program, folder / "x.npy", folder / "graph.tsv", "-y", folder / "y.tsv", "--splits",
               folder / "s.tsv", *options)


def unit(x):
    x = x.astype(np.float64)
    return x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-30)


def regression(x, label, part, penalties, auc=False):
    """Test score with the C that is best on the validation nodes."""
    best = (-1, 0)
    for c in penalties:
        model = LogisticRegression(C=c, tol=1e-6, max_iter=10000).fit(x[part == "train"], label[part == "train"])
        score = [roc_auc_score(label[part == p], model.decision_function(x[part == p])) if auc else
                 model.score(x[part == p], label[part == p]) for p in ("val", "test")]
        if score[0] > best[0]:
            best = score
    return best[1]


def neighbors(x, label, part):
    """Five of them; a majority that several classes share goes to the one that is met first."""
    model = KNeighborsClassifier(5, metric="cosine", algorithm="brute").fit(x[part == "train"], label[part == "train"])
    index = model.kneighbors(x[part == "test"], return_distance=False)
    near = label[part == "train"][index]
    votes = (near[:, :, None] == near[:, None, :]).sum(axis=2)
    return (near[np.arange(len(near)), votes.argmax(axis=1)] == label[part == "test"]).mean()


def blobs(program, seed):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        x, label, part = make(folder, seed)
        ours = run(program, folder)
        check("logistic regression", ours["accuracy_mean"], regression(unit(x), label, part, PENALTIES), 0.001)
        check("5-NN", ours["knn_mean"], neighbors(unit(x), label, part), 0.001)
        adam = run(program, folder, "--classifier", "adam", "--runs", "5", "--weight-decay", str(DECAY))
        theirs = regression(x, label, part, [1 / (DECAY * np.sum(part == "train"))])
        check("Adam", adam["accuracy_mean"], theirs, 0.01)
        found = run(program, folder, "--task", "cluster", "--metric", "dot")
        parts = KMeans(CLASSES, n_init=10, random_state=0).fit(x).labels_
        check("NMI", found["nmi"], normalized_mutual_info_score(label, parts), 0.02)
        check("ARI", found["ari"], adjusted_rand_score(label, parts), 0.02)
        x, label, part = make(folder, seed, 2)
        ours = run(program, folder)
        check("AUC", ours["auc_mean"], regression(unit(x), label, part, PENALTIES, auc=True), 0.001)


def several(program, seed):
    """Labels that overlap, four a node at most: one against the rest, as many as a node has."""
    rng = np.random.default_rng(seed)
    n, labels = 3000, 6
    x = rng.normal(size=(n, 16)).astype(np.float32)
    score = x @ rng.normal(size=(16, labels)) + 2 * rng.normal(size=(n, labels))
    least = np.take_along_axis(np.sort(score, axis=1), labels - rng.integers(1, 5, size=(n, 1)), axis=1)
    has = score >= least
    part = np.array(["train"] * 5 + ["val"] + ["test"] * 4)[rng.permutation(n) % 10]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        np.save(folder / "x.npy", x)
        (folder / "y.tsv").write_text("".join(f"{i}\t{k}\n" for i, k in zip(*np.nonzero(has))))
        (folder / "s.tsv").write_text("".join(f"{i}\t{p}\n" for i, p in enumerate(part)))
        (folder / "graph.tsv").write_text("".join(f"{i}\t{(i + 1) % n}\n" for i in range(n)))
        ours = run(program, folder)
    x, best = unit(x), (-1,)
    for c in PENALTIES:
        w = [LogisticRegression(C=c, tol=1e-6, max_iter=10000).fit(x[part == "train"], has[part == "train", k])
             for k in range(labels)]
        f1 = {}
        for p in ("val", "test"):
            y = np.stack([m.decision_function(x[part == p]) for m in w], axis=1)
            rank = np.argsort(np.argsort(-y, axis=1, kind="stable"), axis=1)
            guess = rank < has[part == p].sum(axis=1, keepdims=True)
            f1[p] = [f1_score(has[part == p], guess, average=a) for a in ("micro", "macro")]
        if f1["val"][0] > best[0]:
            best = (f1["val"][0], *f1["test"])
    check("micro-F1 of several labels", ours["micro_f1_mean"], best[1], 0.001)
    check("macro-F1 of several labels", ours["macro_f1_mean"], best[2], 0.001)


def cora(program, path):
    """Neighbors' words, counted twice over and projected to 200 columns: 140 training nodes."""
    z = np.load(path)
    n, f = z["attr_shape"]
    rows = lambda name: np.repeat(np.arange(n), np.diff(z[name + "_indptr"]))
    x = np.zeros((n, f))
    x[rows("attr"), z["attr_indices"]] = 1
    a = np.eye(n)
    a[rows("adj"), z["adj_indices"]] = 1
    a /= a.sum(axis=1, keepdims=True)
    x = (a @ (a @ x) @ np.random.default_rng(1).normal(size=(f, 200))).astype(np.float32)
    part = np.full(n, "none", dtype=object)
    for p in ("train", "val", "test"):
        part[z[p + "_idx"]] = p
    with tempfile.TemporaryDirectory() as name:
        np.save(Path(name) / "x.npy", x)
        ours = ask(program, Path(name) / "x.npy", path)
    check("Cora, public split", ours["accuracy_mean"], regression(unit(x), z["labels"], part, PENALTIES), 0.003)
    check("Cora, 5-NN", ours["knn_mean"], neighbors(unit(x), z["labels"], part), 0.003)
    check("Cora, against what it was", ours["accuracy_mean"], CORA, 0.003)


def main():
    program = sys.argv[1]
    for seed in range(3):
        blobs(program, seed)
        several(program, seed)
    path = Path(os.environ.get("WGDN_DATA", "/nowhere")) / "cora" / "cora.npz"
    if path.exists():
        cora(program, path)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
