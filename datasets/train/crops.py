"""Crops of faces for the face reader: cut once, then varied anew in every epoch."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.labels.photos import Box, Labelled
from vision.classify.dice import MARGIN, SIDE
from vision.detect.boxes import Detection, iou, upright
from vision.detect.detector import Detector
from vision.photo import Pixels

Rng = np.random.Generator

STORE = 128
"""Pixels of a stored crop."""
STORE_MARGIN = 1.75
"""Side of a stored crop over the longer side of the box: room to turn, shift and zoom."""

_FOUND = 0.1
"""The detector's detections from this score on are worth learning from."""


@dataclass(frozen=True, slots=True)
class Crop:
    """A stored crop (`STORE` x `STORE` x 3), its class (0: no pip die, 1 to 6), and where it is from."""

    pixels: Pixels
    label: int
    source: str
    held_out: bool
    turnable: bool


def cut_all(pictures: Iterable[Labelled], rng: Rng, detector: Detector) -> Iterator[Crop]:
    """Every readable face, every look-alike, and windows that show no die or only a part of one.

    Boxes are the detector's own wherever it finds the labelled piece, since those are what the reader will be given; where
    it finds something that is no pip die, nothing teaches more.
    """
    for picture in pictures:
        image = cv2.imread(str(picture.path))
        if image is None:
            raise OSError(f"cannot read {picture.path}")
        pixels = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), np.uint8)
        detections = [detection for detection in detector.detect(pixels) if detection.score > _FOUND]
        for box in [*_found(picture, detections), *_misses(picture, pixels.shape, rng)]:
            if box.value is not None:
                yield Crop(_cut(pixels, box), box.value, picture.source, picture.held_out, box.turnable)


def _found(picture: Labelled, detections: list[Detection]) -> Iterator[Box]:
    """The labelled pieces in the detector's boxes, and the detector's mistakes as no pip die."""
    for box in picture.boxes:
        best = max(detections, key=lambda detection: iou(detection, upright(box)), default=None)
        if best is not None and iou(best, upright(box)) > 0.5:
            yield dataclasses.replace(box, left=best.left, top=best.top, right=best.right, bottom=best.bottom)
        else:
            yield box
    for detection in detections:
        if all(iou(detection, upright(box)) < 0.3 for box in picture.boxes):
            yield Box(detection.left, detection.top, detection.right, detection.bottom, 0)


def _cut(pixels: Pixels, box: Box) -> Pixels:
    side = STORE_MARGIN * max(box.right - box.left, box.bottom - box.top, 2.0)
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    left, top, edge = round(x - side / 2), round(y - side / 2), max(2, round(side))
    canvas = np.full((edge, edge, 3), 114, np.uint8)
    x1, y1 = max(0, left), max(0, top)
    x2, y2 = min(pixels.shape[1], left + edge), min(pixels.shape[0], top + edge)
    canvas[y1 - top : y2 - top, x1 - left : x2 - left] = pixels[y1:y2, x1:x2]
    return np.asarray(
        cv2.resize(canvas, (STORE, STORE), interpolation=cv2.INTER_AREA if edge > STORE else cv2.INTER_CUBIC), np.uint8
    )


def _misses(picture: Labelled, shape: tuple[int, ...], rng: Rng) -> Iterator[Box]:
    """Windows a detector could take for a die: bare table, a single pip, the seam between two dice."""
    height, width = shape[:2]
    if picture.source == "negatives":
        for _ in range(4):
            yield _window(rng.uniform(0.3, 0.7) * width, rng.uniform(0.3, 0.7) * height, rng.uniform(0.1, 0.6) * width)
        return
    sides = [max(box.right - box.left, box.bottom - box.top) for box in picture.boxes] or [width / 10]
    if rng.random() < 0.5:
        side = float(rng.choice(sides)) * rng.uniform(0.7, 1.4)
        window = _window(rng.uniform(0, width), rng.uniform(0, height), side)
        if not any(_touch(window, box) for box in picture.boxes):
            yield window
    for box in picture.dice:
        side = min(box.right - box.left, box.bottom - box.top)
        if side > 50 and rng.random() < 0.5:
            part = rng.uniform(0.15, 0.4) * side
            yield _window(
                rng.uniform(box.left + part / 2, box.right - part / 2),
                rng.uniform(box.top + part / 2, box.bottom - part / 2),
                part,
            )


def _window(x: float, y: float, side: float) -> Box:
    return Box(x - side / 2, y - side / 2, x + side / 2, y + side / 2, 0, True)


def _touch(a: Box, b: Box) -> bool:
    return a.left < b.right and b.left < a.right and a.top < b.bottom and b.top < a.bottom


