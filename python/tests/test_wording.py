# SPDX-License-Identifier: Apache-2.0
"""Errors are wgdn.Error, messages name keywords, warnings name the caller's line."""
import ast
import pathlib
import warnings

import numpy as np
import pytest
from graphs import rings

import wgdn
from wgdn._wording import as_keywords

X, EDGES, Y = rings()


def test_every_raise_is_the_packages_own():
    """No statement raises a built-in exception, but for the protocol of module attributes."""
    found = []
    for path in sorted(pathlib.Path(wgdn.__file__).parent.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            call = node.exc if isinstance(node, ast.Raise) else None
            name = call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else ""
            if name in dir(__builtins__) or name in vars(__import__("builtins")):
                found.append((path.name, node.lineno, name))
    assert [(file, name) for file, _, name in found] == [("__init__.py", "AttributeError"), ("_embedding.py", "AttributeError"),
                                                        ("_embedding.py", "AttributeError")], found


def unknown_id():
    return wgdn.Embedding(X[:2], ["a", "b"])["c"]


@pytest.mark.parametrize("call, builtin", [
    (lambda: wgdn.Graph(EDGES, X, y=Y[:-1]), ValueError),
    (lambda: wgdn.Graph(EDGES, X[:5]), ValueError),
    (lambda: wgdn.embed(EDGES, X, sim=3), TypeError),
    (lambda: wgdn.WGDN(dims=3), TypeError),
    (lambda: wgdn.WGDN(dim=4, callback=5).fit(X, graph=EDGES), TypeError),
    (lambda: wgdn.WGDN().transform(X), ValueError),
    (lambda: wgdn.WGDN().set_params(nothing=1), ValueError),
    (unknown_id, KeyError),
    (lambda: wgdn.Graph("nowhere.parquet"), FileNotFoundError),
    (lambda: wgdn.Graph("nowhere.parquet"), OSError),
    (lambda: wgdn.read("nowhere.csv"), OSError),
    (lambda: wgdn.read("nowhere.csv", threads="many"), ValueError),
    (lambda: wgdn.read(5), TypeError),
    (lambda: wgdn.load(None), TypeError),
    (lambda: wgdn.read_embedding(3.5), TypeError),
    (lambda: wgdn.evaluate(X, Y, task="guess"), ValueError),
    (lambda: wgdn.similar(X, 0, threads="many"), TypeError),
    (lambda: wgdn.Graph(EDGES, X.astype(complex)), ValueError),
    (lambda: wgdn.Graph([(0, 1)], [[1], [{}]]), TypeError),
    (lambda: wgdn.Graph(EDGES, object()), ValueError),
    (lambda: wgdn.Graph(object(), X), ValueError),
    (lambda: wgdn.Embedding([["a"]]), ValueError),
    (lambda: wgdn.restore([(0, 1)], ["a"]), ValueError),
], ids=range(23))
def test_an_error_is_ours_and_the_built_in(call, builtin):
    with pytest.raises(wgdn.Error) as caught:
        call()
    assert isinstance(caught.value, builtin) and str(caught.value)


def test_not_fitted_is_scikit_learns_too():
    exceptions = pytest.importorskip("sklearn.exceptions")
    with pytest.raises(exceptions.NotFittedError) as caught:
        wgdn.WGDN().transform(X)
    assert isinstance(caught.value, wgdn.Error) and isinstance(caught.value, ValueError)


@pytest.mark.parametrize("flags, keywords", [
    ("try a smaller --learning-rate (0.1)", "try a smaller learning_rate= (0.1)"),
    ("--decoder wiener, a larger --dim", "decoder='wiener', a larger dim="),
    ("--weight takes one", "weight= takes one"),
    ("--weight COLUMN uses", "weight='COLUMN' uses"),
    ("--weights ignore takes the edges alone", "weights='ignore' takes the edges alone"),
    ("--source 1 --target 3, or --header yes", "source=1 target=3, or header='yes'"),
    ("--decimal , reads a comma", "decimal=',' reads a comma"),
    ("--bipartite makes two, --no-bipartite one", "bipartite=True makes two, bipartite=False one"),
    ("leave --directed and --type out", "leave directed= and type= out"),
    ("leave it out: --ignore size", "leave it out: ignore='size'"),
    ("first 'wgdn convert --order metis' it", "first 'wgdn convert --order metis' it"),
])
def test_flags_become_keywords(flags, keywords):
    assert as_keywords(flags) == keywords


def test_messages_of_the_library_name_keywords(tmp_path):
    with pytest.raises(wgdn.TrainingError, match="smaller learning_rate= ") as caught:
        wgdn.WGDN(dim=8, learning_rate=10, epochs=9).fit(X, graph=EDGES)
    assert "--" not in str(caught.value)
    path = tmp_path / "edges.csv"
    path.write_text("source,target,size\n" + "".join(f"a{i},b{i % 3},{i}\n" for i in range(9)))
    said = [text for _, _, text in wgdn.read(path).remarks]
    assert any("weight" in text for text in said) and not any("--" in text for text in said), said


def warned(call):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        call()
    return [(w.filename, str(w.message)) for w in seen]


def test_warnings_point_at_the_caller():
    pd = pytest.importorskip("pandas")
    table = {"source": ["a", "b"], "target": ["b", "c"], "note": ["x", "y"]}
    named = pd.DataFrame(X, columns=[f"f{i}" for i in range(X.shape[1])])
    fitted = wgdn.FilterEmbedding(dim=8).fit(X, graph=EDGES)
    for call, words in ((lambda: wgdn.Graph(table), "note"),
                        (lambda: wgdn.embed(table, dim=8), "note"),
                        (lambda: wgdn.FilterEmbedding(dim=8).fit(graph=table), "note"),
                        (lambda: wgdn.FilterEmbedding(dim=8).fit_transform(graph=table), "note"),
                        (lambda: wgdn.FilterEmbedding(dim=8).fit(X), "graph="),
                        (lambda: wgdn.WGDN(dim=8, epochs=1).fit_transform(X), "graph="),
                        (lambda: fitted.transform(named, graph=EDGES), "feature names"),
                        (lambda: fitted.embed(EDGES, named), "feature names")):
        seen = warned(call)
        assert seen and all(file == __file__ for file, _ in seen) and words in seen[0][1], seen


def test_warnings_through_a_pipeline_point_at_the_caller():
    pipeline = pytest.importorskip("sklearn.pipeline")
    preprocessing = pytest.importorskip("sklearn.preprocessing")
    pipe = pipeline.make_pipeline(preprocessing.StandardScaler(), wgdn.FilterEmbedding(dim=8))
    seen = warned(lambda: pipe.fit_transform(X))
    assert [file for file, text in seen if "graph=" in text] == [__file__], seen


def lazy():
    return pytest.importorskip("polars").DataFrame({"source": ["a"], "target": ["b"]}).lazy()


@pytest.mark.parametrize("call, words", [
    (lambda: wgdn.Graph(lazy()), r"polars.LazyFrame.*\.collect\(\)"),
    (lambda: wgdn.embed(lazy()), r"polars.LazyFrame.*\.collect\(\)"),
    (lambda: wgdn.Graph(((i, i + 1) for i in range(3))), "generator.*list"),
    (lambda: wgdn.Graph(open(__file__)), "path of the file"),
    (lambda: wgdn.Graph([(0, 1), (5, 2)], X[:4]), "edges name node 5, but X has 4 rows"),
    (lambda: wgdn.Graph([(0, 1), (-5, 2)], X[:4]), "edges name node -5, but X has 4 rows"),
    (lambda: wgdn.Graph({"source": ["a"], "target": ["b"]}), None),
    (lambda: wgdn.Graph(__import__("pandas").DataFrame({"source": ["a"], "target": ["b"], "graph": [1]})),
     "pass graph_id='graph'"),
], ids=range(8))
def test_messages_say_what_to_do(call, words):
    if words is None:
        assert call().edges == 1
        return
    with pytest.raises(wgdn.InvalidError, match=words):
        call()
