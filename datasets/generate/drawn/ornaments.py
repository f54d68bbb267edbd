"""Ornaments around the numerals of some dice: frames, rings with teeth, tracery, a plate in another colour."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.generate.parts.canvas import Bytes, Floats, Rng
from datasets.generate.parts.clouds import cloud
from datasets.generate.parts.colours import any_colour

SIDE = 160
"""Pixels of a face's mask, from side to side of the circle around the face."""
_FINE = 4
"""Fractional bits of OpenCV's drawing coordinates."""


@dataclass(frozen=True)
class Ring:
    """A circle around the numeral: its radius and width, and the length of its teeth, in inner radii (0: none)."""

    radius: float
    width: float
    teeth: int
    length: float


@dataclass(frozen=True)
class Ornament:
    """The ornaments of one die's faces. Lengths are in radii of the circle inside a face."""

    room: float
    """Radius of the area kept free for the numeral."""
    plate: float
    """The share of the face, from its centre to its edges, in the colour of the plate; 0: no plate."""
    plate_colour: Floats
    frames: tuple[tuple[float, float], ...]
    """Lines along the edges: distance from the centre, and width."""
    rings: tuple[Ring, ...]
    tracery: tuple[Floats, ...]
    """Curves (n x 2), repeated at every corner of the face."""
    pen: float
    worn: Bytes | None
    """Cracks and blots (`SIDE` x `SIDE`, 0..255)."""
    colour: Floats | None
    """Colour of all but the plate; None: the numerals' colour."""


def any_ornament(rng: Rng) -> Ornament:
    """A random selection of ornaments, at least one."""
    room = rng.uniform(0.58, 0.9)
    frames, rings, tracery, worn = _frames(rng), _rings(rng, room), _tracery(rng, room), _worn(rng)
    kept = rng.random(4) < (0.5, 0.45, 0.45, 0.12)
    if not kept.any():
        kept[int(rng.integers(3))] = True
    return Ornament(
        room=room,
        plate=rng.uniform(0.7, 1.0) if rng.random() < 0.3 else 0.0,
        plate_colour=any_colour(rng),
        frames=frames if kept[0] else (),
        rings=rings if kept[1] else (),
        tracery=tracery if kept[2] else (),
        pen=rng.uniform(0.03, 0.1),
        worn=worn if kept[3] else None,
        colour=any_colour(rng) if rng.random() < 0.35 else None,
    )


def _frames(rng: Rng) -> tuple[tuple[float, float], ...]:
    return tuple((rng.uniform(0.68, 1.0), rng.uniform(0.03, 0.14)) for _ in range(int(rng.integers(1, 3))))


def _rings(rng: Rng, room: float) -> tuple[Ring, ...]:
    count = int(rng.integers(1, 4))
    return tuple(
        Ring(
            rng.uniform(room, min(room + 0.3, 1.0)),
            rng.uniform(0.02, 0.1),
            int(rng.integers(8, 49)) if rng.random() < 0.5 else 0,
            rng.uniform(-0.12, 0.12),
        )
        for _ in range(count)
    )


def _tracery(rng: Rng, room: float) -> tuple[Floats, ...]:
    """Random curves between the numeral and the corners."""
    return tuple(_curve(rng, room) for _ in range(int(rng.integers(1, 5))))


def _curve(rng: Rng, room: float) -> Floats:
    """A spiral or an arc that begins outside the area for the numeral."""
    steps = np.linspace(0, 1, 14)
    bend, turn = rng.normal(0, 3.5), rng.uniform(0, 2 * math.pi)
    ways = turn + bend * steps ** rng.uniform(0.6, 2)
    long = rng.uniform(0.15, 0.7) / len(steps)
    away, at = rng.uniform(room, 1.15), rng.uniform(-0.6, 0.6)
    start = away * np.array([math.cos(at), math.sin(at)])
    return np.asarray(start + np.cumsum(np.column_stack([np.cos(ways), np.sin(ways)]), axis=0) * long)


def _worn(rng: Rng) -> Bytes:
    rough = cv2.resize(cloud(rng), (SIDE, SIDE), interpolation=cv2.INTER_LINEAR)
    near = np.abs(rough - rng.uniform(0.3, 0.7)) < rng.uniform(0.02, 0.12)
    return np.asarray(near * 255, np.uint8)


def layers(ornament: Ornament, outline: Floats) -> Iterator[tuple[Bytes, Floats | None]]:
    """The layers of a face below its numeral, from the bottom up: masks (`SIDE` x `SIDE`, 0..255), and their colours if any.

    `outline`: the face's corners (n x 2) in inner radii from its centre; the circle through them fills the mask.
    """
    scale = SIDE / 2 / float(np.linalg.norm(outline, axis=1).max())
    if ornament.plate:
        mask = _empty()
        cv2.fillPoly(mask, [_pixels(outline * ornament.plate, scale)], 255, cv2.LINE_AA, _FINE)
        yield mask, ornament.plate_colour
    mask = _empty()
    for share, width in ornament.frames:
        cv2.polylines(mask, [_pixels(outline * share, scale)], True, 255, _pen(width, scale), cv2.LINE_AA, _FINE)
    for ring in ornament.rings:
        _draw_ring(mask, ring, scale)
    _draw_tracery(mask, ornament, outline, scale)
    if ornament.worn is not None:
        mask = np.maximum(mask, ornament.worn)
    middle = (SIDE * 8, SIDE * 8)
    cv2.circle(mask, middle, round((ornament.room - 0.02) * scale * 16), 0, -1, cv2.LINE_AA, _FINE)
    yield mask, ornament.colour


def _draw_ring(mask: Bytes, ring: Ring, scale: float) -> None:
    middle = (SIDE * 8, SIDE * 8)
    cv2.circle(mask, middle, round(ring.radius * scale * 16), 255, _pen(ring.width, scale), cv2.LINE_AA, _FINE)
    for tooth in range(ring.teeth):
        way = 2 * math.pi * tooth / ring.teeth
        spoke = np.outer([ring.radius, ring.radius + ring.length], [math.cos(way), math.sin(way)])
        ends = _pixels(spoke, scale)
        cv2.line(mask, _point(ends[0]), _point(ends[1]), 255, _pen(ring.width, scale), cv2.LINE_AA, _FINE)


def _draw_tracery(mask: Bytes, ornament: Ornament, outline: Floats, scale: float) -> None:
    """Draw every curve at every corner, also mirrored."""
    for x, y in outline / np.linalg.norm(outline, axis=1, keepdims=True):
        for side in (1, -1):
            way = np.array([[x, y], [-side * y, side * x]])
            lines = [_pixels(curve @ way, scale) for curve in ornament.tracery]
            cv2.polylines(mask, lines, False, 255, _pen(ornament.pen, scale), cv2.LINE_AA, _FINE)


def _empty() -> Bytes:
    return np.zeros((SIDE, SIDE), np.uint8)


def _pixels(points: Floats, scale: float) -> NDArray[np.int32]:
    """Points in inner radii as OpenCV's drawing coordinates."""
    return np.asarray(np.round((points * scale + SIDE / 2) * 2**_FINE), np.int32)


def _point(point: NDArray[np.int32]) -> tuple[int, int]:
    return int(point[0]), int(point[1])


def _pen(width: float, scale: float) -> int:
    return max(1, round(width * scale))
