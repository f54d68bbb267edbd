"""Turns a reading into what a game's referee takes."""

from __future__ import annotations

from api.interpret.selection import select
from scorer.engine.game import Seen
from scorer.pieces.tiles import Tile
from vision.reading import Reading


def seen_from_reading(reading: Reading, game: str) -> Seen:
    """The pieces of a reading as the game's referee takes them.

    Args:
        reading: of the table.
        game: one of `scorer.games.registry.GAMES`.

    Raises:
        ValueError: a tile does not belong to the game's set.
    """
    selection = select(reading, game)
    if selection.source == "tiles":
        return Seen(tiles=tuple(Tile.parse(str(name)) for name in selection.values))
    dice = [reading.dice[place] for place in selection.places]
    return Seen(tuple(die.value for die in dice), next((die.value for die in dice if die.starter), None))
