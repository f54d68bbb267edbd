"""Fits the weights of two pooled classifiers (`vision.classify.second.pooled`), on crops held out from both."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.labels.crop_files import StoredCrop
from datasets.train.dice_crops import STORE_MARGIN
from datasets.train.dice_views import FEWEST, harmed, moved
from datasets.train.learning import logits
from models import load_manifest
from vision.classify.crop_network import View, softmax
from vision.classify.dice import MARGIN, SECOND_VIEWS, SIDE, WITHOUT_PIPS, dice_network, in_doubt
from vision.classify.second import pooled
from vision.photo import Pixels

_WEIGHTS = np.arange(0, 2.01, 0.05)
_AT_ONCE = 64


def fit(
    first: NDArray[np.float64], second: NDArray[np.float64], labels: NDArray[np.int64], kept: Sequence[int] = ()
) -> tuple[float, float]:
    """The weights that minimise the log loss of two pooled sets of probabilities (n x classes) for the labels (n).

    `kept`: see `vision.classify.second.pooled`.
    """
    rows = np.arange(len(labels))

    def surprise(weights: tuple[float, float]) -> float:
        return float(-np.log(np.maximum(1e-12, pooled(first, second, *weights, kept)[rows, labels])).mean())

    pairs = ((float(a), float(b)) for a, b in itertools.product(_WEIGHTS, _WEIGHTS))
    return min(pairs, key=surprise)


def pool_weights(net: Any, crops: Sequence[StoredCrop], side: int, temperature: float) -> dict[str, float]:
    """The weights of the shipped dice classifier ("first") and of a network trained beside it ("own").

    Fitted on the crops of photos, original and degraded, where the first classifier is not sure: there the second is run, with
    all its views.
    """
    pictures, labels = _pictures(crops)
    reader = dice_network(load_manifest()["dice"])
    views = [moved(each, STORE_MARGIN, size=(SIDE, MARGIN)) for each in pictures]
    first = np.concatenate([reader.look(views[k : k + _AT_ONCE], 1).chances for k in range(0, len(views), _AT_ONCE)])
    unsure = np.flatnonzero(in_doubt(first))
    asked = [pictures[k] for k in unsure.tolist()]
    ways = itertools.product(SECOND_VIEWS, (False, True))
    seen = [logits(net, [_view(each, *way, side) for each in asked]) for way in ways]
    second = softmax(np.asarray(np.mean(seen, 0) / temperature, np.float32))
    a, b = fit(first[unsure], second, labels[unsure], WITHOUT_PIPS)
    for told, chances in (
        ("first", first[unsure]),
        ("second", second),
        ("both", pooled(first[unsure], second, a, b, WITHOUT_PIPS)),
    ):
        right = (chances.argmax(1) == labels[unsure]).mean()
        print(f"{told}: {right:.3f} right on the {len(unsure)} of {len(labels)} crops of which the first is not sure")
    return {"first": round(a, 4), "own": round(b, 4)}


def _view(picture: Pixels, view: View, mirrored: bool, side: int) -> Pixels:
    zoom, degrees = view
    return moved(picture, STORE_MARGIN, zoom, degrees, mirrored=mirrored, size=(side, MARGIN))


def _pictures(crops: Sequence[StoredCrop]) -> tuple[list[Pixels], NDArray[np.int64]]:
    rng = np.random.default_rng(0)
    whole = [crop.pixels for crop in crops]
    return [*whole, *(harmed(each, rng, FEWEST) for each in whole)], np.array([crop.label for crop in crops] * 2)
