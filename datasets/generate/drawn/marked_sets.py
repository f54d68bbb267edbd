"""Sets of dice and of tiles with any marks: letters, signs, pips with an emblem, numerals; several crops of each side.

    python -m datasets.generate.drawn.marked_sets --backgrounds PHOTOS/backgrounds --seed 1 --files 40 --out runs/marked

They train the embedding of taught sides (`datasets.train.marks`). The files alternate between dice, with six
sides, and tiles, with the ends 0 to 6. Each has `SETS` sets and `VIEWS` crops of each side. The label of a crop is the number
of its side within the file, so consecutive labels, as many as a piece has sides, form a set; its source is the piece.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
from rich.progress import track

from datasets.generate.camera.crops import photographed
from datasets.generate.drawn import dice, tiles
from datasets.generate.drawn.dice_scenes import Standing, die_scene, pip_die
from datasets.generate.drawn.marked_faces import any_sign, letters, numerals, signs
from datasets.generate.parts.canvas import Bytes, Floats, Rng
from datasets.generate.parts.colours import any_colour
from datasets.generate.parts.lettering import fonts
from datasets.generate.parts.pips import any_pips
from datasets.generate.parts.solids import bag, lying, numbering
from datasets.generate.parts.tile_faces import Style, tile_style
from datasets.labels import crop_files
from datasets.labels.crop_files import StoredCrop
from datasets.labels.photos import backgrounds

MarkedPiece = Literal["die", "tile"]
SIDES: Mapping[MarkedPiece, int] = {"die": 6, "tile": 7}
"""Sides of a die; ends of tiles, 0 to 6."""
SETS, VIEWS = 36, 6
"""Sets per file, and crops per side."""
_KINDS = {"signs": 0.55, "pips": 0.2, "letters": 0.15, "numerals": 0.1}
"""Probabilities of the kinds of marks in a set."""
_TURNS = {(0, 0): 0.4, (0, 2): 0.4, (1, 3): 0.2}
"""Quarter turns of the marks on both ends of a tile, with the bar at the bottom, and their probabilities: same relative to the
bar, same along the tile, sideways."""
_FEWEST = 26.0
"""Least pixels across a coarsened crop of a die."""


class MarkedSet(Protocol):
    """One maker's dice or tiles."""

    def crop(self, rng: Rng, side: int) -> Bytes:
        """A crop of side 0 or higher, on any table, in any light, a square cut as in the product (side x side x 3, RGB)."""


@dataclass(frozen=True)
class DiceSet:
    """Dice: the mark of each side, its ink (None: that of the material), and their material."""

    faces: Sequence[Bytes]
    inks: Sequence[Floats | None]
    standing: Standing

    def crop(self, rng: Rng, side: int) -> Bytes:
        """A crop with the side on top (`DRAWN` x `DRAWN` x 3)."""
        body, top = lying(rng, bag(SIDES["die"]), 0.02)
        die = replace(self.standing.die, body=body, values=numbering(rng, body, top, side + 1))

        def marks(value: int) -> tuple[Bytes, Floats | None]:
            return self.faces[value - 1], self.inks[value - 1]

        return photographed(rng, die_scene(rng, Standing(die, marks, side + 1, cube=True))[0], _FEWEST)


@dataclass(frozen=True)
class TileSet:
    """Tiles up to the double six: their style, and the quarter turns of the marks on each of the two ends."""

    style: Style
    turns: tuple[int, int]

    def crop(self, rng: Rng, side: int) -> Bytes:
        """A crop of the end with that value, its bar at the bottom (`vision.classify.tiles.SIDE` squared x 3)."""
        quarters = self.turns[int(rng.integers(2))]
        turned = {value: np.rot90(emblem, quarters) for value, emblem in self.style.emblems.items()}
        return tiles.draw_end(rng, replace(self.style, emblems=turned), side)


def any_dice(rng: Rng) -> DiceSet:
    """A random set of dice with different sides."""
    sides = range(1, SIDES["die"] + 1)
    emblems = dict(zip(sides, _faces(rng, len(sides)), strict=True))
    style = replace(any_pips(rng), emblems=_shown(emblems), frame=0.0, worn=0.0)
    coloured = rng.random() < 0.12
    inks = [any_colour(rng) if coloured else None for _ in sides]
    return DiceSet([style.mask(side) for side in sides], inks, pip_die(rng, 1))


def any_tiles(rng: Rng) -> TileSet:
    """A random set of tiles with different ends."""
    emblems = dict(enumerate(_faces(rng, SIDES["tile"])))
    turns = list(_TURNS)[int(rng.choice(len(_TURNS), p=list(_TURNS.values())))]
    return TileSet(replace(tile_style(rng, SIDES["tile"] - 1), emblems=_shown(emblems)), turns)


def _shown(emblems: Mapping[int, Bytes | None]) -> dict[int, Bytes]:
    return {side: emblem for side, emblem in emblems.items() if emblem is not None}


def _faces(rng: Rng, count: int) -> list[Bytes | None]:
    """The marks of `count` sides; None: pips."""
    kind = str(rng.choice(list(_KINDS), p=list(_KINDS.values())))
    if kind != "pips":
        return [*_FACES[kind](rng, count)]
    own = rng.permutation(count)[: int(rng.choice([1, 1, 1, 2, 3]))].tolist()
    return [any_sign(rng) if side in own else None for side in range(count)]


_FACES = {"signs": signs, "letters": letters, "numerals": numerals}
_SETS: Mapping[MarkedPiece, Callable[[Rng], MarkedSet]] = {"die": any_dice, "tile": any_tiles}


@dataclass(frozen=True)
class Part:
    """File k of a seed, in a folder."""

    out: Path
    seed: int
    k: int

    @property
    def file(self) -> Path:
        """Where its crops are written."""
        return self.out / f"{self.seed}-{self.k:05d}.npz"

    def write(self) -> None:
        """Draw its sets; deterministic for the same typefaces and photos."""
        piece: MarkedPiece = "tile" if self.k % 2 else "die"
        crops: list[StoredCrop] = []
        for of in range(SETS):
            rng = np.random.default_rng((self.seed, self.k, of))
            chosen = _SETS[piece](rng)
            for side in range(SIDES[piece]):
                label = of * SIDES[piece] + side
                crops += [StoredCrop.of(chosen.crop(rng, side), label, piece) for _ in range(VIEWS)]
        crop_files.write(self.file, crops)


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw the files that are missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, required=True, help=f"number of files, with {SETS} sets each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--backgrounds", type=Path, help="photos without dice to draw on (default: drawn tables)")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    todo = [part for k in range(options.files) if not (part := Part(options.out, options.seed, k)).file.exists()]
    photos = backgrounds(options.backgrounds) if options.backgrounds else []
    given = (fonts.typefaces(), photos)
    with ProcessPoolExecutor(options.processes, get_context("spawn"), dice.begin, given) as pool:
        for _ in track(pool.map(Part.write, todo), "drawing sets", len(todo)):
            pass


if __name__ == "__main__":
    main()
