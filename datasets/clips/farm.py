"""Many clips in several processes: what is missing is made."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from datasets.clips.files import truth_file
from datasets.clips.recipe import Recipe
from datasets.render.farm import hush, trouble_of

RESTARTS = 5
"""How often the processes are started again after one of them crashed."""


@dataclass(frozen=True)
class Farm:
    """Where clips go, and what they are: a story each, or (`finish`) a whole game to so many holes."""

    out: Path
    recipe: Recipe
    finish: int | None = None

    def missing(self, seeds: range) -> list[int]:
        """Those of some seeds that have no truth yet."""
        return [seed for seed in seeds if not truth_file(self.out, seed).exists()]

    def run(self, seeds: list[int], processes: int) -> Iterator[tuple[int, str]]:
        """Film clips in processes of their own; yields each with what went wrong ("" if nothing did) when it is over.

        Blender can crash and takes its process along; then the clips that are left get new processes.

        Raises:
            RuntimeError: Blender keeps crashing.
        """
        left = set(seeds)
        for _ in range(RESTARTS + 1):
            try:
                for seed, trouble in self._once(sorted(left), processes):
                    left.discard(seed)
                    yield seed, trouble
                return
            except BrokenProcessPool:
                continue
        raise RuntimeError(f"Blender crashed {RESTARTS + 1} times; {len(left)} clips are left")

    def _once(self, seeds: list[int], processes: int) -> Iterator[tuple[int, str]]:
        # Blender's memory grows with every table: a process makes a few clips only.
        spawn = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(processes, spawn, initializer=hush, max_tasks_per_child=8) as pool:
            tasks = {pool.submit(make, self, seed): seed for seed in seeds}
            for task in as_completed(tasks):
                yield tasks[task], trouble_of(task)


def make(farm: Farm, seed: int) -> None:
    """Film the clip of a seed."""
    # Blender takes the place of the main module when it is imported: only these processes may.
    from datasets.clips import game, shoot

    if farm.finish is None:
        shoot.shoot(farm.out, farm.recipe, seed)
    else:
        game.film_game(farm.out, farm.recipe, seed, farm.finish)
