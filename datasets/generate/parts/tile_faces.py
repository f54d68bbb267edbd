"""The flat faces of dominoes: pips, bar, spinner and backs, as ink over a body that the caller colours.

Every function draws from a `numpy.random.Generator`, so that a seed reproduces the same picture. Colours are sRGB floats
0..1. A face lies on its side, twice as wide as high, the first end on the left, the bar in the middle. Sizes in a `Style`
are in halves of the tile's width: the square of an end spans -1..1.
"""

from __future__ import annotations

import colorsys
import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from datasets.generate.parts.drawings import Colour, Rng, any_colour, contrasting, luminance

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]
Spots = tuple[tuple[float, float], ...]
Grain = Literal["plain", "marbled", "wood", "translucent"]
Pip = Literal["painted", "drilled", "ringed"]
Bar = Literal["painted", "engraved", "metal", "double", "none"]
Back = Literal["plain", "logo", "text", "pattern", "frame", "emblem"]

TRAIN: tuple[Colour, ...] = (
    (0.0, 0.0, 0.0),
    (0.40, 0.75, 0.95),
    (0.10, 0.55, 0.20),
    (0.85, 0.10, 0.12),
    (0.45, 0.27, 0.13),
    (0.10, 0.20, 0.70),
    (0.95, 0.80, 0.10),
    (0.90, 0.40, 0.70),
    (0.05, 0.55, 0.55),
    (0.45, 0.15, 0.60),
    (0.95, 0.50, 0.10),
    (0.75, 0.05, 0.10),
    (0.45, 0.45, 0.48),
)
"""Colour of the pips by value, as most Mexican Train sets have them."""


_EMBLEM = 0.76
"""Side of a picture in place of pips, over the side of the end."""
_MOULDED = 0.12
"""Probability that a set is moulded."""


@dataclass(frozen=True, slots=True)
class Style:
    """The look of all tiles of one set. Sizes are in halves of the tile's width."""

    set_size: int
    body: Colour
    second: Colour
    """The colour of veins, grain or depth, for a body that is not of one colour."""
    grain: Grain
    pips: tuple[Colour, ...]
    """Colour of the pips by value, 0 to 12."""
    pip: Pip
    ring: Colour
    radius: float
    small_radius: float
    """Radius of the pips of 10 to 12, limited by the room for them; see `pip_radius`."""
    spread: tuple[float, float]
    """Positions of the outermost pips, along the bar and across it."""
    jitter: float
    moulded: float
    """Depth, 0..1, of the hollows that cheap moulded sets have at every possible pip, painted or not; 0: none."""
    diagonal: int
    """1 or -1: the diagonal on which 2 and 3 stand; 0: 2 and 3 stand in a line towards the bar."""
    across: bool
    """The rows of 6 run from the bar to the outer edge, not along the bar."""
    many: tuple[Spots, ...]
    """Positions of the pips of 7 to 12, for which makers vary more than for 1 to 6."""
    bar: Bar
    bar_colour: Colour
    bar_width: float
    bar_length: float
    """Length of the bar over the tile's width, 0..1."""
    spinner: float
    """Radius of the pin at the centre; 0: none."""
    spinner_colour: Colour
    back: Back
    emblems: Mapping[int, Bytes] = field(default_factory=dict)
    """By value: a picture printed on an end in place of its pips (square, 0..255)."""


