"""Make pasted scenes: drawn dominoes and dice of all kinds on real photos and on drawn grounds.

    python -m datasets.generate.composite --photos PHOTOS --count 4000 --seed 1 --out runs/pasted

`--like-dominoes` is for the network that tells dominoes from dice (`datasets/recipes/pairs.yaml`).

Scene k has seed `seed * 1_000_000 + k`: the same command gives the same pictures. Scenes that have a label file are
skipped, so an interrupted run resumes. Labels have the format of `datasets.generate.blender`. Dice in the photos keep
their labels, including those of other kinds; look-alikes get none.
"""

from __future__ import annotations

import argparse
import multiprocessing
from collections.abc import Sequence
from pathlib import Path

from rich.progress import track

from datasets.generate.composite.files import Task
from datasets.generate.composite.numbered import ALL_KINDS, LIKE_DOMINOES
from datasets.labels import photos


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw the scenes that are still missing, each as `images/K.jpg` with `labels/K.json`."""
    options = _options(arguments)
    sources = tuple(source for source in photos.load(options.photos) if source.shows == "table" and not source.held_out)
    task = Task(options.out, options.seed, sources, LIKE_DOMINOES if options.like_dominoes else ALL_KINDS)
    for folder in ("images", "labels"):
        (options.out / folder).mkdir(parents=True, exist_ok=True)
    todo = [k for k in range(options.count) if not task.label_file(k).exists()]
    # Forked processes hang in OpenCV if their parent has used its threads.
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        for _ in track(pool.imap_unordered(task.make, todo, 8), "scenes", len(todo)):
            pass


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, required=True, help="the folder that holds dice-train, mixed-train, …")
    parser.add_argument("--count", type=int, required=True, help="draw scenes 0 to COUNT - 1")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--like-dominoes",
        action="store_true",
        help="more pip dice that resemble dominoes: two dice pushed together, and dice with shadows as long as themselves",
    )
    parser.add_argument("--processes", type=int, default=2)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
