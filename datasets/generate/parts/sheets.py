"""Flat print: paper, cloths, cards, maps and game boards. Nothing printed is ever a piece.

Every sheet is drawn from a `numpy.random.Generator`, so that a seed reproduces the same picture. Colours are sRGB
floats 0..1; a finished sheet is a float32 RGBA array, size x size x 4, first row at the top.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from datasets.generate.parts.drawings import Colour, any_colour, contrasting

Rng = np.random.Generator
Ink = tuple[int, int, int]
Spots = Sequence[tuple[float, float]]

_PAIR, _FOUR = [(-1, -1), (1, 1)], [(-1, -1), (1, 1), (-1, 1), (1, -1)]
_SIX, _EIGHT = [*_FOUR, (-1, 0), (1, 0)], [*_FOUR, (-1, 0), (1, 0), (0, -1), (0, 1)]
PIPS: tuple[Spots, ...] = (
    [], [(0, 0)], _PAIR, [*_PAIR, (0, 0)], _FOUR, [*_FOUR, (0, 0)], _SIX, [*_SIX, (0, 0)], _EIGHT, [*_EIGHT, (0, 0)],
)  # fmt: skip
"""Positions of the pips of 0 to 9, x and y from -1 to 1."""

_TEXT = "THE GREAT GAME OF LUCK HOME START GO FREE PARK ROAD KING CITY BANK TRAIN LOSE A TURN WIN STOP SCORE"
_WORDS = _TEXT.split()


@dataclass
class Sheet:
    """A sheet being printed."""

    rng: Rng
    fonts: Sequence[str]
    """Files of typefaces; if empty, Pillow's default is used."""
    size: int
    ground: Colour
    image: Image.Image = field(init=False)
    draw: ImageDraw.ImageDraw = field(init=False)

    def __post_init__(self) -> None:
        self.image = Image.new("RGB", (self.size, self.size), rgb(self.ground))
        self.draw = ImageDraw.Draw(self.image)

    def font(self, height: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
        """A random one of the typefaces, at a height in pixels."""
        if not self.fonts:
            return ImageFont.load_default(max(6.0, height))
        return ImageFont.truetype(str(self.rng.choice(list(self.fonts))), max(6, int(height)))

    def ink(self, least: float = 0.3) -> Ink:
        """A colour that is legible on the sheet's ground."""
        return rgb(contrasting(self.rng, self.ground, least))

    def words(self, most: int) -> str:
        """One to `most` words as on game boards."""
        return " ".join(str(w) for w in self.rng.choice(_WORDS, size=self.rng.integers(1, most + 1)))


def printed_sheet(rng: Rng, fonts: Sequence[str], size: int = 512) -> NDArray[np.float32]:
    """A random print: half of the time a whole board, map, page or cloth, otherwise one to three scattered motifs on a ground."""
    sheet = Sheet(rng, fonts, size, any_colour(rng))
    if rng.random() < 0.55:
        _chosen(rng, _WHOLE, 1)[0](sheet)
    else:
        for painter in _chosen(rng, _SCATTERED, int(rng.integers(1, 4))):
            painter(sheet)
    return finished(sheet)


def _chosen(rng: Rng, painters: Mapping[Painter, float], count: int) -> list[Painter]:
    shares = np.array(list(painters.values())) / sum(painters.values())
    return [list(painters)[k] for k in rng.choice(len(painters), size=count, replace=False, p=shares)]


def finished(sheet: Sheet) -> NDArray[np.float32]:
    """The sheet as an array, sometimes slightly blurred."""
    image = sheet.image
    if sheet.rng.random() < 0.25:
        image = image.filter(ImageFilter.GaussianBlur(sheet.rng.uniform(0.5, 1.5)))
    pixels = np.asarray(image, np.float32) / 255
    return np.dstack([pixels, np.ones(pixels.shape[:2], np.float32)])


def letter_tile(rng: Rng, fonts: Sequence[str], body: Colour, size: int = 96) -> NDArray[np.float32]:
    """The face of a letter tile, a keyboard's key or a numbered coin: a letter or number in the middle, sometimes a small one."""
    sheet = Sheet(rng, fonts, size, body)
    ink, text = sheet.ink(), str(rng.choice(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")))
    sheet.draw.text((size / 2, size / 2), text, fill=ink, font=sheet.font(size * rng.uniform(0.35, 0.7)), anchor="mm")
    if rng.random() < 0.5:
        sheet.draw.text(
            (size * 0.8, size * 0.8), str(rng.integers(1, 11)), fill=ink, font=sheet.font(size * 0.2), anchor="mm"
        )
    return finished(sheet)


def coin(rng: Rng, fonts: Sequence[str], body: Colour, size: int = 128) -> NDArray[np.float32]:
    """The face of a coin or a chip: rings, a number, a rim of letters or dashes."""
    sheet = Sheet(rng, fonts, size, body)
    ink, middle = sheet.ink(0.12), size / 2
    for r in rng.uniform(0.3, 0.48, rng.integers(1, 3)) * size:
        sheet.draw.ellipse((middle - r, middle - r, middle + r, middle + r), outline=ink, width=int(rng.integers(2, 8)))
    text = str(rng.choice(["1", "2", "5", "10", "20", "50", "25", "100", "K", "$"]))
    sheet.draw.text((middle, middle), text, fill=ink, font=sheet.font(size * rng.uniform(0.25, 0.55)), anchor="mm")
    return finished(sheet)


def gadget(rng: Rng, fonts: Sequence[str], size: int = 128) -> NDArray[np.float32]:
    """The top of a phone, remote or key fob, first axis across: a dark body, a screen, rows of buttons or a few lamps."""
    dark = rng.uniform(0.0, 0.12)
    sheet = Sheet(rng, fonts, size, (dark, dark, dark * rng.uniform(0.8, 1.2)))
    if rng.random() < 0.35:
        sheet.draw.rectangle((size * 0.08, size * 0.1, size * 0.92, size * 0.9), fill=rgb(any_colour(rng)))
    # Never two columns of round spots: that would be a domino without its bar.
    columns, rows = int(rng.choice([1, 3, 4])), int(rng.integers(1, 8))
    ink, r = sheet.ink(0.2), size * rng.uniform(0.02, 0.07)
    for x in (np.arange(columns) + 0.5) / columns * size:
        for y in (np.arange(rows) + 0.5) / rows * size:
            if rng.random() < 0.8:
                sheet.draw.rounded_rectangle((x - 1.5 * r, y - r, x + 1.5 * r, y + r), r * 0.6, fill=ink)
    return finished(sheet)


def box_print(rng: Rng, fonts: Sequence[str], size: int = 256) -> NDArray[np.float32]:
    """The side of a box: a title, a frame, often a picture of dice or dominoes."""
    sheet = Sheet(rng, fonts, size, any_colour(rng))
    for k in rng.choice(3, size=rng.integers(1, 3), replace=False):
        (_shapes, _flat_dice, _flat_dominoes)[k](sheet)
    _title(sheet, size * rng.uniform(0.15, 0.85))
    return finished(sheet)


def rgb(colour: Colour) -> Ink:
    """A colour for Pillow, 0..255."""
    r, g, b = (round(255 * min(1.0, max(0.0, c))) for c in colour)
    return r, g, b


def _title(sheet: Sheet, y: float) -> None:
    font = sheet.font(sheet.size * sheet.rng.uniform(0.08, 0.2))
    sheet.draw.text((sheet.size / 2, y), sheet.words(3), fill=sheet.ink(), font=font, anchor="mm")


def _text(sheet: Sheet) -> None:
    size, height = sheet.size, int(sheet.rng.integers(8, 32))
    font = sheet.font(height)
    ink, letters = sheet.ink(), list("abcdefghijklmnopqrstuvwxyz     0123456789.,:")
    for y in np.arange(sheet.rng.integers(0, size // 2), size, height * 1.4):
        sheet.draw.text((size * 0.06, float(y)), "".join(sheet.rng.choice(letters, size=100)), fill=ink, font=font)


def _hexes(sheet: Sheet) -> None:
    rng, size = sheet.rng, sheet.size
    r = size / rng.uniform(6, 16)
    font, palette = sheet.font(r * 0.5), [rgb(any_colour(rng)) for _ in range(6)]
    for row, y in enumerate(np.arange(0, size + r, r * 1.5)):
        for x in np.arange(row % 2 * r * 0.87, size + r, r * 1.74):
            fill, rim = palette[rng.integers(6)], rgb(sheet.ground)
            sheet.draw.regular_polygon((float(x), float(y), r), 6, rotation=30, fill=fill, outline=rim)
            if rng.random() < 0.6:
                sheet.draw.ellipse((x - r / 3, y - r / 3, x + r / 3, y + r / 3), fill=(235, 220, 180))
                text = str(rng.integers(2, 13))
                sheet.draw.text((float(x), float(y)), text, fill=(20, 20, 20), font=font, anchor="mm")


def _dots(sheet: Sheet) -> None:
    step, ink = sheet.rng.uniform(9, 50), sheet.ink()
    r = step * sheet.rng.uniform(0.12, 0.35)
    for row, y in enumerate(np.arange(0, sheet.size, step)):
        for x in np.arange(row % 2 * step / 2, sheet.size, step):
            sheet.draw.ellipse((x - r, y - r, x + r, y + r), fill=ink)


def _grid(sheet: Sheet) -> None:
    step, ink = sheet.rng.uniform(12, 60), sheet.ink(0.1)
    for t in np.arange(0, sheet.size, step):
        sheet.draw.line((0, t, sheet.size, t), fill=ink, width=int(sheet.rng.integers(1, 4)))
        sheet.draw.line((t, 0, t, sheet.size), fill=ink, width=2)


def _shapes(sheet: Sheet) -> None:
    rng = sheet.rng
    for _ in range(rng.integers(5, 50)):
        r, ink = rng.uniform(4, 60), rgb(any_colour(rng))
        x, y = rng.uniform(0, sheet.size, 2)
        if rng.random() < 0.5:
            sheet.draw.ellipse((x - r, y - r, x + r, y + r), fill=ink)
        else:
            corners, turn = int(rng.integers(3, 7)), int(rng.integers(360))
            sheet.draw.regular_polygon((x, y, r), corners, rotation=turn, fill=ink)


def _cards(sheet: Sheet) -> None:
    rng = sheet.rng
    for _ in range(rng.integers(1, 6)):
        w = rng.uniform(0.12, 0.26) * sheet.size
        x, y = rng.uniform(0, sheet.size - w, 2)
        sheet.draw.rounded_rectangle(
            (x, y, x + w, y + w * 1.4), w * 0.08, fill=(245, 245, 240), outline=(120, 120, 120)
        )
        playing_card(sheet, (x, y, w, w * 1.4))


def playing_card(sheet: Sheet, place: tuple[float, float, float, float]) -> None:
    """Draw suit marks and corner numbers inside (left, top, width, height)."""
    rng, (x, y, w, h) = sheet.rng, place
    ink, value = ((190, 20, 30) if rng.random() < 0.5 else (15, 15, 15)), int(rng.integers(1, 10))
    corners = int(rng.integers(3, 6))
    for dx, dy in PIPS[value]:
        sheet.draw.regular_polygon((x + w / 2 + dx * w * 0.22, y + h / 2 + dy * h * 0.3, w * 0.1), corners, fill=ink)
    for dx, dy in ((0.11, 0.1), (0.89, 0.9)):
        sheet.draw.text((x + w * dx, y + h * dy), str(value), fill=ink, font=sheet.font(w * 0.17), anchor="mm")


def _flat_dice(sheet: Sheet) -> None:
    for _ in range(sheet.rng.integers(1, 7)):
        s = sheet.rng.uniform(0.04, 0.16) * sheet.size
        x, y = sheet.rng.uniform(0, sheet.size - s, 2)
        _stamp(sheet, x, y, s, halves=1)


def _flat_dominoes(sheet: Sheet) -> None:
    for _ in range(sheet.rng.integers(1, 9)):
        s = sheet.rng.uniform(0.04, 0.16) * sheet.size
        x, y = sheet.rng.uniform(0, sheet.size - s, 2)
        _stamp(sheet, x, y, s, halves=2)


def _stamp(sheet: Sheet, x: float, y: float, s: float, *, halves: int) -> None:
    """Print a die (one half) or a domino (two) of edge `s` with its corner at x, y; some are randomly turned."""
    rng, upright = sheet.rng, sheet.rng.random() < 0.5
    body = any_colour(rng) if rng.random() < 0.4 else ((0.04, 0.04, 0.04), (0.97, 0.97, 0.95))[rng.integers(2)]
    ink, w, h = contrasting(rng, body), int(s * halves), int(s)
    stamp = Image.new("RGB", (w + 1, h + 1), rgb(body))
    draw = ImageDraw.Draw(stamp)
    draw.rounded_rectangle((0, 0, w, h), s * 0.15, fill=rgb(body), outline=rgb(ink), width=max(1, int(s * 0.03)))
    for k in range(halves):
        for dx, dy in PIPS[int(rng.integers(1, 7) if halves == 1 else rng.integers(0, 10))]:
            cx, cy, r = s * (k + 0.5 + dx * 0.27), s * (0.5 + dy * 0.27), s * 0.085
            draw.ellipse((cx - r, cy - r, cx + r, cy + r), fill=rgb(ink))
    if halves == 2:
        draw.line((s, s * 0.12, s, s * 0.88), fill=rgb(ink), width=max(1, int(s * 0.04)))
    stamp = stamp.rotate(90, expand=True) if upright else stamp
    _paste_turned(sheet, stamp, (int(x), int(y)))


def _paste_turned(sheet: Sheet, stamp: Image.Image, at: tuple[int, int]) -> None:
    turn = 0.0 if sheet.rng.random() < 0.5 else sheet.rng.uniform(0, 360)
    cover = Image.new("L", stamp.size, 255).rotate(turn, Image.Resampling.BICUBIC, expand=True)
    sheet.image.paste(stamp.rotate(turn, Image.Resampling.BICUBIC, expand=True), at, cover)


def _cloth_of_pieces(sheet: Sheet) -> None:
    """A cloth or wrapping paper with dice or dominoes all over."""
    step, halves = sheet.size / sheet.rng.integers(4, 11), int(sheet.rng.integers(1, 3))
    for x in np.arange(0, sheet.size, step * halves):
        for y in np.arange(0, sheet.size, step * 1.1):
            _stamp(sheet, float(x), float(y), step * sheet.rng.uniform(0.6, 0.75), halves=halves)


def _squares(sheet: Sheet, n: int, cell: Callable[[int, int, float, float, float], None]) -> None:
    """Call `cell(column, row, x, y, step)` for each of n x n squares inside a margin."""
    margin = sheet.size * sheet.rng.uniform(0.0, 0.12)
    step = (sheet.size - 2 * margin) / n
    for row in range(n):
        for column in range(n):
            cell(column, row, margin + column * step, margin + row * step, step)


def _letter_board(sheet: Sheet) -> None:
    """Squares in a grid, some coloured and printed with a star, a diamond, a number, dots or a word."""
    rng, n = sheet.rng, int(sheet.rng.integers(8, 17))
    palette, line = [any_colour(rng) for _ in range(4)], sheet.ink(0.15)
    mirror = (n - 1) / 2

    def cell(column: int, row: int, x: float, y: float, step: float) -> None:
        key = (abs(column - mirror) * 7 + abs(row - mirror) * 5) % 11
        body = palette[int(key) % 4] if key < 4 else sheet.ground
        sheet.draw.rectangle((x, y, x + step, y + step), fill=rgb(body), outline=line)
        if key < 4 or rng.random() < 0.1:
            _mark(sheet, x + step / 2, y + step / 2, step, rgb(contrasting(rng, body)))

    _squares(sheet, n, cell)


def _mark(sheet: Sheet, x: float, y: float, step: float, ink: Ink) -> None:
    kind = sheet.rng.integers(5)
    if kind == 0:
        sheet.draw.regular_polygon((x, y, step * 0.35), 4, rotation=45, fill=ink)
    elif kind == 1:
        turns = np.arange(10) * math.pi / 5
        reach = np.where(np.arange(10) % 2, 0.16, 0.4) * step
        sheet.draw.polygon(
            [(x + d * math.sin(t), y - d * math.cos(t)) for t, d in zip(turns, reach, strict=True)], fill=ink
        )
    elif kind == 2:
        for dx, dy in PIPS[int(sheet.rng.integers(1, 10))]:
            cx, cy, r = x + dx * step * 0.27, y + dy * step * 0.27, step * 0.07
            sheet.draw.ellipse((cx - r, cy - r, cx + r, cy + r), fill=ink)
    else:
        text = str(sheet.rng.integers(0, 100)) if kind == 3 else sheet.words(1)
        font = sheet.font(step * (0.5 if kind == 3 else 0.22))
        sheet.draw.text((x, y), text, fill=ink, font=font, anchor="mm")


def _ladders(sheet: Sheet) -> None:
    """A board of numbered squares with ladders and snakes across."""
    rng, n, palette = sheet.rng, int(sheet.rng.integers(7, 11)), [any_colour(sheet.rng) for _ in range(3)]

    def cell(column: int, row: int, x: float, y: float, step: float) -> None:
        body = palette[(column + row) % 3]
        sheet.draw.rectangle((x, y, x + step, y + step), fill=rgb(body))
        number, ink = str(n * (n - row) - column), rgb(contrasting(rng, body))
        sheet.draw.text((x + step * 0.25, y + step * 0.25), number, fill=ink, font=sheet.font(step * 0.3), anchor="mm")

    _squares(sheet, n, cell)
    for _ in range(rng.integers(3, 8)):
        _ladder(sheet, rng.uniform(0.1, 0.9, 2) * sheet.size, rng.uniform(0.1, 0.9, 2) * sheet.size)


def _ladder(sheet: Sheet, low: NDArray[np.float64], high: NDArray[np.float64]) -> None:
    ink, aside = rgb(any_colour(sheet.rng)), sheet.rng.normal(0, 12, 2)
    rails = [(low + side, high + side) for side in (-aside, aside)]
    for a, b in rails:
        sheet.draw.line((*a, *b), fill=ink, width=5)
    for t in np.linspace(0.05, 0.95, 9):
        left, right = (a + t * (b - a) for a, b in rails)
        sheet.draw.line((*left, *right), fill=ink, width=4)


def _chess(sheet: Sheet) -> None:
    dark, light, n = rgb(any_colour(sheet.rng)), sheet.ink(), int(sheet.rng.choice([8, 8, 10]))

    def cell(column: int, row: int, x: float, y: float, step: float) -> None:
        sheet.draw.rectangle((x, y, x + step, y + step), fill=(dark, light)[(column + row) % 2])

    _squares(sheet, n, cell)


def _rim_board(sheet: Sheet) -> None:
    """A track of squares along the edge, with a title across the centre."""
    rng, n, line = sheet.rng, int(sheet.rng.integers(7, 13)), sheet.ink(0.15)

    def cell(column: int, row: int, x: float, y: float, step: float) -> None:
        if 0 < column < n - 1 and 0 < row < n - 1:
            return
        body = any_colour(rng)
        sheet.draw.rectangle((x, y, x + step, y + step), fill=rgb(body), outline=line, width=2)
        _mark(sheet, x + step / 2, y + step / 2, step, rgb(contrasting(rng, body)))

    _squares(sheet, n, cell)
    _title(sheet, sheet.size * rng.uniform(0.35, 0.65))


def _felt_layout(sheet: Sheet) -> None:
    """Roulette or craps: lines, red and black numbers, words on green or blue."""
    rng, size = sheet.rng, sheet.size
    sheet.ground = [(0.05, 0.35, 0.18), (0.08, 0.2, 0.45), (0.45, 0.06, 0.1)][rng.integers(3)]
    sheet.draw.rectangle((0, 0, size, size), fill=rgb(sheet.ground))
    columns, line = int(rng.integers(3, 8)), (235, 230, 215)
    w, h = size / columns, size / rng.integers(6, 14)
    for k, (x, y) in enumerate((x, y) for y in np.arange(0, size, h) for x in np.arange(0, size, w)):
        sheet.draw.rectangle((x, y, x + w, y + h), outline=line, width=3)
        fill = [(200, 20, 30), (15, 15, 15), rgb(sheet.ground)][rng.integers(3)]
        sheet.draw.ellipse((x + w * 0.1, y + h * 0.08, x + w * 0.9, y + h * 0.92), fill=fill)
        text = str(k + 1) if rng.random() < 0.8 else sheet.words(1)
        sheet.draw.text((x + w / 2, y + h / 2), text, fill=line, font=sheet.font(h * 0.45), anchor="mm")


def _map(sheet: Sheet) -> None:
    """Land and sea, roads with stations along them, names of places."""
    rng, size = sheet.rng, sheet.size
    for _ in range(rng.integers(2, 6)):
        turns, middle = np.linspace(0, 2 * math.pi, 40), rng.uniform(0, size, 2)
        reach = size * rng.uniform(0.15, 0.4) * (1 + 0.2 * np.sin(turns * rng.integers(2, 7) + rng.uniform(0, 6)))
        coast = middle + reach[:, None] * np.stack([np.cos(turns), np.sin(turns)], -1)
        sheet.draw.polygon([(x, y) for x, y in coast.tolist()], fill=rgb(any_colour(rng)))
    for _ in range(rng.integers(4, 15)):
        a, b = rng.uniform(0, size, (2, 2))
        ink, steps = rgb(any_colour(rng)), int(rng.integers(2, 8))
        sheet.draw.line((*a, *b), fill=ink, width=int(rng.integers(2, 7)))
        for x, y in np.linspace(a, b, steps):
            sheet.draw.ellipse((x - 8, y - 8, x + 8, y + 8), fill=ink, outline=(20, 20, 20))
        sheet.draw.text((a[0], a[1] - 18), sheet.words(2), fill=sheet.ink(), font=sheet.font(15), anchor="mm")


def _newspaper(sheet: Sheet) -> None:
    """Columns of small print under headlines, some pictures."""
    rng, size = sheet.rng, sheet.size
    sheet.ground = (0.9, 0.89, 0.84)
    sheet.draw.rectangle((0, 0, size, size), fill=rgb(sheet.ground))
    columns, letters = int(rng.integers(2, 6)), list("abcdefghijklmnopqrstuvw     ")
    w, height = size / columns, int(rng.integers(7, 13))
    font = sheet.font(height)
    for x in np.arange(columns) * w:
        y = float(rng.uniform(0, 40))
        while y < size:
            if rng.random() < 0.08:
                sheet.draw.text((x + 4, y), sheet.words(2), fill=(15, 15, 15), font=sheet.font(w * 0.15))
                y += w * 0.2
            if rng.random() < 0.04:
                grey = int(rng.integers(30, 200))
                sheet.draw.rectangle((x + 4, y, x + w - 6, y + w * 0.6), fill=(grey, grey, grey))
                y += w * 0.65
            line = "".join(rng.choice(letters, size=max(4, int(w / height * 1.6))))
            sheet.draw.text((x + 4, y), line, fill=(50, 50, 50), font=font)
            y += height * 1.25
    for x in np.arange(1, columns) * w:
        sheet.draw.line((x - 2, 0, x - 2, size), fill=rgb(sheet.ground), width=5)


def _plaid(sheet: Sheet) -> None:
    """Woven stripes in one or both directions."""
    rng, size = sheet.rng, sheet.size
    both, over = rng.random() < 0.6, Image.new("RGB", (size, size), rgb(sheet.ground))
    period = size / rng.integers(2, 9)
    stripes = [(rng.uniform(0, 1), rng.uniform(0.03, 0.3), rgb(any_colour(rng))) for _ in range(rng.integers(1, 5))]
    for draw, across in ((sheet.draw, False), (ImageDraw.Draw(over), both)):
        for start in np.arange(-period, size, period):
            for at, width, ink in stripes:
                a, b = start + at * period, start + (at + width) * period
                draw.rectangle((0, a, size, b) if across else (a, 0, b, size), fill=ink)
    sheet.image.paste(Image.blend(sheet.image, over, 0.5))


def _flowers(sheet: Sheet) -> None:
    """A cloth with one or two flowers, repeated."""
    rng, step = sheet.rng, sheet.size / sheet.rng.integers(3, 12)
    petals, heart, n = rgb(any_colour(rng)), rgb(any_colour(rng)), int(rng.integers(4, 8))
    r = step * rng.uniform(0.1, 0.2)
    for row, y in enumerate(np.arange(0, sheet.size, step)):
        for x in np.arange(row % 2 * step / 2, sheet.size, step):
            for t in np.arange(n) * 2 * math.pi / n:
                cx, cy = x + 1.4 * r * math.cos(t), y + 1.4 * r * math.sin(t)
                sheet.draw.ellipse((cx - r, cy - r, cx + r, cy + r), fill=petals)
            sheet.draw.ellipse((x - r, y - r, x + r, y + r), fill=heart)


Painter = Callable[[Sheet], None]
# Printed dice and dominoes are rare: seen from above they look nearly like real ones.
_SCATTERED: dict[Painter, float] = {
    _text: 2, _hexes: 1.5, _dots: 1, _grid: 2, _shapes: 2, _cards: 1, _flat_dice: 0.3, _flat_dominoes: 0.3,
}  # fmt: skip
_WHOLE: dict[Painter, float] = {
    _letter_board: 2, _ladders: 1, _chess: 1, _rim_board: 1, _felt_layout: 1, _map: 1, _newspaper: 1, _plaid: 1.5,
    _flowers: 1, _cloth_of_pieces: 0.2,
}  # fmt: skip
