# SPDX-License-Identifier: Apache-2.0
"""The closed form: wgdn.embed and wgdn.FilterEmbedding."""
import inspect
import json
import os
import pickle
import signal
import threading
import time
import warnings

import numpy as np
import pytest
from graphs import rings

import wgdn
from wgdn import _core, _options

X, EDGES, Y = rings(width=40)
NAMES = np.array([f"n{i}" for i in range(len(X))], dtype=object)
WORDS = ("auto", "features", "structure", "both")


def cosines(a, b):
    return (a * b).sum(1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)


# ---- the program's vectors ----

@pytest.mark.parametrize("options", [{}, dict(dim=64, seed=7), dict(dim=32, scale=1.5),
                                     dict(dim=32, binarize=True)], ids=str)
def test_bits_of_cora(program, cora, tmp_path, options):
    words = [w for k, v in options.items() for w in (["--binarize"] if v is True else [f"--{k}", v])]
    program("embed", cora, *words, "-q", "-o", tmp_path / "z.npy")
    expected = np.load(tmp_path / "z.npy")
    z = wgdn.embed(cora, **options)
    assert z.dtype == np.float32 and z.shape == expected.shape
    assert z.tobytes() == expected.tobytes() == wgdn.embed(wgdn.read(cora), **options).tobytes()
    program("fit", cora, *words, "-q", "-o", tmp_path / "model")
    wgdn.FilterEmbedding(**options).fit(cora).save(tmp_path / "mine")
    assert (tmp_path / "mine").read_bytes() == (tmp_path / "model").read_bytes()


def test_bits_of_files(program, tmp_path):
    """Edges alone, edges with features, and both, from files and from arrays."""
    edges, table = tmp_path / "e.tsv", tmp_path / "x.csv"
    edges.write_text("".join(f"{NAMES[a]}\t{NAMES[b]}\n" for a, b in zip(*EDGES)))
    table.write_text("".join(f"{n},{','.join(map(repr, map(float, x)))}\n"
                             for n, x in zip(NAMES, X)))
    d = wgdn.Graph(EDGES, X, ids=NAMES)
    for said, features in ([], None), (["--features", table], None), \
            (["--features", f"{table},structure"], "both"):
        program("embed", edges, *said, "--dim", 32, "-q", "-o", tmp_path / "z.npz")
        expected = wgdn.read_embedding(tmp_path / "z.npz")
        m = wgdn.FilterEmbedding(dim=32, features=features or "auto")
        files = (edges, None) if not said else (edges, table)
        if features is None:
            assert wgdn.embed(*files, dim=32).tobytes() == expected.values.tobytes()
        got = m.fit(d if said else wgdn.Graph(EDGES, ids=NAMES)).embed(
            d if said else wgdn.Graph(EDGES, ids=NAMES))
        assert list(got.ids) == list(expected.ids)
        np.testing.assert_array_equal(got.values, expected.values)


def params(m):
    """A model that was loaded says which task auto came to."""
    return {**m.get_params(), "task": "auto"}


def test_explanation_of_the_program(program, cora, tmp_path):
    told = json.loads(program("fit", cora, "--json", "-q", "-o", tmp_path / "m"))
    for m in (wgdn.FilterEmbedding().fit(cora), wgdn.load(tmp_path / "m")):
        assert m.parts_ == told["parts"] and params(m) == params(wgdn.FilterEmbedding())
        assert list(m.scales_) == [row["scale"] for row in told["scales"]]
        np.testing.assert_allclose(list(m.scales_.values()),
                                   [row["agreement"] for row in told["scales"]], rtol=1e-5)
    assert wgdn.FilterEmbedding(scale=2).fit(cora).scales_ == {}


def test_threads(cora):
    z = [wgdn.embed(cora, dim=32, threads=t).tobytes() for t in (1, 2, 3)]
    assert z[0] == z[1] == z[2]


# ---- inputs ----

