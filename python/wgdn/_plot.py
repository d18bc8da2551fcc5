# SPDX-License-Identifier: Apache-2.0
"""Pictures: the same numbers as `wgdn plot` draws, with matplotlib, which is imported when asked."""
from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Optional, cast

import numpy as np

from . import _options
from ._errors import InvalidError, own_errors
from ._plot_curve import Run, read_run
from ._plot_draw import Look, finish, open_axes
from ._plot_names import write_names
from ._plot_points import draw_points, find_points
from ._plot_response import find_response

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._keywords import ProjectionKeywords, TrainKeywords

NAMES_MAX = 60  # points that have their ids beside them


@own_errors
def plot_map(vectors: Any, data: Any = None, *, points: int = 20000, title: Optional[str] = None,
             dark: bool = False, ax: Any = None, **options: Unpack[ProjectionKeywords]) -> Any:
    """
    Embeddings as points in two dimensions, coloured by label.

    Twenty classes have a colour each, from the ninth on with a mark of its own; of more, the twenty
    largest. Up to 60 points have their ids beside them.

    Parameters
    ----------
    vectors : array, Embedding or fitted WGDN or FilterEmbedding, which then embeds the data
    data : labels, or a dataset with labels in any form that wgdn.dataset() takes; None: no colours
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
    found = find_points(vectors, data, points, texts)
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
        ax.plot(curve.epoch, curve.loss, color=look.colour(i), linestyle=look.dash(i),
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
def plot_response(vectors: Any, data: Any = None, *, title: Optional[str] = None,
                  dark: bool = False, ax: Any = None, **options: Unpack[TrainKeywords]) -> Any:
    """
    A kernel and its Wiener responses for each `gamma`, with the polynomials that stand for them
    (dashed), over the spectral energy of the features; with a model, of its embeddings.

    Parameters
    ----------
    vectors : a dataset in any form that wgdn.dataset() takes; or a fitted WGDN, which embeds `data`
    data : the dataset, if `vectors` is a model; it may be left out if the model has a graph
    title, dark, ax : as in :func:`plot_map`
    options : of training, such as `kernel` and `gamma`; a model has its own

    Returns
    -------
    The Axes; the energy is on a second one, to the right
    """
    r = find_response(vectors, data, cast("dict[str, Any]", options))
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
        colour = look.ink if i == 0 else look.colour(i - 1)
        ax.plot(r.at, exact, color=colour, linewidth=1.8, label=name)
        ax.plot(r.at, fitted, color=colour, linewidth=1.4, linestyle=(0, (5, 3)))
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
def plot(what: Any, data: Any = None, *, kind: Optional[Literal["map", "curve", "response"]] = None,
         path: Any = None, **options: Any) -> Any:
    """
    Draw a picture with matplotlib, of the same numbers as `wgdn plot`.

    Parameters
    ----------
    what, data : what :func:`plot_map`, :func:`plot_curve` or :func:`plot_response` takes
    kind : which of them; None: "curve" for a WGDN alone or a log, "response" for a Dataset alone,
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
    from ._dataset import Dataset

    if data is not None:
        return "map"
    if isinstance(what, Dataset):
        return "response"
    if getattr(what, "loss_curve_", None) and getattr(what, "graph", None) is None:
        return "curve"
    if isinstance(what, (str, os.PathLike)) and os.fspath(what).endswith((".csv", ".jsonl")):
        return "curve"
    return "map"


plot_map.__doc__ = f"{plot_map.__doc__}\nOptions\n-------\n{_options.describe(_options.PROJECTION)}\n"
