"""`python bench/steps.py ../shared/photos` reads photos with one step of reading left out, or done in full, at a time.

The cost of each step (milliseconds per photo, the median; every photo is read in all ways in turn, after a warm-up) and its
gain (photos exactly right, wrong without a doubt, right pieces doubted), on every Nth photo of the evaluation sets.
"decode and detector" is the limit, the one of `bench/read.py`.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench.read import limit as bare_limit
from datasets.evaluate import sets
from datasets.evaluate.measuring import Result, result_of
from datasets.labels.truth import Truth
from vision.photo import load
from vision.reader import TableReader

OUT = Path(__file__).with_suffix(".json")
SETS = ("dice-dev", "dice-dev-2", "domino-dev/board", "domino-dev/mixed", "d12-dev")
_ONE = ((1.0, 0.0),)
WAYS: dict[str, dict[str, Any]] = {
    "as it is": {},
    "every picture looked at twice": {"vision.detect.detector.plain": lambda *_: False},
    "every picture looked at once": {"vision.detect.detector.plain": lambda *_: True},
    "no look for dice that hardly show": {"vision.closer.look_for_faint": lambda *_: False},
    "no nearer look at small pieces": {"vision.detect.detector.closer_crop": lambda *_: None},
    "dice in one view, not two": {"vision.classify.dice.VIEWS": _ONE},
    "numerals in one view, not three": {"vision.classify.numerals.VIEWS": _ONE},
    "a second opinion in one view and its mirror, not three": {"vision.classify.dice.SECOND_VIEWS": _ONE},
    "tiles as the detector outlines them": {
        "vision.classify.outlines.OutlineReader.refined": lambda _self, tiles: [tile for tile, _, _ in tiles]
    },
    "ends of tiles in one view, not four": {
        "vision.classify.tiles.VIEWS": ((1.0, False),),
        "vision.classify.tiles.RECTANGLE_VIEWS": (),
    },
    "tiles not asked whether they are dice": {
        "vision.reader.TableReader._with_ends_as_dice": lambda _self, _photo, tiles, _full: tiles
    },
}
"""The change, and the replacement for each name that it patches."""

Read = Callable[[Truth], Result | None]


@contextmanager
def changed(names: dict[str, Any]) -> Iterator[None]:
    """Temporarily patch some names of the product."""
    with ExitStack() as stack:
        for name, value in names.items():
            stack.enter_context(patch(name, value))
        yield


def way(names: dict[str, Any]) -> Read:
    """A reader with some names patched."""
    with changed(names):
        reader = TableReader()

    def read(truth: Truth) -> Result:
        with changed(names):
            reading = reader.read(load(truth.path))
        return result_of(truth, reading)

    return read


def limit() -> Read:
    """Decode, and run the bare detector once."""
    bare = bare_limit()

    def read(truth: Truth) -> None:
        bare(truth.path)

    return read


def main() -> None:
    """Read all photos in all ways; print and write."""
    options = _options()
    truths = [truth for each in sets.find(options.photos, only=SETS) for truth in each.truths][:: options.every]
    ways: dict[str, Read] = {"decode and detector": limit()} | {name: way(names) for name, names in WAYS.items()}
    for read in ways.values():
        read(truths[0])
    spent: dict[str, list[float]] = {name: [] for name in ways}
    results: dict[str, list[Result]] = {name: [] for name in ways}
    for truth in track(truths, "reading"):
        for name, read in ways.items():
            begun = time.perf_counter()
            result = read(truth)
            spent[name].append(1000 * (time.perf_counter() - begun))
            results[name] += [result] if result else []
    found = {name: figures(spent[name], results[name]) for name in ways}
    OUT.write_text(json.dumps({"photos": len(truths), "every": options.every, "ways": found}, indent=1) + "\n")
    _show(found, len(truths))


def figures(spent: Iterable[float], results: list[Result]) -> dict[str, float | int | None]:
    """The figures of one way, over all photos."""
    judged = [pair for result in results for pair in result.judged]
    right = [flagged for correct, flagged in judged if correct]
    return {
        "median_ms": round(statistics.median(spent), 1),
        "exact": sum(result.exact for result in results) if results else None,
        "silent": sum(result.silent for result in results) if results else None,
        "right_doubted": round(sum(right) / len(right), 4) if right else None,
    }


def _show(found: dict[str, dict[str, float | int | None]], photos: int) -> None:
    table = Table("", "ms a photo", f"exact, of {photos}", "silent errors", "right pieces doubted")
    for name, row in found.items():
        share = row["right_doubted"]
        table.add_row(
            name,
            str(row["median_ms"]),
            *("" if row[key] is None else str(row[key]) for key in ("exact", "silent")),
            "" if share is None else f"{share:.1%}",
        )
    Console().print(table)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=Path)
    parser.add_argument("--every", type=int, default=3, help="read only every Nth photo")
    return parser.parse_args()


if __name__ == "__main__":
    main()