def test_inputs(tmp_path):
    sp = pytest.importorskip("scipy.sparse")
    nx = pytest.importorskip("networkx")
    n = len(X)
    A = sp.coo_matrix((np.ones(len(EDGES[0])), EDGES), (n, n)).tocsr()
    G = nx.Graph()
    G.add_nodes_from(range(n))
    G.add_edges_from(zip(*(e.tolist() for e in EDGES)))
    d = wgdn.Graph(EDGES, X)
    d.write(tmp_path / "d.safetensors")
    expected = wgdn.embed(EDGES, X, dim=16).tobytes()
    for graph in (A, np.stack(EDGES), A.toarray(), G):
        assert wgdn.embed(graph, X, dim=16).tobytes() == expected
        assert wgdn.embed(graph, X=sp.csr_matrix(X), dim=16).shape == (n, 16)
    for graph in (d, tmp_path / "d.safetensors", str(tmp_path / "d.safetensors")):
        assert wgdn.embed(graph, dim=16).tobytes() == expected
    assert wgdn.FilterEmbedding(dim=16).fit_transform(X, graph=A).tobytes() == expected
    alone = wgdn.embed(G, dim=16).tobytes()
    assert wgdn.embed(A, dim=16).tobytes() == alone == wgdn.embed(d, features="structure", dim=16).tobytes()
    for word in WORDS:
        assert wgdn.embed(d, features=word, dim=16).tobytes() == \
            wgdn.FilterEmbedding(dim=16, features=word).fit_transform(d).tobytes()


def test_tables():
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame(X, index=NAMES)
    edges = pd.DataFrame({"source": NAMES[EDGES[0]], "target": NAMES[EDGES[1]]})
    d = wgdn.Graph(EDGES, X, ids=NAMES)
    assert wgdn.embed(edges, table, dim=16).tobytes() == wgdn.embed(d, dim=16).tobytes()
    e = wgdn.FilterEmbedding(dim=16).fit(table, graph=edges).embed(edges, table)
    assert list(e.ids) == list(NAMES)


def test_pytorch_geometric_and_anndata():
    torch = pytest.importorskip("torch")
    Data = pytest.importorskip("torch_geometric.data").Data
    data = Data(x=torch.from_numpy(X), edge_index=torch.from_numpy(np.stack(EDGES)))
    expected = wgdn.embed(EDGES, X, dim=16)
    assert wgdn.embed(data, dim=16).tobytes() == expected.tobytes()
    other = Data(x=data.x[:20], edge_index=data.edge_index[:, (data.edge_index < 20).all(0)])
    assert len(wgdn.embed([data, other, data])) == 3  # a vector of each graph
    assert wgdn.embed([data, data], dim=16, task="node").shape == (2 * len(X), 16)
    anndata = pytest.importorskip("anndata")
    adata = anndata.AnnData(X.copy())
    adata.obsp["connectivities"] = pytest.importorskip("scipy.sparse").coo_matrix(
        (np.ones(len(EDGES[0])), EDGES), (len(X), len(X))).tocsr()
    z = wgdn.embed(adata, dim=16)
    assert (adata.obsm["X_wgdn"] == z).all()


def test_refused_inputs(tmp_path):
    (tmp_path / "e.tsv").write_text("a\tb\n")
    d = wgdn.Graph(EDGES, X)
    for graph, features, words in (
            (EDGES, "bth", "X is the path 'bth'.*features="),
            (tmp_path / "e.tsv", X, "file of its features"),
            (d, X, "whole already"),
            (EDGES, X[:-1], "nodes|range|node|rows")):
        with pytest.raises(ValueError, match=words):
            wgdn.embed(graph, features)
    with pytest.raises(wgdn.FileError, match="nowhere"):
        wgdn.embed(tmp_path / "e.tsv", tmp_path / "nowhere.csv")
    with pytest.raises(ValueError, match="pass graph, X or both"):
        wgdn.FilterEmbedding().fit_transform()


# ---- stable vectors ----

@pytest.mark.parametrize("word", WORDS)
def test_order_of_rows(word):
    """
    Nodes in another order, edges in another order and direction: the same vectors by id. The graph
    is random, as a ring has eigenvalues twice, and its eigenvectors are whatever rounding makes.
    """
    rng = np.random.default_rng(3)
    edges = rng.integers(0, len(X), (2, 300))
    order, turned = rng.permutation(len(X)), rng.permutation(300)
    place = np.argsort(order)
    one = wgdn.Graph(edges, X, ids=NAMES)
    other = wgdn.Graph(place[edges[::-1, turned]], X[order], ids=NAMES[order])
    m = wgdn.FilterEmbedding(dim=16, features=word).fit(one)
    before = m.embed(one).values
    for after in (wgdn.FilterEmbedding(dim=16, features=word).fit(other).embed(other),
                  m.embed(other)):
        assert (cosines(before, np.stack([after[name] for name in NAMES])) > 0.9999).all()