def tile_style(rng: Rng, set_size: int) -> Style:
    """A set of tiles up to the double `set_size` (6, 9 or 12)."""
    body, second, grain = _body(rng)
    ink = contrasting(rng, body, 0.35)
    spread, share = float(rng.uniform(0.42, 0.68)), _pip_share(rng, set_size)
    spread = min(spread, 0.9 / (1 + share))
    radius = min(0.26, spread * share)
    across = bool(rng.random() < 0.65)
    return Style(
        set_size=set_size,
        body=body,
        second=second,
        grain=grain,
        pips=_pip_colours(rng, body, ink, set_size),
        pip=rng.choice(["painted", "drilled", "ringed"], p=[0.45, 0.43, 0.12]),
        ring=_metal(rng) if rng.random() < 0.5 else contrasting(rng, body, 0.2),
        radius=radius,
        small_radius=min(radius, spread * float(rng.uniform(0.2, 0.29))),
        spread=(spread, max(2.1 * radius, min(0.84 - radius, spread * float(rng.uniform(0.9, 1.12))))),
        jitter=float(rng.choice([0.004, 0.012, 0.03])),
        moulded=float(rng.uniform(0.3, 1.0)) if rng.random() < _MOULDED and set_size <= _MOST_LARGE else 0.0,
        diagonal=int(rng.choice([1, -1, 0], p=[0.6, 0.37, 0.03])),
        across=across,
        many=_arrangements(rng, across if rng.random() < 0.8 else not across),
        bar=rng.choice(["painted", "engraved", "metal", "double", "none"], p=[0.58, 0.24, 0.1, 0.05, 0.03]),
        bar_colour=_metal(rng) if rng.random() < 0.1 else contrasting(rng, body, 0.3) if rng.random() < 0.25 else ink,
        bar_width=float(rng.uniform(0.03, 0.12)),
        bar_length=float(rng.choice([1.0, rng.uniform(0.55, 0.98)], p=[0.25, 0.75])),
        spinner=float(rng.uniform(0.07, 0.2)) if rng.random() < 0.3 else 0.0,
        spinner_colour=_metal(rng),
        back=rng.choice(["plain", "logo", "text", "pattern", "frame", "emblem"], p=[0.5, 0.13, 0.13, 0.1, 0.07, 0.07]),
    )


def _body(rng: Rng) -> tuple[Colour, Colour, Grain]:
    kind = rng.random()
    if kind < 0.36:
        body = _hsv(rng, (0.08, 0.17), (0.0, 0.1), (0.88, 1.0))
    elif kind < 0.54:
        body = _hsv(rng, (0.09, 0.15), (0.1, 0.38), (0.75, 1.0))
    elif kind < 0.75:
        body = _hsv(rng, (0.0, 1.0), (0.0, 0.3), (0.02, 0.2))
    elif kind < 0.83:
        wood = _hsv(rng, (0.05, 0.11), (0.3, 0.7), (0.25, 0.9))
        return wood, _dimmer(wood, float(rng.uniform(0.6, 0.85))), "wood"
    elif kind < 0.87:
        body = _hsv(rng, (0.95, 1.05), (0.1, 0.35), (0.85, 1.0))
    else:
        body = any_colour(rng)
    grain: Grain = rng.choice(["plain", "marbled", "translucent"], p=[0.84, 0.1, 0.06])
    return body, any_colour(rng) if rng.random() < 0.3 else _dimmer(body, float(rng.uniform(0.7, 1.2))), grain


def _hsv(rng: Rng, hue: tuple[float, float], saturation: tuple[float, float], value: tuple[float, float]) -> Colour:
    return colorsys.hsv_to_rgb(rng.uniform(*hue) % 1, rng.uniform(*saturation), rng.uniform(*value))


def _dimmer(colour: Colour, factor: float) -> Colour:
    r, g, b = (min(1.0, channel * factor) for channel in colour)
    return r, g, b


def _metal(rng: Rng) -> Colour:
    """Brass or steel."""
    if rng.random() < 0.7:
        return _hsv(rng, (0.1, 0.14), (0.35, 0.65), (0.65, 0.95))
    return _hsv(rng, (0.1, 0.6), (0.0, 0.08), (0.6, 0.9))


def _pip_share(rng: Rng, set_size: int) -> float:
    """Radius of a pip over the spread: from tiny to nearly touching."""
    if rng.random() < 0.08:
        return float(rng.uniform(0.1, 0.17))
    return float(rng.uniform(0.22, 0.46 if set_size < 12 else 0.34))


def _pip_colours(rng: Rng, body: Colour, ink: Colour, set_size: int) -> tuple[Colour, ...]:
    """One ink for all values, or a colour per value; a colour that is illegible on the body is replaced by the ink."""
    if rng.random() > {6: 0.2, 9: 0.55}.get(set_size, 0.75):
        return (ink,) * 13
    kind = rng.random()
    wanted: Sequence[Colour] = TRAIN
    if kind < 0.25:
        wanted = [TRAIN[i] for i in rng.permutation(13)]
    elif kind < 0.5:
        wanted = [contrasting(rng, body, 0.15) for _ in range(13)]
    return tuple(colour if _apart(colour, body) else ink for colour in (_near(rng, colour) for colour in wanted))


