# SPDX-License-Identifier: Apache-2.0
"""Arrays that a caller changes after wgdn.dataset() has read them."""
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import wgdn

sp = pytest.importorskip("scipy.sparse")
N = 300
RNG = np.random.default_rng(1)
EDGES = RNG.integers(0, N, (2, 1200))


def features():
    return sp.random(N, 50, 0.1, format="csr", dtype=np.float32, random_state=1)


def overwrite(matrix, kind):
    if kind == "indices":
        matrix.indices[:] = 2_000_000_000
    elif kind == "negative":
        matrix.indices[:] = -2_000_000_000
    else:
        matrix.indptr[:] = 2_000_000_000


@pytest.mark.parametrize("kind", ["indices", "negative", "indptr"])
def test_indices_of_sparse_features(kind):
    """The dataset has the indices of the time when it was made."""
    expected = wgdn.embed(wgdn.Graph(EDGES, features()), dim=8)
    matrix = features()
    if kind == "indptr":
        matrix.indptr = matrix.indptr.astype(np.int64)  # the library's own type, so borrowing was possible
    code = f"""
        import sys; sys.path.insert(0, {__file__.rpartition("/")[0]!r})
        import test_borrowed as t, wgdn
        m = t.features()
        m.indptr = m.indptr.astype("i8")
        d = wgdn.dataset(m, t.EDGES)
        t.overwrite(m, {kind!r})
        wgdn.embed(d, dim=8); wgdn.WGDN(dim=8, epochs=1).fit(d)
    """
    run = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True)
    assert run.returncode == 0, (run.returncode, run.stderr)  # a crash before, so in a process of its own
    d = wgdn.Graph(EDGES, matrix)
    overwrite(matrix, kind)
    assert wgdn.embed(d, dim=8).tobytes() == expected.tobytes()


def test_indices_of_sparse_tensors():
    torch = pytest.importorskip("torch")
    t = torch.from_numpy(features().toarray()).to_sparse_csr()
    t = torch.sparse_csr_tensor(t.crow_indices(), t.col_indices().to(torch.int64), t.values(), t.shape)
    d = wgdn.Graph(EDGES, t)
    expected = d.X.toarray()
    t.col_indices()[:] = 2_000_000_000
    t.crow_indices()[:] = 0
    np.testing.assert_array_equal(d.X.toarray(), expected)
