"""`python bench/tiles.py ../shared/photos/domino-dev` reads the same photos of dominoes in two ways in one run, side by side.

    muggins   file to Reading, end to end
    blobs     threshold, contours and blobs in OpenCV (bench/blob.py), file to ends

For each part of the folder: photos with all tiles right and none extra, tiles right, and the precision, by counts
without positions, for the blob counter gives none; a die read there is wrong too. Times are
medians over photos, each photo read by both in turn, after a warm-up.

Then the cost of tiles: photos with 12 tiles (of the folder) and with 6 dice (of `--dice`, by default dice-dev beside it) are read
in turn, in their own size and enlarged to 12 megapixels. The target for the ratio of the medians is below 2. The number of
pieces read stands beside it, for missed pieces cost nothing.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench import blob
from datasets.evaluate.matching import compare, pieces_of
from datasets.evaluate.measuring import interval
from datasets.labels.truth import DOWN, Face, Truth, load
from vision import photo
from vision.reader import TableReader
from vision.reading import Reading

Read = Callable[[Path], Sequence[Face]]
"""A photo's faces: two ends of a tile, the lower first; one value of a die."""
OUT = Path(__file__).with_suffix(".json")
TILES, DICE = 12, 6
LARGE = 12e6
"""Pixels of an enlarged photo."""
_EACH = 6
"""The most photos of either kind for measuring the cost."""


@dataclass
class Tally:
    """The results of one way on some photos."""

    photos: int = 0
    exact: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    def add(self, truth: Truth, read: Sequence[Face], seconds: float) -> None:
        """Count one photo."""
        found = compare([piece.face for piece in truth.tiles], truth.ambiguous, read)
        self.photos += 1
        self.exact += found.pop("exact")
        self.counts.update(found)
        self.seconds.append(seconds)

    def to_json(self) -> dict[str, Any]:
        """The figures of this way."""
        right, wrong = self.counts["right"], self.counts["extra"] + self.counts["misread"]
        tiles = right + self.counts["missed"] + self.counts["misread"]
        return {
            "exact": self.exact,
            "exact_share": round(self.exact / max(1, self.photos), 4),
            "exact_wilson_95": interval(self.exact, self.photos),
            "tiles_right": right,
            "tiles_right_share": round(right / max(1, tiles), 4),
            "precision": round(right / max(1, right + wrong), 4),
            "median_ms": round(1000 * statistics.median(self.seconds), 1),
        }


def main() -> None:
    """Measure, print, write."""
    options = _options()
    reader = TableReader()
    truths = load(options.folder)
    dice = load(options.dice or options.folder.resolve().parent / "dice-dev")
    report = {
        "parts": _side_by_side(truths[:: options.every], {"muggins": _muggins(reader), "blobs": _blobs}),
        "cost": _cost(reader, _with(TILES, truths, "tiles"), _with(DICE, dice, "dice"), options.rounds),
    }
    _show(report)
    options.out.write_text(json.dumps(report, indent=1) + "\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--dice", type=Path, help="the folder with photos of six dice (default: dice-dev beside it)")
    parser.add_argument("--every", type=int, default=1, help="compare only on every Nth photo")
    parser.add_argument("--rounds", type=int, default=9, help="number of readings per photo for the cost")
    parser.add_argument("--out", type=Path, default=OUT, help="file for the figures (default: bench/tiles.json)")
    return parser.parse_args()


# Side by side


def _muggins(reader: TableReader) -> Read:
    return lambda path: faces(reader.read(photo.load(path)))


def faces(reading: Reading) -> list[Face]:
    """The faces that Muggins reads, without tiles face down, which the ground truth does not count either."""
    return [seen.face for seen in pieces_of(reading) if seen.face != DOWN]


def _blobs(path: Path) -> Sequence[Face]:
    with Image.open(path) as image:
        return blob.read_tiles(np.asarray(image.convert("RGB")))


def _side_by_side(truths: Sequence[Truth], ways: dict[str, Read]) -> dict[str, Any]:
    for read in ways.values():
        read(truths[0].path)
    tallies = {part: {name: Tally() for name in ways} for part in dict.fromkeys(truth.part for truth in truths)}
    for truth in _shown(truths, "photos"):
        for name, read in ways.items():
            start = time.perf_counter()
            found = read(truth.path)
            tallies[truth.part][name].add(truth, found, time.perf_counter() - start)
    return {part: _part(part, truths, by_way) for part, by_way in tallies.items()}