def _near(rng: Rng, colour: Colour) -> Colour:
    r, g, b = np.clip(np.array(colour) * rng.uniform(0.8, 1.15) + rng.normal(0, 0.05, 3), 0, 1).tolist()
    return r, g, b


def _apart(colour: Colour, body: Colour) -> bool:
    away = max(abs(a - b) for a, b in zip(colour, body, strict=True))
    return away > 0.35 and abs(luminance(colour) - luminance(body)) > 0.1


_TWO: dict[int, Spots] = {1: ((-1, -1), (1, 1)), -1: ((-1, 1), (1, -1)), 0: ((0, -1), (0, 1))}
_FOUR: Spots = ((-1, -1), (1, 1), (-1, 1), (1, -1))
_SIX: Spots = (*_FOUR, (-1, 0), (1, 0))
_THIRD = 1 / 3
_LEAST_OF_MANY, _MOST_LARGE = 7, 9
_ROOM = 0.46
"""Radius of a pip over the distance to the next, for pips that nearly touch."""
_GRID: Spots = tuple((x, y) for x in (-1.0, 0.0, 1.0) for y in (-1.0, 0.0, 1.0))
_FOURS: Spots = tuple((x, y) for x in (-1, 1) for y in (-1, -_THIRD, _THIRD, 1))
"""Two rows of four."""
_FIVES: Spots = tuple((x, y) for x in (-1, 1) for y in (-1, -0.5, 0, 0.5, 1))
"""Two rows of five."""
_SIXES: Spots = tuple((x, y) for x in (-1, 1) for y in (-1, -0.6, -0.2, 0.2, 0.6, 1))
"""Two rows of six."""


def _column(*ys: float) -> Spots:
    """Pips in the middle column, between two rows."""
    return tuple((0.0, y) for y in ys)


_MANY: dict[int, tuple[tuple[float, Spots], ...]] = {
    7: ((0.92, (*_SIX, (0, 0))), (0.08, (*_FOUR, *_column(-0.5, 0, 0.5)))),
    8: ((0.62, (*_SIX, *_column(-1, 1))), (0.2, (*_SIX, *_column(-0.5, 0.5))), (0.18, _FOURS)),
    9: ((0.92, (*_SIX, *_column(-1, 0, 1))), (0.08, (*_FOURS, (0, 0)))),
    10: (
        (0.4, (*_FOURS, *_column(-1, 1))),  # a ring with nothing in its middle
        (0.2, (*_FOURS, *_column(-_THIRD, _THIRD))),
        (0.2, (*_SIX, *_column(-1, -_THIRD, _THIRD, 1))),
        (0.2, _FIVES),
    ),
    11: (
        (0.4, (*_FOURS, *_column(-1, 0, 1))),
        (0.25, (*_FOURS, *_column(-2 * _THIRD, 0, 2 * _THIRD))),
        (0.2, (*_SIX, *_column(-1, -0.5, 0, 0.5, 1))),
        (0.15, (*_FIVES, (0, 0))),
    ),
    12: (
        (0.78, (*_FOURS, *_column(-1, -_THIRD, _THIRD, 1))),
        (0.12, _SIXES),
        (0.1, (*_FIVES, *_column(-0.5, 0.5))),
    ),
}
"""The printed arrangements of 7 to 12, and their probabilities. Rows run towards the bar."""


def _arrangements(rng: Rng, across: bool) -> tuple[Spots, ...]:
    """One of the usual arrangements for each value from 7 to 12; `across`: rows run from the bar to the outer edge."""
    chosen = [ways[int(rng.choice(len(ways), p=[often for often, _ in ways]))][1] for ways in _MANY.values()]
    return tuple(rows if across else tuple((y, x) for x, y in rows) for rows in chosen)


def spots(value: int, style: Style) -> Spots:
    """The positions of the pips of an end, -1..1: along the bar, and towards the bar.

    Raises:
        KeyError: there is no such value.
    """
    if value in (2, 3):
        return _TWO[style.diagonal] + ((0.0, 0.0),) * (value - 2)
    if value >= _LEAST_OF_MANY:
        return dict(zip(_MANY, style.many, strict=True))[value]
    rows = {0: (), 1: ((0, 0),), 4: _FOUR, 5: (*_FOUR, (0, 0)), 6: _SIX}[value]
    return rows if style.across else tuple((y, x) for x, y in rows)


