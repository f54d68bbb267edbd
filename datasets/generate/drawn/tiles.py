"""Drawn ends of dominoes, for the network that reads one end of a tile.

A crop shows one half of a tile, its bar at the bottom, with an eighth of the half's size around it, as the product cuts it
from the detector's outline. It is made the way a photo is: a flat table with tiles is drawn, projected to a small photo with the
lens's and the light's faults, and the half is cut from that photo by an outline that is a little off: often by the turned
rectangle around a tile seen at a slant, which is all that the detector can say. About half of the photos are taken from 24
to 65 degrees over the table. The table is drawn, or a window of a photo without pieces (`photo_grounds.share`).
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from datasets.generate.drawn import photo_grounds
from datasets.generate.parts.drawings import any_colour
from datasets.generate.parts.paint import noise
from datasets.generate.parts.tile_faces import Style, tile_back, tile_face, tile_style
from vision.classify.tiles import SIDE, end, halves

Rng = np.random.Generator
Floats = NDArray[np.float32]
Pixels = NDArray[np.uint8]
Window = tuple[slice, slice]

CLASSES = ("other", "back", *(str(value) for value in range(13)))

_OTHER, _BACK, _FIRST = 0, 1, 2
_CHANCE = np.array([0.15, 0.08, *([0.074] * 7), *([0.042] * 6)])
"""How often a class is drawn: 0 to 6 more often than what only larger sets have."""
_LEAST, _LEAST_MANY, _MOST = 10.0, 13.0, 72.0
"""Pixels of an end in a photo: the fewest of 0 to 6, the fewest of 7 to 12, whose pips are smaller, and the most."""
_END = 72
"""Pixels of a half tile on the flat table."""
_TABLE = 176
"""Pixels of the flat table; the end to read is in its middle. What lies further out is mirrored from within."""
_SLANT = (0.18, 0.9)
"""How far a side face reaches in ends where the photo is taken at a slant."""
_PHOTOS = 4
"""Of each table, from elsewhere and in another light: laying tiles takes longer than taking photos of them."""
_CHUNK = 100


def many(count: int, seed: int, processes: int, backgrounds: Sequence[Path] = ()) -> tuple[Pixels, NDArray[np.int64]]:
    """`count` crops (count x 64 x 64 x 3, RGB) and their classes; the same for a seed whatever the number of processes.

    `backgrounds`: photos without pieces, to draw on.
    """
    sizes = [min(_CHUNK, count - start) for start in range(0, count, _CHUNK)]
    seeds = [(seed, i) for i in range(len(sizes))]
    # A fork while OpenCV's threads are at work may hang: start the processes afresh.
    afresh = get_context("spawn")
    with ProcessPoolExecutor(processes, afresh, photo_grounds.share, (list(backgrounds),)) as pool:
        parts = list(track(pool.map(_chunk, sizes, seeds), "Drawing tile ends", total=len(sizes)))
    crops = [np.zeros((0, SIDE, SIDE, 3), np.uint8), *(part[0] for part in parts)]
    return np.concatenate(crops), np.concatenate([np.zeros(0, np.int64), *(part[1] for part in parts)])


def _chunk(count: int, seed: tuple[int, int]) -> tuple[Pixels, NDArray[np.int64]]:
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    drawn = itertools.islice(itertools.chain.from_iterable(iter(lambda: draw(rng, _PHOTOS), None)), count)
    crops, labels = zip(*drawn, strict=True)
    return np.stack(crops), np.array(labels, np.int64)


def draw(rng: Rng, photos: int = 1) -> list[tuple[Pixels, int]]:
    """Crops, 64 x 64 x 3, RGB, of so many photos of one table, each with its class, an index into `CLASSES`."""
    scene, label = _arranged(rng)
    least = _LEAST_MANY if label > _FIRST + 6 else _LEAST
    return [(_photographed(rng, scene, least), label) for _ in range(photos)]


def _arranged(rng: Rng) -> tuple[_Scene, int]:
    label = int(rng.choice(len(CLASSES), p=_CHANCE / _CHANCE.sum()))
    if label == _OTHER:
        scenes: Sequence[Callable[[Rng], _Scene]] = (_no_tile, _die, _border, _shifted, _wrong_size, _long_cut)
        scene = scenes[int(rng.choice(len(scenes), p=[0.34, 0.12, 0.14, 0.22, 0.1, 0.08]))](rng)
    elif label == _BACK:
        scene = _on_edge(rng) if rng.random() < 0.25 else _tiles(rng, None)
    else:
        scene = _tiles(rng, label - _FIRST)
    return scene, label


@dataclass(frozen=True, slots=True)
class _Scene:
    """A flat table, RGB 0..1, and the outline of the tile on it: four corners, the end to read between the first and the last."""

    table: Floats
    outline: Floats
    depth: tuple[float, float] = (0.0, 0.0)
    """Where the side faces reach, pixels right and down of the face."""


# --- scenes ---------------------------------------------------------------------------------------------------------


def _outline(width: float = _END, x: float = _TABLE / 2, y: float = _TABLE / 2) -> Floats:
    """The outline of an upright tile whose first end has its centre at x, y."""
    left, right, top, bottom = x - width / 2, x + width / 2, y - _END / 2, y + _END * 1.5
    return np.array([[right, top], [right, bottom], [left, bottom], [left, top]], np.float32)


def _tiles(rng: Rng, value: int | None) -> _Scene:
    """A tile, its end in the middle of the table (None: it lies on its face), often with others beside it."""
    style = _style(rng, value)
    main = _piece(rng, style, None if value is None else (value, _any_value(rng, style)))
    return _laid(rng, style, main, _neighbours(rng, style))


def _style(rng: Rng, value: int | None) -> Style:
    least = 6 if value is None or value <= 6 else 9 if value <= 9 else 12
    chance = np.array([0.55, 0.2, 0.25])[[6, 9, 12].index(least) :]
    return tile_style(rng, int(rng.choice([size for size in (6, 9, 12) if size >= least], p=chance / chance.sum())))


def _any_value(rng: Rng, style: Style) -> int:
    return int(rng.integers(0, style.set_size + 1))


def _on_edge(rng: Rng) -> _Scene:
    """A tile on its long edge: a narrow plain strip, sometimes of two layers."""
    style = replace(_style(rng, None), back="plain")
    width = int(_END * rng.uniform(0.3, 0.6))
    piece = _piece(rng, style, None, width)
    if rng.random() < 0.4:
        split = int(width * rng.uniform(0.35, 0.65))
        piece[:split, :, :3] = piece[:split, :, :3] * np.float32(rng.uniform(0.3, 0.9))
    scene = _laid(rng, style, piece, _neighbours(rng, style) if rng.random() < 0.3 else [])
    return replace(scene, outline=_outline(width))


def _no_tile(rng: Rng) -> _Scene:
    """The bare table, or a print."""
    table = _ground(rng, _print if rng.random() < 0.6 else _plain, photos=0.5)
    if rng.random() < 0.3:
        style = _style(rng, None)
        return _laid(rng, style, None, _neighbours(rng, style), table)
    return _Scene(table, _outline())


def _die(rng: Rng) -> _Scene:
    """The face of a pip die: no bar."""
    style = _style(rng, None)
    value = int(rng.integers(1, 7))
    face = _piece(rng, replace(style, bar="painted", bar_length=0.0, spinner=0.0), (value, value))[:, :_END]
    face[..., 3] = _corners(_END, _END, float(rng.uniform(0.05, 0.3)))[0]
    table = _ground(rng)
    _over(table, *_placed(face, _pose(0, _TABLE / 2, _TABLE / 2, face)))
    return _Scene(table, _outline())


def _border(rng: Rng) -> _Scene:
    """The border between two tiles that lie end to end."""
    style = _style(rng, None)
    pieces = [_piece(rng, style, (_any_value(rng, style), _any_value(rng, style))) for _ in range(2)]
    middle, gap = _TABLE / 2, float(rng.uniform(0, 0.06)) * _END
    beside = [(pieces[1], _pose(90, middle + rng.normal(0, 2), middle - _END - gap, pieces[1]))]
    scene = _laid(rng, style, pieces[0], beside, shift=(0.0, _END / 2))
    return replace(scene, outline=_outline())


def _shifted(rng: Rng) -> _Scene:
    """A tile that lies half an end off its outline, along or across."""
    scene = _tiles(rng, int(rng.integers(0, 13)))
    away = float(rng.uniform(0.42, 0.7) * rng.choice([-1, 1])) * _END
    step = (away, rng.normal(0, 3)) if rng.random() < 0.5 else (rng.normal(0, 3), away)
    return replace(scene, outline=scene.outline + np.array(step, np.float32))


def _wrong_size(rng: Rng) -> _Scene:
    """An outline far too large or too small."""
    scene = _tiles(rng, int(rng.integers(1, 13)))
    middle = np.array([_TABLE / 2, _TABLE / 2], np.float32) + rng.normal(0, 5, 2).astype(np.float32)
    factor = rng.uniform(1.7, 2.4) if rng.random() < 0.6 else rng.uniform(0.25, 0.5)
    return replace(scene, outline=(middle + (scene.outline - middle) * factor).astype(np.float32))


def _long_cut(rng: Rng) -> _Scene:
    """A tile cut along its length: its outline begins at the wrong corner."""
    style = _style(rng, None)
    scene = _laid(
        rng, style, _piece(rng, style, (_any_value(rng, style), _any_value(rng, style))), [], shift=(0, -_END / 2)
    )
    corners = scene.outline - np.array([0, _END / 2], np.float32)
    return replace(scene, outline=np.roll(corners, int(rng.choice([1, 3])), 0))


def _neighbours(rng: Rng, style: Style) -> list[tuple[Floats, Floats]]:
    """Other tiles of the set with their poses: touching as in a chain, in a row, or scattered."""
    if rng.random() < 0.4:
        return []
    middle, gap = _TABLE / 2, abs(float(rng.normal(0, 0.04))) * _END
    side, slide = float(rng.choice([-1, 1])), float(rng.uniform(-1.5, 1.5)) * _END
    away = float(rng.uniform(1.1, 1.9)) * _END
    angle = float(rng.uniform(0, 2 * np.pi))
    poses = (
        (90, middle + rng.normal(0, 2), middle - 1.5 * _END - gap),
        (0, middle + rng.choice([0, 0.5, -0.5]) * _END, middle - _END - gap),
        (90, middle + side * (_END + gap), middle + _END / 2 + (slide if rng.random() < 0.5 else 0)),
        (0, middle + side * (1.5 * _END + gap), middle + rng.choice([0, 0.5, 1]) * _END),
        (rng.uniform(0, 360), middle + away * np.cos(angle), middle + away * np.sin(angle)),
    )
    chosen = rng.choice(len(poses), int(rng.integers(1, 3)), replace=False, p=[0.28, 0.18, 0.24, 0.15, 0.15])
    pieces = [_piece(rng, style, (_any_value(rng, style), _any_value(rng, style))) for _ in chosen]
    turns = 180 * rng.integers(0, 2, len(chosen)) + rng.normal(0, 1.5, len(chosen))
    places = [poses[i] for i in chosen]
    return [
        (piece, _pose(degrees + turn, x, y, piece))
        for piece, turn, (degrees, x, y) in zip(pieces, turns, places, strict=True)
    ]


def _laid(
    rng: Rng,
    style: Style,
    main: Floats | None,
    beside: list[tuple[Floats, Floats]],
    table: Floats | None = None,
    shift: tuple[float, float] = (0.0, 0.0),
) -> _Scene:
    """A table with the pieces on it, their shadows and their side faces."""
    table = _ground(rng) if table is None else table
    pieces = [*beside]
    if main is not None:
        upright = _pose(90, _TABLE / 2 + shift[0], _TABLE / 2 + _END / 2 + shift[1], main)
        pieces.insert(0 if rng.random() < 0.15 else len(pieces), (main, upright))
    placed = [_placed(piece, pose) for piece, pose in pieces]
    cover = np.zeros((_TABLE, _TABLE), np.float32)
    for where, layer in placed:
        np.maximum(cover[where], layer[..., 3], out=cover[where])
    _shadow(rng, table, cover)
    depth = _sides(rng, table, cover, style)
    for where, layer in placed:
        _over(table, where, layer)
    return _Scene(table, _outline(), depth)


# --- pieces ---------------------------------------------------------------------------------------------------------


def _piece(rng: Rng, style: Style, ends: tuple[int, int] | None, width: int = _END) -> Floats:
    """A lit tile lying on its side, `width` x 144 x 4, RGBA 0..1; without ends it shows its back."""
    ink, depth = tile_back(rng, style, _END) if ends is None else tile_face(rng, ends, style, _END)
    ink, depth = _worn(rng, ink[:width]), depth[:width]
    cover, inside = _corners(width, 2 * _END, float(rng.uniform(0.02, 0.28)))
    wear = np.float32(rng.uniform(0.75, 1.0)) * ink[..., 3:]
    colour = _body(rng, style, width) * (1 - wear) + ink[..., :3] * wear
    bevel = np.clip(inside / (_END * rng.uniform(0.02, 0.1)), 0, 1) * rng.uniform(0, 0.8)
    lit = _relief(rng, colour, np.asarray(bevel - depth * rng.uniform(0.2, 1.3), np.float32))
    if rng.random() < (0.45 if ends and 0 in ends else 0.2):
        lit = _mirrored(rng, lit)
    return np.dstack([np.clip(lit, 0, 1), cover]).astype(np.float32)


def _worn(rng: Rng, ink: Floats) -> Floats:
    """The ink with some of its paint gone, of old tiles."""
    if rng.random() > 0.15:
        return ink
    cells = int(rng.integers(4, 24))
    gone = np.float32(rng.uniform(0.3, 0.8)) * noise(rng, (ink.shape[0], ink.shape[1]), (cells, 2 * cells))
    return np.dstack([ink[..., :3], ink[..., 3] * (1 - gone)])


def _mirrored(rng: Rng, face: Floats) -> Floats:
    """What a glossy tile mirrors: a lamp, a tube, a window with its panes. Never a round spot where a single pip would be."""
    spot = np.zeros(face.shape[:2], np.uint8)
    middle = rng.uniform((0, 0), (2 * _END, face.shape[0]))
    kind = rng.random()
    if kind < 0.3:
        radius = _END * float(rng.uniform(0.03, 0.14))
        off = rng.choice([-1, 1], 2) * rng.uniform((0.2, 0), (0.48, 0.48))[rng.permutation(2)]
        middle = (off + np.array([rng.choice([0.5, 1.5]), 0.5])) * _END
        axes = (radius, radius * rng.uniform(0.6, 1.0))
        cv2.ellipse(spot, (middle.tolist(), (2 * axes[0], 2 * axes[1]), float(rng.uniform(0, 180))), 255, -1)
    else:
        panes = int(rng.integers(1, 4)) if kind < 0.75 else 1
        long, wide = _END * rng.uniform((0.15, 0.1), (0.8, 0.5))
        wide = wide if kind < 0.75 else _END * rng.uniform(0.03, 0.1)
        for pane in _panes(rng, middle, float(long), float(wide), panes):
            cv2.fillConvexPoly(spot, pane, 255, cv2.LINE_AA)
    soft = cv2.GaussianBlur(spot.astype(np.float32) / 255, (0, 0), float(rng.uniform(0.4, 5)))
    light = np.float32(rng.uniform(0.3, 0.95)) * soft[..., None]
    return np.asarray(face + (rng.uniform(0.85, 1.1, 3).astype(np.float32) - face) * light, np.float32)


def _panes(rng: Rng, middle: NDArray[np.float64], long: float, wide: float, count: int) -> list[NDArray[np.int32]]:
    """The panes of a window, side by side, skewed."""
    way = rng.uniform(0, 2 * np.pi)
    skew = way + np.pi / 2 + rng.normal(0, 0.3)
    along, across = np.array([np.cos(way), np.sin(way)]), np.array([np.cos(skew), np.sin(skew)])
    step = long / count
    starts = [(i - count / 2) * step for i in range(count)]
    return [
        np.round(
            middle
            + np.array(
                [
                    along * u + across * v
                    for u, v in (
                        (start, -wide / 2),
                        (start + 0.85 * step, -wide / 2),
                        (start + 0.85 * step, wide / 2),
                        (start, wide / 2),
                    )
                ]
            )
        ).astype(np.int32)
        for start in starts
    ]


def _corners(height: int, width: int, radius: float) -> tuple[Floats, Floats]:
    """A rounded rectangle's coverage, and the distance of every pixel from its edge; `radius` over half an end."""
    r = radius * _END / 2
    x = np.abs(np.arange(width, dtype=np.float32) + 0.5 - width / 2) - (width / 2 - r)
    y = np.abs(np.arange(height, dtype=np.float32) + 0.5 - height / 2) - (height / 2 - r)
    out = np.sqrt(np.maximum(x, 0)[None] ** 2 + np.maximum(y, 0)[:, None] ** 2)
    inside = r - out - np.minimum(np.maximum(x[None], y[:, None]), 0)
    return np.clip(inside + 0.5, 0, 1), np.maximum(inside, 0)


