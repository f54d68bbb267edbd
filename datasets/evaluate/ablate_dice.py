"""`python -m datasets.evaluate.ablate_dice --photos PHOTOS --drawn DRAWN --plain PLAIN --start yolo11n.pt`

Measures what each part of the dice classifier's training is worth on held-out photos. The same network is trained repeatedly
from the same start, for the same number of steps and batch size, on crops that lack one thing, and replaces
`dice` in the product; the second opinion is switched off, for it would hide the effect. The detector, `d12` and the tile
classifiers stay as shipped.

    without drawn crops     crops of photos alone
    without mining          no false positives of the detector, in backgrounds or beside labelled dice
    without backgrounds     no photo without dice: neither its detections, nor as ground for drawn crops (`--plain`)

One more is not trained: *with the kinds in the detector*, a die can only be of the kind that the shipped detector, whose classes
distinguish pip dice and twelve-sided dice, takes it for (the class with the higher score there in one pass over the whole
photo; pip dice if neither scores). Compare it with the shipped product, not with the variants.

Drawn crops come from `python -m datasets.generate.drawn`, with `--backgrounds PHOTOS/backgrounds` and without. Doubts are
not compared: the layer that recognises a die seen from too low belongs to the shipped classifier.
"""

from __future__ import annotations

import argparse
import functools
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from rich.console import Console
from rich.table import Table

from datasets.evaluate.ablate import figures_on, replaced
from datasets.generate.drawn.dice import NOTHING
from datasets.labels import crop_files
from datasets.labels import photos as labelled
from datasets.labels.crop_files import StoredCrop
from datasets.train import dice
from datasets.train.dice_crops import photo_crops
from models import Manifest, load_manifest
from vision.candidate import Candidate
from vision.classify.low_view import LowView
from vision.detect.boxes import Detection, Shape, iou, upright
from vision.detect.detector import MIN_SCORE, View, decode
from vision.expected import Expected
from vision.photo import Photo
from vision.reader import TableReader

RECIPE = Path(__file__).parents[1] / "recipes" / "dice.yaml"
SETS = ("dice-dev", "dice-dev-2", "d12-dev", "backgrounds")
_ALL, _KINDS, _SHIPPED = "all crops", "with the kinds in the detector", "as shipped"
_DICE = ("d6", "d12")
_NEVER = -50.0
_SAME = 0.5
"""Intersection over union from which two boxes belong to the same die."""


@dataclass(frozen=True, slots=True)
class Variant:
    """The training data of a dice classifier: crops of photos, and folders of drawn crops. `seed`: for the order of batches."""

    crops: Sequence[StoredCrop]
    drawn: Sequence[Path]
    seed: int = 17


def main() -> None:
    """Train and measure every variant that has no result yet; print and write all."""
    options = _options()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    done = json.loads(options.out.read_text()) if options.out.exists() else {}
    for name, reader in _readers(options):
        if name not in done:
            done[name] = figures_on(reader(), options.photos, SETS)
            options.out.write_text(json.dumps(done, indent=1) + "\n")
    _show(done)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument(
        "--drawn", type=Path, required=True, help="crops drawn on photos without dice as well as on drawn tables"
    )
    parser.add_argument("--plain", type=Path, required=True, help="crops drawn on drawn tables only")
    parser.add_argument("--start", type=Path, required=True, help="YOLO11n trained on COCO")
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--batch", type=int, default=96)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--runs", type=Path, default=Path("runs/ablations-dice"))
    parser.add_argument("--out", type=Path, default=Path("bench/ablations-dice.json"))
    parser.add_argument("--only", nargs="*", help="only these variants")
    return parser.parse_args()


def _readers(options: argparse.Namespace) -> Iterable[tuple[str, Callable[[], TableReader]]]:
    manifest = load_manifest()
    readers: dict[str, Callable[[], TableReader]] = {
        name: functools.partial(_trained, name, variant, options)
        for name, variant in variants(*_cuts(options), options.drawn, options.plain).items()
    }
    readers |= {
        _SHIPPED: functools.partial(TableReader, manifest),
        _KINDS: functools.partial(KindsFromDetector, manifest),
    }
    return [(name, reader) for name, reader in readers.items() if options.only is None or name in options.only]


def _cuts(options: argparse.Namespace) -> tuple[list[StoredCrop], list[StoredCrop]]:
    """The crops of photos with dice, and of those without; cached in `options.runs`."""
    pictures = labelled.load(options.photos)
    options.runs.mkdir(parents=True, exist_ok=True)
    cuts = []
    for name, empty in (("cuts-photos.npz", False), ("cuts-backgrounds.npz", True)):
        photo_crops([each for each in pictures if (each.source == "backgrounds") is empty], options.runs / name, 2)
        cuts.append(crop_files.read(options.runs / name))
    return cuts[0], cuts[1]


