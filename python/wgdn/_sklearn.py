# SPDX-License-Identifier: Apache-2.0
"""
The two public estimators, WGDN and FilterEmbedding. They derive from scikit-learn's base classes, or from nothing where
it is not installed. `import wgdn` does not import this module: scikit-learn takes half a second.
"""
from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _options
from ._errors import deprecated
from ._estimators import ALIASES, CACHE, Autoencoder, ClosedForm, Estimator, describe_init

if TYPE_CHECKING:
    from typing_extensions import Self

    class Learner:
        """What scikit-learn adds to an estimator that has its methods."""

        def set_output(self, *, transform: Any = None) -> Self: ...
        def set_fit_request(self, *, graph: Any = ...) -> Self: ...
        def set_transform_request(self, *, graph: Any = ...) -> Self: ...
        def get_metadata_routing(self) -> Any: ...
else:
    try:
        from sklearn.base import (
            BaseEstimator,
            ClassNamePrefixFeaturesOutMixin,
            TransformerMixin,
        )
    except ImportError:
        class Learner:
            """scikit-learn is not installed."""
    else:
        class Learner(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
            """Behind the package's own classes, whose methods come first."""

Class = TypeVar("Class", bound=type)


def with_optional_x(cls: Class) -> Class:
    """scikit-learn wraps transform and fit_transform for set_output; X may be left out all the same."""
    def loosen(strict: Any) -> Any:
        @functools.wraps(strict)
        def call(self: Any, X: Any = None, *args: Any, **more: Any) -> Any:
            if "edges" in more:
                deprecated(f"edges= of {strict.__name__}()", "graph=")
                more["graph"] = more.pop("edges")
            return strict(self, X, *args, **more)

        return call

    for name in ("transform", "fit_transform"):
        setattr(cls, name, loosen(cls.__dict__[name]))
    return cls


@with_optional_x
class Transformer(Estimator, Learner):
    """What both classes share: the methods that scikit-learn wraps."""

    def fit_transform(self, X: Any = None, y: Any = None, *, graph: Any = None, **columns: Any
                      ) -> NDArray[np.float32]:
        """Fit and return the embeddings of the nodes, or of the graphs if there are several."""
        return super().fit_transform(X, y, graph=graph, **columns)

    def transform(self, X: Any = None, *, graph: Any = None, **columns: Any) -> NDArray[np.float32]:
        """
        Embeddings of nodes. If the estimator has a graph, X selects nodes of it; otherwise X and
        graph define one, which need not be the one of fit().
        """
        return super().transform(X, graph=graph, **columns)


class WGDN(Autoencoder, Transformer):
    pass  # the docstring is built below, from the option table


describe_init(WGDN)
WGDN.__doc__ = f"""
Self-supervised node and graph embeddings by the Wiener Graph Deconvolutional Network.

    Z = WGDN(dim=64).fit_transform(X, graph=A)

Use FilterEmbedding first: it takes seconds where this takes minutes. Use this one to compare with
the paper (`from_preset`), for research, or where wgdn.evaluate() finds its vectors better.

A scikit-learn transformer. With `graph`, X holds indices or ids of nodes of that graph, or, if it
is a set of graphs, indices of graphs: cross-validation then splits X, while every fit trains on the
whole graph, without labels.

Parameters
----------
    graph : a whole graph or edges, as wgdn.Graph takes them, default None
        The graph whose nodes X selects. scikit-learn copies parameters; a wgdn.Graph is not copied.
{CACHE}
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
>>> model.fit_transform(np.eye(6), graph=(sources, targets)).shape
(6, 4)
>>> model.n_iter_, model.loss_ < model.loss_curve_[0]
(10, True)
>>> early = wgdn.WGDN(dim=4, callback=lambda p: p.epoch == 5)
>>> early.fit(np.eye(6), graph=(sources, targets)).n_iter_
5
"""


class FilterEmbedding(ClosedForm, Transformer):
    pass  # the docstring is built below, from the option table


describe_init(FilterEmbedding)
FilterEmbedding.__doc__ = f"""
Node embeddings in closed form: features filtered by the graph and reduced to their leading singular
vectors, the graph's own leading vectors, or both. Seconds, no training, no labels.

    Z = FilterEmbedding(dim=256).fit_transform(X, graph=A)

Use it first; with few labels, FilterEmbedding(refine=20), which trains a small network on top for
seconds; and WGDN, which is trained for minutes, where that is better by wgdn.evaluate().

A scikit-learn transformer with the methods of WGDN. Nodes are distinguished by their ids, so the order
of rows does not matter, and a grown graph is embedded in the space of the old one. With `graph`, X
holds indices or ids of nodes of that graph, or, if it is a set of graphs, indices of graphs.

Parameters
----------
    graph : a whole graph or edges, as wgdn.Graph takes them, default None
        The graph whose nodes X selects. scikit-learn copies parameters; a wgdn.Graph is not copied.
{CACHE}
{_options.describe(_options.FIT)}

{ALIASES}

Attributes
----------
    parts_ : what the vectors are made of: a list of dictionaries with name, dim and scale
    scales_ : how well each scale that was compared predicts a node's features from its neighbors,
        as a cosine; empty if the scale was given or there are no features
    n_features_in_ : number of features
    ids_ : ids of the nodes of fit(), or None

Examples
--------
>>> import wgdn
>>> edges = {{"source": ["Ann", "Bob", "Cid", "Dan"], "target": ["Bob", "Cid", "Dan", "Ann"]}}
>>> model = wgdn.FilterEmbedding(dim=8).fit(edges)
>>> model.ids_.tolist()
['Ann', 'Bob', 'Cid', 'Dan']
>>> grown = {{"source": ["Eve", *edges["source"]], "target": ["Ann", *edges["target"]]}}
>>> vectors = model.embed(grown)                                    # in the same space
>>> vectors["Eve"].shape == vectors["Ann"].shape
True

With scikit-learn, X selects nodes of the graph, by id or by index:

>>> model = wgdn.FilterEmbedding(graph=edges, dim=8)
>>> len(model.fit_transform([["Bob"], ["Ann"]]))
2
"""
