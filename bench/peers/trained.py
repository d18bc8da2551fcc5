# SPDX-License-Identifier: Apache-2.0
"""The autoencoder of the paper, with its preset for the set if there is one: `wgdn train`, then `wgdn embed`.

The program is build/release/cli/wgdn, or what WGDN names. It reads the file by itself.
"""
import os
import pathlib
import subprocess
import tempfile

import numpy as np

import sets

PRESETS = {"Cora": "cora", "CiteSeer": "citeseer", "Photo": "photo", "Computers": "computers",
           "CS": "cs", "Physics": "physics"}
PROGRAM = os.environ.get("WGDN") or str(
    pathlib.Path(__file__).resolve().parents[2] / "build/release/cli/wgdn")


def version():
    return subprocess.run([PROGRAM, "--version"], check=True, capture_output=True,
                          text=True).stdout.splitlines()[0]


def embed(data, dim, threads, seed):
    """The preset, or the default, says how many dimensions."""
    file = str(sets.path(sets.SETS[data.name].file))
    with tempfile.TemporaryDirectory() as folder:
        model, vectors = f"{folder}/model", f"{folder}/vectors.npz"
        preset = ["--preset", PRESETS[data.name]] if data.name in PRESETS else []
        for words in (["train", file, *preset, "--seed", str(seed), "-o", model],
                      ["embed", model, file, "-o", vectors]):
            subprocess.run([PROGRAM, *words, "--threads", str(threads), "--quiet"], check=True)
        with np.load(vectors) as z:
            row = {name: i for i, name in enumerate(z["ids"].astype(str))} if "ids" in z.files else None
            found = z["embedding"]
    return found if row is None else found[[row[name] for name in data.ids]]
