"""Crops held in memory during training, and their colour augmentation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.photo import Pixels

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Crop:
    """A crop: its class, its source, whether it is held out from training, and whether it may be turned."""

    pixels: Pixels
    label: int
    source: str
    held_out: bool
    turnable: bool


def recolour(image: NDArray[np.float32], rng: Rng, strength: float) -> NDArray[np.float32]:
    """Change colours, contrast and brightness (H x W x 3; input 0..1, output may leave that range)."""
    if rng.random() < 0.5:
        image = image[..., rng.permutation(3)]
    if rng.random() < 0.3:
        image = 1 - image
    if rng.random() < 0.2:
        image = np.repeat(image.mean(2, keepdims=True), 3, 2)
    image = image ** np.float32(np.exp(rng.normal(0, 0.3)))
    image = image * np.exp(rng.normal(0, 0.12, 3)).astype(np.float32)
    # Scale the contrast about the middle, then choose a brightness that keeps most pixels within a camera's range.
    low, high = np.percentile(image, (3, 97))
    contrast = rng.uniform(1 - 0.65 * strength, 1.2)
    image = (image - np.float32((low + high) / 2)) * np.float32(contrast)
    reach = max(0.05, (high - low) / 2 * contrast)
    return np.asarray(image + np.float32(rng.uniform(min(reach, 0.5), max(1 - reach, 0.5))))
