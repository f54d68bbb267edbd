"""Drawn ends of dominoes, for the network that classifies one end of a tile.

A crop shows one half of a tile, its bar at the bottom, with an eighth of the half's size around it, as the product cuts it
from the detector's outline. It is made like a photo: a flat table with tiles is drawn, projected to a small photo with the
faults of lens and light, and the half is cut from that photo by an outline that is slightly off: often by the rotated
rectangle around a tile seen at a slant, which is all that the detector gives. About half of the photos are taken from 24
to 65 degrees over the table. The table is drawn, or a window of a photo without pieces (`photo_grounds.share`).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from datasets.generate.drawn import photo_grounds
from datasets.generate.drawn.tile_grounds import TABLE, Floats, Pixels, Rng, ground, plain, printed
from datasets.generate.drawn.tile_photos import END, SLANT, TilePhoto, TileScene, off, photographed, turned
from datasets.generate.parts.paint import noise
from datasets.generate.parts.tile_faces import Style, tile_back, tile_face, tile_style
from vision.classify.tiles import SIDE, end, halves

Window = tuple[slice, slice]

CLASSES = ("other", "back", *(str(value) for value in range(13)))

_OTHER, _BACK, _FIRST = 0, 1, 2
_CHANCE = np.array([0.15, 0.08, *([0.074] * 7), *([0.042] * 6)])
"""The probability of each class: 0 to 6 are more frequent than values that only larger sets have."""
LEAST, LEAST_MANY = 10.0, 13.0
"""Least pixels of an end in a photo: with 0 to 6, and with 7 to 12, whose pips are smaller."""
_PHOTOS = 4
"""Photos per table, from other views and in other light: laying tiles takes longer than photographing them."""
_CHUNK = 100


def many(count: int, seed: int, processes: int, backgrounds: Sequence[Path] = ()) -> tuple[Pixels, NDArray[np.int64]]:
    """`count` crops (count x 64 x 64 x 3, RGB) and their classes; they depend on the seed, not on the number of processes.

    `backgrounds`: photos without pieces, to draw on.
    """
    sizes = [min(_CHUNK, count - start) for start in range(0, count, _CHUNK)]
    seeds = [(seed, i) for i in range(len(sizes))]
    # A fork while OpenCV's threads are running may hang: spawn the processes.
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
    """Crops, 64 x 64 x 3, RGB, of several photos of one table, each with its class, an index into `CLASSES`."""
    scene, label = _arranged(rng)
    least = LEAST_MANY if label > _FIRST + 6 else LEAST
    return [(_cut(rng, photographed(rng, scene, least)), label) for _ in range(photos)]


def draw_end(rng: Rng, style: Style, value: int) -> Pixels:
    """One crop, 64 x 64 x 3, RGB, of the end of a tile of this set that shows the value, on any table."""
    return _cut(rng, photographed(rng, _laid_end(rng, style, value), LEAST_MANY))


def _cut(rng: Rng, photo: TilePhoto) -> Pixels:
    """The half between the first and the last corner, cut as in the product: `SIDE` x `SIDE` x 3, its bar at the bottom."""
    corners = photo.corners
    if rng.random() < 0.5:
        corners = corners + (photo.foot - corners) * np.float32(rng.uniform(0, 0.5))
    if rng.random() < 0.6:
        corners = turned(corners)
    a, b, c, d = ((float(x), float(y)) for x, y in off(rng, corners))
    return end(photo.pixels, halves((a, b, c, d))[0], (1.0, False))


def _arranged(rng: Rng) -> tuple[TileScene, int]:
    label = int(rng.choice(len(CLASSES), p=_CHANCE / _CHANCE.sum()))
    if label == _OTHER:
        scenes: Sequence[Callable[[Rng], TileScene]] = (_no_tile, _die, _border, _shifted, _wrong_size, _long_cut)
        scene = scenes[int(rng.choice(len(scenes), p=[0.34, 0.12, 0.14, 0.22, 0.1, 0.08]))](rng)
    elif label == _BACK:
        scene = _on_edge(rng) if rng.random() < 0.25 else laid_tile(rng, None)
    else:
        scene = laid_tile(rng, label - _FIRST)
    return scene, label


# --- scenes ---------------------------------------------------------------------------------------------------------


def _outline(width: float = END, x: float = TABLE / 2, y: float = TABLE / 2) -> Floats:
    """The outline of an upright tile whose first end has its centre at x, y."""
    left, right, top, bottom = x - width / 2, x + width / 2, y - END / 2, y + END * 1.5
    return np.array([[right, top], [right, bottom], [left, bottom], [left, top]], np.float32)


def laid_tile(rng: Rng, value: int | None) -> TileScene:
    """A tile with its end at the centre of the table (None: it lies face down), often with others beside it."""
    return _laid_end(rng, _style(rng, value), value)


def _laid_end(rng: Rng, style: Style, value: int | None) -> TileScene:
    main = _piece(rng, style, None if value is None else (value, _any_value(rng, style)))
    return _laid(rng, style, main, _neighbours(rng, style))


def _style(rng: Rng, value: int | None) -> Style:
    least = 6 if value is None or value <= 6 else 9 if value <= 9 else 12
    chance = np.array([0.55, 0.2, 0.25])[[6, 9, 12].index(least) :]
    return tile_style(rng, int(rng.choice([size for size in (6, 9, 12) if size >= least], p=chance / chance.sum())))


def _any_value(rng: Rng, style: Style) -> int:
    return int(rng.integers(0, style.set_size + 1))


def _on_edge(rng: Rng) -> TileScene:
    """A tile on its long edge: a narrow plain strip, sometimes of two layers."""
    style = replace(_style(rng, None), back="plain")
    width = int(END * rng.uniform(0.3, 0.6))
    piece = _piece(rng, style, None, width)
    if rng.random() < 0.4:
        split = int(width * rng.uniform(0.35, 0.65))
        piece[:split, :, :3] = piece[:split, :, :3] * np.float32(rng.uniform(0.3, 0.9))
    scene = _laid(rng, style, piece, _neighbours(rng, style) if rng.random() < 0.3 else [])
    return replace(scene, outline=_outline(width))


def _no_tile(rng: Rng) -> TileScene:
    """The bare table, or a print."""
    table = ground(rng, printed if rng.random() < 0.6 else plain, photos=0.5)
    if rng.random() < 0.3:
        style = _style(rng, None)
        return _laid(rng, style, None, _neighbours(rng, style), table)
    return TileScene(table, _outline())


def _die(rng: Rng) -> TileScene:
    """The face of a pip die: no bar."""
    style = _style(rng, None)
    value = int(rng.integers(1, 7))
    face = _piece(rng, replace(style, bar="painted", bar_length=0.0, spinner=0.0), (value, value))[:, :END]
    face[..., 3] = _corners(END, END, float(rng.uniform(0.05, 0.3)))[0]
    table = ground(rng)
    _over(table, *_placed(face, _pose(0, TABLE / 2, TABLE / 2, face)))
    return TileScene(table, _outline())


def _border(rng: Rng) -> TileScene:
    """The border between two tiles laid end to end."""
    style = _style(rng, None)
    pieces = [_piece(rng, style, (_any_value(rng, style), _any_value(rng, style))) for _ in range(2)]
    middle, gap = TABLE / 2, float(rng.uniform(0, 0.06)) * END
    beside = [(pieces[1], _pose(90, middle + rng.normal(0, 2), middle - END - gap, pieces[1]))]
    scene = _laid(rng, style, pieces[0], beside, shift=(0.0, END / 2))
    return replace(scene, outline=_outline())


def _shifted(rng: Rng) -> TileScene:
    """A tile that is half an end off its outline, along or across."""
    scene = laid_tile(rng, int(rng.integers(0, 13)))
    away = float(rng.uniform(0.42, 0.7) * rng.choice([-1, 1])) * END
    step = (away, rng.normal(0, 3)) if rng.random() < 0.5 else (rng.normal(0, 3), away)
    return replace(scene, outline=scene.outline + np.array(step, np.float32))


def _wrong_size(rng: Rng) -> TileScene:
    """An outline far too large or too small."""
    scene = laid_tile(rng, int(rng.integers(1, 13)))
    middle = np.array([TABLE / 2, TABLE / 2], np.float32) + rng.normal(0, 5, 2).astype(np.float32)
    factor = rng.uniform(1.7, 2.4) if rng.random() < 0.6 else rng.uniform(0.25, 0.5)
    return replace(scene, outline=(middle + (scene.outline - middle) * factor).astype(np.float32))


def _long_cut(rng: Rng) -> TileScene:
    """A tile cut along its length: its outline begins at the wrong corner."""
    style = _style(rng, None)
    scene = _laid(
        rng, style, _piece(rng, style, (_any_value(rng, style), _any_value(rng, style))), [], shift=(0, -END / 2)
    )
    corners = scene.outline - np.array([0, END / 2], np.float32)
    return replace(scene, outline=np.roll(corners, int(rng.choice([1, 3])), 0))


def _neighbours(rng: Rng, style: Style) -> list[tuple[Floats, Floats]]:
    """Other tiles of the set with their poses: touching as in a chain, in a row, or scattered."""
    if rng.random() < 0.4:
        return []
    middle, gap = TABLE / 2, abs(float(rng.normal(0, 0.04))) * END
    side, slide = float(rng.choice([-1, 1])), float(rng.uniform(-1.5, 1.5)) * END
    away = float(rng.uniform(1.1, 1.9)) * END
    angle = float(rng.uniform(0, 2 * np.pi))
    poses = (
        (90, middle + rng.normal(0, 2), middle - 1.5 * END - gap),
        (0, middle + rng.choice([0, 0.5, -0.5]) * END, middle - END - gap),
        (90, middle + side * (END + gap), middle + END / 2 + (slide if rng.random() < 0.5 else 0)),
        (0, middle + side * (1.5 * END + gap), middle + rng.choice([0, 0.5, 1]) * END),
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
) -> TileScene:
    """A table with the pieces on it, their shadows and their side faces."""
    table = ground(rng) if table is None else table
    pieces = [*beside]
    if main is not None:
        upright = _pose(90, TABLE / 2 + shift[0], TABLE / 2 + END / 2 + shift[1], main)
        pieces.insert(0 if rng.random() < 0.15 else len(pieces), (main, upright))
    placed = [_placed(piece, pose) for piece, pose in pieces]
    cover = np.zeros((TABLE, TABLE), np.float32)
    for where, layer in placed:
        np.maximum(cover[where], layer[..., 3], out=cover[where])
    _shadow(rng, table, cover)
    depth = _sides(rng, table, cover, style)
    for where, layer in placed:
        _over(table, where, layer)
    return TileScene(table, _outline(), depth)


# --- pieces ---------------------------------------------------------------------------------------------------------


def _piece(rng: Rng, style: Style, ends: tuple[int, int] | None, width: int = END) -> Floats:
    """A lit tile lying on its side, `width` x 144 x 4, RGBA 0..1; without ends it shows its back."""
    ink, depth = tile_back(rng, style, END) if ends is None else tile_face(rng, ends, style, END)
    ink, depth = _worn(rng, ink[:width]), depth[:width]
    cover, inside = _corners(width, 2 * END, float(rng.uniform(0.02, 0.28)))
    wear = np.float32(rng.uniform(0.75, 1.0)) * ink[..., 3:]
    colour = _body(rng, style, width) * (1 - wear) + ink[..., :3] * wear
    bevel = np.clip(inside / (END * rng.uniform(0.02, 0.1)), 0, 1) * rng.uniform(0, 0.8)
    lit = _relief(rng, colour, np.asarray(bevel - depth * rng.uniform(0.2, 1.3), np.float32))
    if rng.random() < (0.45 if ends and 0 in ends else 0.2):
        lit = _mirrored(rng, lit)
    return np.dstack([np.clip(lit, 0, 1), cover]).astype(np.float32)


def _worn(rng: Rng, ink: Floats) -> Floats:
    """The ink with some of its paint gone, as on old tiles."""
    if rng.random() > 0.15:
        return ink
    cells = int(rng.integers(4, 24))
    gone = np.float32(rng.uniform(0.3, 0.8)) * noise(rng, (ink.shape[0], ink.shape[1]), (cells, 2 * cells))
    return np.dstack([ink[..., :3], ink[..., 3] * (1 - gone)])


def _mirrored(rng: Rng, face: Floats) -> Floats:
    """Reflections on a glossy tile: a lamp, a tube, a window with its panes. Never a round spot where a single pip would be."""
    spot = np.zeros(face.shape[:2], np.uint8)
    middle = rng.uniform((0, 0), (2 * END, face.shape[0]))
    kind = rng.random()
    if kind < 0.3:
        radius = END * float(rng.uniform(0.03, 0.14))
        off = rng.choice([-1, 1], 2) * rng.uniform((0.2, 0), (0.48, 0.48))[rng.permutation(2)]
        middle = (off + np.array([rng.choice([0.5, 1.5]), 0.5])) * END
        axes = (radius, radius * rng.uniform(0.6, 1.0))
        cv2.ellipse(spot, (middle.tolist(), (2 * axes[0], 2 * axes[1]), float(rng.uniform(0, 180))), 255, -1)
    else:
        panes = int(rng.integers(1, 4)) if kind < 0.75 else 1
        long, wide = END * rng.uniform((0.15, 0.1), (0.8, 0.5))
        wide = wide if kind < 0.75 else END * rng.uniform(0.03, 0.1)
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
    """The coverage of a rounded rectangle, and every pixel's distance from its edge; `radius` over half an end."""
    r = radius * END / 2
    x = np.abs(np.arange(width, dtype=np.float32) + 0.5 - width / 2) - (width / 2 - r)
    y = np.abs(np.arange(height, dtype=np.float32) + 0.5 - height / 2) - (height / 2 - r)
    out = np.sqrt(np.maximum(x, 0)[None] ** 2 + np.maximum(y, 0)[:, None] ** 2)
    inside = r - out - np.minimum(np.maximum(x[None], y[:, None]), 0)
    return np.clip(inside + 0.5, 0, 1), np.maximum(inside, 0)


