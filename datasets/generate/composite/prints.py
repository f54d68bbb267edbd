"""Flat things on the table: printed boards, and paper with dominoes drawn on it."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.generate.composite.boxes import Canvas
from datasets.generate.parts.drawings import Rng, any_colour, contrasting
from datasets.generate.parts.layouts.spots import Spot, footprint
from datasets.generate.parts.lettering.signs import Ink, sign, title
from datasets.generate.parts.paint import Sheet, covering, flat, stored
from datasets.generate.parts.tile_faces import Floats, Style, tile_face

_BOARD = 512
"""Side of a board's picture, in pixels."""
_NAMED = 0.5
"""Probability that large words are printed on a board, where most tiles lie."""
_ART = 68
"""Height of a domino drawn on paper, in pixels."""


def lay_board(rng: Rng, canvas: Canvas, turn: float) -> None:
    """Project a board onto the table; its cells are as wide as a tile or half as wide, or of any size."""
    cells = int(rng.integers(4, 25))
    sheet = _board(rng, cells)
    in_view = max(canvas.size) / canvas.camera.focal * float(np.linalg.norm(canvas.camera.eye))
    wide = cells * rng.choice([1.0, 2.0]) if rng.random() < 0.4 else in_view * rng.uniform(0.4, 1.6)
    x, y = rng.normal(0, 0.15 * wide, 2)
    spot = Spot(x, y, turn if rng.random() < 0.6 else rng.uniform(0, 7), (0, 0))
    _lay_flat(canvas, covering(sheet), spot, wide, wide)


def _board(rng: Rng, cells: int) -> Sheet:
    """A printed board with a grid and signs in some of its cells."""
    ground = any_colour(rng)
    sheet = flat(ground, _BOARD, _BOARD)
    step, ink = _BOARD / cells, stored(contrasting(rng, ground, 0.15))
    if rng.random() < 0.3:
        sheet = _chequered(rng, sheet, step, ink)
    if rng.random() < 0.8:
        _grid(sheet, cells, ink)
    colours = [contrasting(rng, ground, 0.12) for _ in range(3)]
    share = rng.uniform(0.1, 0.6)
    for k in np.flatnonzero(rng.random(cells * cells) < share).tolist():
        middle = (k % cells + 0.5) * step, (k // cells + 0.5) * step
        sign(rng, sheet, middle, step * rng.uniform(0.25, 0.5), colours[k % 3])
    if rng.random() < _NAMED:
        for place in rng.normal(0.5, 0.15, (int(rng.integers(1, 4)), 2)):
            title(rng, sheet, tuple(place * _BOARD), _BOARD * rng.uniform(0.06, 0.22), any_colour(rng))
    return sheet


def _chequered(rng: Rng, sheet: Sheet, step: float, ink: Ink) -> Sheet:
    dark = (np.add.outer(np.arange(_BOARD) // step, np.arange(_BOARD) // step) % 2)[..., None]
    return np.asarray((sheet + (np.array(ink, np.float32) - sheet) * dark * rng.uniform(0.2, 1)).astype(np.uint8))


def _grid(sheet: Sheet, cells: int, ink: Ink) -> None:
    for k in range(cells + 1):
        at = round(k * _BOARD / cells)
        cv2.line(sheet, (at, 0), (at, _BOARD), ink, 1, cv2.LINE_AA)
        cv2.line(sheet, (0, at), (_BOARD, at), ink, 1, cv2.LINE_AA)


def lay_paper(rng: Rng, canvas: Canvas, style: Style, turn: float) -> None:
    """Lay paper with dominoes drawn in one ink, outlines and pips only; nothing if no table is visible there."""
    wide, high = 300, int(rng.choice([100, 190]))
    sheet = _paper(rng, style, wide, high)
    where = canvas.camera.under(rng.uniform(0.1, 0.9, 2) * canvas.size)
    if where is not None:
        grow = rng.uniform(0.4, 1.3)
        spot = Spot(*where, turn + rng.normal(0, 0.3), (0, 0))
        _lay_flat(canvas, covering(sheet), spot, 4.4 * grow, 4.4 * grow * high / wide)


def _paper(rng: Rng, style: Style, wide: int, high: int) -> Sheet:
    colour = any_colour(rng)
    ink = np.array(stored(contrasting(rng, colour)), np.float32)
    sheet = flat(colour, high, wide)
    for top in range(14, high - 70, 90):
        for left in (8, 156):
            art, _ = tile_face(rng, (int(rng.integers(7)), int(rng.integers(7))), style, _ART)
            part = sheet[top : top + _ART, left : left + 2 * _ART]
            part[:] = part + (ink - part) * art[..., 3:]
            cv2.rectangle(sheet, (left, top), (left + 2 * _ART - 1, top + _ART - 1), ink.tolist(), 1)
    return sheet


def _lay_flat(canvas: Canvas, sheet: Floats, spot: Spot, long: float, wide: float) -> None:
    """Lay a flat picture with alpha (h x w x 4) on the table; nothing if a part of it is behind the camera."""
    corners = footprint(spot, long, wide)
    if canvas.camera.depth(np.column_stack([corners, np.zeros(4)])).min() < 0.05 * canvas.camera.eye[2]:
        return
    height, width = sheet.shape[:2]
    source = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    warp = canvas.camera.plane() @ cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    laid = cv2.warpPerspective(sheet, warp, canvas.size, flags=cv2.INTER_AREA)
    canvas.pixels *= 1 - laid[..., 3:]
    canvas.pixels += laid[..., :3] * laid[..., 3:] * canvas.light.colour
