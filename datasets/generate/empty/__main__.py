"""Draw pictures without a piece, full of what detectors take for one.

    python -m datasets.generate.empty --backgrounds PHOTOS/backgrounds --count 1500 --seed 1 --out runs/empty

Playing cards lie on photos of `backgrounds`; circuit boards, black trays with dust and things in rows are drawn. Picture k has
seed `seed * 1_000_000 + k`. Pictures that have a label file are skipped: an interrupted run goes on where it stopped. Labels are
those of `datasets.generate.blender`, without any piece.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rich.progress import track

from datasets.generate.camera.scenes import degrade
from datasets.generate.composite.backgrounds import from_photo
from datasets.generate.composite.files import write
from datasets.generate.empty.cards import cards
from datasets.generate.empty.circuits import circuits
from datasets.generate.empty.rows import rows
from datasets.generate.empty.specks import specks
from datasets.generate.parts.drawings import Rng
from datasets.generate.parts.paint import Sheet, squares
from datasets.labels import photos

_SIDES = 384, 704
"""Pixels of a picture's side: from, and below."""
_KINDS = {"cards": 2, "circuits": 2, "specks": 2, "rows": 1}
"""How often each kind is drawn."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw the pictures that are still missing, each as `images/K.jpg` with `labels/K.json`."""
    options = _options(arguments)
    grounds = [photos.Labelled(path, "backgrounds") for path in photos.backgrounds(options.backgrounds)]
    if not grounds:
        raise SystemExit(f"{options.backgrounds} has no photos for cards to lie on.")
    for folder in ("images", "labels"):
        (options.out / folder).mkdir(parents=True, exist_ok=True)
    for k in track(range(options.count), "pictures without a piece"):
        label = options.out / "labels" / f"{options.seed}_{k:06d}.json"
        if label.exists():
            continue
        rng = np.random.default_rng(options.seed * 1_000_000 + k)
        seen = degrade(rng, squares(picture(rng, grounds)), even=True)
        write(label, seen, (), int(rng.integers(40, 96)))


def picture(rng: Rng, grounds: Sequence[photos.Labelled]) -> Sheet:
    """One picture, height x width x 3, RGB, as it is before a camera sees it.

    Raises:
        FileNotFoundError: OpenCV cannot read one of the photos to lie on.
    """
    side = int(rng.integers(*_SIDES))
    shares = np.array(list(_KINDS.values())) / sum(_KINDS.values())
    kind = list(_KINDS)[int(rng.choice(len(_KINDS), p=shares))]
    if kind in ("cards", "rows"):
        ground = from_photo(rng, grounds[int(rng.integers(len(grounds)))])
        sheet = np.asarray((255 * np.sqrt(ground.pixels)).astype(np.uint8))
        return cards(rng, sheet) if kind == "cards" else rows(rng, sheet)
    return circuits(rng, side) if kind == "circuits" else specks(rng, side)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--backgrounds", type=Path, required=True, help="photos without dice, for cards to lie on")
    parser.add_argument("--count", type=int, required=True, help="draw pictures 0 to COUNT - 1")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
