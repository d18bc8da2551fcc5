# SPDX-License-Identifier: Apache-2.0
"""
Threads that wait sleep: spinning ones take the processor from those they wait for on a busy machine.

OpenMP reads OMP_WAIT_POLICY once, when it is loaded, and that is with the extension module. So the
variable is set for that moment, unless the user has set one that says how to wait, and taken back:
other libraries and child processes do not see it. Where another package has loaded the same OpenMP
before, what it found then stays.
"""
import os

_SAID = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME")

if not any(name in os.environ for name in _SAID):
    os.environ["OMP_WAIT_POLICY"] = "passive"
    try:
        from . import _core  # pyright: ignore[reportUnusedImport]  # noqa: F401
    finally:
        del os.environ["OMP_WAIT_POLICY"]
