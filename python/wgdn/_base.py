# SPDX-License-Identifier: Apache-2.0
"""What every estimator does: data, embedding, files."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, ClassVar, Optional

import numpy as np
from numpy.typing import NDArray

from . import _core, _options
from ._build import dataset
from ._dataset import Dataset, read
from ._embedding import Embedding
from ._errors import InvalidError, not_fitted, own_errors, warn
from ._kinds import is_anndata, is_whole
from ._memory import Memory, folder_of
from ._params import Parameters
from ._parquet import is_parquet
from ._select import find_rows, refuse_edges

if TYPE_CHECKING:
    from typing_extensions import Self

    from ._core import Path

# What a model file holds, and the class that loads it.
CLASSES = {"trained": "WGDN", "fitted": "FilterEmbedding"}


def has_edges(x: Any) -> bool:
    """Whether an input is a whole graph: an object with edges, a Dataset or a file."""
    return is_whole(x) or isinstance(x, (Dataset, str, bytes, os.PathLike))


class Estimator(Parameters):
    """A transformer; a subclass makes the model."""

    _kind: ClassVar[str]  # "trained" or "fitted"

    def __init__(self, *, graph: Any = None, memory: Any = None, **options: Any) -> None:
        self._set_options(options)
        self.graph = graph
        self.memory = memory

    def _make(self, data: Dataset, embeds: bool) -> _core.ModelHandle:
        """A model of the data, whose embeddings may come next; sets the attributes that tell of it."""
        raise NotImplementedError

    def _facts(self) -> dict[str, Any]:
        """What _make() has noted beside the model, as JSON."""
        return {}

    def _take_facts(self, model: _core.ModelHandle, facts: dict[str, Any]) -> None:
        """Note the same of a model that was made before."""

    def _find_or_make(self, data: Dataset, embeds: bool) -> _core.ModelHandle:
        folder = folder_of(self.memory)
        if folder is None or getattr(self, "callback", None) is not None:
            return self._make(data, embeds)
        place = Memory(folder, self._kind, data, self._option_texts())
        found = place.find()
        if found is not None:
            self._take_facts(*found)
            return found[0]
        model = self._make(data, embeds)
        place.keep(model, self._facts())
        return model

    def _option_texts(self) -> dict[str, str]:
        return _options.texts(self._table, {n: getattr(self, n) for n in self._table})

    def _check_fitted(self) -> None:
        if hasattr(self, "_model"):
            return
        text = f"This {type(self).__name__} instance is not fitted yet: call fit() or load() first."
        raise not_fitted(text)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the columns of the embedding."""
        self._check_fitted()
        name = type(self).__name__.lower()
        return np.array([f"{name}{i}" for i in range(self._dim)], dtype=object)

    # ---- data ----

    def _whole_graph(self) -> Dataset:
        if has_edges(self.graph):
            return dataset(self.graph)
        return dataset(edges=self.graph)  # an adjacency matrix, pairs, a table

    def _gather(self, X: Any, edges: Any) -> Dataset:
        """The dataset to fit or embed if the estimator has no graph of its own."""
        if X is None and edges is None:
            raise InvalidError("nothing to embed: pass X, edges or both")
        return dataset(X, edges)

    def _find_rows(self, X: Any, data: Dataset) -> Optional[NDArray[np.int64]]:
        return find_rows(X, data, self._pools(data))

    def _check_features(self, data: Dataset) -> None:
        if data.n_features and data.n_features != self.n_features_in_:  # 0: structural features
            raise InvalidError(f"X has {data.n_features} features, but {type(self).__name__} is "
                               f"expecting {self.n_features_in_} features as input")
        before = getattr(self, "feature_names_in_", None)
        now = data.feature_names
        if before is None and now is not None:
            warn(f"X has feature names, but {type(self).__name__} was fitted without feature names")
        elif before is not None and now is None:
            warn(f"X does not have valid feature names, but {type(self).__name__} was fitted with "
                 "feature names")
        elif before is not None and list(before) != list(now if now is not None else ()):
            raise InvalidError(_other_names(list(before), list(now if now is not None else ())))

    def _learn_from(self, X: Any, edges: Any) -> Dataset:
        """The dataset of a fit."""
        if self.graph is not None:
            if edges is not None:
                raise InvalidError("the estimator has a graph, so edges= is not allowed")
            data = self._whole_graph()
            self._find_rows(X, data)
            return data
        data = self._gather(X, edges)
        if edges is None and not has_edges(X) and data.edges == 0:
            warn("no edges were given, so every node is isolated; pass edges=")
        return data

    # ---- fit and embed ----

    def fit(self, X: Any = None, y: Any = None, *, edges: Any = None) -> Self:
        """
        Fit to a graph; X and edges as in :func:`wgdn.dataset`, y is ignored.

        Ctrl-C stops after the current step. With a `checkpoint`, the next fit() resumes the run.
        """
        refuse_edges(X, y)
        self._fit(self._learn_from(X, edges))
        self._needs_edges = edges is not None
        return self

    def _fit(self, data: Dataset, embeds: bool = False) -> None:
        self._model = self._find_or_make(data, embeds or self.graph is not None)
        self._dim = _core.model_facts(self._model)[1]
        self.n_features_in_ = data.n_features
        self.ids_ = None if self._pools(data) else data.ids
        self.__dict__.pop("feature_names_in_", None)
        self.__dict__.pop("_vectors", None)
        if data.feature_names is not None:
            self.feature_names_in_ = data.feature_names
        if self.graph is not None:
            self._vectors = self._embed(data)

    def _pools(self, data: Dataset) -> bool:
        """Whether the embeddings are of graphs, not of nodes."""
        return self.task == "graph" or (self.task == "auto" and data.graphs > 1)

    def _embed(self, data: Dataset) -> NDArray[np.float32]:
        pools = self._pools(data)
        out = np.empty((data.graphs if pools else data.nodes, self._dim), np.float32)
        _core.model_embed(self._model, data._handle, out, int(self.threads), pools)
        if len(out) and not out.any():
            warn(f"all {len(out)} vectors are zeros: the graph has no edges and no features that "
                 "the model knows")
        return out

    def _embed_others(self, data: Dataset) -> NDArray[np.float32]:
        """Vectors of data that need not be those of the fit. Nodes that the model cannot place are zero, and told."""
        out = self._embed(data)
        zero = len(out) - int(out.any(axis=1).sum())
        if zero == 0 or self._pools(data):
            return out
        name = repr(data.ids[0]) if data.ids is not None else "0"
        if zero == len(out):
            own = "" if self.ids_ is None else f", such as {self.ids_[0]!r}"
            raise InvalidError(f"the model knows none of the {zero} nodes, such as {name}, nor their neighbors: it is "
                               f"made of the structure of the graph of fit() and finds nodes by their ids{own}. Use "
                               "the same ids, or fit to this graph")
        warn(f"{zero} of {len(out)} nodes have vectors of zeros: the model knows neither them nor their neighbors, or "
             "they have no edges and no features")
        return out

    def fit_transform(self, X: Any = None, y: Any = None, *, edges: Any = None
                      ) -> NDArray[np.float32]:
        """Fit and return the embeddings of the nodes, or of the graphs if there are several."""
        refuse_edges(X, y)
        if self.graph is not None:
            self.fit(X, y, edges=edges)
            return self._select(X)
        data = self._learn_from(X, edges)
        self._fit(data, embeds=True)
        self._needs_edges = edges is not None
        return self._deliver(X, self._embed(data))

    def transform(self, X: Any = None, *, edges: Any = None) -> NDArray[np.float32]:
        """
        Embeddings of nodes. If the estimator has a graph, X selects nodes of it; otherwise X and
        edges define a graph, which need not be the one of fit().
        """
        self._check_fitted()
        if hasattr(self, "_vectors"):
            if edges is not None:
                raise InvalidError("the estimator has a graph, so edges= is not allowed")
            return self._select(X)
        data = self._gather_like_fit(X, edges)
        return self._deliver(X, self._embed_others(data))

    def _select(self, X: Any) -> NDArray[np.float32]:
        rows = self._find_rows(X, self._whole_graph())
        return self._vectors if rows is None else self._vectors[rows]

    def _gather_like_fit(self, X: Any, edges: Any) -> Dataset:
        """The dataset to embed: with edges if fit() had some, and with its features."""
        if X is not None and edges is None and self._needs_edges and not has_edges(X):
            raise InvalidError("fit() was given edges; the edges of these nodes are needed as well: "
                               "pass edges=. In a pipeline, where none can be passed, use "
                               f"{type(self).__name__}(graph=...)")
        if isinstance(X, (str, bytes, os.PathLike)) and edges is None and not is_parquet(X):
            data = read(X, like=self)  # columns and weights as in the data of fit()
        else:
            data = self._gather(X, edges)
        self._check_features(data)
        return data

    def embed(self, X: Any = None, *, edges: Any = None) -> Embedding:
        """Embeddings, with ids if there are any, of a new or a grown graph."""
        self._check_fitted()
        if self.graph is not None and X is None and edges is None:
            return Embedding(self._vectors, self.ids_)
        data = self._gather_like_fit(X, edges)
        return Embedding(self._deliver(X, self._embed_others(data)),
                         None if self._pools(data) else data.ids)

    def _deliver(self, X: Any, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        if is_anndata(X):
            X.obsm["X_wgdn"] = vectors
        return vectors

    # ---- files ----

    def save(self, path: Path) -> None:
        """Write the model as safetensors, in the file format of the program."""
        self._check_fitted()
        _core.model_save(self._model, path)

    @classmethod
    @own_errors
    def load(cls, path: Path, *, graph: Any = None) -> Self:
        """Read a model of save() or of the program, with its parameters."""
        model = _core.model_load(path)
        kind = _core.model_facts(model)[0]
        if kind != cls._kind:
            raise InvalidError(
                f"{os.fsdecode(path)} holds a model that was {kind}, not {cls._kind}: load it with "
                f"wgdn.{CLASSES[kind]}.load(), or either kind with wgdn.load()")
        return cls._from_model(model, graph)

    @classmethod
    def _from_model(cls, model: _core.ModelHandle, graph: Any) -> Self:
        _, dim, features, texts = _core.model_facts(model)
        loaded = cls(graph=graph, **_options.values(cls._table, texts))
        loaded._model, loaded._dim = model, dim
        loaded.n_features_in_ = features
        loaded.ids_ = None
        loaded._needs_edges = False
        if graph is not None:
            data = loaded._whole_graph()
            loaded._vectors, loaded.ids_ = loaded._embed(data), data.ids
        return loaded

    # Parameters that every estimator has.
    graph: Any
    memory: Any
    task: Any
    threads: int
    # Set by fit().
    n_features_in_: int
    ids_: Optional[NDArray[np.object_]]
    feature_names_in_: NDArray[np.object_]
    _dim: int
    _needs_edges: bool
    _vectors: NDArray[np.float32]


def _other_names(before: list[Any], now: list[Any]) -> str:
    """The wording of scikit-learn, which its estimator checks expect."""
    lines = ["The feature names should match those that were passed during fit."]
    unseen = sorted(set(now) - set(before))
    missing = sorted(set(before) - set(now))
    if unseen:
        lines += ["Feature names unseen at fit time:", *(f"- {name}" for name in unseen[:5])]
    if missing:
        lines += ["Feature names seen at fit time, yet now missing:",
                  *(f"- {name}" for name in missing[:5])]
    if not unseen and not missing:
        lines.append("Feature names must be in the same order as they were in fit.")
    return "\n".join(lines) + "\n"
