# SPDX-License-Identifier: Apache-2.0
"""The closed form, in one call."""
from __future__ import annotations

import inspect
import os
from typing import TYPE_CHECKING, Any, Optional, cast

import numpy as np
from numpy.typing import NDArray

from . import _core, _options
from ._base import Estimator, has_edges
from ._build import dataset
from ._dataset import Dataset, read
from ._errors import ArgumentError, InvalidError, own_errors, warn
from ._kinds import is_anndata, is_dgl, is_igraph, is_networkx
from ._keywords import FitFields
from ._parquet import is_parquet
from ._params import signature

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from ._keywords import EmbedKeywords, FitKeywords

WORDS = _options.FIT["features"].choices


class ClosedForm(FitFields, Estimator):
    """FilterEmbedding without scikit-learn."""

    _kind = "fitted"
    _table = _options.FIT
    _own = {"graph": None, "memory": None}

    def __init__(self, *, graph: Any = None, memory: Any = None,
                 **options: Unpack[FitKeywords]) -> None:
        super().__init__(graph=graph, memory=memory, **options)

    def _option_texts(self) -> dict[str, str]:
        given = self.get_params()
        chosen = given["scale"] is None or isinstance(given["scale"], str) and \
            given["scale"] == "auto"
        given["scale"] = self._table["scale"].default if chosen else given["scale"]
        return _options.texts(self._table, {name: given[name] for name in self._table})

    def _make(self, data: Dataset, embeds: bool) -> _core.ModelHandle:
        model = _core.fit(data._handle, self._option_texts(), embeds)
        self.parts_, self.scales_ = _core.model_parts(model)
        for what, text in _core.model_remarks(model):
            if what != "fewer-columns":  # the shape shows it
                warn(text)
        return model

    def _take_facts(self, model: _core.ModelHandle, facts: dict[str, Any]) -> None:
        self.parts_, self.scales_ = _core.model_parts(model)

    def _check_features(self, data: Dataset) -> None:
        if _core.model_facts(self._model)[2]:  # else it looks at none
            super()._check_features(data)

    @classmethod
    def _from_model(cls, model: _core.ModelHandle, graph: Any) -> Self:
        loaded = super()._from_model(model, graph)
        loaded.parts_, loaded.scales_ = _core.model_parts(model)
        return loaded

    # Set by fit().
    parts_: list[dict[str, Any]]
    scales_: dict[float, float]


def _arrange(graph: Any, features: Any) -> tuple[Any, Any]:
    """X and edges of an estimator, from a graph and its features."""
    if is_parquet(graph) and (features is None or is_parquet(features)):
        return dataset(features, graph), None
    file = isinstance(graph, (str, bytes, os.PathLike))
    if features is None:
        return (read(graph), None) if file else (graph, None) if has_edges(graph) else (None, graph)
    if isinstance(features, (str, bytes, os.PathLike)):
        if file:
            return read(graph, features=features), None
        raise InvalidError(f"features = {features!r}: it may be {', '.join(WORDS)}, or a matrix with "
                           "a row for each node; a file of features goes with a file of edges")
    if file:
        raise InvalidError("the graph is a file: pass the file of its features, or "
                           "wgdn.dataset(features, edges)")
    if has_edges(graph) and not is_networkx(graph) and not is_igraph(graph) and not is_dgl(graph):
        raise InvalidError("the graph brings its own features: leave features out, or pass its edges "
                           "in place of the graph")
    return features, graph


@own_errors
def embed(graph: Any, features: Any = None, *, use_rep: Optional[str] = None,
          key_added: Optional[str] = None, **options: Unpack[EmbedKeywords]
          ) -> NDArray[np.float32]:
    # The docstring is built below, from the option table.
    for name in _options.resolve(_options.FIT, cast("dict[str, Any]", options)):
        if name not in _options.FIT:
            raise ArgumentError(_options.refusal("embed", name, _options.FIT))
    word = isinstance(features, str) and features in WORDS
    model = ClosedForm(**options)
    if word:
        model.features = cast(Any, features)
    if key_added is not None and not is_anndata(graph):
        raise InvalidError("key_added goes with an AnnData")
    X, edges = _arrange(graph, None if word else features)
    if is_anndata(graph):
        made = model.fit_transform(dataset(graph, use_rep=use_rep))
        graph.obsm["X_wgdn" if key_added is None else key_added] = made
        return made
    if use_rep is not None:
        raise InvalidError("use_rep goes with an AnnData")
    return model.fit_transform(X, edges=edges)


ALIASES = """The aliases `n_components` (dim), `n_jobs` (threads) and `random_state` (seed) are
accepted. `scale` may be None or "auto" instead of -1."""

embed.__signature__ = signature(  # type: ignore[attr-defined]
    {"use_rep": None, "key_added": None,
     **{o.name: o.default for o in _options.FIT.values() if o.name != "features"}},
    inspect.Parameter("graph", inspect.Parameter.POSITIONAL_OR_KEYWORD),
    inspect.Parameter("features", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None))
embed.__doc__ = f"""
Embeddings of the nodes of a graph by the closed form, in one call: no training, no labels.

    Z = wgdn.embed(A, X)                 # adjacency matrix or edges, and features
    Z = wgdn.embed(G)                    # NetworkX, PyTorch Geometric, AnnData, a Dataset
    Z = wgdn.embed("graph.tsv")          # a file, as in `wgdn embed graph.tsv`

Returns a float32 array with a row for each node, in node order, with the bits of `wgdn embed`.
FilterEmbedding is the same with a model, which keeps the ids, can be saved and embeds graphs that
come later. WGDN is the autoencoder, which is trained: try it where minutes do not matter.

Parameters
----------
    graph : edges as in wgdn.dataset(), or anything that it takes as a whole graph
    features : array, SciPy sparse matrix, DataFrame, or one of {', '.join(map(repr, WORDS))}
        A row for each node; with a file of edges, a file. A word says what embeddings are made of,
        with the features that the graph brings: wgdn.embed(wgdn.dataset(X, A), "both"). None is
        "auto": features if there are any, and the graph's structure where they need it.
    use_rep, key_added : of an AnnData, the keys of obsm that hold the features (default: its X) and
        get the vectors (default "X_wgdn")
{_options.describe(_options.FIT, omit=["features"])}

{ALIASES}

Examples
--------
>>> import numpy as np
>>> import wgdn
>>> edges = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3)]     # two triangles
>>> X = np.array([[1, 0], [1, 1], [1, 0], [0, 1], [0, 1], [1, 2]])
>>> Z = wgdn.embed(edges, X, dim=8)
>>> Z.shape[0], Z.dtype
(6, dtype('float32'))
>>> Z.tobytes() == wgdn.embed(edges, X, dim=8, threads=2).tobytes()
True
"""
