"""Draws a reading on its photo: every piece outlined, its value beside it, and below whether to look again.

A doubt shows by colour, by a dashed box and by a question mark, never by colour alone. Blue and orange are those of
Okabe and Ito (2008), which stay apart in every common kind of colour blindness.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, cos, dist, pi, sin
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from vision.photo import Pixels
from vision.reading import Point, Quad, Reading

_INK = (0, 0, 0)
_PAPER = (255, 255, 255)
_MARGIN = 0.25
"""Padding around a label's text, over the text size."""
_SMALLEST_TEXT = 8.0
"""Pixels."""
_STAR = 0.9
"""Width of the star that marks the starter, in text sizes. It is drawn, for Pillow's own font has none."""


@dataclass(frozen=True, slots=True)
class _Style:
    line: tuple[int, int, int]
    text: tuple[int, int, int]
    mark: str
    dashed: bool


_SURE = _Style(line=(0, 114, 178), text=_PAPER, mark="", dashed=False)
_DOUBTFUL = _Style(line=(230, 159, 0), text=_INK, mark="?", dashed=True)


@dataclass(frozen=True, slots=True)
class _Mark:
    """A piece as it is drawn: its outline in pixels of the picture, what is written beside it, and whether a star is."""

    box: Quad
    text: str
    style: _Style
    starred: bool = False


class Area(NamedTuple):
    """An upright rectangle in pixels, `right` and `bottom` just beyond it."""

    left: float
    top: float
    right: float
    bottom: float

    def shared(self, other: Area) -> float:
        """How many square pixels both cover."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(width, 0.0) * max(height, 0.0)


def annotate(reading: Reading, pixels: Pixels) -> Image.Image:
    """The photo with the reading drawn on it and a banner added below.

    Args:
        reading: its boxes are in pixels of the full photo (`reading.width` wide).
        pixels: H x W x 3, RGB, upright; the full photo or a smaller copy of it, to which the boxes are scaled.

    Returns:
        An RGB image as wide as `pixels` and higher by the banner. `pixels` stays as it is.
    """
    photo = Image.fromarray(pixels)
    mark(reading, photo)
    return _with_banner(photo, reading)


def mark(reading: Reading, picture: Image.Image) -> None:
    """Draw every piece's outline and value, and nothing else.

    Args:
        reading: its boxes are in pixels of the full photo, and scaled to the picture.
        picture: is drawn on; RGB, or RGBA for a layer that goes over the photo.
    """
    unit = max(picture.size) / 1000
    marks = list(_marks(reading, picture.width / reading.width, picture.height / reading.height))
    draw = ImageDraw.Draw(picture)
    for each in marks:
        _outline(draw, each.box, each.style, width=max(1, round(3 * unit)))
    taken = [around(each.box) for each in marks]
    for each in marks:
        taken.append(_label(draw, picture.size, each, taken))


def _marks(reading: Reading, x_scale: float, y_scale: float) -> Iterator[_Mark]:
    """Every piece, the dice first."""
    dice, tiles = ({doubt.piece for doubt in reading.doubts}, {doubt.tile for doubt in reading.doubts})
    for place, die in enumerate(reading.dice):
        style = _DOUBTFUL if place in dice else _SURE
        yield _Mark(_scaled(die.box, x_scale, y_scale), str(die.value), style, starred=die.starter)
    for place, tile in enumerate(reading.tiles):
        yield _Mark(_scaled(tile.box, x_scale, y_scale), tile.name, _DOUBTFUL if place in tiles else _SURE)


def _scaled(box: Quad, x_scale: float, y_scale: float) -> Quad:
    a, b, c, d = ((x * x_scale, y * y_scale) for x, y in box)
    return (a, b, c, d)


def around(box: Quad) -> Area:
    """The upright rectangle round a piece."""
    xs, ys = zip(*box, strict=True)
    return Area(min(xs), min(ys), max(xs), max(ys))


# Boxes


def _outline(draw: ImageDraw.ImageDraw, box: Quad, style: _Style, width: int) -> None:
    """A coloured line on a wider pale one, so that it shows on any table."""
    for start, end in pairwise([*box, box[0]]):
        draw.line([start, end], fill=_PAPER, width=width + 2 * ceil(width / 3))
        pieces = _dashes(start, end, 4.0 * width) if style.dashed else [(start, end)]
        for piece in pieces:
            draw.line(list(piece), fill=style.line, width=width)


def _dashes(start: Point, end: Point, length: float) -> Iterator[tuple[Point, Point]]:
    """Every other stretch of about `length` pixels, the first and the last among them so that corners stay closed."""
    count = 2 * int(dist(start, end) / (2 * length)) + 1
    (x, y), (to_x, to_y) = start, end
    stops = [(x + (to_x - x) * step / count, y + (to_y - y) * step / count) for step in range(count + 1)]
    yield from list(pairwise(stops))[::2]


# Labels


Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


def _font(size: float) -> Font:
    """Pillow's own font, so that none need be installed."""
    return ImageFont.load_default(size=size)


