#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The same model in PyTorch, for comparison (see bench/compare).

    torch_wgdn.py turns PRESET=FILE [--threads N] [--best]   one epoch for each line of standard input
    torch_wgdn.py check GOLDEN_JSON                          losses and gradients against the golden numbers

Written to be fair to PyTorch: the products with L and with sparse X are functions of their own with
a known backward (L is symmetric, X^T is kept), by whichever sparse product is the fastest here; X is
multiplied sparse or dense, whichever is faster; the loss keeps one matrix of the size of X besides
X and its weights; Adam is the fused one. Autograd applies a filter's powers in Horner's order on the
way back, so it does no more products with L than a hand-written gradient. Batches of graphs are made
once, before the clock runs. With --best, autocast to bf16, sums of powers compiled by torch.compile, and the
whole model compiled, alone and together, are tried before the first turn, and the fastest is used; a dense
X has a copy in bf16 from the start, sparse products stay in fp32, which PyTorch has kernels for.
"""
import argparse
import configparser
import json
import math
import pathlib
import resource
import sys
import time
import warnings
import zipfile

import numpy as np
import scipy.sparse as sp
import torch
from torch.nn import functional as F

warnings.filterwarnings("ignore", message="Sparse")  # that they are beta
PRESETS = pathlib.Path(__file__).resolve().parents[2] / "presets"


# ---- sparse products ----

def best_of(candidates, *arguments):
    """The fastest of several ways to compute the same."""
    def cost(call):
        try:
            call(*arguments)
            start = time.perf_counter()
            call(*arguments)
            return time.perf_counter() - start
        except (RuntimeError, NotImplementedError):
            return math.inf
    return min(candidates, key=cost)


class Sparse:
    """A sparse matrix and its transpose; products with either have a gradient."""

    def __init__(self, rows, width, dtype, symmetric=False):
        self.dtype = dtype
        self.there = self.tensors(rows, dtype)
        self.back = self.there if symmetric else self.tensors(rows.T.tocsr(), dtype)
        ways = [lambda m, x: m["csr"] @ x, lambda m, x: torch.sparse.mm(m["csr"], x, "sum"),
                lambda m, x: torch.sparse.mm(m["coo"], x)]
        probe = torch.ones(rows.shape[1], width, dtype=dtype)
        with torch.no_grad():
            self.way = best_of(ways, self.there, probe)
        for m in (self.there, self.back):
            m.pop("coo" if self.way is not ways[2] else "csr", None)

    @staticmethod
    def tensors(rows, dtype):
        rows.sort_indices()
        index = torch.int32 if rows.nnz < 2**31 else torch.int64
        csr = torch.sparse_csr_tensor(torch.tensor(rows.indptr, dtype=index),
                                      torch.tensor(rows.indices, dtype=index),
                                      torch.tensor(rows.data, dtype=dtype), rows.shape)
        return {"csr": csr, "coo": csr.to_sparse_coo().coalesce()}

    @torch.compiler.disable  # a compiler cannot look inside, and says so at length
    def __matmul__(self, x):
        return SparseProduct.apply(x.to(self.dtype), self)


class SparseProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, a):
        ctx.a = a
        return a.way(a.there, x)

    @staticmethod
    def backward(ctx, dy):
        return ctx.a.way(ctx.a.back, dy.contiguous()), None


# ---- filters ----

KERNELS = {"gcn": lambda x: 1 - x, "heat": lambda x: np.exp(-x), "ppr": lambda x: 1 / (1 + 4 * x)}


class Fit:
    """The one-step polynomial on Chebyshev nodes; powers of L, constant term first."""

    def __init__(self, order):
        i = np.arange(order + 2)
        self.x = np.sort(1 + np.cos((2 * i + 1) * np.pi / (2 * (order + 2))))
        system = np.hstack([self.x[:, None] ** np.arange(order + 1), (-1.0) ** i[:, None]])
        self.solve = np.linalg.inv(system)[:-1]

    @torch.compiler.disable
    def __call__(self, values):
        return [float(c) for c in self.solve @ values]


def powers(s, x, order):
    """x, L x, L^2 x, ... with L = 1 - s, in the precision of s."""
    out = [x.to(s.dtype)]
    for _ in range(order):
        out.append(out[-1] - s @ out[-1])
    return out


def mix(c, p):
    if mix.fused:
        return mix.fused(torch.tensor(c, dtype=p[0].dtype), p)
    y = c[0] * p[0]
    for k in range(1, len(p)):
        y = y.add_(p[k], alpha=c[k])
    return y


mix.fused = None  # or FUSED, which takes coefficients as a tensor: numbers would be compiled in
FUSED = torch.compile(lambda c, p: sum(c[k] * p[k] for k in range(len(p))))


# ---- the model ----

class Model(torch.nn.Module):
    def __init__(self, o, n, features, dtype):
        super().__init__()
        self.o = o
        h, layers, decoders = o["dim"], o["layers"], o["decoder-layers"]
        channels = len(o["gamma"])
        self.parameter = torch.nn.ParameterDict()
        for k in range(layers):
            self.linear(f"enc{k}", features if k == 0 else h, h, dtype)
            self.around(f"enc{k}", h, k < layers - 1 or o["embedding-activation"], dtype)
        for k in range(decoders):
            last = k == decoders - 1
            for q in range(channels):
                self.linear(f"dec{k}_{q}", h, features if last else h, dtype)
            if channels > 1:
                self.parameter[f"dec{k}_channel"] = torch.full((1,), 0.25, dtype=dtype)
            if not last:
                self.around(f"dec{k}", h, True, dtype)
        gcn = o["kernel"] == "gcn"
        g = KERNELS[o["kernel"]]
        self.encoder = [1.0, -1.0] if gcn else Fit(2)(g(Fit(2).x))
        self.fit = Fit(9 if gcn else 2)
        self.response = g(self.fit.x)

    def linear(self, name, inputs, outputs, dtype):
        s = math.sqrt(6 / (inputs + outputs))
        self.parameter[f"{name}_w"] = torch.empty(outputs, inputs, dtype=dtype).uniform_(-s, s)
        self.parameter[f"{name}_b"] = torch.zeros(outputs, dtype=dtype)

    def around(self, name, h, active, dtype):
        if self.o["norm"] != "none":
            self.parameter[f"{name}_scale"] = torch.ones(h, dtype=dtype)
            self.parameter[f"{name}_shift"] = torch.zeros(h, dtype=dtype)
        if active:
            self.parameter[f"{name}_slope"] = torch.full((1,), 0.25, dtype=dtype)

    def activate(self, name, v):
        p = self.parameter
        if self.o["norm"] == "layer":
            v = F.layer_norm(v, v.shape[1:], p[f"{name}_scale"], p[f"{name}_shift"])
        elif self.o["norm"] == "batch":
            v = F.batch_norm(v, None, None, p[f"{name}_scale"], p[f"{name}_shift"], training=True)
        slope = f"{name}_slope"
        return F.prelu(v, p[slope]) if slope in p else v

    def encode(self, data):
        h, out = None, []
        for k in range(self.o["layers"]):
            w, b = self.parameter[f"enc{k}_w"], self.parameter[f"enc{k}_b"]
            if k == 0 and data.sparse is not None:
                u = (data.sparse @ w.T.contiguous()).add_(b)
            else:
                u = F.linear(data.input if k == 0 else h, w, b)
            h = self.activate(f"enc{k}", mix(self.encoder, powers(data.s, u, len(self.encoder) - 1)))
            out.append(h)
        return out

    def augment(self, h, draw):
        if self.o["beta"] == 0:
            return h
        a = self.o["beta"] * h.detach().std()
        return h + (draw if draw is not None else torch.randn_like(h)).mul_(a)

    def penalties(self, data, x):
        with torch.no_grad():
            variance, mean = torch.var_mean(x, 0)
            n = x.shape[0]
            signal = float((variance * (2 - 1 / n) + mean * mean).sum())
            e = data.m @ x
            noise = float(torch.linalg.vector_norm(e.sub_(x))) ** 2 / n
        return [noise / (gamma * signal) for gamma in self.o["gamma"]]

    def dec(self, data, x, k):
        """One Dec call; with a single channel only its filter, since the product can wait."""
        terms = powers(data.s, x, len(self.fit.x) - 2)
        filtered = [mix(self.fit(self.response / (self.response ** 2 + p)), terms)
                    for p in self.penalties(data, x)]
        if len(filtered) == 1:
            return filtered[0]
        slope = self.parameter[f"dec{k}_channel"]
        out = [F.prelu(self.product(f"dec{k}_{q}", f), slope) for q, f in enumerate(filtered)]
        y = out[0]
        for v in out[1:]:
            y = torch.maximum(y, v) if self.o["aggregate"] == "max" else y + v
        return y / len(out) if self.o["aggregate"] == "mean" else y

    def product(self, name, x, times=1):
        b = self.parameter[f"{name}_b"]
        return F.linear(x, self.parameter[f"{name}_w"], b if times == 1 else b * times)

    def decode(self, data, hidden, draws):
        decoders, d = self.o["decoder-layers"], None
        for k in range(decoders):
            skip = k > 0 and self.o["skip"] != "none"
            share = 0.5 if skip and self.o["skip"] == "mean" else 1
            aug = self.augment(hidden[-1 - k], draws[k] if draws else None) if skip or k == 0 else None
            t = self.dec(data, aug if k == 0 else d, k)
            if skip:
                t = t + self.dec(data, aug, k)
            if share != 1:
                t = t * share
            if len(self.o["gamma"]) == 1:
                t = self.product(f"dec{k}_0", t, share * (2 if skip else 1))
            d = t if k == decoders - 1 else self.activate(f"dec{k}", t)
        return d

    def forward(self, data, draws=None):
        r = self.decode(data, self.encode(data), draws)
        n, f = data.x.shape
        if self.o["loss"] == "mse":
            return F.mse_loss(r, data.x)
        e = r - data.x
        if data.weight is not None:
            e = e.mul_(data.weight)
        if self.o["loss"] == "rmse":
            return torch.linalg.vector_norm(e) / math.sqrt(n)
        return (torch.linalg.vector_norm(e, dim=1) / math.sqrt(f)).mean()


# ---- data ----

class Data:
    """L, M and X as tensors. weight: the root of the loss's weights, or None where they are 1."""

    def __init__(self, adjacency, x, o, dtype=torch.float32):
        a = adjacency.tocsr().astype(np.float64)
        degree = np.asarray(a.sum(1)).ravel()
        inverse = np.divide(1, degree, out=np.zeros_like(degree), where=degree > 0)
        root = sp.diags(np.sqrt(inverse))
        h = o["dim"]
        self.s = Sparse((root @ a @ root).tocsr(), h, dtype, symmetric=True)
        mean = sp.diags(inverse)
        self.m = Sparse((a @ mean if o["average"] == "column" else mean @ a).tocsr(), h, dtype,
                        symmetric=True)  # never differentiated, so the transpose does not matter
        self.sparse = None
        rows = sp.csr_matrix(x)
        self.x = self.input = torch.tensor(x.toarray() if sp.issparse(x) else x, dtype=dtype)
        ones = rows.nnz
        self.weight = None
        if o["loss"] != "mse" and 0 < ones < self.x.numel():
            r = (self.x.numel() - ones) / ones
            self.weight = torch.where(self.x != 0, math.sqrt(r), 1.0).to(dtype)
        self.choose(rows, h, dtype)

    def cast(self, half):
        """A dense X as the first product wants it, made once."""
        dtype = torch.bfloat16 if half and self.sparse is None else self.x.dtype
        if self.input.dtype != dtype:
            self.input = self.x.to(dtype)

    def choose(self, rows, h, dtype):
        """X as a sparse matrix if its two products are faster that way."""
        if rows.nnz > 0.5 * self.x.numel():
            return
        sparse = Sparse(rows, h, dtype)
        w, du = torch.ones(self.x.shape[1], h, dtype=dtype), torch.ones(self.x.shape[0], h, dtype=dtype)
        with torch.no_grad():
            dense = lambda: (self.x @ w, self.x.T @ du)
            thin = lambda: (sparse.way(sparse.there, w), sparse.way(sparse.back, du))
            self.sparse = sparse if best_of([dense, thin]) is thin else None


