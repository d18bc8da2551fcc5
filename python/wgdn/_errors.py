# SPDX-License-Identifier: Apache-2.0
"""
Errors that the package raises beside those of the library, and warnings. Every error is a wgdn.Error and also the
built-in exception that people catch. Every warning names the line of the caller, outside the package.
"""
from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Callable
from typing import Any, TypeVar, cast

from ._core import Error, FileError, InvalidError

__all__ = ["ArgumentError", "InvalidError", "MissingFileError", "PackageError", "UnknownIdError", "deprecated",
           "not_fitted", "old_names", "own_errors", "warn"]


class ArgumentError(Error, TypeError):
    """An argument is unknown or has the wrong type."""


class UnknownIdError(Error, KeyError):
    """No node or vector has this id."""

    def __str__(self) -> str:  # KeyError would print the quotes of repr()
        return str(self.args[0]) if self.args else ""


class MissingFileError(FileError, FileNotFoundError):
    """A file does not exist."""


class PackageError(Error, ImportError):
    """A package that this call needs is not installed."""


for _kind in (ArgumentError, UnknownIdError, MissingFileError, PackageError):
    _kind.__module__ = "wgdn"


def not_fitted(text: str) -> Exception:
    """An error that is also scikit-learn's own where scikit-learn is in use."""
    if "sklearn" not in sys.modules:
        return InvalidError(text)
    from sklearn.exceptions import NotFittedError

    kind: Any = type("NotFittedError", (InvalidError, NotFittedError), {"__module__": "wgdn"})
    error: Exception = kind(text)
    return error


Call = TypeVar("Call", bound=Callable[..., Any])


def own_errors(call: Call) -> Call:
    """Raise the package's own errors where NumPy or a conversion of arguments raised a built-in one."""
    @functools.wraps(call)
    def checked(*args: Any, **named: Any) -> Any:
        try:
            return call(*args, **named)
        except Error:
            raise
        except TypeError as error:
            raise ArgumentError(*error.args) from error
        except ValueError as error:
            raise InvalidError(str(error)) from error

    return cast(Call, checked)


# Packages that only hand on what the caller asked for.
_PASSED = ("wgdn", "sklearn", "joblib")


def warn(text: str, kind: type[Warning] = UserWarning) -> None:
    """Warn with the first line outside this package, also where scikit-learn called it."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).partition(".")[0] in _PASSED:
        frame, level = frame.f_back, level + 1
    warnings.warn(text, kind, stacklevel=level)


def deprecated(old: str, new: str) -> None:
    """Warn that a name is another one now."""
    warn(f"{old} is deprecated and will be removed in the next release: use {new}", DeprecationWarning)


def old_names(**new_names: str) -> Callable[[Call], Call]:
    """Accept keywords of the release before, with a warning."""
    def decorate(call: Call) -> Call:
        @functools.wraps(call)
        def renamed(*args: Any, **named: Any) -> Any:
            for old in new_names.keys() & named.keys():
                new = new_names[old]
                if new in named:
                    raise ArgumentError(f"{call.__name__}() got both {new}= and {old}=, its old name")
                deprecated(f"{old}= of {call.__name__}()", f"{new}=")
                named[new] = named.pop(old)
            return call(*args, **named)

        return cast(Call, renamed)

    return decorate
