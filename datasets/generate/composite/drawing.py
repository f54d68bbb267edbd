"""Draws boxes and their shadows on a canvas."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from datasets.generate.composite.boxes import Block, Canvas, silhouette
from datasets.generate.composite.camera import Camera
from datasets.generate.parts.layouts.spots import Points
from datasets.generate.parts.outlines import fixed, hull, window
from datasets.generate.parts.paint import blurred
from datasets.generate.parts.tile_faces import Floats

_SPLIT = 0.45
"""Height at which the lower part of a flank ends, as a share of the whole."""


def draw(canvas: Canvas, block: Block, owner: int, gloss: float) -> None:
    """Draw an antialiased box over the canvas; a piece is also entered in the map of owners."""
    outline = silhouette(canvas.camera, block)
    left, top, right, bottom = window(outline, canvas.size)
    if right <= left or bottom <= top:
        return
    fine = 4 if (right - left) * (bottom - top) < 8000 else 2
    patch = np.zeros(((bottom - top) * fine, (right - left) * fine, 4), np.float32)
    _flanks(canvas, block, patch, (left, top), fine)
    _cover(canvas, block, patch, (left, top), fine)
    patch = np.asarray(cv2.resize(patch, (right - left, bottom - top), interpolation=cv2.INTER_AREA))
    where = (slice(top, bottom), slice(left, right))
    alpha = patch[..., 3:]
    canvas.pixels[where] *= 1 - alpha
    canvas.pixels[where] += patch[..., :3] + alpha * canvas.glare[where][..., None] * np.float32(gloss)
    cv2.fillConvexPoly(canvas.owner, fixed(outline), owner, shift=4)


def _flanks(canvas: Canvas, block: Block, patch: Floats, origin: tuple[int, int], fine: int) -> None:
    eye, rim = canvas.camera, block.rim(0.5)
    rings = [(eye.project(block.rim(h)) - origin) * fine for h in (0.0, _SPLIT, 1.0)]
    for i, way in enumerate(np.roll(rim, -1, 0) - rim):
        normal = np.array([way[1], -way[0], 0]) / max(1e-9, math.hypot(way[0], way[1]))
        if (eye.eye - rim[i]) @ normal <= 0:
            continue
        lit = canvas.light.colour * np.float32(canvas.light.on(normal))
        j = (i + 1) % len(rim)
        for low, high, colour in ((0, 1, block.under), (1, 2, block.side)):
            quad = np.array([rings[low][i], rings[low][j], rings[high][j], rings[high][i]])
            shade = lit * colour * np.float32(0.8 if low == 0 else 1)
            cv2.fillConvexPoly(patch, fixed(quad), (*shade.tolist(), 1.0), shift=4)


def _cover(canvas: Canvas, block: Block, patch: Floats, origin: tuple[int, int], fine: int) -> None:
    """Draw the top and the front where they are visible."""
    eye, sides = canvas.camera, []
    if eye.eye[2] > block.foot[2] + block.size[2]:
        sides.append((block.face, block.corners(1), block.rim(1), 1.0))
    if block.front is not None and (eye.eye - block.front_corners()[3]) @ block.ahead > 0:
        outline = block.front_corners()
        sides.append((block.front, outline, outline, canvas.light.on(block.ahead)))
    for picture, corners, rim, light in sides:
        target, edge = ((eye.project(points) - origin) * fine for points in (corners, rim))
        _through(patch, picture * canvas.light.colour * np.float32(light), target - 0.5, edge)


def _through(patch: Floats, picture: Floats, target: Points, rim: Points) -> None:
    """Warp a picture by a homography to four points, clipped to an outline."""
    height, width = picture.shape[:2]
    source = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - np.float32(0.5)
    shape = (patch.shape[1], patch.shape[0])
    warp = cv2.getPerspectiveTransform(source, target.astype(np.float32))
    face = cv2.warpPerspective(picture, warp, shape, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros(patch.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, fixed(rim), 255, shift=4)
    shown = mask > 0
    patch[shown, :3] = face[shown]
    patch[shown, 3] = 1


def cast(canvas: Canvas, blocks: Sequence[Block], storey: float) -> None:
    """Darken the area under the boxes of one storey: the lamp's shadow, and the gap that no light reaches.

    Args:
        canvas: darkened in place.
        blocks: the boxes of the storey, at least one.
        storey: the height over the table at which the shadows fall.
    """
    width, height = canvas.size
    lamp, touch = np.zeros((height // 2, width // 2), np.float32), np.zeros((height // 2, width // 2), np.float32)
    for block in blocks:
        foot, lid = block.rim(0), block.rim(1)
        away = canvas.light.way[:2] / canvas.light.way[2] * block.size[2]
        lid = np.column_stack([lid[:, :2] - away, np.full(len(lid), storey)])
        cv2.fillConvexPoly(lamp, fixed(hull(canvas.camera.project(np.concatenate([foot, lid]))) / 2), 1.0, shift=4)
        cv2.fillConvexPoly(touch, fixed(hull(canvas.camera.project(foot)) / 2), 1.0, shift=4)
    scale = _scale(canvas.camera, blocks) / 2
    dark = blurred(lamp, canvas.light.soft * scale) * np.float32(canvas.light.direct)
    dark = 1 - (1 - dark) * (1 - blurred(touch, 0.12 * scale) * np.float32(0.45))
    canvas.pixels *= 1 - cv2.resize(dark, (width, height))[..., None]


def _scale(eye: Camera, blocks: Sequence[Block]) -> float:
    """Pixels per width of a tile, where the boxes lie."""
    return float(eye.focal / np.median(eye.depth(np.array([block.foot for block in blocks]))))
