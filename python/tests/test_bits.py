# SPDX-License-Identifier: Apache-2.0
"""The same data, options and seed give the same bits as the command line."""
import numpy as np
import pytest

import wgdn

SETTINGS = {
    "cora": ["--preset", "cora", "--epochs", "3", "--dim", "64"],
    "plain": ["--dim", "64", "--epochs", "5", "--beta", "0.37", "--kernel", "heat:t=1.5"],
}


def by_program(program, tmp_path, path, options):
    program("train", path, *options, "-q", "-o", tmp_path / "model")
    program("embed", tmp_path / "model", path, "-o", tmp_path / "z.npy")
    return np.load(tmp_path / "z.npy"), (tmp_path / "model").read_bytes()


def estimator(name):
    if name == "cora":
        return wgdn.WGDN.from_preset("cora", epochs=3, dim=64)
    return wgdn.WGDN(dim=64, epochs=5, beta=0.37, kernel="heat:t=1.5")


def scipy_parts(path):
    """Adjacency and features as a user has them after np.load."""
    import scipy.sparse as sp

    with np.load(path) as f:
        A = sp.csr_matrix((f["adj_data"], f["adj_indices"], f["adj_indptr"]), f["adj_shape"])
        X = sp.csr_matrix((f["attr_data"], f["attr_indices"], f["attr_indptr"]), f["attr_shape"])
    return A, X


@pytest.mark.parametrize("name", SETTINGS)
def test_cora(program, cora, tmp_path, name):
    expected, model = by_program(program, tmp_path, cora, SETTINGS[name])
    m = estimator(name)
    z = m.fit_transform(wgdn.read(cora))
    assert z.dtype == np.float32 and z.tobytes() == expected.tobytes()
    m.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == model
    A, X = scipy_parts(cora)
    assert estimator(name).fit_transform(X, graph=A).tobytes() == expected.tobytes()


def test_cora_dense(program, cora, tmp_path):
    """Dense features of the program come from a file, here from an array that is borrowed."""
    A, X = scipy_parts(cora)
    dense = np.ascontiguousarray(X.toarray()[:, :200], dtype=np.float32)
    np.save(tmp_path / "x.npy", dense)
    coo = A.tocoo()
    edges = tmp_path / "edges.tsv"
    edges.write_text("".join(f"{i}\t{i}\n" for i in range(A.shape[0])) +
                     "".join(f"{i}\t{j}\n" for i, j in zip(coo.row, coo.col)))
    options = ["--features", tmp_path / "x.npy"]
    program("train", edges, *options, "--dim", 32, "--epochs", 4, "-q", "-o", tmp_path / "m")
    program("embed", tmp_path / "m", edges, *options, "-o", tmp_path / "z.npy")
    z = wgdn.WGDN(dim=32, epochs=4).fit_transform(dense, graph=A)
    assert z.tobytes() == np.load(tmp_path / "z.npy").tobytes()


def test_threads(cora):
    d = wgdn.read(cora)
    z = [wgdn.WGDN(dim=32, epochs=3, threads=t).fit_transform(d) for t in (1, 2, 3)]
    assert z[0].tobytes() == z[1].tobytes() == z[2].tobytes()


def test_model_of_the_program(program, cora, tmp_path):
    """load() takes what the program wrote, with the options it was trained with."""
    program("train", cora, "--preset", "cora", "--epochs", 2, "--dim", 64, "--seed", 7, "-q", "-o",
            tmp_path / "m")
    program("embed", tmp_path / "m", cora, "-o", tmp_path / "z.npy")
    m = wgdn.WGDN.load(tmp_path / "m")
    assert m.kernel == "ppr" and m.seed == 7 and m.epochs == 2 and m.embedding_activation is True
    assert m.get_params() == wgdn.WGDN.from_preset("cora", epochs=2, dim=64, seed=7).get_params()
    assert m.embed(cora).values.tobytes() == np.load(tmp_path / "z.npy").tobytes()


def test_ids_of_an_edge_list(program, tmp_path):
    """A table of edges numbers its nodes as the program does; ids stay beside the vectors."""
    pandas = pytest.importorskip("pandas")
    rows = [("Mr_Hi", "Anna"), ("Mr_Hi", "Ben"), ("Anna", "Ben"), ("Ben", "John_A"),
            ("John_A", "Cleo"), ("John_A", "Dan"), ("Cleo", "Dan")]
    path = tmp_path / "club.tsv"
    path.write_text("".join(f"{a}\t{b}\n" for a, b in rows))
    program("train", path, "--dim", 8, "--epochs", 20, "-q", "-o", tmp_path / "m")
    program("embed", tmp_path / "m", path, "-o", tmp_path / "z.npz")
    expected = wgdn.read_embedding(tmp_path / "z.npz")
    m = wgdn.WGDN(dim=8, epochs=20)
    z = m.fit_transform(graph=pandas.DataFrame(rows, columns=["source", "target"]))
    assert list(m.ids_) == list(expected.ids)
    assert z.tobytes() == expected.values.tobytes()


def test_graphs(program, data, tmp_path):
    """PROTEINS: a vector for each graph, and for each node where nodes are the task."""
    path = data / "tu" / "PROTEINS.zip"
    d = wgdn.read(path)
    assert d.graphs == 1113 and d.graph_labels.shape == (1113,) and d.graph_start[-1] == d.nodes
    for task, rows in ("graph", d.graphs), ("node", d.nodes):
        options = ["--preset", "proteins", "--dim", 16, "--epochs", 2, "--task", task]
        expected, _ = by_program(program, tmp_path, path, options)
        m = wgdn.WGDN.from_preset("proteins", dim=16, epochs=2, task=task)
        z = m.fit_transform(d)
        assert z.shape == (rows, 16) and z.tobytes() == expected.tobytes()
        assert len(m.loss_curve_) == 2
    row = wgdn.evaluate(wgdn.WGDN(dim=16, epochs=2).fit(d), d, runs=2)["results"][0]
    assert 0 < row["accuracy_mean"] < 1 and 0 < row["auc_mean"] < 1
