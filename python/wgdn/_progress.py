# SPDX-License-Identifier: Apache-2.0
"""Progress bars of long calls, and the callback of a training run."""
from __future__ import annotations

import sys
import threading
import time
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


def _is_watched() -> bool:
    """Whether somebody sees a bar: at a terminal or in a notebook."""
    return sys.stderr is not None and sys.stderr.isatty() or "ipykernel" in sys.modules


def _open_bar(wanted: Optional[bool], **details: Any) -> Any:
    """tqdm, if it is installed and a bar is wanted; None: where one is seen."""
    if not (_is_watched() if wanted is None else wanted):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a notebook without widgets gets a bar of text
            from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(**details)


class _Plain:
    """A line with the seconds so far, where tqdm is not installed."""

    def __init__(self, what: str) -> None:
        self.total: Optional[int] = None
        self.n = 0
        self._what = what
        self._start = time.monotonic() - PATIENCE

    def refresh(self) -> None:
        share = f" {100 * self.n // self.total} %," if self.total else ""
        sys.stderr.write(f"\rwgdn {self._what}:{share} {time.monotonic() - self._start:.0f} s ")
        sys.stderr.flush()

    def close(self) -> None:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


PATIENCE = 2.0  # seconds that calls of the library take before core/errors.c calls show()
_shown = threading.local()  # .bar: of the call that the thread is in; None where nobody sees one


def show(what: str, done: int, total: int) -> None:
    """Called by the extension module up to 20 times a second in a call that takes longer than two seconds."""
    if not hasattr(_shown, "bar"):
        _shown.bar = None
        if _is_watched():
            bar: Any = _open_bar(True, desc=f"wgdn {what}", leave=False) or _Plain(what)
            if hasattr(bar, "start_t"):
                bar.start_t -= PATIENCE
            _shown.bar = bar
    if _shown.bar is not None:
        _shown.bar.total = total or None
        _shown.bar.n = done
        _shown.bar.refresh()


def hide() -> None:
    """The call has ended."""
    bar = _shown.__dict__.pop("bar", None)
    if bar is not None:
        bar.close()


class Watcher:
    """Records the losses, updates the bar, calls the callback."""

    def __init__(self, callback: Optional[Callback], bar: Optional[bool]) -> None:
        self.losses: list[float] = []
        self.first = 0
        self._callback = callback
        self._bar = _open_bar(bar, unit="epoch", desc="wgdn")

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
