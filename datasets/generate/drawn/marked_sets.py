"""Sets of dice whose sides show anything: letters, signs, pips with an emblem, numerals; several views of each side.

    python -m datasets.generate.drawn.marked_sets --backgrounds PHOTOS/backgrounds --seed 1 --files 40 --out runs/marked

From these the network learns that tells taught sides apart (`datasets.train.marks`). Each file has `SETS` sets of six sides,
`VIEWS` crops of each; the label of a crop is the number of its side in the file, so that six in a row are one set. What emblems
`house_sets` draws are not among them, so that those measure what nobody was taught.
"""

from __future__ import annotations

import argparse
import string
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont
from rich.progress import track

from datasets.generate.camera.crops import photographed
from datasets.generate.drawn import dice
from datasets.generate.drawn.dice_scenes import Standing, die_scene, pip_die
from datasets.generate.parts.canvas import Bytes, Floats, Rng
from datasets.generate.parts.colours import any_colour
from datasets.generate.parts.lettering import fonts
from datasets.generate.parts.lettering.numerals import any_lettering, number
from datasets.generate.parts.pips import FACE, any_pips
from datasets.generate.parts.solids import bag, lying, numbering
from datasets.labels import crop_files
from datasets.labels.crop_files import StoredCrop
from datasets.labels.photos import backgrounds

SIDES, SETS, VIEWS = 6, 40, 6
"""Of a die; sets of a file; crops of a side."""
_KINDS = {"signs": 0.55, "pips": 0.2, "letters": 0.15, "numerals": 0.1}
"""How often the sides of a set show what."""
_SCRIPTS = (
    (0x0391, 0x03C9),  # Greek
    (0x0410, 0x044F),  # Cyrillic
    (0x05D0, 0x05EA),  # Hebrew
    (0x16A0, 0x16EA),  # runes
    (0x2190, 0x21FF),  # arrows
    (0x2200, 0x22FF),  # mathematics
    (0x25A0, 0x27BF),  # shapes, signs, ornaments
    (0x4E00, 0x4FFF),  # Chinese
)
"""First and last character of each."""
_SMALLEST_SIGN = 90
"""Inked pixels of a face: fewer show next to nothing."""
_ALIKE = 14.0
"""Mean difference of two faces, 0..255, below which they are the same sign to anybody."""
_FEWEST = 26.0
"""Pixels across a crop, where it is coarse."""
_PATIENCE = 200


def any_sign(rng: Rng) -> Bytes:
    """A character of any script in any typeface of this machine, as large as a face may show it (`FACE` x `FACE`, 0..255)."""
    files = fonts.typefaces()
    for _ in range(_PATIENCE):
        sign = _typed(str(files[rng.integers(len(files))]), _any_character(rng), int(FACE * rng.uniform(0.42, 0.8)))
        if sign is not None:
            return sign
    raise RuntimeError("no typeface of this machine has characters that can be drawn")


def _any_character(rng: Rng) -> str:
    if rng.random() < 0.35:
        return str(rng.choice(list(string.ascii_letters + "&@#$%?!*+=")))
    first, last = _SCRIPTS[int(rng.integers(len(_SCRIPTS)))]
    return chr(int(rng.integers(first, last + 1)))


def _typed(file: str, text: str, size: int) -> Bytes | None:
    """The character in the middle of a face, its longer side `size` pixels; None where the typeface has none."""
    try:
        font = _font(file)
        large = _drawn(font, text)
    except OSError:
        return None
    rows, columns = np.flatnonzero(large.max(1) > 60), np.flatnonzero(large.max(0) > 60)
    if not len(rows) or np.array_equal(large, _drawn(font, "\U000f1234")):
        return None
    part = large[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    face = _in_the_middle(part, size)
    return face if int((face > 90).sum()) > _SMALLEST_SIGN else None


def _in_the_middle(mask: Bytes, size: float) -> Bytes:
    """A face with the mask in its middle, its longer side `size` pixels."""
    scale = size / max(mask.shape)
    height, width = (max(2, round(n * scale)) for n in mask.shape)
    face = np.zeros((FACE, FACE), np.uint8)
    top, left = (FACE - height) // 2, (FACE - width) // 2
    face[top : top + height, left : left + width] = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)
    return face


