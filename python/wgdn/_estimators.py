# SPDX-License-Identifier: Apache-2.0
"""
The estimators without scikit-learn: parameters, fitting, embedding, files, the cache of models, and wgdn.embed().
_sklearn.py derives the two public classes from them.
"""
from __future__ import annotations

import functools
import inspect
import json
import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Optional, TypeVar, Union, cast

import numpy as np
from numpy.typing import NDArray

from . import _core, _options
from ._embedding import Embedding
from ._errors import ArgumentError, InvalidError, deprecated, not_fitted, old_names, own_errors, warn
from ._graph import Graph, as_graph, has_edges, read
from ._kinds import is_anndata, is_sparse_tensor, is_whole
from ._keywords import FitFields, TrainFields
from ._mistaken import looks_like_edges
from ._names import as_list, id_array, places, two_of
from ._options import GRAPH_KEYWORDS
from ._parquet import is_parquet
from ._progress import Callback, Watcher

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from ._core import Path
    from ._keywords import EmbedKeywords, FitKeywords, TrainKeywords
    from ._recommend import Recommender
    from ._sklearn import WGDN, FilterEmbedding


Loaded = TypeVar("Loaded")

# ---- parameters ----

# What both estimators say of a parameter.
CACHE = """    cache : path or joblib.Memory, default None
        A folder of models that were made before: the same data and options, with any number of
        threads, find theirs there. A search over a classifier behind the embedding makes it once."""


def saved_bytes(save: Callable[[str], None]) -> bytes:
    """What a function writes to a path."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model")
        save(path)
        with open(path, "rb") as f:
            return f.read()


def load_bytes(saved: bytes, load: Callable[[str], Loaded]) -> Loaded:
    """What a function reads from a path, of bytes."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model")
        with open(path, "wb") as f:
            f.write(saved)
        return load(path)


class Parameters:
    """Parameters of an estimator, and how it is copied."""

    _table: ClassVar[Mapping[str, _options.Option]]  # options of the library
    _own: ClassVar[Mapping[str, Any]]  # parameters of the Python estimator only, with defaults
    _model: _core.ModelHandle  # once it is fitted

    @classmethod
    def _defaults(cls) -> dict[str, Any]:
        return {**cls._own, **{o.name: o.default for o in cls._table.values()}}

    def _set_options(self, options: Mapping[str, Any]) -> None:
        """What __init__ does with the options of the library."""
        if "memory" in options:  # until it was renamed
            deprecated(f"memory= of {type(self).__name__}()", "cache=")
            options = {name: value for name, value in options.items() if name != "memory"}
        named = _options.resolve(self._table, options)
        for name in named:
            if name not in self._table:
                raise ArgumentError(_options.refusal(type(self).__name__, name, self._defaults()))
        for option in self._table.values():
            setattr(self, option.name, named.get(option.name, option.default))

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name; `deep` is ignored."""
        return {name: getattr(self, name) for name in self._defaults()}

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name."""
        names = self._defaults()
        if "memory" in params:
            deprecated(f"memory= of {type(self).__name__}()", "cache=")
            params["cache"] = params.pop("memory")
        for name, value in _options.resolve(self._table, params).items():
            if name not in names:
                raise InvalidError(f"Invalid parameter {name!r} for estimator "
                                   f"{type(self).__name__}. Valid parameters are: "
                                   f"{', '.join(names)}")
            setattr(self, name, value)
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def __repr__(self) -> str:
        default = self._defaults()
        other = [f"{name}={value!r}" for name, value in self.get_params().items()
                 if not (value is default[name] or np.array_equal(value, default[name]))]
        return f"{type(self).__name__}({', '.join(other)})"

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        if "_model" in state:
            state["_model"] = saved_bytes(lambda path: _core.model_save(self._model, path))
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "_model" in state:
            self._model = load_bytes(state["_model"], _core.model_load)


def signature(defaults: Mapping[str, Any], *first: inspect.Parameter) -> inspect.Signature:
    """Signature for help() and scikit-learn: every keyword with its default."""
    return inspect.Signature(
        [*first] + [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
                    for name, default in defaults.items()])