def _body(rng: Rng, style: Style, height: int) -> Floats:
    body, second = np.array(style.body, np.float32), np.array(style.second, np.float32)
    if style.grain == "plain":
        return np.broadcast_to(body, (height, 2 * _END, 3))
    cells = {"wood": (int(rng.integers(8, 30)), 3), "marbled": (5, 10), "translucent": (3, 5)}[style.grain]
    share = noise(rng, (height, 2 * _END), cells)[..., None] * (0.5 if style.grain == "translucent" else 1.0)
    return (body + (second - body) * share).astype(np.float32)


def _relief(rng: Rng, colour: Floats, height: Floats) -> Floats:
    """Shade by the slope of a height map, with a glint where the slope throws the lamp into the lens."""
    right, down = cv2.Sobel(height, cv2.CV_32F, 1, 0, ksize=3), cv2.Sobel(height, cv2.CV_32F, 0, 1, ksize=3)
    turn, strength = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 0.7)
    light = np.cos(turn) * right + np.sin(turn) * down
    shaded = np.asarray(colour * (1 + strength * np.clip(light, -1, 1))[..., None], np.float32)
    if rng.random() < 0.5:
        return shaded
    steep = float(rng.uniform(0.15, 0.7))
    miss = (right - steep * np.cos(turn)) ** 2 + (down - steep * np.sin(turn)) ** 2
    return np.asarray(
        shaded + (rng.uniform(0.2, 1.0) * np.exp(-miss / rng.uniform(0.003, 0.03)))[..., None], np.float32
    )


