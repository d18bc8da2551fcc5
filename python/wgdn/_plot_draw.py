# SPDX-License-Identifier: Apache-2.0
"""Colours, marks, axes and legend of the pictures; the colours are those of the program."""
from __future__ import annotations

from typing import Any

from ._errors import PackageError

DISTINCT = 20  # classes that have a colour of their own
PLAIN = 8  # the first of them do without a mark
MARKS = ("s", "^", "D", "P")
DASHES = ("-", (0, (1, 1.5)), (0, (5, 1.5, 1, 1.5)))

# On white, then on dark. The first eight can be told apart without red and green.
_PALETTE = (
    ("0073b3 e69e00 009e73 d65e00 57b5e8 cc78a6 332187 999933 d900bf 00d973 cc1a4d 6633ff "
     "805900 8c80ff 0000d9 00734d 664d73 800da6 593300 730040").split(),
    ("338cf2 f2a61a 0db380 eb5c1f 80d9ff f28ccc 855cf2 ede659 ff40cc 00e680 d90059 a6a6ff "
     "a64000 f2bfbf 591aff 8c4099 8cffcc bf00cc 0066b3 bf66a6").split(),
)


class Look:
    """Colours on white or on dark."""

    def __init__(self, dark: bool) -> None:
        self.paper = "#1c1c1c" if dark else "white"
        self.ink = "#dedede" if dark else "#262626"
        self.faint = "#9a9a9a" if dark else "#666666"
        self.grid = "#3a3a3a" if dark else "#e6e6e6"
        self.grey = "#666666" if dark else "#b8b8b8"  # no label; energy
        self.rest = "#949494" if dark else "#808080"  # classes that share a colour
        self._palette = _PALETTE[dark]

    def colour(self, i: int) -> str:
        return "#" + self._palette[i % DISTINCT]

    def mark(self, i: int) -> str:
        i %= DISTINCT
        return "o" if i < PLAIN else MARKS[(i - PLAIN) % len(MARKS)]

    def dash(self, i: int) -> Any:
        return DASHES[i % DISTINCT // PLAIN]

    def dress(self, ax: Any) -> None:
        """Colours of the frame."""
        ax.set_facecolor(self.paper)
        ax.tick_params(colors=self.faint, labelsize=9)
        for part in (ax.xaxis.label, ax.yaxis.label):
            part.set_color(self.ink)
        for spine in ax.spines.values():
            spine.set_color(self.grid)


def open_axes(ax: Any, look: Look, size: tuple[float, float]) -> Any:
    """The given axes, or those of a new figure."""
    if ax is None:
        try:
            from matplotlib import pyplot
        except ImportError:
            raise PackageError("pictures need matplotlib: pip install matplotlib; without it, the "
                               "program draws them: wgdn plot") from None
        figure, ax = pyplot.subplots(figsize=size, layout="constrained", dpi=110,
                                     facecolor=look.paper)
        engine: Any = figure.get_layout_engine()
        engine.set(w_pad=0.12, h_pad=0.12)
    look.dress(ax)
    return ax


def add_legend(ax: Any, look: Look, *more: Any) -> None:
    """What the colours mean, in a column on the right; letters get smaller before it is too long."""
    lines: list[tuple[Any, Any]] = []
    for part in (ax, *more):
        lines += list(zip(*part.get_legend_handles_labels()))
    if not lines:
        return
    size = 9 if len(lines) <= 22 else 7.5
    legend = ax.legend(*zip(*lines), loc="upper left", bbox_to_anchor=(1.08 if more else 1.01, 1),
                       frameon=False, fontsize=size, labelcolor=look.ink, borderaxespad=0,
                       handletextpad=0.5)
    for handle in legend.legend_handles:
        if hasattr(handle, "set_sizes"):
            handle.set_sizes([30])  # of points, however small they are


def finish(ax: Any, look: Look, title: str, under: str, *more: Any) -> None:
    """Title, a line beneath it, grid and legend."""
    ax.set_title(title, loc="left", color=look.ink, fontsize=13, fontweight="bold", pad=24)
    ax.annotate(under, (0, 1), (0, 8), xycoords="axes fraction", textcoords="offset points",
                color=look.faint, fontsize=9.5, annotation_clip=False)
    if ax.get_xlabel() or ax.get_ylabel():
        ax.grid(True, color=look.grid, linewidth=0.7)
        ax.set_axisbelow(True)
    for part in (ax, *more):
        look.dress(part)
    add_legend(ax, look, *more)
