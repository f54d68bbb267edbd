"""Draws dice and tiles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from math import cos, pi, sin

from PIL import Image, ImageDraw, ImageFont

from api.film.output.palette import ACCENT, IVORY, LINE, PIP, QUIET, Colour
from vision.reading import Die, Tile
from vision.watch.events import Piece

_FINER = 4
"""Supersampling factor, since Pillow does not antialias."""
_STILL: Colour = (0xCF, 0xC7, 0xB8, 255)
"""Face of a piece that was already on the table."""
_PIPS: dict[int, str] = {
    0: "... ... ...",
    1: "... .o. ...",
    2: "o.. ... ..o",
    3: "o.. .o. ..o",
    4: "o.o ... o.o",
    5: "o.o .o. o.o",
    6: "o.o o.o o.o",
    7: "o.o ooo o.o",
    8: "ooo o.o ooo",
    9: "ooo ooo ooo",
}
"""Pip layouts, one word per row; values above nine are written as numbers."""


def tidy(pieces: Iterable[Piece]) -> list[Piece]:
    """Pieces in display order: thrown ones first, dice by value, then tiles as found."""
    return sorted(pieces, key=lambda each: (not each.thrown, isinstance(each.piece, Tile), _value(each)))


def _value(piece: Piece) -> int:
    return piece.piece.value if isinstance(piece.piece, Die) else 0


def piece_picture(piece: Piece, height: int) -> Image.Image:
    """Draw a piece `height` pixels high: a die is square, a tile upright and half as wide."""
    still = not piece.thrown
    if isinstance(piece.piece, Tile):
        return _tile(piece.piece.ends, height, still)
    return _die(piece.piece, height, still)


@cache
def _pips(value: int, size: int, colour: Colour) -> Image.Image:
    """Pips of a die or of half a tile, on a transparent background."""
    picture = Image.new("RGBA", (size, size))
    draw = ImageDraw.Draw(picture)
    if value not in _PIPS:
        _write(draw, str(value), (size / 2, size / 2), 0.55 * size, colour)
        return picture
    for x, y in _middles(value):
        _disc(draw, size * x, size * y, 0.095 * size, colour)
    return picture


def _middles(value: int) -> Iterator[tuple[float, float]]:
    """Centres of the pips, relative to the face."""
    for row, word in enumerate(_PIPS[value].split()):
        yield from ((0.26 + 0.24 * column, 0.26 + 0.24 * row) for column, mark in enumerate(word) if mark == "o")


def _disc(draw: ImageDraw.ImageDraw, x: float, y: float, radius: float, colour: Colour) -> None:
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)


def _write(draw: ImageDraw.ImageDraw, text: str, at: tuple[float, float], size: float, colour: Colour) -> None:
    draw.text(at, text, fill=colour, font=ImageFont.load_default(size), anchor="mm", stroke_width=size / 40)


def _die(die: Die, height: int, still: bool) -> Image.Image:
    size = height * _FINER
    picture = Image.new("RGBA", (size, size))
    draw = ImageDraw.Draw(picture)
    face, edge = _STILL if still else IVORY, ACCENT if die.starter else QUIET
    line = round(size * (0.06 if die.starter else 0.03))
    if die.kind == "d12":
        _decagon(draw, size, face, edge, line)
        _write(draw, str(die.value), (size / 2, size / 2), 0.5 * size, PIP)
    else:
        draw.rounded_rectangle((0, 0, size - 1, size - 1), 0.16 * size, face, edge, line)
        picture.alpha_composite(_pips(die.value, size, PIP))
    return picture.resize((height, height), Image.Resampling.BOX)


def _decagon(draw: ImageDraw.ImageDraw, size: int, face: Colour, edge: Colour, line: int) -> None:
    """A twelve-sided die from above: a decagon around its top face."""
    corners = [(size / 2 * (1 + sin(n * pi / 5)), size / 2 * (1 - cos(n * pi / 5))) for n in range(10)]
    draw.polygon(corners, face, edge, line)


def _tile(ends: tuple[int | None, int | None], height: int, still: bool) -> Image.Image:
    long, wide = height * _FINER, height * _FINER // 2
    picture = Image.new("RGBA", (wide, long))
    draw = ImageDraw.Draw(picture)
    face = LINE if None in ends else _STILL if still else IVORY
    draw.rounded_rectangle((0, 0, wide - 1, long - 1), 0.12 * wide, face, QUIET, max(1, round(0.03 * wide)))
    for place, end in enumerate(ends):
        if end is not None:
            picture.alpha_composite(_pips(end, wide, PIP), (0, place * wide))
    draw.line((0.12 * wide, wide, 0.88 * wide, wide), QUIET, max(1, round(0.03 * wide)))
    return picture.resize((wide // _FINER, height), Image.Resampling.BOX)
