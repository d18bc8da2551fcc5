# SPDX-License-Identifier: Apache-2.0
"""Progress bar and callback of a training run."""
from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple, Optional


class Progress(NamedTuple):
    """State of a run, passed to the callback after every epoch."""

    epoch: int  # epochs completed
    epochs: int  # total number of epochs
    loss: float  # of the last epoch
    seconds: float  # since the run started or resumed
    first: int  # epochs completed before that


Callback = Callable[[Progress], object]


def _open_bar(wanted: Optional[bool]) -> Any:
    """tqdm, if it is installed, at a terminal or in a notebook."""
    if wanted is None:
        wanted = sys.stderr is not None and sys.stderr.isatty() or "ipykernel" in sys.modules
    if not wanted:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a notebook without widgets gets a bar of text
            from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(unit="epoch", desc="wgdn")


class Watcher:
    """Records the losses, updates the bar, calls the callback."""

    def __init__(self, callback: Optional[Callback], bar: Optional[bool]) -> None:
        self.losses: list[float] = []
        self.first = 0
        self._callback = callback
        self._bar = _open_bar(bar)

    def __call__(self, epoch: int, epochs: int, loss: float, seconds: float, first: int) -> object:
        self.losses.append(loss)
        self.first = first
        if self._bar is not None:
            self._bar.total = epochs
            self._bar.set_postfix(loss=f"{loss:.5g}", refresh=False)
            self._bar.update(epoch - self._bar.n)
        if self._callback is not None:
            return self._callback(Progress(epoch, epochs, loss, seconds, first))
        return None

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
