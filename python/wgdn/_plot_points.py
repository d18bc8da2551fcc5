# SPDX-License-Identifier: Apache-2.0
"""The points of a 2-D projection, class after class."""
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from . import _core, _options
from ._base import Estimator
from ._build import dataset
from ._dataset import Dataset
from ._embedding import Embedding
from ._errors import InvalidError
from ._features import read_features
from ._plot_draw import DISTINCT, Look

# Of numbers, from low to high: viridis less its lightest end.
SHADES = ("440154 482475 414487 355f8d 2a788e 21918c 22a884 44bf70 7ad151 bddf26").split()
LAYERS = 8  # so that no class lies on top of all others


@dataclass
class Points:
    at: NDArray[np.float32]  # a row for each
    label: Optional[NDArray[np.int32]]  # class of each, -1 for none
    classes: list[str]
    value: Optional[NDArray[np.float64]]  # of each, NaN for none, where labels are numbers
    ids: Optional[NDArray[np.object_]]
    of: int  # vectors there are
    dim: int
    what: str  # "nodes" or "graphs"
    projection: str
    perplexity: float
    kl: float
    share: tuple[float, float]

    def sentence(self) -> str:
        count = len(self.at)
        text = f"{count}" + (f" of {self.of}" if count < self.of else "") + f" {self.what}"
        if self.classes and self.value is None:
            text += f" in {len(self.classes)} class{'' if len(self.classes) == 1 else 'es'}"
        text += f", {self.dim} dimensions"
        if self.projection == "tsne":
            text += f"; perplexity {self.perplexity:g}, divergence {self.kl:.3g}"
        return text


def embed_for(model: Any, data: Any) -> tuple[NDArray[np.float32], Dataset, bool]:
    """A model's vectors, the dataset, and whether they are of graphs."""
    model._check_fitted()
    if data is None and model.graph is None:
        raise InvalidError("data = None: a model embeds a dataset; pass it")
    d = dataset(model.graph if data is None else data)
    return model._embed(d), d, model._pools(d)


def _name(name: Any) -> str:
    """A class by its name, or by its number."""
    text = str(name)
    if text.lstrip("-").isdigit():
        return f"class {text}"
    return text if len(text) <= 48 else f"{text[:23]}...{text[-22:]}"


def _natural(name: str) -> list[Any]:
    """A key that puts "class 2" before "class 10"."""
    return [(1, int(part), "") if part.isdigit() else (0, 0, part)
            for part in re.split(r"(\d+)", name) if part]


def _labels(data: Any, count: int) -> tuple[Optional[Dataset], Any]:
    """Labels as a dataset, and the ids."""
    if data is None:
        return None, None
    if not isinstance(data, (str, bytes, Dataset)) and np.ndim(data) == 1 \
            and not isinstance(data, tuple):
        data = dataset(y=list(data), nodes=count)  # also a Series
    d = dataset(data)
    if d.nodes != count:
        raise InvalidError(f"{count} vectors for {d.nodes} nodes")
    return d, d.ids


def _values(d: Optional[Dataset]) -> Optional[NDArray[np.float64]]:
    """The labels, if they are numbers to be read off a scale."""
    if d is None or d.labels is None or d.classes is None or not d._facts["numeric_labels"]:
        return None
    values = np.append(np.asarray(d.classes, dtype=float), np.nan)
    return values[d.labels]


def find_points(vectors: Any, data: Any, points: int, texts: dict[str, str]) -> Points:
    what, ids = "nodes", None
    x: Optional[NDArray[np.float32]]
    if isinstance(vectors, Estimator):
        x, d, graphs = embed_for(vectors, data)
        what = "graphs" if graphs else what
        data = dataset(y=d.graph_labels, nodes=d.graphs) if graphs else d
    else:
        x = vectors.values if isinstance(vectors, Embedding) else read_features(vectors).dense
        ids = vectors.ids if isinstance(vectors, Embedding) else None
    if x is None or not len(x):
        raise InvalidError("vectors: expected a dense 2-D array")
    labelled, names = _labels(data, len(x))
    label = None if labelled is None else labelled.labels
    named = None if labelled is None else labelled.classes
    classes = [] if named is None else [_name(c) for c in named]
    value = _values(labelled)
    ids = names if ids is None else ids
    count = min(len(x), points)
    rows = np.arange(count, dtype=np.int64) * len(x) // count  # evenly, as the program takes them
    sample = np.ascontiguousarray(x[rows] if count < len(x) else x, dtype=np.float32)
    at = np.empty((count, 2), np.float32)
    kl, first, second = _core.project(at, sample, x.shape[1], texts)
    chosen = {n: texts.get(n, str(_options.PROJECTION[n].default))
              for n in ("projection", "perplexity")}
    return Points(at, None if label is None else label[rows], classes,
                  None if value is None else value[rows], None if ids is None else ids[rows],
                  len(x), x.shape[1], what,
                  chosen["projection"], float(chosen["perplexity"]), kl, (first, second))