def read_preset(name):
    ini = configparser.ConfigParser()
    ini.read_string("[train]\n" + (PRESETS / f"{name}.ini").read_text())
    o = {"gamma": "1", "aggregate": "max", "norm": "none", "average": "row", "loss": "rmse",
         "binarize": "no", "batch-size": "0", **ini["train"]}
    layers = int(o["layers"])
    return {**o, "layers": layers, "dim": int(o["dim"]), "beta": float(o["beta"]),
            "learning-rate": float(o["learning-rate"]), "decoder-layers": int(o.get("decoder-layers", layers)),
            "gamma": [float(g) for g in o["gamma"].split(",")],
            "embedding-activation": o["embedding-activation"] == "yes",
            "binarize": o["binarize"] == "yes", "batch-size": int(o["batch-size"])}


def simple(a):
    """Symmetric, without loops and weights."""
    a = a + a.T
    a.setdiag(0)
    a.eliminate_zeros()
    a.data[:] = 1
    return a


def read_npz(path, o):
    """The gnn-benchmark layout: adjacency (symmetrized, without loops) and features."""
    z = np.load(path)
    def csr(p):
        indices = z[f"{p}_indices"]
        data = z[f"{p}_data"] if f"{p}_data" in z else np.ones(len(indices), np.float32)
        return sp.csr_matrix((data, indices, z[f"{p}_indptr"]), tuple(z[f"{p}_shape"]))
    a = simple(csr("adj"))
    x = z["attr_matrix"] if "attr_matrix" in z else csr("attr").astype(np.float32)
    if o["binarize"]:
        x = (x > 0).astype(np.float32)
    return a, x


