"""Draw crops of all classes of the dice classifier.

    python -m datasets.generate.drawn --backgrounds PHOTOS/backgrounds --count 500000 --seed 1 --out runs/drawn

Crop k depends only on the seed, on k, and on the fonts and photos of this machine. Existing files are left alone, so
an interrupted run resumes, and training may begin while crops are still being drawn.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from rich.progress import track

from datasets.generate.drawn.dice import SHARES, chunks, write_all
from datasets.labels.photos import backgrounds


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw what is still missing."""
    options = _options(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    photos = backgrounds(options.backgrounds) if options.backgrounds else []
    todo = chunks(options.out, options.seed, options.count, options.shares)
    for _ in track(write_all(todo, photos, options.processes), "drawing dice", len(todo)):
        pass


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, required=True, help="number of crops; written in files of 500")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--backgrounds", type=Path, help="photos without dice to draw on (default: drawn tables)")
    named = ("NOTHING", "OTHER", "PIPS", "D12")
    parser.add_argument("--shares", type=float, nargs=4, metavar=named, default=SHARES, help="must add up to 1")
    parser.add_argument("--processes", type=int, default=2)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