def describe_init(cls: type[Parameters]) -> None:
    """Give a class the signature of its parameters, which go by name; a graph in their place belongs to fit()."""
    by_name: Callable[..., None] = cls.__init__

    @functools.wraps(by_name)
    def init(self: Parameters, *wrong: Any, **options: Any) -> None:
        if wrong:
            name = type(self).__name__
            more = f", or to {name}(graph=...)" if "graph" in self._own else ""
            raise ArgumentError(f"{name}() takes parameters by name, and got {type(wrong[0]).__name__} first: a graph goes to fit(){more}")
        by_name(self, **options)

    itself = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    init.__signature__ = signature(cls._defaults(), itself)  # type: ignore[attr-defined]
    setattr(cls, "__init__", init)


# ---- the cache of models ----

def folder_of(cache: Any) -> Optional[str]:
    """A path, or a joblib.Memory as scikit-learn's pipelines take it."""
    if cache is None:
        return None
    if isinstance(cache, str) and cache[-1:].isalpha() and _core.size_parse(cache):
        raise InvalidError(f"cache = {cache!r}: it is a folder that models are kept in; a limit goes to "
                           "wgdn.embed(..., memory=...)")
    if isinstance(cache, (str, os.PathLike)):
        return os.fspath(cache)
    if hasattr(cache, "location"):
        return None if cache.location is None else os.path.join(cache.location, "wgdn")
    raise InvalidError(f"cache = {cache!r}: expected a folder or a joblib.Memory")


class Cache:
    """One model: its place, whether it is there or not."""

    def __init__(self, folder: str, kind: str, data: Graph, texts: dict[str, str]) -> None:
        import hashlib

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


# ---- rows of a graph that X selects ----

class Nodes(NamedTuple):
    """What finds the rows of nodes, as a Graph does."""

    nodes: int
    ids: Optional[NDArray[Any]]
    kinds: Optional[NDArray[Any]]


def _one_column(X: Any, what: str) -> NDArray[Any]:
    if isinstance(X, list) and not all(isinstance(name, (list, np.ndarray)) for name in X):
        return id_array(X)  # of any types; a tuple is (kind, id)
    names = np.array(X, dtype=object) if isinstance(X, list) else np.asarray(X)
    if names.ndim == 2 and names.shape[1] == 1:
        names = names[:, 0]
    if names.ndim != 1:
        raise InvalidError(f"the estimator has a graph, so X holds {what}: expected one column, got "
                           f"shape {names.shape}")
    return names


def _by_index(names: NDArray[Any], count: int, what: str) -> NDArray[np.int64]:
    """Integers, also where scikit-learn has made floats of them."""
    if names.dtype.kind == "O" and all(isinstance(name, (int, float)) and not isinstance(name, bool) for name in names.tolist()):
        names = np.array(names.tolist(), dtype=np.float64)
    good = names.dtype.kind in "iu" or names.dtype.kind == "f" and bool(
        (names == np.floor(names)).all())
    if not good and names.size:
        raise InvalidError(f"the estimator has a graph without ids, so X holds {what}: expected "
                           f"integers, got {names.tolist()[0]!r}")
    rows = names.astype(np.int64)
    if ((rows < 0) | (rows >= count)).any():
        raise InvalidError(f"X has indices outside 0 .. {count - 1}")
    return rows


def find_rows(X: Any, data: Union[Graph, Nodes], graphs: int = 0) -> Optional[NDArray[np.int64]]:
    """Indices of the nodes in X, by id or by index; or of graphs, whose number is given, by index; None for all."""
    if X is None:
        return None
    if graphs:
        what = "indices of its graphs"
        return _by_index(_one_column(X, what), graphs, what)
    if data.ids is None:
        what = "indices of its nodes"
        return _by_index(_one_column(X, what), data.nodes, what)
    place = places(data.ids, data.kinds)
    names = as_list(_one_column(X, "ids of its nodes"))
    try:
        found = [place[name] for name in names]
    except TypeError:
        raise InvalidError("X: expected ids of nodes, which are integers or text") from None
    except KeyError as error:
        first = data.ids.tolist()[0]
        raise InvalidError(f"X has the id {error.args[0]!r}, which is none of the graph's; these are "
                           f"{type(first).__name__}, such as {first!r}") from None
    for name, row in zip(names, found):
        if isinstance(row, list):
            assert data.kinds is not None
            raise InvalidError(f"X: {two_of(name, row, data.kinds)}")
    return np.array(found, np.int64)


def _shape(x: Any) -> tuple[int, ...]:
    try:
        return tuple(x.shape) if hasattr(x, "shape") else np.asarray(x).shape
    except ValueError:  # rows of different length
        return (len(x),)


