# SPDX-License-Identifier: Apache-2.0
"""Options as Python values. Names, types, defaults and ranges come from the library's tables."""
from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Optional

from . import _core
from ._errors import ArgumentError, InvalidError, deprecated


@dataclass(frozen=True)
class Option:
    name: str
    key: str  # its name in the library
    type: str
    choices: tuple[str, ...]
    default: Any
    range: str
    help: str


# Well-known names of other libraries.
ALIASES = {"lr": "learning_rate", "n_components": "dim", "n_jobs": "threads",
           "random_state": "seed"}
# Names of the library that are others in Python, by table.
RENAMED = {"train": {"features": "structural_features"}}
FORMER = {"binarise": "binarize", "fit": "approximation"}  # names of the release before
# Keywords of embed() and the like that are about the graph, not the vectors.
GRAPH_KEYWORDS = ("source", "target", "weight", "type", "graph_id", "bipartite", "directed", "weights", "ids", "id",
                  "nodes", "edge_types", "use_rep", "attributes", "feature_scale", "max_categories", "ignore", "memory",
                  "scratch")


def _seed(value: Any) -> Any:
    """A seed from what scikit-learn takes as random_state: an integer, None, or a generator of NumPy."""
    if hasattr(value, "randint"):
        return int(value.randint(2**31 - 1))
    return int(value.integers(2**31 - 1)) if hasattr(value, "integers") else value


def _former(table: Mapping[str, Option]) -> dict[str, str]:
    """The names that replace those that were accepted before."""
    return {**{old: new for old, new in FORMER.items() if new in table},
            **{option.key: option.name for option in table.values() if option.key != option.name}}


def plain_name(name: str, table: Mapping[str, Option]) -> str:
    """A keyword without its alias or former name."""
    name = ALIASES.get(name, name)
    return name if name in table else _former(table).get(name, name)


