"""`python -m datasets.train.taught_negatives` draws negatives for taught dice, and writes the networks' features of them.

The features go to `taught.npz` beside the networks (`vision.taught.negatives`). Run it after every training of `dice`, `marks` or
`ends`: it takes a minute. It uses our own drawings only.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from datasets.generate.drawn import dice, tiles
from datasets.train.dice_views import moved
from models import FOLDER, Manifest
from vision.classify.dice import MARGIN, DiceReader
from vision.classify.marks import MarkReader
from vision.classify.tiles import TileReader
from vision.detect.boxes import Shape
from vision.photo import Pixels
from vision.taught.negatives import FILE, Negatives

COUNT, SEED = 400, 99018
_AT_ONCE = 50


def negatives(manifest: Manifest, count: int = COUNT, seed: int = SEED) -> dict[Shape, Negatives]:
    """The features of a manifest's networks for `count` drawn dice and other things, and as many drawn ends of tiles."""
    marks = MarkReader(manifest["marks"])
    reader = DiceReader(manifest, marks)
    ends = TileReader(manifest["ends"], marks)
    rngs = [np.random.default_rng((seed, k)) for k in range(count)]
    dice_seen = [
        reader.features(batch).features for batch in _batches([moved(dice.draw(rng)[0], MARGIN) for rng in rngs])
    ]
    ends_seen = [ends.features(batch).features for batch in _batches([tiles.draw(rng)[0][0] for rng in rngs])]
    return {
        "die": Negatives.of([np.concatenate(parts) for parts in zip(*dice_seen, strict=True)]),
        "tile": Negatives.of([np.concatenate(parts) for parts in zip(*ends_seen, strict=True)]),
    }


def _batches(crops: list[Pixels]) -> Iterator[list[Pixels]]:
    return (crops[start : start + _AT_ONCE] for start in range(0, len(crops), _AT_ONCE))


def main() -> None:
    """Draw the negatives, and write their features."""
    from datasets.evaluate.__main__ import networks

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=Path, default=FOLDER, help="the folder of the networks and their manifest")
    options = parser.parse_args()
    manifest = networks(options.models)
    arrays: dict[str, Any] = {}
    for shape, made in negatives(manifest).items():
        arrays |= made.to_arrays(shape, manifest)
    target = options.models / FILE.name
    np.savez_compressed(target, **arrays)
    print(f"{target}: {target.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main()
