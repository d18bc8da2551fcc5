# SPDX-License-Identifier: Apache-2.0
"""What is tried. A method yields (epoch, code, mean loss since the last one) at epoch 0 and at its checkpoints.

A view is the graph with a share of its edges dropped, and columns or rows of the features left out. Encoders that
start from X have random weights (Glorot); those that start from the closed form give its vectors, exactly, in epoch
0: `linear` trains the closed form's own maps, `gcn` adds S relu(S Z W1) W2 to its vectors Z, W2 = 0 at first. Their
views are drawn and filtered once, POOL of them.
"""
import copy
import dataclasses
import os
import pathlib
from typing import Any, Optional

import numpy as np
import torch
import torch.nn.functional as F

import graphs
from graphs import times

DIM, POOL = 256, 8


@dataclasses.dataclass
class View:
    looped: Any                                # S with self loops, of a GCN
    plain: Any = None                          # S without
    near: Optional[torch.Tensor] = None        # rows filtered at the closed form's scale, and as they are
    own: Optional[torch.Tensor] = None
    closed: Optional[torch.Tensor] = None      # the closed form's vectors of this view
    columns: Optional[torch.Tensor] = None     # 1 or 0 for each column of X
    hidden: Optional[torch.Tensor] = None      # rows that are masked


def glorot(*shape):
    return torch.nn.Parameter(torch.nn.init.xavier_uniform_(torch.empty(*shape)))


def filtered(view, data, s, y):
    """What a start from the closed form needs."""
    near, own = graphs.unit(graphs.heat(s, y, data.scale)), graphs.unit(y)
    view.closed = torch.from_numpy(data.project(near, own).astype(np.float32))
    view.near, view.own = torch.from_numpy(near), torch.from_numpy(own)
    return view


def whole(data):
    """The graph as it is."""
    view = View(data.looped, graphs.tensor(data.s), torch.from_numpy(data.near), torch.from_numpy(data.own))
    view.closed = torch.from_numpy(data.closed)
    return view


class Views:
    """Views with edges and columns dropped, new in every epoch, or out of a pool."""

    def __init__(self, data, seed, start, edges=0.4, columns=0.1):
        self.data, self.edges, self.columns = data, edges, columns
        self.draw = np.random.default_rng(seed)
        self.pool = [self.make(True) for _ in range(POOL)] if start == "closed" else None

    def make(self, closed):
        data, a = self.data, self.data.dropped(self.edges, self.draw)
        s = graphs.operator(a, loops=False)
        view = View(graphs.tensor(graphs.operator(a, loops=True)), graphs.tensor(s))
        if closed:
            return filtered(view, data, s, data.y)
        keep = self.draw.random(data.x.shape[1]) >= self.columns
        view.columns = torch.from_numpy(keep.astype(np.float32))
        return view

    def pair(self):
        if self.pool is None:
            return self.make(False), self.make(False)
        i, j = self.draw.choice(POOL, 2, replace=False)
        return self.pool[i], self.pool[j]


class Masks:
    """The whole graph with half of the rows of the features masked; rows of zeros are never."""

    def __init__(self, data, seed, start, share=0.5):
        self.data, self.share = data, share
        self.draw = np.random.default_rng(seed)
        self.some = np.flatnonzero(np.diff(data.x.indptr))
        self.pool = [self.make(True) for _ in range(POOL)] if start == "closed" else None
        self.plain = graphs.tensor(data.s)

    def make(self, closed):
        data, hidden = self.data, np.zeros(self.data.n, bool)
        hidden[self.draw.choice(self.some, int(self.share * len(self.some)), replace=False)] = True
        view = View(data.looped, hidden=torch.from_numpy(hidden))
        if closed:
            return filtered(view, data, data.s, data.y * ~hidden[:, None])
        view.plain = self.plain
        return view

    def one(self):
        return self.make(False) if self.pool is None else self.pool[self.draw.integers(POOL)]


# ---- encoders ----

class Encoder(torch.nn.Module):
    def __init__(self, data):
        super().__init__()
        self.x, self.xt = data.features
        self.token = torch.nn.Parameter(torch.zeros(1, self.x.shape[1]))

    def input(self, view, w):
        """X W, columns left out or masked rows replaced by the token."""
        w = w if view.columns is None else w * view.columns[:, None]
        u = times(self.x, w, self.xt)
        return u if view.hidden is None else torch.where(view.hidden[:, None], self.token @ w, u)


class Linear(Encoder):
    """S^2 X W"""

    def __init__(self, data, width):
        super().__init__(data)
        self.w = glorot(self.x.shape[1], width)

    def forward(self, view):
        return times(view.looped, times(view.looped, self.input(view, self.w)))


