# SPDX-License-Identifier: Apache-2.0
"""
Random call signatures: types, shapes, orders and dtypes of graphs, features and ids. Every call gives the answer of a slow
reference or an error of the package, and never a wrong answer.
"""
import re

import numpy as np
import pytest

import wgdn

hypothesis = pytest.importorskip("hypothesis")
pd = pytest.importorskip("pandas")
from hypothesis import HealthCheck, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

N = 7
COUNT = {"answered": 0, "refused": 0}
ARGUMENT = re.compile(r"\b(edges?|graph|X|y|ids?|nodes|sources|targets|features|nowhere\.csv)\b")  # that a message is about
DTYPES = ["int64", "int64", "int32", "int8", "uint8", "int16", "int32", "uint32", "int64", "uint64", "float32", "float64", "bool", "object", "str"]
FORMS = ["tuple", "list", "pairs", "tuples", "two rows", "two columns", "fortran", "dictionary", "pandas", "swapped pandas",
         "polars", "pyarrow", "csr", "coo", "dense", "networkx", "string"]


def reference(source, target):
    """The adjacency matrix as a dictionary of pairs, without loops and repeats."""
    return {frozenset(pair) for pair in zip(source, target) if pair[0] != pair[1]}


def convert(form, source, target, dtype):
    s, t = (np.array(c).astype(dtype) for c in (source, target))
    if form == "tuple":
        return s, t
    if form == "list":
        return s.tolist(), t.tolist()
    if form == "pairs":
        return [list(p) for p in zip(s.tolist(), t.tolist())]
    if form == "tuples":
        return list(zip(s.tolist(), t.tolist()))
    if form == "two rows":
        return np.stack([s, t])
    if form == "two columns":
        return np.stack([s, t], axis=1)
    if form == "fortran":
        return np.asfortranarray(np.stack([s, t], axis=1))
    table = {"source": s, "target": t}
    if form == "dictionary":
        return table
    if form == "pandas":
        return pd.DataFrame(table)
    if form == "swapped pandas":
        return pd.DataFrame({"target": t, "source": s, "weight": np.ones(len(s))})
    if form == "polars":
        return pytest.importorskip("polars").DataFrame({k: v.tolist() for k, v in table.items()})
    if form == "pyarrow":
        return pytest.importorskip("pyarrow").table({k: v.tolist() for k, v in table.items()})
    if form == "string":
        return "nowhere.csv"
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.coo_matrix((np.ones(len(source)), (source, target)), (N, N))
    if form == "networkx":
        graph = pytest.importorskip("networkx").Graph()
        graph.add_nodes_from(range(N))
        graph.add_edges_from(zip(source, target))
        return graph
    return {"csr": matrix.tocsr(), "coo": matrix, "dense": matrix.toarray()}[form]


FEATURES = st.sampled_from([None, None, None, None, "float32", "float64", "fortran", "frame", "list", "csr", "float32", "float64", "int64", "bool", "object", "str", "fortran", "frame", "csr", "1-D", "3-D",
                            "short", "wide", "nan", "inf", "empty", "list"])


def features(kind):
    if kind is None:
        return None
    x = np.random.default_rng(1).normal(size=(N, 3)) * 2
    made = {"fortran": np.asfortranarray(x), "frame": pd.DataFrame(x, columns=list("abc")), "1-D": x[:, 0], "3-D": x[None],
            "short": x[:-1], "wide": np.hstack([x, x]), "empty": x[:, :0], "list": x.tolist(),
            "nan": np.where(x > 2, np.nan, x), "inf": np.where(x == x.max(), np.inf, x)}
    if kind == "csr":
        return pytest.importorskip("scipy.sparse").csr_matrix(x)
    return made[kind] if kind in made else x.astype(kind)


@settings(max_examples=200, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(form=st.sampled_from(FORMS), dtype=st.sampled_from(DTYPES), x=FEATURES,
       ends=st.lists(st.tuples(st.integers(0, N - 1), st.integers(0, N - 1)), min_size=0, max_size=12),
       ids=st.sampled_from([*[None] * 12, "list", "array", "text", "short", "twice", "dict", "number"]),
       y=st.sampled_from([None, None, "list", "series", None, "list", "series", "short", "text", "2-D"]), swapped=st.sampled_from([False] * 7 + [True]), dim=st.sampled_from([1, 3, 99]))
def test_a_right_answer_or_an_error_of_the_package(form, dtype, x, ends, ids, y, swapped, dim):
    source, target = ([a for a, _ in ends], [b for _, b in ends])
    graph, X = convert(form, source, target, dtype), features(x)
    names = {None: None, "list": list(range(N)), "array": np.arange(N), "text": list("abcdefg"), "short": ["a"],
             "twice": ["a"] * N, "dict": {"a": 1}, "number": 5}[ids]
    labels = {None: None, "list": [0, 1] * 3 + [0], "series": pd.Series([0, 1] * 3 + [0]), "short": [1, 2],
              "text": list("ababab") + ["c"], "2-D": np.ones((N, 2))}[y]
    try:
        g = wgdn.Graph(*((X, graph) if swapped else (graph, X)), ids=names, y=labels)
    except (wgdn.Error, TypeError) as error:
        assert ARGUMENT.search(str(error)), error
        COUNT["refused"] += 1
        return
    COUNT["answered"] += 1
    E = wgdn.embed(g, dim=dim)
    assert len(E) == g.nodes and np.isfinite(E.values).all()
    if swapped:
        return  # an array of features that is also a graph, such as N x N numbers
    rows, columns = g.adjacency.nonzero()
    own = range(g.nodes) if g.ids is None else g.ids.tolist()
    found = {frozenset((own[a], own[b])) for a, b in zip(rows.tolist(), columns.tolist())}
    if names is not None and form not in ("networkx",):
        assert found == {frozenset(own[i] for i in pair) for pair in reference(source, target)} or \
            found == reference(source, target)
    elif dtype in ("object", "str", "bool") and form in ("tuple", "list", "pairs", "tuples", "two rows", "two columns", "fortran",
                                                       "dictionary", "pandas", "swapped pandas", "polars", "pyarrow"):
        assert len(found) <= len(reference(source, target))
        if dtype == "str":
            assert found == {frozenset(map(str, pair)) for pair in reference(source, target)}
    else:
        assert found == reference(source, target)
    if X is not None and g.n_features == 3 and x in ("float32", "float64", "fortran", "list", "frame"):
        np.testing.assert_array_equal(g.X, np.asarray(X, dtype=np.float32))
    if y in ("list", "series"):
        assert g.y.tolist() == [0, 1] * 3 + [0]
    assert E.tobytes() == wgdn.embed(*(graph, X), dim=dim, **({} if names is None else {"ids": names})).tobytes()


def test_both_happened():
    """The calls above are neither all right nor all wrong; docs/results/python.md has the counts."""
    if sum(COUNT.values()) == 0:
        pytest.skip("the calls have not run")
    print(COUNT)
    assert sum(COUNT.values()) >= 200 and min(COUNT.values()) >= 50