def pip_radius(value: int, style: Style) -> float:
    """Radius of the pips of an end, in halves of the tile's width: smaller where they are close together."""
    radius = style.small_radius if value > _MOST_LARGE else style.radius
    places = np.array(spots(value, style)).reshape(-1, 2) * style.spread
    if len(places) < _LEAST_OF_MANY:
        return radius
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2) + 9 * np.eye(len(places))
    return min(radius, float(gaps.min()) * _ROOM)


class _Sheet:
    """Ink and depth, accumulated spot by spot."""

    def __init__(self, height: int, width: int) -> None:
        self.colour = np.zeros((height, width, 3), np.float32)
        self.cover = np.zeros((height, width), np.float32)
        self.depth = np.zeros((height, width), np.float32)

    def ink(self, where: tuple[slice, slice], cover: Floats, colour: Colour | Floats, depth: Floats | float) -> None:
        """Blend ink of this coverage and colour over the sheet."""
        self.colour[where] += (np.asarray(colour, np.float32) - self.colour[where]) * cover[..., None]
        np.maximum(self.cover[where], cover, out=self.cover[where])
        self.depth[where] += (depth - self.depth[where]) * cover

    def hollow(self, x: float, y: float, radius: float, depth: float) -> None:
        """Add a round hollow without ink, in pixels; deepest at its centre."""
        where, away = _around(x, y, radius + 1, self.cover.shape)
        np.maximum(self.depth[where], depth * np.clip(1 - (away / radius) ** 2, 0, 1), out=self.depth[where])

    def disc(self, x: float, y: float, radius: float, colour: Colour, depth: float, bowl: float = 0.0) -> None:
        """Add a filled disc, in pixels; `depth` deep at its centre, shallower towards its rim by the share `bowl`."""
        where, away = _around(x, y, radius + 1, self.cover.shape)
        hollow = depth * (1 - bowl * np.clip(away / radius, 0, 1) ** 2)
        self.ink(where, np.clip(radius - away + 0.5, 0, 1), colour, hollow)

    def picture(self) -> tuple[Floats, Floats]:
        """RGBA and depth. Pixels without ink get the mean colour of the ink, so that edges do not darken when scaled."""
        total = max(float(self.cover.sum()), 1e-6)
        mean = np.einsum("yxc,yx->c", self.colour, self.cover) / total
        return np.dstack([np.where(self.cover[..., None] > 0, self.colour, mean), self.cover]), self.depth


def _around(x: float, y: float, reach: float, shape: tuple[int, ...]) -> tuple[tuple[slice, slice], Floats]:
    """The window around a point, clipped to the sheet, and the distance of its pixels' centres from the point."""
    left, right = max(0, int(x - reach)), min(shape[1], int(x + reach) + 2)
    top, bottom = max(0, int(y - reach)), min(shape[0], int(y + reach) + 2)
    dx = np.arange(left, max(left, right), dtype=np.float32) + 0.5 - x
    dy = np.arange(top, max(top, bottom), dtype=np.float32) + 0.5 - y
    return (slice(top, bottom), slice(left, right)), np.sqrt(dx[None] ** 2 + dy[:, None] ** 2)


def tile_face(rng: Rng, ends: tuple[int, int], style: Style, height: int = 160) -> tuple[Floats, Floats]:
    """The face of a tile: `height` x 2 `height` x 4 (colour, coverage by ink) and the depth, `height` x 2 `height`, 1 deepest.

    A tile with a blank end has its bar even if the style has none, unless it has hollows: nothing else tells it from a back.
    """
    sheet = _Sheet(height, 2 * height)
    for side, value in enumerate(ends):
        _end(rng, sheet, side, value, style)
    pipless = any(value == 0 or value in style.emblems for value in ends)
    if style.bar != "none" or (pipless and not style.moulded):
        _bar(sheet, style)
    if style.spinner:
        _spinner(sheet, style)
    return sheet.picture()


