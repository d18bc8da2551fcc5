# SPDX-License-Identifier: Apache-2.0
"""Pictures: the numbers of `wgdn plot`, classes and colors, and that matplotlib is optional."""
import json
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import wgdn
from graphs import rings
from wgdn._plot import Look, find_points, find_response, make_series


@pytest.fixture
def pyplot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


def figures(program, *arguments):
    try:
        return json.loads(program("plot", *arguments, "--json", "-q"))
    except subprocess.CalledProcessError as error:
        if b"cairo" in error.stderr:
            pytest.skip("the program was built without cairo")
        raise


def test_points_are_those_of_the_program(program, tmp_path):
    X, edges, y = rings()
    data = wgdn.Graph(edges, X, y=y)
    data.write(tmp_path / "data.npz")
    e = wgdn.Embedding(wgdn.embed(data, dim=8))
    e.write(tmp_path / "vectors.npz")
    theirs = figures(program, tmp_path / "vectors.npz", tmp_path / "data.npz", "--points", "50",
                     "-o", tmp_path / "map.png")
    ours = find_points(e, data, 50, {})
    assert ours.kl == pytest.approx(theirs["kl"], rel=1e-6) and len(ours.at) == theirs["points"] == 50
    assert len(ours.classes) == theirs["classes"] == 3 and ours.of == theirs["nodes"]
    assert "50 of 60 nodes in 3 classes, 8 dimensions; perplexity 30" in ours.sentence()


@pytest.mark.parametrize("sparse", [False, True])
def test_responses_are_those_of_the_program(program, tmp_path, sparse):
    X, edges, y = rings(width=150)
    if sparse:
        scipy = pytest.importorskip("scipy.sparse")
        X = scipy.csr_array(np.where(X > 1, X, 0))
    data = wgdn.Graph(edges, X)
    data.write(tmp_path / "data.safetensors")
    theirs = figures(program, "--kind", "response", tmp_path / "data.safetensors", "-o",
                     tmp_path / "response.png")
    ours = find_response(data, None, {"gamma": (0.5, 2)})
    assert ours.signal == pytest.approx(theirs["signal"], rel=1e-5)
    assert ours.noise == pytest.approx(theirs["noise"], rel=1e-5)
    assert ours.orders == (theirs["encoder_order"], theirs["decoder_order"])
    assert ours.share.sum() == pytest.approx(100, abs=0.5)
    kernel, first, second = (np.array(exact) for _, exact, _ in ours.curves)
    np.testing.assert_allclose(kernel, np.exp(-ours.at), rtol=1e-12)
    np.testing.assert_allclose(first, kernel / (kernel ** 2 + ours.noise / (0.5 * ours.signal)))
    assert (second > first).all()


def test_classes_beyond_twenty_share_a_grey():
    rng = np.random.default_rng(1)
    y = [None] * 7 + [f"c{k}" for k in range(25) for _ in range(3 + k)]
    look = Look(False)
    p = find_points(rng.normal(size=(len(y), 4)), y, 20000, {"projection": "pca"})
    series = make_series(p, look)
    assert [s.name for s in series[:2]] == ["no label (7)", "5 more (25)"]
    assert len(series) == 22 and len({(s.color, s.mark) for s in series[2:]}) == 20
    assert sum(len(s.rows) for s in series) == len(y)


def test_map_of_everything(pyplot):
    X, edges, y = rings()
    data = wgdn.Graph(edges, X, y=y, ids=[f"n{i}" for i in range(60)])
    model = wgdn.FilterEmbedding(dim=8).fit(data)
    for args in ((model, data), (model.embed(data), y), (X, y.tolist()), (X,)):
        ax = wgdn.plot(*args, projection="pca")
        assert "60 nodes" in ax.texts[0].get_text()
        assert (ax.get_legend() is None) == (len(args) == 1)
    assert {t.get_text() for t in wgdn.plot_map(model, data).texts} >= {"n0", "n59"}  # as many as fit
    own = pyplot.subplots()[1]
    assert wgdn.plot_map(X, y, projection="pca", ax=own, dark=True, title="mine") is own
    assert own.get_title(loc="left") == "mine"


