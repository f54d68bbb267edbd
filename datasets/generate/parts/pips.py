"""Faces with pips in realistic variety: every spacing, shape and colour, emblems, frames, worn paint."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np

from datasets.generate.parts.canvas import Bytes, Floats, Rng
from datasets.generate.parts.colours import any_colour
from datasets.generate.parts.lettering.numerals import any_lettering, number

FACE = 96
"""Side of a face's mask in pixels."""
Spots = tuple[tuple[float, float], ...]
"""Positions of pips on a face, -1..1 from edge to edge."""

_SHAPES = {"disc": 0.86, "ring": 0.05, "square": 0.03, "star": 0.02, "diamond": 0.02, "hollow square": 0.02}
"""The probability of each shape of pips."""
_RED = np.array([0.75, 0.06, 0.08])
_SIDE_BY_SIDE = 0.25
"""Probability that the two pips of a 2 lie side by side, not on the diagonal."""


@dataclass(frozen=True)
class PipStyle:
    """The marks of one die's faces."""

    spots: dict[int, Spots]
    radius: float
    """Radius of a pip, in half sides of the face."""
    one: float = 1.0
    """Size of the single pip, relative to the other pips."""
    shape: str = "disc"
    frame: float = 0.0
    """Thickness of a line along the face's edges, in half sides; 0 for none."""
    emblems: dict[int, Bytes] = field(default_factory=dict)
    """Pictures that replace the pips of a face."""
    worn: float = 0.0
    """Share of paint that the pips have lost, 0..1."""
    colours: dict[int, Floats] = field(default_factory=dict)
    """Inks of the values that have one of their own."""

    def mask(self, value: int) -> Bytes:
        """The face of a value (`FACE` x `FACE`, 0..255)."""
        mask = self.emblems[value].copy() if value in self.emblems else self._pips(value)
        if self.frame:
            inset, thick = round(FACE * 0.06), max(1, round(self.frame * FACE / 2))
            cv2.rectangle(mask, (inset, inset), (FACE - inset, FACE - inset), 255, thick, cv2.LINE_AA)
        if self.worn:
            scratches = np.random.default_rng(value).random((7, 7)) ** 2
            gone = self.worn * np.asarray(cv2.resize(scratches, (FACE, FACE), interpolation=cv2.INTER_LINEAR))
            mask = np.asarray(mask * (1 - gone), np.uint8)
        return mask

    def _pips(self, value: int) -> Bytes:
        mask = np.zeros((FACE, FACE), np.uint8)
        size = self.radius * (self.one if value == 1 else 1.0)
        for spot in self.spots[value]:
            _stamp(mask, spot, size, self.shape)
        return mask


def any_pips(rng: Rng) -> PipStyle:
    """Pips of a random style: mostly plain discs, sometimes with another spacing for a value."""
    spots = _any_spots(rng)
    closest = min(math.dist(a, b) for places in spots.values() for i, a in enumerate(places) for b in places[:i])
    one = float(rng.choice([1.0, rng.uniform(1.2, 2.3), rng.uniform(0.6, 1)], p=[0.6, 0.3, 0.1]))
    emblems = {}
    if rng.random() < 0.05:
        emblems[1 if rng.random() < 0.85 else 6] = any_emblem(rng)
    return PipStyle(
        spots=spots,
        radius=max(0.07, min(rng.normal(0.18, 0.035), 0.46 * closest)),
        one=one,
        shape=str(rng.choice(list(_SHAPES), p=list(_SHAPES.values()))),
        frame=rng.uniform(0.015, 0.06) if rng.random() < 0.05 else 0.0,
        emblems=emblems,
        worn=rng.uniform(0.2, 0.8) if rng.random() < 0.08 else 0.0,
        colours=_any_colours(rng, large_one=one > 1.2),
    )


def _any_spots(rng: Rng) -> dict[int, Spots]:
    wide = float(np.clip(rng.normal(0.5, 0.07), 0.3, 0.66))

    def spread(own: float = 0.35) -> float:
        """The die's spacing, or with probability `own` another one for this value."""
        return wide if rng.random() > own else float(rng.uniform(0.28, 0.66))

    four, five = spread(), spread()
    x, y = (spread(0.3), spread(0.5)) if rng.random() < 0.8 else (float(rng.uniform(0.25, 0.4)), wide)
    flip, y = 1.0 if rng.random() < 0.5 else -1.0, max(y, 0.36)
    three = _three(rng, spread(), flip)
    return {
        1: ((0.0, 0.0),),
        2: _two(rng, spread(), flip),
        3: three,
        4: _square(four),
        5: (*_square(five), (0.0, 0.0)),
        6: ((-x, -y), (-x, 0.0), (-x, y), (x, -y), (x, 0.0), (x, y)),
    }


def _two(rng: Rng, wide: float, flip: float) -> Spots:
    if rng.random() < _SIDE_BY_SIDE:
        return (-wide, 0.0), (wide, 0.0)
    return (-wide, -wide * flip), (wide, wide * flip)


