# SPDX-License-Identifier: Apache-2.0
"""Losses of training runs: of an estimator, a list, or a log of the program."""
from __future__ import annotations

import json
import os
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._errors import InvalidError


class Run(NamedTuple):
    name: str
    epoch: NDArray[np.float64]
    loss: NDArray[np.float64]


def _read_log(path: Any) -> tuple[list[float], list[float]]:
    """epoch, loss, seconds: as CSV or as lines of JSON."""
    epoch, loss = [], []
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            if line.startswith("epoch,") or not line.strip():
                continue
            try:
                row = json.loads(line) if line.startswith("{") else \
                    dict(zip(("epoch", "loss"), map(float, line.split(",")[:2])))
                epoch.append(float(row["epoch"]))
                loss.append(float(row["loss"]))
            except (ValueError, KeyError, TypeError):
                raise InvalidError(f"{os.fsdecode(path)}: line {number}: expected epoch, loss and "
                                   "seconds, as 'wgdn train --log' writes them") from None
    return epoch, loss


def read_run(run: Any, place: int) -> Run:
    """The run at a place among several, by which it is named if it has no name."""
    name, first = f"run {place + 1}", 0
    if isinstance(run, (str, os.PathLike)):
        epoch, loss = _read_log(run)
        name = os.path.basename(os.fspath(run))
    elif hasattr(run, "loss_curve_"):
        loss = run.loss_curve_
        first = run.n_iter_ - len(loss)  # of a run that was resumed
        epoch = []
    else:
        epoch, loss = [], run
    y = np.asarray(loss, dtype=np.float64)
    if y.ndim != 1 or y.size == 0:
        raise InvalidError(f"{name}: no losses in it; a WGDN has them after fit(), a model that was "
                           "loaded has none")
    x = np.asarray(epoch, dtype=np.float64) if epoch else first + 1 + np.arange(len(y), dtype=float)
    return Run(name, x, y)
