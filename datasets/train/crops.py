"""Crops that are kept in memory while a reader learns, and their other colours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.photo import Pixels

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Crop:
    """A crop, its class, where it is from, whether it is held apart from training and may be turned."""

    pixels: Pixels
    label: int
    source: str
    held_out: bool
    turnable: bool


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
