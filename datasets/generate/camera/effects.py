"""What all cameras do, each as one function of a picture (height x width x 3, 0..1). Pure numpy: Blender's Python has it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator
Picture = NDArray[np.float32]


def corner_light(height: int, width: int, depth: float) -> Picture:
    """How much light reaches each pixel (height x width x 1): 1 in the middle, 1 - depth in the corners."""
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    return np.asarray(1 - depth * ((x * x + y * y) / 2) ** 1.5, np.float32)[..., None]


def exposed(picture: Picture, aim: float, least: float, most: float) -> Picture:
    """The picture as automatic exposure makes it: its mean at `aim`, by a gain of `least` to `most`."""
    return picture * np.float32(np.clip(aim / max(0.02, float(picture[::8, ::8].mean())), least, most))


def balanced(rng: Rng, picture: Picture, by: float) -> Picture:
    """Another white balance: each channel stronger or weaker, by the logarithm `by` as a standard deviation."""
    return picture * np.exp(rng.normal(0, by, 3)).astype(np.float32)


def colourless(picture: Picture) -> Picture:
    """The same in grey."""
    return np.repeat(picture.mean(2, keepdims=True), 3, 2)


def hazy(rng: Rng, picture: Picture) -> Picture:
    """Haze, or a smeared lens: lighter, with less contrast."""
    return np.float32(rng.uniform(0.05, 0.3)) + picture * np.float32(rng.uniform(0.5, 0.8))


def grain_strength(rng: Rng) -> float:
    """How strong the noise of a photo is, as a share of full light: mostly little, now and then much, or none."""
    return float(rng.choice([0.0, rng.uniform(0, 0.02), rng.uniform(0.02, 0.07)], p=[0.35, 0.5, 0.15]))
