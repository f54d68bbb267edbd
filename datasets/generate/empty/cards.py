"""Playing cards, which show one to ten signs in rows like pips."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from datasets.generate.parts.drawings import Rng
from datasets.generate.parts.lettering.signs import Ink
from datasets.generate.parts.paint import Sheet

_HEIGHT, _WIDTH = 224, 144
"""Size of a drawn card in pixels."""
_COLUMNS, _ENDS = (0.3, 0.7), (0.18, 0.82)
_FOUR = [(x, y) for x in _COLUMNS for y in _ENDS]
_EIGHT = [(x, y) for x in _COLUMNS for y in (0.18, 0.39, 0.61, 0.82)]
_SIX = [*_FOUR, (0.3, 0.5), (0.7, 0.5)]
_PLACES = {
    1: [(0.5, 0.5)],
    2: [(0.5, y) for y in _ENDS],
    3: [(0.5, y) for y in (0.18, 0.5, 0.82)],
    4: _FOUR,
    5: [*_FOUR, (0.5, 0.5)],
    6: _SIX,
    7: [*_SIX, (0.5, 0.34)],
    8: [*_SIX, (0.5, 0.34), (0.5, 0.66)],
    9: [*_EIGHT, (0.5, 0.5)],
    10: [*_EIGHT, (0.5, 0.28), (0.5, 0.72)],
}
"""Positions of the signs, in shares of width and height."""
_STEM = ((0.0, 0.0), (0.35, 1.1), (-0.35, 1.1))
_DISC = 0.52
_Points = Sequence[tuple[float, float]]
_SUITS: Sequence[tuple[Sequence[_Points], _Points]] = (
    ([((-0.85, -0.1), (0.85, -0.1), (0, 1.1))], [(-0.45, -0.35), (0.45, -0.35)]),
    ([((0, -1.15), (0.85, 0), (0, 1.15), (-0.85, 0))], []),
    ([((-0.85, 0.1), (0.85, 0.1), (0, -1.1)), _STEM], [(-0.45, 0.3), (0.45, 0.3)]),
    ([_STEM], [(0, -0.55), (-0.5, 0.25), (0.5, 0.25)]),
)
"""Hearts, diamonds, spades, clubs: polygons, and the centres of discs of this radius, over a sign's half width."""
_ASIDE = np.array([[1.0, 0, 4], [0, 1, 5]])
"""Offset of a card's shadow, in pixels."""
_RED, _BLACK = (200, 22, 34), (22, 20, 26)
_RANKS = {1: "A", **{value: str(value) for value in range(2, 11)}}


def cards(rng: Rng, ground: Sheet) -> Sheet:
    """One to eight cards with their shadows on a picture (height x width x 3)."""
    long = max(ground.shape[:2]) * math.exp(rng.uniform(math.log(0.12), math.log(0.7)))
    for _ in range(int(rng.integers(1, 9))):
        ground = _laid(rng, ground, _card(rng), long)
    return ground


def _card(rng: Rng) -> Sheet:
    """A card from ace to ten."""
    value, suit = int(rng.integers(1, 11)), int(rng.integers(4))
    face = np.full((_HEIGHT, _WIDTH, 3), rng.integers(225, 256, 3), np.uint8)
    ink = (_RED if suit < 2 else _BLACK) if rng.random() < 0.85 else _any_ink(rng)
    size = rng.uniform(0.055, 0.085) * _HEIGHT * (1.8 if value == 1 and rng.random() < 0.5 else 1)
    for x, y in _PLACES[value]:
        _sign(face, (x * _WIDTH, y * _HEIGHT), size, suit, ink, upside_down=y > 0.5)
    for _ in range(2):
        cv2.putText(face, _RANKS[value], (5, 24), 0, 0.65, ink, 2, cv2.LINE_AA)
        _sign(face, (14, 38), 0.035 * _HEIGHT, suit, ink, upside_down=False)
        face = np.ascontiguousarray(face[::-1, ::-1])
    return face


def _any_ink(rng: Rng) -> Ink:
    red, green, blue = rng.integers(0, 150, 3).tolist()
    return red, green, blue


def _sign(face: Sheet, at: tuple[float, float], size: float, suit: int, ink: Ink, *, upside_down: bool) -> None:
    """A heart, a diamond, a spade or a club of about this half width."""
    scale = size * np.array([1, -1 if upside_down else 1])
    polygons, discs = _SUITS[suit]
    for polygon in polygons:
        cv2.fillConvexPoly(face, (at + scale * polygon).round().astype(np.int32), ink, cv2.LINE_AA)
    for x, y in np.array(discs).reshape(-1, 2) * scale + at:
        cv2.circle(face, (round(x), round(y)), max(1, round(_DISC * size)), ink, -1, cv2.LINE_AA)


def _laid(rng: Rng, ground: Sheet, card: Sheet, long: float) -> Sheet:
    """Lay a card somewhere on the picture, mostly nearly upright, slightly foreshortened."""
    height, width = ground.shape[:2]
    turn = rng.normal(0, 0.45) if rng.random() < 0.6 else rng.uniform(0, 2 * math.pi)
    half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (long * _WIDTH / _HEIGHT, long) / 2
    cos, sin = math.cos(turn), math.sin(turn)
    corners = half @ np.array([[cos, sin], [-sin, cos]]) * (1, rng.uniform(0.6, 1))
    corners += rng.uniform(0, 1, 2) * (width, height) + rng.normal(0, 0.03 * long, (4, 2))
    source = np.array([(0, 0), (_WIDTH, 0), (_WIDTH, _HEIGHT), (0, _HEIGHT)], np.float32)
    warp = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    laid = cv2.warpPerspective(card, warp, (width, height), flags=cv2.INTER_AREA)
    cover = cv2.warpPerspective(np.ones((_HEIGHT, _WIDTH), np.float32), warp, (width, height))[..., None]
    shadow = cv2.GaussianBlur(cv2.warpAffine(cover, _ASIDE, (width, height)), (0, 0), 3)[..., None] * rng.uniform(
        0.1, 0.5
    )
    return np.asarray((ground * (1 - shadow) * (1 - cover) + laid * cover).astype(np.uint8))
