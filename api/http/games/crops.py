"""An enlarged crop of one piece from its photo, for people to check."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

from PIL import Image

from api.store import Missing, StoredReading
from vision.photo import GREY, Photo, Pixels, load
from vision.reading import Quad, Reading

SIDE = 480
"""Side of the crop, in pixels."""
_ROUND_IT = 1.3
"""Side of the crop relative to the longer side of the piece."""
_QUALITY = 90


def enlarged(kept: StoredReading, piece: int, photo: Callable[[str], bytes]) -> bytes:
    """A square JPEG centred on the piece.

    Args:
        kept: the reading.
        piece: index in the reading's dice, continued through the tiles.
        photo: returns the bytes of a photo by name.

    Raises:
        Missing: "no-piece", "no-photo".
    """
    reading = Reading.from_json(kept.reading)
    box = _box_of(reading, piece)
    data = BytesIO()
    _crop(load(photo(kept.photo)), box).save(data, "JPEG", quality=_QUALITY)
    return data.getvalue()


def _box_of(reading: Reading, piece: int) -> Quad:
    boxes = [*(die.box for die in reading.dice), *(tile.box for tile in reading.tiles)]
    if piece >= len(boxes):
        raise Missing("no-piece", f"There is no piece {piece}: the reading has {len(boxes)} pieces, numbered from 0.")
    return boxes[piece]


def _crop(photo: Photo, box: Quad) -> Image.Image:
    left, top, right, bottom = _square(box)
    # Use the full photo only if the working picture has too few pixels.
    scale = 1 if (right - left) / photo.scale < SIDE else photo.scale
    pixels = photo.full() if scale == 1 else photo.pixels
    area = tuple(round(side / scale) for side in (left, top, right, bottom))
    return _cut(pixels, area).resize((SIDE, SIDE), Image.Resampling.BICUBIC)


def _square(box: Quad) -> tuple[float, float, float, float]:
    xs, ys = zip(*box, strict=True)
    half = max(4.0, _ROUND_IT * max(max(xs) - min(xs), max(ys) - min(ys)) / 2)
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return x - half, y - half, x + half, y + half


def _cut(pixels: Pixels, area: tuple[int, ...]) -> Image.Image:
    left, top, right, bottom = area
    canvas = Image.new("RGB", (right - left, bottom - top), GREY)
    inside = pixels[max(0, top) : bottom, max(0, left) : right]
    if inside.size:
        canvas.paste(Image.fromarray(inside), (max(0, -left), max(0, -top)))
    return canvas
