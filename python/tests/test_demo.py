# SPDX-License-Identifier: Apache-2.0
"""python -m wgdn is 'wgdn demo' in Python: the same files, and the same bits."""
import subprocess
import sys

import pytest
import wgdn


def run(*words):
    return subprocess.run([sys.executable, "-m", "wgdn", *map(str, words)], capture_output=True, text=True)


def test_same_files(program, tmp_path):
    program("demo", tmp_path / "program")
    done = run(tmp_path / "python")
    assert done.returncode == 0, done.stderr
    for name in ("borders.csv", "continents.csv", "countries.tsv"):
        assert (tmp_path / "python" / name).read_bytes() == (tmp_path / "program" / name).read_bytes()
    assert ">>> graph\n<wgdn.Graph: 157 nodes, 317 edges, 6 classes>" in done.stdout
    assert "France, Monaco, Luxembourg, Belgium, Andorra\n" in done.stdout
    assert "continents: 96.2 %" in done.stdout


def test_a_file_in_the_way(tmp_path):
    (tmp_path / "file").touch()
    done = run(tmp_path / "file")
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith("wgdn: ") and "file" in done.stderr


def test_sample_data(program, tmp_path):
    assert list(wgdn.datasets.names())[:2] == ["countries", "friends"]
    for name in wgdn.datasets.names():
        program("demo", name, tmp_path / "program")
        for file, path in wgdn.datasets.write(name, tmp_path / "python").items():
            with open(path, "rb") as f:
                assert f.read() == (tmp_path / "program" / file).read_bytes()
    with pytest.raises(wgdn.InvalidError, match="one of countries, friends"):
        wgdn.datasets.write("nothing")


@pytest.mark.parametrize("name, needs", [("node_classification", "sklearn"), ("no_features", "numpy"), ("molecules", "sklearn"),
                                         ("fraud", "sklearn"), ("vector_duckdb", "duckdb")])
def test_examples_without_other_data(name, needs, tmp_path):
    """The scripts of examples/python run on the sample data where WGDN_DATA is not set."""
    import os
    import pathlib

    pytest.importorskip(needs)
    here = pathlib.Path(__file__).parents[1]
    folder = next((f for f in (here / "python", here.parent / "examples" / "python") if (f / "sample.py").exists()), None)
    if folder is None:
        pytest.skip("the examples are not here")
    plain = {key: value for key, value in os.environ.items() if key != "WGDN_DATA"}
    done = subprocess.run([sys.executable, folder / f"{name}.py", *(["1"] if name == "fraud" else [])], capture_output=True,
                          text=True, cwd=tmp_path, env={**plain, "MPLBACKEND": "agg"})
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") >= 2
