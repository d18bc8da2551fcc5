# SPDX-License-Identifier: Apache-2.0
"""A set as the trials see it: rows of X of length 1, S = D^-1/2 A D^-1/2, and the closed form's model.

The model of `wgdn fit` is read as it is, so that trials can start where the closed form ends:

    Y = R X V,   Z = u([u(exp(-t L) Y) M_near - c_near,  u(Y) M_own - c_own])      u: rows of length 1
"""
import json
import os
import pathlib
import subprocess
import sys
import warnings

import numpy as np
import scipy.sparse as sp
import scipy.special
import torch

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench" / "peers"))
import sets  # noqa: E402

warnings.filterwarnings("ignore", message="Sparse")   # CSR tensors are in beta state, PyTorch says

PROGRAM = os.environ.get("WGDN") or str(ROOT / "build/release/cli/wgdn")
UNSEEN = {"DBLP": "extra/dblp/dblp.npz"}   # no trial was chosen by it
DENSE = 0.05 # share of non-zeros from which X is multiplied dense: 5 times faster on Photo (0.35)
ORDER = 14   # of the Chebyshev series of exp(-t L): below 10^-5 for t up to 4


def program(*words):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"wgdn {words[0]}: {done.stderr.strip()}")
    return done.stdout


def read_tensors(file):
    """Arrays and metadata of a safetensors file of 32-bit floats."""
    raw = pathlib.Path(file).read_bytes()
    size = int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8:8 + size])
    about = header.pop("__metadata__")
    arrays = {}
    for name, t in header.items():
        first, last = t["data_offsets"]
        arrays[name] = np.frombuffer(raw[8 + size + first:8 + size + last], "<f4").reshape(t["shape"])
    return arrays, about


def vectors(file, ids):
    """Those of a .npz, in the order of the ids."""
    with np.load(file) as z:
        row = {name: i for i, name in enumerate(z["ids"].astype(str))}
        return z["embedding"][[row[i] for i in ids]]


def unit(y):
    """Rows of length 1; rows of zeros stay."""
    length = np.linalg.norm(y, axis=1, keepdims=True)
    return y / np.where(length > 0, length, 1)


def operator(a, loops):
    """S of an adjacency, with self loops as in a GCN or without."""
    a = a + sp.identity(a.shape[0], np.float32, "csr") if loops else a
    degree = np.asarray(a.sum(1)).ravel()
    root = sp.diags(np.divide(1, np.sqrt(degree), out=np.zeros_like(degree), where=degree > 0))
    return (root @ a @ root).tocsr().astype(np.float32)


def heat(s, y, t):
    """exp(-t (I - S)) Y = e^-t sum_k (2 - [k = 0]) I_k(t) T_k(S) Y."""
    c = scipy.special.ive(np.arange(ORDER + 1), t)   # ive is I_k(t) e^-t
    before, now = y, s @ y
    out = c[0] * before + 2 * c[1] * now
    for k in range(2, ORDER + 1):
        before, now = now, 2 * (s @ now) - before
        out += 2 * c[k] * now
    return out.astype(np.float32)


def tensor(rows):
    """A SciPy matrix as PyTorch's, compressed rows."""
    rows = rows.tocsr()
    rows.sort_indices()
    return torch.sparse_csr_tensor(torch.from_numpy(rows.indptr.astype(np.int32)),
                                   torch.from_numpy(rows.indices.astype(np.int32)),
                                   torch.from_numpy(rows.data.astype(np.float32)), rows.shape)


class Product(torch.autograd.Function):
    """M x for a given M, mostly sparse; its gradient is M^T dy."""

    @staticmethod
    def forward(ctx, x, m, transposed):
        ctx.transposed = transposed
        return m @ x

    @staticmethod
    def backward(ctx, dy):
        return ctx.transposed @ dy.contiguous(), None, None


def times(m, x, transposed=None):
    """M x; without the transpose M is symmetric."""
    return Product.apply(x, m, m if transposed is None else transposed)


