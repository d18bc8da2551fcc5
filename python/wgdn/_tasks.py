# SPDX-License-Identifier: Apache-2.0
"""
What is done with embeddings and models: estimate, evaluate, compare and quality, as the program's commands of these
names do, and the restoration of graph signals.
"""
from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union, cast

import numpy as np
from numpy.typing import NDArray

from . import _core, _options
from ._embedding import Embedding
from ._errors import ArgumentError, InvalidError, deprecated, old_names, own_errors
from ._estimators import Autoencoder, ClosedForm, Estimator, split_keywords, take_keywords
from ._features import by_id, by_rows, read_features
from ._graph import Graph, as_graph, has_edges, names_of
from ._kinds import as_array, is_table, numbers_rows
from ._recommend import as_interactions

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._keywords import EvalKeywords, RestoreKeywords


class Estimate(TypedDict, total=False):
    """Bytes and seconds of each method, as estimate() returns them."""

    available_bytes: int
    embed: dict[str, float]
    train: dict[str, int]
    recommend: dict[str, float]


@own_errors
def estimate(graph: Any, X: Any = None, *, method: Literal["embed", "recommend"] = "embed", edges: Any = None,
             **options: Any) -> Estimate:
    """
    Memory and time that embedding and training, or recommendations, will need, before they run.

    Parameters
    ----------
    graph, X : as in :func:`wgdn.embed`
    method : "embed", or "recommend" for :func:`wgdn.recommend` with lists for all users; then options are those of
        :class:`wgdn.Recommender`, and a limit by ``wgdn.read(path, memory=)`` counts
    options : of FilterEmbedding or of WGDN, such as `dim` and `epochs`; an option that only one of them has is about
        that one alone. And what :class:`wgdn.Graph` takes, such as source, target and weight

    Returns
    -------
    A dictionary of bytes and seconds, for each method one: `embed` (the closed form) and `train`; each has `total_bytes`,
    the peak of the process. `available_bytes` is the memory that is free now. A set of graphs has `train` alone. With
    method "recommend" there is `recommend` alone: its `seconds` are rough, and `columns` is what a limit leaves.

    Examples
    --------
    >>> import wgdn
    >>> need = wgdn.estimate([(0, 1), (1, 2), (2, 0)], dim=8)
    >>> need["embed"]["total_bytes"] > 0, need["train"]["total_bytes"] > 0
    (True, True)
    """
    if edges is not None:
        deprecated("estimate(X, edges)", "estimate(graph, X)")
        graph, X = edges, graph
    if method not in ("embed", "recommend"):
        raise InvalidError(f"method = {method!r}: expected 'embed' or 'recommend'")
    if method == "recommend":
        if X is not None:
            raise ArgumentError("X: recommendations come from interactions alone; leave it out")
        data = as_interactions(graph, split_keywords("estimate", options, _options.RECOMMEND, "method"))
        return {"available_bytes": _core.machine()["memory_available"],
                "recommend": _core.recommend_estimate(data._handle, _options.texts(_options.RECOMMEND, options))}
    flag = {"ids": options.pop("ids")} if isinstance(options.get("ids"), bool) else {}  # the option of this name
    about = take_keywords(options)
    options.update(flag)
    data = as_graph(graph, X, **about)
    made: Estimate = {"available_bytes": _core.machine()["memory_available"]}
    tables = {"embed": _options.FIT, "train": _options.TRAIN}
    names = {_options.plain_name(name, {**_options.FIT, **_options.TRAIN}) for name in options}
    for name in names:
        if name not in _options.FIT and name not in _options.TRAIN:
            raise ArgumentError(_options.refusal("estimate", name, [*_options.FIT, *_options.TRAIN, *_options.GRAPH_KEYWORDS]))
    wanted = [what for what, table in tables.items() if names <= set(table)]
    if not wanted:
        raise InvalidError("the options belong to different methods: estimate FilterEmbedding and WGDN by calls of "
                           "their own")
    if "embed" in wanted and data.graphs == 1:
        made["embed"] = _core.fit_estimate(data._handle, ClosedForm(**options)._option_texts())
    if "train" in wanted:
        made["train"] = _core.estimate(data._handle, _options.texts(_options.TRAIN, options))
    return made


