# SPDX-License-Identifier: Apache-2.0
"""What happens while a model is trained: other threads, Ctrl-C, callbacks, checkpoints."""
import multiprocessing
import os
import random
import signal
import sys
import threading
import types
import time

import numpy as np
import pytest
from graphs import rings

import wgdn
from wgdn._jobs import vectors_of

X, EDGES, _ = rings(groups=10, size=50, width=32)


def model(**options):
    return wgdn.WGDN(**{"dim": 32, "epochs": 60, "threads": 1, **options})


def interrupt(rounds, folder, rng):
    """
    Ctrl-C at random moments until so many have come while epochs were running; every run that ends
    must end with the same bits. Returns these, those at other moments, and the runs that ended.
    """
    expected = model().fit_transform(X, graph=EDGES).tobytes()
    path = folder / "run.checkpoint"
    started = time.perf_counter()
    model().fit(X, graph=EDGES)
    whole = time.perf_counter() - started
    inside = outside = ended = 0
    while inside < rounds:
        seen = []
        m = model(checkpoint=path, callback=lambda p: seen.append(p.epoch))
        timer = threading.Timer(rng.random() * 0.6 * whole,
                                lambda: os.kill(os.getpid(), signal.SIGINT))
        z = None
        try:
            timer.start()
            z = m.fit_transform(X, graph=EDGES)
            timer.cancel()
            timer.join()
        except KeyboardInterrupt:
            timer.join()
            training = bool(seen) and seen[-1] < m.epochs  # else before it, or in the embedding
            inside += training
            outside += not training
            assert path.exists() or not training
        if z is not None:
            ended += 1
            assert z.tobytes() == expected
            path.unlink(missing_ok=True)
    assert model(checkpoint=path).fit_transform(X, graph=EDGES).tobytes() == expected
    return inside, outside, ended


def test_interrupts(tmp_path):
    inside, _, ended = interrupt(20, tmp_path, random.Random(1))
    assert inside == 20 and ended > 0


def test_interrupt_stops_after_a_step(tmp_path):
    """Soon, not at the end; the checkpoint is there and holds what was done."""
    seen = []

    def watch(p):
        seen.append(p.epoch)
        if p.epoch == 5:
            os.kill(os.getpid(), signal.SIGINT)

    path = tmp_path / "c"
    with pytest.raises(KeyboardInterrupt):
        model(epochs=100000, callback=watch, checkpoint=path).fit(X, graph=EDGES)
    assert 5 <= seen[-1] <= 6 and path.exists()
    m = model(epochs=10, checkpoint=path).fit(X, graph=EDGES)
    assert m.n_iter_ == 10 and len(m.loss_curve_) < 10


def test_callback(tmp_path):
    seen = []
    m = model(epochs=7, callback=lambda p: seen.append(p)).fit(X, graph=EDGES)
    assert [p.epoch for p in seen] == list(range(1, 8)) and seen[0].epochs == 7
    assert [p.loss for p in seen] == m.loss_curve_ and m.loss_ == seen[-1].loss
    path = tmp_path / "c"
    model(epochs=7, callback=lambda p: p.epoch == 3, checkpoint=path).fit(X, graph=EDGES)
    assert path.exists()
    m = model(epochs=7, checkpoint=path).fit(X, graph=EDGES)
    assert m.loss_ == seen[-1].loss and len(m.loss_curve_) == 4 and m.n_iter_ == 7

    def broken(p):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        model(callback=broken).fit(X, graph=EDGES)


def test_callback_that_stops_leaves_a_model(tmp_path):
    """The model of a run of so many epochs, to the bit; it was discarded."""
    m = model(epochs=50, callback=lambda p: p.epoch == 3)
    z = m.fit_transform(X, graph=EDGES)
    short = model(epochs=3).fit(X, graph=EDGES)
    assert z.tobytes() == short.transform(X, graph=EDGES).tobytes()
    assert m.n_iter_ == 3 and m.loss_curve_ == short.loss_curve_ and m.epochs == 50
    m.save(tmp_path / "m")
    short.save(tmp_path / "short")
    assert (tmp_path / "m").read_bytes() == (tmp_path / "short").read_bytes()
    assert wgdn.load(tmp_path / "m").n_iter_ == 3
    cut = wgdn.WGDN(graph=wgdn.Graph(EDGES, X), dim=8, epochs=9, callback=lambda p: True).fit()
    assert cut.transform([[1]]).shape == (1, 8) and cut.n_iter_ == 1


