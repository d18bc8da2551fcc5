# SPDX-License-Identifier: Apache-2.0
"""
Pictures with matplotlib of the same numbers as `wgdn plot` draws: a 2-D projection, losses, responses. matplotlib is
imported when a picture is drawn.
"""
from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Optional, cast

import numpy as np
from numpy.typing import NDArray

from . import _core, _options
from ._embedding import Embedding
from ._errors import ArgumentError, InvalidError, PackageError, old_names, own_errors
from ._estimators import Estimator
from ._features import read_features
from ._graph import Graph, as_graph
from ._tasks import labeled

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._keywords import ProjectionKeywords, TrainKeywords

NAMES_MAX = 60  # points that have their ids beside them

# ---- colors, marks, axes and legend ----

DISTINCT = 20  # classes that have a color of their own
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
    """Colors on white or on dark."""

    def __init__(self, dark: bool) -> None:
        self.paper = "#1c1c1c" if dark else "white"
        self.ink = "#dedede" if dark else "#262626"
        self.faint = "#9a9a9a" if dark else "#666666"
        self.grid = "#3a3a3a" if dark else "#e6e6e6"
        self.grey = "#666666" if dark else "#b8b8b8"  # no label; energy
        self.rest = "#949494" if dark else "#808080"  # classes that share a color
        self._palette = _PALETTE[dark]

    def color(self, i: int) -> str:
        return "#" + self._palette[i % DISTINCT]

    def mark(self, i: int) -> str:
        i %= DISTINCT
        return "o" if i < PLAIN else MARKS[(i - PLAIN) % len(MARKS)]

    def dash(self, i: int) -> Any:
        return DASHES[i % DISTINCT // PLAIN]

    def dress(self, ax: Any) -> None:
        """Colors of the frame."""
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
    """What the colors mean, in a column on the right; letters get smaller before it is too long."""
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


# ---- names beside points, where they find room ----

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


# ---- the points of a projection, class after class ----

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


def embed_for(model: Any, data: Any) -> tuple[NDArray[np.float32], Graph, bool]:
    """A model's vectors, the dataset, and whether they are of graphs."""
    model._check_fitted()
    if data is None and model.graph is None:
        raise InvalidError("graph = None: a model embeds a graph; pass it")
    d = as_graph(model.graph if data is None else data)
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


def _labels(data: Any, vectors: Any, count: int) -> tuple[Optional[Graph], Any]:
    """Labels as a graph, and the ids."""
    if data is None:
        return None, None
    d = labeled(data, vectors, count)
    if d.nodes != count:
        raise InvalidError(f"{count} vectors for {d.nodes} nodes")
    return d, d.ids


def _values(d: Optional[Graph]) -> Optional[NDArray[np.float64]]:
    """The labels, if they are numbers to be read off a scale."""
    if d is None or d.y is None or d.classes is None or not d._facts["numeric_labels"]:
        return None
    values = np.append(np.asarray(d.classes, dtype=float), np.nan)
    return values[d.y]


def find_points(vectors: Any, data: Any, points: int, texts: dict[str, str]) -> Points:
    what, ids = "nodes", None
    x: Optional[NDArray[np.float32]]
    if isinstance(vectors, Estimator):
        x, d, graphs = embed_for(vectors, data)
        what = "graphs" if graphs else what
        data = Graph(y=d.graph_labels, nodes=d.graphs) if graphs else d
    else:
        x = vectors.values if isinstance(vectors, Embedding) else read_features(vectors).dense
        ids = vectors.ids if isinstance(vectors, Embedding) else None
    if x is None or not len(x):
        raise InvalidError("vectors: expected a dense 2-D array")
    known, names = _labels(data, vectors, len(x))
    label = None if known is None else known.y
    named = None if known is None else known.classes
    classes = [] if named is None else [_name(c) for c in named]
    value = _values(known)
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
    color: str
    mark: str


def make_series(p: Points, look: Look) -> list[Series]:
    """What has no label, then the classes that share a gray, then the others."""
    every = np.arange(len(p.at))
    if p.label is None:
        return [Series(every, None, look.color(0), "o")]
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
            series.append(Series(every[label == k], f"{p.classes[k]} ({count[k]})", look.color(i),
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
                ax.scatter(*p.at[rows].T, s=(2 * radius) ** 2, color=s.color, marker=s.mark,
                           linewidths=0, zorder=1 if s.color in (look.rest, look.grey) else 3)
    order = {look.rest: 1, look.grey: 2}  # of the legend: after the classes
    for s in sorted(series, key=lambda s: order.get(s.color, 0)):
        if s.name is not None:
            ax.scatter([], [], color=s.color, marker=s.mark, linewidths=0, label=s.name)
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_xticks([])
    ax.set_yticks([])


# ---- losses ----

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


# ---- a kernel and its Wiener responses ----

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


def _slabs(d: Graph) -> Iterator[NDArray[np.float32]]:
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
        d = as_graph(vectors if data is None else data)
        if not d.n_features:
            raise InvalidError("the graph has no features whose energy could be shown; a model of "
                               "it has embeddings: plot_response(model, graph)")
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
        raise InvalidError(f"all values of the {of} are zero, so there is no spectral energy to show")
    orders = _core.train_orders(d._handle, texts)
    curves = [("kernel g", *_core.response(whole["kernel"], -1.0, orders[0]))]
    for gamma in _gammas(whole["gamma"]):
        curves.append((f"Wiener, gamma {gamma:g}",
                       *_core.response(whole["kernel"], noise / (gamma * signal), orders[1])))
    return Response(whole["kernel"], of, np.linspace(0, 2, BINS + 1), _bins(density), signal, noise,
                    orders, np.linspace(0, 2, len(curves[0][1])), curves)


# ---- the pictures ----

@own_errors
@old_names(data="color")
def plot_map(vectors: Any, color: Any = None, *, points: int = 20000, title: Optional[str] = None,
             dark: bool = False, ax: Any = None, **options: Unpack[ProjectionKeywords]) -> Any:
    """
    Embeddings as points in two dimensions, colored by label.

    Twenty classes have a color each, from the ninth on with a mark of its own; of more, the twenty
    largest. Up to 60 points have their ids beside them.

    Parameters
    ----------
    vectors : array, Embedding or fitted WGDN or FilterEmbedding, which then embeds the data
    color : labels, as an array in the order of the rows or a pandas Series by id; or a graph with labels; None: no
        colors. A model embeds this graph
    points : maximum number of points; larger embeddings are subsampled evenly
    title : of the picture
    dark : whether to draw light on dark
    ax : matplotlib's Axes to draw to; None makes a figure

    Returns
    -------
    The Axes; ``.figure.savefig("map.png")`` writes the picture.
    """
    if points < 1:
        raise InvalidError(f"points = {points}: expected at least 1")
    texts = _options.texts(_options.PROJECTION, cast("dict[str, Any]", options))
    found = find_points(vectors, color, points, texts)
    look = Look(dark)
    ax = open_axes(ax, look, (9, 6.8))
    draw_points(ax, found, look)
    tsne = found.projection == "tsne"
    if not tsne:
        ax.set_xlabel(f"first component, {100 * found.share[0]:.1f} % of the variance")
        ax.set_ylabel(f"second component, {100 * found.share[1]:.1f} % of the variance")
    finish(ax, look, title or f"{'t-SNE' if tsne else 'PCA'} projection", found.sentence())
    if found.ids is not None and len(found.at) <= NAMES_MAX:
        write_names(ax, found.at, found.ids, look)
    return ax


@own_errors
def plot_curve(*runs: Any, names: Optional[Sequence[str]] = None, title: Optional[str] = None,
               dark: bool = False, ax: Any = None) -> Any:
    """
    The loss of training runs over the epochs, with a logarithmic axis where losses span much.

    Parameters
    ----------
    runs : fitted WGDN, a sequence of losses, or a log that `wgdn train --log` wrote, each; or one
        dictionary of names and runs
    names : of the runs, for the legend
    title, dark, ax : as in :func:`plot_map`

    Returns
    -------
    The Axes
    """
    if len(runs) == 1 and isinstance(runs[0], Mapping):
        names, runs = [str(name) for name in runs[0]], tuple(runs[0].values())
    if not runs:
        raise InvalidError("runs: pass a fitted WGDN, its losses or a log")
    if names is not None and len(names) != len(runs):
        raise InvalidError(f"{len(names)} names for {len(runs)} runs")
    curves = [read_run(run, i) for i, run in enumerate(runs)]
    if names is not None:
        curves = [Run(name, curve.epoch, curve.loss) for name, curve in zip(names, curves)]
    look = Look(dark)
    ax = open_axes(ax, look, (9, 6))
    for i, curve in enumerate(curves):
        few = len(curve.loss) < 20
        ax.plot(curve.epoch, curve.loss, color=look.color(i), linestyle=look.dash(i),
                label=curve.name if len(curves) > 1 else None, linewidth=1.8,
                marker="o" if few else None, markersize=4, zorder=3)
    losses = np.concatenate([curve.loss for curve in curves])
    losses = losses[np.isfinite(losses)]
    if losses.size and losses.min() > 0 and losses.max() > 30 * losses.min():
        ax.set_yscale("log")
    ax.set_xlabel("epoch")
    ax.set_ylabel("loss")
    last = curves[0]
    name = "" if last.name == "run 1" else f"{last.name}: "
    under = f"{len(curves)} runs" if len(curves) > 1 else \
        f"{name}loss {last.loss[-1]:.5g} after {last.epoch[-1]:.0f} epochs"
    finish(ax, look, title or "Training loss", under)
    return ax


@own_errors
@old_names(data="graph")
def plot_response(vectors: Any, graph: Any = None, *, title: Optional[str] = None,
                  dark: bool = False, ax: Any = None, **options: Unpack[TrainKeywords]) -> Any:
    """
    A kernel and its Wiener responses for each `gamma`, with the polynomials that stand for them
    (dashed), over the spectral energy of the features; with a model, of its embeddings.

    Parameters
    ----------
    vectors : a graph with features, or a fitted WGDN, which embeds `graph`
    graph : the graph, if `vectors` is a model; it may be left out if the model has one
    title, dark, ax : as in :func:`plot_map`
    options : of training, such as `kernel` and `gamma`; a model has its own

    Returns
    -------
    The Axes; the energy is on a second one, to the right
    """
    r = find_response(vectors, graph, cast("dict[str, Any]", options))
    look = Look(dark)
    ax = open_axes(ax, look, (9, 6))
    right = ax.twinx()
    look.dress(right)
    steps = np.repeat(r.edges, 2)[1:-1]
    right.fill_between(steps, np.repeat(r.share, 2), color=look.grey, alpha=0.6, linewidth=0,
                       label=f"energy of the {r.of}")
    right.set_ylabel("energy in each 0.04 of λ, %")
    right.set_ylim(bottom=0)
    for i, (name, exact, fitted) in enumerate(r.curves):
        color = look.ink if i == 0 else look.color(i - 1)
        ax.plot(r.at, exact, color=color, linewidth=1.8, label=name)
        ax.plot(r.at, fitted, color=color, linewidth=1.4, linestyle=(0, (5, 3)))
    ax.set_zorder(right.get_zorder() + 1)  # curves above the energy
    ax.patch.set_visible(False)
    ax.set_xlim(0, 2)
    ax.set_xlabel("eigenvalue λ of the Laplacian")
    ax.set_ylabel("response")
    under = (f"noise / signal of the {r.of}: {r.noise / r.signal:.3g}; dashed: polynomials of order "
             f"{r.orders[0]} (kernel) and {r.orders[1]} (Wiener)")
    finish(ax, look, title or f"Responses of {r.kernel}", under, right)
    return ax


KINDS = {"map": plot_map, "curve": plot_curve, "response": plot_response}


@own_errors
@old_names(data="graph")
def plot(what: Any, graph: Any = None, *, color: Any = None,
         kind: Optional[Literal["map", "curve", "response"]] = None, path: Any = None, **options: Any) -> Any:
    """
    Draw a picture with matplotlib, of the same numbers as `wgdn plot`.

    Parameters
    ----------
    what, graph : what :func:`plot_map`, :func:`plot_curve` or :func:`plot_response` takes
    color : of a map, the labels
    kind : which of them; None: "curve" for a WGDN alone or a log, "response" for a Graph alone,
        else "map"
    path : where to write it, .png, .svg or .pdf; None: nowhere
    options : of the kind

    Returns
    -------
    matplotlib's Axes

    Examples
    --------
    >>> import numpy as np
    >>> import wgdn
    >>> vectors = np.random.default_rng(1).normal(size=(30, 8))
    >>> ax = wgdn.plot(vectors, np.arange(30) % 3, projection="pca")   # doctest: +SKIP
    """
    data = graph if color is None else color
    kind = kind or _kind_of(what, data)
    if kind not in KINDS:
        raise InvalidError(f"kind = {kind!r}: it may be {', '.join(KINDS)}")
    given = (what,) if data is None else (what, data)
    call: Any = KINDS[kind]
    ax = call(*given, **options)
    if path is not None:
        ax.figure.savefig(path)
    return ax


def _kind_of(what: Any, data: Any) -> Literal["map", "curve", "response"]:
    if data is not None:
        return "map"
    if isinstance(what, Graph):
        return "response"
    if getattr(what, "loss_curve_", None) and getattr(what, "graph", None) is None:
        return "curve"
    if isinstance(what, (str, os.PathLike)) and os.fspath(what).endswith((".csv", ".jsonl")):
        return "curve"
    return "map"


plot_map.__doc__ = f"{plot_map.__doc__}\nOptions\n-------\n{_options.describe(_options.PROJECTION)}\n"
