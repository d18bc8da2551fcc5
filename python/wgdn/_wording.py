# SPDX-License-Identifier: Apache-2.0
"""Messages of the library in the words of Python: a command-line flag becomes the keyword of the same meaning."""
from __future__ import annotations

import inspect
import re

from . import _core

# A command in quotes stays as it is; a flag may be followed by a value.
_FLAG = re.compile(r"(?P<command>'wgdn [^']*')|(?<![\w-])--(?P<no>no-)?(?P<name>[a-z][a-z0-9]*(?:-[a-z0-9]+)*)"
                   r"(?:[ =](?P<value>\"[^\"]*\"|'[^']*'|[A-Z]{2,}\b|,(?=\s)|\d[\w.]*|[a-z][\w-]*))?")
# Names of columns that messages repeat, which may be any word: one that ends a part of the sentence is a value.
_COLUMNS = ("ignore", "id")


def _keywords() -> dict[str, tuple[str, tuple[str, ...]]]:
    """Type and choices of every keyword, of the option tables and of wgdn.read()."""
    from ._graph import read

    known: dict[str, tuple[str, tuple[str, ...]]] = {}
    for table in ("projection", "restore", "recommend", "cluster", "predict", "eval", "fit", "train"):
        for name, kind, choices, *_ in _core.option_table(table):
            known[name] = kind, tuple((choices or "").split("|"))
    keywords = inspect.signature(read).parameters
    for name, kind, choices, *_ in _core.option_table("dataset"):
        if name in keywords:
            known.setdefault(name, (kind, tuple((choices or "").split("|"))))
    return known


def _is_value(name: str, kind: str, choices: tuple[str, ...], value: str, rest: str) -> bool:
    if kind == "boolean":
        return value in ("yes", "no")
    if not value[0].islower():
        return True
    return value in choices or name in _COLUMNS and re.match(r"$|[:;]", rest) is not None


def as_keywords(text: str) -> str:
    """
    The text with keywords in place of flags.

    >>> as_keywords("try a smaller --learning-rate (0.1), or --decoder wiener")
    "try a smaller learning_rate= (0.1), or decoder='wiener'"
    """
    if "--" not in text:
        return text
    known = _keywords()

    def one(found: re.Match[str]) -> str:
        if found["command"]:
            return found[0]
        name, value = found["name"].replace("-", "_"), found["value"]
        if name not in known:
            return f"{found[0]} (of the program)" if value is None else found[0]
        kind, choices = known[name]
        if value is not None and _is_value(name, kind, choices, value, text[found.end():]):
            if kind == "boolean":
                return f"{name}={value == 'yes'}"
            bare = value.strip("\"'")
            return f"{name}={bare}" if bare[0].isdigit() else f"{name}={bare!r}"
        behind = "" if value is None else found[0][found.start("value") - found.start() - 1:]
        return f"{name}={not found['no']}{behind}" if kind == "boolean" else f"{name}={behind}"

    return _FLAG.sub(one, text)
