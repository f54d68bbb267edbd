"""`python bench/threads.py` reads the same pictures with one thread, with two, and with as many as there are cores.

    reading             both sample photos, file to values: a throw of dice and a hand of tiles; wall milliseconds
    processor           the same in CPU milliseconds of all cores together, which other processes could have used
    detector            the detector's network alone, with each installed execution provider of ONNX Runtime
    crops               the network for dice on some crops at once: one run on all cores, or the crops shared out among the cores

All ways alternate, picture by picture, in one process. `vision.threads` chooses the number of threads by these figures.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent.parent))

import onnxruntime

from models import load_manifest
from vision.classify.batches import outputs_of
from vision.classify.dice import SIDE
from vision.classify.features import LAYERS
from vision.detect.places import ANSWERS
from vision.onnx_session import Network, open_session
from vision.photo import load
from vision.reader import TableReader
from vision.threads import cores, limit_threads, threads

ROOT = Path(__file__).parent.parent
OUT = Path(__file__).with_suffix(".json")
PHOTOS = ("docs/sample-throw.jpg", "docs/sample-hand.jpg")
_SIZE = (1, 3, 384, 640)
"""Input shape of the detector for a 16:9 frame."""
_CROPS = (1, 2, 4, 8)
"""The numbers of crops."""
_ELSEWHERE = ("AzureExecutionProvider",)
"""Installed providers that compute on another machine."""


def main() -> None:
    """Measure, print and write."""
    options = _options()
    usual = threads()
    counts = sorted({1, 2, usual, cores()})
    ways = {f"{count} threads": reading(count) for count in counts}
    told = {
        "cores": cores(),
        "usual": usual,
        "reading": {name: _told(rows) for name, rows in _in_turn(ways, options.rounds).items()},
        "detector": {name: _told(rows) for name, rows in _in_turn(_providers(usual), options.rounds).items()},
        "crops": {name: _told(rows) for name, rows in _in_turn(_crops(), options.rounds).items()},
    }
    options.out.write_text(json.dumps(told, indent=1) + "\n")
    _show(told)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=30, help="number of readings per picture and way")
    parser.add_argument("--out", type=Path, default=OUT, help="file for the figures (default: bench/threads.json)")
    return parser.parse_args()


def reading(count: int) -> Callable[[], None]:
    """A function that reads the sample photos with `count` threads."""
    limit_threads(count)
    reader, photos = TableReader(), [ROOT / name for name in PHOTOS]

    def read() -> None:
        limit_threads(count)  # OpenCV has one limit per process
        for path in photos:
            reader.read(load(path))

    return read


def _providers(count: int) -> Mapping[str, Callable[[], None]]:
    """Runs of the detector, by each installed provider that computes locally."""
    limit_threads(count)
    names = [name for name in onnxruntime.get_available_providers() if name not in _ELSEWHERE]
    return {name: _detector(name) for name in names}


def _detector(provider: str) -> Callable[[], None]:
    session = open_session(load_manifest()["detector"], provider=provider)
    inputs = {session.get_inputs()[0].name: np.full(_SIZE, 0.5, np.float32)}
    answers = [each.name for each in session.get_outputs()[:ANSWERS]]

    def run() -> None:
        session.run(answers, inputs)

    return run


def _crops() -> Mapping[str, Callable[[], object]]:
    """The network for dice on each of `_CROPS`, run in both ways."""
    model, also = load_manifest()["dice"], LAYERS["die"].names
    ways = {"one run": Network(model, also), "shared out": Network(model, also, one_core=True)}
    random = np.random.default_rng(1)
    crops = {count: list(random.integers(0, 256, (count, SIDE, SIDE, 3), np.uint8)) for count in _CROPS}
    return {f"{count}, {name}": partial(outputs_of, ways[name], crops[count]) for count in _CROPS for name in ways}


def _in_turn(ways: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, list[tuple[float, float]]]:
    """Wall and CPU seconds of each round of each way, after a warm-up round."""
    took: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    for _ in range(rounds + 1):
        for name, run in ways.items():
            clock, processor = time.perf_counter(), time.process_time()
            run()
            took[name].append((time.perf_counter() - clock, time.process_time() - processor))
    return {name: rows[1:] for name, rows in took.items()}


def _told(rows: list[tuple[float, float]]) -> dict[str, float]:
    clock, processor = (round(1000 * statistics.median(times), 1) for times in zip(*rows, strict=True))
    return {"ms": clock, "processor_ms": processor}


def _show(told: dict[str, Any]) -> None:
    table = Table("", "ms", "CPU ms", title=f"{told['cores']} cores; a reader has {told['usual']} threads")
    for part in ("reading", "detector", "crops"):
        for name, row in told[part].items():
            table.add_row(f"{part}, {name}", str(row["ms"]), str(row["processor_ms"]))
    Console().print(table)


if __name__ == "__main__":
    main()