class Gcn(Encoder):
    """S a(S X W1 + b1) W2 + b2, a = relu; with norm: batch normalization and PReLU after both"""

    def __init__(self, data, width, norm=False):
        super().__init__(data)
        self.w1, self.w2 = glorot(self.x.shape[1], width), glorot(width, width)
        self.b1, self.b2 = (torch.nn.Parameter(torch.zeros(width)) for _ in range(2))
        self.after = torch.nn.ModuleList(
            torch.nn.Sequential(torch.nn.BatchNorm1d(width, track_running_stats=False), torch.nn.PReLU())
            for _ in range(2 if norm else 0))
        self.dropout = 0.0

    def forward(self, view):
        h = times(view.looped, F.dropout(self.input(view, self.w1), self.dropout, self.training)) + self.b1
        h = self.after[0](h) if self.after else torch.relu(h)
        z = times(view.looped, F.dropout(h, self.dropout, self.training) @ self.w2) + self.b2
        return self.after[1](z) if self.after else z


class LinearClosed(torch.nn.Module):
    """The closed form, its maps and centers trained"""

    def __init__(self, data):
        super().__init__()
        (a, c), (b, d) = (tuple(torch.nn.Parameter(torch.tensor(p)) for p in pair) for pair in data.maps)
        self.a, self.c, self.b, self.d = a, c, b, d

    def forward(self, view):
        parts = (view.near, self.a, self.c), (view.own, self.b, self.d)
        return F.normalize(torch.cat([(y @ m - c) * y.any(1, keepdim=True) for y, m, c in parts], 1))


class GcnClosed(torch.nn.Module):
    """Z + S relu(S Z W1) W2, Z the closed form of the view; lazy: (I + S) / 2, S without self loops"""

    def __init__(self, data, lazy=False):
        super().__init__()
        width = data.closed.shape[1]
        self.w1, self.w2 = glorot(width, width), torch.nn.Parameter(torch.zeros(width, width))
        self.lazy = lazy

    def near(self, view, u):
        return (u + times(view.plain, u)) / 2 if self.lazy else times(view.looped, u)

    def forward(self, view):
        h = torch.relu(self.near(view, view.closed @ self.w1))
        return view.closed + self.near(view, h @ self.w2)


class Channels(Encoder):
    """[p(L) X W_low, X W_same, q(L) X W_high]: p = (1 - l / 2)^2 and q = (l / 2)^2 at first, coefficients learned;
    half, a quarter and a quarter of the columns share L X W and L^2 X W. With hidden: relu and a second product."""

    def __init__(self, data, hidden):
        super().__init__(data)
        self.w = glorot(self.x.shape[1], DIM)
        self.p = torch.nn.Parameter(torch.tensor([1, -1, 0.25]))
        self.q = torch.nn.Parameter(torch.tensor([0, 0, 0.25]))
        self.w2 = glorot(DIM, DIM) if hidden else None

    def forward(self, view):
        u = self.input(view, self.w)
        lu = u - times(view.plain, u)
        llu = lu - times(view.plain, lu)
        half, rest = DIM // 2, DIM - DIM // 4
        low, high = (sum(c * m[:, part] for c, m in zip(coefficients, (u, lu, llu)))
                     for coefficients, part in ((self.p, slice(0, half)), (self.q, slice(rest, DIM))))
        z = torch.cat([low, u[:, half:rest], high], 1)
        return z if self.w2 is None else torch.relu(z) @ self.w2


def encoder_of(data, kind, start, width=DIM):
    if kind.startswith("channels"):
        return Channels(data, hidden=kind == "channels-relu")
    if start == "closed":
        return LinearClosed(data) if kind == "linear" else GcnClosed(data, lazy=kind == "gcn-lazy")
    return Linear(data, width) if kind == "linear" else Gcn(data, width)


# ---- the loop that all share ----

def loop(encoder, view, step, parameters, o):
    """Adam on `step`, a loss of an epoch; what the encoder makes of the whole graph, now and then."""
    adam = torch.optim.Adam(parameters, lr=o.get("rate", 1e-3), weight_decay=o.get("decay", 0))
    losses = []
    for epoch in range(o["epochs"] + 1):
        if epoch:
            encoder.train()
            adam.zero_grad(set_to_none=True)
            loss = step(epoch)
            loss.backward()
            adam.step()
            losses.append(loss.item())
        if epoch in o["at"]:
            encoder.eval()
            with torch.no_grad():
                code = encoder(view).numpy()
            yield epoch, code, float(np.mean(losses)) if losses else float("nan")
            losses = []


def standard(z):
    return (z - z.mean(0)) / (z.std(0, correction=0) + 1e-6)


