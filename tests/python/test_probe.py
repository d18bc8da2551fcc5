# SPDX-License-Identifier: Apache-2.0
"""The validation-selected accuracy of `wgdn eval` against scikit-learn's LogisticRegression on the same vectors and
splits; k-means, NMI, ARI against its own too.

With a weight decay both minimise the same loss, C = 1 / (l2 n), and must agree to a point. Without
one the probe is held back by nothing but its early stop, while the regression chooses its C on the
validation nodes: on these blobs that is worth a point, so two are allowed.

    test_probe.py <wgdn program>
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

try:
    from sklearn.cluster import KMeans
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score
except ImportError:
    print("skipped: no scikit-learn; set WGDN_PYTHON to a Python that has it")
    sys.exit(77)

N, WIDTH, CLASSES, DECAY = 10000, 32, 5, 0.02


def make(folder, seed):
    """Blobs that overlap, and a split of 10, 10 and 80 percent."""
    rng = np.random.default_rng(seed)
    label = rng.integers(CLASSES, size=N)
    x = (rng.normal(size=(N, WIDTH)) + 0.5 * rng.normal(size=(CLASSES, WIDTH))[label]).astype(np.float32)
    part = np.array(["train", "val"] + ["test"] * 8)[rng.permutation(N) % 10]
    np.save(folder / "x.npy", x)
    for name, column in (("y", label), ("s", part)):
        (folder / f"{name}.tsv").write_text("".join(f"{i}\t{v}\n" for i, v in enumerate(column)))
    (folder / "graph.tsv").write_text("".join(f"{i}\t{(i + 1) % N}\n" for i in range(N)))
    return x, label, part


def run(program, folder, *options):
    command = [program, "eval", folder / "x.npy", folder / "graph.tsv", "-y", folder / "y.tsv", "--splits",
               folder / "s.tsv", "--no-baselines", "--json", *options]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["results"][0]


def regression(x, label, part, penalties):
    """Test accuracy with the C that is best on the validation nodes."""
    best = (-1, 0)
    for c in penalties:
        model = LogisticRegression(C=c, max_iter=2000).fit(x[part == "train"], label[part == "train"])
        score = [model.score(x[part == p], label[part == p]) for p in ("val", "test")]
        if score[0] > best[0]:
            best = score
    return best[1]


def main():
    program = sys.argv[1]
    wrong = 0
    for seed in range(3):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            x, label, part = make(folder, seed)
            for l2, penalties, most in (
                (DECAY, [1 / (DECAY * np.sum(part == "train"))], 0.01),
                (0, 10.0 ** np.arange(-3, 4), 0.02),
            ):
                ours = run(program, folder, "--runs", "5", "--weight-decay", str(l2))["validation_selected_mean"]
                theirs = regression(x, label, part, penalties)
                print(f"seed {seed}: l2 {l2}: validation-selected {100 * ours:.2f}, scikit-learn {100 * theirs:.2f}")
                wrong += abs(ours - theirs) > most
            found = run(program, folder, "--task", "cluster", "--metric", "dot")
            parts = KMeans(CLASSES, n_init=10, random_state=0).fit(x).labels_
            nmi, ari = normalized_mutual_info_score(label, parts), adjusted_rand_score(label, parts)
            print(f"        NMI {found['nmi']:.4f} and {nmi:.4f}, ARI {found['ari']:.4f} and {ari:.4f}")
            wrong += abs(found["nmi"] - nmi) > 0.02 or abs(found["ari"] - ari) > 0.02
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