def _part(part: str, truths: Sequence[Truth], by_way: dict[str, Tally]) -> dict[str, Any]:
    inside = [truth for truth in truths if truth.part == part]
    return {
        "photos": len(inside),
        "tiles": sum(len(truth.tiles) for truth in inside),
        "ways": {name: tally.to_json() for name, tally in by_way.items()},
    }


# The cost of tiles


def _with(count: int, truths: Sequence[Truth], what: str) -> list[Path]:
    """Photos with `count` pieces, spread over all that have them."""
    found = [truth.path for truth in truths if len(getattr(truth, what)) == len(truth.pieces) == count]
    if not found:
        raise SystemExit(f"no photo with {count} {what} to measure the cost on")
    return found[:: -(-len(found) // _EACH)]


def _cost(reader: TableReader, tiles: Sequence[Path], dice: Sequence[Path], rounds: int) -> dict[str, Any]:
    kinds = {f"{TILES} tiles": tiles, f"{DICE} dice": dice}
    with tempfile.TemporaryDirectory() as folder:
        large = {name: [_enlarged(path, Path(folder)) for path in paths] for name, paths in kinds.items()}
        return {"as they are": _timed(reader, kinds, rounds), "12 megapixels": _timed(reader, large, rounds)}


def _enlarged(path: Path, folder: Path) -> Path:
    with Image.open(path) as image:
        scale = (LARGE / (image.width * image.height)) ** 0.5
        size = round(image.width * scale), round(image.height * scale)
        target = folder / f"{len(list(folder.iterdir()))}.jpg"
        image.convert("RGB").resize(size, Image.Resampling.LANCZOS).save(target, quality=90)
    return target


def _timed(reader: TableReader, kinds: Mapping[str, Sequence[Path]], rounds: int) -> dict[str, Any]:
    seconds: dict[str, list[float]] = {name: [] for name in kinds}
    pieces: dict[str, list[int]] = {name: [] for name in kinds}
    for paths in kinds.values():
        reader.read(photo.load(paths[0]))
    for _ in _shown(range(rounds), "cost"):
        for i in range(max(map(len, kinds.values()))):
            for name, paths in kinds.items():
                start = time.perf_counter()
                reading = reader.read(photo.load(paths[i % len(paths)]))
                seconds[name].append(time.perf_counter() - start)
                pieces[name].append(len(reading.dice) + len(reading.tiles))
    rows = {
        name: {
            "photos": len(kinds[name]),
            "pieces_read": round(statistics.mean(pieces[name]), 1),
            "median_ms": round(1000 * statistics.median(seconds[name]), 1),
        }
        for name in kinds
    }
    tiles, dice = (statistics.median(each) for each in seconds.values())
    return {**rows, "ratio": round(tiles / dice, 2)}


def _shown(items: Iterable[Any], what: str) -> Iterable[Any]:
    return track(list(items), what, console=Console(stderr=True), disable=not sys.stderr.isatty())


# Printed


def _show(report: dict[str, Any]) -> None:
    console = Console(width=120, highlight=False)
    table = Table("part", "way", "photos exact", "Wilson 95 %", "tiles right", "precision", "ms a photo")
    for part, figures in report["parts"].items():
        for name, way in figures["ways"].items():
            exact = f"{way['exact']} of {figures['photos']} ({way['exact_share']:.1%})"
            right = f"{way['tiles_right']} of {figures['tiles']} ({way['tiles_right_share']:.1%})"
            between = "{:.1%} to {:.1%}".format(*way["exact_wilson_95"])
            table.add_row(part, name, exact, between, right, f"{way['precision']:.1%}", str(way["median_ms"]))
    console.print(table)
    costs = Table("photos", f"{TILES} tiles, ms (read)", f"{DICE} dice, ms (read)", "ratio", title="cost of tiles")
    for size, cost in report["cost"].items():
        cells = [f"{row['median_ms']} ({row['pieces_read']})" for row in cost.values() if isinstance(row, dict)]
        costs.add_row(size, *cells, f"{cost['ratio']:.2f}")
    console.print(costs)


if __name__ == "__main__":
    main()