def _pose(angle: float, x: float, y: float, piece: Floats) -> Floats:
    """The affine map that turns a piece clockwise by degrees and lays its centre on x, y of the table."""
    turn = np.deg2rad(angle)
    c, s = np.cos(turn), np.sin(turn)
    u, v = piece.shape[1] / 2 - 0.5, piece.shape[0] / 2 - 0.5
    return np.array([[c, -s, x - 0.5 - c * u + s * v], [s, c, y - 0.5 - s * u - c * v]], np.float32)


def _placed(piece: Floats, pose: Floats) -> tuple[Window, Floats]:
    """The part of the table that the piece lies on, and the piece there, its colour already multiplied by coverage."""
    height, width = piece.shape[:2]
    corners = np.array([[0, 0, 1], [width, 0, 1], [0, height, 1], [width, height, 1]]) @ pose.T
    left, top = np.clip(corners.min(0) - 2, 0, _TABLE - 1).astype(int).tolist()
    right, bottom = np.clip(corners.max(0) + 2, (left + 1, top + 1), _TABLE).astype(int).tolist()
    whole = piece.copy()
    whole[..., :3] *= piece[..., 3:]
    moved = pose - np.array([[0, 0, left], [0, 0, top]], np.float32)
    layer = cv2.warpAffine(whole, moved, (right - left, bottom - top), flags=cv2.INTER_LINEAR)
    return (slice(top, bottom), slice(left, right)), np.asarray(layer, np.float32)