def _label(draw: ImageDraw.ImageDraw, photo: tuple[int, int], mark: _Mark, taken: list[Area]) -> Area:
    """Draw the label beside the piece, away from the areas in `taken`, and return its area."""
    style, text, piece = mark.style, mark.text + mark.style.mark, around(mark.box)
    for part in (1.0, 0.75, 0.5):  # smaller where pieces lie close together
        size = max(part * _label_size(mark.box, photo), _SMALLEST_TEXT)
        font = _font(size)
        left, top, right, bottom = font.getbbox(text)
        star = _STAR * size if mark.starred else 0.0
        plate = (right - left + star + 2 * _MARGIN * size, bottom - top + 2 * _MARGIN * size)
        area = _best_area(piece, plate, photo, taken)
        if not _covered(area, taken):
            break
    shape = (area.left, area.top, area.right - 1, area.bottom - 1)
    draw.rounded_rectangle(shape, radius=plate[1] / 5, fill=style.line, outline=_PAPER, width=max(1, round(size / 16)))
    draw.text((area.left + _MARGIN * size - left, area.top + _MARGIN * size - top), text, fill=style.text, font=font)
    if mark.starred:
        draw.polygon(
            _star((area.right - (_MARGIN + _STAR / 2) * size, area.top + plate[1] / 2), star / 2), fill=style.text
        )
    return area


def _star(middle: Point, radius: float) -> list[Point]:
    """The corners of a star with five points, one of them up."""
    reach = [radius if corner % 2 == 0 else 0.4 * radius for corner in range(10)]
    return [
        (middle[0] + far * sin(corner * pi / 5), middle[1] - far * cos(corner * pi / 5))
        for corner, far in enumerate(reach)
    ]


def _label_size(box: Quad, photo: tuple[int, int]) -> float:
    """Text size in pixels: half the box's shorter side, but readable in the whole picture, and at most a tenth of it."""
    half = 0.5 * min(dist(start, end) for start, end in pairwise(box))
    return min(max(half, 0.027 * max(photo)), 0.1 * min(photo))


def _best_area(piece: Area, plate: tuple[float, float], photo: tuple[int, int], taken: list[Area]) -> Area:
    """The area beside the piece that overlaps `taken` the least; on a tie the first, which is above it."""
    places = (_inside(place, photo) for place in _places(piece, *plate))
    return min(places, key=lambda place: _covered(place, taken))


def _covered(place: Area, taken: list[Area]) -> float:
    return sum(place.shared(area) for area in taken)


def _places(piece: Area, width: float, height: float) -> Iterator[Area]:
    gap = height / 6
    middle_x, middle_y = (piece.left + piece.right) / 2, (piece.top + piece.bottom) / 2
    above, below = piece.top - gap - height, piece.bottom + gap
    left, right = piece.left - gap - width, piece.right + gap
    across = [middle_x - width / 2, piece.left, piece.right - width]
    down = [middle_y - height / 2, piece.top, piece.bottom - height]
    top_lefts = [
        *((x, above) for x in across),
        *((x, y) for x in (right, left) for y in down),
        *((x, below) for x in across),
        *((x, y) for y in (above, below) for x in (left, right)),
    ]
    for x, y in top_lefts:
        yield Area(x, y, x + width, y + height)


def _inside(area: Area, photo: tuple[int, int]) -> Area:
    """The area moved into the photo."""
    width, height = area.right - area.left, area.bottom - area.top
    left = max(0.0, min(area.left, photo[0] - width))
    top = max(0.0, min(area.top, photo[1] - height))
    return Area(left, top, left + width, top + height)


# Banner


def _with_banner(photo: Image.Image, reading: Reading) -> Image.Image:
    """The photo with a strip below, so that nothing on the table is covered."""
    style = _SURE if reading.sure else _DOUBTFUL
    size = max(0.03 * max(photo.size), _SMALLEST_TEXT)
    font = _font(size)
    lines = wrapped(_verdict(reading), font, photo.width - size)
    leading = 1.3 * size
    canvas = Image.new("RGB", (photo.width, photo.height + ceil(leading * len(lines) + 0.5 * size)), style.line)
    canvas.paste(photo)
    draw = ImageDraw.Draw(canvas)
    for row, line in enumerate(lines):
        draw.text((size / 2, photo.height + size / 4 + row * leading), line, fill=style.text, font=font)
    return canvas


def _verdict(reading: Reading) -> str:
    """What the banner says: that all is sure, or the first two doubts, each once, and how many more there are."""
    if reading.sure:
        return "sure"
    messages = list(dict.fromkeys(doubt.said for doubt in reading.doubts))
    more = f" (and {len(messages) - 2} more)" if len(messages) > 2 else ""
    return f"please look: {' '.join(messages[:2])}{more}"


def wrapped(text: str, font: Font, width: float, most: int = 3) -> list[str]:
    """The text in at most `most` lines of `width` pixels; what does not fit, even of one long word, ends in an ellipsis."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if font.getlength(longer) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    shown = [*lines[: most - 1], " ".join(lines[most - 1 :])][: len(lines)]
    return [shortened(line, font, width) for line in shown]


def shortened(line: str, font: Font, width: float) -> str:
    """The line, or as much of it as fits `width` pixels with an ellipsis."""
    if font.getlength(line) <= width:
        return line
    while line and font.getlength(line + "…") > width:
        line = line[:-1]
    return line.rstrip() + "…"