@pytest.mark.parametrize("word", WORDS)
def test_grown_graph(tmp_path, word):
    """Nodes that are far from new ones keep their vectors; a saved model does the same."""
    d = wgdn.Graph(EDGES, X, ids=NAMES)
    m = wgdn.FilterEmbedding(dim=16, features=word, scale=1.0).fit(d)
    before = m.embed(d)
    more = wgdn.Graph((np.append(EDGES[0] + 1, 0), np.append(EDGES[1] + 1, 1)), np.vstack([X[:1], X]), ids=["Eve", *NAMES])
    after = m.embed(more)
    assert after.shape == (len(X) + 1, before.dim) and np.isfinite(after["Eve"]).all()
    assert np.linalg.norm(after["Eve"]) > 0.5
    same = cosines(before.values, np.stack([after[name] for name in NAMES]))
    assert np.median(same) > 0.9999 and same.min() > 0.8
    m.save(tmp_path / "m")
    for again in (wgdn.FilterEmbedding.load(tmp_path / "m"), wgdn.load(tmp_path / "m"),
                  pickle.loads(pickle.dumps(m))):
        assert type(again) is wgdn.FilterEmbedding and again.parts_ == m.parts_
        assert params(again) == params(m)
        assert again.embed(more).values.tobytes() == after.values.tobytes()


def test_karate_club():
    """No features: the graph alone separates the two factions."""
    nx = pytest.importorskip("networkx")
    G = nx.karate_club_graph()
    z = wgdn.embed(G, dim=16)
    club = np.array([G.nodes[i]["club"] == "Officer" for i in G])
    assert z.shape[0] == 34 and wgdn.evaluate(z, club, task="cluster")["results"][0]["ari"] > 0.5


# ---- files of either kind ----

def test_load_either_kind(tmp_path):
    wgdn.WGDN(dim=8, epochs=1).fit(X, graph=EDGES).save(tmp_path / "trained")
    m = wgdn.FilterEmbedding(dim=8).fit(X, graph=EDGES)
    m.save(tmp_path / "fitted")
    assert type(wgdn.load(tmp_path / "trained")) is wgdn.WGDN
    assert type(wgdn.load(tmp_path / "fitted")) is wgdn.FilterEmbedding
    with pytest.raises(wgdn.InvalidError, match=r"fitted holds.*wgdn.FilterEmbedding.load\(\)"):
        wgdn.WGDN.load(tmp_path / "fitted")
    with pytest.raises(wgdn.InvalidError, match=r"trained holds.*wgdn.WGDN.load\(\)"):
        wgdn.FilterEmbedding.load(os.fsencode(tmp_path / "trained"))
    with pytest.raises(wgdn.Error):
        wgdn.load(tmp_path / "nowhere")
    d = wgdn.Graph(EDGES, X)
    z = m.transform(d)
    for cls in (wgdn.load, wgdn.FilterEmbedding.load):
        assert cls(tmp_path / "fitted", graph=d).transform([[3], [1]]).tobytes() == \
            z[[3, 1]].tobytes()


# ---- parameters ----