@dataclass
class Series:
    rows: NDArray[np.int64]
    name: Optional[str]
    colour: str
    mark: str


def make_series(p: Points, look: Look) -> list[Series]:
    """What has no label, then the classes that share a grey, then the others."""
    every = np.arange(len(p.at))
    if p.label is None:
        return [Series(every, None, look.colour(0), "o")]
    label = p.label
    count = np.bincount(label[label >= 0], minlength=len(p.classes))
    numbers = all(re.fullmatch(r"[-+]?[\d.]+|class [-+]\d+", name) for name in p.classes)
    named = sorted(range(len(count)), key=lambda k: (_natural(p.classes[k]), k))
    place = {k: k if numbers else i for i, k in enumerate(named)}
    order = sorted(range(len(count)), key=lambda k: (-int(count[k]), place[k]))
    own = sorted(order[:DISTINCT], key=lambda k: place[k])
    rest = [k for k in order[DISTINCT:] if count[k]]
    series = []
    if (label < 0).any():
        rows = every[label < 0]
        series.append(Series(rows, f"no label ({len(rows)})", look.grey, "o"))
    if rest:
        rows = every[np.isin(label, rest)]
        series.append(Series(rows, f"{len(rest)} more ({len(rows)})", look.rest, "o"))
    for i, k in enumerate(own):
        if count[k]:
            series.append(Series(every[label == k], f"{p.classes[k]} ({count[k]})", look.colour(i),
                                 look.mark(i)))
    return series


def _draw_values(ax: Any, p: Points, look: Look, radius: float) -> None:
    """Shades and a color bar; the outermost hundredth at either end does not stretch the scale."""
    from matplotlib.colors import LinearSegmentedColormap, to_rgb

    assert p.value is not None
    known = np.isfinite(p.value)
    low, high = np.percentile(p.value[known], (1, 99))
    shades = LinearSegmentedColormap.from_list("wgdn", [to_rgb("#" + s) for s in SHADES])
    size = (2 * radius) ** 2
    if not known.all():
        ax.scatter(*p.at[~known].T, s=size, color=look.grey, linewidths=0, zorder=1,
                   label=f"no label ({int((~known).sum())})")
    drawn = ax.scatter(*p.at[known].T, s=size, c=p.value[known], cmap=shades, vmin=low, vmax=high,
                       linewidths=0, zorder=3)
    bar = ax.figure.colorbar(drawn, ax=ax, shrink=0.5, anchor=(0, 0.0 if not known.all() else 1.0),
                             aspect=16, pad=0.02)
    bar.outline.set_visible(False)
    bar.ax.tick_params(colors=look.ink, labelsize=9)


def draw_points(ax: Any, p: Points, look: Look) -> None:
    width, height = ax.get_window_extent().size / ax.figure.dpi * 72
    radius = min(max((width * height / (28 * len(p.at))) ** 0.5, 1.1), 5.0)
    if p.value is not None:
        _draw_values(ax, p, look, radius)
        ax.set_aspect("equal", adjustable="datalim")
        ax.set_xticks([])
        ax.set_yticks([])
        return
    series = make_series(p, look)
    for layer in range(LAYERS):
        for s in series:
            rows = s.rows[layer::LAYERS]
            if len(rows):
                ax.scatter(*p.at[rows].T, s=(2 * radius) ** 2, color=s.colour, marker=s.mark,
                           linewidths=0, zorder=1 if s.colour in (look.rest, look.grey) else 3)
    order = {look.rest: 1, look.grey: 2}  # of the legend: after the classes
    for s in sorted(series, key=lambda s: order.get(s.colour, 0)):
        if s.name is not None:
            ax.scatter([], [], color=s.colour, marker=s.mark, linewidths=0, label=s.name)
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_xticks([])
    ax.set_yticks([])
