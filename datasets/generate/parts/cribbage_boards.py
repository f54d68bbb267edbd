"""Cribbage boards as they lie beside the dice: their top, and the positions of their pegs.

Lengths are in die edges: 1 is about 16 mm. A board's tracks follow a line: back and forth, around a bend, or in curves; along
it two to four holes lie side by side, in groups of five.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from datasets.generate.parts.drawings import Colour, Rng, any_colour, contrasting
from datasets.generate.parts.layouts.spots import Points
from datasets.generate.parts.paint import Sheet, flat, nearest, noise, stored

SCALE = 56
"""Pixels of a sheet per die edge."""
_FIVE, _AFTER_FIVE = 5, 1.6
"""Holes per group, and the distance from the last of a group to the next hole, in steps."""
_TOO_FAR = 2.2
"""Steps between two holes from which no stripe or line joins them: from one row to the next."""
_FINE = 16
"""Subpixel units per pixel in OpenCV's drawing of discs."""
_WOODS: tuple[Colour, ...] = (
    (0.87, 0.72, 0.52),
    (0.76, 0.57, 0.36),
    (0.58, 0.38, 0.22),
    (0.42, 0.26, 0.16),
    (0.28, 0.18, 0.13),
)
_METALS: tuple[Colour, ...] = ((0.85, 0.68, 0.3), (0.75, 0.75, 0.77), (0.6, 0.35, 0.2))


@dataclass(frozen=True)
class Peg:
    """A peg in a hole: its position, in die edges from the board's corner, width, height and colour, and whether it is metal."""

    at: tuple[float, float]
    radius: float
    tall: float
    colour: Colour
    metal: bool


@dataclass(frozen=True)
class CribbageBoard:
    """The top of a board (h x w x 3, `SCALE` pixels per die edge), its size in die edges, and its pegs."""

    top: Sheet
    size: tuple[float, float]
    pegs: tuple[Peg, ...]


def cribbage_board(rng: Rng) -> CribbageBoard:
    """A random board: of wood, plastic or metal, painted or printed, with some pegs or none."""
    pitch, lanes = rng.uniform(0.34, 0.55), int(rng.integers(2, 5))
    radius = pitch * rng.uniform(0.18, 0.3)
    line = _line(rng, pitch, lanes)
    margin = pitch * (lanes / 2 + rng.uniform(0.7, 2.5))
    line = line - line.min(0) + margin
    size = tuple((line.max(0) + margin).tolist())
    body = _WOODS[rng.integers(len(_WOODS))] if rng.random() < 0.7 else any_colour(rng)
    top = _grained(rng, body, size)
    holes = _holes(line, pitch, lanes)
    _tracks(rng, top, holes, pitch, body)
    _drill(rng, top, holes.reshape(-1, 2), radius)
    _finish(rng, top, radius, pitch)
    return CribbageBoard(top, (size[0], size[1]), _pegs(rng, holes, radius))


def _line(rng: Rng, pitch: float, lanes: int) -> Points:
    """The centre line of the tracks (n x 2), from the first hole to the last."""
    long, apart = 30 * pitch * rng.uniform(1.0, 1.3), pitch * (lanes + rng.uniform(0.6, 2.5))
    kind = rng.random()
    if kind < 0.35:
        return _rows(int(rng.integers(2, 5)), long, apart)
    if kind < 0.75:
        return _with_bends(long, apart)
    far = rng.uniform(1.2, 2.2) * math.pi
    return _ring(rng, long, far) if kind < 0.9 else _wave(rng, long)


def _rows(count: int, long: float, apart: float) -> Points:
    """Back and forth in `count` rows, without a bend."""
    return np.vstack([_row(row, long, apart) for row in range(count)])


