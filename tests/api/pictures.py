"""Drawn throws: what counts in these tests is what happens around a reading, not its values."""

from __future__ import annotations

from io import BytesIO

from PIL import Image, ImageDraw

from vision.reading import Quad

_PIPS = {
    1: [(1, 1)],
    2: [(0, 0), (2, 2)],
    3: [(0, 0), (1, 1), (2, 2)],
    4: [(0, 0), (0, 2), (2, 0), (2, 2)],
    5: [(0, 0), (0, 2), (1, 1), (2, 0), (2, 2)],
    6: [(0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)],
}
_SIDE = 120


def drawn_throw(values: tuple[int, ...] = (5, 5, 2, 2, 1, 4, 6), table: str = "#2d6a4f") -> Image.Image:
    """White dice in two rows on a plain table, seen straight from above."""
    picture = Image.new("RGB", (960, 640), table)
    pen = ImageDraw.Draw(picture)
    for at, value in enumerate(values):
        (left, top), _, corner, _ = place(at)
        pen.rounded_rectangle((left, top, *corner), 18, fill="#f4f1ea", outline="#b8b2a5", width=3)
        for row, column in _PIPS[value]:
            x, y = left + 30 + column * 30, top + 30 + row * 30
            pen.ellipse((x - 10, y - 10, x + 10, y + 10), fill="#1b1b1b")
    return picture


def place(at: int) -> Quad:
    """Where the die of this number, from 0, lies in a drawn throw."""
    left, top = 80.0 + at % 4 * 220, 120.0 + at // 4 * 260
    return ((left, top), (left + _SIDE, top), (left + _SIDE, top + _SIDE), (left, top + _SIDE))


def jpeg(picture: Image.Image) -> bytes:
    data = BytesIO()
    picture.save(data, "JPEG", quality=92)
    return data.getvalue()