def _body(rng: Rng, style: Style, height: int) -> Floats:
    body, second = np.array(style.body, np.float32), np.array(style.second, np.float32)
    if style.grain == "plain":
        return np.broadcast_to(body, (height, 2 * END, 3))
    cells = {"wood": (int(rng.integers(8, 30)), 3), "marbled": (5, 10), "translucent": (3, 5)}[style.grain]
    share = noise(rng, (height, 2 * END), cells)[..., None] * (0.5 if style.grain == "translucent" else 1.0)
    return (body + (second - body) * share).astype(np.float32)


def _relief(rng: Rng, colour: Floats, height: Floats) -> Floats:
    """Shade by the slope of a height map, with a glint where the slope reflects the lamp into the lens."""
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
    """The affine map that rotates a piece clockwise by degrees and puts its centre at x, y of the table."""
    turn = np.deg2rad(angle)
    c, s = np.cos(turn), np.sin(turn)
    u, v = piece.shape[1] / 2 - 0.5, piece.shape[0] / 2 - 0.5
    return np.array([[c, -s, x - 0.5 - c * u + s * v], [s, c, y - 0.5 - s * u - c * v]], np.float32)


def _placed(piece: Floats, pose: Floats) -> tuple[Window, Floats]:
    """The part of the table under the piece, and the piece there, with premultiplied alpha."""
    height, width = piece.shape[:2]
    corners = np.array([[0, 0, 1], [width, 0, 1], [0, height, 1], [width, height, 1]]) @ pose.T
    left, top = np.clip(corners.min(0) - 2, 0, TABLE - 1).astype(int).tolist()
    right, bottom = np.clip(corners.max(0) + 2, (left + 1, top + 1), TABLE).astype(int).tolist()
    whole = piece.copy()
    whole[..., :3] *= piece[..., 3:]
    moved = pose - np.array([[0, 0, left], [0, 0, top]], np.float32)
    layer = cv2.warpAffine(whole, moved, (right - left, bottom - top), flags=cv2.INTER_LINEAR)
    return (slice(top, bottom), slice(left, right)), np.asarray(layer, np.float32)