def _with_bends(long: float, apart: float) -> Points:
    """Three connected rows, with a half circle at the end of the first and of the second."""
    turn = np.linspace(-math.pi / 2, math.pi / 2, 40)[1:-1]
    circle = np.stack([np.cos(turn), np.sin(turn)], -1) * apart / 2
    right, left = (circle * (side, 1) + np.array(at) for side, at in ((1, (long, apart / 2)), (-1, (0.0, 1.5 * apart))))
    first, second, third = (_row(row, long, apart) for row in range(3))
    return np.vstack([first, right, second, left, third])


def _row(row: int, long: float, apart: float) -> Points:
    """A straight row; every second one runs backwards."""
    ends = (0.0, long) if row % 2 == 0 else (long, 0.0)
    return np.linspace((ends[0], row * apart), (ends[1], row * apart), 200)


def _ring(rng: Rng, long: float, far: float) -> Points:
    """A part of a ring, or of a spiral."""
    turn = np.linspace(0, far, 400)
    away = long * rng.uniform(0.2, 0.3) * (1 + rng.uniform(0, 0.25) * turn)
    return np.stack([away * np.cos(turn), away * np.sin(turn) * rng.uniform(0.6, 1)], -1)


def _wave(rng: Rng, long: float) -> Points:
    along = np.linspace(0, long * 1.3, 400)
    return np.stack([along, rng.uniform(0.8, 2.5) * np.sin(along / long * rng.uniform(3, 9))], -1)


def _holes(line: Points, pitch: float, lanes: int) -> Points:
    """The positions of the holes (n x lanes x 2): one pitch apart along the line, slightly more after every fifth."""
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    at, places = 0.0, []
    while at <= along[-1]:
        places.append(at)
        at += pitch * (_AFTER_FIVE if len(places) % _FIVE == 0 else 1)
    middle, beyond = (
        np.stack([np.interp(np.array(places) + ahead, along, line[:, axis]) for axis in (0, 1)], -1)
        for ahead in (0.0, 0.01)
    )
    way = beyond - middle
    if len(way) > 1 and not way[-1].any():  # the line ends with this hole
        way[-1] = way[-2]
    way /= np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-9)
    aside = np.stack([-way[:, 1], way[:, 0]], -1)
    across = (np.arange(lanes) - (lanes - 1) / 2) * pitch
    return np.asarray(middle[:, None] + aside[:, None] * across[None, :, None])


