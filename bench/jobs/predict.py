# SPDX-License-Identifier: Apache-2.0
"""Prediction: labels of some nodes in, those of all others out, beside classifiers on the same vectors."""
import csv
import functools
import json
import subprocess
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import average_precision_score, roc_auc_score

NAME = "predict"
FILES = {"Cora": "cora/cora.npz", "CiteSeer": "citeseer/citeseer.npz",
         "Photo": "amazon_photo/amazon_electronics_photo.npz",
         "Computers": "amazon_computers/amazon_electronics_computers.npz", "CS": "coauthor_cs/ms_academic_cs.npz",
         "Physics": "coauthor_physics/ms_academic_phy.npz", "DBLP": "extra/dblp/*.npz", "Actor": "hetero/actor.npz",
         "Chameleon": "hetero/chameleon_filtered.npz", "Squirrel": "hetero/squirrel_filtered.npz",
         "Minesweeper": "hetero/minesweeper.npz", "Tolokers": "extra/tolokers/*.npz"}
SETS = tuple(FILES)
OURS, LOGISTIC = "wgdn predict", "logistic regression on the same vectors"
BOOSTED = ("gradient boosting on features", "gradient boosting on features and vectors")
METHODS = (OURS, LOGISTIC, *BOOSTED)
TEXT = """## Prediction

Labels of random 10 % of the nodes are given, or, for Actor, Chameleon, Squirrel, Minesweeper and Tolokers, those of the
published training and validation nodes; the labels of all other nodes, or of the published test nodes, are predicted.
Mean and standard deviation over three draws or published splits. The score is accuracy, or, with two classes, AUC, with
average precision (AP) beside it. ECE is the expected calibration error of the predicted class, in 15 bins. *Held out* is
the score that `wgdn predict` estimates from the given labels alone. Logistic regression is that of `--method vectors`, on
vectors of length 1, C of 1, 8, 64 and 512 chosen by five folds; gradient boosting is scikit-learn's
`HistGradientBoostingClassifier`. *Above logistic regression* is the mean difference in the score and its standard error
over draws.
"""
COLUMNS = (("score", "accuracy or AUC", 4), ("ap", "AP", 4), ("ece", "ECE", 3), ("held_out", "held out", 4),
           ("above", "above logistic regression", 4), ("seconds", "seconds", 1))
DRAWS, BINS = 3, 15


@functools.lru_cache(maxsize=1)
def load(data, name):
    """The path, ids, labels, features as a dense matrix or nothing, and (given, asked) nodes for each draw."""
    path = next(Path(data).glob(FILES[name]))
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


def scores(label, asked, p):
    """Score, AP and calibration error of probabilities of the nodes asked for."""
    truth, best = label[asked], p.argmax(1)
    right, sure = best == truth, p.max(1)
    bins = np.minimum((sure * BINS).astype(int), BINS - 1)
    ece = sum(abs(right[bins == b].sum() - sure[bins == b].sum()) for b in range(BINS)) / len(truth)
    if p.shape[1] != 2:
        return {"score": right.mean(), "ece": ece}
    rarer = int((label == 1).sum() <= (label == 0).sum())
    return {"score": roc_auc_score(truth == rarer, p[:, rarer]), "ece": ece,
            "ap": average_precision_score(truth == rarer, p[:, rarer])}


def run_wgdn(program, path, ids, label, given, asked, *words):
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/labels.csv", "w", newline="") as f:
            csv.writer(f).writerows([("id", "label"), *((ids[i], label[i]) for i in given)])
        begin = time.time()
        done = subprocess.run([program, "predict", "-q", path, "--labels", f"{folder}/labels.csv", "--json", "-o",
                               f"{folder}/p.npz", *words], check=True, capture_output=True, text=True)
        seconds = time.time() - begin
        with np.load(f"{folder}/p.npz") as found:
            place = {i: k for k, i in enumerate(found["id"])}
            columns = np.column_stack([found[f"p:{c}"] if f"p:{c}" in found.files else np.zeros(len(place))
                                       for c in range(label.max() + 1)])
    report = json.loads(done.stdout)
    found = scores(label, asked, columns[[place[ids[i]] for i in asked]])
    return {**found, "held_out": report.get("auc", report["accuracy"]), "seconds": seconds}


def run_sklearn(model, x, label, given, asked):
    begin = time.time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(x[given], label[given])
    p = np.zeros((len(asked), label.max() + 1))
    p[:, model.classes_] = model.predict_proba(x[asked])
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
        x = features if method == BOOSTED[0] else np.hstack((features, vectors(program, path, tuple(ids))))
        found.append(run_sklearn(HistGradientBoostingClassifier(random_state=0), x, label, train, asked))
    return found


def measure(program, data, data_set, method):
    if method in BOOSTED and data_set not in ("Minesweeper", "Tolokers"):
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
