"""Many clips in several processes: what is missing is made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from datasets.generate.blender.farm import in_processes
from datasets.generate.clips.files import truth_file
from datasets.generate.clips.recipe import Recipe

_CLIPS = 8
"""That one process makes."""


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
        """Film clips; yields each with what went wrong ("" if nothing did) when it is over.

        Raises:
            RuntimeError: Blender keeps crashing.
        """
        yield from in_processes(partial(make, self), seeds, processes, _CLIPS)


def make(farm: Farm, seed: int) -> None:
    """Film the clip of a seed."""
    # Blender takes the place of the main module when it is imported: only these processes may.
    from datasets.generate.clips import game, shoot

    if farm.finish is None:
        shoot.shoot(farm.out, farm.recipe, seed)
    else:
        game.film_game(farm.out, farm.recipe, seed, farm.finish)
