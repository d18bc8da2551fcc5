# SPDX-License-Identifier: Apache-2.0
"""scikit-learn's own classes, containers and caches."""
import os
import subprocess
import sys

import numpy as np
import pytest
from graphs import rings

import wgdn

sklearn = pytest.importorskip("sklearn")
from sklearn.base import BaseEstimator, TransformerMixin, clone  # noqa: E402
from sklearn.compose import ColumnTransformer  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.model_selection import GridSearchCV  # noqa: E402
from sklearn.pipeline import Pipeline, make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

X, EDGES, Y = rings()
G = wgdn.Graph(EDGES, X)
NODES = np.arange(len(X)).reshape(-1, 1)
BOTH = pytest.mark.parametrize("model", [wgdn.FilterEmbedding(dim=8), wgdn.WGDN(dim=8, epochs=3)],
                               ids=lambda m: type(m).__name__)


def test_import_stays_light():
    """Neither scikit-learn nor any other library than NumPy, and no class that needs it."""
    code = ("import sys, wgdn; wgdn.embed(([0, 1, 2], [1, 2, 3]), dim=8);"
            "print([m for m in ('sklearn', 'scipy', 'pandas', 'pyarrow', 'torch', 'tempfile', 'html') if m in sys.modules])")
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout.strip() == "[]"


def test_without_scikit_learn(tmp_path):
    """The estimators are there where scikit-learn is not."""
    (tmp_path / "sklearn.py").write_text("raise ImportError('none here')\n")
    code = ("import wgdn; m = wgdn.FilterEmbedding(dim=8).fit(graph=([0, 1, 2], [1, 2, 3]));"
            "print(m, m.get_feature_names_out()[0], wgdn.WGDN(dim=3).get_params()['dim'])")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True,
                         env={**os.environ, "PYTHONPATH": path})
    assert run.stdout.strip() == "FilterEmbedding(dim=8) filterembedding0 3"


@BOTH
def test_classes(model):
    assert isinstance(model, BaseEstimator) and isinstance(model, TransformerMixin)
    assert "dim" in model._repr_html_()


@BOTH
def test_set_output(model):
    pd = pytest.importorskip("pandas")
    m = clone(model).set_output(transform="pandas")
    frame = pd.DataFrame(X, index=[f"n{i}" for i in range(len(X))],
                         columns=[f"f{i}" for i in range(X.shape[1])])
    z = m.fit_transform(frame, graph=EDGES)
    assert isinstance(z, pd.DataFrame) and list(z.index) == list(frame.index)
    assert list(z.columns) == list(m.get_feature_names_out()) and len(z.columns) == m._dim
    assert m.transform(frame, graph=EDGES).equals(z)
    selected = clone(model).set_params(graph=G).set_output(transform="pandas").fit_transform(
        pd.DataFrame({"node": [5, 2]}, index=["x", "y"]))
    assert list(selected.index) == ["x", "y"]


@BOTH
def test_column_transformer(model):
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame({"node": NODES[:, 0], "age": np.linspace(0, 1, len(X))})
    both = ColumnTransformer([("graph", clone(model).set_params(graph=G), ["node"]),
                              ("rest", StandardScaler(), ["age"])])
    z = both.set_output(transform="pandas").fit_transform(table)
    assert z.columns[0] == f"graph__{type(model).__name__.lower()}0" and z.columns[-1] == "rest__age"
    pipe = make_pipeline(both, LogisticRegression(max_iter=500)).fit(table, Y)
    assert pipe.score(table, Y) > 0.8


@BOTH
def test_metadata_routing(model):
    """Edges through a pipeline, asked for by name."""
    with sklearn.config_context(enable_metadata_routing=True):
        m = clone(model).set_fit_request(graph=True).set_transform_request(graph=True)
        pipe = Pipeline([("scale", StandardScaler()), ("graph", m)])
        z = pipe.fit_transform(X, graph=EDGES)
        assert pipe.transform(X, graph=EDGES).tobytes() == z.tobytes()
    expected = clone(model).fit_transform(StandardScaler().fit_transform(X), graph=EDGES)
    assert z.tobytes() == expected.tobytes()


