# SPDX-License-Identifier: Apache-2.0
"""Prediction: labels of some nodes in, those of all others out, beside classifiers on these and other vectors."""
import csv
import functools
import importlib
import json
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score
from sklearn.model_selection import cross_val_predict
from sklearn.multiclass import OneVsRestClassifier
from sklearn.semi_supervised import LabelSpreading

import tools

NAME = "predict"
FILES = {"Cora": "cora/cora.npz", "CiteSeer": "citeseer/citeseer.npz",
         "Photo": "amazon_photo/amazon_electronics_photo.npz",
         "Computers": "amazon_computers/amazon_electronics_computers.npz", "CS": "coauthor_cs/ms_academic_cs.npz",
         "Physics": "coauthor_physics/ms_academic_phy.npz", "DBLP": "extra/dblp/*.npz", "Actor": "hetero/actor.npz",
         "Chameleon": "hetero/chameleon_filtered.npz", "Squirrel": "hetero/squirrel_filtered.npz",
         "Minesweeper": "hetero/minesweeper.npz", "Tolokers": "extra/tolokers/*.npz", "PPI": "plain/PPI.edg",
         "BlogCatalog": "plain/BlogCatalog.edg"}
SETS = tuple(FILES)
SEVERAL = ("PPI", "BlogCatalog")  # labels a node
OURS, LOGISTIC = "wgdn predict", "logistic regression on the same vectors"
BOOSTED = ("gradient boosting on features", "gradient boosting on features and vectors")
SPREADING = "scikit-learn label spreading"
PEERS = {"logistic regression on Cleora vectors": "cleora", "logistic regression on PecanPy vectors": "node2vec"}
METHODS = (OURS, LOGISTIC, *BOOSTED, SPREADING, *PEERS)
TEXT = """## Prediction

Labels of random 10 % of the nodes are given, or, for Actor, Chameleon, Squirrel, Minesweeper and Tolokers, those of the
published training and validation nodes; the labels of all other nodes, or of the published test nodes, are predicted.
Mean and standard deviation over three draws or published splits. The score is accuracy; with two classes AUC; on PPI and
BlogCatalog, whose nodes have several labels and no features, micro-F1. Average precision (AP) stands beside the latter
two. ECE is the expected calibration error of the predicted class, or of every label, in 15 bins. *Held out* is the score
that `wgdn predict` estimates from the given labels alone. Logistic regression is that of `--method vectors`, on vectors
of length 1, C of 1, 8, 64 and 512 chosen by five folds; gradient boosting is scikit-learn's
`HistGradientBoostingClassifier`. Cleora and PecanPy make vectors of 256 columns from the edges alone, as in
`bench/peers`. Their logistic regression is scikit-learn's, with the same C and folds. With several labels its threshold
has the best micro-F1 over the folds. Label spreading is scikit-learn's `LabelSpreading` on the edges. *Above
logistic regression* is the mean difference in the score and its standard error over draws.
"""
COLUMNS = (("score", "accuracy, AUC or micro-F1", 4), ("ap", "AP", 4), ("ece", "ECE", 3), ("held_out", "held out", 4),
           ("above", "above logistic regression", 4), ("seconds", "seconds", 1))
DRAWS, BINS, FOLDS, CHOICES = 3, 15, 5, (1, 8, 64, 512)


def peers(name):
    """A module of bench/peers."""
    folder = str(Path(__file__).resolve().parents[1] / "peers")
    if folder not in sys.path:
        sys.path.append(folder)
    return importlib.import_module(name)


