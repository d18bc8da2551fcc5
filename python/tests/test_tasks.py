# SPDX-License-Identifier: Apache-2.0
"""evaluate, similar, restore, estimate, vectors in files: the program's answers."""
import json
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest
from graphs import rings

import wgdn

HERE = pathlib.Path(__file__).parent
X, EDGES, Y = rings()


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rings")
    d = wgdn.Graph(EDGES, X, y=Y)
    d.write(folder / "rings.safetensors")
    m = wgdn.WGDN(dim=8, epochs=5).fit(d)
    m.save(folder / "model")
    return folder, d, m


def leaves(row):
    """Values of a row, nested or flat, in their order."""
    return [x for v in row.values() for x in (leaves(v) if isinstance(v, dict) else [v])]


@pytest.mark.parametrize("task", ["probe", "cluster", "links"])
def test_evaluate(program, written, task):
    folder, d, m = written
    probe = ["--runs", 3, "--steps", 20, "--folds", 5]
    told = json.loads(program("eval", folder / "model", folder / "rings.safetensors", "--task", task,
                              *probe, "--json", "-q"))
    here = wgdn.evaluate(m, d, task=task, baselines=True, runs=3, steps=20, folds=5)
    assert [r["name"] for r in here["results"]] == [r["name"] for r in told["results"]]
    for mine, its in zip(here["results"], told["results"]):
        assert not any(isinstance(value, (dict, list)) for value in mine.values())
        # The program prints nine digits or so.
        assert leaves(mine)[1:] == pytest.approx(leaves(its)[1:], rel=1e-5)
    assert all(told.get(key, value) == value for key, value in here.items() if key != "results")


def test_evaluate_labels():
    words = np.array(["red", "green", "blue"], dtype=object)[Y]
    a = wgdn.evaluate(X, words, runs=2, steps=10)["results"]
    assert a == wgdn.evaluate(wgdn.Embedding(X), wgdn.Graph(EDGES, X, y=words), runs=2, steps=10)[
        "results"]
    for wrong in (dict(task="taste"), dict(task="links"), dict(runs=0)):
        with pytest.raises(ValueError):
            wgdn.evaluate(X, words, **wrong)
    with pytest.raises(TypeError, match="colour"):
        wgdn.evaluate(X, words, colour=1)
    missing = words.copy()
    missing[3] = None
    assert wgdn.Graph(EDGES, X, y=missing).y[3] == -1


def test_evaluate_numbers():
    """Labels that are numbers are predicted; those of a few classes are not."""
    rng = np.random.default_rng(1)
    Z = rng.normal(size=(500, 6)).astype(np.float32)
    income = 3000 + Z @ [100, -50, 0, 0, 0, 10] + rng.normal(size=500)
    found = wgdn.evaluate(Z, income, runs=3)
    row = found["results"][0]
    assert found["regression"] == "ridge" and row["r2_mean"] > 0.99 and row["spearman_mean"] > 0.99
    assert "accuracy_mean" not in row
    shuffled = wgdn.evaluate(Z, rng.permutation(income), runs=3)["results"][0]
    assert shuffled["r2_mean"] < 0.1 and abs(shuffled["spearman_mean"]) < 0.3
    classes = np.digitize(Z[:, 0], np.linspace(-1, 1, 11))
    assert "accuracy_mean" in wgdn.evaluate(Z, classes, runs=1)["results"][0]
    assert "r2_mean" in wgdn.evaluate(Z, classes, runs=1, label_kind="number")["results"][0]
    assert "accuracy_mean" in wgdn.evaluate(Z, classes.astype(float), runs=1)["results"][0]


def test_evaluate_rare():
    """Few positives are in every part of every split; one of them cannot be."""
    rng = np.random.default_rng(2)
    y = np.zeros(400, int)
    y[:16] = 1
    Z = rng.normal(size=(400, 4)).astype(np.float32)
    Z[:, 0] += 4 * y
    found = wgdn.evaluate(Z, y)
    assert found["splits"] == "stratified" and found["results"][0]["auc_std"] < 0.1
    y[1:16] = 0
    with pytest.raises(ValueError, match="1 of the 400 labels"):
        wgdn.evaluate(Z, y)
    with pytest.raises(ValueError, match="all 400 labels are equal"):
        wgdn.evaluate(Z, np.zeros(400, int))


def test_evaluate_baselines():
    """Features are a baseline only where there are some; scores of pairs are one of links."""
    bare = wgdn.Graph(EDGES, nodes=len(X), y=Y)
    Z = np.eye(3, dtype=np.float32)[Y]
    names = [r["name"] for r in wgdn.evaluate(Z, bare, baselines=True, runs=1)["results"]]
    assert names == ["vectors", "degrees", "adjacency rows"]
    model = wgdn.WGDN(dim=8, epochs=2)
    links = wgdn.evaluate(model, wgdn.Graph(EDGES, X), task="links", baselines=True)["results"]
    assert [r["name"] for r in links][-3:] == ["degree product", "Adamic-Adar",
                                               "resource allocation"]


