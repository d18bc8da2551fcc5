# SPDX-License-Identifier: Apache-2.0
"""What a user sees and says while a model is trained."""
from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple, Optional


class Progress(NamedTuple):
    """Where a run stands, told after every epoch."""

    epoch: int  # epochs done
    epochs: int  # of so many
    loss: float  # of the last one
    seconds: float  # since the run began or was resumed
    first: int  # epochs that were done before that


Callback = Callable[[Progress], object]


def _open_bar(wanted: Optional[bool]) -> Any:
    """tqdm where it is installed and somebody looks: at a terminal or in a notebook."""
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
    """Keeps the losses, moves the bar, calls back."""

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