def test_curves(pyplot, tmp_path):
    X, edges, _ = rings()
    model = wgdn.WGDN(dim=4, epochs=5, progress=False).fit(X, graph=edges)
    log = tmp_path / "log.csv"
    log.write_text("epoch,loss,seconds\n1,100,0.1\n2,1,0.2\n")
    lines = tmp_path / "log.jsonl"
    lines.write_text('{"epoch": 1, "loss": 3, "seconds": 1}\n')
    ax = wgdn.plot(model)
    np.testing.assert_allclose(ax.lines[0].get_xydata()[:, 1], model.loss_curve_)
    ax = wgdn.plot_curve({"a": model, "b": log, "c": lines, "d": [3, 2, 1]})
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["a", "b", "c", "d"]
    assert ax.get_yscale() == "log" and wgdn.plot_curve([3, 2]).get_yscale() == "linear"
    log.write_text("epoch,loss,seconds\nx\n")
    with pytest.raises(ValueError, match="line 2: expected epoch"):
        wgdn.plot(log)


def test_graphs_and_files(pyplot, tmp_path):
    X, edges, y = rings()
    data = wgdn.Graph(edges, X, y=y)
    wgdn.plot(data, path=tmp_path / "response.png")
    model = wgdn.WGDN(dim=4, epochs=2, graph=data, progress=False).fit()
    assert "embeddings" in wgdn.plot_response(model).texts[0].get_text()
    assert wgdn.plot(model, projection="pca").get_legend() is not None
    assert (tmp_path / "response.png").read_bytes().startswith(b"\x89PNG")


def test_refusals(pyplot):
    X, edges, y = rings()
    for call, text in (
            (lambda: wgdn.plot(X, kind="pie"), "kind = 'pie': it may be map, curve, response"),
            (lambda: wgdn.plot_map(X, y[:5]), "each of the 60 vectors"),
            (lambda: wgdn.plot_map(X[:9], wgdn.Graph(edges, X, y=y)), "9 vectors for 60 nodes"),
            (lambda: wgdn.plot_map(X, points=0), "points = 0"),
            (lambda: wgdn.plot_map(X, perplexity=1), "perplexity"),
            (lambda: wgdn.plot_map(wgdn.FilterEmbedding(dim=8).fit(X, graph=edges)), "graph = None"),
            (lambda: wgdn.plot_curve(), "runs: pass"),
            (lambda: wgdn.plot_response(wgdn.Graph(edges)), "has no features"),
    ):
        with pytest.raises(ValueError, match=text):
            call()


def test_matplotlib_is_asked_for_only_to_draw():
    code = """if True:
        import sys
        import wgdn
        assert "matplotlib" not in sys.modules
        sys.modules["matplotlib"] = None
        try:
            wgdn.plot([[1, 2], [3, 4], [5, 6]])
        except ImportError as error:
            assert "pip install matplotlib" in str(error)
        else:
            raise SystemExit("it was drawn")
    """
    subprocess.run([sys.executable, "-c", code], check=True)


def test_ctrl_c_stops_the_projection():
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        find_points(np.random.default_rng(1).normal(size=(500, 8)), None, 500, {"steps": "1000000"})
    assert time.monotonic() - start < 5


def test_numbers_and_order():
    """Numbers have a color bar, classes the order of the numbers within their names."""
    rng = np.random.default_rng(1)
    Z = rng.normal(size=(240, 3)).astype(np.float32)
    ax = wgdn.plot(Z, rng.normal(size=240), projection="pca")
    assert ax.get_legend() is None and len(ax.figure.axes) == 2
    ax = wgdn.plot(Z, [f"class {i % 12}" for i in range(240)], projection="pca")
    names = [t.get_text().split(" (")[0] for t in ax.get_legend().get_texts()]
    assert names == [f"class {i}" for i in range(12)] and len(ax.figure.axes) == 1
