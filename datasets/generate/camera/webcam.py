"""Simulates a webcam on its arm: slight shake, bumps, automatic exposure, noise. Pure numpy and Pillow.

The table is rendered a little larger than the picture (`MARGIN` pixels on each side), to leave room for
the shake.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from datasets.generate.camera.effects import corner_light

Rng = np.random.Generator
Pixels = NDArray[np.uint8]

MARGIN = 16
_GRAINS = 4


class Sensor:
    """Makes frames from pictures of the table; frames must be taken in order."""

    def __init__(self, rng: Rng, fps: float, first: Pixels, grain: float | None = None) -> None:
        """Draw the properties of one camera from `rng`.

        Args:
            rng: the source of all randomness.
            fps: frames per second.
            first: the table in its initial light, to which the exposure is set.
            grain: its noise as a share of full light; None: random.
        """
        self._rng, self._fps = rng, fps
        self._shake = rng.uniform(0.05, 0.45)
        self._offset = np.zeros(2)
        self._home = np.zeros(2)
        self._bump: tuple[NDArray[np.float64], float] | None = None
        self._aim = float(rng.uniform(0.34, 0.52))
        self._gain = self._wanted(first)
        self._lag = float(rng.uniform(0.15, 0.6))
        self._tint = np.exp(rng.normal(0, 0.04, 3)).astype(np.float32)
        self._blur = float(rng.choice([0.0, rng.uniform(0.3, 0.8)]))
        height, width = first.shape[0] - 2 * MARGIN, first.shape[1] - 2 * MARGIN
        self._dim = corner_light(height, width, float(rng.uniform(0, 0.35)))
        grain = float(rng.uniform(0.003, 0.022)) * max(1.0, self._gain) ** 0.5 if grain is None else grain
        shape = (_GRAINS, height + 32, width + 32, 3)
        self._grain = rng.standard_normal(shape, np.float32) * np.float32(grain * 255)

    def bump(self) -> float:
        """Somebody bumps into the table or the camera's arm; returns how many seconds it swings."""
        turn, reach = self._rng.uniform(0, 2 * math.pi), self._rng.uniform(4, 11)
        self._bump = reach * np.array([math.cos(turn), math.sin(turn)]), 0.0
        if self._rng.random() < 0.5:
            self._home = np.clip(self._home + self._rng.normal(0, 2, 2), -5, 5)
        return 0.7

    def frame(self, canvas: Pixels) -> Pixels:
        """The next frame, given the table's current look."""
        self._gain += (self._wanted(canvas) - self._gain) * (1 - math.exp(-1 / (self._fps * self._lag)))
        light = self._moved(canvas).astype(np.float32) * (self._gain * self._tint) * self._dim
        rows, columns = self._rng.integers(0, 32, 2)
        grain = self._grain[self._rng.integers(_GRAINS)]
        light += grain[rows : rows + light.shape[0], columns : columns + light.shape[1]]
        return light.clip(0, 255).round().astype(np.uint8)

    def _wanted(self, canvas: Pixels) -> float:
        """The gain that automatic exposure aims at: it does not fully compensate for darkness or brightness."""
        seen = float(canvas[::8, ::8].mean()) / 255
        return float(np.clip((self._aim / max(seen, 0.02)) ** 0.75, 0.5, 4.0))

    def _moved(self, canvas: Pixels) -> Pixels:
        image = Image.fromarray(canvas)
        if self._blur:
            image = image.filter(ImageFilter.GaussianBlur(self._blur))
        right, down = self._where() + MARGIN
        size = canvas.shape[1] - 2 * MARGIN, canvas.shape[0] - 2 * MARGIN
        frame = (1, 0, right, 0, 1, down)
        return np.asarray(image.transform(size, Image.Transform.AFFINE, frame, Image.Resampling.BILINEAR))

    def _where(self) -> NDArray[np.float64]:
        """The camera's current offset in pixels."""
        self._offset = 0.85 * self._offset + self._rng.normal(0, self._shake, 2) * 0.5
        swing = np.zeros(2)
        if self._bump:
            push, since = self._bump
            swing = push * math.exp(-since / 0.13) * math.cos(since * 34)
            self._bump = (push, since + 1 / self._fps) if since < 1 else None
        return np.asarray(np.clip(self._home + self._offset + swing, -MARGIN, MARGIN))