def test_similar(program, written, tmp_path):
    folder, d, m = written
    names = [f"n{i}" for i in range(len(X))]
    e = wgdn.Embedding(m.transform(d), names)
    e.write(tmp_path / "z.tsv")
    told = [line.split("\t") for line in
            program("similar", tmp_path / "z.tsv", "n3", "n7", "--count", 4).splitlines()]
    found = wgdn.similar(e, ["n3", "n7"], k=4)
    assert [row[1] for row in told] == list(found.ids.ravel())
    np.testing.assert_allclose([float(row[2]) for row in told], found.scores.ravel(), rtol=1e-4)
    one = wgdn.similar(e, "n3", k=4)
    assert (one.ids == found.ids[0]).all()
    rows = wgdn.similar(e.values, 3, k=4)
    assert [names[i] for i in rows.ids] == list(one.ids)
    whole = wgdn.similar(e, e.values[3:4], k=1)  # a vector finds itself
    assert whole.ids[0, 0] == "n3"
    assert wgdn.similar(e, "n3", k=1000).ids.shape == (len(X) - 1,)
    with pytest.raises(KeyError):
        wgdn.similar(e, "nobody")
    double = wgdn.Embedding(np.ones((4, 2)))  # all alike: none is its own neighbor
    assert all(q not in row for q, row in enumerate(wgdn.similar(double, [0, 1, 2, 3], k=3).ids))


@pytest.mark.parametrize("ending", [".npz", ".safetensors", ".tsv", ".csv", ".w2v", ".npy"])
def test_vectors_in_files(tmp_path, ending):
    e = wgdn.Embedding(X, [f"n{i}" for i in range(len(X))])
    e.write(tmp_path / f"z{ending}")
    again = wgdn.read_embedding(tmp_path / f"z{ending}")
    np.testing.assert_allclose(again.values, X, rtol=1e-6)
    assert ending == ".npy" or list(again.ids) == list(e.ids)
    with pytest.raises(ValueError, match="cannot infer the format"):
        e.write(tmp_path / "z.docx")


def test_vectors_in_two_bytes(tmp_path):
    e = wgdn.Embedding(X, [f"n{i}" for i in range(len(X))])
    e.write(tmp_path / "h.npz", numbers="f16")
    with np.load(tmp_path / "h.npz") as z:
        np.testing.assert_array_equal(z["embedding"], X.astype(np.float16))
    e.write(tmp_path / "b.safetensors", numbers="bf16")
    np.testing.assert_allclose(wgdn.read_embedding(tmp_path / "b.safetensors").values, X, rtol=2**-8)
    for name, numbers, why in (("b.npy", "bf16", "no bfloat16"), ("t.tsv", "f16", "text"), ("h.npz", "f8", "f16 or bf16")):
        with pytest.raises(ValueError, match=why):
            e.write(tmp_path / name, numbers=numbers)


def test_estimate(program, written):
    folder, d, _ = written
    told = json.loads(program("estimate", folder / "rings.safetensors", "--dim", 64, "--json"))
    here = wgdn.estimate(d, dim=64)
    assert {k: v for k, v in told.items() if k in here["train"]} == here["train"]
    assert told["fit_bytes"] == pytest.approx(here["embed"]["total_bytes"], rel=0.2) and here["embed"]["seconds"] > 0
    assert set(wgdn.estimate(d, epochs=3)) == {"available_bytes", "train"}
    assert set(wgdn.estimate(d, refine=3)) == {"available_bytes", "embed"}
    with pytest.raises(wgdn.InvalidError, match="different methods"):
        wgdn.estimate(d, epochs=3, refine=3)
    with pytest.raises(TypeError, match="did you mean 'dim'"):
        wgdn.estimate(d, dims=3)
    shop = {"user": ["ann", "ann", "bob", "bob", "cid"], "item": ["tea", "jam", "tea", "jam", "tea"]}
    need = wgdn.estimate(shop, method="recommend", columns=64)
    assert set(need) == {"available_bytes", "recommend"}
    assert need["recommend"]["total_bytes"] > need["recommend"]["workspace_bytes"] > 0
    assert need["recommend"]["seconds"] > 0 and need["recommend"]["columns"] == 0
    with pytest.raises(wgdn.ArgumentError, match="no parameter 'dim'"):
        wgdn.estimate(shop, method="recommend", dim=3)