def labeled(data: Any, vectors: Any, count: int) -> Graph:
    """A graph with labels; labels without a graph have no edges."""
    if data is None:
        raise InvalidError("graph = None: expected labels, or a graph with labels")
    labels = isinstance(data, dict) and not any(hasattr(v, "__iter__") and not isinstance(v, str) for v in data.values())
    if labels:
        return Graph(y=data, nodes=count, ids=vectors.ids if isinstance(vectors, Embedding) else None)
    data = data if isinstance(data, dict) else by_id(data, "y")
    if isinstance(vectors, Embedding) and vectors.ids is not None and vectors.made_from.get("features") == 0:
        by_rows(data, "y")
    if isinstance(data, Graph) or has_edges(data) or is_table(data) and np.ndim(data) != 1 and \
            getattr(data, "shape", (0, 0))[1] != 1:
        return as_graph(data)
    if not hasattr(data, "index") or isinstance(data, (list, tuple)):
        data = as_array(data, "y")
    if len(data) != count and not hasattr(data, "iloc"):
        raise InvalidError(f"y: expected one label for each of the {count} vectors, got {len(data)}")
    if hasattr(data, "columns"):  # a table with one column
        data = data.iloc[:, 0]
    ids = vectors.ids if isinstance(vectors, Embedding) and vectors.kinds is None else None
    return Graph(y=data, nodes=count, ids=ids)


