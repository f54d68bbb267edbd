"""Draw pictures without pieces, full of things that detectors mistake for some.

    python -m datasets.generate.empty --backgrounds PHOTOS/backgrounds --count 1500 --seed 1 --out runs/empty

Playing cards lie on photos of `backgrounds`; circuit boards, black trays with dust and things in rows are drawn. With
`--kinds boards phones` cribbage boards and phones lie on the photos, with `--kinds cutouts --cutouts FOLDER` objects from
pictures with transparency, such as the stamps of Tux Paint. One such picture in four, by a hash of its name, and one photo in
five are reserved for evaluation: `--apart` uses those alone. Picture k has seed `seed * 1_000_000 + k`. Pictures with a label
file are skipped: an interrupted run resumes. Labels have the format of `datasets.generate.blender`, without any piece.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from rich.progress import track

from datasets.generate.camera.scenes import degrade
from datasets.generate.composite.backgrounds import from_photo
from datasets.generate.composite.files import write
from datasets.generate.empty.boards import boards
from datasets.generate.empty.cards import cards
from datasets.generate.empty.circuits import circuits
from datasets.generate.empty.cutouts import cutouts
from datasets.generate.empty.phones import phones
from datasets.generate.empty.rows import rows
from datasets.generate.empty.specks import specks
from datasets.generate.parts.drawings import Rng
from datasets.generate.parts.paint import Sheet, squares
from datasets.labels import photos

_SIDES = 384, 704
"""Range of a picture's side in pixels (upper bound exclusive)."""
_SHARPER = 640, 1280
"""The same range for the longer side of pictures with cribbage boards, whose holes are small, phones or cutouts."""
_KINDS = {"cards": 2, "circuits": 2, "specks": 2, "rows": 1}
"""The weight of each kind, unless `--kinds` names some,"""
_NAMED = ("boards", "phones", "cutouts")
"""and the kinds that are drawn only if named."""
_APART = 4
"""One cutout in this many is reserved for evaluation."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw the pictures that are still missing, each as `images/K.jpg` with `labels/K.json`."""
    options = _options(arguments)
    grounds = [
        photos.Labelled(path, "backgrounds") for path in photos.backgrounds(options.backgrounds, apart=options.apart)
    ]
    if not grounds:
        raise SystemExit(f"{options.backgrounds} has no photos for things to lie on.")
    drawer = Drawer(grounds, _things(options), _shares(options.kinds))
    for folder in ("images", "labels"):
        (options.out / folder).mkdir(parents=True, exist_ok=True)
    for k in track(range(options.count), "pictures without a piece"):
        label = options.out / "labels" / f"{options.seed}_{k:06d}.json"
        if label.exists():
            continue
        rng = np.random.default_rng(options.seed * 1_000_000 + k)
        seen = degrade(rng, squares(drawer.picture(rng)), even=True)
        write(label, seen, (), int(rng.integers(40, 96)))


@dataclass(frozen=True)
class Drawer:
    """Draws pictures.

    `grounds`: photos to draw on; `things`: pictures with transparency; `kinds`: the weight of each kind.
    """

    grounds: Sequence[photos.Labelled]
    things: Sequence[Path] = ()
    kinds: Mapping[str, float] = field(default_factory=lambda: _KINDS)

    def picture(self, rng: Rng) -> Sheet:
        """One picture, height x width x 3, RGB, before the camera's effects.

        Raises:
            FileNotFoundError: OpenCV cannot read one of the background photos.
        """
        side = int(rng.integers(*_SIDES))
        shares = np.array(list(self.kinds.values())) / sum(self.kinds.values())
        match list(self.kinds)[int(rng.choice(len(self.kinds), p=shares))]:
            case "cards":
                return cards(rng, self._ground(rng))
            case "rows":
                return rows(rng, self._ground(rng))
            case "boards":
                return boards(rng, _enlarged(rng, self._ground(rng)))
            case "phones":
                return phones(rng, _enlarged(rng, self._ground(rng)))
            case "cutouts":
                return cutouts(rng, _enlarged(rng, self._ground(rng)), self.things)
            case "circuits":
                return circuits(rng, side)
            case _:
                return specks(rng, side)

    def _ground(self, rng: Rng) -> Sheet:
        ground = from_photo(rng, self.grounds[int(rng.integers(len(self.grounds)))])
        return np.asarray((255 * np.sqrt(ground.pixels)).astype(np.uint8))


def _enlarged(rng: Rng, ground: Sheet) -> Sheet:
    scale = rng.uniform(*_SHARPER) / max(ground.shape[:2])
    return np.asarray(cv2.resize(ground, None, fx=scale, fy=scale), np.uint8)


def _shares(named: Sequence[str] | None) -> Mapping[str, float]:
    return dict.fromkeys(named, 1.0) if named else _KINDS


def _things(options: argparse.Namespace) -> list[Path]:
    """The pictures with transparency to use.

    Raises:
        SystemExit: cutouts are requested, and there are none.
    """
    if not options.kinds or "cutouts" not in options.kinds:
        return []
    found = sorted(options.cutouts.rglob("*.png")) if options.cutouts else []
    things = [path for path in found if photos.held_out(path.name, _APART) is options.apart]
    if not things:
        raise SystemExit("--kinds cutouts needs --cutouts, a folder with PNG pictures that have transparency.")
    return things


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--backgrounds", type=Path, required=True, help="photos without dice, as the ground for cards")
    parser.add_argument("--count", type=int, required=True, help="draw pictures 0 to COUNT - 1")
    parser.add_argument(
        "--kinds",
        nargs="+",
        choices=[*_KINDS, *_NAMED],
        help=f"only these, in equal shares (default: all but {', '.join(_NAMED)})",
    )
    parser.add_argument("--cutouts", type=Path, help="a folder of pictures with transparency")
    parser.add_argument("--apart", action="store_true", help="use the photos and cutouts that are held out for tests")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