def _end(rng: Rng, sheet: _Sheet, side: int, value: int, style: Style) -> None:
    half = sheet.cover.shape[0] / 2
    radius = half * pip_radius(value, style)
    turn = 1 - 2 * side
    if style.moulded:
        room = 0.45 * half * min(style.spread)
        for along, towards in _GRID:
            x = half * (1 + 2 * side + turn * towards * style.spread[1])
            sheet.hollow(x, half * (1 + turn * along * style.spread[0]), min(1.1 * radius, room), style.moulded)
    if value in style.emblems:
        _print(sheet, side, style.emblems[value], style.pips[value])
        return
    for along, towards in spots(value, style):
        shake = rng.normal(0, style.jitter, 2).clip(-0.06, 0.06)
        x = half * (1 + 2 * side + turn * (towards * style.spread[1] + shake[0]))
        y = half * (1 + turn * (along * style.spread[0] + shake[1]))
        _pip(sheet, x, y, radius, style.pips[value], style)


def _print(sheet: _Sheet, side: int, emblem: Bytes, colour: Colour) -> None:
    import cv2  # Blender's Python lacks it, but draws no emblems

    height = sheet.cover.shape[0]
    large, start = round(_EMBLEM * height), round((1 - _EMBLEM) / 2 * height)
    small = cv2.resize(emblem, (large, large), interpolation=cv2.INTER_AREA)
    rows, columns = slice(start, start + large), slice(start + side * height, start + side * height + large)
    sheet.ink((rows, columns), np.asarray(small, np.float32) / np.float32(255), colour, 0.0)


def _pip(sheet: _Sheet, x: float, y: float, radius: float, colour: Colour, style: Style) -> None:
    if style.pip == "ringed":
        sheet.disc(x, y, radius, style.ring, 0.0)
        radius *= 0.72
    if style.pip == "drilled":
        sheet.disc(x, y, radius, colour, 1.0, bowl=0.8)
    else:
        sheet.disc(x, y, radius, colour, 0.0)