def _is_graph_as_y(X: Any, y: Any) -> bool:
    if isinstance(y, Graph) or is_whole(y) or is_sparse_tensor(y):
        return True
    if isinstance(y, (tuple, list)) and 2 <= len(y) <= 3 and all(hasattr(p, "__len__") and
                                                                  len(_shape(p)) == 1 for p in y):
        return True
    shape = _shape(y)
    if len(shape) != 2:
        return False
    rows = X.shape[0] if hasattr(X, "shape") else len(X) if hasattr(X, "__len__") else shape[0]
    return bool(shape[0] != rows or shape[0] == shape[1] > 2)


def refuse_edges(X: Any, y: Any) -> None:
    """y is ignored, so edges in its place would be lost without a word."""
    if y is not None and _is_graph_as_y(X, y):
        raise InvalidError("y looks like the edges of a graph, and y is ignored: pass them by name, "
                           "fit(X, graph=...)")


# ---- what both estimators do ----

# What a model file holds, and the class that loads it.
CLASSES = {"trained": "WGDN", "fitted": "FilterEmbedding"}


def check_columns(estimator: Parameters, call: str, columns: Mapping[str, Any]) -> None:
    """Refuse a keyword of a method that Graph does not take."""
    for name in columns:
        if name not in GRAPH_KEYWORDS:
            raise ArgumentError(f"{call}() has no parameter {name!r}: it belongs to {type(estimator).__name__}()"
                                if _options.plain_name(name, estimator._table) in estimator._table else
                                _options.refusal(call, name, GRAPH_KEYWORDS))


def split_graph(X: Any, graph: Any, columns: Mapping[str, Any]) -> tuple[Any, Any]:
    """Features and the graph; edges in the place of X alone are the graph, also those whose columns are named."""
    if graph is None and X is not None and (not EDGE_KEYWORDS.isdisjoint(columns) or has_edges(X) or looks_like_edges(X)):
        return None, X
    return X, graph


