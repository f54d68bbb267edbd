"""Flat textures for scenes: die faces, numerals, printed sheets.

Every function draws from a `numpy.random.Generator`, so that a seed reproduces the same picture.
Colours are sRGB floats 0..1; images are float32 RGBA arrays, height x width x 4, first row at the top.
"""

from __future__ import annotations

import colorsys
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter, ImageFont

Colour = tuple[float, float, float]
Rng = np.random.Generator

CELL = 128
"""Pixels of one face in an atlas."""
PIP_GRID = 3, 2
"""Columns and rows of a pip atlas: value v is cell v - 1, row by row from the top."""
NUMERAL_GRID = 5, 4

_SPOTS: dict[int, list[tuple[float, float]]] = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
}


def any_colour(rng: Rng) -> Colour:
    """A random colour as toys have: often white, ivory, black or grey, otherwise any hue."""
    kind = rng.random()
    if kind < 0.22:
        return _tinted(rng, rng.uniform(0.78, 1.0), 0.18)
    if kind < 0.36:
        return _tinted(rng, rng.uniform(0.0, 0.12), 0.3)
    if kind < 0.44:
        return _tinted(rng, rng.uniform(0.15, 0.75), 0.1)
    return colorsys.hsv_to_rgb(rng.random(), rng.uniform(0.35, 1.0), rng.uniform(0.2, 1.0))


def _tinted(rng: Rng, value: float, saturation: float) -> Colour:
    return colorsys.hsv_to_rgb(
        rng.uniform(0.05, 0.18) if rng.random() < 0.7 else rng.random(), rng.uniform(0, saturation), value
    )


def contrasting(rng: Rng, body: Colour, least: float = 0.3) -> Colour:
    """A colour that a maker would print on `body`: mostly white or black, sometimes gold or any other visible one."""
    light = luminance(body)
    for _ in range(20):
        kind = rng.random()
        if kind < 0.62:
            colour = (
                _tinted(rng, rng.uniform(0.85, 1.0), 0.08)
                if light < 0.45
                else _tinted(rng, rng.uniform(0.0, 0.15), 0.3)
            )
        elif kind < 0.72:
            colour = colorsys.hsv_to_rgb(rng.uniform(0.1, 0.14), rng.uniform(0.4, 0.8), rng.uniform(0.7, 0.95))
        else:
            colour = any_colour(rng)
        if abs(luminance(colour) - light) > least:
            return colour
    return (1.0, 1.0, 1.0) if light < 0.5 else (0.0, 0.0, 0.0)


def luminance(colour: Colour) -> float:
    """Rec. 709 luma of an sRGB colour, 0..1."""
    return 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2]