def _over(table: Floats, where: Window, layer: Floats) -> None:
    table[where] *= 1 - layer[..., 3:]
    table[where] += layer[..., :3]


def _shadow(rng: Rng, table: Floats, cover: Floats) -> None:
    reach = rng.uniform(0, 0.25) * END
    turn = rng.uniform(0, 2 * np.pi)
    moved = cv2.warpAffine(
        cover, np.array([[1, 0, reach * np.cos(turn)], [0, 1, reach * np.sin(turn)]]), (TABLE, TABLE)
    )
    soft = cv2.GaussianBlur(moved, (0, 0), float(rng.uniform(0.5, 5)))
    table *= (1 - np.float32(rng.uniform(0, 0.75)) * soft)[..., None]


def _sides(rng: Rng, table: Floats, cover: Floats, style: Style) -> tuple[float, float]:
    """Draw the side faces that an oblique view shows, under the faces; returns their extent.

    A tile is about 0.4 times as thick as wide: from 25 degrees its side reaches nearly as far as the tile is wide.
    """
    kind = rng.random()
    if kind < 0.3:
        return 0.0, 0.0
    far = rng.uniform(0.03, 0.25) if kind < 0.5 else rng.uniform(*SLANT)
    reach, turn = float(far) * END, float(rng.uniform(0, 2 * np.pi))
    x, y = reach * np.cos(turn), reach * np.sin(turn)
    size = 2 * int(np.ceil(reach)) + 1
    kernel = np.zeros((size, size), np.uint8)
    cv2.line(kernel, (size // 2, size // 2), (round(size // 2 - x), round(size // 2 - y)), 1, 1)
    swept = cv2.dilate(cover, kernel)
    colour = np.array(style.body if rng.random() < 0.75 else style.second, np.float32) * rng.uniform(0.35, 1.05)
    table += (colour.astype(np.float32) - table) * swept[..., None]
    return x, y
