# SPDX-License-Identifier: Apache-2.0
"""The scikit-learn estimator."""
from __future__ import annotations

import os
import sys
import warnings
from typing import TYPE_CHECKING, Any, Optional, cast

import numpy as np
from numpy.typing import NDArray

from . import _core, _options
from ._dataset import Dataset, dataset
from ._embedding import Embedding
from ._inputs import is_anndata, is_whole
from ._params import Parameters, signature
from ._progress import Callback, Watcher

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from ._core import Path
    from ._keywords import TrainKeywords

def check_memory(data: Dataset, texts: dict[str, str]) -> None:
    """Raise before the first epoch if memory will not suffice."""
    need = _core.estimate(data._handle, texts)
    more = need["total_bytes"] - need["dataset_bytes"]  # the dataset is in memory already
    there = _core.machine()["memory_available"]
    if 0 <= there < more:
        raise _core.NoMemoryError(
            f"training needs {more / 1e9:.1f} GB more, and {there / 1e9:.1f} GB are available; "
            "reduce dim; wgdn.estimate() shows how much a setting needs")


class WGDN(Parameters):
    # The docstring is built below, from the option table.

    def __init__(self, *, graph: Any = None, checkpoint: Optional[Path] = None,
                 checkpoint_every: int = 0, callback: Optional[Callback] = None,
                 progress: Optional[bool] = None, **options: Unpack[TrainKeywords]) -> None:
        named = _options.resolve(_options.TRAIN, options)
        for name in named:
            if name not in _options.TRAIN:
                raise TypeError(f"WGDN() has no parameter {name!r}")
        self.graph = graph
        self.checkpoint = checkpoint
        self.checkpoint_every = checkpoint_every
        self.callback = callback
        self.progress = progress
        for option in _options.TRAIN.values():
            setattr(self, option.name, named.get(option.name, option.default))

    @classmethod
    def from_preset(cls, name: str, **options: Unpack[TrainKeywords]) -> Self:
        """An estimator with the settings of a preset; options override them."""
        if name not in _core.preset_names():
            raise ValueError(f"unknown preset {name!r}; expected one of "
                             f"{', '.join(_core.preset_names())}")
        return cls(**cast("TrainKeywords", {**_options.values(_core.preset(name)),
                                              **_options.resolve(_options.TRAIN, options)}))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the columns of the embedding."""
        self._check_fitted()
        return np.array([f"wgdn{i}" for i in range(self._dim)], dtype=object)

    def _check_fitted(self) -> None:
        if hasattr(self, "_model"):
            return
        text = "This WGDN instance is not fitted yet: call fit() or load() first."
        if "sklearn" in sys.modules:
            from sklearn.exceptions import NotFittedError

            raise NotFittedError(text)
        raise ValueError(text)

    def _option_texts(self) -> dict[str, str]:
        return _options.texts(_options.TRAIN, {n: getattr(self, n) for n in _options.TRAIN})

    # ---- data ----

    def _whole_graph(self) -> Dataset:
        return dataset(self.graph)

    def _gather(self, X: Any, edges: Any) -> Dataset:
        """The dataset to fit or embed if the estimator has no graph of its own."""
        if X is None and edges is None:
            raise ValueError("nothing to embed: pass X, edges or both")
        return dataset(X, edges)

    def _find_nodes(self, X: Any, data: Dataset) -> Optional[NDArray[np.int64]]:
        """Row indices of the nodes in X, given by id or by index; None for all."""
        if X is None:
            return None
        names = np.asarray(X)
        if names.ndim == 2 and names.shape[1] == 1:
            names = names[:, 0]
        if names.ndim != 1:
            raise ValueError(f"the estimator has a graph, so X holds indices or ids of its nodes: "
                             f"expected one column, got shape {names.shape}")
        if data.ids is not None:
            place = {name: i for i, name in enumerate(data.ids)}
            return np.array([place[name] for name in names.tolist()], np.int64)
        rows = names.astype(np.int64)
        if (rows != names).any() or ((rows < 0) | (rows >= data.nodes)).any():
            raise ValueError(f"X has node indices outside 0 .. {data.nodes - 1}")
        return rows

    def _check_features(self, data: Dataset) -> None:
        if data.n_features and data.n_features != self.n_features_in_:  # 0: structural features
            raise ValueError(f"X has {data.n_features} features, but WGDN is expecting "
                             f"{self.n_features_in_} features as input")
        before = getattr(self, "feature_names_in_", None)
        now = data.feature_names
        if before is None and now is not None:
            warnings.warn("X has feature names, but WGDN was fitted without feature names",
                          UserWarning, stacklevel=4)
        elif before is not None and now is None:
            warnings.warn("X does not have valid feature names, but WGDN was fitted with feature "
                          "names", UserWarning, stacklevel=4)
        elif before is not None and list(before) != list(now if now is not None else ()):
            raise ValueError(_other_names(list(before), list(now if now is not None else ())))

    # ---- fit and embed ----

    def fit(self, X: Any = None, y: Any = None, *, edges: Any = None) -> Self:
        """
        Train on a graph; X and edges as in :func:`wgdn.dataset`, y is ignored.

        Ctrl-C stops after the current step. With `checkpoint`, the next fit() resumes the run.
        """
        if self.graph is not None:
            if edges is not None:
                raise ValueError("the estimator has a graph, so edges= is not allowed")
            data = self._whole_graph()
            self._find_nodes(X, data)
        else:
            data = self._gather(X, edges)
            if edges is None and not is_whole(X) and data.edges == 0 and \
                    not isinstance(X, (Dataset, str, bytes, os.PathLike)):
                warnings.warn("no edges were given, so every node is isolated; pass edges=",
                              UserWarning, stacklevel=2)
        self._fit(data)
        self._needs_edges = edges is not None
        return self

    def _fit(self, data: Dataset) -> None:
        texts = self._option_texts()
        check_memory(data, texts)
        watcher = Watcher(self.callback, self.progress)
        try:
            self._model = _core.train(data._handle, texts, self.checkpoint, self.checkpoint_every,
                                      False, watcher)
        finally:
            watcher.close()
        self._dim = _core.model_facts(self._model)[0]
        self.n_features_in_ = data.n_features
        self.n_iter_ = watcher.first + len(watcher.losses)
        self.loss_curve_ = watcher.losses
        self.loss_ = watcher.losses[-1] if watcher.losses else float("nan")
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
        return out

    def fit_transform(self, X: Any = None, y: Any = None, *, edges: Any = None
                      ) -> NDArray[np.float32]:
        """Train and return the embeddings of the nodes, or of the graphs if there are several."""
        if self.graph is not None:
            return self.fit(X, y, edges=edges).transform(X)
        data = X if isinstance(X, Dataset) and edges is None else None
        if data is None and (is_whole(X) or edges is not None):
            data = self._gather(X, edges)
            self._fit(data)
            self._needs_edges = edges is not None
        else:
            self.fit(X, y, edges=edges)
            data = self._gather(X, edges)
        return self._deliver(X, self._embed(data))

    def transform(self, X: Any = None, *, edges: Any = None) -> NDArray[np.float32]:
        """
        Embeddings of nodes. If the estimator has a graph, X selects nodes of it; otherwise X and
        edges define a graph, which need not be the one of fit().
        """
        self._check_fitted()
        if hasattr(self, "_vectors"):
            rows = self._find_nodes(X, self._whole_graph())
            return self._vectors if rows is None else self._vectors[rows]
        if X is not None and edges is None and self._needs_edges and not is_whole(X) and \
                not isinstance(X, (Dataset, str, bytes, os.PathLike)):
            raise ValueError("fit() was given edges; transform() needs the edges of these nodes "
                             "as well. In a pipeline, where none can be passed, use "
                             "WGDN(graph=...)")
        data = self._gather(X, edges)
        self._check_features(data)
        return self._deliver(X, self._embed(data))

    def embed(self, X: Any = None, *, edges: Any = None) -> Embedding:
        """Embeddings, with ids if there are any, of a new or a grown graph."""
        self._check_fitted()
        if self.graph is not None and X is None and edges is None:
            return Embedding(self._vectors, self.ids_)
        data = self._gather(X, edges)
        self._check_features(data)
        return Embedding(self._deliver(X, self._embed(data)),
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
    def load(cls, path: Path, *, graph: Any = None) -> Self:
        """Read a model of save() or of the program, with its training parameters."""
        model = _core.model_load(path)
        dim, features, texts = _core.model_facts(model)
        options = _options.values(texts)
        loaded = cls(graph=graph, **cast("TrainKeywords", options))
        loaded._model, loaded._dim = model, dim
        loaded.n_features_in_ = features
        loaded.n_iter_ = options["epochs"]
        loaded.loss_curve_, loaded.loss_ = [], float("nan")
        loaded.ids_ = None
        loaded._needs_edges = False
        if graph is not None:
            data = loaded._whole_graph()
            loaded._vectors, loaded.ids_ = loaded._embed(data), data.ids
        return loaded

    # Set by fit().
    n_features_in_: int
    n_iter_: int
    loss_: float
    loss_curve_: list[float]
    ids_: Optional[NDArray[np.object_]]
    feature_names_in_: NDArray[np.object_]
    _model: _core.ModelHandle
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


WGDN.__init__.__signature__ = signature()  # type: ignore[attr-defined]
WGDN.__doc__ = f"""
Self-supervised node and graph embeddings by the Wiener Graph Deconvolutional Network.

    Z = WGDN(dim=64).fit_transform(X, edges=A)

A scikit-learn transformer. With `graph`, X holds indices or ids of nodes of that graph:
cross-validation then splits X, while every fit trains on the whole graph, without labels.

Parameters
----------
    graph : anything that wgdn.dataset() takes as X, default None
        The graph whose nodes X selects. scikit-learn copies parameters; a Dataset is not copied.
    checkpoint : path, default None
        Where a stopped run saves its state; a run with the same data and options resumes from
        there and gives the same bits.
    checkpoint_every : int, default 0
        Epochs between checkpoints; 0: only when the run is stopped.
    callback : callable, default None
        Called with a wgdn.Progress after every epoch; a true return value stops the run with
        StoppedError.
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
"""
