"""Things in rows and columns: squares of a chessboard, studs, keys, lamps."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.generate.parts.drawings import Rng, any_colour, contrasting
from datasets.generate.parts.paint import Sheet, stored

_SIGNS = list("QWERTYUIOP123456789.:;oO")


def rows(rng: Rng, ground: Sheet) -> Sheet:
    """Things in rows and columns on a picture (height x width x 3), seen at a slant."""
    height, width = ground.shape[:2]
    sheet, side = ground.copy(), min(height, width)
    step = side * rng.uniform(0.03, 0.14)
    across, down = (int(count) for count in rng.integers(2, 14, 2))
    left, top = rng.uniform(0, 0.3, 2) * side
    body = any_colour(rng)
    ink, kind = contrasting(rng, body), int(rng.integers(4))
    if kind or rng.random() < 0.3:
        cv2.rectangle(
            sheet, (int(left), int(top)), (int(left + step * across), int(top + step * down)), stored(body), -1
        )
    for i in range(across):
        for j in range(down):
            _thing(rng, sheet, (left + i * step, top + j * step), step, (kind, (i + j) % 2), stored(ink))
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    seen = (corners + rng.normal(0, 0.1 * side, (4, 2))).astype(np.float32)
    warp = cv2.getPerspectiveTransform(corners, seen)
    return np.asarray(cv2.warpPerspective(sheet, warp, (width, height), borderMode=cv2.BORDER_REFLECT), np.uint8)


def _thing(
    rng: Rng,
    sheet: Sheet,
    at: tuple[float, float],
    step: float,
    kind: tuple[int, int],
    ink: tuple[int, int, int],
) -> None:
    """Draw one of them: a square at every second place, a stud, a key with a sign, or a lamp that may be off."""
    (x, y), (what, odd) = at, kind
    middle = int(x + step / 2), int(y + step / 2)
    if what == 0 and odd:
        cv2.rectangle(sheet, (int(x), int(y)), (int(x + step), int(y + step)), ink, -1)
    elif what == 1:
        cv2.circle(sheet, middle, int(step * 0.29), ink, -1, cv2.LINE_AA)
    elif what == 2:
        low, high = (int(x + step * 0.08), int(y + step * 0.08)), (int(x + step * 0.92), int(y + step * 0.92))
        cv2.rectangle(sheet, low, high, ink, -1)
        if rng.random() < 0.6:
            place = int(x + step * 0.3), int(y + step * 0.65)
            shade = tuple(255 - channel for channel in ink)
            cv2.putText(sheet, str(rng.choice(_SIGNS)), place, 0, step / 50, shade, 1, cv2.LINE_AA)
    elif what == 3 and rng.random() < 0.7:
        ring = tuple(int(0.6 * channel) for channel in ink)
        cv2.circle(sheet, middle, int(step * 0.36), ring, -1, cv2.LINE_AA)
        cv2.circle(sheet, middle, int(step * 0.26), ink, -1, cv2.LINE_AA)
