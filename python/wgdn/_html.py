# SPDX-License-Identifier: Apache-2.0
"""What a notebook shows of datasets and embeddings."""
from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any


def table(caption: str, rows: Sequence[Sequence[Any]]) -> str:
    """Rows of a heading and cells; everything is quoted."""
    lines = [f"<tr><th>{escape(str(row[0]))}</th>"
             + "".join(f"<td>{escape(str(cell))}</td>" for cell in row[1:]) + "</tr>"
             for row in rows]
    return f"<table><caption>{escape(caption)}</caption>{''.join(lines)}</table>"
