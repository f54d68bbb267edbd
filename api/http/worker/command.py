"""How the server starts another module of this program as a process."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[3]


def command(module: str, *arguments: str) -> list[str]:
    """The command line that runs a module of this program; to be used with `environment`."""
    return [sys.executable, "-P", "-m", module, *arguments]


def environment() -> dict[str, str]:
    """The environment of this process, with the path where it found `api`, whatever the current folder contains."""
    path = os.pathsep.join(filter(None, [str(_ROOT), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path}