@lru_cache(512)
def _font(file: str) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(file, 96)


def _drawn(font: ImageFont.FreeTypeFont, text: str) -> Bytes:
    picture = Image.new("L", (240, 240))
    ImageDraw.Draw(picture).text((60, 40), text, font=font, fill=255)
    return np.array(picture)


@dataclass(frozen=True)
class MarkedSet:
    """One maker's dice: what each side shows, its ink (None: that of the material), and what they are made of."""

    faces: dict[int, Bytes]
    inks: dict[int, Floats]
    standing: Standing

    def crop(self, rng: Rng, side: int) -> Bytes:
        """The side on top, on any table, in any light (`dice.SIDE` x `dice.SIDE` x 3)."""
        body, top = lying(rng, bag(SIDES), 0.02)
        die = replace(self.standing.die, body=body, values=numbering(rng, body, top, side))

        def marks(value: int) -> tuple[Bytes, Floats | None]:
            return self.faces[value], self.inks.get(value)

        return photographed(rng, die_scene(rng, Standing(die, marks, side, cube=True))[0], _FEWEST)


def any_set(rng: Rng) -> MarkedSet:
    """A set of dice whose sides differ."""
    kind = str(rng.choice(list(_KINDS), p=list(_KINDS.values())))
    faces = _FACES[kind](rng)
    inks = {side: any_colour(rng) for side in faces} if rng.random() < 0.12 else {}
    return MarkedSet(faces, inks, pip_die(rng, 1))


def _signs(rng: Rng) -> dict[int, Bytes]:
    """A sign of its own for each side."""
    found: list[Bytes] = []
    for _ in range(_PATIENCE):
        sign = any_sign(rng)
        if all(float(np.abs(sign.astype(float) - other).mean()) > _ALIKE for other in found):
            found.append(sign)
        if len(found) == SIDES:
            return dict(enumerate(found, 1))
    raise RuntimeError("the signs of this machine's typefaces all look alike")


def _pips(rng: Rng) -> dict[int, Bytes]:
    """Pips, with signs in place of some."""
    style = any_pips(rng)
    own = rng.permutation(SIDES)[: int(rng.choice([1, 1, 1, 2, 3]))] + 1
    emblems = {int(side): any_sign(rng) for side in own}
    style = replace(style, emblems=emblems, frame=0.0, worn=0.0)
    return {side: style.mask(side) for side in range(1, SIDES + 1)}


def _letters(rng: Rng) -> dict[int, Bytes]:
    """Six letters of one typeface."""
    files = fonts.typefaces()
    for _ in range(_PATIENCE):
        file, size = str(files[rng.integers(len(files))]), int(FACE * rng.uniform(0.45, 0.75))
        letters = rng.permutation(list(string.ascii_uppercase))[:SIDES]
        faces = [_typed(file, str(letter), size) for letter in letters]
        if all(face is not None for face in faces):
            return {side: face for side, face in enumerate(faces, 1) if face is not None}
    raise RuntimeError("no typeface of this machine has letters")


def _numerals(rng: Rng) -> dict[int, Bytes]:
    """1 to 6 in one lettering, upright on each face."""
    lettering, size = any_lettering(rng), FACE * rng.uniform(0.45, 0.75)
    return {side: _in_the_middle(number(side, lettering), size) for side in range(1, SIDES + 1)}


_FACES = {"signs": _signs, "pips": _pips, "letters": _letters, "numerals": _numerals}


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
        """Draw its sets; the same wherever and whenever, with the same typefaces and photos."""
        crops: list[StoredCrop] = []
        for of in range(SETS):
            rng = np.random.default_rng((self.seed, self.k, of))
            chosen = any_set(rng)
            for side in range(1, SIDES + 1):
                label = of * SIDES + side - 1
                crops += [StoredCrop.of(chosen.crop(rng, side), label) for _ in range(VIEWS)]
        crop_files.write(self.file, crops)


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw the files that are missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, required=True, help=f"of {SETS} sets, {SETS * SIDES * VIEWS} crops each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--backgrounds", type=Path, help="photos without dice, to draw on; without them tables are drawn"
    )
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