class Estimator(Parameters):
    """A transformer; a subclass makes the model."""

    _kind: ClassVar[str]  # "trained" or "fitted"

    def __init__(self, *, graph: Any = None, cache: Any = None, **options: Any) -> None:
        self._set_options(options)
        self.graph = graph
        self.cache = options["memory"] if cache is None and "memory" in options else cache

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        return Tags(estimator_type="transformer", target_tags=TargetTags(required=False),
                    transformer_tags=TransformerTags(preserves_dtype=["float32"]),
                    input_tags=InputTags(sparse=True))

    def _make(self, data: Graph, embeds: bool) -> _core.ModelHandle:
        """A model of the data, whose embeddings may come next; sets the attributes that tell of it."""
        raise NotImplementedError

    def _facts(self) -> dict[str, Any]:
        """What _make() has noted beside the model, as JSON."""
        return {}

    def _take_facts(self, model: _core.ModelHandle, facts: dict[str, Any]) -> None:
        """Note the same of a model that was made before."""

    def _find_or_make(self, data: Graph, embeds: bool) -> _core.ModelHandle:
        folder = folder_of(self.cache)
        if folder is None or getattr(self, "callback", None) is not None:
            return self._make(data, embeds)
        place = Cache(folder, self._kind, data, self._option_texts())
        found = place.find()
        if found is not None:
            self._take_facts(*found)
            return found[0]
        model = self._make(data, embeds)
        place.keep(model, self._facts())
        return model

    def _option_texts(self) -> dict[str, str]:
        return _options.texts(self._table, {n: getattr(self, n) for n in self._table})

    def _check_fitted(self) -> None:
        if hasattr(self, "_model"):
            return
        text = f"This {type(self).__name__} instance is not fitted yet: call fit() or load() first."
        raise not_fitted(text)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the columns of the embedding."""
        self._check_fitted()
        name = type(self).__name__.lower()
        return np.array([f"{name}{i}" for i in range(self._dim)], dtype=object)

    # ---- data ----

    def _whole_graph(self) -> Graph:
        return as_graph(self.graph)

    def _gather(self, X: Any, graph: Any, columns: Mapping[str, Any]) -> Graph:
        """The graph to fit or embed if the estimator has none of its own."""
        if X is None and graph is None:
            raise InvalidError("nothing to embed: pass graph, X or both")
        return as_graph(graph, X, **columns)

    def _find_rows(self, X: Any, data: Graph) -> Optional[NDArray[np.int64]]:
        return find_rows(X, data, data.graphs if self._pools(data) else 0)

    def _check_features(self, data: Graph) -> None:
        if data.n_features and data.n_features != self.n_features_in_:  # 0: structural features
            raise InvalidError(f"X has {data.n_features} features, but {type(self).__name__} is "
                               f"expecting {self.n_features_in_} features as input")
        before = getattr(self, "feature_names_in_", None)
        now = data.feature_names
        if before is None and now is not None:
            warn(f"X has feature names, but {type(self).__name__} was fitted without feature names")
        elif before is not None and now is None:
            warn(f"X does not have valid feature names, but {type(self).__name__} was fitted with "
                 "feature names")
        elif before is not None and list(before) != list(now if now is not None else ()):
            raise InvalidError(_other_names(list(before), list(now if now is not None else ())))

    def _learn_from(self, X: Any, graph: Any, columns: Mapping[str, Any]) -> Graph:
        """The graph of a fit."""
        check_columns(self, "fit", columns)
        if self.graph is not None:
            for name in ("graph", *columns) if graph is not None else columns:
                raise InvalidError(f"the estimator has a graph, so {name}= is not allowed")
            data = self._whole_graph()
            self._find_rows(X, data)
            return data
        X, graph = split_graph(X, graph, columns)
        data = self._gather(X, graph, columns)
        if graph is None and data.edges == 0:
            warn("no edges were given, so every node is isolated; pass graph=")
        self._needs_edges = graph is not None and X is not None
        return data

    # ---- fit and embed ----

    @old_names(edges="graph")
    def fit(self, X: Any = None, y: Any = None, *, graph: Any = None, **columns: Any) -> Self:
        """
        Fit to a graph: ``fit(graph)``, or ``fit(X, graph=graph)`` with node features; y is ignored.

        Both are what :class:`wgdn.Graph` is made of, with its keywords: source, target, weight, ... Ctrl-C stops after the
        current step. With a `checkpoint`, the next fit() resumes the run.
        """
        refuse_edges(X, y)
        self._fit(self._learn_from(X, graph, columns))
        return self

    def _fit(self, data: Graph, embeds: bool = False) -> None:
        self._model = self._find_or_make(data, embeds or self.graph is not None)
        self._dim = _core.model_facts(self._model)[1]
        self.n_features_in_ = data.n_features
        self.ids_ = None if self._pools(data) else data.ids
        self.__dict__.pop("feature_names_in_", None)
        self.__dict__.pop("_vectors", None)
        if data.feature_names is not None:
            self.feature_names_in_ = data.feature_names
        if self.graph is not None:
            self._vectors = self._embed(data)

    def _pools(self, data: Graph) -> bool:
        """Whether the embeddings are of graphs, not of nodes."""
        return self.task == "graph" or (self.task == "auto" and data.graphs > 1)

    def _embed(self, data: Graph, align: Any = None) -> NDArray[np.float32]:
        pools = self._pools(data)
        out = np.empty((data.graphs if pools else data.nodes, self._dim), np.float32)
        old = None
        if align is not None:
            if pools:
                raise InvalidError("align= is for vectors of nodes, and these are of graphs")
            if not isinstance(align, Embedding):
                raise ArgumentError(f"align: expected a wgdn.Embedding, got {type(align).__name__}")
            if align.dim != self._dim:
                raise InvalidError(f"align: vectors of dim {align.dim} for a model of dim {self._dim}")
            old = align.values, align.dim, align._nodes()._handle
        _core.model_embed(self._model, data._handle, out, int(self.threads), pools, old)
        if len(out) and not out.any():
            warn(f"all {len(out)} vectors are zeros: the graph has no edges and no features that "
                 "the model knows")
        return out

    def _embed_others(self, data: Graph, align: Optional[Embedding] = None) -> NDArray[np.float32]:
        """Vectors of data that need not be those of the fit. A warning counts nodes that the model cannot place."""
        out = self._embed(data, align)
        zero = len(out) - int(out.any(axis=1).sum())
        if zero == 0 or self._pools(data):
            return out
        name = repr(data.ids[0]) if data.ids is not None else "0"
        if zero == len(out):
            own = "" if self.ids_ is None else f", such as {self.ids_[0]!r}"
            raise InvalidError(f"the model knows none of the {zero} nodes, such as {name}, nor their neighbors: it is "
                               f"made of the structure of the graph of fit() and finds nodes by their ids{own}. Use "
                               "the same ids, or fit to this graph")
        warn(f"{zero} of {len(out)} nodes have vectors of zeros: the model knows neither them nor their neighbors, or "
             "they have no edges and no features")
        return out

    @old_names(edges="graph")
    def fit_transform(self, X: Any = None, y: Any = None, *, graph: Any = None, **columns: Any) -> NDArray[np.float32]:
        """Fit and return the embeddings of the nodes, or of the graphs if there are several."""
        refuse_edges(X, y)
        if self.graph is not None:
            self.fit(X, y, graph=graph, **columns)
            return self._select(X)
        data = self._learn_from(X, graph, columns)
        self._fit(data, embeds=True)
        return self._deliver(X if graph is None else graph, self._embed(data))

    @old_names(edges="graph")
    def transform(self, X: Any = None, *, graph: Any = None, **columns: Any) -> NDArray[np.float32]:
        """
        Embeddings of nodes. If the estimator has a graph, X selects nodes of it; otherwise X and graph define one, which
        need not be the one of fit().
        """
        self._check_fitted()
        if hasattr(self, "_vectors"):
            if graph is not None:
                raise InvalidError("the estimator has a graph, so graph= is not allowed")
            return self._select(X)
        data = self._gather_like_fit(X, graph, "transform", columns)
        return self._deliver(X if graph is None else graph, self._embed_others(data))

    def _select(self, X: Any) -> NDArray[np.float32]:
        rows = self._find_rows(X, self._whole_graph())
        return self._vectors if rows is None else self._vectors[rows]

    def _gather_like_fit(self, X: Any, graph: Any, call: str, columns: Mapping[str, Any]) -> Graph:
        """The graph to embed: with edges if fit() had some, and with its features."""
        check_columns(self, call, columns)
        X, graph = split_graph(X, graph, columns)
        if X is not None and graph is None and self._needs_edges:
            raise InvalidError("fit() was given edges; the edges of these nodes are needed as well: pass graph=. In a "
                               f"pipeline, where none can be passed, use {type(self).__name__}(graph=...)")
        if isinstance(graph, (str, bytes, os.PathLike)) and not is_parquet(graph) and \
                (X is None or isinstance(X, (str, bytes, os.PathLike))):
            data = read(graph, X=X, like=self, **columns)  # columns and weights as in the data of fit()
        else:
            if X is None and graph is None:
                raise InvalidError("nothing to embed: pass graph, X or both")
            encoded = X is not None and _core.model_encoding(self._model) is not None
            data = as_graph(graph, X, like=self, **columns) if encoded else as_graph(graph, X, **columns)
        self._check_features(data)
        return data

    def embed(self, graph: Any = None, X: Any = None, *, align: Optional[Embedding] = None,
              edges: Any = None, **columns: Any) -> Embedding:
        """
        Embeddings of a new or a grown graph, an Embedding with the ids of its nodes; `columns` as in :class:`wgdn.Graph`.

        `align` is an Embedding of before: the new vectors are rotated onto it by the ids that both have, so that they can
        be compared. Lengths and cosines stay as they are.
        """
        self._check_fitted()
        if edges is not None:
            deprecated("embed(X, edges=...)", "embed(graph, X)")
            graph, X = edges, graph
        if self.graph is not None and graph is None and X is None:
            data = self._whole_graph()
            vectors = self._vectors if align is None else self._embed(data, align)
        else:
            if X is None and not self._needs_edges and _is_matrix(graph, self.n_features_in_):
                graph, X = None, graph
            data = self._gather_like_fit(X, graph, "embed", columns)
            vectors = self._embed_others(data, align)
        self._deliver(graph, vectors)
        return self._dress(vectors, data)

    def _dress(self, vectors: NDArray[np.float32], data: Graph) -> Embedding:
        """Vectors as an Embedding, which tells what it was made from."""
        made = {"method": type(self).__name__, **{name: value for name, value in self.get_params().items()
                                                  if name in self._table},
                "nodes": data.nodes, "edges": data.edges, "features": data.n_features}
        if self._pools(data):
            return Embedding(vectors, data.graph_ids, made_from={**made, "graphs": data.graphs})
        return Embedding(vectors, data.ids, kinds=data.kinds, made_from=made)

    def _deliver(self, X: Any, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        if is_anndata(X):
            X.obsm["X_wgdn"] = vectors
        return vectors

    # ---- files ----

    def save(self, path: Path) -> None:
        """Write the model as safetensors, in the file format of the program."""
        self._check_fitted()
        _core.model_save(self._model, path)

    @classmethod
    @own_errors
    def load(cls, path: Path, *, graph: Any = None) -> Self:
        """Read a model of save() or of the program, with its parameters."""
        model = _core.model_load(path)
        kind = _core.model_facts(model)[0]
        if kind != cls._kind:
            raise InvalidError(
                f"{os.fsdecode(path)} holds a model that was {kind}, not {cls._kind}: load it with "
                f"wgdn.{CLASSES[kind]}.load(), or either kind with wgdn.load()")
        return cls._from_model(model, graph)

    @classmethod
    def _from_model(cls, model: _core.ModelHandle, graph: Any) -> Self:
        _, dim, features, texts = _core.model_facts(model)
        loaded = cls(graph=graph, **_options.values(cls._table, texts))
        loaded._model, loaded._dim = model, dim
        loaded.n_features_in_ = features
        loaded.ids_ = None
        loaded._needs_edges = False
        if graph is not None:
            data = loaded._whole_graph()
            loaded._vectors, loaded.ids_ = loaded._embed(data), data.ids
        return loaded

    # Parameters that every estimator has.
    graph: Any
    cache: Any
    task: Any
    threads: int
    # Set by fit().
    n_features_in_: int
    ids_: Optional[NDArray[np.object_]]
    feature_names_in_: NDArray[np.object_]
    _dim: int
    _needs_edges: bool
    _vectors: NDArray[np.float32]


def _other_names(before: list[Any], now: list[Any]) -> str:
    """The wording of scikit-learn, which its estimator checks expect."""
    lines = ["The feature names should match those that were passed during fit."]
    unseen = sorted(set(now) - set(before))
    missing = sorted(set(before) - set(now))
    if unseen:
        lines += ["Feature names unseen at fit time:", *(f"- {name}" for name in unseen[:5])]
    if missing:
        lines += ["Feature names seen at fit time, yet now missing:",
                  *(f"- {name}" for name in missing[:5])]
    if not unseen and not missing:
        lines.append("Feature names must be in the same order as they were in fit.")
    return "\n".join(lines) + "\n"


# ---- the closed form ----

WORDS = _options.FIT["features"].choices


class ClosedForm(FitFields, Estimator):
    """FilterEmbedding without scikit-learn."""

    _kind = "fitted"
    _table = _options.FIT
    _own = {"graph": None, "cache": None}

    def __init__(self, *, graph: Any = None, cache: Any = None,
                 **options: Unpack[FitKeywords]) -> None:
        super().__init__(graph=graph, cache=cache, **options)

    def _option_texts(self) -> dict[str, str]:
        given = self.get_params()
        chosen = given["scale"] is None or isinstance(given["scale"], str) and \
            given["scale"] == "auto"
        given["scale"] = self._table["scale"].default if chosen else given["scale"]
        return _options.texts(self._table, {name: given[name] for name in self._table})

    def _make(self, data: Graph, embeds: bool) -> _core.ModelHandle:
        model = _core.fit(data._handle, self._option_texts(), embeds)
        self.parts_, self.scales_ = _core.model_parts(model)
        for what, text in _core.model_remarks(model):
            if what != "fewer-columns":  # the shape shows it
                warn(text)
        return model

    def _take_facts(self, model: _core.ModelHandle, facts: dict[str, Any]) -> None:
        self.parts_, self.scales_ = _core.model_parts(model)

    def _check_features(self, data: Graph) -> None:
        if _core.model_facts(self._model)[2]:  # else it looks at none
            super()._check_features(data)

    @classmethod
    def _from_model(cls, model: _core.ModelHandle, graph: Any) -> Self:
        loaded = super()._from_model(model, graph)
        loaded.parts_, loaded.scales_ = _core.model_parts(model)
        return loaded

    # Set by fit().
    parts_: list[dict[str, Any]]
    scales_: dict[float, float]


def _is_matrix(x: Any, columns: int) -> bool:
    """Whether it is features with this number of columns rather than a graph."""
    if columns == 0 or has_edges(x) or looks_like_edges(x):
        return False
    return getattr(x, "ndim", 0) == 2 and x.shape[1] == columns and x.shape[0] != columns


EDGE_KEYWORDS = frozenset(("source", "target", "weight", "type", "graph_id", "bipartite", "directed", "weights"))


def take_keywords(given: dict[str, Any]) -> dict[str, Any]:
    """Take the keywords about the graph out of `given` and return them."""
    return {name: given.pop(name) for name in GRAPH_KEYWORDS if given.get(name) is not None}


def split_keywords(call: str, given: dict[str, Any], table: Mapping[str, _options.Option], *own: str) -> dict[str, Any]:
    """Take the keywords about the graph out of `given` and return them; the others have to be options of the table. own: of the call."""
    about = take_keywords(given)
    for name in _options.resolve(table, given):
        if name not in table:
            raise ArgumentError(_options.refusal(call, name, [*own, *table, *GRAPH_KEYWORDS]))
    return about


@own_errors
def embed(graph: Any, X: Any = None, *, key_added: Optional[str] = None, align: Optional[Embedding] = None,
          **options: Unpack[EmbedKeywords]) -> Embedding:
    # The docstring is built below, from the option table.
    given = cast("dict[str, Any]", options)
    if isinstance(X, str) and X in WORDS:
        deprecated(f"embed(graph, {X!r})", f"embed(graph, features={X!r})")
        given["features"], X = X, None
    if given.get("features") is not None and not isinstance(given["features"], str):
        deprecated("features= with a matrix", "X=")
        X = given.pop("features")
    about = split_keywords("embed", given, _options.FIT, "key_added", "align")
    if key_added is not None and not is_anndata(graph):
        raise InvalidError("key_added goes with an AnnData")
    model = ClosedForm(**cast("FitKeywords", given))
    data = as_graph(graph, X, **about)
    if data.edges == 0 and graph is None:
        warn("no edges were given, so every node is isolated; pass graph")
    model._fit(data, embeds=True)
    vectors = model._embed(data, align)
    cells: Any = graph
    if is_anndata(cells):
        cells.obsm["X_wgdn" if key_added is None else key_added] = vectors
    return model._dress(vectors, data)


ALIASES = """The aliases `n_components` (dim), `n_jobs` (threads) and `random_state` (seed) are
accepted. `scale` may be None or "auto" instead of -1."""

embed.__signature__ = signature(  # type: ignore[attr-defined]
    {**dict.fromkeys(GRAPH_KEYWORDS), "key_added": None, "align": None,
     **{o.name: o.default for o in _options.FIT.values() if o.name not in GRAPH_KEYWORDS}},
    inspect.Parameter("graph", inspect.Parameter.POSITIONAL_OR_KEYWORD),
    inspect.Parameter("X", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None))
embed.__doc__ = f"""
Embeddings of the nodes of a graph by the closed form, in one call: no training, no labels.

    E = wgdn.embed(edges, source="payer", target="payee", weight="amount")     # a table of edges
    E = wgdn.embed(A, X)                 # adjacency matrix or edges, and node features
    E = wgdn.embed(G)                    # NetworkX, PyTorch Geometric, AnnData, a wgdn.Graph
    E = wgdn.embed("graph.tsv")          # a file, as in `wgdn embed graph.tsv`

