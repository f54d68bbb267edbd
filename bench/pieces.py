"""`python bench/pieces.py` reads pictures of 1, 6 and 30 dice, 12 tiles and 5 twelve-sided dice, and 6 dice at three sizes.

    muggins        file to Reading, end to end
    limit          JPEG decode and one run of the detector, as in bench/read.py
    ultralytics    `YOLO(detector.pt).predict(file)`; `--pt` names the weights

Each picture shows copies of one piece, cut from a photo that ships with Muggins, or for twelve-sided dice from one of
`--photos`. The number of pieces read stands beside the time, for missed pieces cost nothing. Ways alternate; figures are medians.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench.read import Read, limit, muggins, ultralytics
from vision.photo import load
from vision.reader import TableReader

ROOT = Path(__file__).parent.parent
OUT = Path(__file__).with_suffix(".json")
_THROW, _HAND, _SET = ROOT / "docs/sample-throw.jpg", ROOT / "docs/sample-hand.jpg", "d12-dev"
_SIDE = {"d6": 0.08, "domino": 0.12, "d12": 0.09}
"""The longer side of a piece, over the longer side of the picture."""
_MARGIN = 0.25
"""Margin of the table around a cut-out piece, over the piece's longer side."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture to read: its kind and number of pieces, and its megapixels."""

    kind: str
    count: int
    megapixels: int

    @property
    def name(self) -> str:
        """Its name in a table."""
        noun = {"d6": "dice", "d12": "d12", "domino": "tiles"}[self.kind]
        return f"{self.count} {'die' if self.count == 1 else noun}, {self.megapixels} MP"


PICTURES = (
    *(Picture("d6", count, 1) for count in (1, 6, 30)),
    *(Picture("d6", 6, megapixels) for megapixels in (12, 40)),
    Picture("domino", 12, 1),
    Picture("d12", 5, 1),
)


def main() -> None:
    """Measure, print and write."""
    options = _options()
    ways: dict[str, Read] = {"muggins": muggins(), "limit": limit()}
    if options.pt:
        ways["ultralytics"] = ultralytics(options.pt)
    with tempfile.TemporaryDirectory() as folder:
        told = {each.name: _measured(path, ways, options.rounds) for each, path in _drawn(Path(folder), options.photos)}
    options.out.write_text(json.dumps({"pictures": told}, indent=1) + "\n")
    _show(told)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, help="the folder of the shared photos; needed for twelve-sided dice")
    parser.add_argument("--pt", type=Path, help="the detector's torch weights, for ultralytics")
    parser.add_argument("--rounds", type=int, default=15, help="number of readings per picture and way")
    parser.add_argument("--out", type=Path, default=OUT, help="file for the figures (default: bench/pieces.json)")
    return parser.parse_args()


# The pictures


def _drawn(folder: Path, photos: Path | None) -> Iterator[tuple[Picture, Path]]:
    """Every picture for which there is a piece, as a JPEG."""
    reader = TableReader()
    sources = {"d6": [_THROW], "domino": [_HAND], "d12": sorted((photos / _SET).rglob("sets_*.jpg")) if photos else []}
    pieces = {kind: _piece(reader, kind, paths) for kind, paths in sources.items()}
    for each in PICTURES:
        if (piece := pieces[each.kind]) is not None:
            path = folder / f"{each.name}.jpg"
            _laid(piece, each).save(path, quality=90)
            yield each, path


def _piece(reader: TableReader, kind: str, photos: list[Path]) -> Image.Image | None:
    """The first piece of the kind in any of the photos that is read without a doubt, with the table around it."""
    for path in photos:
        reading = reader.read(photo := load(path))
        doubted = {doubt.piece for doubt in reading.doubts}
        pieces = [die.box for i, die in enumerate(reading.dice) if die.kind == kind and i not in doubted]
        pieces += [tile.box for tile in reading.tiles] if kind == "domino" else []
        if pieces:
            across, down = zip(*pieces[0], strict=True)
            more = _MARGIN * max(max(across) - min(across), max(down) - min(down))
            edges = min(across) - more, min(down) - more, max(across) + more, max(down) + more
            return Image.fromarray(photo.full()).crop(edges)
    return None


def _laid(piece: Image.Image, picture: Picture) -> Image.Image:
    """Copies of the piece in rows, on a table in the colour of its corner, 4:3."""
    width, height = (round((picture.megapixels * 1e6 * ratio) ** 0.5) for ratio in (4 / 3, 3 / 4))
    side = round(_SIDE[picture.kind] * (1 + 2 * _MARGIN) * width)
    tile = piece.resize((round(side * piece.width / max(piece.size)), round(side * piece.height / max(piece.size))))
    laid = Image.new("RGB", (width, height), tile.getpixel((2, 2)))
    across = width // side
    for at in range(picture.count):
        laid.paste(tile, (at % across * side, side // 2 + at // across * round(1.2 * side)))
    return laid


# Measurements


def _measured(path: Path, ways: dict[str, Read], rounds: int) -> dict[str, Any]:
    """Milliseconds of each way, and the number of pieces that Muggins reads."""
    took: dict[str, list[float]] = {name: [] for name in ways}
    for read in ways.values():
        read(path)
    for _ in range(rounds):
        for name, read in ways.items():
            start = time.perf_counter()
            read(path)
            took[name].append(1000 * (time.perf_counter() - start))
    reading = TableReader().read(load(path))
    return {
        "read": len(reading.dice) + len(reading.tiles),
        "ms": {name: round(statistics.median(times), 1) for name, times in took.items()},
    }


def _show(told: dict[str, Any]) -> None:
    ways = [*next(iter(told.values()))["ms"]]
    table = Table("picture", "read", *(f"{way}, ms" for way in ways), "times the limit")
    for name, row in told.items():
        times = f"{row['ms']['muggins'] / row['ms']['limit']:.2f}"
        table.add_row(name, str(row["read"]), *(str(row["ms"][way]) for way in ways), times)
    Console().print(table)


if __name__ == "__main__":
    main()
