"""Trains a numeral classifier, the small residual network or EfficientNet-Lite0, on crops of twelve-sided dice.

In a turned crop of a die seen at a slant nobody can tell which face is the top, so crops are turned only a little here. The
drawing and rendering code also turns the camera where it looks from above.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from datasets.generate.drawn.dice import D12, OTHER
from datasets.labels import crop_files
from datasets.labels.crop_files import StoredCrop
from datasets.labels.photos import Labelled
from datasets.train.dice_crops import scene_crops
from datasets.train.dice_views import harmed, moved, tinted
from datasets.train.learning import Learning, logits, tensor
from datasets.train.onnx_export import export
from datasets.train.prefetch import made_ahead
from datasets.train.resume_from_onnx import reader_from_onnx
from datasets.train.temperature import calibrate
from vision.classify.dice import MARGIN
from vision.classify.numerals import SIZES, Size
from vision.photo import Pixels

Rng = np.random.Generator
Batch = tuple[NDArray[np.uint8], NDArray[np.int64]]

_APART = 40
"""One crop in this many is held out."""
_TELL = 250
"""Steps between checkpoints."""
_MEAN = 0.998
"""Decay of the moving average of the weights, per step."""
_WORSE, _FEWEST = 0.3, 26.0
"""How often a crop is degraded, and the least pixels across it that remain."""


def train(recipe: Mapping[str, Any], pictures: Sequence[Labelled], out: Path, options: argparse.Namespace) -> Path:
    """Train as the recipe says, resuming from the last checkpoint in `out` if any; calibrate and export to ONNX.

    Args:
        recipe: see datasets/recipes/d12.yaml and datasets/recipes/numerals.yaml.
        pictures: renders, whose dice are cut out and added to the drawn crops.
        out: the output folder.
        options: `drawn` (folders), `start` (exported numeral classifier, or for the larger one the second dice classifier),
            `steps` (None: the recipe's), `threads`, `workers`.

    Raises:
        SystemExit: there are no crops to learn from.
    """
    import torch
    from torch.nn import functional

    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    torch.manual_seed(0)
    renders = [picture for picture in pictures if picture.source == "renders"]
    if renders:
        scene_crops(renders, out / "scenes")
    crops = Crops.read(options.drawn or (), [out / "scenes"] if renders else (), SIZES[recipe["name"]])
    net = _network(recipe)
    if options.start:
        reader_from_onnx(net, options.start, tensor(crops.batch(recipe["batch"], recipe["other"], 0)[0]))
    print(f"{crops.told}; before: {report(net, crops)}", flush=True)
    steps = int(options.steps or recipe["steps"])
    learning = Learning(net, steps, ((net.parameters(), recipe["rate"]),), mean=_MEAN)
    learning.resume(out / "last.pt")
    left, make = learning.left, partial(crops.batch, recipe["batch"], recipe["other"], rendered=recipe["rendered"])
    for pixels, target in track(made_ahead(make, left, options.workers), "training on numerals", len(left)):
        answers = learning.answers(tensor(pixels))
        learning.learn(functional.cross_entropy(answers, torch.from_numpy(target), label_smoothing=recipe["smoothing"]))
        if learning.step % _TELL == 0 or learning.step == steps:
            print(f"{learning.step}/{steps}  {report(learning.average, crops)}", flush=True)
            learning.keep(out / "last.pt")
    said, true = logits(learning.average, crops.views()), np.array([_answer(crop) for crop in crops.apart])
    calibrate(said, true, out, others=recipe["other"])
    side = SIZES[recipe["name"]][0]
    return export(learning.average, (side, side), out / f"{recipe['name']}.onnx")


def _network(recipe: Mapping[str, Any]) -> Any:
    if recipe.get("body") == "lite":
        from datasets.train.lite_net import lite_net

        return lite_net(SIZES[recipe["name"]][0], len(recipe["classes"]), whole=recipe["whole"])
    from datasets.train.face_net import FaceNet

    return FaceNet(tuple(recipe["widths"]), len(recipe["classes"]), recipe["middle"])


class Crops:
    """Twelve-sided dice and other dice, grouped by value."""

    def __init__(
        self, crops: Sequence[StoredCrop], rendered: Sequence[StoredCrop] = (), size: Size = SIZES["d12"]
    ) -> None:
        """Select the crops of classes that count; none of the `rendered` is held out, for each of those dice is cut twice.

        `size`: of a network's input.

        Raises:
            SystemExit: a value has no crops.
        """
        kept, self._size = _counting(crops), size
        self.apart = kept[::_APART]
        drawn, rendered = [crop for i, crop in enumerate(kept) if i % _APART], _counting(rendered)
        self._drawn, self._rendered = _by_answer(drawn), _by_answer(rendered)
        if not all(self._drawn):
            raise SystemExit("no training data: give --drawn (python -m datasets.generate.drawn)")
        self.told = f"{len(drawn) + len(rendered)} crops to train on, {len(self.apart)} held apart"

    @classmethod
    def read(cls, drawn: Sequence[Path], rendered: Sequence[Path] = (), size: Size = SIZES["d12"]) -> Crops:
        """The crops from all files in some folders, by file name; see `__init__`."""
        return cls(_crops_of(drawn), _crops_of(rendered), size)

    def views(self) -> list[Pixels]:
        """The held-out crops as network inputs."""
        return [moved(crop.pixels, MARGIN, size=self._size) for crop in self.apart]

    def batch(self, size: int, other: float, step: int, *, rendered: float = 0.0) -> Batch:
        """The inputs (size x side x side x 3) and labels of a step.

        Args:
            size: the batch size.
            other: the share of dice that are not twelve-sided.
            step: the training step.
            rendered: the share of crops from renders, for labels that have any.
        """
        rng = np.random.default_rng((23, step))
        answers = np.where(rng.random(size) < other, 0, rng.integers(1, 13, size))
        chosen = [self._one(int(answer), rng, rendered) for answer in answers]
        return np.stack([varied(crop.pixels, rng, self._size) for crop in chosen]), answers.astype(np.int64)

    def _one(self, answer: int, rng: Rng, rendered: float) -> StoredCrop:
        crops = self._rendered[answer] if rng.random() < rendered else []
        crops = crops or self._drawn[answer]
        return crops[int(rng.integers(len(crops)))]


def _crops_of(folders: Sequence[Path]) -> list[StoredCrop]:
    files = [file for folder in folders for file in sorted(folder.glob("*.npz"))]
    return [crop for file in files for crop in crop_files.read(file)]


def _by_answer(crops: Sequence[StoredCrop]) -> list[list[StoredCrop]]:
    return [[crop for crop in crops if _answer(crop) == answer] for answer in range(13)]


def _counting(crops: Sequence[StoredCrop]) -> list[StoredCrop]:
    return [crop for crop in crops if crop.label == OTHER or crop.label >= D12]


def _answer(crop: StoredCrop) -> int:
    return max(0, crop.label - D12 + 1)


def varied(pixels: Pixels, rng: Rng, size: Size = SIZES["d12"]) -> Pixels:
    """An augmented drawn crop: turned and shifted a little, recoloured, and sometimes degraded beyond its camera's faults."""
    zoom, (x, y) = float(np.exp(rng.normal(0, 0.08))), rng.normal(0, 0.03, 2)
    view = moved(pixels, MARGIN, zoom, float(rng.normal(0, 8)), (float(x), float(y)), size=size)
    if rng.random() < _WORSE:
        view = harmed(view, rng, _FEWEST)
    return tinted(view, rng) if rng.random() < 0.6 else view


def report(net: Any, crops: Crops) -> str:
    """The accuracy of values for known twelve-sided dice, and of telling twelve-sided dice from others."""
    said, true = logits(net, crops.views()), np.array([_answer(crop) for crop in crops.apart])
    named, known = said[:, 1:].argmax(1) + 1 == true, (said.argmax(1) > 0) == (true > 0)
    twelve = true > 0
    return (
        f"numerals {named[twelve].mean():.4f} of {twelve.sum()}, "
        f"kind right for d12 {known[twelve].mean():.4f}, for others {known[~twelve].mean():.4f} of {(~twelve).sum()}"
    )
