# SPDX-License-Identifier: Apache-2.0
"""Numbers of bytes as people write them."""
from __future__ import annotations

from typing import Any, Optional

from . import _core
from ._errors import InvalidError


def bytes_in(text: str) -> Optional[int]:
    """Of '500M', '1.5G', '8GB' and '8GiB', each letter 1024 times the one before; else None."""
    return _core.size_parse(text)


def read_bytes(memory: Any) -> int:
    """0 for None: what there is."""
    if memory is None:
        return 0
    size = bytes_in(memory) if isinstance(memory, str) else memory
    if size is None or isinstance(size, bool) or not hasattr(size, "__index__") or size < 1:
        raise InvalidError(f"memory = {memory!r}: expected bytes, a number or such as '500M', '1.5G'")
    return int(size)
