"""How the server starts a program of its own in another process."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[3]


def command(module: str, *arguments: str) -> list[str]:
    """The command that runs a module of this program; `environment` goes with it."""
    return [sys.executable, "-P", "-m", module, *arguments]


def environment() -> dict[str, str]:
    """That of this process; Python finds `api` where this process found it, whatever the current folder holds."""
    path = os.pathsep.join(filter(None, [str(_ROOT), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path}
