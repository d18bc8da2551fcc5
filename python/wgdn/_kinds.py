# SPDX-License-Identifier: Apache-2.0
"""Which kind of object an input is, told by its methods: none of these libraries is imported."""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._errors import InvalidError


def is_networkx(x: Any) -> bool:
    return hasattr(x, "adj") and hasattr(x, "nodes") and hasattr(x, "number_of_edges") and \
        not is_dgl(x)


def is_dgl(x: Any) -> bool:
    """A graph of DGL, with one type of nodes and edges or with several."""
    return hasattr(x, "ntypes") and hasattr(x, "canonical_etypes")


def is_igraph(x: Any) -> bool:
    return hasattr(x, "get_edgelist") and hasattr(x, "vs") and hasattr(x, "es")


def is_sparse(x: Any) -> bool:
    """A SciPy sparse matrix or array."""
    return hasattr(x, "tocoo") and hasattr(x, "nnz")


def is_sparse_tensor(x: Any) -> bool:
    """A sparse tensor of PyTorch, or the SparseTensor of PyTorch Geometric."""
    return hasattr(x, "coo") and hasattr(x, "sparse_sizes") or \
        hasattr(x, "to_sparse_coo") and "strided" not in str(getattr(x, "layout", "strided"))


def is_frame(x: Any) -> bool:
    """A DataFrame of pandas."""
    return hasattr(x, "iloc") and hasattr(x, "columns")


def numbers_rows(index: Any) -> bool:
    """An index of pandas that only numbers the rows."""
    return type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1


def is_arrow(x: Any) -> bool:
    """A table of polars, pyarrow, DuckDB, ...: whatever has the Arrow PyCapsule interface."""
    return hasattr(x, "__arrow_c_stream__") and not is_frame(x) and \
        (hasattr(x, "columns") or hasattr(x, "schema") or not hasattr(x, "__array__"))


def is_table(x: Any) -> bool:
    return is_frame(x) or is_arrow(x) or isinstance(x, dict)


def is_data(x: Any) -> bool:
    """A PyTorch Geometric Data."""
    return hasattr(x, "num_nodes") and hasattr(x, "edge_index") and not is_hetero(x) and not is_batch(x)


def is_batch(x: Any) -> bool:
    """A PyTorch Geometric Batch: several graphs in one object."""
    return hasattr(x, "to_data_list") and hasattr(x, "num_graphs") and hasattr(x, "edge_index")


def is_hetero(x: Any) -> bool:
    """A PyTorch Geometric HeteroData: several types of nodes and edges."""
    return hasattr(x, "node_types") and hasattr(x, "edge_types")


def is_anndata(x: Any) -> bool:
    return hasattr(x, "obsp") and hasattr(x, "obsm") and hasattr(x, "obs_names")


def is_many(x: Any) -> bool:
    """Several graphs: a list of them, or a dataset of PyTorch Geometric, also a user's own."""
    if isinstance(x, (list, tuple)):
        return len(x) > 0 and (is_data(x[0]) or is_hetero(x[0]) or is_networkx(x[0])
                               or is_igraph(x[0]) or is_dgl(x[0]))
    return is_batch(x) or hasattr(x, "num_node_features") and hasattr(x, "__getitem__") and \
        hasattr(x, "__len__") and not is_data(x) and not is_hetero(x) and len(x) > 0 \
        and is_data(x[0])


def is_whole(x: Any) -> bool:
    """Whether the object contains edges."""
    return is_data(x) or is_hetero(x) or is_dgl(x) or is_networkx(x) or is_igraph(x) \
        or is_anndata(x) or is_many(x)


def refuse_records(x: Any, what: str) -> None:
    """A list of dictionaries, as JSON has tables."""
    if isinstance(x, list) and x and isinstance(x[0], dict):
        raise InvalidError(f"{what}: a list of dictionaries is no table: pass pandas.DataFrame(records)")


def as_array(x: Any, what: str) -> NDArray[Any]:
    """A NumPy array, borrowed where the object lends its memory: tensors, DLPack, sequences."""
    refuse_records(x, what)
    if hasattr(x, "detach") and hasattr(x, "cpu"):  # a tensor, wherever it lives
        x = x.detach().cpu()
    if hasattr(x, "__dlpack__") and not hasattr(x, "__array__"):
        return np.from_dlpack(x)
    if isinstance(x, np.ma.MaskedArray) and x.mask.any():
        gone = np.ma.getmaskarray(x)
        x = np.array(x.data, dtype=object)
        x[gone] = None
    try:
        a = np.asarray(x)
    except ValueError as error:  # rows of different length
        raise InvalidError(f"{what}: {error}") from None
    if a.ndim == 0 and a.dtype.kind == "O":
        kind = type(x)
        name = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__.partition('.')[0]}.{kind.__name__}"
        help = "pass a table, such as pandas.DataFrame(...)" if isinstance(x, dict) else "call .collect() first" if hasattr(x, "collect") else "pass a list of it" if hasattr(x, "__iter__") and \
            not hasattr(x, "read") else "pass the path of the file" if hasattr(x, "read") else "pass an array or a table"
        raise InvalidError(f"{what}: {name} holds no numbers yet: {help}")
    return a
