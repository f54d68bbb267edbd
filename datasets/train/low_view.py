"""`python -m datasets.train.low_view --photos ../shared/photos` learns to recognise dice seen from too low.

Draws dice with pips from 6 to 90 degrees over the table, and fits a linear layer on the dice classifier's features to separate
those under 20 degrees from those over 28 (logistic regression). The offset is set so that one in fifty dice on the training
photos, with every source weighted equally, is called seen from too low; without `--photos`, one in fifty of
those drawn from over 28 degrees. Run it after every training of `dice`; it takes some minutes.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
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
from datasets.labels import photos as labelled
from datasets.train.dice_crops import read_rgb
from datasets.train.dice_views import moved
from models import FOLDER
from vision.classify.crop_network import CropNetwork
from vision.classify.dice import MARGIN, dice_network
from vision.classify.low_view import LowView
from vision.detect.boxes import Detection
from vision.photo import Pixels

COUNT, SEED = 6000, 99020
_CHUNK = 100
_HEIGHTS = (6.0, 90.0)
"""Range of the camera's elevation over the table, in degrees."""
_LOW, _FAIR = 20.0, 28.0
"""Elevation below which the front is read, and above which the top is; drawings between them are not used for training."""
_APART = 5
"""One drawing in this many is held out."""
_FALSE = 0.02
"""The share of dice on photos, or of drawn dice seen from high enough, that are called seen from too low."""
_PHOTOS, _DICE = 60, 8
"""Photos per source, and dice per photo."""
_FEWEST = 24.0
"""Least pixels across a coarsened crop."""

Drawn = tuple[list[Pixels], list[float]]


def main() -> None:
    """Draw, fit and write."""
    from datasets.evaluate.__main__ import networks

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, help="the folder with backgrounds to draw on")
    parser.add_argument("--models", type=Path, default=FOLDER, help="the folder of the networks and their manifest")
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    network = networks(options.models)["dice"]
    grounds = labelled.backgrounds(options.photos / "backgrounds") if options.photos else []
    features, heights = seen(dice_network(network), options.count, grounds, options.processes)
    layer, caught = fitted(features, heights)
    if options.photos:
        layer = levelled(layer, on_photos(layer, dice_network(network), labelled.load(options.photos)))
    layer.save(network)
    for (low, high), share in caught.items():
        print(f"{low:.0f} to {high:.0f} degrees: {share:.1%} called seen from too low")


def seen(
    network: CropNetwork, count: int, grounds: Sequence[Path], processes: int
) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """The network's features of `count` drawn dice (n x features), and the elevation of each in degrees (n)."""
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
    """Crops of dice from number `start` on, and the camera's elevation in degrees for each."""
    crops, heights = [], []
    for index in range(start, start + _CHUNK):
        rng = np.random.default_rng((SEED, index))
        height = float(rng.uniform(*_HEIGHTS))
        canvas, _ = die_scene(rng, pip_die(rng, int(rng.integers(1, 7))), height)
        crops.append(moved(photographed(rng, canvas, _FEWEST), MARGIN))
        heights.append(height)
    return crops, heights


def fitted(
    features: NDArray[np.float32], heights: NDArray[np.float64]
) -> tuple[LowView, dict[tuple[float, float], float]]:
    """The layer; and its rate of "too low" on held-out drawings, by range of elevation."""
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
    caught = {band: float((odds[apart & (heights >= band[0]) & (heights < band[1])] > most).mean()) for band in bands}
    return layer, caught


def on_photos(
    layer: LowView, network: CropNetwork, pictures: Iterable[labelled.Labelled]
) -> dict[str, NDArray[np.float64]]:
    """The layer's log odds for dice with pips in photos, by source."""
    rng, found = np.random.default_rng(0), dict[str, list[labelled.Labelled]]()
    for picture in pictures:
        if picture.shows == "table" and picture.dice:
            found.setdefault(picture.source, []).append(picture)
    odds = {}
    for source, photos in found.items():
        chosen = [photos[i] for i in rng.permutation(len(photos))[:_PHOTOS]]
        features = [network.seen(_boxes(photo)).features[0] for photo in track(chosen, source)]
        odds[source] = np.concatenate(features).astype(np.float64) @ layer.weights + layer.offset
    return odds


def _boxes(photo: labelled.Labelled) -> list[tuple[Pixels, Detection]]:
    pixels = read_rgb(photo.path)
    return [(pixels, Detection(box.left, box.top, box.right, box.bottom, 1.0)) for box in photo.dice[:_DICE]]


def levelled(layer: LowView, odds: Mapping[str, NDArray[np.float64]]) -> LowView:
    """The layer with its offset set so that it calls `_FALSE` of the dice on photos too low, every source weighted equally."""
    values = np.concatenate(list(odds.values()))
    weights = np.concatenate([np.full(len(part), 1 / (len(part) * len(odds))) for part in odds.values()])
    order = np.argsort(-values)
    most = values[order][np.searchsorted(np.cumsum(weights[order]), _FALSE)]
    return replace(layer, offset=layer.offset - float(most))


def _logistic(table: NDArray[np.float64], truth: NDArray[np.bool_], ridge: float = 0.02) -> NDArray[np.float64]:
    """Logistic regression by Newton's method, with a ridge on the mean loss: a weight for each column, and the offset."""
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
