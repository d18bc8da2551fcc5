# SPDX-License-Identifier: Apache-2.0
"""Small graphs for the tests."""
import numpy as np


def rings(groups=3, size=20, width=6, seed=1):
    """Rings whose nodes have features around their group's own: X, (sources, targets), y."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(groups), size)
    nodes = np.arange(groups * size)
    after = nodes - nodes % size + (nodes + 1) % size
    source = np.concatenate([nodes, [0]])
    target = np.concatenate([after, [size]])
    X = rng.normal(0, 1, (groups * size, width)).astype(np.float32)
    X[nodes, y % width] += 3
    return X, (source.astype(np.int64), target.astype(np.int64)), y
