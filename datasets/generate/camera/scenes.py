"""Simulates a camera on a composited scene."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.generate.camera.effects import balanced, colourless, exposed, grain_strength, hazy
from datasets.generate.camera.optics import enlarged, shaken
from datasets.generate.parts.drawings import Rng
from datasets.generate.parts.outlines import fixed, hull
from datasets.generate.parts.paint import blurred
from datasets.generate.parts.tile_faces import Floats


def degrade(rng: Rng, pixels: Floats, even: bool) -> NDArray[np.uint8]:
    """A photo (h x w x 3, 0..255) of a picture (squares of the stored values), with random light, lens and sensor.

    Adds uneven light (less if the picture is `even`: itself a photo), exposure, white balance, blur, low resolution,
    noise and haze.
    """
    picture = np.sqrt(np.maximum(_lit(rng, pixels, even), 0))
    if rng.random() < 0.6:
        picture = exposed(picture, rng.uniform(0.3, 0.68), 0.4, 2.5)
    return _sensed(rng, _lens(rng, np.minimum(picture, np.float32(1.1))))


def _lit(rng: Rng, pixels: Floats, even: bool) -> Floats:
    height, width = pixels.shape[:2]
    swing = rng.uniform(0, 0.2 if even else 0.6)
    coarse = rng.normal(0, 1, (3, 3)).astype(np.float32)
    field = np.exp(swing * cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC))
    picture = balanced(rng, pixels * field[..., None], 0.12)
    if not even and rng.random() < 0.1:
        picture *= _sunlit(rng, (height, width))[..., None]
    return np.asarray(picture)


def _sunlit(rng: Rng, shape: tuple[int, int]) -> Floats:
    """Direct sun through a window: one part of the picture several times as bright, with a hard edge."""
    corners = rng.uniform(-0.3, 1.3, (4, 2)) * shape[::-1]
    light = np.ones(shape, np.float32)
    cv2.fillConvexPoly(light, fixed(hull(corners)), float(rng.uniform(1.5, 5)), shift=4)
    return blurred(light, rng.uniform(0.5, 4))


def _lens(rng: Rng, picture: Floats) -> Floats:
    """Blur, motion blur and low resolution, each with some probability."""
    if rng.random() < 0.2:
        picture = blurred(picture, rng.uniform(0.5, 1.4))
    if rng.random() < 0.06:
        picture = shaken(picture, rng.uniform(0, math.pi), 2 * rng.uniform(1, 3))
    if rng.random() < 0.22:
        picture = _coarse(rng, picture)
    return picture


def _coarse(rng: Rng, picture: Floats) -> Floats:
    height, width = picture.shape[:2]
    share = rng.uniform(0.45, 0.9)
    way = int(rng.choice([cv2.INTER_LINEAR, cv2.INTER_CUBIC]))
    return enlarged(picture, round(width * share), round(height * share), way)


def _sensed(rng: Rng, picture: Floats) -> NDArray[np.uint8]:
    """Grey, haze and noise, each with some probability."""
    if rng.random() < 0.05:
        picture = colourless(picture)
    if rng.random() < 0.12:
        picture = hazy(rng, picture)
    grain = grain_strength(rng)
    if grain:
        picture = picture + rng.standard_normal(picture.shape, np.float32) * np.float32(grain)
    return np.asarray(np.clip(picture * 255, 0, 255), np.uint8)
