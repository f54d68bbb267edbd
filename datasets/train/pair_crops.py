"""Crops of dominoes, of two dice side by side and of one die, cut as the product cuts what the detector takes for a domino, for
the network that tells them apart (`vision.classify.pairs`).

Pairs of dice come from the labels: dice that touch or nearly do, whether or not the detector takes them for a domino, which
it seldom does. Few dice on photos lie flush, edge along edge, so more pairs are made: a die that lies parallel to the picture's
sides is pasted beside itself, or beside another die of its photo.

Single dice are cut with the area beside them that differs most from the rest of the table: their shadow if they have one.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import combinations
from multiprocessing import get_context
from pathlib import Path
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from datasets.labels.photos import Box, Labelled
from datasets.train.crops import Rng
from datasets.train.dice_crops import read_rgb
from datasets.train.outline_crops import AROUND
from models import load_manifest
from vision.classify.crop_network import cut_smaller
from vision.classify.outlines import WIDTH, OutlineReader, crop, reach_of
from vision.detect.boxes import Detection, Outline, Outlined, inside, iou
from vision.detect.detector import Detector
from vision.photo import Pixels
from vision.reading import Quad
from vision.threads import end_with_parent, limit_threads

TILE, PAIR, ONE = 0, 1, 2
_SEEN = 0.02
"""The detector's score from which a tile is used."""
_SAME, _OTHER = 0.5, 0.1
"""Intersection over union from which a detection is the labelled tile, and below which it is none."""
_COVERED = 0.55
"""Share of a die inside a detected tile from which the die is half of it."""
_AREA = 0.6, 1.6
"""Range of that tile's area over the area of both dice."""
_NEAR = 0.7, 1.12
"""Range of the distance between the centres of two dice that nearly touch, in the mean of their longer sides."""
_ALIKE = 1.3
"""Largest ratio of their sides."""
_LEAST = 9.0
"""Pixels of the longer side from which a die is used."""
_PUSHED = 2
"""Pairs to paste together per photo, if it has suitable dice."""
_SINGLE = 2
"""Single dice cut per picture, beside those that the detector takes for a tile."""
_AREA_OF_ONE = 0.7, 3.0
"""Range of a detected tile's area over the area of the one die in it."""
_WAYS = 12
"""Number of directions in which a place beside a die is tried."""
_FREE = 0.1
"""Share of another piece up to which a place beside a die counts as free."""


@dataclass(frozen=True, slots=True)
class PairCrops:
    """For n crops: pixels (n x height x width x 3, RGB), `TILE`, `PAIR` or `ONE`, and which are held out from training."""

    pixels: NDArray[np.uint8]
    labels: NDArray[np.int64]
    held_out: NDArray[np.bool_]

    @classmethod
    def load(cls, file: Path) -> Self:
        """Read a file that `save` wrote."""
        with np.load(file) as arrays:
            return cls(arrays["pixels"], arrays["labels"], arrays["held_out"])

    def save(self, file: Path) -> None:
        """Write the file; an interrupted write leaves no file of that name."""
        part = file.with_suffix(".part.npz")
        np.savez(part, pixels=self.pixels, labels=self.labels, held_out=self.held_out)
        part.rename(file)


def pair_crops(pictures: Sequence[Labelled], file: Path, processes: int) -> PairCrops:
    """The crops of all pictures, cached in a file."""
    if not file.exists():
        tables = [picture for picture in pictures if picture.shows == "table" and picture.pieces]
        afresh = get_context("spawn")  # a fork while OpenCV's threads are at work may hang
        with ProcessPoolExecutor(processes, afresh, _begin) as pool:
            parts = track(pool.map(_cut, tables, chunksize=8), "cutting tiles and pairs", len(tables))
            rows = [row for part in parts for row in part]
        pixels, labels, held_out = zip(*rows, strict=True)
        PairCrops(np.stack(pixels), np.array(labels), np.array(held_out)).save(file)
    return PairCrops.load(file)


_networks: list[tuple[Detector, OutlineReader]] = []


def _begin() -> None:
    """Initialise a worker process: one thread, and the shipped networks."""
    end_with_parent()
    limit_threads(1)
    manifest = load_manifest()
    _networks.append((Detector(manifest["detector"]), OutlineReader(manifest["outlines"])))


_Row = tuple[Pixels, int, bool]


def _cut(picture: Labelled) -> list[_Row]:
    return list(cut(picture, *_networks[0]))


