"""Crops of dominoes that look square, as negatives for the dice classifiers: a tile pointing at a low camera looks so.

    python -m datasets.train.square_tiles --scenes runs/pasted --cuts runs/dice/cuts.npz --out runs/with_square_tiles.npz

Writes the crops of `--cuts` and the tiles into one training file (`python -m datasets.train RECIPE --cuts FILE`). The
tiles are unhidden ones from pasted scenes (`python -m datasets.generate.composite`), squeezed along their length until
they are about as long as wide, upright or lying in the picture. They are of class 0, nothing to read; those that the shipped
classifier takes for a die have the source `mistaken`, the others `look-alike`. One in twelve is held out.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from datasets.labels import crop_files
from datasets.labels.crop_files import Pixels, StoredCrop
from datasets.train.dice_crops import LOOK_ALIKE, MISTAKEN, STORE, STORE_MARGIN, Judge, Rng, read_rgb
from models import load_manifest
from vision.classify.dice import dice_network
from vision.detect.boxes import Detection

_APART = 12
"""One crop in this many is held out."""
_LEAST, _LARGE = 44.0, 80.0
"""Pixels of the longer side from which a tile is used, and from which it is cut twice."""
_HIDDEN = 0.1
_MOST = 5
"""The most tiles per scene."""
_RATIOS = (0.75, 1.4)
"""Range of a squeezed tile's length over its width."""
_TAKEN = 0.5
"""Probability of a die from which the classifier is mistaken."""

Quad = NDArray[np.float64]
"""The corners of a tile in turn (4 x 2)."""


def crops(scenes: Path, seed: int, judge: Judge) -> list[StoredCrop]:
    """The squeezed tiles of a folder of scenes.

    Raises:
        OSError: a picture cannot be read.
    """
    made: list[StoredCrop] = []
    for k, file in enumerate(track(sorted((scenes / "labels").glob("*.json")), "tiles")):
        rng = np.random.default_rng((seed, k))
        quads = [np.array(each["quad"], float) for each in json.loads(file.read_text())["pieces"] if _shows(each)]
        if not quads:
            continue
        pixels = read_rgb(scenes / "images" / f"{file.stem}.jpg")
        chosen = [quads[i] for i in rng.permutation(len(quads))[:_MOST]]
        seen = [squeezed(rng, pixels, quad) for quad in chosen for _ in range(1 + (_longer(quad) > _LARGE))]
        dice = 1 - judge.chances([(each, _IN_CROP) for each in seen])[:, 0]
        made += _stored(seen, dice, len(made))
    return made


def _stored(seen: Sequence[Pixels], dice: NDArray[np.float64], before: int) -> Iterator[StoredCrop]:
    for i, (pixels, chance) in enumerate(zip(seen, dice, strict=True), before):
        source = MISTAKEN if chance > _TAKEN else LOOK_ALIKE
        yield StoredCrop.of(pixels, 0, source, turnable=False, held_out=i % _APART == 0)


_HALF = STORE / STORE_MARGIN / 2
_IN_CROP = Detection(STORE / 2 - _HALF, STORE / 2 - _HALF, STORE / 2 + _HALF, STORE / 2 + _HALF, 1.0)
"""The box of the piece in a stored crop."""


def _shows(piece: dict[str, Any]) -> bool:
    """Whether it is a tile to use: unhidden, face up, large enough."""
    lies_open = piece["kind"] == "domino" and bool(piece.get("quad")) and piece.get("face_up", True)
    return bool(lies_open and piece.get("hidden", 0) < _HIDDEN and _longer(np.array(piece["quad"], float)) > _LEAST)


def _longer(quad: Quad) -> float:
    return max(math.dist(quad[0], quad[1]), math.dist(quad[1], quad[2]))


def squeezed(rng: Rng, picture: Pixels, quad: Quad) -> Pixels:
    """A crop of a tile, squeezed to about a square, in the format of `dice_crops` (`STORE` x `STORE` x 3)."""
    sides = quad[1] - quad[0], quad[2] - quad[1]
    lengths = [float(np.linalg.norm(side)) for side in sides]
    along = sides[int(np.argmax(lengths))] / max(lengths)
    across = np.array([-along[1], along[0]])
    shorter = math.exp(rng.uniform(*np.log(_RATIOS))) * min(lengths) / max(lengths)
    upright = rng.uniform(0, 2 * math.pi) if rng.random() < 0.2 else math.pi / 2 + rng.normal(0, math.radians(14))
    upright += math.pi * int(rng.integers(2))
    away = np.array([math.cos(upright), math.sin(upright)])
    turn = np.outer(away, along) * shorter + np.outer((-away[1], away[0]), across)
    there = (quad - quad.mean(0)) @ turn.T
    zoom = STORE / STORE_MARGIN / float(np.ptp(there, axis=0).max())
    middle = (there.max(0) + there.min(0)) / 2
    placed = np.eye(3)
    placed[:2, :2] = turn * zoom
    placed[:2, 2] = -zoom * (turn @ quad.mean(0) + middle)
    farther = np.eye(3)
    farther[2, :2] = away * rng.uniform(-0.0015, 0.0015)
    to_middle = np.array([[1.0, 0.0, STORE / 2], [0.0, 1.0, STORE / 2], [0.0, 0.0, 1.0]])
    how = cv2.INTER_LINEAR if zoom < 2 else cv2.INTER_CUBIC
    seen = cv2.warpPerspective(
        picture, to_middle @ farther @ placed, (STORE, STORE), flags=how, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(seen, np.uint8)


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the file of crops."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=Path, required=True, help="what `python -m datasets.generate.composite` wrote")
    parser.add_argument("--cuts", type=Path, required=True, help="a file of crops to which the tiles are added")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    made = crops(options.scenes, options.seed, dice_network(load_manifest()["dice"]))
    crop_files.write(options.out, [*crop_files.read(options.cuts), *made])
    print(f"{len(made)} tiles, {sum(crop.source == MISTAKEN for crop in made)} of them taken for dice")


if __name__ == "__main__":
    main()