def read_tu(path):
    """A set of graphs: adjacency, features, and the graph of each node."""
    z = zipfile.ZipFile(path)
    def part(end):
        found = [n for n in z.namelist() if n.endswith(end)]
        return np.loadtxt(z.open(found[0]), delimiter=",", dtype=np.int64) if found else None
    graph = part("_graph_indicator.txt")
    n = len(graph)
    u, v = part("_A.txt").T - 1
    a = simple(sp.coo_matrix((np.ones(len(u)), (u, v)), shape=(n, n)).tocsr())
    words = part("_node_labels.txt")
    words = np.minimum(np.diff(a.indptr), 400) if words is None else words - words.min()
    x = sp.csr_matrix((np.ones(n, np.float32), (np.arange(n), words)))
    return a, x, graph


def read_batches(path, o):
    """Blocks of o["batch-size"] graphs, in an order drawn once."""
    a, x, graph = read_tu(path)
    order = np.random.default_rng(1).permutation(np.unique(graph))
    for first in range(0, len(order), o["batch-size"]):
        rows = np.flatnonzero(np.isin(graph, order[first:first + o["batch-size"]]))
        yield Data(a[rows][:, rows], x[rows], o)


# ---- what the program does ----

class Way:
    """How an epoch is computed: in bf16, with what is elementwise compiled, with all of it compiled."""

    def __init__(self, model, half=False, compiled=""):
        self.model, self.half, self.compiled = model, half, compiled
        self.name = " ".join(["bf16" if half else "fp32", compiled]).strip()
        if compiled == "whole":
            self.model = torch.compile(model)

    def epoch(self, adam, batches):
        mix.fused = FUSED if self.compiled else None
        for data in batches:
            data.cast(self.half)
            adam.zero_grad(set_to_none=True)
            with torch.autocast("cpu", torch.bfloat16, enabled=self.half):
                loss = self.model(data)
            loss.backward()
            adam.step()
        return loss.item()

    def cost(self, adam, batches):
        """Milliseconds once it is warm, and the loss, or why this PyTorch cannot do it."""
        times = []
        try:
            while len(times) < 5 and (len(times) < 3 or sum(times) < 20):
                start = time.perf_counter()
                loss = self.epoch(adam, batches)
                times.append(time.perf_counter() - start)
        except RuntimeError as refused:
            return math.inf, str(refused).splitlines()[0][:80]
        return round(min(times[2:]) * 1e3, 1), loss


