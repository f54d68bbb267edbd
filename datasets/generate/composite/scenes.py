"""Whole scenes: background, tiles, look-alikes, light, and the camera's effects."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.generate.camera.scenes import degrade
from datasets.generate.composite.backgrounds import Ground, any_photo, drawn, from_photo
from datasets.generate.composite.boxes import Block, Canvas, Light
from datasets.generate.composite.camera import Camera, camera
from datasets.generate.composite.drawing import cast, draw
from datasets.generate.composite.labels import dice_labels, look_alike_label, tile_label
from datasets.generate.composite.look_alikes import holed, strewn
from datasets.generate.composite.numbered import ALL_KINDS, Mix, lay_numbered
from datasets.generate.composite.prints import lay_board, lay_paper
from datasets.generate.composite.tiles import Look, block, look, rack
from datasets.generate.parts.drawings import Rng
from datasets.generate.parts.layouts.layouts import hand, layout
from datasets.generate.parts.layouts.spots import STANDING, Points, Spot, deck, footprint
from datasets.generate.parts.outlines import common, hull
from datasets.generate.parts.tile_faces import Floats
from datasets.labels import photos

Scene = tuple[NDArray[np.uint8], list[dict[str, Any]]]
"""The picture (h x w x 3, RGB) and its labels."""

_LEAST_AREA = 70.0
"""Least area of a tile's face in pixels; a smaller tile is not laid."""
_NUMBERED = 0.6
"""Probability of drawn dice in the scene, mostly without tiles."""
_HELD = 0.2
"""Probability that tiles stand in a row, as players hold their hands, before a low camera."""
_RACK = 0.4
"""Probability that those stand in a rack."""
_MOST_COVERED = 0.1
"""Largest share of a die in the photo that tiles may cover."""


def scene(rng: Rng, sources: Sequence[photos.Labelled], mix: Mix = ALL_KINDS) -> Scene:
    """One scene: half of them on a photo, half on a drawn ground; sometimes without any tile.

    `mix`: the dice drawn into it.

    Raises:
        FileNotFoundError: a photo cannot be read.
    """
    matched = str(rng.choice(["any", "dark on grey", "like on like"], p=[0.66, 0.26, 0.08]))
    set_look = look(rng, dark=matched == "dark on grey")
    from_drawing = matched != "any" or rng.random() < 0.25
    ground = drawn(rng, set_look.style, matched) if from_drawing else from_photo(rng, any_photo(rng, sources))
    grey = ground.grey
    held, tiles = rng.random() < _HELD, deck(rng, set_look.style.set_size, set_look.long)
    spots = hand(rng, tiles) if held else layout(rng, tiles)
    canvas = canvas_for(rng, ground, spots, set_look.long, low=held)
    if ground.drawn:
        _dress(rng, canvas, set_look, spots, often=0.6 if matched == "any" else 0.1)
    numbered = rng.random() < _NUMBERED
    bare = rng.random() < (0.6 if numbered else 0.04)
    spots = [] if bare else kept(rng, canvas, ground, set_look, spots)
    labels = lay_tiles(rng, canvas, set_look, spots, ground, with_holes=True) + dice_labels(canvas, ground)
    if numbered:
        labels += lay_numbered(rng, canvas, ground.boxes, mix)
    if grey:
        canvas.pixels = np.repeat(canvas.pixels.mean(2, keepdims=True), 3, 2)
    return degrade(rng, canvas.pixels, even=not ground.drawn), labels


def canvas_for(rng: Rng, ground: Ground, spots: Sequence[Spot], long: float, low: bool = False) -> Canvas:
    """The ground from a camera that sees the spots."""
    size = (ground.pixels.shape[1], ground.pixels.shape[0])
    eye = camera(rng, size, spots, long, low)
    light = _light(rng, ground)
    return Canvas(ground.pixels, np.zeros(size[::-1], np.int16), eye, light, _glare(rng, size))


def _light(rng: Rng, ground: Ground) -> Light:
    """A lamp; on a photo about as bright as its brightest parts, so that the tiles do not look cut out."""
    around, high = rng.uniform(0, 7), math.radians(rng.uniform(25, 85))
    way = np.array([math.cos(high) * math.cos(around), math.cos(high) * math.sin(around), math.sin(high)])
    white = 1.0 if ground.drawn else float(np.clip(np.percentile(ground.pixels[::8, ::8].max(2), 97), 0.2, 1))
    colour = white * rng.uniform(0.65, 1.1) * np.exp(rng.normal(0, 0.05, 3))
    return Light(way, rng.uniform(0.15, 0.75), colour.astype(np.float32), float(rng.choice([0.05, 0.2, 0.6])))


