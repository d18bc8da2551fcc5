# SPDX-License-Identifier: Apache-2.0
"""A limit of memory: what needs more goes through files, and the vectors are the same."""
import os
import re

import numpy as np
import pytest

import wgdn

N, WIDTH, DIM = 30_000, 256, 128


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    """Neighbors on a ring have features alike."""
    path = tmp_path_factory.mktemp("limits") / "ring.safetensors"
    rng, here = np.random.default_rng(3), np.arange(N)
    x = np.repeat(rng.normal(size=(N // 100, WIDTH)), 100, axis=0) + rng.normal(size=(N, WIDTH))
    edges = np.concatenate([here, here]), np.concatenate([(here + 1) % N, (here + 7) % N])
    wgdn.Graph(edges, x.astype(np.float32)).write(path)
    return path


def test_slabs(packed, tmp_path):
    whole = wgdn.FilterEmbedding(dim=DIM).fit_transform(wgdn.read(packed))
    with pytest.raises(wgdn.NoMemoryError, match="narrowest blocks needs [0-9.]+ MB") as told:
        wgdn.FilterEmbedding(dim=DIM).fit(wgdn.read(packed, memory="10M", scratch=tmp_path))
    least = re.search(r"needs ([0-9.]+) MB", str(told.value))[1]
    for memory in (f"{least}M", 1 << 30):
        data = wgdn.read(packed, memory=memory, scratch=tmp_path)
        assert wgdn.FilterEmbedding(dim=DIM).fit_transform(data).tobytes() == whole.tobytes()
    assert os.listdir(tmp_path) == []
    with pytest.raises(wgdn.FileError, match="nowhere"):
        data = wgdn.read(packed, memory=f"{least}M", scratch=tmp_path / "nowhere")
        wgdn.FilterEmbedding(dim=DIM).fit(data)


@pytest.mark.parametrize("memory", ["8X", "", "G", "1.5.2G", -1, 0, 1.5, True])
def test_sizes(packed, memory):
    with pytest.raises(ValueError, match="memory = .*expected bytes, a number or such as"):
        wgdn.read(packed, memory=memory)


@pytest.mark.parametrize("text, size", [("2G", 2 << 30), ("1.5MiB", 3 << 19), ("8kB", 8192), ("7000", 7000), ("2X", None),
                                        (" 2G", None), ("", None)])
def test_one_meaning_of_sizes(packed, monkeypatch, text, size):
    from wgdn import _core

    assert _core.size_parse(text) == size
    monkeypatch.setenv("WGDN_MEMORY", text)
    if size is None and text:
        with pytest.raises(ValueError, match="WGDN_MEMORY: .* is not a number of bytes, such as 500M or 1.5G"):
            wgdn.read(packed)
    else:
        assert wgdn.machine()["memory_total"] == (size if size else wgdn.machine()["memory_total"])


def test_a_folder_is_no_limit(packed):
    with pytest.raises(ValueError, match="it is a folder that models are kept in"):
        wgdn.FilterEmbedding(dim=DIM, cache="8G").fit(wgdn.read(packed))
    assert not os.path.exists("8G")
