"""`python -m datasets.evaluate.probe --renders runs/renders --none ../shared/photos/negatives …` looks where `evaluate` does not.

Prints, for the held-out renders, how many pieces of each kind and size are found and read right; and for each
folder given with `--none`, whose photos hold no pip die and no twelve-sided one, in how many of them dice are read, and how
many of those without a doubt. Of a folder named `negatives` only the held-out photos count.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from datasets.evaluate.matching import by_family, pieces_of, same
from datasets.labels import truth
from datasets.labels.photos import held_out
from vision.detect.boxes import KINDS, Kind
from vision.photo import load
from vision.reader import TableReader
from vision.reading import Quad, Reading

SHARES = (0.03, 0.05, 0.1, 0.2, 0.4, math.inf)
"""Upper bounds of a piece's longer side over the picture's width."""


@dataclass
class Tally:
    """Pieces of one kind and size: the number in all, found, with a readable face, and read right."""

    pieces: int = 0
    found: int = 0
    readable: int = 0
    right: int = 0


def by_size(pairs: Iterable[tuple[truth.Truth, Reading]]) -> dict[tuple[Kind, float], Tally]:
    """Tallies by kind and by `SHARES`, from pictures whose pieces have outlines, and their readings."""
    tallies = {(kind, share): Tally() for kind in KINDS for share in SHARES}
    for picture, reading in pairs:
        pieces = [*picture.pieces, *picture.unclear]
        read = {id(piece): seen for piece, seen in by_family(pieces, pieces_of(reading))}
        for piece in pieces:
            tally = tallies[piece.kind, _bound(piece.outline, reading.width)]
            seen, readable = read.get(id(piece)), not any(piece is other for other in picture.unclear)
            tally.pieces += 1
            tally.found += seen is not None
            tally.readable += readable
            tally.right += readable and seen is not None and same(piece, seen)
    return tallies


def _bound(outline: Quad | None, width: int) -> float:
    if outline is None:
        raise ValueError("a piece without an outline has no size")
    longer = max(math.dist(outline[0], outline[1]), math.dist(outline[1], outline[2]))
    return next(bound for bound in SHARES if longer / width <= bound)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--renders", type=Path)
    parser.add_argument("--none", type=Path, nargs="*", default=[])
    options = parser.parse_args()
    reader = TableReader()
    console = Console()
    if options.renders:
        console.print(_sizes(reader, options.renders))
    if options.none:
        console.print(_without_dice(reader, options.none))


def _sizes(reader: TableReader, renders: Path) -> Table:
    apart = [picture for picture in truth.load(renders) if held_out(picture.path.stem)]
    heads = ("kind", "longer side at most", "pieces", "found", "readable", "right")
    table = Table(*heads, title=f"{len(apart)} held-out renders")
    tallies = by_size((picture, reader.read(load(picture.path))) for picture in apart)
    for (kind, share), tally in tallies.items():
        if not tally.pieces:
            continue
        found = f"{tally.found} ({tally.found / max(1, tally.pieces):.0%})"
        right = f"{tally.right} ({tally.right / max(1, tally.readable):.0%})"
        bound = f"{share:.0%}" if share < math.inf else "any"
        table.add_row(kind, bound, str(tally.pieces), found, str(tally.readable), right)
    return table


def _without_dice(reader: TableReader, folders: Sequence[Path]) -> Table:
    heads = ("folder", "photos", "with dice read", "of these without a doubt", "dice", "tiles")
    table = Table(*heads, title="photos without a pip die or a twelve-sided one")
    for folder in folders:
        paths = [path for path in sorted(folder.glob("*.jpg")) if folder.name != "negatives" or held_out(path.name)]
        readings = [reader.read(load(path)) for path in paths]
        read = [reading for reading in readings if reading.dice]
        sure = sum(reading.sure for reading in read)
        pieces = (sum(len(reading.dice) for reading in read), sum(len(reading.tiles) for reading in readings))
        table.add_row(folder.name, *map(str, (len(paths), len(read), sure, *pieces)))
    return table


if __name__ == "__main__":
    main()
