"""Hands over the table. They are sprites: rendered once, with alpha, from straight above, then moved across the frames.

Tracing a hand in every frame would cost more than everything else. The price: its shadow is a soft dark shape beside
it, and its lighting is that of one room. The arm is long enough to leave the picture wherever the hand reaches.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

Rng = np.random.Generator
Pixels = NDArray[np.uint8]

UNIT = 20
"""Sprite pixels per die edge."""
FRAME = (-5.5, -8.0, 5.5, 8.0)
"""The part of the hand's plane that a sprite shows: left, near (the arm's end), right, far; in die edges."""
GRIPS = {"flat": (0.0, 0.6), "pinch": (-1.5, 4.1), "cup": (0.0, 1.6)}
"""The position in that plane of what each grip holds."""
SKINS = ((1.0, 1.0, 1.0), (1.0, 0.93, 0.86), (0.82, 0.72, 0.64), (0.62, 0.5, 0.42), (0.42, 0.32, 0.27))


@dataclass(frozen=True)
class Hand:
    """A hand that reaches in from one side, ready to be drawn over frames; `grip` is its pixel in `rgba`."""

    rgba: NDArray[np.float32]
    shade: NDArray[np.float32]
    grip: tuple[int, int]
    throw: tuple[int, int]
    """Offset of its shadow, in pixels."""

    def over(self, canvas: Pixels, at: tuple[float, float]) -> Pixels:
        """The picture with the hand holding what is at pixel `at`."""
        out = canvas.astype(np.float32)
        left, top = round(at[0]) - self.grip[0], round(at[1]) - self.grip[1]
        into, of = _overlap(out, self.shade, left + self.throw[0], top + self.throw[1])
        out[into] *= 1 - 0.5 * self.shade[of][..., None]
        into, of = _overlap(out, self.rgba, left, top)
        alpha = self.rgba[of][..., 3:]
        out[into] += alpha * (self.rgba[of][..., :3] - out[into])
        return out.clip(0, 255).astype(np.uint8)


def drawn(path: Path, rng: Rng, unit: float, way: float, light: float, reach: int, skin: int) -> Hand:
    """A hand in a picture, from a sprite's file.

    Args:
        path: the sprite; its name begins with its pose, one of `GRIPS`.
        rng: for the shadow.
        unit: pixels per die edge in the picture.
        way: direction in which the hand points: radians from the picture's right, clockwise.
        light: brightness of the table, 0 to 1.
        reach: pixels by which the arm must be extended.
        skin: index into `SKINS`.
    """
    sprite = _armed(Image.open(path), int(reach * UNIT / unit))
    sprite = sprite.resize((round(sprite.width * unit / UNIT), round(sprite.height * unit / UNIT)))
    x, y = GRIPS[path.stem.split("-")[0]]
    grip = (x - FRAME[0]) * unit, (FRAME[3] - y) * unit
    # The sprite points up; it is rotated about its grip, on a canvas that is large enough.
    side = int(2 * math.hypot(sprite.width, sprite.height)) | 1
    sheet = Image.new("RGBA", (side, side))
    sheet.paste(sprite, (round(side / 2 - grip[0]), round(side / 2 - grip[1])))
    turned = sheet.rotate(-90 - math.degrees(way), Image.Resampling.BILINEAR)
    left, top, right, bottom = turned.getbbox() or (0, 0, side, side)
    room = int(2 * unit)  # for the soft shadow
    box = left - room, top - room, right + room, bottom + room
    rgba = np.array(turned.crop(box), np.float32)
    rgba[..., 3] /= 255
    rgba[..., :3] *= np.array(SKINS[skin], np.float32) * np.float32(min(1.25, 0.25 + 1.4 * light))
    shade = turned.crop(box).getchannel("A").filter(ImageFilter.GaussianBlur(unit * rng.uniform(0.25, 0.6)))
    away, turn = unit * rng.uniform(0.3, 1.4), rng.uniform(0, 2 * math.pi)
    throw = round(away * math.cos(turn)), round(away * math.sin(turn))
    return Hand(rgba, np.asarray(shade, np.float32) / np.float32(255), (side // 2 - box[0], side // 2 - box[1]), throw)


def _armed(sprite: Image.Image, more: int) -> Image.Image:
    """The sprite with a longer arm: its last row is repeated."""
    out = Image.new("RGBA", (sprite.width, sprite.height + more))
    out.paste(sprite, (0, 0))
    last = sprite.crop((0, sprite.height - 1, sprite.width, sprite.height))
    out.paste(last.resize((sprite.width, more)), (0, sprite.height))
    return out


def _overlap(
    canvas: NDArray[np.float32], sheet: NDArray[np.float32], left: int, top: int
) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    """The overlapping parts of a canvas and of a sheet laid on it at (left, top)."""
    rows = slice(max(0, top), max(0, min(canvas.shape[0], top + sheet.shape[0])))
    columns = slice(max(0, left), max(0, min(canvas.shape[1], left + sheet.shape[1])))
    rows = slice(rows.start, max(rows.start, rows.stop))
    columns = slice(columns.start, max(columns.start, columns.stop))
    of = slice(rows.start - top, rows.stop - top), slice(columns.start - left, columns.stop - left)
    return (rows, columns), of
