"""Trains the network that tells a domino from two dice side by side, and from one die."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.labels.photos import Labelled
from datasets.train.dice_views import harmed, tinted
from datasets.train.learning import Learning, logits, tensor
from datasets.train.onnx_export import export
from datasets.train.outline_crops import plain, varied
from datasets.train.pair_crops import ONE, PAIR, TILE, PairCrops, pair_crops
from datasets.train.prefetch import made_ahead
from datasets.train.resume_from_onnx import start_from
from datasets.train.temperature import calibrate
from vision.classify.outlines import HEIGHT, WIDTH
from vision.classify.pairs import CLASSES
from vision.photo import Pixels

_FEWEST = 16.0
"""Least pixels across a coarsened crop."""
_NO_CORNERS = np.zeros((4, 2), np.float32)


def train(recipe: dict[str, Any], pictures: Sequence[Labelled], out: Path, options: argparse.Namespace) -> Path:
    """Train as the recipe says, from the last checkpoint in `out` if any, else from `--start`, and export to ONNX."""
    import torch

    from datasets.train.face_net import FaceNet

    torch.set_num_threads(options.threads)
    torch.manual_seed(0)
    crops = pair_crops(pictures, out / "crops.npz", options.workers)
    net = FaceNet(tuple(recipe["widths"]), len(CLASSES))
    if options.start:
        start_from(net, options.start, tensor(_batch(crops, 512, 0)[0]))
    steps = int(options.steps or recipe["steps"])
    learning = Learning(net, steps, ((net.parameters(), recipe["rate"]),), clip=1.0)
    learning.resume(out / "last.pt")
    for pixels, labels in made_ahead(partial(_batch, crops, recipe["batch"]), learning.left, options.workers):
        said = learning.answers(tensor(pixels))
        learning.learn(torch.nn.functional.cross_entropy(said, torch.from_numpy(labels), label_smoothing=0.02))
        if learning.step % recipe["tell"] == 0 or learning.step == steps:
            print(f"step {learning.step}/{steps}  loss {learning.recent:.4f}  {report(net, crops)}", flush=True)
            learning.keep(out / "last.pt")
    calibrate(*_held_out(net, crops), out)
    return export(net, (HEIGHT, WIDTH), out / f"{recipe['name']}.onnx")


def _batch(crops: PairCrops, size: int, step: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """A batch: half dominoes, a quarter pairs, a quarter single dice, augmented as by other outlines, cameras and light."""
    rng = np.random.default_rng((1, step))
    apart = [np.flatnonzero(~crops.held_out & (crops.labels == label)) for label in (TILE, PAIR, ONE)]
    sizes = (size // 2, size // 4, size // 4)
    chosen = np.concatenate([rng.choice(each, count) for each, count in zip(apart, sizes, strict=True)])
    return np.stack([_varied(crops.pixels[i], rng) for i in chosen]), crops.labels[chosen]


def _varied(pixels: Pixels, rng: np.random.Generator) -> Pixels:
    view, _ = varied(pixels, _NO_CORNERS, rng)
    return tinted(harmed(view, rng, _FEWEST), rng)


def report(net: Any, crops: PairCrops) -> str:
    """The number of misclassified held-out crops of each class."""
    said, labels = _held_out(net, crops)
    wrong = said.argmax(1) != labels
    return ", ".join(
        f"{int(wrong[labels == label].sum())} of {int((labels == label).sum())} {name} wrong"
        for label, name in enumerate(CLASSES)
    )


def _held_out(net: Any, crops: PairCrops) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Logits, averaged over both orientations, and labels of the held-out crops: either end of a tile may come first."""
    apart = np.flatnonzero(crops.held_out)
    views = [plain(crops.pixels[i], _NO_CORNERS)[0] for i in apart]
    said = logits(net, views) + logits(net, [np.asarray(cv2.rotate(view, cv2.ROTATE_180), np.uint8) for view in views])
    return said / 2, crops.labels[apart]
