"""Crops of the tiles of scenes, with the corners of their faces, for the network that finds those (`vision.classify.outlines`).

A tile is cut by the shipped detector's outline, if it is detected, and by a made-up one: the rotated rectangle
around it, with some jitter.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from datasets.labels.photos import Box, Labelled
from datasets.train.crops import Rng
from datasets.train.dice_crops import Finder, read_rgb
from datasets.train.training_crops import jittered, smallest
from models import load_manifest
from vision.classify.crop_network import cut_smaller
from vision.classify.outlines import HEIGHT, WIDTH, crop, reach_of, within
from vision.detect.boxes import Detection, Outline, iou
from vision.detect.detector import Detector
from vision.photo import GREY, Pixels
from vision.reading import Quad
from vision.threads import end_with_parent, limit_threads

AROUND = 1.5
"""Side of a stored crop over that of the network's input: room to turn and shift."""
_SAME = 0.45
"""Intersection over union from which a detection is the labelled tile."""
_LEAST = 9.0
"""Pixels of the longer side from which a tile is used."""


@dataclass(frozen=True, slots=True)
class OutlineCrops:
    """For n tiles: pixels (n x height x width x 3, RGB), the corners in them (n x 4 x 2, shares of their sides), which of them
    are held out from training, and which were cut by a detection.
    """

    pixels: NDArray[np.uint8]
    corners: NDArray[np.float32]
    held_out: NDArray[np.bool_]
    found: NDArray[np.bool_]

    @classmethod
    def load(cls, file: Path) -> Self:
        """Read a file that `save` wrote."""
        with np.load(file) as arrays:
            return cls(arrays["pixels"], arrays["corners"], arrays["held_out"], arrays["found"])

    def save(self, file: Path) -> None:
        """Write the file; an interrupted write leaves no file of that name."""
        part = file.with_suffix(".part.npz")
        np.savez(part, pixels=self.pixels, corners=self.corners, held_out=self.held_out, found=self.found)
        part.rename(file)


def outline_crops(scenes: Sequence[Labelled], file: Path, processes: int) -> OutlineCrops:
    """The crops of all tiles of the scenes, cached in a file."""
    if not file.exists():
        afresh = get_context("spawn")  # a fork while OpenCV's threads are at work may hang
        with ProcessPoolExecutor(processes, afresh, _begin) as pool:
            parts = track(pool.map(_cut, scenes, chunksize=8), "cutting tiles from scenes", len(scenes))
            rows = [row for part in parts for row in part]
        pixels, corners, held_out, found = zip(*rows, strict=True)
        OutlineCrops(np.stack(pixels), np.stack(corners), np.array(held_out), np.array(found)).save(file)
    return OutlineCrops.load(file)


_detectors: list[Detector] = []


def _begin() -> None:
    """Initialise a worker process: one thread, and the shipped detector."""
    end_with_parent()
    limit_threads(1)
    _detectors.append(Detector(load_manifest()["detector"]))


_Row = tuple[Pixels, NDArray[np.float32], bool, bool]


def _cut(scene: Labelled) -> list[_Row]:
    return list(cut(scene, _detectors[0]))


def cut(scene: Labelled, finder: Finder) -> Iterator[_Row]:
    """Pixels, corners, whether held out, and whether detected, for the tiles of a scene.

    Raises:
        OSError: the picture cannot be read.
    """
    tiles = [box for box in scene.boxes if box.kind == "domino" and box.quad is not None and _long(box.quad) >= _LEAST]
    if not tiles:
        return
    pixels = read_rgb(scene.path)
    rng = np.random.default_rng(zlib.crc32(scene.path.name.encode()))
    finds = [find for find in finder.detect(pixels) if find.shape == "tile"]
    for tile in tiles:
        assert tile.quad is not None
        truth = Outline.around(tile.quad)
        best = max(finds, key=lambda find: iou(find, truth), default=None)
        if best is not None and iou(best, truth) > _SAME:
            yield _row(pixels, best.corners, tile.quad, scene.held_out, True)
        yield _row(pixels, _made_up(tile, rng), tile.quad, scene.held_out, False)


def _made_up(tile: Box, rng: Rng) -> Quad:
    """An outline as a detector might give it."""
    assert tile.quad is not None
    return jittered(smallest(tile.quad, tile.quad), rng)


def _row(pixels: Pixels, outline: Quad, truth: Quad, held_out: bool, found: bool) -> _Row:
    box = Outline.around(outline)
    detection = Detection(box.left, box.top, box.right, box.bottom, 1.0, "tile", outline)
    corners = nearest(truth, outline)
    smaller, there = cut_smaller(pixels, detection, AROUND * reach_of(detection), round(WIDTH * AROUND))
    return crop(smaller, there, AROUND), within(outline, corners, AROUND), held_out, found


def nearest(corners: Quad, outline: Quad) -> NDArray[np.float64]:
    """The corners (4 x 2), reordered to the outline's winding and to the start at which they lie nearest to its corners."""
    points, wanted = np.array(corners), np.array(outline)
    if _turns(points) != _turns(wanted):
        points = points[::-1]
    return min((np.roll(points, -k, axis=0) for k in range(4)), key=lambda way: float(np.abs(way - wanted).sum()))


def _turns(points: NDArray[np.float64]) -> bool:
    """Whether the corners run with positive orientation."""
    return float(cv2.contourArea(points.astype(np.float32), oriented=True)) > 0


def _long(quad: Quad) -> float:
    return max(math.dist(quad[0], quad[1]), math.dist(quad[1], quad[2]))


def varied(pixels: Pixels, corners: NDArray[np.float32], rng: Rng) -> tuple[Pixels, NDArray[np.float32]]:
    """A stored crop with the jitter of another outline (`HEIGHT` x `WIDTH` x 3), and the corners in it."""
    size = np.array([WIDTH, HEIGHT])
    zoom = np.exp(rng.normal(0, 0.05) + rng.normal(0, 0.03, 2))
    turn = rng.normal(0, 0.04)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    flip = np.where(rng.random(2) < 0.5, -1, 1)
    linear = np.diag(flip * zoom) @ spin
    middle = size * AROUND / 2
    shift = size / 2 + rng.normal(0, 0.025, 2) * size - linear @ middle
    points = corners * size * AROUND @ linear.T + shift
    # Pixel i covers i to i + 1: corners refer to pixel edges, the warp to centres.
    matrix = np.column_stack([linear, shift + linear @ [0.5, 0.5] - 0.5])
    moved = cv2.warpAffine(pixels, matrix, (WIDTH, HEIGHT), borderValue=GREY)
    if flip[0] < 0:
        points = points[[3, 2, 1, 0]]
    if flip[1] < 0:
        points = points[[1, 0, 3, 2]]
    return np.asarray(moved, np.uint8), np.asarray(points / size, np.float32)


def plain(pixels: Pixels, corners: NDArray[np.float32]) -> tuple[Pixels, NDArray[np.float32]]:
    """A stored crop as network input without augmentation, and the corners in it."""
    left, top = round(WIDTH * (AROUND - 1) / 2), round(HEIGHT * (AROUND - 1) / 2)
    size = np.array([WIDTH, HEIGHT])
    return pixels[top : top + HEIGHT, left : left + WIDTH], np.asarray(
        (corners * size * AROUND - (left, top)) / size, np.float32
    )