def test_keywords():
    m = wgdn.FilterEmbedding(n_components=16, random_state=3, n_jobs=2, scale="auto")
    assert (m.dim, m.seed, m.threads) == (16, 3, 2)
    assert repr(m) == "FilterEmbedding(seed=3, dim=16, scale='auto', threads=2)"
    expected = wgdn.embed(EDGES, X, dim=16).tobytes()
    for scale in (None, "auto", -1):
        assert wgdn.embed(EDGES, X, dim=16, scale=scale).tobytes() == expected
    assert wgdn.embed(EDGES, X, dim=16, scale=np.float32(1)).tobytes() != expected
    for call in (wgdn.FilterEmbedding, lambda **k: wgdn.embed(EDGES, X, **k)):
        for wrong, hint in (("dims", "did you mean 'dim'"), ("dimensions", "did you mean 'dim'"),
                            ("sead", "did you mean 'seed'"), ("epochs", "wgdn.WGDN, which trains"),
                            ("colour", "expected one of")):
            with pytest.raises(TypeError, match=hint):
                call(**{wrong: 1})
    with pytest.raises(TypeError, match="wgdn.FilterEmbedding"):
        wgdn.WGDN(scale=2)
    with pytest.raises(TypeError, match="did you mean 'kernel'"):
        wgdn.WGDN(kernal="ppr")
    for wrong, words in ((dict(dim=0), "dim"), (dict(scale="big"), "scale"), (dict(scale=99), "scale"),
                         (dict(features="some"), "it may be auto, features, structure or both")):
        with pytest.raises(wgdn.InvalidError, match=words):
            wgdn.FilterEmbedding(**wrong).fit(X, graph=EDGES)
    with pytest.raises(ValueError, match="colour.*estimator FilterEmbedding"):
        m.set_params(colour="red")


def test_defaults_are_the_library_s():
    estimator, call = inspect.signature(wgdn.FilterEmbedding), inspect.signature(wgdn.embed)
    for option in _options.FIT.values():
        assert estimator.parameters[option.name].default == option.default
        assert f"    {option.name} : " in wgdn.FilterEmbedding.__doc__
        if option.name == "ids":  # of embed() they are those of the nodes: no model is left that could keep them
            assert call.parameters["ids"].default is None
            continue
        assert f"    {option.name} : " in wgdn.embed.__doc__
        assert call.parameters[option.name].default == option.default
        assert option.help in wgdn.embed.__doc__
    assert list(call.parameters)[:2] == ["graph", "X"]


def test_scikit_learn():
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    from sklearn.base import clone
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        results = checks.check_estimator(wgdn.FilterEmbedding(dim=8), on_fail=None, on_skip=None)
    # Every table of scikit-learn's has no edges.
    assert not {str(w.message) for w in told if "no edges were given" not in str(w.message)}
    others = {r["check_name"]: r["exception"] for r in results if r["status"] != "passed"}
    assert set(others) <= {"check_array_api_input"} and len(results) > 40, others
    m = wgdn.FilterEmbedding(dim=8, scale=None)
    assert clone(m).get_params() == m.get_params()
    pipe = make_pipeline(wgdn.FilterEmbedding(graph=wgdn.Graph(EDGES, X)),
                         LogisticRegression(max_iter=500))
    grid = {"filterembedding__scale": [0.5, "auto"], "filterembedding__dim": [8, 16]}
    search = GridSearchCV(pipe, grid, cv=3).fit(np.arange(len(X)).reshape(-1, 1), Y)
    assert search.best_score_ > 0.9
    assert m.fit(X, graph=EDGES).get_feature_names_out()[1] == "filterembedding1"
    with pytest.raises(ValueError, match="FilterEmbedding is expecting 40 features"):
        m.transform(X[:, 1:], graph=EDGES)
    with pytest.raises(ValueError, match="FilterEmbedding instance is not fitted"):
        wgdn.FilterEmbedding().transform(X)
    structure = wgdn.FilterEmbedding(dim=8, features="structure").fit(X, graph=EDGES)
    assert (structure.transform(X[:, 1:], graph=EDGES) == structure.transform(X, graph=EDGES)).all()


# ---- while it runs ----

@pytest.fixture(scope="module")
def large():
    """A graph whose fit has several parts and takes a while, and how long."""
    rng = np.random.default_rng(1)
    d = wgdn.Graph(rng.integers(0, 20000, (2, 200000)), rng.normal(0, 1, (20000, 8)))
    started = time.perf_counter()
    m = wgdn.FilterEmbedding(dim=64, threads=1).fit(d)
    assert len(m.parts_) > 4
    return d, time.perf_counter() - started