@functools.lru_cache(maxsize=1)
def load(data, name):
    """The path, ids, labels, features as a dense matrix or nothing, and (given, asked) nodes for each draw.

    Several labels a node are a matrix of nodes x labels of 0 and 1."""
    path = next(Path(data).glob(FILES[name]))
    if name in SEVERAL:
        ids = [str(i) for i in peers("sets").load_edges(path).ids]
        pairs = np.loadtxt(path.with_suffix(".labels.tsv"), dtype=np.int64)
        place = {i: k for k, i in enumerate(ids)}
        known = [(place[str(i)], c) for i, c in pairs if str(i) in place]
        label = np.zeros((len(ids), pairs[:, 1].max() + 1), np.int64)
        label[tuple(np.array(known).T)] = 1
        order = [np.random.default_rng(k).permutation(np.flatnonzero(label.any(1))) for k in range(DRAWS)]
        return path, ids, label, None, [(np.sort(o[:len(o) // 10]), np.sort(o[len(o) // 10:])) for o in order]
    with np.load(path, allow_pickle=False) as found:
        parts = {key: found[key] for key in found.files}
    label = parts.get("labels", parts.get("node_labels"))
    ids = [str(i) for i in parts.get("node_names", range(len(label)))]
    if "train_masks" in parts:
        given = [(np.flatnonzero(parts["train_masks"][k] | parts["val_masks"][k]),
                  np.flatnonzero(parts["test_masks"][k])) for k in range(DRAWS)]
        return path, ids, label, parts["node_features"].astype(np.float32), given
    order = [np.random.default_rng(k).permutation(len(label)) for k in range(DRAWS)]
    cut = len(label) // 10
    return path, ids, label, None, [(np.sort(o[:cut]), np.sort(o[cut:])) for o in order]


@functools.lru_cache(maxsize=1)
def vectors(program, path, ids):
    """Vectors of length 1 in the order of the ids."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "embed", "-q", path, "-o", f"{folder}/v.npz"], check=True)
        with np.load(f"{folder}/v.npz") as found:
            x = found["embedding"]
            place = {str(i): k for k, i in enumerate(found["ids"])} if "ids" in found.files else None
    x = x[[place[i] for i in ids]] if place else x
    return x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-30)


def binned_error(right, sure):
    bins = np.minimum((sure * BINS).astype(int), BINS - 1)
    return sum(abs(right[bins == b].sum() - sure[bins == b].sum()) for b in range(BINS)) / len(sure)


def told(p, threshold):
    """Labels that reach the threshold, and the most likely one."""
    return (p >= threshold) | (np.arange(p.shape[1]) == p.argmax(1)[:, None])


def scores(label, asked, p, threshold=0.5):
    """Score, AP and calibration error of probabilities of the nodes asked for."""
    if label.ndim == 2:
        truth = label[asked]
        return {"score": f1_score(truth, told(p, threshold), average="micro"),
                "ece": binned_error(truth.ravel(), p.ravel()),
                "ap": average_precision_score(truth, p, average="micro")}
    truth, best = label[asked], p.argmax(1)
    right, sure = best == truth, p.max(1)
    ece = binned_error(right, sure)
    if p.shape[1] != 2:
        return {"score": right.mean(), "ece": ece}
    rarer = int((label == 1).sum() <= (label == 0).sum())
    return {"score": roc_auc_score(truth == rarer, p[:, rarer]), "ece": ece,
            "ap": average_precision_score(truth == rarer, p[:, rarer])}


def run_wgdn(program, path, ids, label, given, asked, *words):
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/labels.csv", "w", newline="") as f:
            several = label.ndim == 2
            pairs = [(ids[i], c) for i in given for c in (np.flatnonzero(label[i]) if several else [label[i]])]
            csv.writer(f).writerows([("id", "label"), *pairs])
        begin = time.time()
        done = subprocess.run([program, "predict", "-q", path, "--labels", f"{folder}/labels.csv", "--json", "-o",
                               f"{folder}/p.npz", *words], check=True, capture_output=True, text=True)
        seconds = time.time() - begin
        with np.load(f"{folder}/p.npz") as found:
            place = {i: k for k, i in enumerate(found["id"])}
            columns = np.column_stack([found[f"p:{c}"] if f"p:{c}" in found.files else np.zeros(len(place))
                                       for c in range(label.shape[1] if several else label.max() + 1)])
    report = json.loads(done.stdout)
    found = scores(label, asked, columns[[place[ids[i]] for i in asked]], report.get("threshold"))
    held_out = report.get("auc", report.get("micro_f1", report.get("accuracy")))
    return {**found, "held_out": held_out, "seconds": seconds}


def run_sklearn(model, x, label, given, asked):
    begin = time.time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(x[given], label[given])
    p = np.zeros((len(asked), label.max() + 1))
    p[:, model.classes_] = model.predict_proba(x[asked])
    return {**scores(label, asked, p), "seconds": time.time() - begin}


@functools.lru_cache(maxsize=1)
def peer_data(path):
    sets = peers("sets")
    return (sets.load_npz if path.suffix == ".npz" else sets.load_edges)(path)


@functools.lru_cache(maxsize=1)
def peer_vectors(path, module):
    x = peers(module).embed(peer_data(path), 256, tools.THREADS, 1)
    return x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-30)


def run_several(x, label, given, asked):
    """One regression for each label; C and threshold by the micro-F1 of held-out nodes."""
    begin, best = time.time(), (-1, 1, 0.5)
    seen = np.flatnonzero(label[given].any(0))
    for c in CHOICES:
        held = cross_val_predict(OneVsRestClassifier(LogisticRegression(C=c, max_iter=1000)), x[given],
                                 label[given][:, seen], cv=FOLDS, method="predict_proba")
        best = max([best, *((f1_score(label[given][:, seen], told(held, t), average="micro"), c, t)
                            for t in np.arange(1, 20) / 20)])
    model = OneVsRestClassifier(LogisticRegression(C=best[1], max_iter=1000)).fit(x[given], label[given][:, seen])
    p = np.zeros((len(asked), label.shape[1]))
    p[:, seen] = model.predict_proba(x[asked])
    return {**scores(label, asked, p, best[2]), "seconds": time.time() - begin}


def run_peer(path, module, label, given, asked):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        x = peer_vectors(path, module)
        if label.ndim == 2:
            return run_several(x, label, given, asked)
        model = LogisticRegressionCV(Cs=CHOICES, cv=FOLDS, max_iter=1000,
                                     scoring="accuracy" if label.max() > 1 else "roc_auc")
        return run_sklearn(model, x, label, given, asked)


def run_spreading(path, label, given, asked):
    """The kernel of scikit-learn's class is the graph."""
    begin = time.time()
    a = peer_data(path).adjacency.astype(np.float64)
    known = np.full(len(label), -1)
    known[given] = label[given]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = LabelSpreading(kernel=lambda x, y=None: a).fit(np.arange(len(label), dtype=float)[:, None], known)
    p = np.zeros((len(asked), label.max() + 1))
    p[:, model.classes_] = np.nan_to_num(model.label_distributions_[asked])
    return {**scores(label, asked, p), "seconds": time.time() - begin}


@functools.lru_cache(maxsize=2)
def draws(program, data, name, method):
    path, ids, label, features, given = load(data, name)
    found = []
    for train, asked in given:
        if method in (OURS, LOGISTIC):
            words = ("--method", "vectors") if method == LOGISTIC else ()
            found.append(run_wgdn(program, path, ids, label, train, asked, *words))
            continue
        if method in PEERS:
            found.append(run_peer(path, PEERS[method], label, train, asked))
            continue
        if method == SPREADING:
            found.append(run_spreading(path, label, train, asked))
            continue
        x = features if method == BOOSTED[0] else np.hstack((features, vectors(program, path, tuple(ids))))
        found.append(run_sklearn(HistGradientBoostingClassifier(random_state=0), x, label, train, asked))
    return found


def measure(program, data, data_set, method):
    if (method in BOOSTED and data_set not in ("Minesweeper", "Tolokers")) or (method == SPREADING and data_set in SEVERAL):
        return {}
    found = draws(program, data, data_set, method)
    values = {key: [f[key] for f in found] for key in found[0]}
    made = {key: (float(np.mean(v)), float(np.std(v, ddof=1))) if key in ("score", "ap") else float(np.mean(v))
            for key, v in values.items()}
    if method == OURS:
        other = draws(program, data, data_set, LOGISTIC)
        above = [a["score"] - b["score"] for a, b in zip(found, other)]
        made["above"] = float(np.mean(above)), float(np.std(above, ddof=1) / np.sqrt(len(above)))
    return made