def fastest(model, adam, batches):
    """The fastest way, and what each took; where bf16 is far slower as it is, compiling it is not tried."""
    plain, half = Way(model), Way(model, True)
    tried = {w: w.cost(adam, batches) for w in (plain, half)}
    for precision in (False, True) if tried[half][0] < 1.5 * tried[plain][0] else (False,):
        for way in (Way(model, precision, "pieces"), Way(model, precision, "whole")):
            tried[way] = way.cost(adam, batches)
    print({w.name: c for w, c in tried.items()}, file=sys.stderr, flush=True)
    return min(tried, key=lambda w: tried[w][0]), {"tried_ms": {w.name: c[0] for w, c in tried.items() if c[0] < math.inf}}


def turns(word, threads, best):
    name, path = word.split("=", 1)
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    o = read_preset(name)
    batches = list(read_batches(path, o)) if o["batch-size"] else [Data(*read_npz(path, o), o)]
    data = batches[0]
    model = Model(o, data.x.shape[0], data.x.shape[1], torch.float32)
    adam = torch.optim.Adam(model.parameters(), lr=o["learning-rate"], fused=True)
    way, tried = fastest(model, adam, batches) if best else (Way(model), {})
    print(json.dumps({"torch": torch.__version__, "sparse_x": data.sparse is not None, "mode": way.name, **tried}),
          flush=True)
    for _ in sys.stdin:
        start, cpu = time.perf_counter(), time.process_time()
        loss = way.epoch(adam, batches)
        ms, cpu_ms = (time.perf_counter() - start) * 1e3, (time.process_time() - cpu) * 1e3
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        print(json.dumps({"ms": ms, "cpu_ms": cpu_ms, "loss": loss, "peak": peak}), flush=True)