@BOTH
def test_edges_in_the_place_of_y(model):
    """fit(X, A) took the edges for labels, in silence."""
    sp = pytest.importorskip("scipy.sparse")
    A = sp.coo_matrix((np.ones(len(EDGES[0])), EDGES), (len(X), len(X))).tocsr()
    for edges in (A, A.toarray(), EDGES, np.stack(EDGES), np.stack(EDGES, axis=1), G):
        for call in (clone(model).fit, clone(model).fit_transform):
            with pytest.raises((TypeError, ValueError), match="graph="):
                call(X, edges)
    clone(model).fit(X, Y, graph=EDGES)
    clone(model).fit(X, np.stack([Y, Y], axis=1), graph=EDGES)  # several labels a node


@BOTH
def test_embed_needs_edges_as_transform_does(model):
    m = clone(model).fit(X, graph=EDGES)
    with pytest.raises(ValueError, match="edges of these nodes"):
        m.transform(X)
    with pytest.raises(ValueError, match="edges of these nodes"):
        m.embed(None, X)


@BOTH
def test_names_of_scikit_learn(model):
    m = clone(model).set_params(n_components=9, random_state=3, n_jobs=2)
    assert (m.dim, m.seed, m.threads) == (9, 3, 2)
    one, other = (type(model)(random_state=np.random.RandomState(1)).seed for _ in range(2))
    assert one == other != type(model)(random_state=np.random.default_rng(1)).seed
    with pytest.raises(ValueError, match="random_state"):
        type(model)(random_state="one")
    grid = GridSearchCV(make_pipeline(clone(model).set_params(graph=G), LogisticRegression()),
                        {f"{type(model).__name__.lower()}__n_components": [8, 9]}, cv=2)
    assert grid.fit(NODES, Y).best_score_ > 0.5


@BOTH
def test_memory(model, tmp_path, monkeypatch):
    """A search over the classifier makes the embedding once; 3 values and 5 folds made it 16 times."""
    made = []
    real = type(model)._make
    monkeypatch.setattr(type(model), "_make", lambda self, *a: made.append(1) or real(self, *a))

    def search(cache, **options):
        embedding = clone(model).set_params(graph=G, cache=cache, **options)
        pipe = Pipeline([("graph", embedding), ("classify", LogisticRegression())])
        made.clear()
        return GridSearchCV(pipe, {"classify__C": [0.1, 1, 10]}, cv=5).fit(NODES, Y)

    without = search(None)
    assert len(made) == 16
    with_it = search(tmp_path / "cache")
    assert len(made) == 1
    np.testing.assert_array_equal(without.cv_results_["mean_test_score"],
                                  with_it.cv_results_["mean_test_score"])
    again = search(str(tmp_path / "cache"))
    assert not made
    one, other = (s.best_estimator_.named_steps["graph"] for s in (without, again))
    assert one.transform(NODES).tobytes() == other.transform(NODES).tobytes()
    assert getattr(one, "loss_curve_", 0) == getattr(other, "loss_curve_", 0)
    search(tmp_path / "cache", dim=10)
    assert len(made) == 1  # other options
    changed = X.copy()
    changed[0, 0] += 1
    made.clear()
    clone(model).set_params(cache=tmp_path / "cache").fit(changed, graph=EDGES)
    assert len(made) == 1  # other data
    joblib = pytest.importorskip("joblib")
    search(joblib.Memory(tmp_path / "jobs", verbose=0))
    assert len(made) == 1


def test_search_on_cora(cora, tmp_path):
    """Over the classifier alone, with a memory; every fold sees the whole graph."""
    d = wgdn.read(cora)
    pipe = make_pipeline(wgdn.FilterEmbedding(graph=d, dim=64, cache=tmp_path / "models"),
                         StandardScaler(), LogisticRegression(max_iter=300))
    search = GridSearchCV(pipe, {"logisticregression__C": [0.001, 0.01]}, cv=3)
    search.fit(np.arange(d.nodes).reshape(-1, 1), d.y)
    assert search.best_score_ > 0.82 and len(list((tmp_path / "models").glob("*.model"))) == 1
