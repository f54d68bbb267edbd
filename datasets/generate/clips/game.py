"""Films a whole game of Crib Dice: `OUT/NNNN.mp4` with sound, the ground truth, and the record of the game.

Physics decides the dice values. A hand sets frozen dice aside, and they lie still while the others are thrown. The
film compresses well: one plain table seen from above, with little noise.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from datasets.generate.camera.webcam import Sensor
from datasets.generate.clips.files import truth_file, write
from datasets.generate.clips.recipe import Recipe
from datasets.generate.clips.recording.film import Film
from datasets.generate.clips.recording.sound import clatter
from datasets.generate.clips.recording.video import RATE, Video
from datasets.generate.clips.stage import hand_model, play
from datasets.generate.clips.stage.director import Director, UnplayableError
from datasets.generate.clips.stage.story import CALM, Step
from datasets.generate.clips.stage.table import lay
from scorer.games.crib_dice.throws import DICE

FPS, SIZE, CRF, GRAIN = 15, (480, 360), 30, 0.002
_QUIET = {
    "kinds": {"d6": 1.0},
    "materials": "plain",
    "look_alikes": 0.0,
    "tray": 0.0,
    "die_width": [0.055, 0.06],
    "lowest_view_degrees": 74,
}
_TRIES = 8


def film_game(out: Path, recipe: Recipe, seed: int, finish: int) -> None:
    """Film the game of a seed to a finish of this many holes. If its table allows no fair throw, the seed lays another.

    Raises:
        UnplayableError: no table allows one.
    """
    quiet = {**recipe, "fancy": 0.0, "table": {**recipe["table"], **_QUIET}}
    for attempt in range(_TRIES):
        try:
            return _film(out, quiet, seed, finish, np.random.default_rng([seed, attempt]))
        except UnplayableError as error:
            trouble = error
    raise trouble


def _film(out: Path, recipe: Recipe, seed: int, finish: int, rng: np.random.Generator) -> None:
    sprites = hand_model.sprites(out / "hands")
    table = lay(rng, recipe, DICE, SIZE)
    film = Film(table.scene, table.dice, (recipe["table"]["samples"], recipe["samples_moving"]))
    name = out / f"{seed:04d}.mp4"
    with Video(name, FPS, SIZE, CRF, sound=True) as file:
        director = Director(rng, table, film, Sensor(rng, FPS, film.canvas, GRAIN), FPS, sprites, file.add)
        player = Player(director)
        *_, record = play.played(play.game(finish), player.cast, player.set_aside)
        director.play(Step("rest", seconds=1.2))
        file.hear(clatter(rng, director.hits, director.frames / FPS, RATE))
    write(out / f"{seed:04d}.game.jsonl", record.text)
    told = director.truth.told(name.name, FPS, director.frames, SIZE, seed)
    write(truth_file(out, seed), json.dumps(told, indent=1))


class Player:
    """Moves the dice for both players."""

    def __init__(self, director: Director) -> None:
        """Start with an empty table."""
        self._director = director

    def cast(self, dice: play.Dice) -> Mapping[int, int]:
        """Pick these dice up, throw them, and let them lie for a while; returns their values."""
        lying = tuple(die for die in dice if die in self._director.on_table)
        if lying:
            self._director.play(Step("pick-up", lying))
        self._director.play(Step("rest", seconds=0.3))
        self._director.play(Step("throw", dice))
        self._director.play(Step("rest", seconds=CALM + 0.2))
        return self._director.shown(dice)

    def set_aside(self, dice: play.Dice) -> None:
        """Set frozen dice aside."""
        self._director.play(Step("set-aside", dice))
        self._director.play(Step("rest", seconds=0.3))
