"""Throws of dice that no network was taught, drawn for tests."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from datasets.generate.composite.house_sets import DiceSet, dice_set, throw

SYMBOLS, EMBLEM = "symbols", "emblem on 6"
_TRIES = 30


@dataclass(frozen=True)
class Thrown:
    """A photo, what lies on it, and where: middles in pixels."""

    jpeg: bytes
    values: list[int]
    places: list[tuple[float, float]]


@functools.cache
def set_of(kind: str, seed: int = 4) -> DiceSet:
    """The set of that kind."""
    return dice_set(np.random.default_rng((kind == SYMBOLS, seed)), kind, seed)


@functools.cache
def _drawn(kind: str, values: tuple[int, ...], seed: int, of: int) -> Thrown:
    for attempt in range(_TRIES):
        rng = np.random.default_rng((seed, attempt))
        picture, labels = throw(rng, set_of(kind, of), values, 0)
        apart = len(labels) == len(values) and all(label["view"] > 60 for label in labels)
        if apart:
            coded, data = cv2.imencode(".jpg", picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 90])
            assert coded
            boxes = [label["box"] for label in labels]
            middles = [((left + right) / 2, (top + bottom) / 2) for left, top, right, bottom in boxes]
            return Thrown(data.tobytes(), [label["value"] for label in labels], middles)
    raise AssertionError("no such throw was drawn")


def thrown(kind: str, values: Sequence[int], seed: int, of: int = 4) -> Thrown:
    """A throw of the set of a kind that shows these values, seen from high above."""
    return _drawn(kind, tuple(values), seed, of)
