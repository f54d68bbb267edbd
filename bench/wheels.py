"""`python -m bench.wheels` checks in the package index whether all run-time dependencies of Muggins have a wheel, per system.

Nothing is installed or kept. pip resolves pyproject's dependencies for each system and this Python's version from wheels alone,
so the answer depends on the index that pip uses. If that fails, each dependency is checked separately and named.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from rich.console import Console
from rich.table import Table

PROJECT = Path(__file__).parent.parent / "pyproject.toml"
PLATFORMS = {
    "Linux x86-64": ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"),
    "Linux aarch64": ("manylinux_2_28_aarch64", "manylinux_2_17_aarch64", "manylinux2014_aarch64"),
    "macOS on Apple silicon": ("macosx_14_0_arm64", "macosx_13_0_arm64", "macosx_11_0_arm64", "macosx_14_0_universal2"),
    "macOS on Intel": ("macosx_14_0_x86_64", "macosx_13_0_x86_64", "macosx_11_0_x86_64", "macosx_10_9_universal2"),
    "Windows x86-64": ("win_amd64",),
}


def main() -> int:
    """Check and print; the exit code is 1 if a wheel is missing."""
    needed = tomllib.loads(PROJECT.read_text("utf-8"))["project"]["dependencies"]
    table, missing = Table("system", "without a wheel"), False
    console = Console()
    for name, tags in PLATFORMS.items():
        with console.status(name):
            absent = [] if has_wheels(needed, tags) else [each for each in needed if not has_wheels([each], tags)]
        missing |= bool(absent)
        table.add_row(name, ", ".join(absent) or "none")
    console.print(table)
    return int(missing)


def has_wheels(needed: list[str], tags: tuple[str, ...]) -> bool:
    """Whether pip finds wheels for these packages and all their dependencies."""
    platforms = [part for tag in tags for part in ("--platform", tag)]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--ignore-installed"]
        command += ["--only-binary", ":all:", "--target", folder, *platforms, *needed]
        return subprocess.run(command, capture_output=True).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
