"""Photos of wanted throws: the dice of the sample photo, laid on its table anew, so that the real reader reads them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageOps

SAMPLE = Path("docs/sample-throw.jpg")
SIZE = (1280, 960)
_SIDE = 290
"""Of the cut of one die, which is larger than the die in any turn."""
_TABLE = (1190, 0, 1600, 1200)
"""A part of the sample photo where nothing lies."""
_FACES = {
    1: ((950, 467), (1138, 486), (1115, 672), (923, 650)),
    2: ((547, 278), (694, 381), (605, 506), (466, 413)),
    3: ((960, 685), (1045, 819), (917, 914), (818, 774)),
    5: ((626, 496), (798, 555), (742, 722), (571, 672)),
    6: ((730, 314), (907, 277), (954, 459), (779, 507)),
}
"""Where each value lies in the sample photo: the corners of the die's top."""
_MIDDLE_OF_FIVE = (680, 608)


CELLS = 8
"""Places for dice: two rows of four."""


@dataclass(frozen=True)
class Lying:
    """A die on the table: what it shows, in which cell, and turned and shifted how far."""

    value: int
    cell: int
    turned: float
    left: int
    top: int


def cast(values: Iterable[int], rng: Random, cells: Iterable[int] = range(CELLS)) -> list[Lying]:
    """Dice seen from above, each somewhere in a cell of its own."""
    return [
        Lying(
            value,
            cell,
            rng.uniform(0, 360),
            cell % 4 * 318 + rng.randrange(28),
            cell // 4 * 460 + rng.randrange(20, 170),
        )
        for value, cell in zip(values, cells, strict=False)
    ]


def photo(values: Sequence[int], seed: int = 0) -> Image.Image:
    """A throw of at most eight dice; another seed lays them otherwise."""
    return picture_of(cast(values, Random(seed)))


def picture_of(dice: Iterable[Lying]) -> Image.Image:
    """The table with these dice."""
    picture = _table()
    for each in dice:
        die = _die(each.value).rotate(each.turned, Image.Resampling.BICUBIC)
        picture.paste(die, (each.left, each.top), die)
    return picture


def jpeg(picture: Image.Image) -> bytes:
    """As a phone would send it."""
    data = BytesIO()
    picture.save(data, "JPEG", quality=92)
    return data.getvalue()


@cache
def _sample() -> Image.Image:
    with Image.open(SAMPLE) as opened:
        return opened.convert("RGB")


def _table() -> Image.Image:
    part = _sample().crop(_TABLE)
    wide = Image.new("RGB", (part.width * 4, part.height))
    for place in range(4):
        wide.paste(ImageOps.mirror(part) if place % 2 else part, (place * part.width, 0))
    return wide.crop((0, 0, *SIZE))


@cache
def _die(value: int) -> Image.Image:
    """The die alone, its corners in a transparent square."""
    corners = _FACES[5 if value == 4 else value]
    x, y = (sum(corner[axis] for corner in corners) // 4 for axis in (0, 1))
    left, top = x - _SIDE // 2, y - _SIDE // 2
    cut = _without_middle() if value == 4 else _sample()
    die = cut.crop((left, top, left + _SIDE, top + _SIDE))
    mask = Image.new("L", die.size)
    ImageDraw.Draw(mask).polygon([(px - left, py - top) for px, py in corners], fill=255)
    die.putalpha(mask.filter(ImageFilter.MaxFilter(9)).filter(ImageFilter.GaussianBlur(2)))
    return die


def _without_middle() -> Image.Image:
    """A five whose middle pip is painted over is a four."""
    x, y = _MIDDLE_OF_FIVE
    painted = _sample().copy()
    patch = painted.crop((x - 20, y - 55, x + 20, y - 22)).resize((40, 40)).filter(ImageFilter.GaussianBlur(4))
    mask = Image.new("L", patch.size)
    ImageDraw.Draw(mask).ellipse((3, 3, 37, 37), fill=255)
    painted.paste(patch, (x - 20, y - 20), mask.filter(ImageFilter.GaussianBlur(2)))
    return painted


class Film:
    """What a browser's fake camera sees, changed while it runs: one raw frame (YUV4MPEG2) in a file whose length never changes.

    Chromium reads the file over and over, so what is written into it is what the camera sees. A frame that is read while it is
    written shows two pictures for a moment; of a JPEG it would make none, and the camera would end.
    """

    def __init__(self, file: Path, size: tuple[int, int] = SIZE) -> None:
        """`size`: of its pictures, width and height, both even; others get a border."""
        self.file, self._size = file, size
        self._header = f"YUV4MPEG2 W{size[0]} H{size[1]} F30:1 Ip A1:1 C420jpeg\nFRAME\n".encode()
        file.write_bytes(self._header)
        self.show(_table())

    def show(self, picture: Image.Image) -> None:
        """From now on it sees this."""
        self.show_frame(self.frame(picture))

    def frame(self, picture: Image.Image) -> bytes:
        """The picture as `show_frame` takes it: made beforehand, frames follow each other at an even pace."""
        pixels = np.asarray(ImageOps.pad(picture.convert("RGB"), self._size))
        return cv2.cvtColor(pixels, cv2.COLOR_RGB2YUV_I420).tobytes()

    def show_frame(self, frame: bytes) -> None:
        """From now on it sees this frame."""
        with self.file.open("r+b") as opened:
            opened.seek(len(self._header))
            opened.write(frame)

    def clear(self) -> None:
        """From now on nothing lies on the table."""
        self.show(_table())
