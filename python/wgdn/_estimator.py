# SPDX-License-Identifier: Apache-2.0
"""The autoencoder as a scikit-learn estimator."""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _options
from ._autoencoder import Autoencoder
from ._params import MEMORY, describe_init
from ._sklearn import Learner, with_optional_x


@with_optional_x
class WGDN(Autoencoder, Learner):
    # The docstring is built below, from the option table.

    def fit_transform(self, X: Any = None, y: Any = None, *, edges: Any = None
                      ) -> NDArray[np.float32]:
        """Fit and return the embeddings of the nodes, or of the graphs if there are several."""
        return super().fit_transform(X, y, edges=edges)

    def transform(self, X: Any = None, *, edges: Any = None) -> NDArray[np.float32]:
        """
        Embeddings of nodes. If the estimator has a graph, X selects nodes of it; otherwise X and
        edges define a graph, which need not be the one of fit().
        """
        return super().transform(X, edges=edges)


describe_init(WGDN)
WGDN.__doc__ = f"""
Self-supervised node and graph embeddings by the Wiener Graph Deconvolutional Network.

    Z = WGDN(dim=64).fit_transform(X, edges=A)

Use FilterEmbedding first: it takes seconds where this takes minutes. Use this one to compare with
the paper (`from_preset`), for research, or where wgdn.evaluate() finds its vectors better.

A scikit-learn transformer. With `graph`, X holds indices or ids of nodes of that graph, or, if it
is a set of graphs, indices of graphs: cross-validation then splits X, while every fit trains on the
whole graph, without labels.

Parameters
----------
    graph : a whole graph or edges, as wgdn.dataset() takes them, default None
        The graph whose nodes X selects. scikit-learn copies parameters; a Dataset is not copied.
{MEMORY}
    checkpoint : path, default None
        Where a stopped run saves its state; a run with the same data and options resumes from
        there and gives the same bits.
    checkpoint_every : int, default 0
        Epochs between checkpoints; 0: only when the run is stopped.
    callback : callable, default None
        Called with a wgdn.Progress after every epoch; a true return value stops the run, and the
        estimator has the model of the epochs so far.
    progress : bool, default None
        Show a progress bar, if tqdm is installed; None: at a terminal or in a notebook.
{_options.describe(_options.TRAIN)}

The aliases `lr` (learning_rate), `n_components` (dim), `n_jobs` (threads) and `random_state` (seed)
are accepted.

Attributes
----------
    loss_, loss_curve_ : loss of the last epoch, and of every epoch
    n_iter_ : number of epochs
    n_features_in_ : number of features
    ids_ : ids of the nodes of fit(), or None

Examples
--------
>>> import numpy as np
>>> import wgdn
>>> sources, targets = np.arange(6), (np.arange(6) + 1) % 6         # a ring
>>> model = wgdn.WGDN(dim=4, epochs=10, seed=1)
>>> model.fit_transform(np.eye(6), edges=(sources, targets)).shape
(6, 4)
>>> model.n_iter_, model.loss_ < model.loss_curve_[0]
(10, True)
>>> early = wgdn.WGDN(dim=4, callback=lambda p: p.epoch == 5)
>>> early.fit(np.eye(6), edges=(sources, targets)).n_iter_
5
"""
