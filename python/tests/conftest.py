# SPDX-License-Identifier: Apache-2.0
"""Where the data and the program are. Tests that miss one of them are skipped and say so."""
import os
import pathlib
import signal
import subprocess

import pytest

signal.signal(signal.SIGINT, signal.default_int_handler)  # shells ignore it in the background

ROOT = pathlib.Path(__file__).parents[2]
os.environ.setdefault("OMP_WAIT_POLICY", "passive")


@pytest.fixture(scope="session")
def program():
    """Run the command line; returns its standard output."""
    path = pathlib.Path(os.environ.get("WGDN_PROGRAM", ROOT / "build/release/cli/wgdn"))
    if not path.exists():
        pytest.skip(f"no program at {path}: set WGDN_PROGRAM")

    def run(*arguments):
        done = subprocess.run([path, *map(str, arguments)], check=True, capture_output=True)
        return done.stdout.decode()

    run.path = str(path)
    return run


@pytest.fixture(scope="session")
def data():
    """The folder of the real datasets."""
    path = pathlib.Path(os.environ.get("WGDN_DATA", ROOT / "../shared/data"))
    if not path.exists():
        pytest.skip("no datasets: set WGDN_DATA")
    return path


@pytest.fixture(scope="session")
def cora(data):
    return data / "cora" / "cora.npz"
