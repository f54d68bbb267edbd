"""Augmented views of a taught piece, rotated and relit, in place of more photos. The same piece gives the same views."""

from __future__ import annotations

import cv2
import numpy as np

from vision.classify import dice, tiles
from vision.classify.crop_network import View, crop
from vision.detect.boxes import Detection
from vision.photo import Pixels
from vision.taught.pieces import TaughtPiece

DIE_VIEWS, END_VIEWS = 8, 6
"""Number of views of a die, and of each end of a tile."""
_TURN = 180.0
"""Degrees of rotation, either way: a die seen from above may lie any way round."""
_ZOOM = (0.92, 1.1)
_SHIFT = 2.0
"""Standard deviation of the box's position in pixels, like the detector's error."""
_LIGHT = (0.75, 1.3)
"""Exponents of the tone curve."""
_SOFT = 0.3
"""Probability that a view is a little out of focus."""
Rng = np.random.Generator


def die_views(piece: TaughtPiece) -> list[Pixels]:
    """Crops of a die for its network: the first unaltered, the others augmented."""
    pixels, box, rng = piece.pixels(), piece.detection, np.random.default_rng(len(piece.jpeg))
    views = [_die(pixels, box, (1.0, 0.0))]
    while len(views) < DIE_VIEWS:
        dx, dy = rng.normal(0, _SHIFT, 2)
        view = (float(rng.uniform(*_ZOOM)), float(rng.uniform(-_TURN, _TURN)))
        views.append(_lit(rng, _die(pixels, box.mapped(1, 1, float(dx), float(dy)), view)))
    return views


def _die(pixels: Pixels, box: Detection, view: View) -> Pixels:
    return crop(pixels, box, view, dice.SIDE, dice.MARGIN)


def end_views(piece: TaughtPiece) -> tuple[list[Pixels], list[Pixels]]:
    """Crops of both ends of a tile, as for dice. An end has a fixed orientation, so it is mirrored instead of rotated."""
    pixels, rng = piece.pixels(), np.random.default_rng(len(piece.jpeg))
    both: tuple[list[Pixels], list[Pixels]] = ([], [])
    for half, views in zip(tiles.halves(piece.detection.corners), both, strict=True):
        views.append(tiles.end(pixels, half, (1.0, False)))
        while len(views) < END_VIEWS:
            view = (float(rng.uniform(*_ZOOM)), bool(rng.random() < 0.5))
            views.append(_lit(rng, tiles.end(pixels, half, view)))
    return both


def _lit(rng: Rng, view: Pixels) -> Pixels:
    """The view with another brightness and white balance, and sometimes blurred."""
    shares = np.asarray(view, np.float32) / 255
    tones = shares ** np.float32(rng.uniform(*_LIGHT)) * rng.uniform(0.94, 1.06, 3).astype(np.float32)
    if rng.random() < _SOFT:
        tones = np.asarray(cv2.GaussianBlur(tones, (0, 0), float(rng.uniform(0.4, 1.1))))
    return np.asarray(np.clip(tones * 255, 0, 255), np.uint8)
