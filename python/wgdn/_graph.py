# SPDX-License-Identifier: Apache-2.0
"""
The class Graph: a graph with node features, labels, splits and ids, of objects in memory or of files. It sits between
the readers of inputs (_inputs.py) and everything that takes a graph.
"""
from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Optional, Union

import numpy as np
from numpy.typing import NDArray

from . import _core, _options
from ._errors import ArgumentError, InvalidError, deprecated, old_names, own_errors
from ._edges import Headings
from ._features import Encode
from ._inputs import DIRECTED, WEIGHTS, Arrays, read_inputs
from ._kinds import is_whole
from ._names import id_array
from ._parquet import is_parquet, open_tables
from ._tables import Columns
from ._wording import as_keywords

if TYPE_CHECKING:
    from ._core import Path

Column = Union[str, int, None]  # heading or number


def read_bytes(memory: Any) -> int:
    """A number of bytes, also from text such as '500M', '1.5G', '8GB' and '8GiB'; 0 for None."""
    if memory is None:
        return 0
    size = _core.size_parse(memory) if isinstance(memory, str) else memory
    if size is None or isinstance(size, bool) or not hasattr(size, "__index__") or size < 1:
        raise InvalidError(f"memory = {memory!r}: expected bytes, a number or such as '500M', '1.5G'")
    return int(size)


def html_table(caption: str, rows: Sequence[Sequence[Any]]) -> str:
    """Rows of a heading and cells, as a notebook shows them; everything is quoted."""
    from html import escape

    lines = [f"<tr><th>{escape(str(row[0]))}</th>"
             + "".join(f"<td>{escape(str(cell))}</td>" for cell in row[1:]) + "</tr>"
             for row in rows]
    return f"<table><caption>{escape(caption)}</caption>{''.join(lines)}</table>"


def _class_names(a: Arrays) -> Optional[list[bytes]]:
    """Names of several labels of a node; and labels that are numbers, as text: so many may be numbers to predict, not classes."""
    if a.label_offset is not None and a.classes is not None:
        return [str(name).encode() for name in a.classes.tolist()]
    values = None if a.classes is None or a.label is None else np.asarray(a.classes)
    if values is None or len(values) < 10 or values.dtype.kind not in "fiu":
        return None
    return [repr(value).encode() for value in values.tolist()]


def _texts_of(ids: Any, kinds: Optional[NDArray[np.object_]]) -> list[bytes]:
    """Ids as the library holds them; those of two kinds of nodes as KIND:ID."""
    names = ids.tolist() if isinstance(ids, np.ndarray) else ids
    if kinds is not None:
        names = [f"{kind}:{name}" for kind, name in zip(kinds.tolist(), names)]
    joined = "\0".join(map(str, names)).encode(errors="surrogateescape")
    if len(names) and joined.count(b"\0") == len(names) - 1:
        return joined.split(b"\0")  # several times faster than one by one
    return [str(name).encode(errors="surrogateescape") for name in names]


