# SPDX-License-Identifier: Apache-2.0
"""The autoencoder as a scikit-learn estimator."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, cast

from . import _core, _options
from ._base import Estimator
from ._dataset import Dataset
from ._keywords import TrainFields
from ._params import describe_init
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


class WGDN(TrainFields, Estimator):
    # The docstring is built below, from the option table.

    _kind = "trained"
    _table = _options.TRAIN
    _own = {"graph": None, "checkpoint": None, "checkpoint_every": 0, "callback": None,
            "progress": None}

    def __init__(self, *, graph: Any = None, checkpoint: Optional[Path] = None,
                 checkpoint_every: int = 0, callback: Optional[Callback] = None,
                 progress: Optional[bool] = None, **options: Unpack[TrainKeywords]) -> None:
        super().__init__(graph=graph, **options)
        self.checkpoint = checkpoint
        self.checkpoint_every = checkpoint_every
        self.callback = callback
        self.progress = progress

    @classmethod
    def from_preset(cls, name: str, **options: Unpack[TrainKeywords]) -> Self:
        """An estimator with the settings of a preset; options override them."""
        if name not in _core.preset_names():
            raise ValueError(f"unknown preset {name!r}; expected one of "
                             f"{', '.join(_core.preset_names())}")
        return cls(**cast("TrainKeywords", {**_options.values(_options.TRAIN, _core.preset(name)),
                                            **_options.resolve(_options.TRAIN, options)}))

    def _make(self, data: Dataset) -> _core.ModelHandle:
        texts = self._option_texts()
        check_memory(data, texts)
        watcher = Watcher(self.callback, self.progress)
        try:
            model = _core.train(data._handle, texts, self.checkpoint, self.checkpoint_every, False,
                                watcher)
        finally:
            watcher.close()
        self.n_iter_ = watcher.first + len(watcher.losses)
        self.loss_curve_ = watcher.losses
        self.loss_ = watcher.losses[-1] if watcher.losses else float("nan")
        return model

    @classmethod
    def _from_model(cls, model: _core.ModelHandle, graph: Any) -> Self:
        loaded = super()._from_model(model, graph)
        loaded.n_iter_ = loaded.epochs
        loaded.loss_curve_, loaded.loss_ = [], float("nan")
        return loaded

    # Set by fit().
    n_iter_: int
    loss_: float
    loss_curve_: list[float]


describe_init(WGDN)
WGDN.__doc__ = f"""
Self-supervised node and graph embeddings by the Wiener Graph Deconvolutional Network.

    Z = WGDN(dim=64).fit_transform(X, edges=A)

A scikit-learn transformer. With `graph`, X holds indices or ids of nodes of that graph, or, of a set of graphs, their indices:
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
"""
