"""Cribbage boards with their pegs, lying on a photo's table and seen at a slant."""

from __future__ import annotations

import math

import cv2
import numpy as np

from datasets.generate.empty.slabs import laid
from datasets.generate.parts.cribbage_boards import Peg, cribbage_board
from datasets.generate.parts.drawings import Rng
from datasets.generate.parts.layouts.spots import Points
from datasets.generate.parts.paint import Sheet, nearest, stored

_LONG = 0.5, 1.6
"""Range of a board's longer side over the picture's: some extend beyond it."""
_SECOND = 0.15
"""Probability of a second board."""
_LEANING = 0.35
"""Largest offset of a peg's head from its hole, over its height, as it appears in an oblique view."""
_SHINY = 4
"""Radius in pixels above which a peg's head has a highlight."""
_SHADOW = 25, 22, 20


def boards(rng: Rng, ground: Sheet) -> Sheet:
    """One or two boards with their shadows on a picture (height x width x 3); all pegs of a board lean in one direction."""
    for _ in range(2 if rng.random() < _SECOND else 1):
        board = cribbage_board(rng)
        ground, place = laid(rng, ground, board.top, _LONG)
        lean = rng.normal(0, 1, 2)
        lean *= rng.uniform(0, _LEANING) / max(1e-6, float(np.linalg.norm(lean)))
        for peg in board.pegs:
            _peg(rng, ground, peg, place @ np.diag([1 / board.size[0], 1 / board.size[1], 1.0]), lean)
    return ground


def _peg(rng: Rng, seen: Sheet, peg: Peg, warp: Points, lean: Points) -> None:
    """Draw a peg from its hole to its head, with a highlight; its shadow falls the other way."""
    foot, beside = (_point(warp, spot) for spot in (peg.at, (peg.at[0] + peg.radius, peg.at[1])))
    radius = max(1, round(math.dist(foot, beside)))
    reach = lean * peg.tall / peg.radius * radius
    head, colour = foot + reach, stored(peg.colour)
    side = tuple(int(value * rng.uniform(0.5, 0.7)) for value in colour)
    cv2.line(seen, nearest(foot), nearest(foot - 0.8 * reach), _SHADOW, radius, cv2.LINE_AA)
    cv2.line(seen, nearest(foot), nearest(head), side, max(1, 2 * radius - 1), cv2.LINE_AA)
    cv2.circle(seen, nearest(head), radius, colour, -1, cv2.LINE_AA)
    if radius > _SHINY:
        light = tuple(min(255, value + (180 if peg.metal else 90)) for value in colour)
        at = head + rng.normal(0, radius / 4, 2)
        cv2.circle(seen, nearest(at), max(1, radius // 4), light, -1, cv2.LINE_AA)


def _point(warp: Points, spot: tuple[float, float]) -> Points:
    x, y, w = warp @ (*spot, 1.0)
    return np.array([x / w, y / w])
