"""`python -m datasets.train.low_view --photos ../shared/photos` learns to tell that a die is seen from too low.

Dice with pips are drawn from 6 to 90 degrees over the table, and a linear layer on what the reader of dice knows of them is fitted to
tell those under 20 degrees from those over 28 (logistic regression). The offset is set so that one in a hundred of those over 28,
held apart, is taken for one seen from low. Run it after every training of `dice`; it takes ten minutes on two cores.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from datasets.generate.camera.crops import photographed
from datasets.generate.drawn import photo_grounds
from datasets.generate.drawn.dice_scenes import die_scene, pip_die
from datasets.generate.parts.lettering import fonts
from datasets.labels.photos import backgrounds
from models import FOLDER
from vision.classify.dice import CropNetwork, dice_network
from vision.classify.low_view import LowView
from vision.photo import Pixels

COUNT, SEED = 8000, 99020
_CHUNK = 100
_HEIGHTS = (6.0, 90.0)
"""Degrees over the table."""
_LOW, _FAIR = 20.0, 28.0
"""Seen from below the one, the front is what is read; from above the other, the top. Between them nothing is learned."""
_APART = 5
"""One drawing in so many is held apart."""
_FALSE = 0.01
"""Of the dice that are seen from high enough, how many may be called seen from too low."""
_FEWEST = 24.0
"""Pixels across a crop, where it is coarse."""

Drawn = tuple[list[Pixels], list[float]]


def main() -> None:
    """Draw, fit and write."""
    from datasets.evaluate.__main__ import networks

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, help="the folder with backgrounds, to draw on")
    parser.add_argument("--models", type=Path, default=FOLDER, help="the folder of the networks and their manifest")
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    network = networks(options.models)["dice"]
    grounds = backgrounds(options.photos / "backgrounds") if options.photos else []
    features, heights = seen(dice_network(network), options.count, grounds, options.processes)
    layer, caught = fitted(features, heights)
    layer.save(network)
    for (low, high), share in caught.items():
        print(f"{low:.0f} to {high:.0f} degrees: {share:.1%} called seen from too low")


def seen(
    network: CropNetwork, count: int, grounds: Sequence[Path], processes: int
) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """What the network knows of so many drawn dice (n x features), and from how many degrees each is seen (n)."""
    starts = range(0, count, _CHUNK)
    given = (fonts.typefaces(), list(grounds))
    features, heights = [], []
    with ProcessPoolExecutor(processes, get_context("spawn"), _begin, given) as pool:
        for crops, degrees in track(pool.map(drawn, starts), "drawing dice", len(starts)):
            features.append(network.look(crops, 1).features[0])
            heights += degrees
    return np.concatenate(features), np.array(heights)


def _begin(typefaces: list[Path], grounds: list[Path]) -> None:
    cv2.setNumThreads(1)
    fonts.share(typefaces)
    photo_grounds.share(grounds)


def drawn(start: int) -> Drawn:
    """Crops of dice from number `start` on, and from how many degrees over the table each is seen."""
    crops, heights = [], []
    for index in range(start, start + _CHUNK):
        rng = np.random.default_rng((SEED, index))
        height = float(rng.uniform(*_HEIGHTS))
        canvas, _ = die_scene(rng, pip_die(rng, int(rng.integers(1, 7))), height)
        crops.append(photographed(rng, canvas, _FEWEST))
        heights.append(height)
    return crops, heights


def fitted(
    features: NDArray[np.float32], heights: NDArray[np.float64]
) -> tuple[LowView, dict[tuple[float, float], float]]:
    """The layer; and of the drawings held apart, by height, how many it calls seen from too low."""
    low = heights < (_LOW + _FAIR) / 2
    apart = np.arange(len(heights)) % _APART == 0
    learned = ~apart & ((heights < _LOW) | (heights > _FAIR))
    mean, scale = features[learned].mean(0), features[learned].std(0) + 1e-6
    weights = _logistic((features[learned] - mean) / scale, low[learned])
    plain = weights[:-1] / scale
    layer = LowView(plain.astype(np.float32), float(weights[-1] - mean @ plain))
    odds = features @ layer.weights + layer.offset
    most = float(np.quantile(odds[apart & (heights > _FAIR)], 1 - _FALSE))
    layer = replace(layer, offset=layer.offset - most)
    bands = [(6.0, 12.0), (12.0, 20.0), (20.0, 28.0), (28.0, 40.0), (40.0, 60.0), (60.0, 90.0)]
    caught = {
        band: float((odds[apart & (heights >= band[0]) & (heights < band[1])] > most).mean()) for band in bands
    }
    return layer, caught


def _logistic(table: NDArray[np.float64], truth: NDArray[np.bool_], ridge: float = 0.02) -> NDArray[np.float64]:
    """Logistic regression by Newton's method, held back by a ridge over the mean loss: a weight a column, and the offset."""
    table = np.column_stack([table, np.ones(len(table))])
    weights = np.zeros(table.shape[1])
    penalty = 2 * ridge * len(table) * np.diag([*np.ones(table.shape[1] - 1), 0.0])
    for _ in range(20):
        chance = 1 / (1 + np.exp(-table @ weights))
        slope = table.T @ (chance - truth) + penalty @ weights
        bend = (table * (chance * (1 - chance))[:, None]).T @ table + penalty
        step = np.linalg.solve(bend + 1e-9 * np.eye(len(weights)), slope)
        weights = weights - step
        if np.abs(step).max() < 1e-6:
            break
    return weights


if __name__ == "__main__":
    main()
