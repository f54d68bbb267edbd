"""Trains the network that finds the corners of a tile's face, on tiles of scenes whose corners are known."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.labels.photos import Labelled
from datasets.train.dice_views import harmed, tinted
from datasets.train.learning import Learning
from datasets.train.onnx_export import export
from datasets.train.outline_crops import OutlineCrops, outline_crops, plain, varied
from datasets.train.prefetch import made_ahead
from datasets.train.resume_from_onnx import start_from
from vision.classify.outlines import GIVEN, HEIGHT, MARGIN, WIDTH

_FEWEST = 20.0
"""Least pixels across a coarsened crop."""
_ACROSS = WIDTH / MARGIN
"""Pixels of the crop across the detector's outline; errors are given as shares of it."""


def train(recipe: dict[str, Any], pictures: Sequence[Labelled], out: Path, options: argparse.Namespace) -> Path:
    """Train as the recipe says, from the last checkpoint in `out` if any, else from `--start`, and export to ONNX."""
    import torch

    from datasets.train.outline_net import OutlineNet

    torch.set_num_threads(options.threads)
    torch.manual_seed(0)
    crops = outline_crops(pictures, out / "crops.npz", options.workers)
    learned = np.flatnonzero(~crops.held_out)
    net = OutlineNet(tuple(recipe["widths"]))
    if options.start:
        start_from(net, options.start, torch.from_numpy(_batch(crops, learned, 512, 0)[0]))
    steps = int(options.steps or recipe["steps"])
    learning = Learning(net, steps, ((net.parameters(), recipe["rate"]),), clip=1.0)
    learning.resume(out / "last.pt")
    make = partial(_batch, crops, learned, recipe["batch"])
    for pixels, corners in made_ahead(make, learning.left, options.workers):
        learning.learn((learning.answers(torch.from_numpy(pixels)) - torch.from_numpy(corners)).abs().mean())
        if learning.step % recipe["tell"] == 0 or learning.step == steps:
            print(f"step {learning.step}/{steps}  loss {learning.recent:.4f}  {report(net, crops)}", flush=True)
            learning.keep(out / "last.pt")
    return export(net, (HEIGHT, WIDTH), out / f"{recipe['name']}.onnx", "corners")


Batch = tuple[NDArray[np.float32], NDArray[np.float32]]


def _batch(crops: OutlineCrops, learned: NDArray[np.int64], size: int, step: int) -> Batch:
    rng = np.random.default_rng((1, step))
    chosen = rng.choice(learned, size)
    views = [varied(crops.pixels[i], crops.corners[i], rng) for i in chosen]
    pixels = [tinted(harmed(view, rng, _FEWEST), rng) for view, _ in views]
    return _tensor(pixels), np.stack([corners for _, corners in views])


def _tensor(pixels: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
    return np.ascontiguousarray(np.stack(pixels).transpose(0, 3, 1, 2), np.float32) / np.float32(255)


def report(net: Any, crops: OutlineCrops) -> str:
    """The corner errors on held-out tiles that the detector found, in hundredths of a tile's width."""
    apart = np.flatnonzero(crops.held_out & crops.found)
    if not len(apart):
        return "no held-out tiles"
    views = [plain(crops.pixels[i], crops.corners[i]) for i in apart]
    truth = np.stack([corners for _, corners in views])
    answers = _answers(net, [pixels for pixels, _ in views])
    parts = [f"{name} {_off(corners, truth)}" for name, corners in (("detector", GIVEN[None]), ("network", answers))]
    return f"{len(apart)} tiles: " + ", ".join(parts)


def _answers(net: Any, pixels: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
    import torch

    net.eval()
    with torch.no_grad():
        parts = [net(torch.from_numpy(_tensor(pixels[i : i + 128]))).numpy() for i in range(0, len(pixels), 128)]
    return np.concatenate(parts)


def _off(corners: NDArray[np.floating], truth: NDArray[np.float32]) -> str:
    """Median and 90th percentile of the mean distance of a tile's corners."""
    distance = np.hypot(*np.moveaxis((corners - truth) * (WIDTH, HEIGHT) / _ACROSS, -1, 0)).mean(1)
    return " ".join(f"{100 * share:.1f}" for share in np.quantile(distance, (0.5, 0.9)))
