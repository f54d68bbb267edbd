"""The training crops of the classifier of ends, and their augmentation."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.generate.drawn import tiles as drawn_tiles
from datasets.labels.photos import Box, Labelled
from datasets.train import crops
from datasets.train.crops import Crop, Rng
from datasets.train.dice_crops import read_rgb
from datasets.train.dice_views import harmed
from vision.classify import tiles
from vision.photo import Pixels
from vision.reading import Quad

_PROCESSES = 2
_APART, _RUN = 20, 20
"""One run of drawn crops in this many is held out, and the length of a run: crops of one table follow each other."""
_LEAST_END = 11.0
"""Pixels across a tile from which its pips are used."""
_OFF = 0.03
"""Standard deviation of the errors of single corners, and of all four together, in a tile's widths."""
_FEWEST = 13.0
"""Least pixels across a coarsened crop."""


@dataclass(frozen=True)
class TrainingCrops:
    """Crops with two ways to make inputs of them: augmented for training, plain for evaluation. `side`: pixels of the input."""

    crops: list[Crop]
    side: int
    vary: Callable[[Crop, Rng, float], NDArray[np.float32]]
    plain: Callable[[Crop], NDArray[np.float32]]


def training_crops(
    recipe: dict[str, Any], pictures: Sequence[Labelled], out: Path, backgrounds: Sequence[Path] = ()
) -> TrainingCrops:
    """Drawn ends (cached in `out`), and those cut from pictures.

    `backgrounds`: photos without pieces, for ends to be drawn on.
    """
    drawn = _drawn(functools.partial(drawn_tiles.many, backgrounds=backgrounds), recipe, out)
    cut = _cut(pictures, recipe["cuts"])
    return TrainingCrops([*drawn, *cut], tiles.SIDE, _tinted_and_mirrored, _as_it_is)


def _drawn(
    many: Callable[[int, int, int], tuple[NDArray[np.uint8], NDArray[np.int64]]], recipe: dict[str, Any], out: Path
) -> Iterator[Crop]:
    """Drawn crops, cached in a file: drawing takes minutes."""
    store = out / f"drawn-{recipe['seed']}-{recipe['drawn']}.npz"
    if not store.exists():
        pixels, labels = many(recipe["drawn"], recipe["seed"], _PROCESSES)
        np.savez(store.with_suffix(".part.npz"), pixels=pixels, labels=labels)
        store.with_suffix(".part.npz").rename(store)
    kept = np.load(store)
    for i, (pixels, label) in enumerate(zip(kept["pixels"], kept["labels"], strict=True)):
        yield Crop(pixels, int(label), "drawn", i // _RUN % _APART == 0, turnable=False)


def _cut(pictures: Sequence[Labelled], times: int) -> Iterator[Crop]:
    """Crops from pictures, each piece cut `times` times with another simulated detector error."""
    rng = np.random.default_rng(0)
    for picture in pictures:
        if not any(box.kind == "domino" or box.quad for box in picture.boxes):
            continue
        pixels = read_rgb(picture.path)
        for _ in range(times):
            for crop, label in _cut_ends(pixels, picture, rng):
                yield Crop(crop, label, picture.source, picture.held_out, turnable=False)


def _cut_ends(pixels: Pixels, picture: Labelled, rng: Rng) -> Iterator[tuple[Pixels, int]]:
    """Both ends of every readable tile and every false tile; one end of the tiles that dice and the area beside them make."""
    for box in picture.boxes:
        if box.kind == "domino" and box.ends is not None and box.quad is not None and _across(box.quad) >= _LEAST_END:
            quad = by_corners(box.quad, rng) if rng.random() < 0.5 else smallest(jittered(box.quad, rng), box.quad)
            for half, value in zip(tiles.halves(quad), box.ends, strict=True):
                label = drawn_tiles.CLASSES.index("back" if value is None else str(value))
                yield tiles.end(pixels, half, (1.0, False)), label
        elif box.kind == "other" and box.quad is not None:
            for half in tiles.halves(jittered(box.quad, rng)):
                yield tiles.end(pixels, half, (1.0, False)), 0
        elif box.kind != "domino" and rng.random() < 0.5:
            stretched = _stretched(box, rng)
            yield tiles.end(pixels, tiles.halves(stretched)[0], (1.0, False)), 0


def _across(quad: Quad) -> float:
    """The shortest side in pixels."""
    return min(math.dist(a, b) for a, b in itertools.pairwise((*quad, quad[0])))


def jittered(quad: Quad, rng: Rng) -> Quad:
    """The outline with a detector's errors: moved, turned and scaled by some hundredths of a tile."""
    points = np.array(quad)
    middle, long = points.mean(0), float(np.linalg.norm(points[1] - points[0]))
    turn = rng.normal(0, 0.03)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    moved = (
        (points - middle) @ spin.T * np.exp(rng.normal(0, 0.035, 2).mean()) + middle + rng.normal(0, 0.018 * long, 2)
    )
    a, b, c, d = ((float(x), float(y)) for x, y in moved)
    return (a, b, c, d)


def by_corners(quad: Quad, rng: Rng) -> Quad:
    """The corners with the outline network's errors: each off by some hundredths of a tile's width."""
    a, b, c, d = (
        np.array(quad) + rng.normal(0, _OFF * _across(quad), (4, 2)) + rng.normal(0, _OFF * _across(quad), 2)
    ).tolist()
    return ((a[0], a[1]), (b[0], b[1]), (c[0], c[1]), (d[0], d[1]))


def smallest(quad: Quad, truth: Quad) -> Quad:
    """The rotated rectangle around an outline, which is all that a detector gives, starting at the end where the truth starts."""
    box = cv2.boxPoints(cv2.minAreaRect(np.array(quad, np.float32)))
    turned = [np.roll(box, -k, axis=0) for k in range(4)]
    best = min(turned, key=lambda points: float(np.abs(points - np.array(truth)).sum()))
    a, b, c, d = ((float(x), float(y)) for x, y in best)
    return (a, b, c, d)


def _stretched(box: Box, rng: Rng) -> Quad:
    """A tile's outline around a die and the area beside it."""
    left, top, right, bottom = box.left, box.top, box.right, box.bottom
    if rng.random() < 0.5:
        right += (right - left) * rng.uniform(0.5, 1.2)
        return ((left, top), (right, top), (right, bottom), (left, bottom))
    bottom += (bottom - top) * rng.uniform(0.5, 1.2)
    return ((left, bottom), (left, top), (right, top), (right, bottom))


def _tinted(crop: Crop, rng: Rng, strength: float) -> NDArray[np.float32]:
    """Change brightness and colours, and add noise; the geometry stays."""
    worse = harmed(crop.pixels, rng, _FEWEST) if rng.random() < 0.5 * strength else crop.pixels
    image = crops.recolour(worse.astype(np.float32) / np.float32(255), rng, strength)
    if rng.random() < 0.3 * strength:
        image = image + rng.normal(0, rng.uniform(0.005, 0.04), image.shape).astype(np.float32)
    return np.ascontiguousarray(image.clip(0, 1).transpose(2, 0, 1), np.float32)


def _tinted_and_mirrored(crop: Crop, rng: Rng, strength: float) -> NDArray[np.float32]:
    """Tint, and mirror half of the crops: pips mean the same in a mirror."""
    image = _tinted(crop, rng, strength)
    return np.ascontiguousarray(image[:, :, ::-1]) if rng.random() < 0.5 else image


def _as_it_is(crop: Crop) -> NDArray[np.float32]:
    return np.ascontiguousarray(crop.pixels.transpose(2, 0, 1), np.float32) / np.float32(255)
