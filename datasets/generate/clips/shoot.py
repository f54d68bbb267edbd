"""Films one clip: `OUT/NNNN.mp4` and, last, the ground truth in `OUT/NNNN.json`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from datasets.generate.camera.webcam import Sensor
from datasets.generate.clips.files import truth_file, write
from datasets.generate.clips.recipe import Recipe
from datasets.generate.clips.recording.film import Film
from datasets.generate.clips.recording.video import Video
from datasets.generate.clips.stage import hand_model
from datasets.generate.clips.stage.director import Director, UnplayableError
from datasets.generate.clips.stage.story import CALM, Step, story
from datasets.generate.clips.stage.table import lay

_TRIES = 8
_FEWEST = 2
"""Least throws for a clip to be kept."""


def shoot(out: Path, recipe: Recipe, seed: int) -> None:
    """Film the clip of a seed. If its table allows no fair throw, the seed lays another.

    Raises:
        UnplayableError: no table allows one.
    """
    for attempt in range(_TRIES):
        try:
            return _shoot(out, recipe, seed, np.random.default_rng([seed, attempt]))
        except UnplayableError as error:
            trouble = error
    raise trouble


def _shoot(out: Path, recipe: Recipe, seed: int, rng: np.random.Generator) -> None:
    sprites = hand_model.sprites(out / "hands")
    sizes, rates = recipe["table"]["sizes"], recipe["rates"]
    size, fps = tuple(sizes[rng.integers(len(sizes))]), int(rates[rng.integers(len(rates))])
    count = int(rng.integers(recipe["dice"][0], recipe["dice"][1] + 1))
    table = lay(rng, recipe, count, size)
    steps = story(rng, len(table.dice), int(rng.integers(recipe["throws"][0], recipe["throws"][1] + 1)))
    film = Film(table.scene, table.dice, (recipe["table"]["samples"], recipe["samples_moving"]))
    video = out / f"{seed:04d}.mp4"
    with Video(video, fps, size, crf=int(rng.integers(21, 30))) as file:
        director = Director(rng, table, film, Sensor(rng, fps, film.canvas), fps, sprites, file.add)
        _act(director, steps)
    told = director.truth.told(video.name, fps, director.frames, size, seed)
    write(truth_file(out, seed), json.dumps(told, indent=1))


def _act(director: Director, steps: list[Step]) -> None:
    """Act all steps; or as many as the table allows, if those include two throws or more."""
    for step in steps:
        try:
            director.play(step)
        except UnplayableError:
            if director.truth.rolls < _FEWEST:
                raise
            director.play(Step("rest", seconds=CALM))
            return
