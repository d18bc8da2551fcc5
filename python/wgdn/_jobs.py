# SPDX-License-Identifier: Apache-2.0
"""
What people do with a graph without looking at vectors: predict() labels of nodes from those of others, and find a
cluster() for each node, as the program's commands of these names do.
"""
from __future__ import annotations

import weakref
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Optional, Union

import numpy as np
from numpy.typing import NDArray

from . import _core, _options
from ._errors import ArgumentError, InvalidError, not_fitted, own_errors
from ._estimators import ClosedForm, Nodes, Parameters, check_columns, describe_init, find_rows, load_bytes, saved_bytes, take_keywords
from ._features import by_id, is_label_list, label_rows, name_rows, number_lists, refuse_unclear, spread_by_id, warn_of_leak
from ._graph import Graph, as_graph, html_table, names_of
from ._names import as_list, is_missing, places

if TYPE_CHECKING:
    from typing_extensions import Self

    from ._core import Path

# Options of the vectors that the jobs take beside their own.
VECTORS = {name: _options.FIT[name] for name in ("dim", "features", "scale")}


# ---- what the jobs share ----

_made: weakref.WeakKeyDictionary[Graph, dict[Any, Any]] = weakref.WeakKeyDictionary()


def vectors_of(data: Graph, given: Mapping[str, Any]) -> tuple[_core.ModelHandle, NDArray[np.float32]]:
    """The closed form of a graph and its vectors, which are kept as long as the graph."""
    key = tuple(sorted((name, str(value)) for name, value in given.items() if name != "threads"))
    kept = _made.setdefault(data, {})
    if key not in kept:
        model = ClosedForm(task="node", **given)
        model._fit(data, embeds=True)
        kept.clear()  # those of one setting
        kept[key] = model._model, model._embed(data)
    found: tuple[_core.ModelHandle, NDArray[np.float32]] = kept[key]
    return found


