"""`python -m datasets.render --recipe datasets/recipes/d6.yaml --count 100 --seed 1 --out runs/renders`.

Scene k has seed `seed * 1_000_000 + k`: the same command gives the same pictures. Pictures that exist are skipped, so
an interrupted run goes on where it stopped; `--share 1/2` renders every second scene, for two processes side by side.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import yaml


def main() -> None:
    """Render the scenes that are still missing, each as `images/K.jpg` with `labels/K.json`."""
    options = _options()
    recipe = yaml.safe_load(options.recipe.read_text())
    mine, of = (int(n) for n in options.share.split("/"))
    scenes = [k for k in range(options.count) if k % of == mine - 1] + options.only
    todo = [k for k in scenes if not _label_file(options.out, options.seed, k).exists()]
    for folder in ("images", "labels"):
        (options.out / folder).mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    for done, k in enumerate(todo, 1):
        _one(options.out, options.seed, k, recipe)
        rate = (time.monotonic() - start) / done
        print(
            f"\r{done}/{len(todo)} scenes, {rate:.1f} s each, {rate * (len(todo) - done) / 60:.0f} min left ",
            end="",
            file=sys.stderr,
        )
    print(file=sys.stderr)


def _options() -> Any:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--recipe", type=Path, required=True)
    parser.add_argument("--count", type=int, default=0, help="render scenes 0 to COUNT - 1")
    parser.add_argument("--only", type=int, nargs="*", default=[], help="render just these scenes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--share", default="1/1", help="K/N: render every Nth scene, beginning with the Kth")
    return parser.parse_args()


def _label_file(out: Path, seed: int, k: int) -> Path:
    return out / "labels" / f"{seed}_{k:06d}.json"


def _one(out: Path, seed: int, k: int, recipe: Any) -> None:
    from datasets.render import scene, shoot

    with _quiet():
        built = scene.build(seed * 1_000_000 + k, recipe)
        pieces = shoot.labels(built)
        image = shoot.render(built, recipe["samples"])
    if recipe.get("spoiled", True):
        image = shoot.spoil(np.random.default_rng(seed * 1_000_000 + k), image)
    target = _label_file(out, seed, k)
    image.save(out / "images" / f"{target.stem}.jpg", quality=92)
    target.write_text(json.dumps({"width": image.width, "height": image.height, "pieces": pieces}))


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Blender writes to the process's own standard output; keep it off the terminal."""
    sys.stdout.flush()
    keep, hole = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(hole, 1)
    try:
        yield
    finally:
        os.dup2(keep, 1)
        os.close(keep)
        os.close(hole)


if __name__ == "__main__":
    main()
