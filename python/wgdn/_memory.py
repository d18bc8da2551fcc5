# SPDX-License-Identifier: Apache-2.0
"""Models that were made before, in a folder, by data and options."""
from __future__ import annotations

import hashlib
import json
import os
from typing import Any, Optional

from . import _core
from ._dataset import Dataset
from ._errors import InvalidError
from ._sizes import bytes_in


def folder_of(memory: Any) -> Optional[str]:
    """A path, or a joblib.Memory as scikit-learn's pipelines take it."""
    if memory is None:
        return None
    if isinstance(memory, str) and memory[-1:].isalpha() and bytes_in(memory):
        raise InvalidError(f"memory = {memory!r}: it is a folder that models are kept in, as in "
                           "scikit-learn; a limit goes to wgdn.read(path, memory=...)")
    if isinstance(memory, (str, os.PathLike)):
        return os.fspath(memory)
    if hasattr(memory, "location"):
        return None if memory.location is None else os.path.join(memory.location, "wgdn")
    raise InvalidError(f"memory = {memory!r}: expected a folder or a joblib.Memory")


class Memory:
    """One model: its place, whether it is there or not."""

    def __init__(self, folder: str, kind: str, data: Dataset, texts: dict[str, str]) -> None:
        options = {name: text for name, text in texts.items() if name != "threads"}
        told = json.dumps([_core.version, kind, data._digest(), sorted(options.items())])
        key = hashlib.sha256(told.encode()).hexdigest()[:32]
        os.makedirs(folder, exist_ok=True)
        self._model, self._facts = (os.path.join(folder, f"{key}.{end}") for end in ("model", "json"))

    def find(self) -> Optional[tuple[_core.ModelHandle, dict[str, Any]]]:
        """The model and what was noted of it; None if it is not there, or not whole."""
        try:
            with open(self._facts) as f:
                return _core.model_load(self._model), json.load(f)
        except (OSError, ValueError, _core.Error):
            return None

    def keep(self, model: _core.ModelHandle, facts: dict[str, Any]) -> None:
        """Both files appear whole or not at all; two processes write the same."""
        mine = f"{self._facts}.{os.getpid()}"
        with open(mine, "w") as f:
            json.dump(facts, f)
        os.replace(mine, self._facts)
        _core.model_save(model, self._model)
