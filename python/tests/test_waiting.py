# SPDX-License-Identifier: Apache-2.0
"""Threads that wait sleep unless the user says otherwise, and nobody else is told."""
import os
import subprocess
import sys

import pytest
import wgdn


def imported(**said):
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "KMP_"))}
    code = "import os, wgdn; print(os.environ.get('OMP_WAIT_POLICY'))"
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True,
                         env={**environment, "OMP_DISPLAY_ENV": "verbose", **said})
    return run.stdout.strip(), run.stderr


def test_waiting_is_passive_and_not_inherited():
    left, told = imported()
    assert left == "None"
    if "GOMP_SPINCOUNT" not in told:
        pytest.skip("not GNU OpenMP")
    assert "GOMP_SPINCOUNT = '0'" in told


def test_what_a_user_said_stays():
    assert imported(OMP_WAIT_POLICY="active")[0] == "active"
    left, told = imported(GOMP_SPINCOUNT="77")
    assert left == "None"
    assert "GOMP_SPINCOUNT" not in told or "GOMP_SPINCOUNT = '77'" in told


def test_machine_names_its_limits():
    m = wgdn.machine()
    assert m["memory_limit"] and m["cpu_limit"] and 1 <= m["cpus"] <= m["cores"]