def decorrelation(z1, z2, weight):
    """|Z1 - Z2|^2 / 2n + weight (|Z1^T Z1 / n - I|^2 + |Z2^T Z2 / n - I|^2), columns of mean 0 and deviation 1."""
    n, one = len(z1), torch.eye(z1.shape[1])
    z1, z2 = standard(z1), standard(z2)
    apart = (z1 - z2).square().sum() / (2 * n)
    return apart + weight * sum((z.T @ z / n - one).square().sum() for z in (z1, z2))


def invariance(data, seed, kind="gcn", start="X", width=DIM, weight=1e-3, **o):
    """Two views agree, columns do not repeat each other."""
    views, encoder = Views(data, seed, start), encoder_of(data, kind, start, width)

    def step(_):
        one, other = views.pair()
        return decorrelation(encoder(one), encoder(other), weight)
    return loop(encoder, whole(data), step, encoder.parameters(), o)


def scaled_cosine(r, x, gamma):
    """The mean over rows of (1 - cos)^gamma."""
    return (1 - F.cosine_similarity(r, x, dim=1)).pow(gamma).mean()


def masked(data, seed, kind="gcn", start="X", gamma=2, dropout=0.0, **o):
    """Masked rows are reconstructed: R = S (H W) V, H the code with the masked rows set to 0, cosine error."""
    masks, encoder = Masks(data, seed, start), encoder_of(data, kind, start)
    encoder.dropout = dropout
    x = torch.from_numpy(data.x.toarray())
    w, v = glorot(DIM, DIM), glorot(DIM, x.shape[1])

    def step(_):
        view = masks.one()
        h = (encoder(view) @ w) * ~view.hidden[:, None]
        return scaled_cosine(times(view.looped, h)[view.hidden] @ v, x[view.hidden], gamma)
    return loop(encoder, whole(data), step, [*encoder.parameters(), w, v], o)


def bootstrap(data, seed, start="X", average=0.99, **o):
    """A view predicts what a slowly moving average of the encoder makes of the other view."""
    views = Views(data, seed, start, columns=0.2)
    encoder = GcnClosed(data) if start == "closed" else Gcn(data, DIM, norm=True)
    target = copy.deepcopy(encoder)
    predictor = torch.nn.Sequential(torch.nn.Linear(DIM, 2 * DIM), torch.nn.PReLU(), torch.nn.Linear(2 * DIM, DIM))

    def step(_):
        one, other = views.pair()
        with torch.no_grad():
            for mine, its in zip(target.parameters(), encoder.parameters()):
                mine.lerp_(its, 1 - average)
            goals = target(other), target(one)
        return sum(1 - F.cosine_similarity(predictor(encoder(view)), goal, dim=1).mean()
                   for view, goal in zip((one, other), goals))
    return loop(encoder, whole(data), step, [*encoder.parameters(), *predictor.parameters()], o)


def hops(data, seed, batch=1024, **o):
    """No graph while it trains: rows of [Y, S Y, S^2 Y], made once, in batches; code = relu(row W1 + b1) W2 + b2, two
    linear decoders for Y and S^2 Y, squared errors over the variance of each."""
    y = data.y
    near = data.s @ y
    far = data.s @ near
    rows, goals = torch.from_numpy(np.hstack([y, near, far])), [torch.from_numpy(m) for m in (y, far)]
    whole_variance = [float((g - g.mean(0)).square().sum(1).mean()) for g in goals]
    encoder = torch.nn.Sequential(torch.nn.Linear(rows.shape[1], 2 * DIM), torch.nn.ReLU(),
                                  torch.nn.Linear(2 * DIM, DIM))
    decoders = torch.nn.ModuleList(torch.nn.Linear(DIM, g.shape[1]) for g in goals)
    adam = torch.optim.Adam([*encoder.parameters(), *decoders.parameters()], lr=1e-3)
    losses = []
    for epoch in range(o["epochs"] + 1):
        for part in torch.randperm(data.n).split(batch) if epoch else ():
            adam.zero_grad(set_to_none=True)
            code = encoder(rows[part])
            loss = sum((d(code) - g[part]).square().sum(1).mean() / v for d, g, v in
                       zip(decoders, goals, whole_variance))
            loss.backward()
            adam.step()
            losses.append(loss.item())
        if epoch in o["at"]:
            with torch.no_grad():
                yield epoch, encoder(rows).numpy(), float(np.mean(losses)) if losses else float("nan")
            losses = []


# ---- without training ----

def closed(data, seed, **o):
    yield 0, data.closed, float("nan")


