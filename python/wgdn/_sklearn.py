# SPDX-License-Identifier: Apache-2.0
"""
scikit-learn's base classes, or nothing where it is not installed. Only the modules of the two public
estimators import this one, and `import wgdn` does not import those: scikit-learn takes half a second.
"""
from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from typing_extensions import Self

    class Learner:
        """What scikit-learn adds to an estimator that has its methods."""

        def set_output(self, *, transform: Any = None) -> Self: ...
        def set_fit_request(self, *, edges: Any = ...) -> Self: ...
        def set_transform_request(self, *, edges: Any = ...) -> Self: ...
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
            return strict(self, X, *args, **more)

        return call

    for name in ("transform", "fit_transform"):
        setattr(cls, name, loosen(cls.__dict__[name]))
    return cls