Returns a :class:`wgdn.Embedding`: an array-like of float32 with a row for each node and the ids of the nodes, in the
order of the nodes of :class:`wgdn.Graph`. FilterEmbedding is the same with a model, which can be saved and embeds graphs
that come later. WGDN is the autoencoder, which is trained: try it where minutes do not matter.

Parameters
----------
    graph : edges or a whole graph, as wgdn.Graph takes them, or a file
    X : node features: array, SciPy sparse matrix or table, a row for each node; with a file of edges, a file
    {", ".join(GRAPH_KEYWORDS)} : as in wgdn.Graph
    key_added : of an AnnData, the key of obsm that gets the vectors (default "X_wgdn")
    align : an Embedding of before; the vectors are rotated onto it by the ids that both have
{_options.describe(_options.FIT, GRAPH_KEYWORDS)}

{ALIASES}

Examples
--------
>>> import numpy as np
>>> import wgdn
>>> edges = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3)]     # two triangles
>>> X = np.array([[1, 0], [1, 1], [1, 0], [0, 1], [0, 1], [1, 2]])
>>> E = wgdn.embed(edges, X, dim=8)
>>> E.shape[0], E.dtype
(6, dtype('float32'))
>>> E.tobytes() == wgdn.embed(edges, X, dim=8, threads=2).tobytes()
True
"""


@own_errors
def load(path: Path, *, graph: Any = None) -> Union[WGDN, FilterEmbedding, Recommender]:
    """
    Read what save() or the program has written: a WGDN, a FilterEmbedding or a Recommender. The file of a NodeClassifier is also that
    of the FilterEmbedding that its vectors are of; `NodeClassifier.load()` reads all of it.
    """
    from ._recommend import Recommender
    from ._sklearn import WGDN, FilterEmbedding

    if _core.is_recommender(path):
        if graph is not None:
            raise InvalidError(f"{os.fsdecode(path)} holds a Recommender, which has its interactions: leave out graph=")
        return Recommender.load(path)
    model = _core.model_load(path)
    if _core.model_facts(model)[0] == "trained":
        return WGDN._from_model(model, graph)
    return FilterEmbedding._from_model(model, graph)


# ---- the autoencoder ----

def check_memory(data: Graph, texts: dict[str, str]) -> None:
    """Raise before the first epoch if memory will not suffice."""
    need = _core.estimate(data._handle, texts)
    more = need["total_bytes"] - need["dataset_bytes"]  # the dataset is in memory already
    there = _core.machine()["memory_available"]
    if 0 <= there < more:
        raise _core.NoMemoryError(
            f"training needs {more / 1e9:.1f} GB more, and {there / 1e9:.1f} GB are available; "
            "reduce dim; wgdn.estimate() shows how much a setting needs")


class Autoencoder(TrainFields, Estimator):
    """WGDN without scikit-learn."""

    _kind = "trained"
    _table = _options.TRAIN
    _own = {"graph": None, "cache": None, "checkpoint": None, "checkpoint_every": 0, "callback": None,
            "progress": None}

    def __init__(self, *, graph: Any = None, cache: Any = None,
                 checkpoint: Optional[Path] = None, checkpoint_every: int = 0, callback: Optional[Callback] = None,
                 progress: Optional[bool] = None, **options: Unpack[TrainKeywords]) -> None:
        super().__init__(graph=graph, cache=cache, **options)
        self.checkpoint = checkpoint
        self.checkpoint_every = checkpoint_every
        self.callback = callback
        self.progress = progress

    @classmethod
    def from_preset(cls, name: str, **options: Unpack[TrainKeywords]) -> Self:
        """An estimator with the settings of a preset; options override them."""
        if name not in _core.preset_names():
            raise InvalidError(f"unknown preset {name!r}; expected one of "
                               f"{', '.join(_core.preset_names())}")
        return cls(**cast("TrainKeywords", {**_options.values(_options.TRAIN, _core.preset(name)),
                                            **_options.resolve(_options.TRAIN, options)}))

    def _make(self, data: Graph, embeds: bool) -> _core.ModelHandle:
        if self.callback is not None and not callable(self.callback):
            raise ArgumentError(f"callback = {self.callback!r}: expected a function or None")
        if not hasattr(self.checkpoint_every, "__index__") or self.checkpoint_every < 0:
            raise InvalidError(f"checkpoint_every = {self.checkpoint_every!r}: expected an integer "
                               "of at least 0")
        texts = self._option_texts()
        check_memory(data, texts)
        watcher = Watcher(self.callback, self.progress)
        try:
            model = _core.train(data._handle, texts, self.checkpoint, self.checkpoint_every, False,
                                watcher)
        finally:
            watcher.close()
        self.n_iter_ = watcher.first + len(watcher.losses)
        self.loss_curve_ = watcher.losses
        self.loss_ = watcher.losses[-1] if watcher.losses else float("nan")
        return model

    def _facts(self) -> dict[str, Any]:
        return {"n_iter": self.n_iter_, "loss_curve": self.loss_curve_}

    def _take_facts(self, model: _core.ModelHandle, facts: dict[str, Any]) -> None:
        self.n_iter_, self.loss_curve_ = facts["n_iter"], facts["loss_curve"]
        self.loss_ = self.loss_curve_[-1] if self.loss_curve_ else float("nan")

    @classmethod
    def _from_model(cls, model: _core.ModelHandle, graph: Any) -> Self:
        loaded = super()._from_model(model, graph)
        loaded.n_iter_ = loaded.epochs
        loaded.loss_curve_, loaded.loss_ = [], float("nan")
        return loaded

    # Set by fit().
    n_iter_: int
    loss_: float
    loss_curve_: list[float]
