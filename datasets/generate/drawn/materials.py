"""Materials of dice, and their lighting."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from datasets.generate.parts.canvas import CANVAS, Floats, Picture, Rng
from datasets.generate.parts.clouds import cloud
from datasets.generate.parts.colours import any_colour, any_ink

_OFTEN = {"plain": 0.5, "marble": 0.13, "speckle": 0.1, "glitter": 0.05, "glass": 0.13, "metal": 0.09}


@dataclass(frozen=True)
class Material:
    """The material of a die; `paint` is its picture (canvas x canvas x 3) without lighting."""

    paint: Picture
    ink: Floats | Picture
    """One colour, or one per pixel (canvas x canvas x 3)."""
    glass: float
    """How much of the table shines through."""
    metal: float
    """How much of the surroundings it reflects."""
    gloss: float
    polish: float
    """Exponent of the highlight."""
    engraved: float
    """Depth of the numerals."""
    bevel: float
    """Blur of the normals in pixels, which rounds the edges."""
    edge: float
    """Change of brightness at worn edges."""
    bulge: float


def any_material(rng: Rng) -> Material:
    """Plain, marbled, speckled, with glitter, of glass or of metal."""
    kind = str(rng.choice(list(_OFTEN), p=list(_OFTEN.values())))
    base = any_colour(rng)
    metal = rng.uniform(0.6, 1) if kind == "metal" else rng.uniform(0, 0.25) if rng.random() < 0.3 else 0.0
    return Material(
        paint=_paint(rng, kind, base),
        ink=any_ink(rng, base),
        glass=rng.uniform(0.2, 0.6) if kind == "glass" else 0.0,
        metal=metal,
        gloss=rng.uniform(0, 0.9),
        polish=float(np.exp(rng.uniform(np.log(5), np.log(150)))),
        engraved=rng.uniform(0, 1.2) if rng.random() < 0.7 else 0.0,
        bevel=float(np.exp(rng.uniform(np.log(0.5), np.log(9)))),
        edge=rng.normal(0, 0.12) if rng.random() < 0.5 else 0.0,
        bulge=rng.uniform(0, 0.35),
    )


def _paint(rng: Rng, kind: str, base: Floats) -> Picture:
    paint = np.empty((CANVAS, CANVAS, 3), np.float32)
    paint[:] = base
    if kind == "marble":
        paint += _veins(rng) * (any_colour(rng) - base).astype(np.float32)
    elif kind in ("speckle", "glitter"):
        share = _speckles(rng)
        paint += share * ((any_colour(rng) if kind == "speckle" else np.full(3, 1.3)) - base).astype(np.float32)
    elif kind == "metal":
        paint *= (0.9 + 0.2 * cloud(rng))[..., None]
    return paint


def _veins(rng: Rng) -> Picture:
    share = np.clip((cloud(rng) - rng.uniform(0.35, 0.65)) * rng.uniform(2, 9) + 0.5, 0, 1)[..., None]
    return np.asarray(share * np.float32(rng.uniform(0.3, 0.9)))


def _speckles(rng: Rng) -> Picture:
    cells = int(rng.integers(40, 110))
    spots = (rng.random((cells, cells), np.float32) < rng.uniform(0.02, 0.15)).astype(np.float32)
    share = np.asarray(cv2.resize(spots, (CANVAS, CANVAS), interpolation=cv2.INTER_LINEAR))[..., None]
    return np.asarray(share * np.float32(rng.uniform(0.3, 1)))


@dataclass(frozen=True)
class Light:
    """One lamp (unit vector towards it), its strength, that of the sky, and the surroundings that metal reflects (32 x 32)."""

    towards: Floats
    strength: float
    sky: float
    around: Picture


def any_light(rng: Rng) -> Light:
    """A lamp 25 to 85 degrees over the table, with a random share of skylight."""
    height, turn = math.radians(rng.uniform(25, 85)), rng.uniform(0, 2 * math.pi)
    towards = np.array([math.cos(height) * math.cos(turn), math.cos(height) * math.sin(turn), math.sin(height)])
    share = rng.uniform(0.15, 0.85)
    bright = rng.uniform(0.85, 1.3)
    patches = rng.random((int(rng.integers(3, 8)),) * 2, np.float32) ** 2
    around = cv2.resize(patches, (32, 32), interpolation=cv2.INTER_CUBIC)
    return Light(towards, bright * share, bright * (1 - share), np.clip(around, 0, 1.2).astype(np.float32))
