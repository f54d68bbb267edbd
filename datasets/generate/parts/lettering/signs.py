"""Signs as printed on boards, cards and counters."""

from __future__ import annotations

import math

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from datasets.generate.parts.drawings import Colour, Rng, contrasting
from datasets.generate.parts.lettering.fonts import typefaces
from datasets.generate.parts.outlines import fixed
from datasets.generate.parts.paint import Sheet, stored

Place = tuple[float, float]
Ink = tuple[int, int, int]

_STAR, _DIAMOND, _DISC, _RING, _SQUARE, _NUMBER = range(6)
BUT_PIPS = 6
"""Number of kinds of signs without pips."""
ALL = 7


def sign(rng: Rng, sheet: Sheet, middle: Place, reach: float, colour: Colour, kinds: int = ALL) -> None:
    """Print a star, diamond, disc, ring, square, number or pips: one of the first `kinds` of these.

    Args:
        rng: source of randomness.
        sheet: printed on in place.
        middle: the sign's centre, in pixels.
        reach: half its size, in pixels.
        colour: its ink.
        kinds: `ALL` or `BUT_PIPS`.
    """
    kind, (x, y), ink = int(rng.integers(kinds)), middle, stored(colour)
    if kind in (_STAR, _DIAMOND):
        _star(sheet, middle, reach, 0.4 if kind == _STAR else 0.75, ink)
    elif kind in (_DISC, _RING):
        cv2.circle(sheet, (round(x), round(y)), round(reach * 0.8), ink, -1 if kind == _DISC else 2, cv2.LINE_AA)
    elif kind == _SQUARE:
        low, high = (round(x - reach * 0.8), round(y - reach * 0.8)), (round(x + reach * 0.8), round(y + reach * 0.8))
        cv2.rectangle(sheet, low, high, ink, -1 if rng.random() < 0.5 else 1, cv2.LINE_AA)
    elif kind == _NUMBER:
        cv2.putText(sheet, str(rng.integers(100)), (round(x - reach), round(y + reach / 2)), 0, reach / 22, ink, 1)
    else:
        _pips(rng, sheet, middle, reach, ink)


def _star(sheet: Sheet, middle: Place, reach: float, inner: float, ink: Ink) -> None:
    """A star with four points; `inner`: the distance of its notches from the centre."""
    turns = np.arange(8) * math.pi / 4
    radii = reach * np.where(np.arange(8) % 2, inner, 1)
    star = np.stack([middle[0] + radii * np.cos(turns), middle[1] + radii * np.sin(turns)], -1)
    cv2.fillPoly(sheet, [fixed(star)], ink, cv2.LINE_AA, 4)


def _pips(rng: Rng, sheet: Sheet, middle: Place, reach: float, ink: Ink) -> None:
    for dx, dy in rng.choice([-0.5, 0, 0.5], (int(rng.integers(1, 6)), 2)):
        at = (round(middle[0] + dx * reach), round(middle[1] + dy * reach))
        cv2.circle(sheet, at, max(1, round(reach * 0.18)), ink, -1)


def title(rng: Rng, sheet: Sheet, middle: Place, height: float, colour: Colour) -> None:
    """Print a word in any typeface, mostly with an outline, as large as tiles, like a game's name.

    Args:
        rng: source of randomness.
        sheet: printed on in place.
        middle: the word's centre, in pixels.
        height: of its letters, in pixels.
        colour: its ink; the outline contrasts with it.

    Raises:
        FileNotFoundError: this machine has no fonts.
    """
    files = typefaces()
    font = ImageFont.truetype(files[int(rng.integers(len(files)))], max(6, round(height * 1.4)))
    letters = rng.choice(list("ABCDEFGHIJKLMNOPRSTUVXYZabdeghlmnopqrstu"), int(rng.integers(3, 10)))
    picture = Image.fromarray(sheet)
    edge = round(height * rng.uniform(0.05, 0.15)) if rng.random() < 0.6 else 0
    ImageDraw.Draw(picture).text(
        middle,
        "".join(letters),
        font=font,
        anchor="mm",
        fill=stored(colour),
        stroke_width=edge,
        stroke_fill=stored(contrasting(rng, colour)),
    )
    sheet[:] = np.asarray(picture)