class Data:
    def __init__(self, name, folder, seed=1):
        self.name, self.file = name, sets.path(UNSEEN.get(name) or sets.SETS[name].file)
        loaded = sets.load_npz(self.file)
        self.n, self.ids, self.adjacency = loaded.n, loaded.ids, loaded.adjacency
        x = sp.csr_matrix(loaded.features, dtype=np.float32)
        length = np.sqrt(np.asarray(x.multiply(x).sum(1)).ravel())
        self.x = (sp.diags(np.divide(1, length, out=np.zeros_like(length), where=length > 0)) @ x).tocsr().astype(
            np.float32)
        upper = sp.triu(self.adjacency, 1).tocoo()
        self.edges = upper.row, upper.col
        self.s = operator(self.adjacency, loops=False)
        self.looped = tensor(operator(self.adjacency, loops=True))
        thin = self.x.nnz < DENSE * self.x.shape[0] * self.x.shape[1]
        self.features = tuple(tensor(m) if thin else torch.from_numpy(m.toarray()) for m in (self.x, self.x.T))
        self.fit(folder, seed)

    def fit(self, folder, seed):
        """The closed form: its vectors from the program, its projection from the program's model."""
        model, made = (pathlib.Path(folder) / f"{self.name}.{seed}.{kind}" for kind in ("model", "npz"))
        program("fit", self.file, "-o", model, "--seed", seed, "-T", 1, "-q")
        program("embed", model, self.file, "-o", made, "-T", 1, "-q")
        self.closed = vectors(made, self.ids)
        arrays, about = read_tensors(model)
        kind, t, _, _, dim, _, _, own = about["wgdn.part.0"].split()
        if kind != "shared" or "wgdn.part.1" in about:
            raise RuntimeError(f"{self.name}: the closed form is not made of shared features alone")
        self.scale, near = float(t), int(dim) - int(own)
        m, c = arrays["part.0.map"], arrays["part.0.centre"].ravel()
        self.maps = (m[:, :near], c[:near]), (m[:, near:], c[near:])
        self.y = np.asarray(self.x @ arrays["part.0.basis"])
        self.own = unit(self.y)
        self.near = unit(heat(self.s, self.y, self.scale))

    def project(self, near, own):
        """The closed form's vectors of rows filtered elsewhere."""
        (a, c), (b, d) = self.maps
        parts = (near, a, c), (own, b, d)
        return unit(np.hstack([(y @ m - mean) * y.any(1, keepdims=True) for y, m, mean in parts]))

    def dropped(self, share, draw):
        """The adjacency without a random share of the edges."""
        keep = draw.random(len(self.edges[0])) >= share
        i, j = self.edges[0][keep], self.edges[1][keep]
        ones = np.ones(2 * len(i), np.float32)
        return sp.csr_matrix((ones, (np.r_[i, j], np.r_[j, i])), shape=(self.n, self.n))


# ---- what a code is like ----

def effective_rank(code):
    """(sum s)^2 / sum s^2 over the eigenvalues s of U^T U, rows of U of length 1."""
    u = unit(code.astype(np.float64))
    gram = u.T @ u
    return float(np.trace(gram) ** 2 / (gram ** 2).sum())


def explained(code, target):
    """Share of the variance of the target that the best linear map of the code gives."""
    q, r = np.linalg.qr(np.hstack([np.ones((len(code), 1)), unit(code.astype(np.float64))]))
    sound = np.abs(np.diag(r)) > 1e-6 * np.abs(np.diag(r)).max()
    part = np.asarray(target.T @ q[:, sound])
    total = target.multiply(target).sum() if sp.issparse(target) else float((target.astype(np.float64) ** 2).sum())
    constant = (part[:, 0] ** 2).sum()
    return float(((part ** 2).sum() - constant) / (total - constant))


def frequency(code, s):
    """tr(Z^T L Z) / tr(Z^T Z) of the centered code: 0 where neighbors agree, 1 where they are unrelated."""
    z = code.astype(np.float64) - code.mean(0)
    return float(1 - (z * (s @ z)).sum() / max((z * z).sum(), 1e-300))


def alignment(code, other):
    """Linear CKA of the two: 1 where one is the other rotated and scaled."""
    a, b = (unit(m.astype(np.float64)) for m in (code, other))
    a, b = a - a.mean(0), b - b.mean(0)
    return float(((a.T @ b) ** 2).sum() / max(np.linalg.norm(a.T @ a) * np.linalg.norm(b.T @ b), 1e-300))


def join(code, closed, dim=256):
    """Both side by side, rows of each of length 1, on the leading right singular vectors of that."""
    both = np.hstack([unit(code), unit(closed)]).astype(np.float64)
    value, vector = np.linalg.eigh(both.T @ both)
    return (both @ vector[:, ::-1][:, :dim]).astype(np.float32)