def _bar(sheet: _Sheet, style: Style) -> None:
    height = sheet.cover.shape[0]
    half_width, half_length = style.bar_width * height / 4, style.bar_length * height / 2
    middle = slice(height - height // 8, height + height // 8)
    across = np.abs(np.arange(2 * height, dtype=np.float32)[middle] + 0.5 - height)
    along = np.abs(np.arange(height, dtype=np.float32) + 0.5 - height / 2)
    line = np.clip(half_width - across + 0.5, 0, 1)
    if style.bar == "double":
        line = np.clip(half_width / 2 - np.abs(across - half_width * 2) + 0.5, 0, 1)
    cover = np.clip(half_length - along + 0.5, 0, 1)[:, None] * line[None]
    groove = _dimmer(style.body, 0.55) if luminance(style.body) > 0.15 else (0.3, 0.3, 0.3)
    colour = {"engraved": groove, "metal": style.spinner_colour}.get(style.bar, style.bar_colour)
    sheet.ink((slice(None), middle), cover.astype(np.float32), colour, 1.0 if style.bar == "engraved" else 0.0)


def _spinner(sheet: _Sheet, style: Style) -> None:
    """A domed pin: dark rim, bright spot off its centre."""
    half = sheet.cover.shape[0] / 2
    radius = style.spinner * half
    sheet.disc(2 * half, half, radius, _dimmer(style.spinner_colour, 0.6), 0.0)
    sheet.disc(2 * half, half, radius * 0.85, style.spinner_colour, 0.0)
    sheet.disc(2 * half - radius * 0.3, half - radius * 0.3, radius * 0.35, _dimmer(style.spinner_colour, 1.35), 0.0)


def tile_back(rng: Rng, style: Style, height: int = 160) -> tuple[Floats, Floats]:
    """The back of a tile, in the format of `tile_face`: plain, or with a logo, a word, a pattern or a frame; no bar."""
    cover = Image.new("L", (2 * height, height), 0)
    draw = ImageDraw.Draw(cover)
    painters = {"logo": _logo, "text": _word, "pattern": _pattern, "frame": _frame, "emblem": _emblem}
    if style.back in painters:
        painters[style.back](rng, draw, height)
    ink = np.asarray(cover, np.float32) / 255
    colour = style.pips[1] if rng.random() < 0.5 else contrasting(rng, style.body, 0.1)
    flat = np.broadcast_to(np.asarray(colour, np.float32), (height, 2 * height, 3))
    return np.dstack([flat, ink]), (ink * (rng.random() < 0.5)).astype(np.float32)


def _logo(rng: Rng, draw: ImageDraw.ImageDraw, height: int) -> None:
    """A star or nested rings at the centre."""
    x, y, radius = float(height), height / 2, height * float(rng.uniform(0.15, 0.42))
    if rng.random() < 0.5:
        count, inner = int(rng.integers(4, 13)), float(rng.uniform(0.3, 0.7))
        turns = np.arange(2 * count) * np.pi / count + rng.uniform(0, 6)
        reach = radius * np.where(np.arange(2 * count) % 2, inner, 1.0)
        points = np.stack([x + reach * np.cos(turns), y + reach * np.sin(turns)], -1)
        draw.polygon([(float(a), float(b)) for a, b in points], fill=255)
        return
    for share in np.linspace(1, 0.3, int(rng.integers(1, 4))):
        box = (x - radius * share * rng.choice([1, 1.7]), y - radius * share)
        draw.ellipse((*box, 2 * x - box[0], 2 * y - box[1]), outline=255, width=max(2, height // 40))


_WORDS: Sequence[str] = ("DOMINO", "Double Six", "CLUB", "Train", "28", "Royal", "D&C", "MADE OF BONE", "X", "1902")


@functools.cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _word(rng: Rng, draw: ImageDraw.ImageDraw, height: int) -> None:
    """A maker's name, in one line or two, along the tile."""
    text = str(rng.choice(_WORDS)) if rng.random() < 0.5 else _letters(rng)
    size = height * float(rng.choice([0.2, 0.28, 0.4, 0.6]))
    size = min(size, 1.7 * height / max(1.0, 0.62 * len(text)))
    draw.text((height, height * rng.uniform(0.35, 0.6)), text, fill=255, font=_font(max(6, int(size))), anchor="mm")
    if rng.random() < 0.4:
        small = _font(max(5, int(size * 0.35)))
        draw.text((height, height * 0.8), _letters(rng), fill=255, font=small, anchor="mm")


def _letters(rng: Rng) -> str:
    return "".join(chr(65 + int(code)) for code in rng.integers(0, 26, int(rng.integers(1, 9))))


def _emblem(rng: Rng, draw: ImageDraw.ImageDraw, height: int) -> None:
    """A solid mirror-symmetric figure: a crest, a flower, an animal."""
    count, radius = int(rng.integers(5, 11)), height * float(rng.uniform(0.2, 0.45))
    turns = np.linspace(-np.pi / 2, np.pi / 2, count)
    reach = radius * rng.uniform(0.35, 1.0, count)
    half = np.stack([reach * np.cos(turns), reach * np.sin(turns)], -1)
    points = np.concatenate([half, half[::-1] * (-1, 1)]) * (rng.uniform(0.8, 1.6), 1) + (height, height / 2)
    draw.polygon([(float(x), float(y)) for x, y in points], fill=255)
    for x, y in points[:: int(rng.integers(2, 4))]:
        r = radius * float(rng.uniform(0.05, 0.25))
        draw.ellipse((x - r, y - r, x + r, y + r), fill=int(rng.choice([0, 255])))


def _pattern(rng: Rng, draw: ImageDraw.ImageDraw, height: int) -> None:
    """Hatching from edge to edge, in one or both directions."""
    step, slant = height * float(rng.uniform(0.06, 0.2)), height * float(rng.uniform(-1, 1))
    width = max(1, round(step * float(rng.uniform(0.15, 0.45))))
    for sign in (1, -1) if rng.random() < 0.6 else (1,):
        for x in np.arange(-height, 3 * height, step).tolist():
            draw.line((x, 0, x + sign * slant, height), fill=255, width=width)


def _frame(rng: Rng, draw: ImageDraw.ImageDraw, height: int) -> None:
    """A line along the edge, sometimes with an oval within."""
    inset, width = height * float(rng.uniform(0.05, 0.18)), max(1, round(height * float(rng.uniform(0.01, 0.04))))
    box = (inset, inset, 2 * height - inset, height - inset)
    draw.rounded_rectangle(box, radius=height * float(rng.uniform(0, 0.2)), outline=255, width=width)
    if rng.random() < 0.4:
        draw.ellipse((2 * inset, 2 * inset, 2 * height - 2 * inset, height - 2 * inset), outline=255, width=width)
