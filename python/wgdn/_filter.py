# SPDX-License-Identifier: Apache-2.0
"""The closed form as a scikit-learn estimator."""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _options
from ._closed import ALIASES, ClosedForm
from ._params import MEMORY, describe_init
from ._sklearn import Learner, with_optional_x


@with_optional_x
class FilterEmbedding(ClosedForm, Learner):
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


describe_init(FilterEmbedding)
FilterEmbedding.__doc__ = f"""
Node embeddings in closed form: features filtered by the graph and reduced to their leading singular
vectors, the graph's own leading vectors, or both. Seconds, no training, no labels.

    Z = FilterEmbedding(dim=256).fit_transform(X, edges=A)

Use it first; with few labels, FilterEmbedding(refine=20), which trains a small network on top for
seconds; and WGDN, which is trained for minutes, where that is better by wgdn.evaluate().

A scikit-learn transformer with the methods of WGDN. Nodes are told apart by their ids, so the order
of rows does not matter, and a grown graph is embedded in the space of the old one. With `graph`, X
holds indices or ids of nodes of that graph, or, if it is a set of graphs, indices of graphs.

Parameters
----------
    graph : a whole graph or edges, as wgdn.dataset() takes them, default None
        The graph whose nodes X selects. scikit-learn copies parameters; a Dataset is not copied.
{MEMORY}
{_options.describe(_options.FIT)}

{ALIASES}

Attributes
----------
    parts_ : what the vectors are made of: a list of dictionaries with name, dim and scale
    scales_ : how well each scale that was compared predicts a node's features from its neighbours,
        as a cosine; empty if the scale was given or there are no features
    n_features_in_ : number of features
    ids_ : ids of the nodes of fit(), or None

Examples
--------
>>> import wgdn
>>> edges = {{"source": ["Ann", "Bob", "Cid", "Dan"], "target": ["Bob", "Cid", "Dan", "Ann"]}}
>>> model = wgdn.FilterEmbedding(dim=8).fit(edges=edges)
>>> model.ids_.tolist()
['Ann', 'Bob', 'Cid', 'Dan']
>>> grown = {{"source": ["Eve", *edges["source"]], "target": ["Ann", *edges["target"]]}}
>>> vectors = model.embed(edges=grown)                              # in the same space
>>> vectors["Eve"].shape == vectors["Ann"].shape
True

With scikit-learn, X selects nodes of the graph, by id or by index:

>>> model = wgdn.FilterEmbedding(graph=wgdn.dataset(edges=edges), dim=8)
>>> len(model.fit_transform([["Bob"], ["Ann"]]))
2
"""
