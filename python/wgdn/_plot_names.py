# SPDX-License-Identifier: Apache-2.0
"""Names beside points, where they find room."""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._plot_draw import Look

SIZE = 8  # of letters, points
# Where a name may begin, in heights of a letter: near its point, then farther away.
PLACES = [(dx * far, dy * far) for far in (1.0, 2.2, 3.6, 5.2)
          for dx, dy in ((1, 0), (1, 0.9), (1, -0.9), (0, 1.1), (0, -1.1), (-1, 0), (-1, 0.9),
                         (-1, -0.9))]
MARK = 4  # radius of a point, nearly
NEAR = 8  # places that need no line


def _box(at: NDArray[Any], place: tuple[float, float], width: float) -> tuple[float, ...]:
    """Left, low, right, high of a name, in points of the page."""
    x, y = at + 0.9 * SIZE * np.array(place)
    x -= width if place[0] < 0 else width / 2 if place[0] == 0 else 0
    return x, y - 0.6 * SIZE, x + width, y + 0.6 * SIZE


def _cost(box: tuple[float, ...], taken: NDArray[Any], spots: NDArray[Any],
          frame: NDArray[Any]) -> int:
    """How many names and points it covers, and whether it leaves the frame."""
    covers = (taken[:, 0] < box[2]) & (taken[:, 2] > box[0]) & (taken[:, 1] < box[3]) \
        & (taken[:, 3] > box[1])
    inside = (spots[:, 0] > box[0] - MARK) & (spots[:, 0] < box[2] + MARK) \
        & (spots[:, 1] > box[1] - MARK / 2) & (spots[:, 1] < box[3] + MARK / 2)
    outside = bool(box[0] < frame[0] or box[2] > frame[2] or box[1] < frame[1] or box[3] > frame[3])
    return 3 * int(covers.sum()) + int(inside.sum()) + 2 * outside


def write_names(ax: Any, at: NDArray[np.float32], ids: NDArray[np.object_], look: Look) -> None:
    ax.figure.canvas.draw()  # places are known once the page is laid out
    spots = ax.transData.transform(at) * 72 / ax.figure.dpi
    frame = np.array(ax.get_window_extent().extents) * 72 / ax.figure.dpi
    taken = np.empty((0, 4))
    for i, name in enumerate(ids):
        text = str(name) if len(str(name)) <= 28 else f"{str(name)[:13]}...{str(name)[-12:]}"
        width = 0.62 * SIZE * len(text)
        costs = [_cost(_box(spots[i], place, width), taken, spots, frame) for place in PLACES]
        best = int(np.argmin(costs))
        box = _box(spots[i], PLACES[best], width)
        taken = np.vstack([taken, box])
        line = {"arrowstyle": "-", "color": look.faint, "linewidth": 0.6} if best >= NEAR else None
        ax.annotate(text, at[i], (box[0] - spots[i][0], box[1] + 0.6 * SIZE - spots[i][1]),
                    textcoords="offset points", fontsize=SIZE, color=look.ink, va="center",
                    zorder=5, arrowprops=line, annotation_clip=False)
