# SPDX-License-Identifier: Apache-2.0
"""A model stores how its data was read, and reads other files alike."""
import json
import struct

import numpy as np
import pytest

import wgdn


def write(path, seed):
    rng = np.random.default_rng(seed)
    rows = ["day,debtor,creditor,amount"]
    for i in range(1500):
        a, b = rng.integers(0, 60, 2)
        rows.append(f"2024-01-{i % 28 + 1:02},k{a},k{b},{40 if a % 3 == b % 3 else 0.5}")
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.fixture
def fitted(tmp_path):
    jan = wgdn.read(write(tmp_path / "jan.csv", 1), source="debtor", target="creditor",
                    weight="amount")
    return wgdn.FilterEmbedding(dim=16).fit(jan)


def test_files_are_read_as_the_data_of_fit(fitted, tmp_path):
    feb = write(tmp_path / "feb.csv", 2)
    expected = np.asarray(fitted.embed(wgdn.read(feb, source="debtor", target="creditor",
                                                 weight="amount")))
    assert np.array_equal(np.asarray(fitted.embed(feb)), expected)
    assert np.array_equal(np.asarray(fitted.embed(wgdn.read(feb, like=fitted))), expected)
    fitted.save(tmp_path / "m.model")
    loaded = wgdn.load(tmp_path / "m.model")
    assert np.array_equal(np.asarray(loaded.embed(str(feb))), expected)


def test_contradictions_are_errors(fitted, tmp_path):
    feb = write(tmp_path / "feb.csv", 2)
    with pytest.raises(wgdn.Error, match="weight= day contradicts the model.*weight= amount"):
        wgdn.read(feb, weight="day", like=fitted)
    with pytest.raises(wgdn.Error, match="weights='log' contradicts the model.*weights='use'"):
        wgdn.read(feb, weights="log", like=fitted)


def test_ids_can_be_left_out(fitted, tmp_path):
    feb = write(tmp_path / "feb.csv", 2)
    data = wgdn.read(feb, source="debtor", target="creditor")
    for ids in (True, False):
        model = wgdn.FilterEmbedding(dim=16, ids=ids).fit(data)
        model.save(tmp_path / "m.model")
        assert (b"ids.text" in (tmp_path / "m.model").read_bytes()) == ids


def without_checksums(path):
    """Header and data of a model as others may write it."""
    whole = path.read_bytes()
    size, = struct.unpack_from("<Q", whole)
    header = json.loads(whole[8:8 + size])
    header["__metadata__"] = {k: v for k, v in header["__metadata__"].items() if not k.startswith("xxh3")}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return header, struct.pack("<Q", len(text)) + text, whole[8 + size:]


@pytest.mark.parametrize("kind", ["structure", "features", "typed", "directed", "trained"])
def test_numbers_that_are_none_are_refused_in_every_matrix_of_a_model(kind, tmp_path):
    edges = tmp_path / "edges.csv"
    rng = np.random.default_rng(1)
    edges.write_text("source,target,type\n" + "".join(f"{a},{b},{'xy'[a % 2]}\n" for a, b in rng.integers(0, 60, (300, 2))))
    data = wgdn.read(edges, **{"typed": {"type": "type"}, "directed": {"directed": "both"}}.get(kind, {}))
    if kind in ("features", "trained"):
        links = edges.read_text().split()[1:]
        ends = np.array([line.split(",")[:2] for line in links], dtype=np.int64)
        data = wgdn.Graph(ends.T.copy(), rng.normal(size=(60, 12)).astype(np.float32))
    model = wgdn.WGDN(dim=8, epochs=2) if kind == "trained" else wgdn.FilterEmbedding(dim=16)
    model.fit(data).save(tmp_path / "m.model")
    header, start, numbers = without_checksums(tmp_path / "m.model")
    (tmp_path / "bare.model").write_bytes(start + numbers)
    assert np.isfinite(np.asarray(wgdn.load(tmp_path / "bare.model").embed(data))).all()
    tried = 0
    for name, tensor in header.items():
        begin, end = tensor.get("data_offsets", (0, 0))
        if name == "__metadata__" or tensor["dtype"] != "F32" or begin == end:
            continue
        for bad in (np.nan, np.inf, -np.inf):
            broken = bytearray(numbers)
            struct.pack_into("<f", broken, begin + (end - begin) // 8 * 4, bad)
            (tmp_path / "broken.model").write_bytes(start + broken)
            with pytest.raises(wgdn.Error, match=f"{name}.* contains -?(nan|inf).*the file is corrupt"):
                wgdn.load(tmp_path / "broken.model")
            tried += 1
    assert tried >= 6
