"""Augmentation of a die's crop for the dice classifier: turned, shifted, recoloured, degraded."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.generate.drawn.dice import D12, OTHER
from datasets.labels.crop_files import StoredCrop
from datasets.train.dice_crops import STORE_MARGIN
from vision.classify.dice import MARGIN, SIDE
from vision.photo import GREY, Pixels

Rng = np.random.Generator
Floats = NDArray[np.float32]

FEWEST, _FEWEST_OTHER = 15.0, 22.0
"""Least pixels across a coarsened crop of a photo: of any class, of another die."""


def varied(crop: StoredCrop, rng: Rng, side: int = SIDE, worse: float = 0.0) -> Pixels:
    """An augmented input of a network (`side` x `side` x 3): as another camera, light and detector would give it.

    `worse`: how often a drawn crop is degraded; it has its camera's faults already.
    """
    return _varied_drawn(crop, rng, side, worse) if crop.source == "drawn" else _varied_photo(crop, rng, side)


def plain(crop: StoredCrop, side: int = SIDE) -> Pixels:
    """The input from a crop without augmentation (`side` x `side` x 3)."""
    return _as_drawn(crop, side) if crop.source == "drawn" else moved(crop.pixels, STORE_MARGIN, size=(side, MARGIN))


def _as_drawn(crop: StoredCrop, side: int) -> Pixels:
    pixels = crop.pixels
    return pixels if len(pixels) == side else moved(pixels, MARGIN, size=(side, MARGIN))


def _varied_drawn(crop: StoredCrop, rng: Rng, side: int, worse: float) -> Pixels:
    if rng.random() < 0.7:
        degrees = float(rng.normal(0, 6)) + _quarters(rng, 0.15)
        zoom = float(np.exp(rng.normal(0, 0.06)))
        image = moved(crop.pixels, MARGIN, zoom, degrees, _shift(rng, 0.02), _mirrored(crop, rng), (side, MARGIN))
    else:
        image = _as_drawn(crop, side)
    if worse and rng.random() < worse:
        image = harmed(image, rng, _FEWEST_OTHER if crop.label == OTHER or crop.label >= D12 else FEWEST)
    return tinted(image, rng) if rng.random() < 0.6 else image


def _varied_photo(crop: StoredCrop, rng: Rng, side: int) -> Pixels:
    degrees = float(rng.uniform(0, 360)) if crop.turnable else float(rng.normal(0, 8)) + _quarters(rng, 0.1)
    zoom = float(np.exp(rng.normal(0, 0.1)))
    image = moved(crop.pixels, STORE_MARGIN, zoom, degrees, _shift(rng, 0.03), _mirrored(crop, rng), (side, MARGIN))
    return tinted(harmed(image, rng, _FEWEST_OTHER if crop.label == OTHER else FEWEST), rng)


def _quarters(rng: Rng, often: float) -> float:
    """A random number of quarter turns, in degrees, with probability `often`; otherwise 0."""
    return 90.0 * int(rng.integers(4)) if rng.random() < often else 0.0


def _shift(rng: Rng, far: float) -> tuple[float, float]:
    x, y = rng.normal(0, far, 2)
    return float(x), float(y)


def _mirrored(crop: StoredCrop, rng: Rng) -> bool:
    """Whether to mirror: pips mean the same in a mirror, the numerals of a d12 do not."""
    return bool(crop.label < D12 and rng.random() < 0.5)


def moved(
    pixels: Pixels,
    margin: float,
    zoom: float = 1.0,
    degrees: float = 0.0,
    shift: tuple[float, float] = (0.0, 0.0),
    mirrored: bool = False,
    size: tuple[int, float] = (SIDE, MARGIN),
) -> Pixels:
    """A view of a crop whose side is `margin` times the box.

    `shift`: in shares of the side; `size`: the view's side in pixels, and in boxes.
    """
    store, (side, boxes) = pixels.shape[0], size
    scale = side / store * margin / boxes * zoom
    # A pixel's centre is half a pixel from its corner: the warp maps centres.
    matrix = np.asarray(cv2.getRotationMatrix2D((store / 2 - 0.5, store / 2 - 0.5), degrees, scale), np.float64)
    matrix[:, 2] += side / 2 - store / 2 + np.array(shift) * side
    if mirrored:
        matrix[0] *= -1
        matrix[0, 2] += side - 1
    if scale < 0.6:
        pixels = np.asarray(cv2.blur(pixels, (2, 2)), np.uint8)
    turned = cv2.warpAffine(pixels, matrix, (side, side), flags=cv2.INTER_LINEAR, borderValue=GREY)
    return np.asarray(turned, np.uint8)


def tinted(pixels: Pixels, rng: Rng) -> Pixels:
    """Change colours, contrast and brightness, and add some noise."""
    image = pixels.astype(np.float32)
    if rng.random() < 0.4:
        image = image[..., rng.permutation(3)]
    if rng.random() < 0.15:
        image = 255 - image
    if rng.random() < 0.15:
        image = np.repeat(image @ np.array([0.3, 0.59, 0.11], np.float32)[:, None], 3, 2)
    if rng.random() < 0.12:
        image = _half_shaded(image, rng)
    return np.asarray(np.clip(_noisy(_lit(image, rng), rng), 0, 255), np.uint8)


def _half_shaded(image: Floats, rng: Rng) -> Floats:
    """The image with the edge of a shadow across it, sharp or soft: cups, hands and phones shade dice partly."""
    height, width = image.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    turn, away, soft = rng.uniform(0, 2 * np.pi), rng.uniform(-0.7, 0.7), np.exp(rng.uniform(np.log(0.01), np.log(0.3)))
    lit = 1 / (1 + np.exp(-np.clip((np.cos(turn) * x + np.sin(turn) * y - away) / soft, -30, 30)))
    return np.asarray(image * (1 - rng.uniform(0.3, 0.75) * lit[..., None]), np.float32)


def _lit(image: Floats, rng: Rng) -> Floats:
    """Change contrast, gain per channel, brightness and gamma (0..255, may go beyond)."""
    gain = (np.exp(rng.normal(0, 0.1, 3)) * np.exp(rng.normal(0, 0.2))).astype(np.float32)
    low, mean = np.float32(rng.normal(0, 12)), np.float32(image.mean())
    contrast = np.float32(rng.uniform(0.45, 1.25) if rng.random() < 0.5 else 1.0)
    image = np.asarray(((image - mean) * contrast + mean) * gain + low, np.float32)
    if rng.random() < 0.3:
        image = np.asarray(255 * np.clip(image / 255, 0, 1) ** np.float32(np.exp(rng.normal(0, 0.3))), np.float32)
    return np.asarray(image, np.float32)


def _noisy(image: Floats, rng: Rng) -> Floats:
    if rng.random() >= 0.3:
        return image
    noise = rng.integers(-128, 128, image.shape, dtype=np.int8).astype(np.float32)
    return image + noise * np.float32(rng.uniform(0.02, 0.2))


def harmed(pixels: Pixels, rng: Rng, fewest: float) -> Pixels:
    """Blur, coarsen (to `fewest` pixels across or more) or compress as JPEG: labelled photos are sharper than future ones."""
    kind = rng.random()
    if kind < 0.25:
        return _coarse(pixels, rng, fewest)
    if kind < 0.4:
        return np.asarray(cv2.GaussianBlur(pixels, (0, 0), rng.uniform(0.5, 2.4)), np.uint8)
    if kind < 0.5:
        return _packed(pixels, int(rng.integers(15, 70)))
    return _filmed(pixels, rng, fewest) if kind < 0.65 else pixels


def _filmed(pixels: Pixels, rng: Rng, fewest: float) -> Pixels:
    """The image as from a small camera in poor light: few pixels, mostly grey and low-contrast, noisy, sharpened."""
    height, width = pixels.shape[:2]
    across = int(np.exp(rng.uniform(np.log(1.2 * fewest), np.log(48))))
    size = (across, across * height // width)
    image = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    if rng.random() < 0.6:
        image = np.repeat(image.mean(2, keepdims=True), 3, 2)
    mean = image.mean()
    image = (image - mean) * np.float32(rng.uniform(0.4, 1)) + mean * np.float32(rng.uniform(0.5, 1.2))
    if rng.random() < 0.5:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, 0.9)))
    if rng.random() < 0.4:
        image += np.float32(rng.uniform(0.3, 1)) * (image - cv2.GaussianBlur(image, (0, 0), 1))
    image += rng.normal(0, rng.uniform(0, 9), image.shape[:2])[..., None].astype(np.float32)
    small = np.asarray(image.clip(0, 255), np.uint8)
    if rng.random() < 0.7:
        small = _packed(small, int(rng.integers(35, 95)))
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def _coarse(pixels: Pixels, rng: Rng, fewest: float) -> Pixels:
    height, width = pixels.shape[:2]
    across = int(np.exp(rng.uniform(np.log(fewest), np.log(80))))
    small = np.asarray(cv2.resize(pixels, (across, across * height // width), interpolation=cv2.INTER_AREA), np.uint8)
    if rng.random() < 0.5:
        small = _packed(small, int(rng.integers(35, 95)))
    way = cv2.INTER_LINEAR if rng.random() < 0.6 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(small, (width, height), interpolation=way), np.uint8)


def _packed(pixels: Pixels, quality: int) -> Pixels:
    code = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
