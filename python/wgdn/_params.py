# SPDX-License-Identifier: Apache-2.0
"""Parameters by name, pickling, tags: scikit-learn's protocol, with or without scikit-learn."""
from __future__ import annotations

import inspect
import os
import tempfile
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core, _options
from ._keywords import TrainFields

if TYPE_CHECKING:
    from typing_extensions import Self

# Parameters of the Python estimator only; the others come from the library's option table.
_OWN: dict[str, Any] = {"graph": None, "checkpoint": None, "checkpoint_every": 0, "callback": None,
                        "progress": None}


class Parameters(TrainFields):
    """Parameters of an estimator, and how it is copied."""

    _model: _core.ModelHandle  # once it is fitted

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name; `deep` is ignored."""
        return {name: getattr(self, name) for name in (*_OWN, *_options.TRAIN)}

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name."""
        for name, value in _options.resolve(_options.TRAIN, params).items():
            if name not in _OWN and name not in _options.TRAIN:
                raise ValueError(f"Invalid parameter {name!r} for estimator WGDN. Valid "
                                 f"parameters are: {', '.join((*_OWN, *_options.TRAIN))}")
            setattr(self, name, value)
        return self

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        return Tags(estimator_type="transformer", target_tags=TargetTags(required=False),
                    transformer_tags=TransformerTags(preserves_dtype=["float32"]),
                    input_tags=InputTags(sparse=True))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def __repr__(self) -> str:
        default = {**_OWN, **{o.name: o.default for o in _options.TRAIN.values()}}
        other = [f"{name}={value!r}" for name, value in self.get_params().items()
                 if not (value is default[name] or np.array_equal(value, default[name]))]
        return f"WGDN({', '.join(other)})"

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        if "_model" in state:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "model")
                _core.model_save(state["_model"], path)
                with open(path, "rb") as f:
                    state["_model"] = f.read()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "_model" in state:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "model")
                with open(path, "wb") as f:
                    f.write(state["_model"])
                self._model = _core.model_load(path)


def signature() -> inspect.Signature:
    """Signature of __init__ for help() and scikit-learn: every keyword with its default."""
    names = {**_OWN, **{o.name: o.default for o in _options.TRAIN.values()}}
    return inspect.Signature(
        [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)] +
        [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
         for name, default in names.items()])
