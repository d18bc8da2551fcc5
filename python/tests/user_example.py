# SPDX-License-Identifier: Apache-2.0
"""What a user writes; mypy --strict must find nothing in it, pytest runs it."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import wgdn


def stop_early(progress: wgdn.Progress) -> bool:
    return progress.loss < 1e-9 and progress.epoch > 10


def embed(X: NDArray[np.float32], sources: list[int], targets: list[int]) -> NDArray[np.float32]:
    model = wgdn.WGDN(dim=8, epochs=5, kernel="ppr:alpha=0.1", gamma=(0.1, 1.0), skip="sum",
                      callback=stop_early)
    vectors = model.fit_transform(X, graph=(sources, targets))
    beta: float = model.beta
    names: list[str] = sorted(model.get_params())
    assert beta >= 0 and "kernel" in names
    return vectors


def in_closed_form(X: NDArray[np.float32]) -> wgdn.Embedding:
    model = wgdn.FilterEmbedding(dim=8, features="both", scale="auto").fit(X, graph=([0, 1], [1, 2]))
    parts: list[str] = [part["name"] for part in model.parts_]
    best: float = max(model.scales_.values(), default=0.0)
    assert parts and best <= 1
    return wgdn.embed(([0, 1, 2], [1, 2, 3]), X, dim=8, scale=None, random_state=2)


def neighbors(e: wgdn.Embedding) -> list[str]:
    found = wgdn.similar(e, "b", k=2, metric="dot")
    return [str(name) for name in found.ids[0]]


def main() -> None:
    X = np.eye(4, dtype=np.float32)
    vectors = embed(X, [0, 1, 2], [1, 2, 3])
    print(neighbors(wgdn.Embedding(vectors, ["a", "b", "c", "d"])))
    print(in_closed_form(X).shape)
    restored = wgdn.restore(([0, 1, 2], [1, 2, 3]), X, kernel="heat", mode="resolved")
    memory: int = wgdn.estimate(([0, 1], [1, 2]), X, dim=8)["train"]["total_bytes"]
    print(restored.shape, memory)
    try:
        wgdn.read("nowhere.tsv")
    except wgdn.FileError as error:
        print(error)


if __name__ == "__main__":
    main()