def _glare(rng: Rng, size: tuple[int, int]) -> Floats:
    """The lamp's reflection in the table's plane: a soft bright patch, sometimes two."""
    y, x = np.mgrid[0 : size[1] : 8, 0 : size[0] : 8].astype(np.float32) / np.float32(max(size))
    glare = np.zeros_like(x)
    for _ in range(int(rng.choice([0, 1, 2], p=[0.35, 0.5, 0.15]))):
        (cx, cy), (rx, ry) = rng.uniform(0, 1, 2), rng.uniform(0.06, 0.35, 2)
        glare += np.float32(rng.uniform(0.05, 0.5)) * np.exp(-(((x - cx) / rx) ** 2) - ((y - cy) / ry) ** 2)
    return np.asarray(cv2.resize(glare, size))


def _dress(rng: Rng, canvas: Canvas, set_look: Look, spots: Sequence[Spot], often: float) -> None:
    """Add print to the drawn ground, then the lamp's reflection."""
    if rng.random() < often:
        lay_board(rng, canvas, spots[0].turn)
    if rng.random() < often / 4:
        lay_paper(rng, canvas, set_look.style, spots[0].turn)
    canvas.pixels += canvas.glare[..., None] * np.float32(rng.choice([0.0, rng.uniform(0.1, 0.5)]))


def kept(rng: Rng, canvas: Canvas, ground: Ground, set_look: Look, spots: Sequence[Spot]) -> list[Spot]:
    """The tiles that are large enough, far enough inside the picture and not on the photo's dice."""
    most = 0.5 if rng.random() < 0.12 else _MOST_COVERED
    covered = np.zeros(len(ground.boxes))
    found = []
    for spot in spots:
        flat = _in_picture(canvas.camera, spot, set_look.long)
        if flat is None or not _fits(canvas, flat):
            continue
        adds = np.array([common(flat, box) for box in ground.boxes])
        if (covered + adds <= most).all():
            covered += adds
            found.append(spot)
    return found


def _in_picture(eye: Camera, spot: Spot, long: float) -> Floats | None:
    """The outline of a lying or standing tile in the picture (n x 2, pixels); None if it is too near the camera or behind it."""
    corners = np.column_stack([footprint(spot, long), np.zeros(4)])
    if spot.pose in STANDING:
        wide, high = (1.0, long) if spot.pose == "upright" else (long, 1.0)
        foot = footprint(spot, wide, 0.0)[:2]
        corners = np.column_stack([np.concatenate([foot, foot]), [0, 0, high, high]])
    return None if eye.depth(corners).min() < long else hull(eye.project(corners))


def _fits(canvas: Canvas, flat: Floats) -> bool:
    """Whether a footprint is large enough, with more than 15 % of it in the picture."""
    area, whole = cv2.contourArea(flat), np.array([0, 0, *canvas.size])
    return bool(common(flat, whole) > 0.15 * area / np.prod(canvas.size) and area > _LEAST_AREA)


def lay_tiles(
    rng: Rng, canvas: Canvas, set_look: Look, spots: Sequence[Spot], ground: Ground, *, with_holes: bool = False
) -> list[dict[str, Any]]:
    """Draw the tiles and look-alikes around them; returns the labels of the tiles and of the dice's look-alikes.

    `with_holes`: whether plugs, buttons and sockets are among the look-alikes.
    """
    blocks = [block(rng, set_look, spot, canvas.camera.width(spot), canvas.light) for spot in spots]
    things = holed(rng, canvas, blocks, ground.boxes) if with_holes else []
    _assemble(rng, canvas, set_look, spots, blocks, things, ground.boxes)
    found = [tile_label(canvas, set_look, spots[i], blocks[i], i + 1) for i in range(len(spots))]
    found += [look_alike_label(canvas, thing[0], len(blocks) + i + 1) for i, thing in enumerate(things)]
    return [label for label in found if label]


def _assemble(
    rng: Rng,
    canvas: Canvas,
    set_look: Look,
    spots: Sequence[Spot],
    blocks: Sequence[Block],
    with_holes: Sequence[Sequence[Block]],
    dice: Points,
) -> None:
    """Draw tiles and look-alikes storey by storey, from back to front."""
    things = [(tile, i + 1, spots[i].storey) for i, tile in enumerate(blocks)]
    taken = [*blocks, *(part for thing in with_holes for part in thing)]
    things += [(thing, 0, 0) for thing in strewn(rng, canvas, taken, dice)]
    things += [(part, len(blocks) + i + 1, 0) for i, thing in enumerate(with_holes) for part in thing]
    if rng.random() < _RACK:
        things += [(part, 0, 0) for part in rack(rng, [tile for tile in blocks if tile.front is not None])]
    for storey in sorted({thing[2] for thing in things}):
        here = [thing for thing in things if thing[2] == storey]
        here.sort(key=lambda thing: -math.dist(thing[0].foot[:2], canvas.camera.eye[:2]))
        cast(canvas, [thing[0] for thing in here], storey * set_look.thick)
        for box, owner, _ in here:
            draw(canvas, box, owner, set_look.gloss)