def golden_options(c):
    mean = {"avg": "mean", None: "max"}
    return {"kernel": c["kernel"], "gamma": c["gamma"], "layers": c["layers"], "dim": 4,
            "aggregate": mean.get(c["aggr"], c["aggr"]), "skip": "sum" if c["skip"] else "none",
            "decoder-layers": c["decoder_layers"], "beta": c["beta"],
            "embedding-activation": c["emb_act"],
            "norm": {"": "none", "layernorm": "layer", "batchnorm": "batch"}[c["norm"]],
            "average": "column" if c["average_operator"].startswith("A D") else "row",
            "loss": {"node": "rmse", "graph": "row-rmse", "mse": "mse"}[c["loss"]]}


GOLDEN_NAMES = [("encoder.encs.", "enc"), ("encoder.enc_acts.", "enc"), ("encoder.enc_norms.", "enc"),
                ("decoder.dec_acts.", "dec"), ("decoder.dec_norms.", "dec"), ("decoder.decs.", "dec")]


def golden_name(name):
    """encoder.encs.0.lin.weight -> enc0_w and so on."""
    for prefix, short in GOLDEN_NAMES:
        if not name.startswith(prefix):
            continue
        k, *rest = name[len(prefix):].split(".")
        kind = rest[-1]
        if "acts" in prefix:
            return f"{short}{k}_slope"
        if "norms" in prefix:
            return f"{short}{k}_" + {"weight": "scale", "bias": "shift"}[kind]
        if rest[0] == "act":
            return f"{short}{k}_channel"
        channel = f"_{rest[1]}" if short == "dec" else ""
        return f"{short}{k}{channel}_" + kind[0]
    raise KeyError(name)


def check(path):
    golden = json.load(open(path))
    graph = golden["graph"]
    n = graph["nodes"]
    u, v = np.array(graph["undirected_edges"]).T
    a = sp.coo_matrix((np.ones(2 * len(u)), (np.r_[u, v], np.r_[v, u])), shape=(n, n)).tocsr()
    x = np.array(graph["features"])
    worst = 0.0
    for name, case in golden["cases"].items():
        o = golden_options(case["config"])
        data = Data(a, x, o, torch.float64)
        model = Model(o, n, x.shape[1], torch.float64)
        p = model.parameter
        with torch.no_grad():
            for key, value in case["params"].items():
                if golden_name(key) in p:
                    p[golden_name(key)].copy_(torch.tensor(value, dtype=torch.float64))
        draws = case["noise_draws_in_order"]
        loss = model(data, [torch.tensor(z).double() for z in draws] if o["beta"] > 0 else None)
        loss.backward()
        off = abs(loss.item() / case["loss"] - 1)
        largest = max(np.abs(g).max() for g in case["grads"].values() if g is not None)
        for key, g in case["grads"].items():
            if g is not None and golden_name(key) in p:
                off = max(off, np.abs(p[golden_name(key)].grad.numpy() - np.array(g)).max() / largest)
        print(f"{name}: {off:.1e}")
        worst = max(worst, off)
    return 0 if worst < 1e-6 else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["turns", "check"])
    parser.add_argument("data")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--best", action="store_true")
    o = parser.parse_args()
    if o.what == "check":
        sys.exit(check(o.data))
    turns(o.data, o.threads, o.best)


if __name__ == "__main__":
    main()
