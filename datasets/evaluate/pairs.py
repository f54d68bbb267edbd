"""`python -m datasets.evaluate.pairs PHOTOS`

How many real dominoes are doubted as pairs of dice, and how many real pairs of dice are: by their ends, each classified as a die;
by the whole (`vision.classify.pairs`); and by both, as the product decides. No network learned from these photos.

Dominoes: those that the product counts in `domino-dev`, before its closer look. Pairs of dice: dice that it reads in
`dice-dev` and `dice-dev-2` and that nearly touch, and dice of those photos pasted together
(`datasets.train.pair_crops`), each outlined as a domino would be.
"""

from __future__ import annotations

import argparse
import functools
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from datasets.evaluate.sets import find
from datasets.train.pair_crops import side_by_side
from models import Manifest, load_manifest
from vision.candidate import dice_likeness_of
from vision.classify.dice import ONLY_D6, DiceReader, Face
from vision.classify.marks import MarkReader
from vision.classify.outlines import OutlineReader
from vision.classify.pairs import PairReader
from vision.classify.sharpest import sharpest
from vision.classify.tiles import TileReader
from vision.detect.boxes import Detection
from vision.doubts import MAYBE_DICE
from vision.flush_dice import PASSES, end_boxes
from vision.photo import Photo, Pixels, load
from vision.reader import TableReader

DOMINOES, DICE = ("domino-dev",), ("dice-dev", "dice-dev-2")
_SURE = 0.8
"""Confidence from which a die's reading gives its position."""

Shown = tuple[Pixels, Detection]
"""A picture, and the box of an apparent domino in it."""


@dataclass(frozen=True, slots=True)
class Passes:
    """The probability of two dice, 0..1: by the ends as the first classifier sees them, by the whole, and by both."""

    ends: float
    whole: float
    both: float


class Judges:
    """The networks involved."""

    def __init__(self, manifest: Manifest) -> None:
        marks = MarkReader(manifest["marks"])
        self._dice, self._tiles = DiceReader(manifest, marks), TileReader(manifest["ends"], marks)
        self._pairs = PairReader(manifest["pairs"])

    def passes(self, picture: Pixels, tile: Detection) -> Passes:
        """The probabilities that a tile is two dice."""
        (whole,) = self._pairs.look([(picture, tile)])
        ends = self._ends(picture, tile, flush=False)
        asked = self._ends(picture, tile, flush=True) if whole.dice >= PASSES else ends
        (face,) = self._tiles.read([(picture, tile)])
        blank = face.first[0], face.second[0]
        return Passes(dice_likeness_of(ends, None, blank), whole.dice, dice_likeness_of(asked, whole, blank))

    def _ends(self, picture: Pixels, tile: Detection, *, flush: bool) -> tuple[Face, Face]:
        crops = [(picture, end) for end in end_boxes(tile)]
        faces = self._dice.read(crops, ONLY_D6, second=flush, flush=[flush] * len(crops))
        return faces[0], faces[1]


def main() -> None:
    """Read, count and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=Path)
    parser.add_argument("--every", type=int, default=4, metavar="N", help="read only every Nth crop of single dominoes")
    options = parser.parse_args()
    manifest = load_manifest()
    reader, outlines, judges = TableReader(manifest), OutlineReader(manifest["outlines"]), Judges(manifest)
    found = defaultdict[str, list[Passes]](list)
    truths = [truth for each in find(options.photos, None, (*DOMINOES, *DICE), options.every) for truth in each.truths]
    for truth in track([truth for truth in truths if not truth.same_camera_as_train], "reading"):
        photo = load(truth.path)
        if truth.tiles:
            found[f"dominoes, {truth.part}"] += [judges.passes(*each) for each in dominoes(photo, reader)]
        for name, shown in pairs(photo, reader, outlines) if not truth.tiles else ():
            found[f"dice that {name}"].append(judges.passes(*shown))
    Console(width=120).print(table_of(found))


def dominoes(photo: Photo, reader: TableReader) -> Iterator[Shown]:
    """The dominoes that the product counts in a photo."""
    full = functools.cache(photo.full)
    for tile in reader.reading(photo, reader.candidates(photo)).tiles:
        corners = [(x / photo.scale, y / photo.scale) for x, y in tile.box]
        xs, ys = zip(*corners, strict=True)
        quad = (corners[0], corners[1], corners[2], corners[3])
        yield sharpest(photo, Detection(min(xs), min(ys), max(xs), max(ys), 1.0, "tile", quad), full)


def pairs(photo: Photo, reader: TableReader, outlines: OutlineReader) -> Iterator[tuple[str, Shown]]:
    """Pairs of dice of a photo that nearly touch, and pairs pasted together, with the name of the kind of pair."""
    dice = [
        Detection(each.detection.left, each.detection.top, each.detection.right, each.detection.bottom, 1.0)
        for each in reader.candidates(photo)
        if each.kind == "d6" and each.is_piece and each.confidence > _SURE
    ]
    rng = np.random.default_rng(zlib.crc32(photo.name.encode()))
    shown = list(side_by_side(photo.pixels, dice, rng))
    refined = outlines.refined([(tile, picture, tile) for _, picture, tile in shown])
    for (name, picture, _), tile in zip(shown, refined, strict=True):
        yield name, (picture, tile)


def table_of(found: Mapping[str, Sequence[Passes]]) -> Table:
    """How many of each kind are doubted, or taken for dice."""
    table = Table("", "number", "doubted by its ends", "by the whole", "by both", "likelier dice, by both")
    for name, each in found.items():
        table.add_row(
            name,
            str(len(each)),
            _share((one.ends for one in each), MAYBE_DICE),
            _share((one.whole for one in each), MAYBE_DICE),
            _share((one.both for one in each), MAYBE_DICE),
            _share((one.both for one in each), PASSES),
        )
    return table


def _share(chances: Iterable[float], least: float) -> str:
    return f"{np.mean([chance > least for chance in chances]):.1%}"


if __name__ == "__main__":
    main()