def test_checkpoint_of_another_run(tmp_path):
    path = tmp_path / "c"
    model(callback=lambda p: True, checkpoint=path).fit(X, graph=EDGES)
    with pytest.raises(wgdn.InvalidError, match="other options"):
        model(beta=0.5, checkpoint=path).fit(X, graph=EDGES)


@pytest.mark.parametrize("task", ["probe", "adam", "cluster", "links", "baselines"])
def test_interrupt_of_evaluate(task):
    """Ctrl-C ends it within a second or so; it went on to its end."""
    rng = np.random.default_rng(1)
    n = 20000
    y = rng.integers(0, 20, n)
    Z = rng.normal(0, 1, (n, 96)).astype(np.float32) + y[:, None] % 7
    d = wgdn.Graph(rng.integers(0, n, (2, 4 * n)), Z, y=y)
    vectors, options = {
        "probe": (Z, dict(runs=100)), "adam": (Z, dict(runs=100, classifier="adam")),
        "cluster": (Z, dict(task="cluster", restarts=1000)),
        "links": (wgdn.WGDN(dim=64, epochs=100000), dict(task="links")),
        "baselines": (Z, dict(baselines=True, runs=100))}[task]
    timer = threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT))
    started = time.perf_counter()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        wgdn.evaluate(vectors, d, threads=1, **options)
    timer.join()
    assert time.perf_counter() - started < 1.0 + 2.5  # a second, on a machine that has other work


def test_other_threads_run():
    """The interpreter's lock is free: this thread counts while another one trains."""
    done = threading.Event()

    def train():
        model(epochs=300).fit(X, graph=EDGES)
        done.set()

    started = time.perf_counter()
    count, thread = 0, threading.Thread(target=train)
    thread.start()
    longest, last = 0.0, time.perf_counter()
    while not done.is_set():
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
        count += 1
        time.sleep(0.001)
    thread.join()
    assert count > 5 and longest < 0.5 * (time.perf_counter() - started)


def test_many_threads_train_at_once():
    expected = model(epochs=20).fit_transform(X, graph=EDGES).tobytes()
    results = []
    threads = [threading.Thread(target=lambda: results.append(
        model(epochs=20).fit_transform(X, graph=EDGES).tobytes())) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert results == [expected] * 4


def test_progress_bar(capsys):
    pytest.importorskip("tqdm")
    model(epochs=5, progress=True).fit(X, graph=EDGES)
    shown = capsys.readouterr().err
    assert "wgdn" in shown and "5/5" in shown and "loss" in shown
    model(epochs=5).fit(X, graph=EDGES)
    assert capsys.readouterr().err == ""  # nobody looks


def test_progress_bar_in_a_notebook(capsys, monkeypatch):
    pytest.importorskip("tqdm")
    monkeypatch.setitem(sys.modules, "ipykernel", types.ModuleType("ipykernel"))
    model(epochs=5).fit(X, graph=EDGES)
    assert "5/5" in capsys.readouterr().err


@pytest.fixture(scope="module")
def large():
    """A random graph whose closed form takes many seconds."""
    rng = np.random.default_rng(1)
    return wgdn.Graph(rng.integers(0, 200_000, (1_500_000, 2)))


def seconds_to_stop(work, after):
    """Seconds from Ctrl-C, so long after the start, to the end; None: the work had ended."""
    sent = []

    def send():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, send)
    timer.start()
    try:
        work()
    except KeyboardInterrupt:
        return time.perf_counter() - sent[0]
    finally:
        timer.cancel()
        timer.join()
    return None


@pytest.mark.parametrize("after", [0.2, 1, 3])
def test_ctrl_c_in_the_closed_form(large, after):
    """It waited for the end of a part, up to 15 seconds."""
    assert seconds_to_stop(lambda: wgdn.embed(large, dim=256), after) < 1
    assert wgdn.embed(EDGES, X, dim=8).any()  # nothing of it stays


