"""Trains the embedding of marks, which tells apart any faces that pieces show, on pairs of crops of the same face.

Each batch has whole sets of dice and of tiles, two crops of each face. A crop has to lie nearer to the other crop of its face
than to all others of the batch, and than to those of its own set in particular (the contrastive loss of van den Oord et al.,
"Representation Learning with Contrastive Predictive Coding", 2018; whole sets in a batch, as in Snell et al., "Prototypical
Networks for Few-shot Learning", NIPS 2017).
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from datasets.generate.drawn.marked_sets import SIDES, VIEWS, MarkedPiece
from datasets.labels import crop_files
from datasets.labels.crop_files import StoredCrop
from datasets.labels.photos import Labelled
from datasets.train.dice_views import moved, tinted
from datasets.train.learning import Learning, logits, tensor
from datasets.train.onnx_export import export
from datasets.train.prefetch import made_ahead
from datasets.train.resume_from_onnx import reader_from_onnx
from vision.classify import dice, marks, tiles
from vision.photo import Pixels

Rng = np.random.Generator
Batch = tuple[NDArray[np.uint8], NDArray[np.int64]]

_SIZE = (marks.SIDE, marks.MARGIN)
_MARGINS: Mapping[MarkedPiece, float] = {"die": dice.MARGIN, "tile": tiles.MARGIN}
"""Side of the crops over that of the piece, or of its end."""
_APART = 12
"""One set in this many is held out."""
_SHOWN = 2
"""Reference crops of each face of a held-out set; the others are matched to them."""
_TELL = 100
"""Steps between checkpoints."""
_MEAN = 0.998
"""Decay of the moving average of the weights, per step."""
_OF_ONE_SET = 0.5
"""Weight of the loss within the same set, relative to the loss over the whole batch."""


def train(recipe: Mapping[str, Any], _pictures: Sequence[Labelled], out: Path, options: argparse.Namespace) -> Path:
    """Train as the recipe says, resuming from the last checkpoint in `out` if any, and export to ONNX.

    Args:
        recipe: see datasets/recipes/marks.yaml.
        out: the output folder.
        options: `drawn` (folders), `start` (exported numeral classifier), `steps` (None: the recipe's), `threads`, `workers`.

    Raises:
        SystemExit: there are no sets to learn from.
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
        reader_from_onnx(net, options.start, tensor(make(0)[0]))
    print(f"{len(sets.train)} sets to train on; before: {report(net, sets.apart)}", flush=True)
    steps = int(options.steps or recipe["steps"])
    learning = Learning(net, steps, ((net.parameters(), recipe["rate"]),), mean=_MEAN)
    learning.resume(out / "last.pt")
    left = learning.left
    for pixels, of in track(made_ahead(make, left, options.workers), "training on marks", len(left)):
        learning.learn(loss(learning.answers(tensor(pixels)), torch.from_numpy(of), recipe["temperature"]))
        if learning.step % _TELL == 0 or learning.step == steps:
            said = f"{report(learning.average, sets.apart)}, loss {learning.recent:.3f}"
            print(f"{learning.step}/{steps}  {said}", flush=True)
            learning.keep(out / "last.pt")
    return export(learning.average, (marks.SIDE, marks.SIDE), out / f"{recipe['name']}.onnx", output="marks")


def loss(answers: Any, of: Any, temperature: float) -> Any:
    """The contrastive loss of a batch from `Sets.batch`: embeddings of pairs of crops (n x numbers), and each row's set (n)."""
    import torch
    from torch.nn import functional

    points = functional.normalize(answers, dim=1)
    alike = points @ points.T / temperature
    every = alike.masked_fill(torch.eye(len(points), dtype=torch.bool), float("-inf"))
    own = every.masked_fill(of[:, None] != of[None], float("-inf"))
    other_crop = torch.arange(len(points)) ^ 1
    return functional.cross_entropy(every, other_crop) + _OF_ONE_SET * functional.cross_entropy(own, other_crop)


@dataclass(frozen=True)
class MarkedCrops:
    """The crops of each face of one set, of dice or of tiles."""

    piece: MarkedPiece
    sides: Sequence[Sequence[StoredCrop]]


class Sets:
    """Sets of dice and of tiles, for training and held out."""

    def __init__(self, sets: Sequence[MarkedCrops]) -> None:
        """Split the sets into those to train on and those held out.

        Raises:
            SystemExit: there are too few sets.
        """
        self.apart = sets[::_APART]
        self.train = [each for i, each in enumerate(sets) if i % _APART]
        if not self.train:
            raise SystemExit("no training data: give --drawn (python -m datasets.generate.drawn.marked_sets)")

    @classmethod
    def read(cls, folders: Sequence[Path]) -> Sets:
        """The sets from all files in some folders, by file name."""
        files = [file for folder in folders for file in sorted(folder.glob("*.npz"))]
        return cls([one for file in files for one in _sets(crop_files.read(file))])

    def batch(self, count: int, step: int) -> Batch:
        """The batch of a step: two consecutive crops of each face of `count` sets (n x side x side x 3); and their set (n)."""
        rng = np.random.default_rng((29, step))
        chosen = rng.choice(len(self.train), min(count, len(self.train)), replace=False)
        views, of = [], []
        for i in chosen.tolist():
            for side in self.train[i].sides:
                pair = [varied(self.train[i].piece, side[int(k)].pixels, rng) for k in rng.permutation(len(side))[:2]]
                views += pair
                of += [i] * len(pair)
        return np.stack(views), np.array(of)


def _sets(crops: Sequence[StoredCrop]) -> list[MarkedCrops]:
    piece: MarkedPiece = "tile" if crops[0].source == "tile" else "die"
    sides = [list(crops[start : start + VIEWS]) for start in range(0, len(crops), VIEWS)]
    count = SIDES[piece]
    return [MarkedCrops(piece, sides[start : start + count]) for start in range(0, len(sides), count)]


def varied(piece: MarkedPiece, pixels: Pixels, rng: Rng) -> Pixels:
    """An augmented crop: shifted, in other light and sometimes other colours.

    A die's is turned by any angle. An end keeps its bar at the bottom, and is mirrored half of the time, as in classification.
    """
    zoom, (x, y) = float(np.exp(rng.normal(0, 0.08))), rng.normal(0, 0.03, 2)
    turn = float(rng.uniform(0, 360) if piece == "die" else rng.normal(0, 3))
    mirrored = piece == "tile" and bool(rng.random() < 0.5)
    view = moved(pixels, _MARGINS[piece], zoom, turn, (float(x), float(y)), mirrored, size=_SIZE)
    return tinted(view, rng) if rng.random() < 0.3 else view


def report(net: Any, sets: Sequence[MarkedCrops]) -> str:
    """The accuracy on held-out sets: how many crops lie nearest to the reference crops of their own face."""
    kinds = {piece: [each for each in sets if each.piece == piece] for piece in SIDES}
    return "distinguished: " + ", ".join(f"{piece} {_told(net, own):.4f}" for piece, own in kinds.items() if own)


def _told(net: Any, sets: Sequence[MarkedCrops]) -> float:
    """The accuracy on sets of the same kind of piece."""
    piece = sets[0].piece
    views = [moved(crop.pixels, _MARGINS[piece], size=_SIZE) for each in sets for side in each.sides for crop in side]
    points = logits(net, views)
    points = (points / np.linalg.norm(points, axis=1, keepdims=True)).reshape(len(sets), SIDES[piece], VIEWS, -1)
    middles = points[:, :, :_SHOWN].mean(2)
    nearest = np.einsum("skvd,sjd->skvj", points[:, :, _SHOWN:], middles).argmax(-1)
    return float((nearest == np.arange(SIDES[piece])[None, :, None]).mean())
