"""The sound of a table: dice that clatter, and a quiet room. Pure numpy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_RING = 0.06  # seconds after which a click has died away


def clatter(rng: np.random.Generator, hits: Sequence[float], seconds: float, rate: int) -> NDArray[np.float32]:
    """The sound of dice hitting wood at some times (seconds): samples from -1 to 1, at `rate` per second."""
    sound = rng.normal(0, 0.002, int(seconds * rate))
    for hit in hits:
        click = _click(rng, rate)
        start = int(hit * rate)
        room = sound[start : start + len(click)]
        room += click[: len(room)]
    return np.asarray(np.tanh(sound), np.float32)


def _click(rng: np.random.Generator, rate: int) -> NDArray[np.float64]:
    """Decaying noise, with two tones for the die and the board."""
    t = np.arange(int(_RING * rate)) / rate
    tones = sum(np.sin(2 * np.pi * pitch * t) for pitch in rng.uniform((900, 2200), (1600, 4200)))
    click = (0.5 * rng.standard_normal(len(t)) + 0.3 * tones) * np.exp(-t / rng.uniform(0.004, 0.012))
    return np.asarray(click * rng.uniform(0.04, 0.22))