def scattering(data, seed, smooth=False, bands=3, **o):
    """heat(t) Y beside |P^(2^(j-1)) Y - P^(2^j) Y|, j = 1 to 3, P = (I + S) / 2, Y = R X V; rows of each of length 1,
    reduced to 256 columns. With smooth the magnitudes are filtered by heat(t) too."""
    parts, now = [data.near], data.y
    steps = 0
    for j in range(bands + 1):
        before = now
        while steps < 2 ** j:
            now, steps = (now + data.s @ now) / 2, steps + 1
        if j:
            band = np.abs(before - now)
            parts.append(graphs.unit(graphs.heat(data.s, band, data.scale) if smooth else band))
    both = np.hstack(parts).astype(np.float64)
    value, vector = np.linalg.eigh(both.T @ both)
    yield 0, (both @ vector[:, ::-1][:, :DIM]).astype(np.float32), float("nan")


def smoothed(data, seed, weight=1.0, **o):
    """Z + weight S^2 Z: what gcn-closed could do without learning anything but a weight."""
    z = torch.from_numpy(data.closed)
    yield 0, (z + weight * (data.looped @ (data.looped @ z))).numpy(), float("nan")


# ---- the paper's autoencoder, by the program ----

PRESETS = {"Cora": "cora", "CiteSeer": "citeseer", "Photo": "photo", "Computers": "computers", "CS": "cs",
           "Physics": "physics"}


def paper(data, seed, folder, precision="bf16", **o):
    """`wgdn train --preset`, from checkpoint to checkpoint."""
    stem = pathlib.Path(folder) / f"{data.name}.paper.{precision}.{seed}"
    model, state, log, vectors = (f"{stem}.{kind}" for kind in ("model", "checkpoint", "log.csv", "npz"))
    pathlib.Path(state).unlink(missing_ok=True)
    last = 0
    for epoch in o["at"]:
        if not epoch:
            continue
        graphs.program("train", data.file, "--preset", PRESETS[data.name], "--seed", seed, "--epochs", epoch,
                       "--checkpoint", state, "--checkpoint-every", 10, "--precision", precision, "--log", log,
                       "-o", model, "-T", 1, "-q")
        graphs.program("embed", model, data.file, "-o", vectors, "-T", 1, "-q")
        with open(log) as f:
            losses = [float(line.split(",")[1]) for line in f.read().splitlines()[1:]]
        yield epoch, graphs.vectors(vectors, data.ids), float(np.mean(losses[last:]))
        last = epoch


def refine(data, seed, folder, **o):
    """`wgdn fit --refine`: gcn-closed with invariance, by the program."""
    stem = pathlib.Path(folder) / f"{data.name}.refine.{seed}.{os.getpid()}"
    model, vectors = f"{stem}.model", f"{stem}.npz"
    for epoch in o["at"]:
        graphs.program("fit", data.file, "--refine", epoch, "--seed", seed, "-o", model, "-T", 1, "-q")
        graphs.program("embed", model, data.file, "-o", vectors, "-T", 1, "-q")
        yield epoch, graphs.vectors(vectors, data.ids), float("nan")
    for file in (model, vectors):
        pathlib.Path(file).unlink(missing_ok=True)


METHODS = {  # method and setting: the function and what it is called with
    "closed/-": (closed, {}),
    "scattering/bands": (scattering, {}),
    "scattering/smooth": (scattering, {"smooth": True}),
    "smoothed/0.3": (smoothed, {"weight": 0.3}),
    "smoothed/1": (smoothed, {"weight": 1.0}),
    "smoothed/3": (smoothed, {"weight": 3.0}),
    "invariance/linear-X": (invariance, {"kind": "linear"}),
    "invariance/gcn-X": (invariance, {"kind": "gcn"}),
    "invariance/gcn-X-512": (invariance, {"kind": "gcn", "width": 512}),
    "invariance/linear-closed": (invariance, {"kind": "linear", "start": "closed"}),
    "invariance/linear-closed-slow": (invariance, {"kind": "linear", "start": "closed", "rate": 1e-4}),
    "invariance/gcn-closed": (invariance, {"kind": "gcn", "start": "closed"}),
    "invariance/gcn-closed-lazy": (invariance, {"kind": "gcn-lazy", "start": "closed"}),
    "refine/wgdn": (refine, {}),
    "masked/gcn-X": (masked, {}),
    "masked/gcn-X-dropout": (masked, {"dropout": 0.2, "decay": 2e-4}),
    "masked/linear-closed": (masked, {"kind": "linear", "start": "closed"}),
    "channels/invariance": (invariance, {"kind": "channels"}),
    "channels/masked-relu": (masked, {"kind": "channels-relu"}),
    "bootstrap/gcn-X": (bootstrap, {}),
    "bootstrap/gcn-closed": (bootstrap, {"start": "closed"}),
    "hops/mlp": (hops, {}),
    "paper/bf16": (paper, {}),
}
