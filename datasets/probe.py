"""`python -m datasets.probe --renders runs/renders --none ../shared/photos/domino-dev/board …` looks where `evaluate` does not.

Prints, for the renders held apart from training, how many dice of each size are found and read right; and for each folder
given with `--none`, whose photos hold no pip die, how many are read as holding some, and how many of those without a doubt.
Of a folder named `negatives` only the photos held apart from training count.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from datasets import photos as labelled
from datasets.crops import overlap
from vision.locate import Find
from vision.photo import load
from vision.reader import TableReader
from vision.reading import Die, Reading

SHARES = (0.03, 0.05, 0.1, 0.2, 0.4, 1.0)
"""Upper bounds of a die's width over the picture's."""
_SAME = 0.45


@dataclass
class Tally:
    """Dice of one size: how many there are, are found, have a readable face, and are read right."""

    dice: int = 0
    found: int = 0
    readable: int = 0
    right: int = 0


def by_size(pairs: Iterable[tuple[labelled.Labelled, Reading]]) -> dict[float, Tally]:
    """The tallies by `SHARES`, over pictures and what was read on them."""
    tallies = {share: Tally() for share in SHARES}
    for picture, reading in pairs:
        for box in picture.dice:
            share = min(1.0, (box.right - box.left) / reading.width)
            _count(tallies[next(bound for bound in SHARES if share <= bound)], box, reading.dice)
    return tallies


def _count(tally: Tally, box: labelled.Box, dice: Sequence[Die]) -> None:
    values = [die.value for die in dice if overlap(Find(*die.box[0], *die.box[2], 1.0), box) > _SAME]
    tally.dice += 1
    tally.found += bool(values)
    tally.readable += box.value is not None
    tally.right += box.value in values


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
    apart = [picture for picture in labelled.load(None, renders) if picture.held_out]
    table = Table("width up to", "dice", "found", "readable", "right", title=f"{len(apart)} renders held apart")
    for share, tally in by_size((picture, reader.read(load(picture.path))) for picture in apart).items():
        found = f"{tally.found} ({tally.found / max(1, tally.dice):.0%})"
        right = f"{tally.right} ({tally.right / max(1, tally.readable):.0%})"
        table.add_row(f"{share:.0%}", str(tally.dice), found, str(tally.readable), right)
    return table


def _without_dice(reader: TableReader, folders: Sequence[Path]) -> Table:
    table = Table(
        "folder", "photos", "with dice read", "of these without a doubt", "dice", title="photos without a pip die"
    )
    for folder in folders:
        paths = [
            path for path in sorted(folder.glob("*.jpg")) if folder.name != "negatives" or labelled.held_out(path.name)
        ]
        read = [reading for reading in (reader.read(load(path)) for path in paths) if reading.dice]
        sure = sum(reading.sure for reading in read)
        table.add_row(folder.name, str(len(paths)), str(len(read)), str(sure), str(sum(len(r.dice) for r in read)))
    return table


if __name__ == "__main__":
    main()
