# SPDX-License-Identifier: Apache-2.0
"""scikit-learn: TruncatedSVD, its defaults, of S^2 X, rows of X of length 1; of S where there is no X. Or of X alone.

S = D^-1/2 (A + I) D^-1/2, the operator of SGC. Fewer features than dim: as many columns as features.
"""
from sklearn.decomposition import TruncatedSVD

from sets import filter_operator, unit_rows


def embed(data, dim, threads, seed):
    m = filter_operator(data.adjacency)
    if data.features is not None:
        m = m @ (m @ unit_rows(data.features))
    return reduced(m, dim, seed)


def embed_features(data, dim, threads, seed):
    return reduced(unit_rows(data.features), dim, seed)


def reduced(m, dim, seed):
    return TruncatedSVD(min(dim, m.shape[1]), random_state=seed).fit_transform(m)