JOBS = {"recommend": lambda g, labels: wgdn.recommend(g, k=10), "predict": lambda g, labels: wgdn.predict(g, labels, dim=16),
        "cluster": lambda g, labels: wgdn.cluster(g, dim=16)}


@pytest.fixture(scope="module")
def labels(large):
    """Labels of the nodes, whose vectors are made beforehand."""
    vectors_of(large, {"dim": 16})
    return np.random.default_rng(2).integers(0, 20, large.nodes)


@pytest.mark.parametrize("after", [0.2, 1, 3])
@pytest.mark.parametrize("job", JOBS)
def test_ctrl_c_in_the_jobs(large, labels, job, after):
    seconds = seconds_to_stop(lambda: JOBS[job](large, labels), after)
    assert seconds is None or seconds < 1  # None: predict was through before


@pytest.mark.parametrize("job", ["recommend", "cluster"])
def test_progress_bar_of_the_jobs(large, labels, job, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "ipykernel", types.ModuleType("ipykernel"))
    assert seconds_to_stop(lambda: JOBS[job](large, labels), 3) < 1
    assert f"wgdn {job}" in capsys.readouterr().err


def test_ctrl_c_while_vectors_are_written(tmp_path):
    path = tmp_path / "v.csv"
    path.write_text("what was there")
    z = np.random.default_rng(1).normal(size=(50_000, 256)).astype(np.float32)
    vectors = wgdn.Embedding(z, None)
    assert seconds_to_stop(lambda: vectors.write(path), 0.5) < 1
    assert path.read_text() == "what was there" and os.listdir(tmp_path) == ["v.csv"]


def test_progress_bar_of_the_closed_form(large, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "ipykernel", types.ModuleType("ipykernel"))
    assert seconds_to_stop(lambda: wgdn.embed(large, dim=256), 2.5) < 1
    assert "wgdn fit" in capsys.readouterr().err
    wgdn.embed(EDGES, X, dim=8)
    assert capsys.readouterr().err == ""  # it is quick
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    assert seconds_to_stop(lambda: wgdn.embed(large, dim=256), 2.5) < 1
    assert "wgdn fit:" in capsys.readouterr().err


def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_memory_stays_flat():
    """A hundred fits, and refusals in between, leave nothing behind."""
    def once():
        m = model(epochs=2, callback=lambda p: None)
        z = m.fit_transform(X, graph=EDGES)
        m.embed(EDGES, X)
        wgdn.evaluate(z, np.arange(len(X)) % 3, runs=1, steps=2, folds=3)
        wgdn.similar(z, [1, 2], k=3)
        for wrong in (dict(kernel="none"), dict(callback=lambda p: 1 / 0)):
            with pytest.raises((wgdn.Error, ZeroDivisionError)):
                model(epochs=2, **wrong).fit(X, graph=EDGES)

    for _ in range(20):
        once()
    before = resident()
    for _ in range(100):
        once()
    assert resident() - before < 2 << 20


def embed_in_child(threads):
    return model(threads=threads).fit_transform(X, graph=EDGES).tobytes()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
def test_process_pool():
    """Workers that are forked after work on two threads finish, with the same bits."""
    expected = embed_in_child(2)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(embed_in_child, [0, 1, 2, 4]).get(timeout=60) == [expected] * 4


class Embedded:
    """A dataset of torch: an embedding for each number of threads."""

    def __init__(self, threads):
        self.threads = threads

    def __len__(self):
        return len(self.threads)

    def __getitem__(self, i):
        return np.frombuffer(embed_in_child(self.threads[i]), np.float32).copy()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_data_loader():
    """The same by torch's DataLoader, after threads of torch have worked, too."""
    torch = pytest.importorskip("torch")
    loader = pytest.importorskip("torch.utils.data").DataLoader
    square = torch.ones(500, 500)
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    assert float((square @ square)[0, 0]) == 500
    torch.set_num_threads(before)  # OpenMP's, which the tests that follow use
    expected = embed_in_child(2)
    batches = list(loader(Embedded([0, 1, 2, 4]), batch_size=2, num_workers=2, timeout=60,
                          multiprocessing_context="fork"))
    assert [row.numpy().tobytes() for batch in batches for row in batch] == [expected] * 4