def pip_atlas(rng: Rng, pip: Colour, *, plain: bool = False) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The six faces of a die: colour with the pips' coverage as alpha, and the depth of the pips (grey, 1 = deepest).

    One style for the whole die: size, spread and shape of the pips (round, square, ring or star); sometimes a big red one as in
    East Asia, a maker's logo in place of the one, or worn paint. `plain`: round and not worn.
    """
    spread, radius = rng.uniform(0.42, 0.6), rng.uniform(0.12, 0.24)
    radius = min(radius, spread / 2.15)
    shape = rng.choice(["disc", "disc", "disc", "disc", "disc", "disc", "disc", "square", "ring", "star"])
    shape = "disc" if plain else shape
    big_one = rng.random() < 0.15
    red = rng.random() < (0.7 if big_one else 0.03)
    logo = not big_one and rng.random() < 0.05
    cover = Image.new("L", (CELL * PIP_GRID[0] * 2, CELL * PIP_GRID[1] * 2), 0)
    colour = Image.new("RGB", cover.size, _rgb(pip))
    for value in range(1, 7):
        face = Image.new("L", (CELL * 2, CELL * 2), 0)
        if value == 1 and logo:
            _logo(rng, face)
        else:
            size = radius * (rng.uniform(1.5, 2.1) if value == 1 and big_one else 1.0)
            for x, y in _SPOTS[value]:
                jitter = rng.normal(0, 0.008, 2)
                _spot(
                    face,
                    str(shape),
                    CELL * (1 + x * spread + jitter[0]),
                    CELL * (1 + y * spread + jitter[1]),
                    CELL * size,
                )
        at = ((value - 1) % 3 * CELL * 2, (value - 1) // 3 * CELL * 2)
        cover.paste(face, at)
        if red and value in (1, 4):
            colour.paste(
                _rgb(colorsys.hsv_to_rgb(rng.uniform(-0.03, 0.03) % 1, 0.85, rng.uniform(0.5, 0.85))),
                (*at, at[0] + CELL * 2, at[1] + CELL * 2),
            )
    cover = cover.resize((CELL * PIP_GRID[0], CELL * PIP_GRID[1]), Image.Resampling.LANCZOS)
    colour = colour.resize(cover.size)
    depth = (
        np.asarray(cover.filter(ImageFilter.GaussianBlur(CELL * float(rng.choice([0.01, 0.02, 0.05])))), np.float32)
        / 255
    )
    alpha = np.asarray(cover, np.float32) / 255
    if not plain and rng.random() < 0.15:
        alpha = alpha * (1 - _blotches(rng, alpha.shape) * rng.uniform(0.3, 0.9))
    rgb = np.asarray(colour, np.float32) / 255
    return np.dstack([rgb, alpha]), np.dstack([depth] * 3 + [np.ones_like(depth)])


def numeral_atlas(rng: Rng, labels: Sequence[str], colour: Colour, fonts: Sequence[str]) -> NDArray[np.float32]:
    """Up to twenty faces with a numeral each (or any short text), upright, as colour with coverage.

    One typeface and size for the whole die: a figure is 0.34 to 0.52 of a cell tall, a label at most 0.6 wide. If
    there is a 9, a dot or a line may mark both it and the 6.
    """
    columns, rows = NUMERAL_GRID
    cover = Image.new("L", (CELL * columns, CELL * rows), 0)
    path, tall, bold = str(rng.choice(list(fonts))), CELL * rng.uniform(0.34, 0.52), int(rng.choice([0, 0, 0, 0, 1, 2]))
    mark = str(rng.choice(["dot", "line", "none"], p=[0.45, 0.35, 0.2])) if "9" in labels else "none"
    for i, label in enumerate(labels):
        face = _numeral(label, path, tall, bold)
        if label in ("6", "9"):
            _mark(face, mark)
        cover.paste(face, (i % columns * CELL, i // columns * CELL))
    return _flat(colour, cover)


def _numeral(label: str, path: str, tall: float, bold: int) -> Image.Image:
    font = ImageFont.truetype(path, 100)
    eight, whole = font.getbbox("8"), font.getbbox(label)
    scale = min(tall / (eight[3] - eight[1]), 0.6 * CELL / (whole[2] - whole[0]))
    font = ImageFont.truetype(path, max(8, round(100 * scale)))
    left, top, right, bottom = font.getbbox(label, stroke_width=bold)
    face = Image.new("L", (CELL, CELL), 0)
    at = ((CELL - left - right) / 2, (CELL - top - bottom) / 2)
    ImageDraw.Draw(face).text(at, label, fill=255, font=font, stroke_width=bold)
    return face


def _mark(face: Image.Image, mark: str) -> None:
    left, _, right, bottom = face.getbbox() or (0, 0, CELL, CELL)
    thick = max(3, (right - left) // 6)
    y = bottom + thick
    if mark == "line":
        ImageDraw.Draw(face).rectangle((left, y, right, y + thick), fill=255)
    elif mark == "dot":
        x = right + thick
        ImageDraw.Draw(face).ellipse((x, bottom - thick * 1.5, x + thick * 1.5, bottom), fill=255)


def _rgb(colour: Colour) -> tuple[int, int, int]:
    r, g, b = (round(255 * min(1.0, max(0.0, c))) for c in colour)
    return r, g, b


def _flat(colour: Colour, cover: Image.Image) -> NDArray[np.float32]:
    alpha = np.asarray(cover, np.float32) / 255
    return np.dstack([np.full_like(alpha, c) for c in colour] + [alpha])


def _blotches(rng: Rng, shape: tuple[int, ...]) -> NDArray[np.float32]:
    noise = Image.fromarray(rng.integers(0, 256, (shape[0] // 8, shape[1] // 8), dtype=np.uint8))
    smooth = np.asarray(noise.resize((shape[1], shape[0]), Image.Resampling.BICUBIC), np.float32) / 255
    return (smooth > rng.uniform(0.5, 0.8)).astype(np.float32)


def _spot(face: Image.Image, shape: str, x: float, y: float, r: float) -> None:
    draw = ImageDraw.Draw(face)
    box = (x - r, y - r, x + r, y + r)
    if shape == "square":
        draw.rectangle((x - r * 0.85, y - r * 0.85, x + r * 0.85, y + r * 0.85), fill=255)
    elif shape == "ring":
        draw.ellipse(box, outline=255, width=max(2, int(r * 0.45)))
    elif shape == "star":
        turns = np.arange(10) * np.pi / 5
        reach = np.where(np.arange(10) % 2, 0.55, 1.15) * r
        draw.polygon([(x + d * np.sin(t), y - d * np.cos(t)) for t, d in zip(turns, reach, strict=True)], fill=255)
    else:
        draw.ellipse(box, fill=255)


def _logo(rng: Rng, face: Image.Image) -> None:
    draw, middle, r = ImageDraw.Draw(face), face.width / 2, face.width * rng.uniform(0.2, 0.36)
    if rng.random() < 0.5:
        draw.text(
            (middle, middle), str(rng.choice(list("GSKRB"))), fill=255, font=ImageFont.load_default(r * 2), anchor="mm"
        )
    else:
        draw.ellipse((middle - r, middle - r, middle + r, middle + r), outline=255, width=8)
        _spot(face, "star", middle, middle, r * 0.6)
