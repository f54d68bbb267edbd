"""The processes of `python -m datasets.evaluate`."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

_PARENT = """
import multiprocessing, sys, time
from datasets.evaluate.workers import Workers
from models import load_manifest

if __name__ == "__main__":
    with Workers(load_manifest(), 2) as workers:
        workers._pool.submit(time.time).result()
        print(*(child.pid for child in multiprocessing.active_children()), flush=True)
        time.sleep(60)
"""


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="Asks Linux which processes there are.")
def test_they_end_with_a_command_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(_PARENT)
    path = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])}
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True, env=path) as parent:
        assert parent.stdout is not None
        children = parent.stdout.readline().split()
        parent.kill()
    assert children
    deadline = time.monotonic() + 30
    while any(_runs(pid) for pid in children) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [pid for pid in children if _runs(pid)]


def _runs(pid: str) -> bool:
    status = Path(f"/proc/{pid}/status")
    try:
        return "State:\tZ" not in status.read_text()
    except OSError:
        return False