def cut(picture: Labelled, detector: Detector, outlines: OutlineReader) -> Iterator[_Row]:
    """Pixels, `TILE`, `PAIR` or `ONE`, and whether held out, for the tiles, the pairs of dice and the single dice of a picture.

    Raises:
        OSError: the picture cannot be read.
    """
    pixels = read_rgb(picture.path)
    rng = np.random.default_rng(zlib.crc32(picture.path.name.encode()))
    dice = [die for die in map(_find, picture.dice) if max(die.width, die.height) >= _LEAST]
    tiles = [box.quad for box in picture.boxes if box.kind == "domino" and box.quad is not None]
    shown = [(pixels, find, label) for find, label in _found(detector.detect(pixels, min_score=_SEEN), dice, tiles)]
    pushed = picture.source != "renders"
    shown += [(each, outline, PAIR) for _, each, outline in side_by_side(pixels, dice, rng, pushed=pushed)]
    others = [Outline.around(tile) for tile in tiles]
    shown += [(pixels, outline, ONE) for outline in single(pixels, dice, others, rng)]
    refined = outlines.refined([(find, each, find) for each, find, _ in shown])
    for (each, _, label), tile in zip(shown, refined, strict=True):
        smaller, there = cut_smaller(each, tile, AROUND * reach_of(tile), round(WIDTH * AROUND))
        yield crop(smaller, there, AROUND), label, picture.held_out


def _found(
    finds: Sequence[Detection], dice: Sequence[Detection], tiles: Sequence[Quad]
) -> Iterator[tuple[Detection, int]]:
    """Detected tiles that are a tile, two dice or one die."""
    for find in finds:
        if find.shape != "tile":
            continue
        same = max((iou(find, Outline.around(tile)) for tile in tiles), default=0.0)
        here = [die for die in dice if inside(die, find) > _COVERED]
        if same > _SAME and not here:
            yield find, TILE
        elif same < _OTHER and len(here) == 2 and _AREA[0] < find.area / sum(die.area for die in here) < _AREA[1]:
            yield find, PAIR
        elif same < _OTHER and len(here) == 1 and _AREA_OF_ONE[0] < find.area / here[0].area < _AREA_OF_ONE[1]:
            yield find, ONE


def single(pixels: Pixels, dice: Sequence[Detection], tiles: Sequence[Outline], rng: Rng) -> Iterator[Detection]:
    """Tile outlines around some of the dice and a free area beside each."""
    for i in rng.permutation(len(dice))[:_SINGLE].tolist():
        die = dice[i]
        others: list[Outlined] = [*dice[:i], *dice[i + 1 :], *tiles]
        places = [place for place in _beside(die, rng) if not any(inside(each, place) > _FREE for each in others)]
        places = [place for place in places if _in_picture(pixels, place)]
        if places:
            means = np.array([_mean(pixels, place) for place in places])
            odd = np.abs(means - np.median(means, axis=0)).sum(1)
            yield _around(die, places[int(odd.argmax())], rng)


def _beside(die: Detection, rng: Rng) -> list[Detection]:
    """Boxes of a die's size, all around it."""
    side = max(die.width, die.height) * rng.uniform(0.75, 1)
    x, y = die.middle
    turns = rng.uniform(0, 2 * math.pi) + np.arange(_WAYS) * 2 * math.pi / _WAYS
    middles = [(x + side * math.cos(turn), y + side * math.sin(turn)) for turn in turns.tolist()]
    return [Detection(a - side / 2, b - side / 2, a + side / 2, b + side / 2, 1.0) for a, b in middles]


def _in_picture(pixels: Pixels, box: Detection) -> bool:
    height, width = pixels.shape[:2]
    return box.left >= 0 and box.top >= 0 and box.right <= width and box.bottom <= height


def _mean(pixels: Pixels, box: Detection) -> NDArray[np.float64]:
    """The mean colour at the centre of a box."""
    x, y = (round(n) for n in box.middle)
    reach = max(1, round(box.width / 5))
    return np.asarray(pixels[y - reach : y + reach + 1, x - reach : x + reach + 1].mean((0, 1)), np.float64)


def side_by_side(
    pixels: Pixels, dice: Sequence[Detection], rng: Rng, *, pushed: bool = True
) -> Iterator[tuple[str, Pixels, Detection]]:
    """Pairs of dice of a picture: each with how it was made, its picture, and its outline as if it were a tile.

    `pushed`: whether dice are also pasted together.
    """
    yield from (("nearly touch", pixels, _around(*pair, rng)) for pair in combinations(dice, 2) if _touch(*pair))
    for pasted, pair in _pushed_together(pixels, dice, rng) if pushed else ():
        yield "are pushed together", pasted, _around(*pair, rng)


def _find(die: Box) -> Detection:
    return Detection(die.left, die.top, die.right, die.bottom, 1.0)


def _touch(one: Detection, other: Detection) -> bool:
    """Whether two dice are of similar size and nearly touch."""
    sides = [max(each.width, each.height) for each in (one, other)]
    near = math.dist(one.middle, other.middle) / (sum(sides) / 2)
    return _NEAR[0] < near < _NEAR[1] and max(sides) < _ALIKE * min(sides)