class Graph:
    """
    A graph with node features, labels and splits. Anything that takes a graph takes one of these, and also everything
    that this class is made of.

    It is immutable, so copies and deep copies are the same object, and scikit-learn may clone an estimator that holds
    one. Contiguous float32 numbers of X are borrowed, not copied: do not modify them while the graph is in use.

    Rows of X, labels and vectors are in the order of the nodes: that of X where X or `ids` names the nodes, else that of
    the graph object. The nodes of a table of edges are in order: integers by value, text by its first appearance.

    Parameters
    ----------
    edges : edges of the graph, or a whole graph
        An adjacency matrix (SciPy, array, sparse tensor), ``(sources, targets)`` or ``(sources, targets, weights)``, an
        array of shape (2, m) or (m, 2), a list of pairs, a table (pandas, polars, pyarrow, DuckDB: anything with the
        Arrow PyCapsule interface) with the columns source and target (or src and dst, from and to, ...) and perhaps
        weight, or the path of a Parquet file with such a table. Integers of arrays and lists are row indices, text
        is looked up in the ids. Ids of a table are looked up in the ids, too; if the rows have none, its integers are
        row indices. Integers beside text are text, as in files. Weights of repeated edges are added. Or an object that
        contains nodes and edges: a graph of NetworkX, igraph or DGL, a PyTorch Geometric ``Data`` or a list or dataset of
        them, a ``HeteroData``, an AnnData, a Graph, or a path for :func:`read`.
    X : node features
        An array or tensor, a SciPy sparse matrix or a table, a row for each node; the index of a pandas DataFrame holds
        the ids of the nodes. None: the features of the graph object, if it has any.
    y : labels, one for each node; None, NaN or -1 if missing. A pandas Series is matched to the nodes by its
        index, a dictionary by ids. Several labels of a node are a list, or a row of an indicator matrix with a column for each class. Or the name of an attribute of the nodes, or of a column of ``obs``
    splits : 0 none, 1 train, 2 validation, 3 test, or these words, for each node; a row for each split
    ids : unique ids of the nodes
    id : the column of X that holds the ids
    nodes : number of nodes, if neither X nor the edges determine it
    source, target, weight : columns of a table of edges, if their names do not tell
    type : column of the types of edges
    graph_id : column of the graph that each edge belongs to, for a set of graphs. The node a of the graph mol1 has the id
        mol1/a: X has a column of graphs with the same name beside the ids, or ids such as mol1/a. The labels y are those
        of the graphs: a Series is matched by its index
    bipartite : whether source and target are two kinds of nodes, so that the same id in both is two nodes; None: if the
        names of the columns mean that, such as customer and product, and an id is in both. True with a SciPy matrix: its rows
        are nodes of the kind "user", its columns of the kind "item"
    directed : the closed form also filters along the edges, against them, or both
    weights : of edges; they are used, ignored, or replaced by log(1 + weight)
    edge_types : which edges to use: of a HeteroData or a DGL graph the types, of an AnnData the key of ``obsp``
    use_rep : of an AnnData, the key of ``obsm`` whose columns are the features, default its X
    attributes : of a graph of NetworkX, igraph or DGL, the attributes of nodes that are the features: numbers, or
        vectors of one length; default none
    feature_scale, max_categories, ignore : how a table X with text, dates, booleans or gaps becomes features, as in
        :func:`read`; columns left out
    like : a fitted estimator; X is encoded as the features that it was fitted to
    memory, scratch : limit for the closed form, in bytes or as '8G', and the folder for what exceeds it

    Examples
    --------
    >>> import numpy as np
    >>> import wgdn
    >>> wgdn.Graph([(0, 1), (1, 2)], X=np.eye(4))
    <wgdn.Graph: 4 nodes, 2 edges, 4 features>
    >>> wgdn.Graph({"source": ["a", "b"], "target": ["b", "c"]}).ids.tolist()
    ['a', 'b', 'c']
    """

    _ids: Optional[NDArray[Any]]

    @own_errors
    def __init__(self, edges: Any = None, X: Any = None, *, y: Any = None, splits: Any = None,
                 ids: Any = None, id: Optional[str] = None, nodes: Optional[int] = None,
                 source: Optional[str] = None, target: Optional[str] = None, weight: Optional[str] = None,
                 type: Optional[str] = None, graph_id: Optional[str] = None, bipartite: Optional[bool] = None,
                 directed: Literal["ignore", "forward", "backward", "both"] = "ignore",
                 weights: Literal["use", "ignore", "log"] = "use",
                 edge_types: Any = None, use_rep: Optional[str] = None,
                 attributes: Union[str, Sequence[str], None] = None,
                 feature_scale: Optional[Literal["auto", "standard", "none", "row"]] = None,
                 max_categories: Optional[int] = None, ignore: Sequence[str] = (),
                 like: Any = None, memory: Union[int, str, None] = None, scratch: Optional[Path] = None) -> None:
        for what, word, words in (("weights", weights, WEIGHTS), ("directed", directed, DIRECTED)):
            if word not in words:
                raise InvalidError(f"{what} = {word!r}: it may be {', '.join(words)}")
        kinds: Any = bipartite
        if kinds is not None and not isinstance(kinds, (bool, np.bool_, Headings)):
            raise InvalidError(f"bipartite = {bipartite!r}: expected True, False or None")
        given = {"X": X, "y": y, "splits": splits, "ids": ids, "id": id, "nodes": nodes, "source": source,
                 "target": target, "weight": weight, "bipartite": bipartite,
                 "weights": None if weights == "use" else weights, "type": type, "graph_id": graph_id,
                 "directed": None if directed == "ignore" else directed, "edge_types": edge_types, "use_rep": use_rep,
                 "attributes": attributes, "feature_scale": feature_scale, "max_categories": max_categories,
                 "ignore": ignore or None, "memory": memory, "scratch": scratch}
        more = ", ".join(f"{name}=" for name, value in given.items() if value is not None)
        if isinstance(edges, Graph):
            if more:
                raise InvalidError(f"edges is a Graph, which is whole already, so {more} cannot be added; build a new "
                                   "one from its parts")
            self.__dict__.update(edges.__dict__)
            return
        X, edges = open_tables(X, edges)
        if isinstance(edges, (str, bytes, os.PathLike)):
            if more:
                raise InvalidError(f"edges is a path, so {more} cannot be added: wgdn.read() takes them")
            self.__dict__.update(read(edges).__dict__)
            return
        if isinstance(X, (str, bytes, os.PathLike)):
            raise InvalidError(f"X is the path {os.fsdecode(X)!r}, and a file of features goes with a file of edges: "
                               "wgdn.read(edges, X=...); what vectors are made of is features= of wgdn.embed()")
        told = {"feature_scale": feature_scale, "max_categories": max_categories,
                "ignore": (ignore if isinstance(ignore, str) else ",".join(ignore)) or None}
        encode = Encode({name: str(value) for name, value in told.items() if value is not None},
                        None if like is None else like._model)
        a = read_inputs(edges, X, y=y, splits=splits, ids=ids, id=id, nodes=nodes, encode=encode,
                        columns=Columns(source, target, weight, type, graph_id), bipartite=bipartite, weights=weights,
                        edge_types=edge_types, use_rep=use_rep, attributes=attributes)
        a.directed = DIRECTED.index(directed)
        a.memory = read_bytes(memory)
        a.scratch = os.fsencode(scratch or ".") if memory is not None or scratch is not None else None
        self._take(_from_arrays(a), a.ids, a.classes, a.features.names if a.features else None, a.kinds, a.graph_ids)

    @classmethod
    def _of(cls, handle: _core.DatasetHandle, ids: Any = None, classes: Optional[NDArray[Any]] = None,
            feature_names: Optional[NDArray[np.object_]] = None, kinds: Optional[NDArray[np.object_]] = None,
            graph_ids: Optional[NDArray[Any]] = None) -> Graph:
        """Around a dataset of the library."""
        graph = cls.__new__(cls)
        graph._take(handle, ids, classes, feature_names, kinds, graph_ids)
        return graph

    def _take(self, handle: _core.DatasetHandle, ids: Any, classes: Optional[NDArray[Any]],
              feature_names: Optional[NDArray[np.object_]], kinds: Optional[NDArray[np.object_]],
              graph_ids: Optional[NDArray[Any]]) -> None:
        self._handle = handle
        self._facts = _core.dataset_facts(handle)
        if ids is None and self._facts["has_ids"]:
            ids = _core.dataset_ids(handle)
        self._ids = None if ids is None else id_array(ids)
        self._kinds = kinds
        self._classes = classes
        self._graph_ids = graph_ids
        self.feature_names = feature_names

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return self._facts["nodes"]

    @property
    def edges(self) -> int:
        """Number of undirected edges; each counts once."""
        return self._facts["edges"]

    @property
    def n_features(self) -> int:
        """Number of columns of X, 0 without features."""
        return self._facts["features"]

    @property
    def graphs(self) -> int:
        """Number of graphs, 1 unless it is a set of them."""
        return self._facts["graphs"]

    @property
    def counts(self) -> dict[str, int]:
        """Sizes, and what was dropped or merged on input."""
        return dict(self._facts)

    @property
    def remarks(self) -> list[tuple[str, int, str]]:
        """What reading dropped, merged or decided: a word, how many, and a sentence."""
        return [(what, count, as_keywords(text))
                for what, count, text in _core.dataset_remarks(self._handle)]

    @property
    def ids(self) -> Optional[NDArray[Any]]:
        """The id of each node in its original type; None if nodes are numbered 0, 1, ..."""
        return self._ids

    @property
    def kinds(self) -> Optional[NDArray[np.object_]]:
        """The kind of each node of a graph with two kinds, such as "user" and "item"; else None."""
        return self._kinds

    @property
    def classes(self) -> Optional[NDArray[Any]]:
        """The class names of the labels 0, 1, ... of nodes, or of the graphs of a set; None without labels."""
        if self._classes is None and self._facts["classes"]:
            self._classes = np.array(_core.dataset_class_names(self._handle), dtype=object)
        return self._classes

    @property
    def y(self) -> Optional[NDArray[np.int32]]:
        """The class of each node, the first one of several, -1 for none; None without labels."""
        if not self._facts["classes"]:
            return None
        out = np.empty(self.nodes, np.int32)
        _core.dataset_labels(self._handle, out)
        return out

    @property
    def splits(self) -> Optional[NDArray[np.int8]]:
        """A row for each split: 0 none, 1 train, 2 validation, 3 test."""
        if not self._facts["splits"]:
            return None
        out = np.empty((self._facts["splits"], self.nodes), np.int8)
        _core.dataset_splits(self._handle, out)
        return out

    @property
    def X(self) -> Any:
        """A copy of the node features: an array, a SciPy CSR array if sparse, or None."""
        if self.n_features == 0:
            return None
        if self._facts["dense"]:
            out = np.empty((self.nodes, self.n_features), np.float32)
            _core.dataset_dense(self._handle, out)
            return out
        import scipy.sparse

        entries = self._facts["entries"]
        offset, column = np.empty(self.nodes + 1, np.int64), np.empty(entries, np.int32)
        value = np.empty(entries, np.float32)
        _core.dataset_sparse(self._handle, offset, column, value)
        return scipy.sparse.csr_array((value, column, offset), shape=(self.nodes, self.n_features))

    @property
    def adjacency(self) -> Any:
        """
        The symmetric adjacency matrix with the weights of the edges, a SciPy CSR array.

        >>> import wgdn
        >>> wgdn.Graph([(0, 1), (1, 2)]).adjacency.toarray().astype(int).tolist()
        [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
        """
        import scipy.sparse

        offset, column = np.empty(self.nodes + 1, np.int64), np.empty(2 * self.edges, np.int32)
        value = np.empty(2 * self.edges, np.float32)
        _core.dataset_adjacency(self._handle, offset, column, value)
        return scipy.sparse.csr_array((value, column, offset), shape=(self.nodes, self.nodes))

    @property
    def graph_start(self) -> NDArray[np.int64]:
        """The first node of each graph, then the number of nodes."""
        return self._graphs()[0]

    @property
    def graph_ids(self) -> Optional[NDArray[Any]]:
        """The id of each graph of a set; None if graphs are numbered 0, 1, ..."""
        if self._graph_ids is None and self.graphs > 1:
            of = _core.dataset_of_graphs(self._handle)
            self._graph_ids = id_array(_core.dataset_ids(of)) if _core.dataset_facts(of)["has_ids"] else None
        return self._graph_ids

    def _as_nodes(self) -> Graph:
        """The graphs of a set as nodes with labels, without edges."""
        return Graph(y=self.graph_labels, nodes=self.graphs, ids=self.graph_ids)

    @property
    def graph_labels(self) -> Optional[NDArray[np.int32]]:
        """The class of each graph of a set; None without labels."""
        return self._graphs()[1] if self._facts["graph_classes"] else None

    def _graphs(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        start, label = np.empty(self.graphs + 1, np.int64), np.empty(self.graphs, np.int32)
        _core.dataset_graphs(self._handle, start, label)
        return start, label

    # Names of the release before.

    @property
    def features(self) -> Any:
        """Deprecated: X."""
        deprecated("Graph.features", "Graph.X")
        return self.X

    @property
    def labels(self) -> Optional[NDArray[np.int32]]:
        """Deprecated: y."""
        deprecated("Graph.labels", "Graph.y")
        return self.y

    def write(self, path: Path) -> None:
        """Write .safetensors (everything), .npz (all but several graphs) or .tsv (edges)."""
        _core.dataset_write(self._handle, path, None)

    def __repr__(self) -> str:
        parts = [f"{self.nodes} nodes", f"{self.edges} edges"]
        parts += [f"{self.n_features} features"] if self.n_features else []
        parts += [f"{self._facts['classes']} classes"] if self._facts["classes"] else []
        parts += [f"{self.graphs} graphs"] if self.graphs > 1 else []
        return f"<wgdn.Graph: {', '.join(parts)}>"

    def _repr_html_(self) -> str:
        shown = {"nodes": self.nodes, "edges": self.edges, "features": self.n_features,
                 "labels": self._facts["classes"], "splits": self._facts["splits"],
                 "graphs": self.graphs}
        return html_table("wgdn.Graph", list(shown.items()))

    def __copy__(self) -> Graph:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Graph:
        return self

    def _packed(self) -> bytes:
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "data.safetensors")
            self.write(path)
            with open(path, "rb") as f:
                return f.read()

    def _digest(self) -> str:
        """Of all that a fit looks at. Not kept: borrowed features may be others next time."""
        import hashlib

        return hashlib.sha256(self._packed()).hexdigest()

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpack, (self._packed(), self._ids, self._classes, self.feature_names, self._kinds, self._graph_ids)


