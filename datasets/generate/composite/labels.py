"""Labels of tiles and dice, in the format of `datasets.generate.blender`."""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.generate.composite.backgrounds import OTHER_DIE, Ground
from datasets.generate.composite.boxes import Block, Canvas, silhouette
from datasets.generate.composite.camera import Camera
from datasets.generate.composite.tiles import Look
from datasets.generate.parts.layouts.spots import STANDING, Points, Spot
from datasets.generate.parts.outlines import common, fixed, hull, inside, window
from datasets.generate.parts.tile_faces import Floats

Label = dict[str, Any]


def tile_label(canvas: Canvas, set_look: Look, spot: Spot, tile: Block, owner: int) -> Label | None:
    """The label of the tile drawn on the canvas as number `owner`; None if hardly any of it is visible."""
    outline, (face, up) = silhouette(canvas.camera, tile), seen_face(canvas.camera, spot, tile)
    seen, box = shown(canvas, outline, owner)
    if seen < 0.1 or min(box[2] - box[0], box[3] - box[1]) < 4:
        return None
    return {
        "kind": "domino",
        "ends": list(spot.ends) if up else [None, None],
        "face_up": up,
        "box": np.round(box, 1).tolist(),
        "quad": np.round(face, 1).tolist(),
        "hidden": round(1 - seen, 2),
        "top_seen": round(shown(canvas, hull(face), owner)[0], 2),
        "view": round(canvas.camera.elevation(tile.foot), 1),
        "colour": [round(float(c), 2) for c in set_look.style.body],
        "cocked": False,
    }


def look_alike_label(canvas: Canvas, thing: Block, owner: int) -> Label | None:
    """The label of a die's look-alike; None if it is small or largely covered."""
    seen, box = shown(canvas, silhouette(canvas.camera, thing), owner)
    if seen < 0.7 or min(box[2] - box[0], box[3] - box[1]) < 8:
        return None
    return {"kind": "other", "box": np.round(box, 1).tolist(), "hidden": round(1 - seen, 2)}


def top_face(eye: Camera, tile: Block) -> Points:
    """The corners of the top, or of a long flank with a larger visible area (a tile on edge, seen from the side)."""
    top, foot = eye.project(tile.corners(1)), eye.project(tile.corners(0))
    flanks = [np.array([top[a], top[b], foot[b], foot[a]]) for a, b in ((0, 1), (2, 3))]
    largest = max(flanks, key=lambda quad: _shown_area(quad, top))
    return largest if _shown_area(largest, top) > _area(top) else top


def seen_face(eye: Camera, spot: Spot, tile: Block) -> tuple[Points, bool]:
    """The corners of a tile's side with the largest visible area, and whether it is the one with the pips."""
    if spot.pose not in STANDING:
        return top_face(eye, tile), spot.pose == "up"
    front, top = tile.front_corners(), tile.corners(1)
    before = bool((eye.eye - front[3]) @ tile.ahead > 0)
    flank = eye.project(front if before else np.array([top[1], top[0], *tile.corners(0)[:2]]))
    if eye.eye[2] > top[0, 2] and _area(eye.project(top)) > _area(flank):
        return eye.project(top), False
    return (np.roll(flank, -1, 0) if spot.pose == "upright" else flank), before and spot.pose != "away"


def _shown_area(flank: Points, top: Points) -> float:
    """The area of a flank; 0 for one that faces away: its foot lies inside the top."""
    middle = flank[2:].mean(0)
    away = cv2.pointPolygonTest(hull(top), (float(middle[0]), float(middle[1])), False) >= 0
    return 0.0 if away else _area(flank)


def _area(quad: Points) -> float:
    return float(cv2.contourArea(quad.astype(np.float32)))


def shown(canvas: Canvas, outline: Floats, owner: int) -> tuple[float, Points]:
    """The share of a piece's outline that is inside the picture and not hidden by others, and the box around that part."""
    left, top, right, bottom = window(outline, canvas.size)
    if right <= left or bottom <= top:
        return 0.0, np.zeros(4)
    mask = np.zeros((bottom - top, right - left), np.uint8)
    cv2.fillConvexPoly(mask, fixed(outline - np.array([left, top])), 1, shift=4)
    mine = (canvas.owner[top:bottom, left:right] == owner) & (mask > 0)
    free = mine.sum() / max(1, mask.sum())
    within = common(outline, np.array([0, 0, *canvas.size])) * np.prod(canvas.size) / cv2.contourArea(outline)
    box = np.array([*outline.min(0), *outline.max(0)], float)
    if free < 0.97 and mine.any():
        box = _around(mine, left, top)
    share = min(1.0, (1.0 if free > 0.97 else float(free)) * float(within))
    return share, np.clip(box, 0, [*canvas.size, *canvas.size])


def _around(mine: NDArray[np.bool_], left: int, top: int) -> Points:
    """The box around the pixels that are true in a part of the picture."""
    y, x = np.flatnonzero(mine.any(1)), np.flatnonzero(mine.any(0))
    return np.array([x[0] + left, y[0] + top, x[-1] + left + 1, y[-1] + top + 1], float)


def dice_labels(canvas: Canvas, ground: Ground) -> list[Label]:
    """The labels of the photo's dice, as far as tiles do not cover them; none for dice with an unknown value."""
    shares = inside(ground.boxes, (0, 0, *canvas.size)).tolist()
    dice = zip(ground.boxes, ground.values, shares, strict=True)
    return [_die_label(canvas, ground, box, value, share) for box, value, share in dice if share >= 0.15 and value]


def _die_label(canvas: Canvas, ground: Ground, box: Points, value: int, share: float) -> Label:
    """The label of a die in the photo; `value`: that of a die with pips, or `OTHER_DIE`."""
    left, top, right, bottom = np.clip(box, 0, [*canvas.size, *canvas.size])
    part = canvas.owner[int(top) : math.ceil(bottom), int(left) : math.ceil(right)]
    seen = round(share * float((part == 0).mean()), 2)
    return {
        "kind": "other die" if value == OTHER_DIE else "d6",
        "value": None if value == OTHER_DIE else value,
        "box": np.round([left, top, right, bottom], 1).tolist(),
        "quad": np.round([(left, top), (right, top), (right, bottom), (left, bottom)], 1).tolist(),
        "hidden": round(1 - seen, 2),
        "top_seen": seen,
        "view": ground.view,
        "colour": [0.5, 0.5, 0.5],
        "cocked": False,
    }