def test_interrupt(large):
    """Ctrl-C ends a fit before its last part, and the next one is as if nothing had been."""
    d, whole = large
    expected = wgdn.embed(d, dim=64, threads=1).tobytes()
    timer = threading.Timer(0.05 * whole, lambda: os.kill(os.getpid(), signal.SIGINT))
    started = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        wgdn.FilterEmbedding(dim=64, threads=1).fit(d)
    assert time.perf_counter() - started < 0.7 * whole
    timer.join()
    assert wgdn.embed(d, dim=64, threads=1).tobytes() == expected


def test_other_threads_run(large):
    d, whole = large
    thread = threading.Thread(target=lambda: wgdn.FilterEmbedding(dim=64, threads=1).fit(d))
    started = last = time.perf_counter()
    thread.start()
    count, longest = 0, 0.0
    while thread.is_alive():
        time.sleep(0.001)
        now = time.perf_counter()
        longest, last, count = max(longest, now - last), now, count + 1
    assert count > 5 and longest < 0.5 * (time.perf_counter() - started)


def test_wrong_arguments_of_the_core():
    d = wgdn.Graph(EDGES, X)._handle
    fitted = wgdn.FilterEmbedding(dim=8).fit(X, graph=EDGES)
    trained = wgdn.WGDN(dim=8, epochs=1).fit(X, graph=EDGES)
    with pytest.raises(wgdn.InvalidError):
        _core.model_parts(trained._model)
    for call in (lambda: _core.fit(d, None, False), lambda: _core.fit(None, {}, False), lambda: _core.fit(d, {1: 2}, False),
                 lambda: _core.model_parts(d), lambda: _core.fit(d, {"dim": 8}, False),
                 lambda: _core.model_embed(fitted._model, d, np.empty((1, fitted._dim), np.float32),
                                           1, True)):
        with pytest.raises((TypeError, ValueError)):
            call()
    with pytest.raises(wgdn.InvalidError, match="epochs"):
        _core.fit(d, {"epochs": "1"}, False)


def test_memory_stays_flat():
    from test_running import resident

    def once():
        m = wgdn.FilterEmbedding(dim=8).fit(X, graph=EDGES)
        pickle.loads(pickle.dumps(m)).embed(EDGES, X)
        with pytest.raises(wgdn.Error):
            wgdn.embed(EDGES, X, dim=8, scale=99)

    for _ in range(20):
        once()
    before = resident()
    for _ in range(100):
        once()
    assert resident() - before < 2 << 20


def test_features_without_information_are_left_out():
    """Identity and constant features do not switch the graph off."""
    far = np.random.default_rng(3).integers(0, 80, 300)
    edges = [(i % 80, int(j) if i >= 80 else (i + 1) % 80) for i, j in enumerate(far)]
    expected = wgdn.embed(edges, dim=16)
    for X in (np.eye(80), np.ones((80, 1)), np.outer(np.arange(1, 81), [1, 2, 3])):
        with pytest.warns(UserWarning, match="structure alone"):
            Z = wgdn.embed(edges, X.astype(np.float32), dim=16)
        assert np.array_equal(Z, expected)
        with pytest.raises(wgdn.Error, match="structure"):
            wgdn.FilterEmbedding(dim=16, features="features").fit(X.astype(np.float32), graph=edges)


@pytest.mark.parametrize("dim", [1, 2, 5, 8, 16, 40])
def test_dim_is_kept(dim):
    """Never more columns than dim, none of zeros, and exactly dim with pad."""
    rng = np.random.default_rng(4)
    edges, X = rng.integers(0, 90, (400, 2)), rng.normal(size=(90, 5)).astype(np.float32)
    for given in (None, X, X[:, :2]):
        Z = wgdn.FilterEmbedding(dim=dim).fit_transform(given, graph=edges)
        assert Z.shape[1] <= dim and np.isfinite(Z).all() and Z.any(axis=0).all()
        padded = wgdn.FilterEmbedding(dim=dim, pad=True).fit_transform(given, graph=edges)
        assert padded.shape[1] == dim and np.array_equal(padded[:, :Z.shape[1]], Z)


def test_extreme_features_are_refused():
    edges, X = [(i, (i * 7 + 1) % 30) for i in range(30)], np.ones((30, 3), np.float32)
    X[:, 1] = np.arange(30)
    X[4, 2] = 3.4e38
    with pytest.raises(wgdn.Error, match="node \"?4"):
        wgdn.embed(edges, X, dim=8)