def _unpack(packed: bytes, ids: Any, classes: Optional[NDArray[Any]], names: Optional[NDArray[np.object_]],
            kinds: Optional[NDArray[np.object_]], graph_ids: Optional[NDArray[Any]]) -> Graph:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "data.safetensors")
        with open(path, "wb") as f:
            f.write(packed)
        data = read(path)
    return Graph._of(data._handle, ids, classes, names, kinds, graph_ids)


def _from_arrays(a: Arrays) -> _core.DatasetHandle:
    f = a.features
    given = {
        "nodes": a.nodes, "source": a.source, "target": a.target, "weight": a.weight, "weights": a.weights,
        "features": f.columns if f else 0, "dense": f.dense if f else None, "offset": f.offset if f else None,
        "column": f.column if f else None, "value": f.value if f else None, "label": a.label,
        "label_offset": a.label_offset, "label_list": a.label_list, "class_names": _class_names(a), "splits": 0 if a.split is None else a.split.shape[0],
        "split": a.split, "ids": None if a.ids is None else _texts_of(a.ids, a.kinds), "graph_start": a.start,
        "graph_label": a.graph_label, "type": a.type,
        "type_names": None if a.type_names is None else [name.encode() for name in a.type_names],
        "directed": a.directed, "encoding": f.encoding if f else None, "memory": a.memory, "scratch": a.scratch}
    try:
        return _core.dataset_from_arrays(given)
    except _core.Error as error:
        text = str(error).replace("dataset from arrays: the feature in", "X: the number in")
        raise type(error)(text.replace("dataset from arrays: ", "graph: ")) from None


