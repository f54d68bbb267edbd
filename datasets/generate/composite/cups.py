"""Cups, shakers and trays with dice in them, seen from above: rings around a floor."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.generate.composite.boxes import Canvas
from datasets.generate.parts.drawings import Rng, any_colour, contrasting
from datasets.generate.parts.layouts.spots import Points
from datasets.generate.parts.paint import blurred, noise
from datasets.generate.parts.tile_faces import Floats

_FINE = 2
"""Supersampling factor for drawing a cup."""


@dataclass(frozen=True, slots=True)
class Cup:
    """The area for dice in a cup: the centre of its floor (x, y) and its radius, in pixels."""

    middle: Points
    radius: float


def lay_cup(rng: Rng, canvas: Canvas) -> Cup:
    """Draw a cup or a tray over the centre of the picture, often larger than the picture; returns its floor."""
    width, height = canvas.size
    middle = np.array([width, height]) * rng.uniform(0.35, 0.65, 2)
    radius = min(width, height) * rng.uniform(0.2, 0.6)
    floor = radius * rng.uniform(0.5, 0.9)
    away = np.hypot(*(_from(middle, axis, canvas.size, rng) for axis in (0, 1)))
    wall, ground = np.array(any_colour(rng), np.float32) ** 2, np.array(any_colour(rng), np.float32) ** 2
    sheet = _walls(rng, away, floor, radius, wall)
    _highlights(rng, sheet, middle, floor, radius)
    inside = blurred((away < floor).astype(np.float32), rng.uniform(0.5, 3))[..., None]
    sheet += (_floor(rng, canvas.size, ground) - sheet) * inside
    shade = 1 - np.float32(rng.uniform(0, 0.6)) * np.clip(away / floor, 0, 1)[..., None] ** 4 * inside
    cover = blurred((away < radius).astype(np.float32), rng.uniform(0.5, 3))[..., None]
    if rng.random() < 0.2:  # so near that nothing else is visible
        cover = np.ones_like(cover)
    canvas.pixels += (sheet * shade * canvas.light.colour - canvas.pixels) * cover
    return Cup(middle, floor)


def _from(middle: Points, axis: int, size: tuple[int, int], rng: Rng) -> NDArray[np.float32]:
    """The distance of every pixel from the centre along an axis, scaled for a cup that leans."""
    along = np.arange(size[axis], dtype=np.float32) - np.float32(middle[axis])
    return (along if axis == 0 else along[:, None]) * np.float32(rng.choice([1.0, rng.uniform(1, 1.25)]))


def _walls(rng: Rng, away: NDArray[np.float32], floor: float, radius: float, colour: Floats) -> Floats:
    """Rings of one colour at random brightness levels; beyond the rim the last one continues."""
    edges = np.sort(rng.uniform(floor, radius, int(rng.integers(0, 6))))
    levels = rng.uniform(0.15, 1.6, len(edges) + 2).astype(np.float32)
    level = levels[np.searchsorted(edges, away.ravel())].reshape(away.shape)
    level = blurred(level, float(rng.choice([0.7, rng.uniform(1, 8)])))
    return np.asarray(level[..., None] * colour)


def _highlights(rng: Rng, sheet: Floats, middle: Points, floor: float, radius: float) -> None:
    """Add shiny arcs, as on plastic and metal, and ribs."""
    height, width = sheet.shape[:2]
    light = np.zeros((height, width), np.float32)
    for _ in range(int(rng.choice([0, 2, 5, 9]))):
        r, start = rng.uniform(floor, 1.15 * radius), rng.uniform(0, 360)
        centre = middle + rng.normal(0, 0.05, 2) * radius
        wide = max(1, round(radius * rng.uniform(0.005, 0.05)))
        axes = (max(1, round(r)), max(1, round(r * rng.uniform(0.85, 1))))
        place = np.round(centre).astype(int).tolist()
        cv2.ellipse(light, place, axes, rng.uniform(0, 180), start, start + rng.uniform(20, 200), 1.0, wide)
    if rng.random() < 0.25:
        count = int(rng.integers(6, 40))
        for turn in np.arange(count) * 2 * math.pi / count + rng.uniform(0, 1):
            way = np.array([math.cos(turn), math.sin(turn)])
            ends = [np.round(middle + way * r).astype(int).tolist() for r in (floor, radius)]
            cv2.line(light, ends[0], ends[1], float(rng.uniform(0.2, 0.7)), max(1, round(radius * 0.015)))
    sheet += blurred(light, rng.uniform(0.5, 3))[..., None] * np.float32(rng.uniform(0.2, 0.9))


def _floor(rng: Rng, size: tuple[int, int], colour: Floats) -> Floats:
    """A plain floor, felt, a grille with dark holes, or printed rings."""
    width, height = size
    kind = rng.choice(["plain", "felt", "grille", "rings"], p=[0.3, 0.25, 0.3, 0.15])
    if kind == "grille":
        return _grille(rng, size, colour)
    level = 0.7 + 0.3 * noise(rng, (height, width), (4, 5))
    if kind == "felt":
        level = level + rng.normal(0, 0.06, (height, width)).astype(np.float32)
    if kind == "rings":
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        step = rng.uniform(0.02, 0.1) * max(size)
        level = level * (0.8 + 0.2 * np.sign(np.sin(np.hypot(x - width / 2, y - height / 2) * 2 * math.pi / step)))
    return np.asarray(np.clip(level, 0, 1.5)[..., None] * colour, np.float32)


def _grille(rng: Rng, size: tuple[int, int], colour: Floats) -> Floats:
    """Bars in one or both directions, over dark or another colour."""
    width, height = size
    bars = np.zeros((height * _FINE, width * _FINE), np.float32)
    step = max(6.0, rng.uniform(0.02, 0.09) * max(size)) * _FINE
    thick = max(1, round(step * rng.uniform(0.15, 0.6)))
    for at in np.arange(rng.uniform(0, step), width * _FINE, step).astype(int).tolist():
        cv2.line(bars, (at, 0), (at, height * _FINE), 1.0, thick)
    if rng.random() < 0.7:
        for at in np.arange(rng.uniform(0, step), height * _FINE, step).astype(int).tolist():
            cv2.line(bars, (0, at), (width * _FINE, at), 1.0, thick)
    cover = np.asarray(cv2.resize(bars, (width, height), interpolation=cv2.INTER_AREA), np.float32)[..., None]
    luminous = (float(colour[0]) ** 0.5, float(colour[1]) ** 0.5, float(colour[2]) ** 0.5)
    holes = np.array(contrasting(rng, luminous), np.float32) ** 2 if rng.random() < 0.3 else np.full(3, 0.01)
    return np.asarray(holes + (colour - holes) * cover, np.float32)
