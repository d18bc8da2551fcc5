# SPDX-License-Identifier: Apache-2.0
"""scikit-learn's habits. What of its own checks does not apply is listed, with the reason."""
import pickle
import warnings

import numpy as np
import pytest
from graphs import rings

import wgdn

sklearn = pytest.importorskip("sklearn")
from sklearn.base import clone  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_score  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

X, EDGES, Y = rings()
NODES = np.arange(len(X)).reshape(-1, 1)
NOT_APPLICABLE = {}  # by the name of the check; skipped ones are scikit-learn's own choice
SKIPPED = {"check_array_api_input": "needs SCIPY_ARRAY_API in the environment"}


def test_check_estimator():
    """No warnings but one: every table of scikit-learn's has no edges."""
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        results = checks.check_estimator(wgdn.WGDN(dim=8, epochs=3), on_fail=None, on_skip=None)
    assert not {str(w.message) for w in told if "no edges were given" not in str(w.message)}
    passed = {r["check_name"] for r in results if r["status"] == "passed"}
    others = {r["check_name"]: r["exception"] for r in results if r["status"] != "passed"}
    assert len(passed) > 40
    assert not set(others) - set(NOT_APPLICABLE) - set(SKIPPED), others


def test_params():
    m = wgdn.WGDN(beta=0.25, kernel="ppr")
    assert m.get_params()["beta"] == 0.25 and m.get_params()["dim"] == wgdn.WGDN().dim
    assert m.set_params(dim=3).dim == 3
    assert clone(m).get_params() == m.get_params()
    assert repr(m) == "WGDN(kernel='ppr', dim=3, beta=0.25)"
    with pytest.raises(TypeError, match="colour"):
        wgdn.WGDN(colour="red")
    with pytest.raises(ValueError, match="colour"):
        m.set_params(colour="red")
    with pytest.raises(wgdn.InvalidError, match="beta"):
        m.set_params(beta=-1).fit(X, graph=EDGES)


def test_aliases():
    """Well-known names set the parameters of this estimator, which keep their own names."""
    m = wgdn.WGDN(lr=0.01, n_components=5, random_state=7, n_jobs=2)
    same = wgdn.WGDN(learning_rate=0.01, dim=5, seed=7, threads=2)
    assert m.get_params() == same.get_params() == clone(m).get_params()
    assert not {"lr", "n_components", "random_state", "n_jobs"} & set(m.get_params())
    assert m.set_params(n_jobs=-1, n_components=6).threads == 0 and m.dim == 6
    assert wgdn.WGDN(random_state=None, n_jobs=-1).get_params() == wgdn.WGDN().get_params()
    assert wgdn.WGDN.from_preset("cora", lr=0.5).learning_rate == 0.5
    with pytest.raises(TypeError, match="twice"):
        wgdn.WGDN(lr=0.1, learning_rate=0.2)
    assert wgdn.evaluate(X, Y, runs=2, steps=5, random_state=3) == \
        wgdn.evaluate(X, Y, runs=2, steps=5, seed=3)


def test_defaults_are_the_library_s():
    """Names, types and defaults from the option table, and nowhere else."""
    import inspect

    from wgdn import _options

    signature = inspect.signature(wgdn.WGDN)
    for option in _options.TRAIN.values():
        assert signature.parameters[option.name].default == option.default
        assert f"{option.name} : " in wgdn.WGDN.__doc__ and option.help in wgdn.WGDN.__doc__


def test_graph_stays_whole():
    """With a graph of its own, X names nodes; a subset changes rows, never the model."""
    g = wgdn.Graph(EDGES, X)
    m = wgdn.WGDN(graph=g, dim=8, epochs=3)
    assert clone(m).graph is g
    everything = m.fit_transform(NODES)
    assert everything.tobytes() == wgdn.WGDN(dim=8, epochs=3).fit_transform(g).tobytes()
    half = clone(m).fit(NODES[::2]).transform(NODES[1::2])
    assert half.tobytes() == everything[1::2].tobytes()
    with pytest.raises(ValueError, match="outside 0 .. "):
        m.fit([len(X)])
    named = wgdn.Graph(EDGES, X, ids=[f"n{i}" for i in range(len(X))])
    by_id = wgdn.WGDN(graph=named, dim=8, epochs=3).fit().transform(["n5", "n2"])
    assert by_id.tobytes() == everything[[5, 2]].tobytes()


def test_pipeline_and_search():
    g = wgdn.Graph(EDGES, X)
    pipe = make_pipeline(wgdn.WGDN(graph=g, dim=8, epochs=20), LogisticRegression(max_iter=500))
    assert cross_val_score(pipe, NODES, Y, cv=3).mean() > 0.9
    grid = {"wgdn__beta": [0.5, 1.0], "wgdn__kernel": ["heat", "gcn"]}
    search = GridSearchCV(pipe, grid, cv=3, n_jobs=2).fit(NODES, Y)  # other processes: pickled
    assert search.best_score_ > 0.9 and set(search.best_params_) == set(grid)


def test_search_on_cora(cora):
    d = wgdn.read(cora)
    model = wgdn.WGDN(graph=d, dim=64, epochs=15, learning_rate=0.01)
    pipe = make_pipeline(model, StandardScaler(), LogisticRegression(max_iter=300))
    nodes = np.arange(d.nodes).reshape(-1, 1)
    grid = {"wgdn__beta": [0.5, 1.0], "wgdn__kernel": ["heat", "ppr"]}
    search = GridSearchCV(pipe, grid, cv=3).fit(nodes, d.y)
    assert len(search.cv_results_["params"]) == 4 and search.best_score_ > 0.75


def test_pickle():
    m = wgdn.WGDN(dim=8, epochs=3).fit(X, graph=EDGES)
    again = pickle.loads(pickle.dumps(m))
    assert again.transform(X, graph=EDGES).tobytes() == m.transform(X, graph=EDGES).tobytes()
    d = wgdn.Graph(EDGES, X, y=Y, ids=[(i, "x") for i in range(len(X))])
    copy = pickle.loads(pickle.dumps(d))
    assert copy.ids[4] == (4, "x") and (copy.y == Y).all() and (copy.X == X).all()


def test_forgotten_edges():
    """Features alone are a graph without edges: said aloud, and refused where it must be a slip."""
    with pytest.warns(UserWarning, match="graph="):
        wgdn.WGDN(dim=4, epochs=1).fit(X)
    m = wgdn.WGDN(dim=4, epochs=1).fit(X, graph=EDGES)
    with pytest.raises(ValueError, match="edges of these nodes"):
        m.transform(X)
    with pytest.raises(ValueError, match="nothing to embed"):
        m.transform()
