"""The look of tiles."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np

from datasets.generate.composite.boxes import Block, Light
from datasets.generate.parts.drawings import Rng, any_colour, luminance
from datasets.generate.parts.layouts.spots import STANDING, Spot
from datasets.generate.parts.paint import noise
from datasets.generate.parts.tile_faces import Floats, Style, tile_back, tile_face, tile_style

Ink = Literal["own", "none", "black", "white"]
"""Ink of the marks: the set's own, none (and no relief), or a visible one, to find where marks are and what they change."""
_MIDDLE = 0.12
"""Distance from the middle line, in a tile's widths, within which marks belong to neither end."""


@dataclass(frozen=True, slots=True)
class Look:
    """A set of tiles: the print of its faces, and the shape of its tiles in widths."""

    style: Style
    long: float
    thick: float
    radius: float
    bevel: float
    rim: float
    """How much darker the edge of the top is than its centre; below 0: lighter, as worn or shiny edges are."""
    gloss: float
    under: Floats
    """Colour of the lower part of the flanks."""
    ink: Ink = "own"
    """The ink of the marks on the ends."""


def look(rng: Rng, dark: bool) -> Look:
    """A random set; `dark`: a black one."""
    style = _style(rng, dark)
    body = np.array(style.body, np.float32) ** 2
    under = np.array(any_colour(rng), np.float32) ** 2 if rng.random() < 0.12 else body
    return Look(
        style=style,
        long=rng.choice([2.0, rng.uniform(1.8, 2.15)]),
        thick=rng.uniform(0.2, 0.35) if rng.random() < 0.25 else rng.uniform(0.35, 0.5),
        radius=rng.choice([0.02, rng.uniform(0.04, 0.2)], p=[0.3, 0.7]),
        bevel=rng.uniform(0.02, 0.1),
        rim=rng.uniform(-1.5, 0.3) if luminance(style.body) < 0.2 else rng.uniform(0.0, 0.45),
        gloss=rng.choice([0.0, rng.uniform(0.1, 1)], p=[0.4, 0.6]),
        under=under,
    )


def _style(rng: Rng, dark: bool) -> Style:
    set_size = int(rng.choice([6, 9, 12], p=[0.65, 0.15, 0.2]))
    style = tile_style(rng, set_size)
    for _ in range(30):
        if not dark or luminance(style.body) < 0.16:
            break
        style = tile_style(rng, set_size)
    return style


def block(rng: Rng, set_look: Look, spot: Spot, pixels: float, light: Light) -> Block:
    """A tile of the set at a spot, with a picture for a width of `pixels`."""
    foot = (spot.x, spot.y, spot.storey * set_look.thick)
    side = np.array(set_look.style.body, np.float32) ** 2
    if spot.pose == "edge":
        size = (set_look.long, set_look.thick, 1.0)
        face = np.broadcast_to(side, (8, 16, 3)).astype(np.float32)
        return Block(foot, spot.turn, size, min(set_look.radius, set_look.thick / 3), face, side, side)
    height = int(np.clip(pixels * 2.5, 24, 160))
    if spot.pose in STANDING:
        return _standing(rng, set_look, spot, height, foot)
    size = (set_look.long, 1.0, set_look.thick)
    face = _picture(rng, set_look, spot, height, _seen_from(spot.turn, light))
    return Block(foot, spot.turn, size, set_look.radius, face, side, set_look.under)


def _standing(rng: Rng, set_look: Look, spot: Spot, height: int, foot: tuple[float, float, float]) -> Block:
    """A tile on an edge, as players hold their hands, with its face or its back to the front."""
    side = np.array(set_look.style.body, np.float32) ** 2
    lying = replace(spot, pose="down" if spot.pose == "away" else "up")
    front = _picture(rng, set_look, lying, height, (0.0, float(rng.uniform(-0.6, 0.6))))
    wide, high = (1.0, set_look.long) if spot.pose == "upright" else (set_look.long, 1.0)
    if spot.pose == "upright":
        front = np.ascontiguousarray(np.rot90(front, 3))
    size = (wide, set_look.thick, high)
    plain = np.broadcast_to(side, (8, 16, 3)).astype(np.float32)
    rim = min(set_look.radius, set_look.thick / 3)
    return Block(foot, spot.turn, size, rim, plain, side, side, front, spot.lean)


