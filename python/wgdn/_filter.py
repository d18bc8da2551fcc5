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

A scikit-learn transformer with the methods of WGDN. Nodes are told apart by their ids, so the order
of rows does not matter, and a grown graph is embedded in the space of the old one. With `graph`, X
holds indices or ids of nodes of that graph.

Parameters
----------
    graph : anything that wgdn.dataset() takes as X, default None
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
"""
