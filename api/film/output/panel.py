"""The lower third: the last roll as drawn pieces, its effect, and the score. It moves to the top where it would cover pieces.

Lengths are in units of 1/360 of the picture's shorter side, so that it looks the same at any size. In a portrait picture the
two halves are stacked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from PIL import Image, ImageDraw, ImageFont

from api.film.output.fonts import direction_of, font_for
from api.film.output.palette import ACCENT, CARD, GROUND, INK, LINE, LOOK, QUIET, SIDES, Colour
from api.film.output.piece_pictures import piece_picture, tidy
from vision.draw import Area, around, shortened, wrapped
from vision.reading import Die, Reading, Tile
from vision.watch.events import Piece

_UNITS = 360
_TEXT, _SMALL = 14.5, 11.0
"""Font sizes, in units."""
_LEADING = 1.28
"""Line spacing, relative to the font size."""
_EDGE, _PAD, _GAP = 7, 7, 5
"""Margin, padding and gap between pieces, in units."""
_PIECE = 32
"""Maximum height of a piece, in units."""
_LINES = 2
"""Maximum lines of comment."""
_PLAYERS_WIDE = 0.36
"""Share of a wide panel taken by the score."""
_MOST_ROWS = 6
"""Maximum rows of the score; more sides share it in columns."""
_FEW = 4
"""Minimum number of pieces a panel without score has room for."""


@dataclass(frozen=True, slots=True)
class Side:
    """One line of the score.

    Attributes:
        name: of the player or team.
        score: hole of the rear peg.
        running: points of the current turn so far.
        acting: whether it is their turn.
    """

    name: str
    score: int
    running: int = 0
    acting: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """Contents of the lower third.

    Attributes:
        title: a heading, such as "Roll 4".
        shown: the pieces as text, for subtitles.
        pieces: the last roll.
        doubtful: the reading has doubts.
        said: what it did, one sentence each.
        sides: the score; empty without a game.
    """

    title: str
    shown: str = ""
    pieces: tuple[Piece, ...] = ()
    doubtful: bool = False
    said: tuple[str, ...] = ()
    sides: tuple[Side, ...] = ()


@dataclass(frozen=True, slots=True)
class _Area:
    left: int
    top: int
    width: int
    height: int

    @property
    def plain(self) -> Area:
        """The area by its edges."""
        return Area(self.left, self.top, self.left + self.width, self.top + self.height)


def fits_better_above(panel: Panel, reading: Reading) -> bool:
    """Whether the panel covers less of the pieces at the top of the frame than at the bottom, its usual place."""
    both: tuple[Die | Tile, ...] = (*reading.dice, *reading.tiles)
    pieces = [around(piece.box) for piece in both]
    size = reading.width, reading.height
    unit = min(size) / _UNITS
    below, above = (
        sum(area.plain.shared(piece) for area in _areas(panel, size, unit, above=above) for piece in pieces)
        for above in (False, True)
    )
    return above < below


def draw_panel(panel: Panel, picture: Image.Image, *, above: bool = False) -> None:
    """Draw the lower third onto an RGBA picture of the whole frame; `above`: at its top."""
    unit = min(picture.size) / _UNITS
    areas = _areas(panel, picture.size, unit, above=above)
    draw = ImageDraw.Draw(picture)
    for area, fill in zip(areas, (CARD, GROUND), strict=False):
        box = (area.left, area.top, area.left + area.width, area.top + area.height)
        draw.rounded_rectangle(box, 8 * unit, fill, LINE, max(1, round(unit)))
    _roll(panel, picture, areas[0], unit)
    if panel.sides:
        _score(panel.sides, draw, areas[1], unit)


def _areas(panel: Panel, size: tuple[int, int], unit: float, *, above: bool) -> list[_Area]:
    """Areas for the roll and for the score."""
    areas = _lower_areas(panel, size, unit)
    up = min(area.top for area in areas) - round(_EDGE * unit) if above else 0
    return [replace(area, top=area.top - up) for area in areas]


def _lower_areas(panel: Panel, size: tuple[int, int], unit: float) -> list[_Area]:
    edge, (width, height) = round(_EDGE * unit), size
    inside = width - 2 * edge
    lines = _LINES if panel.said or panel.sides else 0
    high = round(unit * (2 * _PAD + _SMALL * _LEADING + _PIECE + lines * _TEXT * _LEADING))
    if not panel.sides:
        wide = unit * (2 * _PAD + max(len(panel.pieces), _FEW) * (_PIECE + _GAP))
        return [_Area(edge, height - edge - high, inside if lines else min(inside, round(wide)), high)]
    if width < height:
        score = round(unit * (2 * _PAD + _rows(panel.sides) * _TEXT * _LEADING))
        top = height - edge - score
        return [_Area(edge, top - edge // 2 - high, inside, high), _Area(edge, top, inside, score)]
    right = round(_PLAYERS_WIDE * inside)
    left = inside - right - edge // 2
    top = height - edge - high
    return [_Area(edge, top, left, high), _Area(edge + left + edge // 2, top, right, high)]


# The roll


def _roll(panel: Panel, picture: Image.Image, area: _Area, unit: float) -> None:
    draw = ImageDraw.Draw(picture)
    left, top, pad = area.left + _PAD * unit, area.top + _PAD * unit, 2 * _PAD * unit
    colour = LOOK if panel.doubtful else QUIET
    title = f"{panel.title} · please look" if panel.doubtful else panel.title
    draw.text((left, top), title, colour, font_for(title, _SMALL * unit))
    top += _SMALL * _LEADING * unit
    _pieces(panel.pieces, picture, _Area(round(left), round(top), round(area.width - pad), round(_PIECE * unit)), unit)
    font = font_for("".join(panel.said), _TEXT * unit)
    top += (_PIECE + 3) * unit
    text = latest(panel.said, lambda text: len(wrapped(text, font, area.width - pad, _LINES + 1)) <= _LINES)
    for row, line in enumerate(wrapped(text, font, area.width - pad, _LINES)):
        draw.text((left, top + row * _TEXT * _LEADING * unit), line, INK, font, direction=direction_of(font))


def latest(sentences: Sequence[str], fits: Callable[[str], bool]) -> str:
    """As many of the last sentences as fit, at least one: the last one gives the score."""
    texts = (" ".join(sentences[start:]) for start in range(len(sentences)))
    return next(filter(fits, texts), " ".join(sentences[-1:]))


def _pieces(pieces: Sequence[Piece], picture: Image.Image, area: _Area, unit: float) -> None:
    """Pieces in one row, or in two if they would become too small."""
    gap = round(_GAP * unit)
    height, rows = _fitted(len(pieces), area, gap)
    across = -(-len(pieces) // rows)
    left, top = area.left, area.top
    for place, piece in enumerate(tidy(pieces)):
        drawn = piece_picture(piece, height)
        if place and place % across == 0:
            left, top = area.left, top + height + gap // 2
        picture.alpha_composite(drawn, (left, top))
        left += drawn.width + gap


def _fitted(count: int, area: _Area, gap: int) -> tuple[int, int]:
    """Height of a piece and number of rows, whichever makes pieces largest."""
    sizes = []
    for rows in (1, 2, 3):
        across = -(-count // rows) or 1
        sizes.append((min(area.height // rows - (gap // 2 if rows > 1 else 0), area.width // across - gap), -rows))
    height, rows = max(sizes)
    return max(height, 4), -rows


# The score


def _rows(sides: Sequence[Side]) -> int:
    columns = -(-len(sides) // _MOST_ROWS)
    return -(-len(sides) // columns)


def _score(sides: Sequence[Side], draw: ImageDraw.ImageDraw, area: _Area, unit: float) -> None:
    rows = _rows(sides)
    step = min(_TEXT * _LEADING * 1.25 * unit, (area.height - 2 * _PAD * unit) / rows)
    size = min(_TEXT * unit, step / _LEADING)
    columns = -(-len(sides) // rows)
    wide = (area.width - 2 * _PAD * unit) / columns
    for place, side in enumerate(sides):
        column, row = divmod(place, rows)
        left = area.left + _PAD * unit + column * wide
        right = left + wide - (size if column + 1 < columns else 0)
        middle = area.top + _PAD * unit + (row + 0.5) * step
        _line(side, SIDES[place % len(SIDES)], draw, (left, middle, right), size)


def _line(side: Side, colour: Colour, draw: ImageDraw.ImageDraw, at: tuple[float, float, float], size: float) -> None:
    left, middle, right = at
    font = ImageFont.load_default(size)
    radius = 0.3 * size
    draw.ellipse((left, middle - radius, left + 2 * radius, middle + radius), colour)
    score = f"{side.score} +{side.running}" if side.running else str(side.score)
    draw.text((right, middle), score, ACCENT if side.acting else INK, font, anchor="rm")
    left += 3.5 * radius
    room = right - left - font.getlength(score) - size
    own = font_for(side.name, size)
    draw.text((left, middle), shortened(side.name, own, room), INK if side.acting else QUIET, own, anchor="lm")
    if side.acting:
        x = left + min(own.getlength(side.name), room) + 0.35 * size
        draw.polygon([(x + 0.5 * size, middle - radius), (x + 0.5 * size, middle + radius), (x, middle)], ACCENT)