def split_options(call: str, given: Mapping[str, Any],
                  table: Mapping[str, _options.Option]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Options of a job and those of its vectors, by their plain names; seed and threads are of both."""
    if call == "cluster" and "k" in given:
        raise ArgumentError("cluster() has no parameter 'k'; the number of groups is 'clusters'")
    named = _options.resolve({**VECTORS, **table}, given)
    for name in named:
        if name not in table and name not in VECTORS:
            raise ArgumentError(_options.refusal(call, name, [*table, *VECTORS, *_options.GRAPH_KEYWORDS]))
    return ({name: value for name, value in named.items() if name in table},
            {name: value for name, value in named.items() if name in VECTORS or name in ("seed", "threads")})


def to_frame(columns: Mapping[str, Any]) -> Any:
    import pandas

    return pandas.DataFrame(dict(columns))


# ---- labels ----

def _is_unset(value: Any, whole: bool) -> bool:
    """Whether it is no label; whole: -1 is none."""
    return is_missing(value) or whole and _is_number(value) and value == -1


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, (bool, np.bool_))


def _are_whole(values: Iterable[Any]) -> bool:
    """Whether all numbers among labels are integers, also as floats beside NaN; infinite ones are refused."""
    numbers = [float(v) for v in values if _is_number(v) and v == v]
    if any(abs(v) == float("inf") for v in numbers):
        raise InvalidError("labels: an infinite number is no label")
    return all(v.is_integer() for v in numbers)


def spread_labels(labels: Any, data: Graph) -> list[Any]:
    """A label for each node or a list of several, None for none, of a dictionary, a Series, a matrix, or a list of all nodes."""
    labels = by_id(labels, "labels")
    if data.ids is not None:
        refuse_unclear(labels, data.ids, "labels")
    index = labels.index if hasattr(labels, "iloc") else None  # of a Series or a DataFrame, also of some nodes
    labels, _ = label_rows(labels, "labels")
    if index is not None:
        if not index.is_unique:
            raise InvalidError(f"labels: the id {index[index.duplicated()][0]!r} is in the index twice; for several labels of a node "
                               "pass a list of them")
        labels = dict(zip(as_list(index), as_list(labels)))
    if isinstance(labels, Mapping):
        return spread_by_id(labels, places(names_of(data), data.kinds), data.nodes, data.kinds, "labels")
    if isinstance(labels, (str, bytes)) or not hasattr(labels, "__len__"):
        raise InvalidError(f"labels = {labels!r}: expected a dictionary from ids to labels, a Series, or a label for each "
                           "node; read a file of labels by wgdn.read(path, y=...)")
    if len(labels) != data.nodes:
        raise InvalidError(f"labels: expected one for each of the {data.nodes} nodes, None where there is none, or a "
                           f"dictionary of some; got {len(labels)}")
    return as_list(labels)


def are_numbers(values: Sequence[Any]) -> bool:
    """The rule for files: ten or more different ones with a fraction, or over 100 integers that hardly repeat."""
    if not values or any(isinstance(v, (bool, np.bool_)) or not isinstance(v, (int, float, np.number)) for v in values):
        return False
    different = set(values)
    fraction = any(float(v) != int(v) for v in different)
    return len(different) >= 10 and fraction or len(different) > 100 and len(values) < 5 * len(different)


def with_labels(data: Graph, offset: Optional[NDArray[np.int64]] = None, number: Optional[NDArray[np.int32]] = None,
                names: Sequence[bytes] = ()) -> _core.DatasetHandle:
    """The edges of a graph with other labels, the numbers from one offset to the next for each node, or none."""
    start, target = np.empty(data.nodes + 1, np.int64), np.empty(2 * data.edges, np.int32)
    weight = np.empty(2 * data.edges, np.float32)
    _core.dataset_adjacency(data._handle, start, target, weight)
    source = np.repeat(np.arange(data.nodes, dtype=np.int64), np.diff(start))
    once = source < target
    return _core.dataset_from_arrays({
        "nodes": data.nodes, "source": source[once], "target": target[once].astype(np.int64), "weight": weight[once],
        "label_offset": offset, "label_list": number, "class_names": None if offset is None else list(names)})


class Labels:
    """Labels of some nodes, one or several for each, as the library takes them."""

    def __init__(self, data: Graph, labels: Any, kind: str) -> None:
        if labels is None:
            if data.y is None:
                raise InvalidError("labels: the graph has none; pass labels, a dictionary from ids to labels")
            self.handle, self.known = data._handle, data.y >= 0
            self.classes, self.numeric = data.classes, None
            return
        spread = [as_list(v) if is_label_list(v) else v for v in spread_labels(labels, data)]
        whole = kind != "number" and _are_whole(v for v in spread if not isinstance(v, list))
        lists = [v if isinstance(v, list) else [] if _is_unset(v, whole) else [v] for v in spread]
        several = any(isinstance(v, list) for v in spread)
        given = [label for row in lists for label in row]
        if set(given) == {1} and -1 in (v for v in spread if not isinstance(v, list)):
            raise InvalidError("labels: the labels are -1 and 1, and -1 means no label; pass 0 and 1, or labels == 1")
        self.numeric = kind == "number" or kind == "auto" and not several and are_numbers(given)
        offset, number, self.classes = number_lists(lists)
        self.known = np.diff(offset) > 0
        self.handle = with_labels(data, offset, number, [str(c).encode() for c in self.classes.tolist()])


class Predictions:
    """
    Labels of nodes, as predict() returns them.

    Attributes
    ----------
    ids : ids of the nodes in their original type
    kinds : of each node of a graph with two kinds, such as "user" and "item"; else None
    labels : the class of each of them; a number where numbers are predicted; a list of labels where nodes have several
    probabilities : nodes x classes, calibrated; None for numbers
    classes : the classes, in the order of the columns; None for numbers
    report : the method that was chosen, and how good it is on labeled nodes that were held out: `accuracy`, `macro_f1`,
        `auc` and `average_precision` of two classes, `ece`, `r2` of numbers, and the `baseline` of the most frequent class
    """

    def __init__(self, names: tuple[NDArray[Any], Optional[NDArray[Any]]], values: NDArray[np.float32], classes: Optional[NDArray[Any]],
                 report: dict[str, Any], made_by: tuple[_core.PredictorHandle, _core.ModelHandle]) -> None:
        self.ids, self.kinds = names
        self.classes, self.report, self._made_by = classes, report, made_by
        self.probabilities = None if classes is None else values
        self.labels = values[:, 0] if classes is None else best_labels(values, classes, report)

    def __len__(self) -> int:
        return len(self.ids)

    def to_pandas(self) -> Any:
        """A DataFrame with the columns id, label, probability and those of the classes, or id and value."""
        names = {"id": self.ids} if self.kinds is None else {"kind": self.kinds, "id": self.ids}
        if self.probabilities is None:
            return to_frame({**names, "value": self.labels})
        columns = {**names, "label" if self.report["kind"] == "class" else "labels": self.labels}
        if self.report["kind"] == "class":
            columns["probability"] = self.probabilities.max(axis=1, initial=0)
        assert self.classes is not None
        return to_frame({**columns, **{f"p:{c}": self.probabilities[:, k] for k, c in enumerate(self.classes.tolist())}})

    @own_errors
    def save(self, path: Path) -> None:
        """Write the predictor with the model of its vectors, for :meth:`NodeClassifier.load` and `wgdn predict`."""
        _core.predictor_save(*self._made_by, path)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_made_by": saved_bytes(self.save)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._made_by = load_bytes(state["_made_by"], _core.predictor_load)

    def _repr_html_(self) -> str:
        shown: list[Sequence[Any]] = [("id", "value" if self.probabilities is None else "label", "probability")]
        best = [""] * 10 if self.probabilities is None else [f"{p:.3f}" for p in self.probabilities[:10].max(axis=1, initial=0)]
        shown += zip(self.ids[:10].tolist(), self.labels[:10].tolist(), best)
        return html_table(repr(self)[1:-1], shown)

    def __repr__(self) -> str:
        score = next(((name, self.report[name]) for name in ("r2", "micro_f1", "auc", "accuracy")
                      if name in self.report), ("labeled", self.report["labeled"]))
        return f"<wgdn.Predictions: {len(self)} nodes, {score[0]} of held-out labels {score[1]:.3g}>"


def best_labels(values: NDArray[np.float32], classes: NDArray[Any], report: Mapping[str, Any]) -> NDArray[Any]:
    best = values.argmax(axis=1)
    if report["kind"] != "several":
        found: NDArray[Any] = classes[best]
        return found
    labels = np.empty(len(values), dtype=object)
    for i, row in enumerate(values):
        chosen = row >= report["threshold"]
        chosen[best[i]] = True
        labels[i] = classes[chosen].tolist()
    return labels


def report_of(predictor: _core.PredictorHandle) -> dict[str, Any]:
    """The report of the library, with methods by name."""
    report = _core.predictor_report(predictor)
    names = _options.PREDICT["method"].choices
    report["method"] = names[report["method"]]
    report["methods"] = {name: score for name, score in zip(names, report["methods"]) if score == score}
    return report


def learn(labels: Labels, vectors: NDArray[np.float32], own: Mapping[str, Any]) -> _core.PredictorHandle:
    texts = _options.texts(_options.PREDICT, own)
    if labels.numeric is not None:
        texts["label_kind"] = "number" if labels.numeric else "class"
    return _core.predictor_fit(labels.handle, vectors, vectors.shape[1], texts)


def apply(predictor: _core.PredictorHandle, data: _core.DatasetHandle, vectors: NDArray[np.float32],
          threads: Any) -> NDArray[np.float32]:
    report = report_of(predictor)
    columns = 1 if report["kind"] == "number" else report["classes"]
    out = np.empty((len(vectors), columns), np.float32)
    _core.predictor_apply(predictor, data, vectors, vectors.shape[1], out, columns, int(threads or 0))
    return out


@own_errors
def predict(graph: Any, labels: Any = None, X: Any = None, **options: Any) -> Predictions:
    # The docstring is built below, from the option table.
    about = take_keywords(options)
    own, given = split_options("predict", options, _options.PREDICT)
    data = as_graph(graph, X, **about)
    warn_of_leak(labels, X, "labels")
    labels = name_rows(labels, names_of(data), X, about.get("ids"))
    known = Labels(data, labels, str(own.get("label_kind", "auto")))
    model, vectors = vectors_of(data, given)
    predictor = learn(known, vectors, own)
    report = report_of(predictor)
    values = apply(predictor, known.handle, vectors, own.get("threads"))
    classes = None if report["kind"] == "number" else known.classes
    asked = ~known.known
    names = names_of(data)[asked], None if data.kinds is None else data.kinds[asked]
    return Predictions(names, values[asked], classes, report, (predictor, model))


predict.__doc__ = f"""
Predict the labels of nodes from the labels of others, as `wgdn predict` does.

Classes come with calibrated probabilities, and labels that are numbers are predicted as numbers. Labeled nodes that are
held out, fold by fold, choose what predictions are made from, and tell how good they are.

Parameters
----------
    graph : a graph, edges or a file, as in :func:`wgdn.embed`
    labels : labels of some nodes: a dictionary from ids to labels, a pandas Series with the ids as its index, or one for each
        node, None, NaN or -1 for none; default: those of the graph. Several labels of a node are a list, or a row of an
        indicator matrix of NumPy, SciPy or pandas: a column for each class, 1 where a node has it
    X : node features, as in :func:`wgdn.embed`
{_options.describe(_options.PREDICT)}
{_options.describe(VECTORS)}
    others : what :class:`wgdn.Graph` takes, such as source, target and weight

Returns
-------
    Predictions of all nodes without a label: `ids`, `labels`, `probabilities`, `classes` and a `report`.

Examples
--------
>>> import wgdn
>>> edges = [("a", "b"), ("b", "c"), ("c", "a"), ("d", "e"), ("e", "f"), ("f", "d"), ("a", "d"), ("g", "a"), ("g", "b")]
>>> p = wgdn.predict(edges, {{"a": "red", "b": "red", "d": "blue", "e": "blue"}}, folds=2)
>>> p.ids.tolist(), p.labels.tolist()
(['c', 'f', 'g'], ['red', 'blue', 'red'])
>>> p.report["labeled"]
4
>>> q = wgdn.predict(edges, {{"a": ["red", "warm"], "b": ["red"], "d": ["blue"], "e": ["blue", "cold"]}}, folds=2)
>>> q.report["kind"], [label in "blue cold red warm".split() for label in q.labels[0]][0]
('several', True)
"""


# ---- the estimator ----

_CLASSIFIER = {**{name: option for name, option in _options.PREDICT.items() if name != "label_kind"}, **VECTORS}


class NodeClassifier(Parameters):
    # The docstring is built below, from the option table.

    _table: ClassVar[Mapping[str, _options.Option]] = _CLASSIFIER
    _own: ClassVar[Mapping[str, Any]] = {"graph": None}

    def __init__(self, *, graph: Any = None, **options: Any) -> None:
        self._set_options(options)
        self.graph = graph

    def _data(self, graph: Any, call: str, columns: Mapping[str, Any]) -> Graph:
        """The graph of a call, or that of the estimator, whose columns are known."""
        check_columns(self, call, columns)
        if graph is None and self.graph is None:
            raise InvalidError("NodeClassifier has no graph: fit(nodes, labels, graph=edges), or pass NodeClassifier(graph=edges)")
        if graph is None and columns:
            raise InvalidError(f"{next(iter(columns))}= goes with graph=; those of the estimator are wgdn.Graph(edges, ...)")
        return as_graph(self.graph if graph is None else graph, **columns)

    def _given(self) -> tuple[dict[str, Any], dict[str, Any]]:
        return split_options("NodeClassifier", {name: getattr(self, name) for name in self._table}, _options.PREDICT)

    @own_errors
    def fit(self, X: Any = None, y: Any = None, *, graph: Any = None, **columns: Any) -> Self:
        """
        Learn the labels y of the nodes X: ids, or indices if nodes have none. Several labels of a node are a list, or a row of an
        indicator matrix with a column for each class; predict() then returns the same form. `columns` of a table of edges as in
        :class:`wgdn.Graph`.
        """
        if X is None or y is None:
            raise ArgumentError("fit() takes nodes and their labels: fit(nodes, labels, graph=edges); wgdn.predict(edges, labels) takes a "
                                "graph and labels by id")
        data = self._data(graph, "fit", columns)
        rows = find_rows(X, data)
        if isinstance(y, Mapping):
            raise InvalidError("y is a dictionary: expected one label for each node of X; wgdn.predict() takes a dictionary")
        given_labels, of_columns = label_rows(y, "y")
        labels = [as_list(label) if is_label_list(label) else label for label in as_list(given_labels)]
        if rows is None or len(rows) != len(labels):
            raise InvalidError(f"y: expected one label for each of the {0 if rows is None else len(rows)} nodes of X, got "
                               f"{len(labels)}")
        spread: list[Any] = [None] * data.nodes
        for row, label in zip(rows.tolist(), labels):
            if spread[row] is not None and spread[row] != label:
                raise InvalidError(f"X has the node {names_of(data)[row]!r} twice, with the labels {spread[row]!r} and {label!r}; for "
                                   "several labels of a node pass a list of them")
            spread[row] = label
        own, given = self._given()
        known = Labels(data, spread, "class")
        self._model, vectors = vectors_of(data, given)
        self._predictor = learn(known, vectors, own)
        assert known.classes is not None
        classes = known.classes.tolist()
        self.classes_ = np.asarray(classes) if len(set(map(type, classes))) == 1 else known.classes
        self._columns = of_columns
        if of_columns is not None:
            self._place = np.array([of_columns.tolist().index(c) for c in classes], np.int64)
            self.classes_ = np.asarray(of_columns)
        self.report_ = report_of(self._predictor)
        self.n_features_in_ = 1
        self._values = apply(self._predictor, known.handle, vectors, self.threads)
        self._nodes = Nodes(data.nodes, data.ids, data.kinds)
        return self

    @own_errors
    def predict_proba(self, X: Any = None, *, graph: Any = None, **columns: Any) -> NDArray[np.float32]:
        """
        Probabilities of the classes for the nodes X, default all, of the graph. With graph=, for nodes of another graph,
        by the model of the first one.
        """
        values = self._apply(X, graph, "predict_proba", columns)
        if self.report_["kind"] == "number":
            raise InvalidError("the predictor learned numbers, which have no probabilities: use predict()")
        if self._columns is None:
            return values
        every = np.zeros((len(values), len(self.classes_)), np.float32)
        every[:, self._place] = values
        return every

    def _apply(self, X: Any, graph: Any, call: str, columns: Mapping[str, Any]) -> NDArray[np.float32]:
        self._check_fitted()
        if graph is None and hasattr(self, "_values"):
            rows = find_rows(X, self._nodes)
            return self._values if rows is None else self._values[rows]
        data = self._data(graph, call, columns)
        vectors = ClosedForm._from_model(self._model, None)._embed_others(data)
        values = apply(self._predictor, with_labels(data), vectors, self.threads)
        rows = find_rows(X, data)
        return values if rows is None else values[rows]

    @own_errors
    def predict(self, X: Any = None, *, graph: Any = None, **columns: Any) -> NDArray[Any]:
        """
        The most likely class of the nodes X, as in predict_proba(). Where nodes have several labels, a list of them for each, or the
        indicator matrix if fit() had one; numbers, if a loaded predictor learned numbers.
        """
        self._check_fitted()
        if self.report_["kind"] == "number":
            return self._apply(X, graph, "predict", columns)[:, 0]
        values = self.predict_proba(X, graph=graph, **columns)
        if self._columns is None:
            return best_labels(values, self.classes_, self.report_)
        chosen = values >= self.report_["threshold"] if self.report_["kind"] == "several" else np.zeros(values.shape, np.bool_)
        chosen[np.arange(len(values)), values.argmax(axis=1)] = True
        return chosen.astype(np.int64)

    def score(self, X: Any, y: Any) -> float:
        """The accuracy on the nodes X with the labels y: where nodes have several, the fraction with exactly these."""
        found = self.predict(X)
        if len(found) != len(y):
            raise InvalidError(f"y: expected one label for each of the {len(found)} nodes of X, got {len(y)}")
        if found.ndim == 2:
            return float(np.mean((found == np.asarray(y)).all(axis=1)))
        pairs = zip(found.tolist(), as_list(label_rows(y, "y")[0]))
        return float(np.mean([set(a) == set(b) if isinstance(a, list) else a == b for a, b in pairs]))

    @own_errors
    def save(self, path: Path) -> None:
        """Write the predictor with the model of its vectors, for `wgdn predict` and load()."""
        self._check_fitted()
        _core.predictor_save(self._predictor, self._model, path)

    @classmethod
    @own_errors
    def load(cls, path: Path, *, graph: Any = None) -> Self:
        """
        Read a predictor of save(), of Predictions.save() or of `wgdn predict --save`. Classes are text, or integers where all are.
        """
        predictor, model = _core.predictor_load(path)
        loaded = cls(graph=graph)
        loaded._predictor, loaded._model = predictor, model
        loaded._columns = None
        loaded.report_ = report_of(predictor)
        names = _core.predictor_classes(predictor)
        whole = all(name.lstrip("-").isdigit() for name in names)
        loaded.classes_ = np.array([int(name) for name in names]) if whole else np.array(names, dtype=object)
        loaded.n_features_in_ = 1
        return loaded

    def __getstate__(self) -> dict[str, Any]:
        state = {name: value for name, value in self.__dict__.items() if name not in ("_predictor", "_model")}
        if hasattr(self, "_predictor"):
            state["_saved"] = saved_bytes(self.save)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        saved = state.pop("_saved", None)
        self.__dict__.update(state)
        if saved is not None:
            self._predictor, self._model = load_bytes(saved, _core.predictor_load)

    def _check_fitted(self) -> None:
        if not hasattr(self, "_predictor"):
            raise not_fitted("This NodeClassifier instance is not fitted yet: call fit() or load() first.")

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_predictor")

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

        return Tags(estimator_type="classifier", target_tags=TargetTags(required=True), transformer_tags=None,
                    classifier_tags=ClassifierTags(multi_label=True), input_tags=InputTags(one_d_array=True, string=True))

    _estimator_type = "classifier"  # of scikit-learn before 1.6
    _predictor: _core.PredictorHandle
    _values: NDArray[np.float32]
    _columns: Optional[NDArray[Any]]  # classes of the columns of an indicator matrix; None: there was none
    _nodes: Nodes  # of the graph of fit()
    _place: NDArray[np.int64]  # of each class that was learned, among them
    classes_: NDArray[Any]
    report_: dict[str, Any]
    n_features_in_: int
    graph: Any
    threads: int


describe_init(NodeClassifier)
NodeClassifier.__doc__ = f"""
Classifies nodes of a graph, a scikit-learn classifier whose X are nodes: ids, or indices if nodes have none.

    c = NodeClassifier(graph=edges).fit(["a", "b", "d"], ["red", "red", "blue"])
    c.predict(["c", "e"])

Cross-validation splits the labeled nodes; every fit sees the whole graph, and the labels of its own nodes alone.

Parameters
----------
    graph : a whole graph or edges, as wgdn.Graph takes them, default None
        The graph whose nodes X selects; or pass it to fit().
{_options.describe(_CLASSIFIER)}

Attributes
----------
    classes_ : the classes, in the order of the columns of predict_proba()
    report_ : the method that was chosen and its quality on held-out labels, as in :func:`wgdn.predict`

Examples
--------
>>> import wgdn
>>> edges = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3)]
>>> c = wgdn.NodeClassifier(graph=edges, folds=2).fit([0, 1, 3, 4], ["red", "red", "blue", "blue"])
>>> c.predict([2, 5]).tolist()
['red', 'blue']
>>> c.predict_proba([2]).shape
(1, 2)
"""


# ---- clusters ----

class Clusters:
    """
    Clusters of nodes, as cluster() returns them.

    Attributes
    ----------
    ids : ids of the nodes in their original type
    kinds : of each node of a graph with two kinds; else None
    labels : the cluster of each node, 0 the largest
    similarity : the cosine of each node's vector and the center of its cluster
    sizes, cohesion : of each cluster: nodes, and the mean similarity
    typical : of each cluster, the ids of the nodes nearest to its center
    report : `clusters`, `silhouette`, `modularity`, and `community_modularity` of communities of the graph alone
    """

    def __init__(self, data: Graph, labels: NDArray[np.int32], similarity: NDArray[np.float32],
                 report: dict[str, Any]) -> None:
        each = report.pop("each")
        self.ids = ids = names_of(data)
        self.kinds = data.kinds
        self.labels, self.similarity, self.report = labels, similarity, report
        self.sizes = np.array([size for size, _, _ in each], np.int64)
        self.cohesion = np.array([cohesion for _, cohesion, _ in each])
        self.typical = [ids[typical].tolist() for _, _, typical in each]

    def __len__(self) -> int:
        return len(self.sizes)

    def to_pandas(self) -> Any:
        """A DataFrame with the columns id, cluster and similarity."""
        names = {"id": self.ids} if self.kinds is None else {"kind": self.kinds, "id": self.ids}
        return to_frame({**names, "cluster": self.labels, "similarity": self.similarity})

    def _repr_html_(self) -> str:
        rows: list[Sequence[Any]] = [("cluster", "nodes", "cohesion", "typical")]
        rows += [(k, int(self.sizes[k]), f"{self.cohesion[k]:.3f}", ", ".join(map(str, self.typical[k])))
                 for k in range(min(len(self), 20))]
        return html_table(repr(self)[1:-1], rows)

    def __repr__(self) -> str:
        return (f"<wgdn.Clusters: {len(self.ids)} nodes in {len(self)} clusters, silhouette "
                f"{self.report['silhouette']:.3g}>")


@own_errors
def cluster(graph: Any, X: Any = None, *, clusters: Union[int, None] = None, **options: Any) -> Clusters:
    # The docstring is built below, from the option table.
    if clusters is not None:
        options["clusters"] = clusters
    if isinstance(X, (int, np.integer)):
        raise ArgumentError(f"X = {X!r}: expected node features; the number of clusters is clusters={X!r}")
    about = take_keywords(options)
    own, given = split_options("cluster", options, _options.CLUSTER)
    data = as_graph(graph, X, **about)
    _, vectors = vectors_of(data, given)
    group, similarity = np.empty(data.nodes, np.int32), np.empty(data.nodes, np.float32)
    report = _core.find_clusters(data._handle, vectors, vectors.shape[1], _options.texts(_options.CLUSTER, own), group,
                                 similarity)
    return Clusters(data, group, similarity, report)


cluster.__doc__ = f"""
Find groups of nodes, without labels, as `wgdn cluster` does.

Parameters
----------
    graph : a graph, edges or a file, as in :func:`wgdn.embed`
    X : node features, as in :func:`wgdn.embed`
{_options.describe(_options.CLUSTER)}
{_options.describe(VECTORS)}
    others : what :class:`wgdn.Graph` takes, such as source, target and weight

Returns
-------
    Clusters: `ids`, `labels`, `sizes`, `typical` members and a `report` with silhouette and modularity.

Examples
--------
>>> import wgdn
>>> edges = [("a", "b"), ("b", "c"), ("c", "a"), ("d", "e"), ("e", "f"), ("f", "d"), ("a", "d")]
>>> c = wgdn.cluster(edges, clusters=2)
>>> c.sizes.tolist(), len(set(c.labels[:3].tolist()))
([3, 3], 1)
"""