def _around(one: Detection, other: Detection, rng: Rng) -> Detection:
    """The outline that a detector might give of two dice that it takes for a tile."""
    apart = math.dist(one.middle, other.middle)
    along = (np.array(other.middle) - one.middle) / apart
    across = np.array([-along[1], along[0]]) * apart * rng.uniform(0.85, 1.1) / 2
    along *= apart * rng.uniform(0.92, 1.08)
    middle = np.array([one.middle, other.middle]).mean(0) + rng.normal(0, 0.04 * apart, 2)
    a, b, c, d = ((float(x), float(y)) for x, y in _corners(middle, along, across))
    box = Outline.around((a, b, c, d))
    return Detection(box.left, box.top, box.right, box.bottom, 1.0, "tile", (a, b, c, d))


def _corners(
    middle: NDArray[np.float64], along: NDArray[np.float64], across: NDArray[np.float64]
) -> NDArray[np.float64]:
    return np.asarray(middle + np.array([across - along, across + along, along - across, -along - across]))


# Dice pushed together


def _pushed_together(
    pixels: Pixels, dice: Sequence[Detection], rng: Rng
) -> Iterator[tuple[Pixels, tuple[Detection, Detection]]]:
    """The photo with a die pasted flush beside another, or beside itself, and the boxes of both."""
    parallel = [die for die in dice if _is_parallel(pixels, die)]
    for i in rng.permutation(len(parallel))[:_PUSHED].tolist():
        one = parallel[i]
        other = one if rng.random() < 0.6 else parallel[int(rng.integers(len(parallel)))]
        left, top, right, bottom = (round(n) for n in (one.left, one.top, one.right, one.bottom))
        wide, high = right - left, bottom - top
        x, y = ((1, 0), (-1, 0), (0, 1), (0, -1))[int(rng.integers(4))]
        step = rng.uniform(0.94, 1.04)
        left, top = left + round(x * step * wide), top + round(y * step * high)
        if left < 0 or top < 0 or left + wide > pixels.shape[1] or top + high > pixels.shape[0]:
            continue
        die = pixels[max(0, round(other.top)) : round(other.bottom), max(0, round(other.left)) : round(other.right)]
        patch = cv2.resize(np.rot90(die, int(rng.integers(4))), (wide, high), interpolation=cv2.INTER_AREA)
        pasted = pixels.copy()
        _paste(pasted[top : top + high, left : left + wide], np.asarray(patch, np.uint8))
        yield pasted, (one, Detection(left, top, left + wide, top + high, 1.0))


def _paste(ground: Pixels, patch: Pixels) -> None:
    """Paste a die, without its corners and with soft edges; changes `ground`."""
    high, wide = patch.shape[:2]
    inner, round_off = np.zeros((high, wide), np.uint8), 2 * (wide // 10) + 1
    cv2.rectangle(inner, (wide // 10, high // 10), (wide - 1 - wide // 10, high - 1 - high // 10), 255, -1)
    whole = cv2.dilate(inner, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round_off, round_off)))
    mask = cv2.GaussianBlur(whole.astype(np.float32) / 255, (0, 0), max(0.4, wide / 60))[..., None]
    ground[...] = np.round(ground * (1 - mask) + patch * mask).astype(np.uint8)


def _is_parallel(pixels: Pixels, die: Detection) -> bool:
    """Whether a die lies parallel to the picture's sides: then the corners of its box have the die's colour, not the table's."""
    wide, high = die.width, die.height
    if not 0.9 < wide / high < 1.1 or wide < 2 * _LEAST:
        return False
    middle = np.array(die.middle)
    # Inside the corners, at the middle of the sides, and outside the corners, in halves of the box.
    corners, sides = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)]), np.array([(1, 0), (0, 1), (-1, 0), (0, -1)])
    own = [_colour(pixels, middle + at * 0.74 * (wide / 2, high / 2)) for at in corners]
    edge = np.median([_colour(pixels, middle + at * 0.84 * (wide / 2, high / 2)) for at in sides], axis=0)
    table = [_colour(pixels, middle + at * 1.22 * (wide / 2, high / 2)) for at in corners]
    near = [np.abs(each - edge).sum() for each in own]
    far = [np.abs(each - other).sum() for each, other in zip(own, table, strict=True)]
    return all(one < 0.6 * other for one, other in zip(near, far, strict=True))


def _colour(pixels: Pixels, at: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean colour around a position, clipped to the picture."""
    x, y = (int(n) for n in at.clip(1, np.array(pixels.shape[1::-1]) - 2))
    return np.asarray(pixels[y - 1 : y + 2, x - 1 : x + 2].mean((0, 1)), np.float64)