@own_errors
@old_names(data="graph")
def evaluate(vectors: Any, graph: Any, *, task: Literal["probe", "cluster", "links", "quality"] = "probe",
             baselines: bool = False, **options: Unpack[EvalKeywords]) -> dict[str, Any]:
    """
    Evaluate embeddings on a downstream task, as `wgdn eval` does.

    Parameters
    ----------
    vectors : array, Embedding or fitted WGDN or FilterEmbedding, which then embeds the graph
        For the tasks "links" and "quality" a WGDN or a FilterEmbedding: it is made again without the test edges.
    graph : labels, or a graph with labels; a graph alone for "links" and "quality"
    task : linear probe (logistic regression), k-means against the classes, link prediction, or :func:`wgdn.quality`
    baselines : whether to evaluate the baselines of `wgdn eval` as well

    Returns
    -------
    A dictionary with the setting. Its `results` is a list of flat rows, one for the vectors and one
    for each baseline; `pandas.DataFrame(evaluate(...)["results"])` is a table.

    probe : `accuracy_mean`, `_std`, `macro_f1_mean`, `_std` on the test nodes, over the splits;
        `auc_mean`, `_std` with two classes; where nodes have several labels `micro_f1_mean`,
        `_std` and `macro_f1_mean`, `_std` alone; `few_shot_mean`, `_std` (accuracy from 5 training nodes
        a class, over draws) and `knn_mean`, `_std` (5 nearest training nodes by cosine). With
        classifier "adam", the paper's probe, instead of these two `validation_selected_mean`,
        `_std` (the accuracy) and `test_selected_mean`, `_std` (the protocol of the paper's code,
        which uses test labels). Labels that are numbers are predicted by ridge regression:
        `r2_mean`, `_std` and `spearman_mean`, `_std` alone; they count as numbers if ten or more
        are different and some have a fraction, or if more than 100 different integers have fewer
        than 5 nodes each on average; `label_kind` overrides this
    cluster : `nmi`, `ari`, `inertia` of the best restart; `nmi_mean`, `nmi_std`, `ari_mean`,
        `ari_std` over the restarts
    links : `auc`, `average_precision`

    Examples
    --------
    >>> import numpy as np
    >>> import wgdn
    >>> labels = np.arange(60) % 2
    >>> vectors = np.column_stack([labels, np.sin(np.arange(60))])
    >>> found = wgdn.evaluate(vectors, labels, train_fraction=0.5, runs=2)
    >>> found["results"][0]["accuracy_mean"]
    1.0
    """
    if task == "quality":
        return quality(vectors, graph, **options)
    calls = {"probe": _core.probe, "cluster": _core.cluster, "links": _core.links}
    if task not in calls:
        raise InvalidError(f"task = {task!r}: it may be {', '.join(calls)}, quality")
    texts = _options.texts(_options.EVAL, cast("dict[str, Any]", options))
    if "folds" in options and not {"splits", "train_fraction"} & set(options):
        texts["splits"] = "stratified"
    trained = isinstance(vectors, Autoencoder)
    model = vectors._option_texts() if trained else {}
    fit = vectors._option_texts() if isinstance(vectors, ClosedForm) else None
    x = None
    if isinstance(vectors, Estimator):
        d = _graph_of(vectors, graph)
        if task != "links":
            vectors._check_fitted()
            x = vectors._embed(d)
            if vectors._pools(d):  # a row for each graph, and the graphs' labels
                d = d._as_nodes()
                if not {"splits", "train_fraction"} & set(options):
                    texts["splits"] = "stratified"  # as is usual for graphs
    elif task == "links":
        raise InvalidError("task links needs a WGDN or a FilterEmbedding, which is made again without the test "
                           "edges; embeddings have seen them")
    else:
        if not isinstance(vectors, Embedding) and np.ndim(vectors) == 1:
            raise InvalidError(f"vectors: expected a row of numbers for each node, got {len(vectors)} values, as labels are: "
                               "the order is wgdn.evaluate(vectors, labels)")
        x = vectors.values if isinstance(vectors, Embedding) else read_features(vectors).dense
        if x is None:
            raise InvalidError("vectors: expected a dense 2-D array")
        d = labeled(graph, vectors, len(x))
        if d.graphs > 1 and len(x) == d.graphs:
            d = d._as_nodes()
        x = _in_order_of(x, vectors, d)
    dim = int(cast(Any, vectors).dim) if x is None else x.shape[1]
    names = [(-1, "vectors")] + (_core.baselines(d._handle, task) if baselines else [])
    rows = []
    for i, name in names:
        call: Any = calls[task]
        more = (fit,) if task == "links" else ()
        row = call(d._handle, x if i < 0 else None, dim, i, model, texts, *more)
        rows.append({"name": name, **row})
    common = [key for key in rows[0] if key in ("runs", "splits", "distinct_splits", "train",
                                                "val", "test", "classifier", "regression", "few_shot_draws",
                                                "knn_splits", "clusters", "restarts",
                                                "test_edges")]
    head = {key: rows[0][key] for key in common}
    return {"task": task, "dim": dim, **head,
            "results": [{k: v for k, v in row.items() if k not in common} for row in rows]}


def _graph_of(model: Estimator, graph: Any) -> Graph:
    """The graph that a model is evaluated on: its own where none is given."""
    if graph is None and model.graph is not None:
        return as_graph(model.graph)
    if graph is None:
        raise InvalidError("graph = None: a model is evaluated on a graph; pass it")
    return as_graph(graph)


def _in_order_of(x: NDArray[np.float32], vectors: Any, d: Graph) -> NDArray[np.float32]:
    """Vectors in the order of the nodes of a graph, by the ids where both have some."""
    if isinstance(vectors, Embedding) and vectors.ids is not None and d.ids is not None:
        if len(d.ids) == len(x) and vectors.ids.tolist() == d.ids.tolist():
            return x
        names = d.ids if d.kinds is None or vectors.kinds is None else list(zip(d.kinds.tolist(), d.ids.tolist()))
        return np.ascontiguousarray(x[vectors.rows(names)])
    if len(x) != d.nodes:
        raise InvalidError(f"{len(x)} vectors for {d.nodes} nodes")
    return x


