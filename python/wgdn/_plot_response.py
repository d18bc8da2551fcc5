# SPDX-License-Identifier: Apache-2.0
"""A kernel and its Wiener responses, and the spectral energy of what they are applied to."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _core, _options
from ._base import Estimator
from ._build import dataset
from ._dataset import Dataset
from ._errors import ArgumentError, InvalidError
from ._plot_points import embed_for

BINS = 50  # of the eigenvalues between 0 and 2
SLAB = 128  # columns at a time where the features are sparse
AVERAGES = ("row", "column")  # in the order of wgdn_average


class Response(NamedTuple):
    kernel: str
    of: str  # "features" or "embeddings"
    edges: NDArray[np.float64]  # of the bins
    share: NDArray[np.float64]  # per cent of the energy in each
    signal: float
    noise: float
    orders: tuple[int, int]  # of encoder and decoder
    at: NDArray[np.float64]
    curves: list[tuple[str, list[float], list[float]]]  # name, exact, polynomial


def _slabs(d: Dataset) -> Iterator[NDArray[np.float32]]:
    """The features, some columns at a time if they are sparse."""
    facts = d.counts
    if facts["dense"]:
        out = np.empty((d.nodes, d.n_features), np.float32)
        _core.dataset_dense(d._handle, out)
        yield out
        return
    offset, column = np.empty(d.nodes + 1, np.int64), np.empty(facts["entries"], np.int32)
    value = np.empty(facts["entries"], np.float32)
    _core.dataset_sparse(d._handle, offset, column, value)
    row = np.repeat(np.arange(d.nodes), np.diff(offset))
    for first in range(0, d.n_features, SLAB):
        here = (column >= first) & (column < first + SLAB)
        slab = np.zeros((d.nodes, min(SLAB, d.n_features - first)), np.float32)
        slab[row[here], column[here] - first] = value[here]
        yield slab


def _bins(density: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shares of the energy; the density is given at places even in the angle arccos(1 - lambda)."""
    angle = np.pi * (np.arange(len(density)) + 0.5) / len(density)
    place = np.minimum((1 - np.cos(angle)) * BINS / 2, BINS - 1).astype(int)
    weight = density * np.sin(angle)
    part = np.bincount(place, weights=weight, minlength=BINS)
    return np.asarray(100 * np.maximum(part, 0) / weight.sum())


def _gammas(text: str) -> list[float]:
    return [float(word) for word in text.split(",")]


def find_response(vectors: Any, data: Any, options: dict[str, Any]) -> Response:
    if isinstance(vectors, Estimator):
        if vectors._kind != "trained":
            raise InvalidError("a FilterEmbedding has no decoder whose response could be shown")
        if options:
            raise ArgumentError(f"a model has options of its own: {', '.join(options)} cannot be given")
        x, d, graphs = embed_for(vectors, data)
        if graphs:
            x = np.empty((d.nodes, x.shape[1]), np.float32)
            _core.model_embed(vectors._model, d._handle, x, int(vectors.threads), False)
        slabs, of, texts = iter([x]), "embeddings", vectors._option_texts()
    else:
        d = dataset(vectors if data is None else data)
        if not d.n_features:
            raise InvalidError("the dataset has no features whose energy could be shown; a model of "
                               "it has embeddings: plot_response(model, data)")
        slabs, of, texts = _slabs(d), "features", _options.texts(_options.TRAIN, options)
    whole = {name: texts.get(name, str(_options.TRAIN[name].default))
             for name in ("kernel", "gamma", "average", "threads")}
    density, signal, noise = np.zeros(0), 0.0, 0.0
    for slab in slabs:
        part, more, less = _core.energy(d._handle, slab, slab.shape[1],
                                        AVERAGES.index(whole["average"]), int(whole["threads"]))
        density = np.asarray(part) + (density if density.size else 0)
        signal, noise = signal + more, noise + less
    if not signal > 0:
        raise InvalidError(f"all values of the {of} are zero, so there is no energy to show")
    orders = _core.train_orders(d._handle, texts)
    curves = [("kernel g", *_core.response(whole["kernel"], -1.0, orders[0]))]
    for gamma in _gammas(whole["gamma"]):
        curves.append((f"Wiener, gamma {gamma:g}",
                       *_core.response(whole["kernel"], noise / (gamma * signal), orders[1])))
    return Response(whole["kernel"], of, np.linspace(0, 2, BINS + 1), _bins(density), signal, noise,
                    orders, np.linspace(0, 2, len(curves[0][1])), curves)
