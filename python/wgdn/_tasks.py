# SPDX-License-Identifier: Apache-2.0
"""The program's commands estimate and eval, and denoising of graph signals."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from . import _core, _options
from ._autoencoder import Autoencoder
from ._base import Estimator, has_edges
from ._build import dataset
from ._dataset import Dataset
from ._embedding import Embedding
from ._errors import InvalidError, own_errors
from ._features import read_features
from ._kinds import as_array, is_table

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._keywords import EvalKeywords, RestoreKeywords, TrainKeywords


@own_errors
def estimate(X: Any = None, edges: Any = None, **options: Unpack[TrainKeywords]) -> dict[str, int]:
    """Memory that training will need and what is available, in bytes, without training."""
    texts = _options.texts(_options.TRAIN, cast("dict[str, Any]", options))
    need = _core.estimate(dataset(X, edges)._handle, texts)
    return {**need, "available_bytes": _core.machine()["memory_available"]}


def _labelled(data: Any, vectors: Any, count: int) -> Dataset:
    """A dataset with labels; labels without a graph have no edges."""
    if data is None:
        raise InvalidError("data = None: expected labels, or a dataset with labels")
    if isinstance(data, Dataset) or has_edges(data) or is_table(data) and np.ndim(data) != 1 and \
            getattr(data, "shape", (0, 0))[1] != 1:
        return dataset(data)
    if not hasattr(data, "index") or isinstance(data, (list, tuple)):
        data = as_array(data, "y")
    if len(data) != count and not hasattr(data, "iloc"):
        raise InvalidError(f"y: expected one label for each of the {count} vectors, got {len(data)}")
    if hasattr(data, "columns"):  # a table with one column
        data = data.iloc[:, 0]
    ids = vectors.ids if isinstance(vectors, Embedding) else None
    return dataset(y=data, nodes=count, ids=None if ids is None else ids.tolist())


@own_errors
def evaluate(vectors: Any, data: Any, *, task: Literal["probe", "cluster", "links"] = "probe",
             baselines: bool = False, **options: Unpack[EvalKeywords]) -> dict[str, Any]:
    """
    Evaluate embeddings on a downstream task, as `wgdn eval` does.

    Parameters
    ----------
    vectors : array, Embedding or fitted WGDN or FilterEmbedding, which then embeds the data
        For task "links" a WGDN: its settings are trained again without the test edges.
    data : labels, or a dataset with labels in any form that wgdn.dataset() takes
    task : linear probe (logistic regression), k-means against the classes, or link prediction
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
    calls = {"probe": _core.probe, "cluster": _core.cluster, "links": _core.links}
    if task not in calls:
        raise InvalidError(f"task = {task!r}: it may be {', '.join(calls)}")
    texts = _options.texts(_options.EVAL, cast("dict[str, Any]", options))
    if "folds" in options and not {"splits", "train_fraction"} & set(options):
        texts["splits"] = "stratified"
    trained = isinstance(vectors, Autoencoder)
    model = vectors._option_texts() if trained else {}
    x = None
    if trained or isinstance(vectors, Estimator) and task != "links":
        d = dataset(data)
        if task != "links":
            vectors._check_fitted()
            x = vectors._embed(d)
            if vectors._pools(d):  # a row for each graph, and the graphs' labels
                d = dataset(y=d.graph_labels, nodes=d.graphs)
                if not {"splits", "train_fraction"} & set(options):
                    texts["splits"] = "stratified"  # as is usual for graphs
    elif task == "links":
        raise InvalidError("task links needs a WGDN, which is trained again without the test "
                           "edges; embeddings have seen them")
    else:
        if not isinstance(vectors, Embedding) and np.ndim(vectors) == 1:
            raise InvalidError(f"vectors: expected a row of numbers for each node, got {len(vectors)} values, as labels are: "
                               "the order is wgdn.evaluate(vectors, labels)")
        x = vectors.values if isinstance(vectors, Embedding) else read_features(vectors).dense
        if x is None:
            raise InvalidError("vectors: expected a dense 2-D array")
        d = _labelled(data, vectors, len(x))
        if len(x) != d.nodes:
            raise InvalidError(f"{len(x)} vectors for {d.nodes} nodes")
    dim = int(cast(Any, vectors).dim) if x is None else x.shape[1]
    names = [(-1, "vectors")] + (_core.baselines(d._handle, task) if baselines else [])
    rows = []
    for i, name in names:
        call: Any = calls[task]
        row = call(d._handle, x if i < 0 else None, dim, i, model, texts)
        rows.append({"name": name, **row})
    common = [key for key in rows[0] if key in ("runs", "splits", "distinct_splits", "train",
                                                "val", "test", "classifier", "regression", "few_shot_draws",
                                                "knn_splits", "clusters", "restarts",
                                                "test_edges")]
    head = {key: rows[0][key] for key in common}
    return {"task": task, "dim": dim, **head,
            "results": [{k: v for k, v in row.items() if k not in common} for row in rows]}


@own_errors
def restore(observed: Any, edges: Any = None, *, kernel: str = "poly:1",
            **options: Unpack[RestoreKeywords]) -> NDArray[np.float32]:
    """
    Estimate a graph signal from a noisy observation, smoothed by a kernel; no training.

    `observed` has a row for each node; `edges` is anything that wgdn.dataset() takes, or a Dataset.
    The kernel `poly:1` means no smoothing.

    Examples
    --------
    >>> import numpy as np
    >>> import wgdn
    >>> ring = (np.arange(100), (np.arange(100) + 1) % 100)
    >>> truth = np.sin(np.arange(100) * 2 * np.pi / 100)
    >>> seen = truth + np.random.default_rng(1).normal(0, 0.5, 100)
    >>> back = wgdn.restore(seen, ring, mode="resolved", noise="given", sigma=0.5)
    >>> bool(np.square(back - truth).mean() < 0.5 * np.square(seen - truth).mean())
    True
    """
    if edges is None:
        raise InvalidError("edges: a signal is restored along the edges of a graph; pass them")
    signal = np.asarray(observed)
    y = np.ascontiguousarray(signal, dtype=np.float32).reshape(len(signal), -1)
    d = edges if isinstance(edges, Dataset) else dataset(edges=edges, nodes=len(y))
    if d.nodes != len(y):
        raise InvalidError(f"{len(y)} rows for {d.nodes} nodes")
    out = np.empty_like(y)
    texts = _options.texts(_options.RESTORE, cast("dict[str, Any]", options))
    _core.restore(out, d._handle, y, y.shape[1], kernel, texts)
    return out.reshape(signal.shape)


restore.__doc__ = f"{restore.__doc__}\nParameters\n----------\n{_options.describe(_options.RESTORE)}\n"
evaluate.__doc__ = f"{evaluate.__doc__}\nOptions\n-------\n{_options.describe(_options.EVAL)}\n"
