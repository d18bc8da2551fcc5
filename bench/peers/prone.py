# SPDX-License-Identifier: Apache-2.0
"""ProNE in NumPy and SciPy, written from the formulas of Zhang et al., IJCAI 2019.

Step 1: the first singular vectors of a sparse matrix, times the roots of their values.

    M_ij = log P_ij - log q_j  on the edges,   P = D^-1 A,   q_j ~ (sum_i P_ij)^0.75,  sum q = 1

Step 2: spectral propagation of these vectors R, and one more singular value decomposition.

    R' = (A + I) (R - exp(-theta Y) R),   Y = (L - mu)^2 / 2 - 1,   L = 1 - row-normalized (A + I)

The exponential is a Chebyshev series in Y with modified Bessel coefficients; mu = 0.2, theta = 0.5,
ten terms. Y has the scale of the authors' program, the paper's text has ((L - mu)^2 - 1) / 2.
"""
import numpy as np
import scipy.sparse as sp
from scipy.linalg import lu, qr, svd
from scipy.special import iv

from sets import unit_rows

POWER = 0.75
MU, THETA, TERMS = 0.2, 0.5, 10


def embed(data, dim, threads, seed):
    rng = np.random.default_rng(seed)
    return propagate(data.adjacency, factorize(data.adjacency, dim, rng))


def row_normalized(a):
    """D^-1 A; a row of zeros stays."""
    degree = np.asarray(a.sum(axis=1)).ravel()
    return (sp.diags(1 / np.where(degree > 0, degree, 1)) @ a).tocsr()


def log_matrix(a):
    """M of step 1."""
    p = row_normalized(a.astype(np.float64))
    q = np.asarray(p.sum(axis=0)).ravel() ** POWER
    q /= q.sum()
    m = p.copy()
    m.data = np.log(p.data) - np.log(q[p.indices])
    return m.astype(np.float32)


def truncated_svd(m, k, rng, extra=10, powers=5):
    """U, s: the k largest singular values and their left vectors, by a randomized subspace.

    Between powers a triangular factor is divided out (LU, a quarter of QR's work); QR once, at the end.
    """
    def kept(x):
        return lu(x, permute_l=True, overwrite_a=True, check_finite=False)[0]
    k = min(k, min(m.shape))
    basis = rng.standard_normal((m.shape[1], min(k + extra, min(m.shape)))).astype(np.float32)
    back = m.T.tocsr()
    for _ in range(powers):
        basis = kept(back @ kept(m @ basis))
    basis = qr(m @ basis, mode="economic", overwrite_a=True, check_finite=False)[0]
    u, s, _ = svd((back @ basis).T, full_matrices=False, overwrite_a=True, check_finite=False)
    return basis @ u[:, :k], s[:k]


def factorize(a, dim, rng):
    """R: rows of length 1 of U s^1/2."""
    u, s = truncated_svd(log_matrix(a), dim, rng)
    return unit_rows(u * np.sqrt(s))


def gaussian(shifted, r, theta=THETA, terms=TERMS):
    """exp(-theta Y) R = sum_k (2 - [k = 0]) (-1)^k I_k(theta) T_k(Y) R,   Y = shifted^2 / 2 - 1."""
    def y(x):
        return 0.5 * (shifted @ (shifted @ x)) - x
    before, now = r, y(r)
    out = iv(0, theta) * before - 2 * iv(1, theta) * now
    for k in range(2, terms):
        before, now = now, 2 * y(now) - before
        out += (2 if k % 2 == 0 else -2) * iv(k, theta) * now
    return out


def propagate(a, r):
    """Step 2."""
    eye = sp.identity(a.shape[0], np.float32, format="csr")
    loops = (a + eye).tocsr()
    shifted = ((1 - MU) * eye - row_normalized(loops)).tocsr().astype(np.float32)
    r = loops @ (r - gaussian(shifted, r))
    u, s, _ = svd(r, full_matrices=False, overwrite_a=True, check_finite=False)
    return unit_rows(u * np.sqrt(s))
