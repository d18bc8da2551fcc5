# SPDX-License-Identifier: Apache-2.0
"""A set of graphs as the estimator's own: X selects graphs, by index."""
import numpy as np
import pytest

import wgdn

sklearn = pytest.importorskip("sklearn")


def small_graphs(count=12):
    nx = pytest.importorskip("networkx")
    return [nx.cycle_graph(4 + k % 3) if k % 2 else nx.star_graph(4 + k % 3) for k in range(count)]


@pytest.mark.parametrize("model", [wgdn.FilterEmbedding, wgdn.WGDN], ids=lambda m: m.__name__)
def test_rows_are_graphs(model):
    graphs = wgdn.Graph(small_graphs())
    options = {} if model is wgdn.FilterEmbedding else {"epochs": 2, "dim": 8}
    everything = model(**options).fit_transform(graphs)
    assert len(everything) == 12
    m = model(graph=graphs, **options)
    picked = m.fit_transform(np.array([[3], [11]]))
    assert picked.tobytes() == everything[[3, 11]].tobytes()
    for wrong, words in (([12], r"outside 0 \.\. 11"), (["3"], "indices of its graphs.*'3'"),
                         ([0.5], "indices of its graphs")):
        with pytest.raises(ValueError, match=words):
            m.transform(wrong)


def test_proteins(data):
    """cross_val_score raised KeyError."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    d = wgdn.read(data / "tu" / "PROTEINS.zip")
    pipe = make_pipeline(wgdn.FilterEmbedding(graph=d), StandardScaler(),
                         LogisticRegression(C=0.01, max_iter=2000))
    score = cross_val_score(pipe, np.arange(d.graphs).reshape(-1, 1), d.graph_labels, cv=3)
    assert score.mean() > 0.68  # the larger class has 0.596


def test_nodes_are_found_or_refused():
    """Strings of digits selected rows by number."""
    plain = wgdn.Graph(([0, 1, 2], [1, 2, 3]), np.eye(4))
    m = wgdn.FilterEmbedding(graph=plain, dim=8).fit()
    assert (m.transform([2.0, 1.0]) == m.transform([2, 1])).all()
    for wrong in (["2", "1"], [True, False], [1.5], [None]):
        with pytest.raises(ValueError, match="indices of its nodes"):
            m.transform(wrong)
    named = wgdn.Graph(([0, 1, 2], [1, 2, 3]), np.eye(4), ids=list("abcd"))
    m = wgdn.FilterEmbedding(graph=named, dim=8).fit(["a", "d"])
    for wrong in (["z"], [0], ["a", "z"]):
        with pytest.raises(ValueError, match="X has the id .*'a'"):
            m.transform(wrong)
    with pytest.raises(KeyError, match="no vector has the id 'z'"):
        wgdn.Embedding(np.eye(2), ["a", "b"])["z"]
    with pytest.raises(KeyError, match=r"no vector has the index 5: there are 0 \.\. 1"):
        wgdn.similar(np.eye(2), 5)
