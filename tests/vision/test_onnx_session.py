"""Networks are opened without a word to anybody."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_OPENS = """
import time
from models import load_manifest
from vision.onnx_session import open_session
open_session(load_manifest().models[0])
time.sleep(1)
"""


def test_onnx_runtime_keeps_no_report_of_its_use(tmp_path: Path) -> None:
    """It would keep one in its user's cache, with a number for the computer, and send it to its maker."""
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"), "PYTHONPATH": str(Path.cwd())}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ORT_")}
    subprocess.run([sys.executable, "-c", _OPENS], env={**kept, **home}, check=True, timeout=300)
    assert list(tmp_path.rglob("*")) == []
