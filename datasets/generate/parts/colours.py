"""Colours of dice, tables and inks: RGB, 0..1."""

from __future__ import annotations

import numpy as np

from datasets.generate.parts.canvas import Floats, Rng

_INKS = np.array(
    [
        (0.95, 0.95, 0.95),
        (0.03, 0.03, 0.03),
        (0.83, 0.66, 0.25),
        (0.72, 0.73, 0.76),
        (0.75, 0.08, 0.08),
        (0.1, 0.15, 0.6),
    ]
)
_OFTEN = [0.36, 0.34, 0.1, 0.06, 0.08, 0.06]


def any_colour(rng: Rng) -> Floats:
    """A random colour: white, ivory, grey, black, vivid, pale or deep."""
    kind = rng.choice(7, p=[0.16, 0.08, 0.1, 0.14, 0.28, 0.12, 0.12])
    if kind == 0:
        return rng.uniform(0.82, 0.98) * np.array([1, 1, 1])
    if kind == 1:
        return np.array([0.93, 0.87, 0.72]) * rng.uniform(0.8, 1.05, 3)
    if kind in (2, 3):
        return np.full(3, rng.uniform(0.2, 0.75) if kind == 2 else rng.uniform(0.02, 0.12))
    saturation, value = {4: (0.85, 0.8), 5: (0.35, 0.9), 6: (0.8, 0.35)}[int(kind)]
    return hue(rng.random(), saturation * rng.uniform(0.7, 1.15), value * rng.uniform(0.75, 1.15))


def hue(turn: float, saturation: float, value: float) -> Floats:
    """The colour at a `turn` (0..1) of the colour wheel; saturation and value are clipped to 0..1."""
    wheel = np.clip(np.abs((turn * 6 + np.array([0, 4, 2])) % 6 - 3) - 1, 0, 1)
    return np.asarray(np.clip(value, 0, 1) * (1 - np.clip(saturation, 0, 1) * (1 - wheel)))


def any_ink(rng: Rng, body: Floats) -> Floats:
    """An ink that is legible on the body; in one case of ten barely."""
    least = 0.16 if rng.random() < 0.1 else 0.38
    for _ in range(30):
        ink = _INKS[rng.choice(6, p=_OFTEN)] if rng.random() < 0.8 else any_colour(rng)
        if np.abs(_luma(ink) - _luma(body)) + 0.25 * np.abs(ink - body).max() > least:
            return np.asarray(ink)
    return np.full(3, 0.03 if _luma(body) > 0.4 else 0.95)


def _luma(colour: Floats) -> float:
    return float(np.sqrt(np.clip(colour, 0, 1) @ (0.3, 0.59, 0.11)))