def has_edges(x: Any) -> bool:
    """Whether an input is a whole graph: an object with edges, a Graph or a file."""
    return is_whole(x) or isinstance(x, (Graph, str, bytes, os.PathLike))


def names_of(data: Graph) -> NDArray[Any]:
    """The ids of the nodes, or their numbers."""
    return np.arange(data.nodes) if data.ids is None else data.ids


def as_graph(x: Any, X: Any = None, **columns: Any) -> Graph:
    """Whatever takes a graph takes a Graph or what one is made of; files of a graph and of X are read together."""
    if isinstance(x, Graph) and X is None and not columns:
        return x
    if isinstance(x, (str, bytes, os.PathLike)) and not is_parquet(x):
        if X is not None and not isinstance(X, (str, bytes, os.PathLike)):
            raise InvalidError("graph is a file: X has to be the file of its features, or use "
                               "wgdn.Graph(edges, X=X)")
        return read(x, X=X, **columns)
    return Graph(x, X, **columns)


def _files(features: Union[Path, Sequence[Path], None]) -> Optional[Path]:
    """Several files as the library takes them: separated by commas."""
    if features is None or isinstance(features, (str, bytes, os.PathLike)):
        return features
    return ",".join(os.fsdecode(name) for name in features)


@own_errors
@old_names(features="X", labels="y", graph="graph_id", binarise="binarize")
def read(path: Path, X: Union[Path, Sequence[Path], None] = None, *, y: Optional[Path] = None,
         splits: Optional[Path] = None, label_column: Optional[str] = None,
         format: str = "auto", header: Literal["auto", "no", "yes"] = "auto",
         binarize: bool = False, threads: int = 0, source: Column = None, target: Column = None,
         weight: Column = None, type: Column = None, graph_id: Column = None, id: Column = None,
         separator: Optional[str] = None, decimal: Optional[str] = None,
         bipartite: Optional[bool] = None,
         weights: Literal["use", "ignore", "log"] = "use",
         feature_scale: Literal["auto", "standard", "none", "row"] = "auto",
         max_categories: Optional[int] = None, ignore: Sequence[str] = (),
         like: Any = None, memory: Union[int, str, None] = None,
         scratch: Optional[Path] = None,
         directed: Literal["ignore", "forward", "backward", "both"] = "ignore",
         strict: bool = False) -> Graph:
    """
    Read a graph as the program does: an edge list, .npz, Matrix Market, TU folder or zip, OGB folder, .safetensors,
    also compressed by gzip. See docs/reference/formats.md.

    Parameters
    ----------
    X : a file of node features, or several that become columns side by side; tables of them may have numbers, dates,
        booleans, categories and gaps
    y : a file of labels
    splits : a file that says which nodes are for training, validation and test
    label_column : the column of the labels, by heading
    source, target, weight, type, graph_id : columns of an edge list, by heading or number from 1; edges with different
        graph_id belong to different graphs
    id : column of the ids in the features, likewise
    separator, decimal : of text files, where the first lines do not show them
    bipartite : whether the same id as source and as target is two nodes; None: if the headings mean two kinds of nodes,
        such as customer and product
    weights : of edges; they are used, ignored, or replaced by log(1 + weight)
    directed : a closed form also filters along the edges, against them, or both
    feature_scale, max_categories, ignore : how tables become features; columns left out
    binarize : features become x > 0
    like : a fitted estimator; new rows are encoded as the features that it was fitted to
    memory : limit for the graph and the closed form, in bytes or as '8G'; what needs more goes through files in the
        folder scratch (by default the current one), and the vectors are the same
    strict : refuse rows that cannot be used, such as labels of unknown ids, instead of skipping and counting them
    """
    given_path: Any = path
    if not isinstance(given_path, (str, bytes, os.PathLike)):
        raise ArgumentError(f"path: expected the path of a file, got {given_path.__class__.__name__}; wgdn.Graph() takes data in memory")
    for file in (path, X, y, splits):
        if is_parquet(file):
            raise InvalidError(f"{os.fsdecode(file)}: Parquet goes by way of tables: use wgdn.Graph(edges, X=X) with "
                               "the path of either or both")
    asked: Any = bipartite  # recommendations say Headings, which is no part of the interface
    headings = isinstance(asked, Headings)
    given = {"features": _files(X), "labels": y, "splits": splits,
             "label_column": label_column, "format": format, "header": header,
             "binarize": binarize, "threads": threads, "source": source, "target": target,
             "weight": weight, "type": type, "graph": graph_id, "id": id, "separator": separator,
             "decimal": decimal, "bipartite": None if headings else bipartite, "weights": weights,
             "feature_scale": feature_scale, "max_categories": max_categories,
             "ignore": ignore if isinstance(ignore, str) else ",".join(ignore),
             "memory": read_bytes(memory),
             "scratch": scratch or (None if memory is None else "."), "directed": directed,
             "strict": strict}
    texts = _options.texts(_options.DATASET, {name: value for name, value in given.items()
                                              if value is not None})
    return Graph._of(_core.dataset_read(path, texts, None if like is None else like._model, headings))


@own_errors
def dataset(X: Any = None, edges: Any = None, *, ids: Any = None, **more: Any) -> Graph:
    """Deprecated: use :class:`Graph`, whose first argument is the edges."""
    deprecated("wgdn.dataset(X, edges)", "wgdn.Graph(edges, X=X)")
    if edges is not None and (is_whole(X) or isinstance(X, Graph)):
        more["edge_types"], edges, X = edges, X, None
    elif edges is None and has_edges(X):
        edges, X = X, None
    if isinstance(ids, str):
        return Graph(edges, X, id=ids, **more)
    return Graph(edges, X, ids=ids, **more)
