# SPDX-License-Identifier: Apache-2.0
"""The autoencoder, which is trained."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, cast

from . import _core, _options
from ._base import Estimator
from ._dataset import Dataset
from ._errors import ArgumentError, InvalidError
from ._keywords import TrainFields
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


class Autoencoder(TrainFields, Estimator):
    """WGDN without scikit-learn."""

    _kind = "trained"
    _table = _options.TRAIN
    _own = {"graph": None, "memory": None, "checkpoint": None, "checkpoint_every": 0, "callback": None,
            "progress": None}

    def __init__(self, *, graph: Any = None, memory: Any = None,
                 checkpoint: Optional[Path] = None, checkpoint_every: int = 0, callback: Optional[Callback] = None,
                 progress: Optional[bool] = None, **options: Unpack[TrainKeywords]) -> None:
        super().__init__(graph=graph, memory=memory, **options)
        self.checkpoint = checkpoint
        self.checkpoint_every = checkpoint_every
        self.callback = callback
        self.progress = progress

    @classmethod
    def from_preset(cls, name: str, **options: Unpack[TrainKeywords]) -> Self:
        """An estimator with the settings of a preset; options override them."""
        if name not in _core.preset_names():
            raise InvalidError(f"unknown preset {name!r}; expected one of "
                               f"{', '.join(_core.preset_names())}")
        return cls(**cast("TrainKeywords", {**_options.values(_options.TRAIN, _core.preset(name)),
                                            **_options.resolve(_options.TRAIN, options)}))

    def _make(self, data: Dataset, embeds: bool) -> _core.ModelHandle:
        if self.callback is not None and not callable(self.callback):
            raise ArgumentError(f"callback = {self.callback!r}: expected a function or None")
        if not hasattr(self.checkpoint_every, "__index__") or self.checkpoint_every < 0:
            raise InvalidError(f"checkpoint_every = {self.checkpoint_every!r}: expected an integer "
                               "of at least 0")
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

    def _facts(self) -> dict[str, Any]:
        return {"n_iter": self.n_iter_, "loss_curve": self.loss_curve_}

    def _take_facts(self, model: _core.ModelHandle, facts: dict[str, Any]) -> None:
        self.n_iter_, self.loss_curve_ = facts["n_iter"], facts["loss_curve"]
        self.loss_ = self.loss_curve_[-1] if self.loss_curve_ else float("nan")

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
