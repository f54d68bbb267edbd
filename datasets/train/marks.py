"""Training the network that tells apart what the tops of dice show, whatever it is: by pairs of crops of the same side.

Each batch has whole sets of dice, two crops of each side. A crop has to lie nearer to the other one of its side than to all
others of the batch, and than to those of its own set in particular (the contrastive loss of van den Oord et al., "Representation
Learning with Contrastive Predictive Coding", 2018; whole sets in a batch, as in Snell et al., "Prototypical Networks for Few-shot
Learning", NIPS 2017).
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

from datasets.generate.drawn.marked_sets import SIDES, VIEWS
from datasets.labels import crop_files
from datasets.labels.crop_files import StoredCrop
from datasets.labels.photos import Labelled
from datasets.train.ahead import made_ahead
from datasets.train.dice_views import moved, tinted
from datasets.train.learning import Learning, logits, tensor
from datasets.train.onnx_export import export
from datasets.train.resume_from_onnx import reader_from_onnx
from vision.classify import marks
from vision.classify.dice import MARGIN
from vision.photo import Pixels

Rng = np.random.Generator

_SIZE = (marks.SIDE, marks.MARGIN)
_APART = 12
"""One set in so many is held apart."""
_SHOWN = 2
"""Crops of each side from which the others of a set that is held apart are told."""
_TELL = 100
"""Steps between two checkpoints."""
_MEAN = 0.998
"""How much of the moving average of the weights stays at a step."""
_OF_ONE_SET = 0.5
"""What the sides of the same set count, over all sides of a batch."""


def train(recipe: Mapping[str, Any], _pictures: Sequence[Labelled], out: Path, options: argparse.Namespace) -> Path:
    """Train as the recipe says, from `out`'s last checkpoint if there is one, and export to ONNX.

    Args:
        recipe: see datasets/recipes/marks.yaml.
        out: where all is written.
        options: `drawn` (folders), `start` (an exported reader of numerals), `steps` (None: the recipe's), `threads`, `workers`.

    Raises:
        SystemExit: no sets to learn from.
    """
    import torch

    from datasets.train.face_net import FaceNet

    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    torch.manual_seed(0)
    sets = Sets.read(options.drawn or ())
    net = FaceNet(tuple(recipe["widths"]), recipe["size"], recipe["middle"])
    make = partial(sets.batch, recipe["sets"])
    if options.start:
        reader_from_onnx(net, options.start, tensor(make(0)))
    print(f"{len(sets.train)} sets to learn from; before: {report(net, sets.apart)}", flush=True)
    steps = int(options.steps or recipe["steps"])
    learning = Learning(net, steps, ((net.parameters(), recipe["rate"]),), mean=_MEAN)
    learning.resume(out / "last.pt")
    left = learning.left
    for pixels in track(made_ahead(make, left, options.workers), "learning marks", len(left)):
        learning.learn(loss(learning.answers(tensor(pixels)), recipe["temperature"]))
        if learning.step % _TELL == 0 or learning.step == steps:
            said = f"{report(learning.average, sets.apart)}, loss {learning.recent:.3f}"
            print(f"{learning.step}/{steps}  {said}", flush=True)
            learning.keep(out / "last.pt")
    return export(learning.average, (marks.SIDE, marks.SIDE), out / f"{recipe['name']}.onnx", output="marks")


def loss(answers: Any, temperature: float) -> Any:
    """Of a batch as `Sets.batch` makes it (n x numbers): pairs of crops of a side, `SIDES` pairs a set."""
    import torch
    from torch.nn import functional

    points = functional.normalize(answers, dim=1)
    alike = points @ points.T / temperature
    of = torch.arange(len(points))
    itself = torch.eye(len(points), dtype=torch.bool)
    every = alike.masked_fill(itself, float("-inf"))
    set_of = of // (2 * SIDES)
    own = every.masked_fill(set_of[:, None] != set_of[None], float("-inf"))
    other_crop = of ^ 1
    return functional.cross_entropy(every, other_crop) + _OF_ONE_SET * functional.cross_entropy(own, other_crop)


class Sets:
    """Sets of dice: of each, the crops of each side."""

    def __init__(self, sets: Sequence[Sequence[Sequence[StoredCrop]]]) -> None:
        """Of sets, those to learn from and those held apart.

        Raises:
            SystemExit: there are too few.
        """
        self.apart = sets[::_APART]
        self.train = [each for i, each in enumerate(sets) if i % _APART]
        if not self.train:
            raise SystemExit("nothing to learn from: give --drawn (python -m datasets.generate.drawn.marked_sets)")

    @classmethod
    def read(cls, folders: Sequence[Path]) -> Sets:
        """Those of all files of some folders, by the name of their files."""
        files = [file for folder in folders for file in sorted(folder.glob("*.npz"))]
        return cls([one for file in files for one in _sets(crop_files.read(file))])

    def batch(self, count: int, step: int) -> NDArray[np.uint8]:
        """The views of a step: of `count` sets two of each side, one after the other (n x side x side x 3)."""
        rng = np.random.default_rng((29, step))
        chosen = rng.choice(len(self.train), min(count, len(self.train)), replace=False)
        crops = [
            side[int(k)] for i in chosen.tolist() for side in self.train[i] for k in rng.permutation(len(side))[:2]
        ]
        return np.stack([varied(crop.pixels, rng) for crop in crops])


def _sets(crops: Sequence[StoredCrop]) -> list[list[list[StoredCrop]]]:
    sides = [list(crops[start : start + VIEWS]) for start in range(0, len(crops), VIEWS)]
    return [sides[start : start + SIDES] for start in range(0, len(sides), SIDES)]


def varied(pixels: Pixels, rng: Rng) -> Pixels:
    """A drawn crop turned any way, shifted, in other light and now and then other colours."""
    zoom, (x, y) = float(np.exp(rng.normal(0, 0.08))), rng.normal(0, 0.03, 2)
    view = moved(pixels, MARGIN, zoom, float(rng.uniform(0, 360)), (float(x), float(y)), size=_SIZE)
    return tinted(view, rng) if rng.random() < 0.3 else view


def report(net: Any, sets: Sequence[Sequence[Sequence[StoredCrop]]]) -> str:
    """How many crops of sets held apart lie nearest to their own side, of which other crops are known."""
    views = [moved(crop.pixels, MARGIN, size=_SIZE) for each in sets for side in each for crop in side]
    points = logits(net, views)
    points = (points / np.linalg.norm(points, axis=1, keepdims=True)).reshape(len(sets), SIDES, VIEWS, -1)
    middles = points[:, :, :_SHOWN].mean(2)
    nearest = np.einsum("skvd,sjd->skvj", points[:, :, _SHOWN:], middles).argmax(-1)
    right = nearest == np.arange(SIDES)[None, :, None]
    return f"told apart {right.mean():.4f} of {right.size}"
