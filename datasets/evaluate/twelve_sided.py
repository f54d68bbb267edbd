"""`python -m datasets.evaluate.twelve_sided --cuts CROPS.npz --drawn DRAWN`

Measures how well the networks tell twelve-sided dice from others without pips, for several factors on the odds of a twelve-sided
one (`vision.classify.dice.PHOTOGRAPHED`): of twelve-sided dice, all drawn, how many are taken for others; of
others, drawn and photographed, how many for twelve-sided ones.

CROPS are those of training photos (`datasets.train.dice_crops.photo_crops`), DRAWN a folder of crops of a seed that no
network learned from (`python -m datasets.generate.drawn`). `--crops FOLDER` adds `d12-crops`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table

from datasets.evaluate.reader_alone import whole
from datasets.generate.drawn.dice import D12, OTHER
from datasets.labels import crop_files, truth
from datasets.train.dice_crops import STORE_MARGIN
from models import load_manifest
from vision.classify.dice import MARGIN, dice_network, odds_of_twelve
from vision.classify.numerals import NumeralReader
from vision.detect.boxes import Detection
from vision.photo import Pixels, load

TIMES = (1.0, 5.0, 10.0, 20.0, 50.0, 100.0)
_AT_ONCE = 64

Crop = tuple[Pixels, Detection]


def main() -> None:
    """Classify all crops and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cuts", type=Path, required=True)
    parser.add_argument("--drawn", type=Path, required=True)
    parser.add_argument("--files", type=int, default=12, help="use the first N files of DRAWN, with 500 crops each")
    parser.add_argument("--crops", type=Path, help="the folder d12-crops")
    options = parser.parse_args()
    drawn = [crop for file in sorted(options.drawn.glob("*.npz"))[: options.files] for crop in crop_files.read(file)]
    groups: dict[str, tuple[bool, list[Crop]]] = {
        "drawn, twelve-sided": (True, [_inside(crop.pixels, MARGIN) for crop in drawn if crop.label >= D12]),
        "drawn, others": (False, [_inside(crop.pixels, MARGIN) for crop in drawn if crop.label == OTHER]),
        "photographed, others": (
            False,
            [_inside(crop.pixels, STORE_MARGIN) for crop in crop_files.read(options.cuts) if crop.label == OTHER],
        ),
    }
    if options.crops:
        groups["d12-crops"] = True, list(_whole(options.crops))
    table = Table("taken for the wrong kind", "crops", *(f"x {times:g}" for times in TIMES))
    look = Odds()
    for name, (twelve, crops) in groups.items():
        table.add_row(name, str(len(crops)), *(f"{share:.1%}" for share in wrong(look.of(crops, name), twelve)))
    Console(width=120).print(table)


def _inside(pixels: Pixels, margin: float) -> Crop:
    """A crop with the die at its centre, and the die's box."""
    height, width = pixels.shape[:2]
    reach = max(height, width) / margin / 2
    x, y = width / 2, height / 2
    return pixels, Detection(x - reach, y - reach, x + reach, y + reach, 1.0)


def _whole(folder: Path) -> Iterator[Crop]:
    for each in truth.load(folder):
        pixels = load(each.path).pixels
        yield pixels, whole(pixels)


class Odds:
    """The odds that dice without pips are twelve-sided, computed as in the product, before the factor `PHOTOGRAPHED`."""

    def __init__(self) -> None:
        """Open the shipped networks."""
        manifest = load_manifest()
        self._dice = dice_network(manifest["dice"])
        self._numerals = NumeralReader(manifest)

    def of(self, crops: Sequence[Crop], told: str = "") -> NDArray[np.float64]:
        """The odds of each crop (n)."""
        parts = [
            odds_of_twelve(self._dice.chances(part), self._numerals.chances(part), self._numerals.others)
            for part in track([crops[k : k + _AT_ONCE] for k in range(0, len(crops), _AT_ONCE)], told)
        ]
        return np.concatenate(parts) if parts else np.zeros(0)


def wrong(odds: NDArray[np.float64], twelve: bool, times: Iterable[float] = TIMES) -> list[float]:
    """The error rate on dice that are all twelve-sided, or all of other kinds, for each factor in `times`."""
    return [float(((odds * each > 1) != twelve).mean()) if len(odds) else 0.0 for each in times]


if __name__ == "__main__":
    main()