def rack(rng: Rng, tiles: Sequence[Block]) -> list[Block]:
    """A rack for standing tiles: a ledge in front of each of them, and often a wall behind."""
    colour = np.array(any_colour(rng), np.float32) ** 2
    deep, low, high = rng.uniform(0.1, 0.5), rng.uniform(0.05, 0.25), rng.uniform(0.1, 0.9)
    found = []
    for tile in tiles:
        heights = [(1, low), (-1, high)] if high > 0.3 else [(1, low)]
        for side, height in heights:
            away = side * (tile.size[1] + deep + 0.02) / 2 * tile.ahead
            x, y = tile.foot[:2] + away[:2] - (tile.lean * height * tile.ahead[:2] if side < 0 else 0)
            plain = np.broadcast_to(colour * np.float32(rng.uniform(0.95, 1.05)), (8, 16, 3)).astype(np.float32)
            size = (tile.size[0] * 1.02, deep, height)
            found.append(Block((x, y, 0.0), tile.turn, size, 0.02, plain, colour, colour, lean=tile.lean * (side < 0)))
    return found


def _seen_from(turn: float, light: Light) -> tuple[float, float]:
    """The lamp's direction along the columns and rows of a tile's picture."""
    c, s = math.cos(turn), math.sin(turn)
    x, y = light.way[:2] * light.direct
    return float(c * x + s * y), float(s * x - c * y)


def _picture(rng: Rng, set_look: Look, spot: Spot, height: int, lamp: tuple[float, float]) -> Floats:
    """The lit top of a tile, height x 2 height x 3: body, ink, hollows and bevel."""
    style = set_look.style
    ink, depth = tile_back(rng, style, height) if spot.pose == "down" else tile_face(rng, spot.ends, style, height)
    if set_look.ink != "own" and spot.pose != "down":
        ends = np.abs(np.arange(2 * height) - height) > _MIDDLE * height
        if set_look.ink == "none":
            ink[:, ends, 3] = depth[:, ends] = 0
        else:
            ink[:, ends, :3] = set_look.ink == "white"
    body = _body(rng, style, height)
    colour = body + (ink[..., :3] - body) * ink[..., 3:]
    rise = _bevel(height, max(1.0, set_look.bevel * height))
    relief = rise * np.float32(set_look.bevel) - depth * np.float32(0.06)
    slope_x = cv2.Sobel(relief, cv2.CV_32F, 1, 0, scale=height / 8)
    slope_y = cv2.Sobel(relief, cv2.CV_32F, 0, 1, scale=height / 8)
    shade = 1 - (slope_x * np.float32(lamp[0]) + slope_y * np.float32(lamp[1])) * np.float32(0.9)
    shade = np.clip(shade, 0.35, 1.5) * (1 - np.float32(set_look.rim) * (1 - rise))
    return np.asarray(colour**2 * shade[..., None], np.float32)


@functools.lru_cache(16)
def _bevel(height: int, wide: float) -> Floats:
    """How high a rounded edge stands, 0 at the rim to 1 where the top is level."""
    x = np.minimum(np.arange(2 * height), np.arange(2 * height)[::-1]) + 0.5
    y = np.minimum(np.arange(height), np.arange(height)[::-1]) + 0.5
    return np.asarray(np.clip(np.minimum(x[None], y[:, None]) / wide, 0, 1) ** 0.5, np.float32)


def _body(rng: Rng, style: Style, height: int) -> Floats:
    body, second = np.array(style.body, np.float32), np.array(style.second, np.float32)
    if style.grain == "plain":
        return np.asarray(np.broadcast_to(body * np.float32(rng.uniform(0.94, 1.04)), (height, 2 * height, 3)))
    cells = (12, 3) if style.grain == "wood" else (6, 10)
    mix = noise(rng, (height, 2 * height), cells)[..., None]
    return np.asarray(body + (second - body) * mix, np.float32)
