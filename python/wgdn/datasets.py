# SPDX-License-Identifier: Apache-2.0
"""
Sample data, the same as that of the program's `wgdn demo NAME`.

    paths = wgdn.datasets.write("transactions")
    E = wgdn.embed(paths["transactions.csv"], paths["accounts.csv"], weight="amount")

The countries are real; everything else is made up, the same on every machine, and free to use and share.
"""
import os
from typing import Union

from . import _core
from ._errors import InvalidError

__all__ = ["names", "write"]


def names() -> dict[str, str]:
    """Return what there is: the name of each set, and what it holds."""
    return _core.demo_files()


def write(name: str, folder: Union[str, "os.PathLike[str]", None] = None) -> dict[str, str]:
    """
    Write the files of a set into a folder, and return their paths by name.

    Parameters
    ----------
    name : str
        One of `names()`.
    folder : path, optional
        The folder, which may exist. By default it has the name of the set.

    Returns
    -------
    dict
        The name of each file, and its path.
    """
    files = _core.demo_files(name)
    if not files:
        raise InvalidError(f"{name!r} is not sample data; use one of {', '.join(names())}")
    folder = os.fspath(name if folder is None else folder)
    os.makedirs(folder, exist_ok=True)
    paths = {}
    for file, _, text in files:
        paths[file] = os.path.join(folder, file)
        with open(paths[file], "w", encoding="utf-8") as f:
            f.write(text)
    return paths
