# SPDX-License-Identifier: Apache-2.0
"""Parquet files as tables, by pyarrow or DuckDB, whichever is installed."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Union

from ._errors import MissingFileError, PackageError

if TYPE_CHECKING:
    from typing_extensions import TypeGuard

ENDINGS = (".parquet", ".pq")


def is_parquet(x: Any) -> TypeGuard[Union[str, bytes, os.PathLike[str]]]:
    """Whether it is the name of a Parquet file."""
    return isinstance(x, (str, bytes, os.PathLike)) and os.fsdecode(x).lower().endswith(ENDINGS)


def read_parquet(path: Any) -> Any:
    """A table with the Arrow PyCapsule interface."""
    name = os.fsdecode(path)
    if not os.path.exists(name):
        raise MissingFileError(f"{name}: no such file")
    try:
        import pyarrow.parquet
    except ImportError:
        pass
    else:
        return pyarrow.parquet.read_table(name)
    try:
        import duckdb
    except ImportError:
        raise PackageError(f"{name}: Parquet files need pyarrow or duckdb: pip install pyarrow") \
            from None
    return duckdb.read_parquet(name)


def open_tables(x: Any, edges: Any) -> tuple[Any, Any]:
    """X and edges with tables in place of Parquet files. One file alone is a table of edges."""
    if is_parquet(x) and edges is None:
        return None, read_parquet(x)
    return (read_parquet(x) if is_parquet(x) else x), \
        (read_parquet(edges) if is_parquet(edges) else edges)
