# SPDX-License-Identifier: Apache-2.0
"""Parameters by name, pickling, tags: scikit-learn's protocol, with or without scikit-learn."""
from __future__ import annotations

import inspect
import os
import tempfile
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from . import _core, _options
from ._errors import ArgumentError, InvalidError

if TYPE_CHECKING:
    from typing_extensions import Self


# What both estimators say of a parameter.
MEMORY = """    memory : path or joblib.Memory, default None
        A folder of models that were made before: the same data and options, with any number of
        threads, find theirs there. A search over a classifier behind the embedding makes it once."""


class Parameters:
    """Parameters of an estimator, and how it is copied."""

    _table: ClassVar[Mapping[str, _options.Option]]  # options of the library
    _own: ClassVar[Mapping[str, Any]]  # parameters of the Python estimator only, with defaults
    _model: _core.ModelHandle  # once it is fitted

    @classmethod
    def _defaults(cls) -> dict[str, Any]:
        return {**cls._own, **{o.name: o.default for o in cls._table.values()}}

    def _set_options(self, options: Mapping[str, Any]) -> None:
        """What __init__ does with the options of the library."""
        named = _options.resolve(self._table, options)
        for name in named:
            if name not in self._table:
                raise ArgumentError(_options.refusal(type(self).__name__, name, self._defaults()))
        for option in self._table.values():
            setattr(self, option.name, named.get(option.name, option.default))

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name; `deep` is ignored."""
        return {name: getattr(self, name) for name in self._defaults()}

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name."""
        names = self._defaults()
        for name, value in _options.resolve(self._table, params).items():
            if name not in names:
                raise InvalidError(f"Invalid parameter {name!r} for estimator "
                                   f"{type(self).__name__}. Valid parameters are: "
                                   f"{', '.join(names)}")
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
        default = self._defaults()
        other = [f"{name}={value!r}" for name, value in self.get_params().items()
                 if not (value is default[name] or np.array_equal(value, default[name]))]
        return f"{type(self).__name__}({', '.join(other)})"

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


def signature(defaults: Mapping[str, Any], *first: inspect.Parameter) -> inspect.Signature:
    """Signature for help() and scikit-learn: every keyword with its default."""
    return inspect.Signature(
        [*first] + [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
                    for name, default in defaults.items()])


def describe_init(cls: type[Parameters]) -> None:
    """Give a class the signature of its parameters."""
    itself = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    cls.__init__.__signature__ = signature(cls._defaults(), itself)  # type: ignore[attr-defined]