def _three(rng: Rng, wide: float, flip: float) -> Spots:
    if rng.random() < 0.04:
        return (0.0, -wide), (0.0, 0.0), (0.0, wide)
    return (-wide, -wide * flip), (0.0, 0.0), (wide, wide * flip)


def _square(wide: float) -> Spots:
    return (-wide, -wide), (wide, -wide), (-wide, wide), (wide, wide)


def _any_colours(rng: Rng, large_one: bool) -> dict[int, Floats]:
    """The red 1 and 4 of East Asia, or a colour per value; mostly none."""
    kind = rng.random()
    if kind < (0.45 if large_one else 0.06):
        return {1: _RED, 4: _RED} if rng.random() < 0.6 else {1: _RED}
    if kind > 0.97:
        return {value: any_colour(rng) for value in range(1, 7)}
    return {}


def _stamp(mask: Bytes, spot: tuple[float, float], size: float, shape: str) -> None:
    """Draw one pip, antialiased to a sixteenth of a pixel."""
    at, radius = (FACE - 1) / 2 * (1 + np.array(spot)), FACE / 2 * size
    if shape in ("disc", "ring"):
        _disc(mask, at, radius, 255)
        if shape == "ring":
            _disc(mask, at, radius * 0.56, 0)
        return
    count = 10 if shape == "star" else 4
    turn = np.arange(count) * 2 * np.pi / count + (math.pi / 4 if "square" in shape else 0)
    reach = np.where(np.arange(count) % 2, 0.45, 1.15) if shape == "star" else np.full(count, 1.2)
    points = np.stack([np.cos(turn), np.sin(turn)], -1) * (radius * reach)[:, None]
    _fill(mask, at + points, 255)
    if shape == "hollow square":
        _fill(mask, at + points * 0.5, 0)


def _disc(mask: Bytes, at: Floats, radius: float, ink: int) -> None:
    cv2.circle(mask, (round(at[0] * 16), round(at[1] * 16)), round(radius * 16), ink, -1, cv2.LINE_AA, 4)


def _fill(mask: Bytes, points: Floats, ink: int) -> None:
    cv2.fillPoly(mask, [np.round(points * 16).astype(np.int32)], ink, cv2.LINE_AA, 4)


def any_emblem(rng: Rng) -> Bytes:
    """A picture that fills much of a face: a star, a number, a crest, rings, letters (`FACE` x `FACE`, 0..255)."""
    mask = np.zeros((FACE, FACE), np.uint8)
    painters: tuple[Callable[[Rng, Bytes, float], None], ...] = (_star, _number, _crest, _rings, _letters)
    painters[int(rng.integers(len(painters)))](rng, mask, FACE * rng.uniform(0.2, 0.4))
    return mask


def _star(rng: Rng, mask: Bytes, size: float) -> None:
    arms = int(rng.integers(4, 9))
    turn = np.arange(2 * arms) * np.pi / arms
    reach = np.where(np.arange(2 * arms) % 2, size * rng.uniform(0.3, 0.7), size)
    _fill(mask, FACE / 2 + np.stack([np.cos(turn), np.sin(turn)], -1) * reach[:, None], 255)


def _number(rng: Rng, mask: Bytes, size: float) -> None:
    digits = number(int(rng.integers(0, 10)), any_lettering(rng))
    scale = 2 * size / max(digits.shape)
    small = cv2.resize(digits, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    top, left = (FACE - small.shape[0]) // 2, (FACE - small.shape[1]) // 2
    mask[top : top + small.shape[0], left : left + small.shape[1]] = small


def _crest(rng: Rng, mask: Bytes, size: float) -> None:
    """Mirrored strokes."""
    for _ in range(int(rng.integers(3, 9))):
        a, b = (np.round(FACE / 2 + rng.uniform(-size, size, 2)).astype(int).tolist() for _ in range(2))
        cv2.line(mask, a, b, 255, int(rng.integers(2, 8)), cv2.LINE_AA)
    mask[:] = np.maximum(mask, mask[:, ::-1])


def _rings(rng: Rng, mask: Bytes, size: float) -> None:
    for i in range(int(rng.integers(1, 4))):
        _disc(mask, np.full(2, FACE / 2), size * (1 - 0.3 * i), 255 * ((i + 1) % 2))


def _letters(rng: Rng, mask: Bytes, size: float) -> None:
    text = "".join(chr(int(rng.integers(65, 91))) for _ in range(int(rng.integers(1, 5))))
    font = int(rng.choice([cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_SCRIPT_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX]))
    scale = 2.6 * size / (20 * len(text) + 12)
    (wide, high), _ = cv2.getTextSize(text, font, scale, 2)
    cv2.putText(mask, text, ((FACE - wide) // 2, (FACE + high) // 2), font, scale, 255, 2, cv2.LINE_AA)
