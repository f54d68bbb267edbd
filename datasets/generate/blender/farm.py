"""Makes many scenes in several processes: only missing ones, and each file atomically."""

from __future__ import annotations

import json
import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import yaml

from datasets.generate.blender.recipe import Recipe, RecipeError

RESTARTS = 5
"""How often the processes are restarted after a crash."""
_SCENES = 100
"""Scenes made by one process before it is replaced."""


@dataclass(frozen=True)
class Farm:
    """The output of the scenes of one seed and recipe: `out/images/SEED_K.jpg` and `out/labels/SEED_K.json`.

    `raw`: keep each picture also as rendered, before lens and sensor, in `out/raw`.
    """

    out: Path
    seed: int
    recipe: Recipe
    raw: bool = False

    def label_file(self, k: int) -> Path:
        """The label of scene k, whether it exists or not."""
        return self.out / "labels" / f"{self.seed}_{k:06d}.json"

    def lay_out(self) -> None:
        """Make the folders, and store the recipe beside the pictures, so that scenes of different recipes never mix.

        Raises:
            RecipeError: the folder holds scenes of another recipe.
            OSError: the folder cannot be written to.
        """
        for folder in ("images", "labels", *(["raw"] if self.raw else [])):
            (self.out / folder).mkdir(parents=True, exist_ok=True)
        kept, text = self.out / "recipe.yaml", yaml.safe_dump(self.recipe)
        if kept.exists() and kept.read_text() != text:
            raise RecipeError(f"{self.out} holds scenes of another recipe ({kept}); choose another --out")
        _write(kept, text.encode())

    def missing(self, scenes: list[int]) -> list[int]:
        """The scenes among these that have no label yet."""
        return [k for k in scenes if not self.label_file(k).exists()]

    def run(self, scenes: list[int], processes: int) -> Iterator[tuple[int, str]]:
        """Make scenes; yields each finished one with its error ("" if it succeeded).

        Raises:
            RuntimeError: Blender keeps crashing.
        """
        # With several processes, each uses one core.
        job = partial(make, self, threads=1 if min(processes, len(scenes)) > 1 else 0)
        yield from in_processes(job, scenes, processes, _SCENES)


def make(farm: Farm, k: int, threads: int = 0) -> None:
    """Render scene k and write its picture and, last, its label; `threads` 0: one for each core."""
    from datasets.generate.blender import scene, shoot, world
    from datasets.generate.camera.renders import as_jpeg, degrade

    number = farm.seed * 1_000_000 + k
    built = scene.build(number, farm.recipe)
    world.finish(built)
    pieces = shoot.labels(built)
    image = shoot.render(built, farm.recipe["samples"], threads)
    label = farm.label_file(k)
    if farm.raw:
        _write(farm.out / "raw" / f"{label.stem}.jpg", as_jpeg(image, 92))
    if farm.recipe["degraded"]:
        image = degrade(np.random.default_rng(number), image)
    _write(farm.out / "images" / f"{label.stem}.jpg", as_jpeg(image, 92))
    _write(label, json.dumps({"width": image.width, "height": image.height, "pieces": pieces}).encode())


def in_processes(
    job: Callable[[int], None], numbers: Sequence[int], processes: int, many: int
) -> Iterator[tuple[int, str]]:
    """Do a job for each number in separate processes, which are replaced after `many` jobs each.

    Blender's memory grows with everything it makes. It can crash and take its process down; then the remaining numbers
    get new processes. Yields each finished number with its error ("" if it succeeded).

    Raises:
        RuntimeError: Blender keeps crashing.
    """
    left, crashes = sorted(numbers), 0
    while left:
        try:
            for number, trouble in _once(job, left[: many * processes], min(processes, len(left))):
                left.remove(number)
                yield number, trouble
        except BrokenProcessPool:
            crashes += 1
            if crashes > RESTARTS:
                raise RuntimeError(f"Blender crashed {crashes} times; {len(left)} are left") from None


def _once(job: Callable[[int], None], numbers: list[int], processes: int) -> Iterator[tuple[int, str]]:
    # Not max_tasks_per_child: with it the pool of Python 3.11 hangs once its last process has reached its limit.
    pool = ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), initializer=hush)
    try:
        tasks = {pool.submit(job, number): number for number in numbers}
        for task in as_completed(tasks):
            yield tasks[task], trouble_of(task)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def trouble_of(task: Future[None]) -> str:
    """A task's error as text; empty if it succeeded.

    Raises:
        BrokenProcessPool: the process is gone, and with it the pool.
    """
    error = task.exception()
    if isinstance(error, BrokenProcessPool):
        raise error
    return f"{type(error).__name__}: {error}" if error else ""


def hush() -> None:
    """Blender writes to the process's own standard output; keep it off the terminal."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _write(target: Path, content: bytes) -> None:
    """Write atomically: under another name first."""
    unfinished = target.with_name(f"{target.name}.{os.getpid()}.part")
    unfinished.write_bytes(content)
    unfinished.replace(target)
