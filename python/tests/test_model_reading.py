# SPDX-License-Identifier: Apache-2.0
"""A model stores how its data was read, and reads other files alike."""
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
