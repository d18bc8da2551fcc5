# SPDX-License-Identifier: Apache-2.0
"""Datasets of objects in memory."""
from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Literal, Optional, Union

import numpy as np

from . import _core
from ._dataset import Dataset, read
from ._errors import InvalidError, own_errors
from ._inputs import Arrays, read_inputs
from ._parquet import open_tables


def _number_names(classes: Any) -> Optional[list[bytes]]:
    """Labels that are numbers, as text: so many may be numbers to predict, not classes."""
    values = None if classes is None else np.asarray(classes)
    if values is None or len(values) < 10 or values.dtype.kind not in "fiu":
        return None
    return [repr(value).encode() for value in values.tolist()]


def _build(a: Arrays) -> Dataset:
    f = a.features
    ids = None if a.ids is None else [str(name).encode(errors="surrogateescape") for name in a.ids]
    handle = _core.dataset_from_arrays(
        a.nodes, a.source, a.target, f.columns if f else 0, f.dense if f else None,
        f.offset if f else None, f.column if f else None, f.value if f else None, a.label,
        0 if a.split is None else a.split.shape[0], a.split, ids, a.start, a.graph_label,
        a.weight, _number_names(a.classes))
    return Dataset(handle, a.ids, a.classes, f.names if f else None)


@own_errors
def dataset(X: Any = None, edges: Any = None, *, y: Any = None, splits: Any = None,
            ids: Union[Sequence[Any], str, None] = None, nodes: Optional[int] = None,
            weights: Literal["use", "ignore"] = "use", use_rep: Optional[str] = None,
            attributes: Union[str, Sequence[str], None] = None,
            bipartite: Optional[bool] = None) -> Dataset:
    """
    Create a dataset from arrays, tables or graph objects.

    Parameters
    ----------
    X : features or a whole graph
        Features: an array or tensor, a SciPy sparse matrix, or a table of numbers (pandas, polars,
        pyarrow, DuckDB: anything with the Arrow PyCapsule interface), a row for each node; the
        index of a pandas DataFrame holds the nodes' ids. Or an object that contains edges: a graph
        of NetworkX, igraph or DGL, a PyTorch Geometric ``Data`` or a list or dataset of them, a
        ``HeteroData``, an AnnData, a path for :func:`read`, a Dataset. None: structural features
        are computed from the graph.
    edges : edges of the graph
        An adjacency matrix (SciPy, array, sparse tensor), ``(sources, targets)`` or ``(sources,
        targets, weights)``, an array of shape (2, m) or (m, 2), a list of pairs, a table with the
        columns source and target (or src and dst, from and to, ...) and perhaps weight, or a graph
        of NetworkX, igraph or DGL, or the path of a Parquet file with such a table (features may be
        one, too). Integers of arrays and lists are row indices, text is looked up in
        the ids. What a table holds is looked up in the ids, too; if the rows have none, its
        integers are row indices, and anything else is refused. Directions are not used; weights of
        repeated edges are added. For an AnnData, the key of ``obsp``, default "connectivities";
        for a HeteroData or a DGL graph of several types, the edge types, default all.
    y : labels, one for each node; None, NaN or -1 if missing. A pandas Series is matched to the nodes by its
        index. Or the name of an attribute of the nodes, or of a column of ``obs``
    splits : 0 none, 1 train, 2 validation, 3 test for each node; a row for each split
    ids : unique ids of the nodes, or the name of the column of X that holds them
    nodes : number of nodes, if neither features nor edges determine it
    weights : of edges; they are used or ignored
    use_rep : of an AnnData, the key of ``obsm`` whose columns are the features, default its X
    attributes : of a graph of NetworkX, igraph or DGL, the attributes of nodes that are the
        features: numbers, or vectors of one length; default none
    bipartite : whether an id in both columns of a table of edges is two nodes, named KIND:ID; None: if the
        headings mean two kinds of nodes, such as customer and product, as in files

    Examples
    --------
    >>> import numpy as np
    >>> import wgdn
    >>> wgdn.dataset(np.eye(4), [(0, 1), (1, 2)])
    <wgdn.Dataset: 4 nodes, 2 edges, 4 features>
    >>> wgdn.dataset(edges={"source": ["a", "b"], "target": ["b", "c"]}).ids.tolist()
    ['a', 'b', 'c']
    """
    if weights not in ("use", "ignore"):
        raise InvalidError(f"weights = {weights!r}: it may be use or ignore")
    given = {"edges": edges, "y": y, "splits": splits, "ids": ids, "nodes": nodes,
             "weights": None if weights == "use" else weights, "use_rep": use_rep,
             "attributes": attributes, "bipartite": bipartite}
    more = ", ".join(f"{name}=" for name, value in given.items() if value is not None)
    if isinstance(X, Dataset):
        if more:
            raise InvalidError(f"X is a Dataset, which is whole already, so {more} cannot be "
                               "added; build a new one from its parts")
        return X
    X, edges = open_tables(X, edges)
    if isinstance(X, (str, bytes, os.PathLike)):
        if more:
            raise InvalidError(f"X is a path, so {more} cannot be added: wgdn.read() takes labels=, "
                               "splits= and weights=")
        return read(X)
    return _build(read_inputs(X, edges, y=y, splits=splits, ids=ids, nodes=nodes,
                              weights=weights == "use", use_rep=use_rep,
                              attributes=attributes, bipartite=bipartite))