def _over(table: Floats, where: Window, layer: Floats) -> None:
    table[where] *= 1 - layer[..., 3:]
    table[where] += layer[..., :3]


def _shadow(rng: Rng, table: Floats, cover: Floats) -> None:
    reach = rng.uniform(0, 0.25) * _END
    turn = rng.uniform(0, 2 * np.pi)
    moved = cv2.warpAffine(
        cover, np.array([[1, 0, reach * np.cos(turn)], [0, 1, reach * np.sin(turn)]]), (_TABLE, _TABLE)
    )
    soft = cv2.GaussianBlur(moved, (0, 0), float(rng.uniform(0.5, 5)))
    table *= (1 - np.float32(rng.uniform(0, 0.75)) * soft)[..., None]


def _sides(rng: Rng, table: Floats, cover: Floats, style: Style) -> tuple[float, float]:
    """The side faces that an oblique view shows, under the faces; how far they reach.

    A tile is about 0.4 times as thick as wide: from 25 degrees its side reaches nearly as far as the tile is wide.
    """
    kind = rng.random()
    if kind < 0.3:
        return 0.0, 0.0
    far = rng.uniform(0.03, 0.25) if kind < 0.5 else rng.uniform(*_SLANT)
    reach, turn = float(far) * _END, float(rng.uniform(0, 2 * np.pi))
    x, y = reach * np.cos(turn), reach * np.sin(turn)
    size = 2 * int(np.ceil(reach)) + 1
    kernel = np.zeros((size, size), np.uint8)
    cv2.line(kernel, (size // 2, size // 2), (round(size // 2 - x), round(size // 2 - y)), 1, 1)
    swept = cv2.dilate(cover, kernel)
    colour = np.array(style.body if rng.random() < 0.75 else style.second, np.float32) * rng.uniform(0.35, 1.05)
    table += (colour.astype(np.float32) - table) * swept[..., None]
    return x, y


# --- grounds --------------------------------------------------------------------------------------------------------

_SHEETS = 96
"""Different sheets of each kind; windows, colours and turns vary them."""
_SHEET = 384


def _ground(rng: Rng, kind: Callable[[int], Pixels] | None = None, photos: float = 0.4) -> Floats:
    """A piece of table or of print, RGB 0..1, recoloured; so often a window of a photo, where there are any."""
    if photo_grounds.shared() and rng.random() < photos:
        return photo_grounds.window(rng, _TABLE)
    kind = kind or (_print if rng.random() < 0.25 else _plain)
    sheet = kind(int(rng.integers(_SHEETS)))
    left, top = rng.integers(0, _SHEET - _TABLE, 2)
    window = np.rot90(sheet[top : top + _TABLE, left : left + _TABLE], int(rng.integers(4)))
    light = np.float32(rng.uniform(0.35, 1.15) / 255)
    channels = rng.permutation(3) if rng.random() < 0.4 else np.arange(3)
    return np.asarray(np.minimum(window[..., channels] * light, 1), np.float32)


@functools.cache
def _plain(number: int) -> Pixels:
    """A table: flat, speckled, clouded, woven or of boards. Sheet `number` is always the same."""
    rng = np.random.default_rng((1, number))
    base, second = np.array(any_colour(rng)), np.array(any_colour(rng))
    share = _SURFACES[number % len(_SURFACES)](rng)[..., None] * rng.uniform(0.1, 0.7)
    grit = rng.normal(0, rng.uniform(0, 0.06), (_SHEET, _SHEET, 1))
    return np.asarray(np.clip((base + (second - base) * share + grit) * 255, 0, 255), np.uint8)


def _clouds(rng: Rng) -> Floats:
    lumps = int(rng.integers(2, 60))
    return noise(rng, (_SHEET, _SHEET), (lumps, lumps))


def _weave(rng: Rng) -> Floats:
    step = float(rng.uniform(3, 12))
    x = np.sin(np.arange(_SHEET, dtype=np.float32) * (2 * np.pi / step))
    return np.asarray(np.clip(0.5 + 0.5 * np.outer(x, x) + rng.normal(0, 0.2, (_SHEET, _SHEET)), 0, 1), np.float32)


def _boards(rng: Rng) -> Floats:
    grain = noise(rng, (_SHEET, _SHEET), (int(rng.integers(20, 120)), 4))
    for y in np.arange(rng.uniform(0, 60), _SHEET, rng.uniform(50, 200)).astype(int):
        grain[y : y + int(rng.integers(1, 4))] = 1
    return grain


def _flat(rng: Rng) -> Floats:
    return noise(rng, (_SHEET, _SHEET), (2, 2))


def _speckles(rng: Rng) -> Floats:
    grit = cv2.GaussianBlur(rng.normal(0, 1, (_SHEET, _SHEET)).astype(np.float32), (0, 0), float(rng.uniform(0.7, 4)))
    return np.asarray(np.clip(grit / grit.std() - rng.uniform(0, 1.5), 0, 1), np.float32)


_SURFACES = (_flat, _clouds, _weave, _boards, _speckles)


@functools.cache
def _print(number: int) -> Pixels:
    """A printed sheet: squares, chequers, text, dots, stars, cards. Sheet `number` is always the same."""
    rng = np.random.default_rng((2, number))
    sheet = np.array(_plain(int(rng.integers(_SHEETS))) if rng.random() < 0.4 else _paper(rng))
    for _ in range(int(rng.integers(1, 3))):
        _PRINTS[int(rng.integers(len(_PRINTS)))](rng, sheet)
    return sheet


def _paper(rng: Rng) -> Pixels:
    return np.full((_SHEET, _SHEET, 3), np.array(any_colour(rng)) * 255, np.uint8)


def _ink(rng: Rng) -> tuple[float, float, float]:
    r, g, b = any_colour(rng)
    return r * 255, g * 255, b * 255


def _squares(rng: Rng, sheet: Pixels) -> None:
    step, width = int(rng.integers(18, 110)), int(rng.integers(1, 6))
    colour = _ink(rng)
    for at in range(int(rng.integers(step)), _SHEET, step):
        cv2.line(sheet, (at, 0), (at, _SHEET), colour, width, cv2.LINE_AA)
        cv2.line(sheet, (0, at), (_SHEET, at), colour, width, cv2.LINE_AA)


def _stripes(rng: Rng, sheet: Pixels) -> None:
    step, slant = int(rng.integers(8, 90)), int(rng.integers(-_SHEET, _SHEET))
    colour, width = _ink(rng), int(rng.integers(1, max(2, step // 2)))
    for at in range(-_SHEET, 2 * _SHEET, step):
        cv2.line(sheet, (at, 0), (at + slant, _SHEET), colour, width, cv2.LINE_AA)


def _chequers(rng: Rng, sheet: Pixels) -> None:
    step, colour = int(rng.integers(12, 100)), _ink(rng)
    cells = np.arange(_SHEET) // step
    sheet[(cells[:, None] + cells[None]) % 2 == 1] = colour


def _letters(rng: Rng, sheet: Pixels) -> None:
    size, colour = float(rng.uniform(0.4, 4)), _ink(rng)
    for y in np.arange(20, _SHEET, 34 * size).astype(int).tolist():
        text = "".join(chr(int(code)) for code in rng.integers(48, 123, 24))
        cv2.putText(sheet, text, (-10, y), int(rng.integers(8)), size, colour, max(1, int(size * 2)), cv2.LINE_AA)


def _dots(rng: Rng, sheet: Pixels) -> None:
    step, colour = int(rng.integers(12, 80)), _ink(rng)
    radius, filled = int(step * rng.uniform(0.1, 0.45)), rng.random() < 0.7
    for x in range(0, _SHEET, step):
        for y in range(0, _SHEET, step):
            cv2.circle(sheet, (x, y), max(1, radius), colour, -1 if filled else 2, cv2.LINE_AA)


def _stars(rng: Rng, sheet: Pixels) -> None:
    step, colour = int(rng.integers(30, 120)), _ink(rng)
    points, inner = int(rng.integers(3, 9)), float(rng.uniform(0.2, 0.7))
    turns = np.arange(2 * points) * np.pi / points
    reach = step * rng.uniform(0.2, 0.5) * np.where(np.arange(2 * points) % 2, inner, 1.0)
    star = np.stack([reach * np.cos(turns), reach * np.sin(turns)], -1)
    for x in range(step // 2, _SHEET, step):
        for y in range(step // 2, _SHEET, step):
            cv2.fillPoly(sheet, [(star + np.array([x, y])).astype(np.int32)], colour, cv2.LINE_AA)


def _cards(rng: Rng, sheet: Pixels) -> None:
    for _ in range(int(rng.integers(3, 14))):
        x, y = rng.integers(-40, _SHEET, 2).tolist()
        width, height = rng.integers(30, 150, 2).tolist()
        cv2.rectangle(sheet, (x, y), (x + width, y + height), _ink(rng), -1 if rng.random() < 0.7 else 3)


def _blobs(rng: Rng, sheet: Pixels) -> None:
    for _ in range(int(rng.integers(4, 30))):
        x, y = rng.integers(0, _SHEET, 2).tolist()
        axes = rng.integers(4, 70, 2).tolist()
        cv2.ellipse(sheet, (x, y), axes, float(rng.uniform(0, 180)), 0, 360, _ink(rng), -1, cv2.LINE_AA)


_PRINTS = (_squares, _stripes, _chequers, _letters, _dots, _stars, _cards, _blobs)


# --- the photo ------------------------------------------------------------------------------------------------------


def _photographed(rng: Rng, scene: _Scene, least: float) -> Pixels:
    """The crop as the product cuts it from a photo of the scene, in which an end is at least so many pixels large."""
    size = float(np.exp(rng.uniform(np.log(least), np.log(_MOST))))
    lens, side = _lens(rng, scene, size)
    shrunk, factor = _shrunk(scene.table, size)
    # Pixel i covers i to i + 1: the lens maps edges, the warp wants centres.
    centres = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]])
    smaller = centres @ lens @ np.diag([1 / factor, 1 / factor, 1.0]) @ np.linalg.inv(centres)
    photo = np.asarray(
        cv2.warpPerspective(shrunk, smaller, (side, side), borderMode=cv2.BORDER_REFLECT_101), np.float32
    )
    corners = cv2.perspectiveTransform(scene.outline[None], lens)[0]
    moved = cv2.perspectiveTransform((scene.outline + np.array(scene.depth, np.float32))[None], lens)[0]
    if rng.random() < 0.5:
        corners = corners + (moved - corners) * np.float32(rng.uniform(0, 0.5))
    if rng.random() < 0.6:
        corners = _turned(corners)
    return _cut(_faults(rng, photo, size), _off(rng, corners))


def _turned(corners: Floats) -> Floats:
    """The turned rectangle around an outline, its corners in the order of the outline's."""
    box = cv2.boxPoints(cv2.minAreaRect(corners))
    ways = [np.roll(way, -k, axis=0) for way in (box, box[::-1]) for k in range(4)]
    return np.asarray(min(ways, key=lambda way: float(np.abs(way - corners).sum())), np.float32)


def _shrunk(table: Floats, size: float) -> tuple[Floats, float]:
    """The table made smaller where the photo is, so that nothing is skipped in sampling; and by how much."""
    factor = min(1.0, size / _END)
    if factor > 0.8:
        return table, 1.0
    pixels = round(_TABLE * factor)
    return np.asarray(cv2.resize(table, (pixels, pixels), interpolation=cv2.INTER_AREA), np.float32), pixels / _TABLE


def _lens(rng: Rng, scene: _Scene, size: float) -> tuple[NDArray[np.float64], int]:
    """The map from the table to a photo in which an end is about `size` pixels large, and the photo's side in pixels."""
    first = scene.outline[[0, 3]]
    middle = (first + (scene.outline[[1, 2]] - first) / 4).mean(0)
    turn, squeeze, near = _view(rng, scene)
    size /= float(np.sqrt(squeeze))
    c, s = np.cos(turn), np.sin(turn)
    linear = np.diag([1.0, squeeze]) @ np.array([[c, -s], [s, c]]) * size / _END
    wide = np.abs((scene.outline - middle) @ linear.T).max() / 1.6
    side = int(np.ceil(max(2.3 * size, 1.9 * wide))) + 4
    tilt = rng.normal(0, 0.1, 2) / side + (0, -near / (squeeze * size))
    centre = np.array([[1, 0, side / 2], [0, 1, side / 2], [0, 0, 1]])
    bend = np.array([[1, 0, 0], [0, 1, 0], [tilt[0], tilt[1], 1]])
    flat = np.eye(3)
    flat[:2, :2] = linear
    flat[:2, 2] = -linear @ middle
    return centre @ bend @ flat, side


def _view(rng: Rng, scene: _Scene) -> tuple[float, float, float]:
    """From where the photo is taken: the table's turn, how much it is foreshortened, and how much larger what lies one end
    nearer looks. At a slant the side faces are those towards the camera.
    """
    reach = float(np.hypot(*scene.depth)) / _END
    if reach < _SLANT[0]:
        return rng.uniform(0, 2 * np.pi), rng.uniform(0.5, 1.0) if rng.random() < 0.3 else 1.0, 0.0
    turn = np.pi / 2 - np.arctan2(scene.depth[1], scene.depth[0]) + rng.normal(0, 0.15)
    elevation = np.clip(np.arctan(rng.uniform(0.28, 0.48) / reach), np.deg2rad(24), np.deg2rad(65))
    ends_away = np.exp(rng.uniform(np.log(6), np.log(40)))
    return float(turn), float(np.sin(elevation)), float(np.cos(elevation) / ends_away)


def _off(rng: Rng, corners: Floats) -> Floats:
    """The outline as a detector gives it: a little off in place, size, angle and corners, and sometimes more."""
    much = rng.choice([0.5, 1.0, 1.8], p=[0.4, 0.48, 0.12])
    length = float(np.linalg.norm(corners[0] - corners[1]))
    turn = np.deg2rad(rng.normal(0, 2.2 * much))
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    middle = corners.mean(0)
    along, across = (corners[1] - corners[0]) / length, (corners[3] - corners[0]) / max(1e-6, length)
    grown = (corners - middle) * rng.normal(1, 0.03 * much)
    grown = grown + np.outer([-1, 1, 1, -1], along) * rng.normal(0, 0.012 * much) * length
    grown = grown + np.outer([-1, -1, 1, 1], across) * rng.normal(0, 0.025 * much) * length
    corner = rng.normal(0, 0.01 * much, (4, 2)) * length
    place = rng.normal(0, 0.018 * much, 2) * length
    return np.asarray(middle + grown @ spin.T + corner + place, np.float32)


def _cut(photo: Pixels, corners: Floats) -> Pixels:
    """The half between the first and the last corner, its bar at the bottom."""
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return end(photo, halves((a, b, c, d))[0], (1.0, False))


def _faults(rng: Rng, photo: Floats, size: float) -> Pixels:
    """Light, lens, sensor and compression."""
    photo = _lit(rng, photo)
    if rng.random() < 0.18:
        photo = _hard_shadow(rng, photo, size)
    if rng.random() < 0.2:
        photo = _glare(rng, photo, size)
    if rng.random() < 0.85:
        photo = _exposed(rng, photo)
    if rng.random() < 0.9:
        photo = _blurred(rng, photo, size)
    if rng.random() < 0.8:
        photo = _noisy(rng, photo)
    if rng.random() < 0.3:
        photo = photo + np.float32(rng.uniform(0.3, 1.8)) * (photo - cv2.GaussianBlur(photo, (0, 0), 1.2))
    pixels = np.asarray(np.clip(photo * 255, 0, 255), np.uint8)
    return _compressed(rng, pixels) if rng.random() < 0.7 else pixels


def _lit(rng: Rng, photo: Floats) -> Floats:
    """A slow change of light across the photo, and its colour."""
    corners = (1 + rng.normal(0, 0.18, (2, 2))).clip(0.4, 1.6).astype(np.float32)
    slope = cv2.resize(corners, photo.shape[1::-1], interpolation=cv2.INTER_LINEAR)[..., None]
    tint = 1 + rng.normal(0, 0.06 if rng.random() < 0.75 else 0.2, 3)
    return np.asarray(photo * slope * tint.clip(0.3, 1.7), np.float32)


def _field(photo: Floats, x: float, y: float, turn: float) -> tuple[Floats, Floats]:
    """Coordinates of the pixels about a point, along a direction and across it."""
    dx = np.arange(photo.shape[1], dtype=np.float32)[None] - x
    dy = np.arange(photo.shape[0], dtype=np.float32)[:, None] - y
    c, s = np.float32(np.cos(turn)), np.float32(np.sin(turn))
    return dx * c + dy * s, dy * c - dx * s


def _hard_shadow(rng: Rng, photo: Floats, size: float) -> Floats:
    """Half a plane or a strip in the shade."""
    x, y = photo.shape[1] / 2 + rng.normal(0, 0.4, 2) * size
    along, _ = _field(photo, x, y, rng.uniform(0, 2 * np.pi))
    soft = max(0.7, size * float(rng.uniform(0.01, 0.15)))
    shade = np.clip(along / soft, 0, 1)
    if rng.random() < 0.4:
        shade = shade * np.clip((size * rng.uniform(0.1, 0.8) - along) / soft, 0, 1)
    return np.asarray(photo * (1 - rng.uniform(0.2, 0.65) * shade)[..., None], np.float32)


def _glare(rng: Rng, photo: Floats, size: float) -> Floats:
    """A lamp or a window mirrored: bright, soft at its edge, never so large as to hide a whole end."""
    x, y = photo.shape[1] / 2 + rng.normal(0, 0.5, 2) * size
    along, across = _field(photo, x, y, rng.uniform(0, 2 * np.pi))
    length, width = rng.uniform(0.08, 0.6) * size, rng.uniform(0.05, 0.25) * size
    spot = np.exp(-((along / length) ** 2) - (across / width) ** 2)
    return np.asarray(photo + (rng.uniform(0.15, 0.8) * spot)[..., None], np.float32)


def _exposed(rng: Rng, photo: Floats) -> Floats:
    """Too much or too little light, and a tone curve; at times so much that pale tiles bleach."""
    gain = rng.uniform(1.3, 2.2) if rng.random() < 0.12 else np.exp(rng.normal(0, 0.22))
    haze = rng.uniform(0, 0.2) if rng.random() < 0.25 else 0.0
    toned = np.clip(photo * gain, 0, 1) ** np.exp(rng.normal(0, 0.18))
    return np.asarray(toned * (1 - haze) + haze * rng.uniform(0.3, 0.9), np.float32)


def _blurred(rng: Rng, photo: Floats, size: float) -> Floats:
    """Out of focus, or moved."""
    if rng.random() < 0.2:
        length = max(2, round(size * float(rng.uniform(0.03, 0.11))))
        kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
        turn = rng.uniform(0, np.pi)
        step = round(length * np.cos(turn)), round(length * np.sin(turn))
        cv2.line(
            kernel,
            (length - step[0] // 2, length - step[1] // 2),
            (length + step[0] // 2, length + step[1] // 2),
            1.0,
            1,
        )
        return np.asarray(cv2.filter2D(photo, -1, kernel / kernel.sum()), np.float32)
    sigma = max(0.35, abs(float(rng.normal(0, 0.35))) + size * abs(float(rng.normal(0, 0.014))))
    return np.asarray(cv2.GaussianBlur(photo, (0, 0), sigma), np.float32)


def _noisy(rng: Rng, photo: Floats) -> Floats:
    grain = rng.standard_normal(photo.shape, np.float32) * np.float32(abs(rng.normal(0, 0.03)))
    if rng.random() < 0.4:
        grain = cv2.GaussianBlur(grain, (0, 0), 0.8) * 1.6
    return np.asarray(photo + grain, np.float32)


def _compressed(rng: Rng, pixels: Pixels) -> Pixels:
    quality = int(rng.uniform(20, 96))
    done, data = cv2.imencode(".jpg", pixels[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
    decoded = cv2.imdecode(data, cv2.IMREAD_COLOR)
    if not done or decoded is None:
        raise RuntimeError("cannot compress the photo")
    return np.asarray(decoded[..., ::-1], np.uint8)
