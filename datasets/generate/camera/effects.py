"""Camera effects, each a function of a picture (height x width x 3, 0..1). Pure numpy, which Blender's Python has, too."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator
Picture = NDArray[np.float32]


def corner_light(height: int, width: int, depth: float) -> Picture:
    """Vignetting: the light that reaches each pixel (height x width x 1): 1 in the centre, 1 - depth in the corners."""
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    return np.asarray(1 - depth * ((x * x + y * y) / 2) ** 1.5, np.float32)[..., None]


def exposed(picture: Picture, aim: float, least: float, most: float) -> Picture:
    """The picture with automatic exposure: its mean at `aim`, by a gain from `least` to `most`."""
    return picture * np.float32(np.clip(aim / max(0.02, float(picture[::8, ::8].mean())), least, most))


def balanced(rng: Rng, picture: Picture, by: float) -> Picture:
    """Another white balance: a random gain per channel, with `by` as the standard deviation of its logarithm."""
    return picture * np.exp(rng.normal(0, by, 3)).astype(np.float32)


def colourless(picture: Picture) -> Picture:
    """The picture in grey."""
    return np.repeat(picture.mean(2, keepdims=True), 3, 2)


def hazy(rng: Rng, picture: Picture) -> Picture:
    """Haze, or a smeared lens: lighter, with less contrast."""
    return np.float32(rng.uniform(0.05, 0.3)) + picture * np.float32(rng.uniform(0.5, 0.8))


def grain_strength(rng: Rng) -> float:
    """A random noise strength, as a share of full light: mostly little, sometimes much or none."""
    return float(rng.choice([0.0, rng.uniform(0, 0.02), rng.uniform(0.02, 0.07)], p=[0.35, 0.5, 0.15]))
