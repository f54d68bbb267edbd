"""Marks of any kind for the pieces of a set: signs of any script, letters, numerals, as square masks (0..255).

The emblems that `house_sets` draws are not among them, so that those sets measure generalisation.
"""

from __future__ import annotations

import string
from functools import lru_cache

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from datasets.generate.parts.canvas import Bytes, Rng
from datasets.generate.parts.lettering import fonts
from datasets.generate.parts.lettering.numerals import any_lettering, number
from datasets.generate.parts.pips import FACE

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
"""First and last character of each script."""
_SMALLEST_SIGN = 90
"""Least inked pixels of a face: fewer are hardly visible."""
_ALIKE = 14.0
"""Mean difference of two faces, 0..255, below which they look the same."""
_PATIENCE = 200


def any_sign(rng: Rng) -> Bytes:
    """A character of any script in any typeface of this machine, at any size that fits a face (`FACE` x `FACE`, 0..255)."""
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
    """The character centred on a face, its longer side `size` pixels; None if the typeface lacks it."""
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
    """A face with the mask at its centre, its longer side `size` pixels."""
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


def signs(rng: Rng, count: int) -> list[Bytes]:
    """`count` signs that all look different."""
    found: list[Bytes] = []
    for _ in range(_PATIENCE):
        sign = any_sign(rng)
        if all(float(np.abs(sign.astype(float) - other).mean()) > _ALIKE for other in found):
            found.append(sign)
        if len(found) == count:
            return found
    raise RuntimeError("the signs of this machine's typefaces all look alike")


def letters(rng: Rng, count: int) -> list[Bytes]:
    """`count` letters of one typeface."""
    files = fonts.typefaces()
    for _ in range(_PATIENCE):
        file, size = str(files[rng.integers(len(files))]), int(FACE * rng.uniform(0.45, 0.75))
        chosen = rng.permutation(list(string.ascii_uppercase))[:count]
        faces = [_typed(file, str(letter), size) for letter in chosen]
        if all(face is not None for face in faces):
            return [face for face in faces if face is not None]
    raise RuntimeError("no typeface of this machine has letters")


def numerals(rng: Rng, count: int) -> list[Bytes]:
    """The numerals from 1 to `count` in one lettering, upright."""
    lettering, size = any_lettering(rng), FACE * rng.uniform(0.45, 0.75)
    return [_in_the_middle(number(value, lettering), size) for value in range(1, count + 1)]
