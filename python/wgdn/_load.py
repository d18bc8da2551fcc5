# SPDX-License-Identifier: Apache-2.0
"""Models of either kind from their files."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

from . import _core
from ._errors import own_errors

if TYPE_CHECKING:
    from ._core import Path
    from ._estimator import WGDN
    from ._filter import FilterEmbedding


@own_errors
def load(path: Path, *, graph: Any = None) -> Union[WGDN, FilterEmbedding]:
    """Read a model of either kind, of save() or of the program: a WGDN or a FilterEmbedding."""
    from ._estimator import WGDN
    from ._filter import FilterEmbedding

    model = _core.model_load(path)
    if _core.model_facts(model)[0] == "trained":
        return WGDN._from_model(model, graph)
    return FilterEmbedding._from_model(model, graph)