def vary(crop: Crop, rng: Rng, strength: float = 1.0) -> NDArray[np.float32]:
    """One network input (3 x `SIDE` x `SIDE`, 0..1) from a crop: as another camera, light, die and box would have it.

    `strength` (0..1) scales how often the harder changes happen: a fresh network learns to count on clear faces first.
    """

    def now(share: float) -> bool:
        return rng.random() < share * strength

    pixels = _move(crop, rng)
    if now(0.35):
        pixels = _coarsen(pixels, rng)
    image = recolour(pixels.astype(np.float32) / np.float32(255), rng, strength)
    if now(0.25):
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 1.8)), np.float32)
    if now(0.06):
        reach = int(rng.integers(1, 8))
        image = np.asarray(cv2.blur(image, (reach, 1) if rng.random() < 0.5 else (1, reach)), np.float32)
    if now(0.4):
        image = image + rng.normal(0, rng.uniform(0.005, 0.05), image.shape).astype(np.float32)
    if now(0.12):
        image = _shade(image, rng)
    return np.ascontiguousarray(image.clip(0, 1).transpose(2, 0, 1), np.float32)


def plain(crop: Crop) -> NDArray[np.float32]:
    """The network input from a crop as it is."""
    pixels = _warp(crop.pixels, 1.0, 0.0, (0.0, 0.0), False)
    return np.ascontiguousarray(pixels.transpose(2, 0, 1), np.float32) / np.float32(255)


def _move(crop: Crop, rng: Rng) -> Pixels:
    degrees = rng.uniform(0, 360) if crop.turnable else rng.normal(0, 9)
    # A die cut loose by the detector is off by some pixels; a small die by a larger share of itself.
    shift = rng.normal(0, 0.045, 2)
    zoom = float(np.exp(rng.normal(0, 0.1)))
    return _warp(crop.pixels, zoom, degrees, (shift[0], shift[1]), rng.random() < 0.5)


def _warp(pixels: Pixels, zoom: float, degrees: float, shift: tuple[float, float], mirrored: bool) -> Pixels:
    scale = SIDE / STORE * STORE_MARGIN / MARGIN * zoom
    matrix = np.asarray(cv2.getRotationMatrix2D((STORE / 2, STORE / 2), degrees, scale), np.float64)
    matrix[0, 2] += SIDE / 2 - STORE / 2 + shift[0] * SIDE
    matrix[1, 2] += SIDE / 2 - STORE / 2 + shift[1] * SIDE
    if mirrored:
        matrix[0] *= -1
        matrix[0, 2] += SIDE
    return np.asarray(
        cv2.warpAffine(pixels, matrix, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderValue=(114, 114, 114)), np.uint8
    )


def _coarsen(pixels: Pixels, rng: Rng) -> Pixels:
    """As few pixels as a small die has (12 px and up), or JPEG's blocks."""
    if rng.random() < 0.4:
        return _squeezed(pixels, int(rng.integers(15, 80)))
    side = int(rng.uniform(17, 45))
    small = np.asarray(cv2.resize(pixels, (side, side), interpolation=cv2.INTER_AREA), np.uint8)
    if rng.random() < 0.5:
        small = _squeezed(small, int(rng.integers(40, 95)))
    return np.asarray(cv2.resize(small, (SIDE, SIDE), interpolation=cv2.INTER_LINEAR), np.uint8)


def _squeezed(pixels: Pixels, quality: int) -> Pixels:
    code = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)


def recolour(image: NDArray[np.float32], rng: Rng, strength: float) -> NDArray[np.float32]:
    """Other colours, another contrast and brightness (H x W x 3, 0..1 in; out may leave that range)."""
    if rng.random() < 0.5:
        image = image[..., rng.permutation(3)]
    if rng.random() < 0.3:
        image = 1 - image
    if rng.random() < 0.2:
        image = np.repeat(image.mean(2, keepdims=True), 3, 2)
    image = image ** np.float32(np.exp(rng.normal(0, 0.3)))
    image = image * np.exp(rng.normal(0, 0.12, 3)).astype(np.float32)
    # Contrast about the middle, then a brightness that keeps most of the picture within what a camera records.
    low, high = np.percentile(image, (3, 97))
    contrast = rng.uniform(1 - 0.65 * strength, 1.2)
    image = (image - np.float32((low + high) / 2)) * np.float32(contrast)
    reach = max(0.05, (high - low) / 2 * contrast)
    return np.asarray(image + np.float32(rng.uniform(min(reach, 0.5), max(1 - reach, 0.5))))


def _shade(image: NDArray[np.float32], rng: Rng) -> NDArray[np.float32]:
    """The edge of a shadow or of a glare across the die."""
    turn, at = rng.uniform(0, 2 * np.pi), rng.uniform(-0.3, 0.3)
    y, x = np.mgrid[-0.5 : 0.5 : SIDE * 1j, -0.5 : 0.5 : SIDE * 1j]
    side = 1 / (1 + np.exp(-(x * np.cos(turn) + y * np.sin(turn) - at) * rng.uniform(10, 80)))
    gain = rng.uniform(0.3, 0.7) if rng.random() < 0.5 else rng.uniform(1.3, 1.8)
    return np.asarray(image * (1 + (gain - 1) * side[..., None]), np.float32)
