"""Makes many clips in several processes, only missing ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from datasets.generate.blender.farm import in_processes
from datasets.generate.clips.files import truth_file
from datasets.generate.clips.recipe import Recipe

_CLIPS = 8
"""Clips made by one process before it is replaced."""


@dataclass(frozen=True)
class Farm:
    """The output folder of clips, and their content: a story each, or (`finish`) a whole game to this many holes."""

    out: Path
    recipe: Recipe
    finish: int | None = None

    def missing(self, seeds: range) -> list[int]:
        """The seeds that have no ground truth yet."""
        return [seed for seed in seeds if not truth_file(self.out, seed).exists()]

    def run(self, seeds: list[int], processes: int) -> Iterator[tuple[int, str]]:
        """Film clips; yields each finished one with its error ("" if it succeeded).

        Raises:
            RuntimeError: Blender keeps crashing.
        """
        yield from in_processes(partial(make, self), seeds, processes, _CLIPS)


def make(farm: Farm, seed: int) -> None:
    """Film the clip of a seed."""
    # Importing Blender replaces the main module: only these processes may import it.
    from datasets.generate.clips import game, shoot

    if farm.finish is None:
        shoot.shoot(farm.out, farm.recipe, seed)
    else:
        game.film_game(farm.out, farm.recipe, seed, farm.finish)