# ---- comparison and quality: the formulas of cli/cmd_compare.c and cli/cmd_eval.c ----

SAMPLE = 2000  # nodes whose neighbors are compared
PAIRS = 100_000  # pairs of nodes whose similarities are compared
RANK_ROWS, RANK_DIM = 1024, 1024  # rows that the effective rank looks at, and the largest dim


def _unit(x: NDArray[np.float32]) -> NDArray[np.float64]:
    wide = x.astype(np.float64)
    length = np.linalg.norm(wide, axis=1, keepdims=True)
    return np.asarray(np.divide(wide, length, out=np.zeros_like(wide), where=length > 0))


def _cosines(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of rows of unit length; two zeros have 1."""
    same = np.einsum("ij,ij->i", a, b)
    return np.where(~a.any(axis=1) & ~b.any(axis=1), 1.0, same)


def _effective_rank(x: NDArray[np.float32]) -> float:
    """Participation ratio of the eigenvalues of the covariance, from a sample of rows."""
    n = min(len(x), RANK_ROWS)
    if n < 2 or x.shape[1] > RANK_DIM:
        return 0.0
    rows = x[np.arange(n) * len(x) // n].astype(np.float64)
    gram = (rows - rows.mean(axis=0)) @ (rows - rows.mean(axis=0)).T
    squares = float(np.square(gram).sum())
    return float(np.trace(gram)) ** 2 / squares if squares > 0 else 0.0


def _pairs(n: int) -> NDArray[np.int64]:
    """Random pairs of rows, the same ones every time."""
    state, drawn = 1, np.empty(2 * PAIRS, np.int64)
    for t in range(2 * PAIRS):
        state = (state * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        drawn[t] = (state >> 33) % n
    pairs = drawn.reshape(-1, 2)
    return np.asarray(pairs[pairs[:, 0] != pairs[:, 1]])


def _neighbors(x: NDArray[np.float32], rows: NDArray[np.int64], k: int, threads: int) -> NDArray[np.int64]:
    """The k nearest other rows of each of some rows."""
    index, score = np.empty((len(rows), k + 1), np.int64), np.empty((len(rows), k + 1), np.float32)
    _core.search(index, score, x, np.ascontiguousarray(x[rows]), x.shape[1], k + 1, 0, threads)
    others = index != rows[:, None]
    others[others.all(axis=1), -1] = False
    return np.asarray(index[others].reshape(-1, k))


@own_errors
def compare(old: Union[Embedding, NDArray[Any]], new: Union[Embedding, NDArray[Any]], *, k: int = 10, all: bool = False, threads: int = 0) -> dict[str, Any]:
    """
    How two embeddings of the same nodes differ, as `wgdn compare` reports it.

    Parameters
    ----------
    old, new : Embeddings; nodes are matched by their ids, or by rows where neither has ids
    k : number of nearest neighbors that are compared
    all : whether to compare the neighbors of all nodes, not of 2000

    Returns
    -------
    A flat dictionary. `both`, `only_old` and `only_new` are numbers of nodes; `dim_old` and `dim_new` are dims.
    `cosine_mean`, `cosine_median` and `cosine_min` compare old and new vectors, if they have the same dim.
    `similarity_correlation` is over pairs of nodes. `neighbors_kept` is the fraction of the k nearest neighbors that are
    retained, over `nodes_compared` nodes. `effective_rank_old` and `effective_rank_new` are effective ranks;
    `mean_cosine_old` and `mean_cosine_new` are of two random nodes. `moved_most` has the ids of the five nodes that keep
    the fewest neighbors.

    Examples
    --------
    >>> import wgdn
    >>> E = wgdn.embed([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)], dim=2)
    >>> wgdn.compare(E, E)["neighbors_kept"]
    1.0
    """
    a, b = (x if isinstance(x, Embedding) else Embedding(x) for x in (old, new))
    if not hasattr(k, "__index__") or k < 1:
        raise InvalidError(f"k = {k!r}: expected an integer of at least 1")
    names = [range(len(e)) if e.ids is None else e.ids.tolist() if e.kinds is None else
             list(zip(e.kinds.tolist(), e.ids.tolist())) for e in (a, b)]
    place = dict(zip(names[1], range(len(b))))
    pairs = [(i, place[name]) for i, name in enumerate(names[0]) if name in place]
    if len(pairs) < 2:
        raise InvalidError(f"the two have {len(pairs)} ids in common: are they of the same nodes?")
    rows = np.array(pairs, np.int64).T
    x, y = np.ascontiguousarray(a.values[rows[0]]), np.ascontiguousarray(b.values[rows[1]])
    n = len(x)
    k = min(k, n - 1)
    made: dict[str, Any] = {"both": n, "only_old": len(a) - n, "only_new": len(b) - n, "dim_old": a.dim,
                            "dim_new": b.dim}
    u, v = _unit(x), _unit(y)
    if a.dim == b.dim:
        each = np.sort(_cosines(u, v))
        made.update(cosine_mean=float(each.mean()), cosine_median=float(each[n // 2]), cosine_min=float(each[0]))
    i, j = _pairs(n).T
    before, after = _cosines(u[i], u[j]), _cosines(v[i], v[j])
    spread = float(before.std() * after.std())
    agree = float(((before - before.mean()) * (after - after.mean())).mean())
    made["similarity_correlation"] = agree / spread if spread > 0 else float(before.std() == after.std())
    looked = n if all else min(n, SAMPLE)
    chosen = np.arange(looked, dtype=np.int64) * n // looked
    near = [_neighbors(z, chosen, k, threads) for z in (x, y)]
    kept = np.array([len(np.intersect1d(p, q)) / k for p, q in zip(*near)])
    worst = np.lexsort((rows[1][chosen], kept))[:5]
    made.update(neighbors_kept=float(kept.mean()), k=k, nodes_compared=looked,
                effective_rank_old=_effective_rank(a.values), effective_rank_new=_effective_rank(b.values),
                mean_cosine_old=float(before.mean()), mean_cosine_new=float(after.mean()),
                moved_most=[names[0][rows[0][chosen[w]]] for w in worst.tolist()])
    return made


@own_errors
def quality(model: Any, graph: Any = None, *, k: int = 10, **options: Unpack[EvalKeywords]) -> dict[str, Any]:
    """
    The quality of a method on a graph without labels, as `wgdn eval --task quality` measures it.

    The model is made again with another seed, on two halves of the edges, and without some edges that it then has to
    find. It need not be fitted.

    Returns
    -------
    A dictionary: `kept_with_another_seed` and `kept_with_other_edges`, fractions of the k nearest neighbors;
    `held_out_auc`; `effective_rank`; `mean_cosine` of two random nodes; `dim` and `k`.

    Examples
    --------
    >>> import wgdn
    >>> ring = [(i, (i + step) % 40) for i in range(40) for step in (1, 2)]
    >>> found = wgdn.quality(wgdn.FilterEmbedding(dim=4), ring)
    >>> 0 <= found["kept_with_another_seed"] <= 1
    True
    """
    if not isinstance(model, Estimator):
        raise ArgumentError(f"model: expected a WGDN or a FilterEmbedding, got {type(model).__name__}")
    d = _graph_of(model, graph)
    if d.graphs > 1:
        raise InvalidError(f"quality is for one graph, and this is a set of {d.graphs}")
    given = {"seed": 1, **_options.resolve(_options.EVAL, cast("dict[str, Any]", options))}
    seed = int(given["seed"])

    def make(data: Graph, number: int) -> Embedding:
        again = copy.copy(model)
        again.set_params(seed=number, graph=None, cache=None, task="node")
        again._fit(data, embeds=True)
        return Embedding(again._embed(data))

    def half(number: int) -> Graph:
        texts = _options.texts(_options.EVAL, {**given, "test_edge_fraction": 0.5, "seed": number})
        return Graph._of(_core.hold_out(d._handle, texts))

    first = make(d, seed)
    seeds = compare(first, make(d, seed + 1), k=k)
    halves = compare(make(half(seed), seed), make(half(seed + 1), seed), k=k)
    again = copy.copy(model).set_params(seed=seed)
    links = evaluate(again, d, task="links", **cast(Any, given))
    return {"task": "quality", "dim": first.dim, "k": seeds["k"], "kept_with_another_seed": seeds["neighbors_kept"],
            "kept_with_other_edges": halves["neighbors_kept"], "held_out_auc": links["results"][0]["auc"],
            "effective_rank": seeds["effective_rank_old"], "mean_cosine": seeds["mean_cosine_old"]}


@own_errors
def restore(graph: Any, observed: Any = None, *, edges: Any = None, kernel: str = "poly:1",
            **options: Unpack[RestoreKeywords]) -> NDArray[np.float32]:
    """
    Estimate a graph signal from a noisy observation, smoothed by a kernel; no training.

    `observed` has a row for each node; one of pandas goes by the ids in its index. The kernel `poly:1` means no smoothing.

    Examples
    --------
    >>> import numpy as np
    >>> import wgdn
    >>> ring = (np.arange(100), (np.arange(100) + 1) % 100)
    >>> truth = np.sin(np.arange(100) * 2 * np.pi / 100)
    >>> seen = truth + np.random.default_rng(1).normal(0, 0.5, 100)
    >>> back = wgdn.restore(ring, seen, mode="resolved", noise="given", sigma=0.5)
    >>> bool(np.square(back - truth).mean() < 0.5 * np.square(seen - truth).mean())
    True
    """
    if edges is not None or _is_signal(graph):
        deprecated("restore(observed, edges)", "restore(graph, observed)")
        graph, observed = (edges if edges is not None else observed), graph
    if graph is None or observed is None:
        raise InvalidError("a signal is restored along the edges of a graph: pass graph and observed")
    signal = np.asarray(observed)
    y = np.ascontiguousarray(signal, dtype=np.float32).reshape(len(signal), -1)
    named = hasattr(observed, "iloc") and not numbers_rows(observed.index)
    d = as_graph(graph) if named or isinstance(graph, Graph) or has_edges(graph) else as_graph(graph, nodes=len(y))
    if d.nodes != len(y):
        raise InvalidError(f"observed has {len(y)} rows for {d.nodes} nodes")
    order = np.arange(len(y))
    if named:
        place = {name: i for i, name in enumerate(observed.index.tolist())}
        strange = next((name for name in names_of(d).tolist() if name not in place), None)
        if strange is not None or len(place) < len(y):
            raise InvalidError(f"observed: its index has no row for the node {strange!r}, or has ids twice: pass observed.to_numpy() for the order "
                               "of the nodes")
        order = np.array([place[name] for name in names_of(d).tolist()])
        y = np.ascontiguousarray(y[order])
    out = np.empty_like(y)
    texts = _options.texts(_options.RESTORE, cast("dict[str, Any]", options))
    _core.restore(out, d._handle, y, y.shape[1], kernel, texts)
    back = np.empty_like(out)
    back[order] = out
    return back.reshape(signal.shape)


def _is_signal(x: Any) -> bool:
    """Numbers with a fraction, or one column: a signal in the place of the graph, as it was until 0.9."""
    return isinstance(x, np.ndarray) and (x.ndim == 1 or x.ndim == 2 and x.dtype.kind == "f" and x.shape[0] != x.shape[1])


restore.__doc__ = f"{restore.__doc__}\nParameters\n----------\n{_options.describe(_options.RESTORE)}\n"
evaluate.__doc__ = f"{evaluate.__doc__}\nOptions\n-------\n{_options.describe(_options.EVAL)}\n"
