"""The conditions of a measurement: the machine, its load, and the versions of what affects the figures."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

_PACKAGES = (
    "muggins",
    "numpy",
    "onnxruntime",
    "opencv-python-headless",
    "pillow",
    "pi-heif",
    "av",
    "fastapi",
    "uvicorn",
)
_ROOT = Path(__file__).parent.parent


def machine() -> dict[str, Any]:
    """The machine's current description."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_mb": _memory(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "load": load(),
        "commit": _commit(),
        "versions": {name: _version(name) for name in _PACKAGES},
    }


def load() -> float | None:
    """The load average of the last minute: above the number of cores, speed figures mean little."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def _memory() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 1024**2
    except (AttributeError, ValueError, OSError):
        return None


def _commit() -> str:
    try:
        asked = ["git", "-C", str(_ROOT), "describe", "--always", "--dirty"]
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
