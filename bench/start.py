"""`python bench/start.py` measures the run time of a cold process, and the size of the installation.

    python    the interpreter alone, the lower bound for anything in Python
    version   `muggins --version`
    score     `muggins score cards …`
    read      `muggins read docs/sample-throw.jpg`: the first reading of a cold process

The files are in the disk cache, and the code is compiled, as after `pip install`. Ways alternate, and figures are medians.
The size covers the files of Muggins and of every package that it needs at run time, as listed by the package manager.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, distribution, requires
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parent.parent
OUT = Path(__file__).with_suffix(".json")
_MUGGINS = "from api.cli.main import main; main()"
WAYS: dict[str, tuple[str, ...]] = {
    "python": ("pass",),
    "version": (_MUGGINS, "--version"),
    "score": (_MUGGINS, "score", "cards", "5H", "5D", "5S", "JC", "--starter", "5C"),
    "read": (_MUGGINS, "read", str(ROOT / "docs/sample-throw.jpg")),
}


@contextmanager
def compiled() -> Iterator[dict[str, str]]:
    """An environment that stores compiled code: a checkout may have none, and some machines disable it."""
    with tempfile.TemporaryDirectory() as folder:
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        yield {**kept, "PYTHONPYCACHEPREFIX": folder}


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--out", type=Path, default=OUT, help="file for the figures (default: bench/start.json)")
    options = parser.parse_args()
    taken: dict[str, list[float]] = {name: [] for name in WAYS}
    with compiled() as environment:
        for way in WAYS.values():
            seconds_of(way, environment)
        for _ in range(options.rounds):
            for name, way in WAYS.items():
                taken[name].append(seconds_of(way, environment))
    sizes = installed()
    told: dict[str, Any] = {
        "rounds": options.rounds,
        "seconds": {
            name: {"min": min(each), "median": statistics.median(each), "max": max(each)}
            for name, each in taken.items()
        },
        "installed_mb": round(sum(sizes.values()), 1),
        "packages_mb": sizes,
    }
    options.out.write_text(json.dumps(told, indent=1) + "\n")
    _show(told)


def seconds_of(way: tuple[str, ...], environment: dict[str, str]) -> float:
    """The run time of a process from start to end."""
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", *way], cwd=ROOT, env=environment, check=True, capture_output=True)
    return time.perf_counter() - begun


def installed() -> dict[str, float]:
    """Megabytes of Muggins and of each required package, the largest first."""
    sizes = {"muggins": _size_of_checkout()}
    waiting = _needed("muggins")
    while waiting:
        name = waiting.pop()
        if name not in sizes and (size := _size(name)) is not None:
            sizes[name] = size
            waiting |= _needed(name)
    return dict(sorted(sizes.items(), key=lambda each: -each[1]))


def _size_of_checkout() -> float:
    rooms = (ROOT / room for room in ("api", "models", "scorer", "vision"))
    return _megabytes(file for room in rooms for file in room.rglob("*") if file.is_file() and file.suffix != ".pyc")


def _size(name: str) -> float | None:
    """The size of a package in megabytes; None if it is not installed, because only other systems need it."""
    try:
        files = distribution(name).files or []
    except PackageNotFoundError:
        return None
    paths = (Path(str(file.locate())) for file in files)
    return _megabytes(path for path in paths if path.is_file() and path.suffix != ".pyc")


def _megabytes(files: Any) -> float:
    return round(float(sum(file.stat().st_size for file in files)) / 1e6, 2)


def _needed(name: str) -> set[str]:
    """The direct dependencies of an installed package, without extras."""
    lines = (line for line in requires(name) or [] if "extra ==" not in line)
    return {found[0].lower() for line in lines if (found := re.match(r"[A-Za-z0-9._-]+", line))}


def _show(told: dict[str, Any]) -> None:
    table = Table("process", "min, s", "median, s", "max, s")
    for name, row in told["seconds"].items():
        table.add_row(name, *(f"{row[key]:.3f}" for key in ("min", "median", "max")))
    console = Console()
    console.print(table)
    largest = ", ".join(f"{name} {size:.0f}" for name, size in list(told["packages_mb"].items())[:8])
    console.print(f"Installed: {told['installed_mb']:.0f} MB ({largest}, …)")


if __name__ == "__main__":
    main()