def _grained(rng: Rng, body: Colour, size: tuple[float, ...]) -> Sheet:
    """A sheet of wood, or of one colour with some smears."""
    width, height = (max(8, round(SCALE * side)) for side in size)
    sheet = flat(body, height, width).astype(np.float32)
    if body in _WOODS:
        grain = noise(rng, (height, width), (max(4, height // 6), max(2, width // 250)))
        grain = grain * 0.7 + 0.3 * noise(rng, (height, width), (max(4, height // 2), max(2, width // 90)))
        sheet *= 1 - rng.uniform(0.1, 0.45) * (grain[..., None] - 0.3)
    sheet *= 1 + rng.uniform(0, 0.15) * (noise(rng, (height, width), (4, 9))[..., None] - 0.5)
    return np.asarray(sheet.clip(0, 255), np.uint8)


def _tracks(rng: Rng, top: Sheet, holes: Points, pitch: float, body: Colour) -> None:
    """Draw a coloured stripe for each lane, lines between groups of five, numbers beside them, each with some probability."""
    lanes, each = holes.shape[1], round(SCALE * pitch)
    if rng.random() < 0.45:
        for lane in range(lanes):
            colour = stored(any_colour(rng))
            for start, end in zip(holes[:-1, lane], holes[1:, lane], strict=True):
                if math.dist(start, end) < _TOO_FAR * pitch:
                    cv2.line(
                        top,
                        nearest(SCALE * start),
                        nearest(SCALE * end),
                        colour,
                        max(2, round(each * 0.8)),
                        cv2.LINE_AA,
                    )
    ink = stored(contrasting(rng, body))
    if rng.random() < 0.5:
        for k in range(_FIVE, len(holes), _FIVE):
            middle = (holes[k - 1] + holes[k]) / 2
            if math.dist(holes[k - 1, 0], holes[k, 0]) < _TOO_FAR * pitch:
                aside = (middle[-1] - middle[0]) * (0.8 / max(1, lanes - 1))
                start, end = nearest(SCALE * (middle[0] - aside)), nearest(SCALE * (middle[-1] + aside))
                cv2.line(top, start, end, ink, max(1, each // 9), cv2.LINE_AA)
    if rng.random() < 0.5:
        for k in range(_FIVE - 1, len(holes), _FIVE):
            out = holes[k, 0] + (holes[k, 0] - holes[k, -1]) * (0.9 / max(1, lanes - 1))
            cv2.putText(top, str(k + 1), nearest(SCALE * out), cv2.FONT_HERSHEY_DUPLEX, each / 45, ink, 1, cv2.LINE_AA)


def _drill(rng: Rng, top: Sheet, holes: Points, radius: float) -> None:
    """Draw every hole: dark, its far side lighter where light falls in, sometimes with a bright or dark edge."""
    light = rng.normal(0, 1, 2)
    light *= radius * 0.35 / max(1e-6, float(np.linalg.norm(light)))
    dark = rng.uniform(0.02, 0.3)
    edge = rng.uniform(0.3, 1.3) if rng.random() < 0.5 else None
    for at in holes:
        beneath = top[tuple(np.clip((at * SCALE).astype(int)[::-1], 0, np.array(top.shape[:2]) - 1))].astype(float)
        if edge is not None:
            _disc(top, at, radius * 1.18, beneath * edge)
        _disc(top, at, radius, beneath * dark)
        _disc(top, at + light, radius * 0.6, beneath * min(1.0, dark * 2.2))


def _finish(rng: Rng, top: Sheet, radius: float, pitch: float) -> None:
    """Add a word and a few more holes beside the tracks, each with some probability."""
    height, width = top.shape[:2]
    if rng.random() < 0.5:
        at = int(rng.uniform(0.05, 0.7) * width), int(rng.uniform(0.1, 0.95) * height)
        shade = tuple(int(v) for v in rng.uniform(0, 255, 3))
        word = str(rng.choice(["CRIBBAGE", "START", "FINISH", "GAMES", "SKUNK", "15-2", "29", "121"]))
        cv2.putText(top, word, at, cv2.FONT_HERSHEY_TRIPLEX, rng.uniform(0.5, 2), shade, 2, cv2.LINE_AA)
    if rng.random() < 0.5:
        start = np.array([rng.uniform(0.1, 0.8) * width, rng.uniform(0.1, 0.9) * height]) / SCALE
        for k in range(int(rng.integers(2, 8))):
            _disc(top, start + np.array([k * pitch, 0.0]), radius, np.full(3, rng.uniform(5, 60)))


def _pegs(rng: Rng, holes: Points, radius: float) -> tuple[Peg, ...]:
    """One to three pegs per lane, with one colour per lane; on one board in five none."""
    if rng.random() < 0.2:
        return ()
    found, tall, metal = [], rng.uniform(0.5, 2.2), bool(rng.random() < 0.35)
    for lane in range(holes.shape[1]):
        colour = _METALS[rng.integers(len(_METALS))] if metal else any_colour(rng)
        for k in rng.integers(len(holes), size=int(rng.integers(1, 4))):
            x, y = holes[k, lane].tolist()
            found.append(Peg((x, y), radius * rng.uniform(0.95, 1.4), tall, colour, metal))
    return tuple(found)


def _disc(top: Sheet, at: Points, radius: float, colour: Points) -> None:
    shade = tuple(float(v) for v in np.clip(colour, 0, 255))
    cv2.circle(top, nearest(at * SCALE * _FINE), max(1, round(radius * SCALE * _FINE)), shade, -1, cv2.LINE_AA, 4)