def variants(
    photos: Sequence[StoredCrop], backgrounds: Sequence[StoredCrop], drawn: Path, plain: Path
) -> dict[str, Variant]:
    """The training data of each variant, from crops of photos with dice, crops of photos without, and drawn crops.

    The first is trained twice, with other batches: the difference between the two is chance.
    """
    crops = [*photos, *backgrounds]
    return {
        _ALL: Variant(crops, [drawn]),
        f"{_ALL}, in other batches": Variant(crops, [drawn], seed=18),
        "without drawn crops": Variant(crops, []),
        "without mining": Variant([crop for crop in crops if crop.label != NOTHING], [drawn]),
        "without backgrounds": Variant(photos, [plain]),
    }


def _trained(name: str, variant: Variant, options: argparse.Namespace) -> TableReader:
    """The product with the dice classifier trained on the variant, and no second opinion."""
    out = options.runs / name.replace(",", "").replace(" ", "-")
    out.mkdir(parents=True, exist_ok=True)
    recipe = yaml.safe_load(RECIPE.read_text()) | {"batch": options.batch, "seed": variant.seed}
    cuts = out / "cuts.npz"
    crop_files.write(cuts, variant.crops)
    given = argparse.Namespace(**vars(options) | {"cuts": cuts, "drawn": variant.drawn})
    file = dice.train(recipe, [], out, given)
    return TableReader(in_place_of_dice(load_manifest(), file, json.loads((out / "calibration.json").read_text())))


def in_place_of_dice(manifest: Manifest, file: Path, calibration: Mapping[str, float]) -> Manifest:
    """The networks with another dice classifier, and with a second opinion of weight 0.

    Keys missing from `calibration` (the weight of the detector's score) keep their value. No die counts as seen from too low:
    that layer belongs to the shipped classifier's features, and is replaced by one beside the file that never fires.
    """
    shipped = LowView.load(manifest["dice"])
    manifest = replaced(manifest, "dice", file, {**manifest["dice"].calibration, **calibration})
    LowView(np.zeros_like(shipped.weights), _NEVER).save(manifest["dice"])
    second = manifest["second"]
    return replaced(manifest, "second", second.path, {"first": 1.0, "own": 0.0})


class KindsFromDetector(TableReader):
    """Reads a die only as the kind that the detector's classes take it for.

    One pass over the whole photo decides whether they score a pip die or a twelve-sided one higher there.
    """

    def _classify(
        self,
        photo: Photo,
        detections: Sequence[Detection],
        expected: Expected | None = None,
        *,
        search: bool = True,
        at: Detection | None = None,
    ) -> list[Candidate]:
        dice = [each for each in detections if each.shape == "die"]
        kinds = self._kinds_of(photo, dice)
        tiles = [each for each in detections if each.shape == "tile"]
        found = super()._classify(photo, tiles, expected, search=search, at=at)
        for kind in _DICE:
            of_kind = [die for die, own in zip(dice, kinds, strict=True) if own == kind]
            found += super()._classify(photo, of_kind, _Only(kind), search=search)
        return found

    def _kinds_of(self, photo: Photo, dice: Sequence[Detection]) -> list[str]:
        """For each die, the detector's class with the higher score there."""
        classes = self._manifest["detector"].classes
        view = View.of(photo.pixels)
        rows = self._detector.rows(view)
        scores = []
        for kind in _DICE:
            alone = tuple[Shape, ...]("die" if name == kind else "tile" for name in classes)
            found = decode(rows, view.scale, view.shape, alone, ["die"], MIN_SCORE)
            scores.append([_score_at(die, found) for die in dice])
        return [_DICE[int(np.argmax(own))] for own in zip(*scores, strict=True)]


def _score_at(die: Detection, found: Sequence[Detection]) -> float:
    return max((each.score for each in found if iou(upright(each), upright(die)) > _SAME), default=0.0)


class _Only:
    """Expects dice of one kind, any number of them."""

    at_most, counts = None, ()

    def __init__(self, kind: str) -> None:
        self.kinds = self.looked_for = (kind,)


def _show(done: Mapping[str, Any]) -> None:
    table = Table("dice reader", *SETS, title="photos exact, of; pieces right, misread, missed, extra")
    for name, row in done.items():
        table.add_row(name, *(_told(row[each]) for each in SETS))
    Console(width=170).print(table)


def _told(row: Mapping[str, Any]) -> str:
    return f"{row['exact']} of {row['photos']}; {row['right']}, {row['misread']}, {row['missed']}, {row['extra']}"


if __name__ == "__main__":
    main()