def test_restore():
    """A smooth signal on a ring, blurred and overlaid with noise, comes back closer than it was."""
    n = 400
    edges = (np.arange(n), (np.arange(n) + 1) % n)
    rng = np.random.default_rng(1)
    truth = np.sin(np.arange(n) * 0.1).astype(np.float32)
    seen = truth + rng.normal(0, 0.5, n).astype(np.float32)
    back = wgdn.restore(edges, seen, mode="resolved", noise="given", sigma=0.5)
    assert back.shape == seen.shape
    assert np.square(back - truth).mean() < 0.5 * np.square(seen - truth).mean()
    two = wgdn.restore(wgdn.Graph(edges), np.stack([seen, seen], axis=1), mode="average")
    assert two.shape == (n, 2) and (two[:, 0] == two[:, 1]).all()
    with pytest.raises(wgdn.InvalidError, match="it may be average"):
        wgdn.restore(edges, seen, mode="magic")
    with pytest.raises(wgdn.InvalidError):
        wgdn.restore(edges, seen, kernel="warmth")


def test_grown_graph(tmp_path):
    """embed() takes nodes that were not there at training; a saved model does the same."""
    nx = pytest.importorskip("networkx")
    G = nx.relabel_nodes(nx.karate_club_graph(), lambda i: f"p{i}")
    m = wgdn.WGDN(dim=8, epochs=20).fit(G)
    before = m.embed(G)
    G.add_edge("Eve", "p0")
    after = m.embed(G)
    assert after.shape == (35, 8) and np.isfinite(after["Eve"]).all()
    assert after.ids[-1] == "Eve" and before.shape == (34, 8)
    m.save(tmp_path / "m")
    assert (wgdn.WGDN.load(tmp_path / "m").embed(G).values == after.values).all()


def test_dataset_of_files(data, tmp_path):
    d = wgdn.read(data / "citeseer" / "citeseer.npz")
    assert repr(d) == "<wgdn.Graph: 3327 nodes, 4552 edges, 3703 features, 6 classes>"
    assert d.counts["nodes"] == d.nodes == 3327 and d.splits.shape == (1, 3327)
    d.write(tmp_path / "d.safetensors")
    again = wgdn.read(tmp_path / "d.safetensors")
    assert (again.X != d.X).nnz == 0 and (again.y == d.y).all()
    (tmp_path / "x.tsv").write_text("a\t1\nb\t2\n")
    (tmp_path / "e.tsv").write_text("a\tb\n")
    (tmp_path / "y.tsv").write_text("a\tred\nb\tblue\n")
    small = wgdn.read(tmp_path / "e.tsv", X=tmp_path / "x.tsv", y=tmp_path / "y.tsv")
    assert list(small.ids) == ["a", "b"] and small.X.ravel().tolist() == [1, 2]
    assert [small.classes[c] for c in small.y] == ["red", "blue"]


def test_user_example():
    done = subprocess.run([sys.executable, HERE / "user_example.py"], check=True,
                          capture_output=True, text=True)
    assert "nowhere.tsv" in done.stdout


def test_readme(tmp_path):
    """The lines of the README, verbatim, one block after another."""
    pytest.importorskip("sklearn")
    text = (HERE.parent / "README.md").read_text()
    code = "\n".join(re.findall(r"```python\n(.*?)```", text, flags=re.S))
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True,
                          cwd=tmp_path)
    scores = [float(line.split()[1]) for line in done.stdout.splitlines()[:2]]
    assert scores[1] > scores[0] + 0.1


def test_readme_stands_alone():
    """An index page shows it without the other documents, so its links are absolute."""
    text = (HERE.parent / "README.md").read_text()
    assert re.findall(r"\]\((?!https?:|#)[^)]+\)", text) == []


@pytest.mark.parametrize("name", ["Embedding", "FilterEmbedding", "Graph", "WGDN", "compare", "embed", "estimate",
                                  "evaluate", "quality", "restore", "similar"])
def test_examples(name):
    """The examples of the documentation say what happens."""
    import doctest

    made = doctest.DocTestFinder(recurse=name in ("Embedding", "Graph")).find(getattr(wgdn, name), name, module=False)
    done = [doctest.DocTestRunner().run(one) for one in made]
    assert sum(d.attempted for d in done) >= 2 and not any(d.failed for d in done)


def test_keywords_are_current():
    """The hints in the sources say what the tables of the library say."""
    tool = HERE.parent / "tools" / "keywords"
    subprocess.run([sys.executable, "-P" if sys.version_info >= (3, 11) else "-B", tool, "--check"],
                   check=True)


def test_reference_is_current():
    """The page of the interface is what the docstrings say, and leaves out no public name."""
    done = subprocess.run([sys.executable, "-P" if sys.version_info >= (3, 11) else "-B", HERE.parent / "tools" / "reference",
                           "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_option_of_the_program_is_in_python(program):
    """The page on parity names a keyword or a reason for every option, and is current."""
    done = subprocess.run([sys.executable, HERE.parent / "tools" / "parity", program.path, "--check"], capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stderr