def resolve(table: Mapping[str, Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Keywords without aliases; random_state = None and n_jobs = None or -1 mean the default."""
    named: dict[str, Any] = {}
    old = _former(table)
    for alias, value in given.items():
        name = ALIASES.get(alias, alias)
        if name in old and name not in table:
            deprecated(f"{name}=", f"{old[name]}=")
            name = old[name]
        if name in named:
            raise ArgumentError(f"{name!r} is given twice, once by an alias")
        if alias == "random_state":
            value = _seed(value)
        if alias in ("random_state", "n_jobs") and value is not None \
                and not hasattr(value, "__index__"):
            raise InvalidError(f"{alias} = {value!r}: expected an integer or None")
        unset = alias != name and (value is None or (alias == "n_jobs" and value < 0))
        named[name] = table[name].default if unset and name in table else value
    return named


def _value(kind: str, text: Optional[str]) -> Any:
    """An option's text as a Python value; None if it is not set, or chosen by the data."""
    if text is None or kind == "boolean" and text == "auto":
        return None
    if kind in ("integer", "size"):
        return int(text)
    if kind == "number":
        return float(text)
    if kind == "boolean":
        return text == "yes"
    return text


def _read_table(table: str) -> dict[str, Option]:
    options = {}
    renamed = RENAMED.get(table, {})
    for key, kind, choices, default, allowed, text in _core.option_table(table):
        words = tuple(choices.split("|")) if choices else ()
        name = renamed.get(key, key)
        options[name] = Option(name, key, kind, words, _value(kind, default), allowed, text)
    return options


DATASET = _read_table("dataset")
TRAIN = _read_table("train")
FIT = _read_table("fit")
EVAL = _read_table("eval")
RESTORE = _read_table("restore")
PROJECTION = _read_table("projection")
PREDICT = _read_table("predict")
CLUSTER = _read_table("cluster")
RECOMMEND = _read_table("recommend")


def values(table: Mapping[str, Option], texts: Mapping[str, str]) -> dict[str, Any]:
    """The library's options as Python values."""
    return {name: _value(option.type, texts[option.key]) for name, option in table.items()}


# What users of tables and of other libraries write for the columns of edges, and for their parts.
MEANT = {"source": ("src", "user", "users", "customer", "sender", "head", "from_"),
         "target": ("dst", "destination", "item", "items", "product", "receiver", "tail", "to"),
         "weight": ("edge_weight", "rating", "ratings", "amount")}


def _column_meant(call: str, name: str, own: Iterable[str]) -> str:
    """The keyword for a column of edges that goes by another name."""
    plain = name.lower()
    for end in ("_column", "_col", "_id", "_ids", "_key"):
        plain = plain[:-len(end)] if plain.endswith(end) else plain
    found = next((word for word, others in MEANT.items() if plain == word or plain in others), None)
    if found is None or found not in own:
        return ""
    lists = {"source": "; users= are the ids to recommend for", "target": "; among= are the ids that may be listed"}
    return f"; the column is named by {found}=" + (lists.get(found, "") if call == "recommend" else "")


def refusal(call: str, name: str, own: Iterable[str]) -> str:
    """Why a keyword is refused, and what to write instead."""
    others = {"wgdn.WGDN, which trains a model": TRAIN, "wgdn.FilterEmbedding": FIT}
    own = list(own)
    known = [*own, *(alias for alias, named in ALIASES.items() if named in own)]
    text = f"{call}() has no parameter {name!r}"
    meant = _column_meant(call, name, own)
    if meant:
        return text + meant
    for other, table in others.items():
        if ALIASES.get(name, name) in table:
            return f"{text}: it belongs to {other}"
    import difflib

    near = difflib.get_close_matches(name, known, 1) or [n for n in known if name.startswith(n)]
    return f"{text}; did you mean {near[0]!r}?" if near else \
        f"{text}; expected one of {', '.join(known)}"


def _text(option: Option, value: Any) -> Any:
    """An option as text for the library, or as a path. Numbers keep all their digits."""
    if option.type == "path" and isinstance(value, (bytes, os.PathLike)):
        return value
    if option.type == "boolean" and not isinstance(value, str):
        return "yes" if value else "no"
    if option.type == "text" and option.default is not None and not isinstance(value, str):  # gamma=(0.1, 1, 10)
        numbers = value if isinstance(value, Iterable) else [value]
        try:
            return ",".join(repr(float(number)) for number in numbers)
        except (TypeError, ValueError):
            raise InvalidError(f"{option.name} = {value!r}: expected numbers") from None
    item = getattr(value, "item", None)
    if option.type in ("number", "integer") and item is not None:
        value = item()  # a NumPy scalar
    if option.type == "number" and isinstance(value, (int, float)):
        return repr(float(value))
    return str(value)


def texts(table: Mapping[str, Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Keywords as text for the library, which checks the values; unknown names raise here."""
    named = resolve(table, given)
    for name in named:
        if name in GRAPH_KEYWORDS and name not in table:
            raise ArgumentError(f"{name}= belongs to the graph: pass wgdn.Graph(..., {name}={given[name]!r})")
        if name not in table:
            raise ArgumentError(f"unknown option {name!r}; expected one of {', '.join(table)}")
    return {table[name].key: _text(table[name], value) for name, value in named.items()}


def describe(table: Mapping[str, Option], omit: Iterable[str] = ()) -> str:
    """The table as the parameter section of a docstring."""
    lines = []
    for option in table.values():
        if option.name in omit:
            continue
        kinds = {"integer": "int", "number": "float", "boolean": "bool", "text": "str"}
        kind = kinds.get(option.type) or "{" + ", ".join(map(repr, option.choices)) + "}"
        within = f", {option.range}" if option.range else ""
        lines.append(f"    {option.name} : {kind}{within}, default {option.default!r}")
        lines.append(f"        {option.help}.")
    return "\n".join(lines)
