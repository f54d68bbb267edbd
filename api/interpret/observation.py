"""A reading as what the referee of a game is asked about."""

from __future__ import annotations

from api.interpret.selection import take
from scorer.engine.game import Seen
from scorer.pieces.tiles import Tile
from vision.reading import Reading


def seen_of(reading: Reading, game: str) -> Seen:
    """What the reading shows, as the game's referee is asked about it.

    Args:
        reading: of a photo of the table.
        game: one of `scorer.games.registry.GAMES`.

    Raises:
        ValueError: a tile lies there that is none of the game's set.
    """
    taken = take(reading, game)
    if taken.source == "tiles":
        return Seen(tiles=tuple(Tile.parse(str(name)) for name in taken.values))
    dice = [reading.dice[place] for place in taken.places]
    return Seen(tuple(die.value for die in dice), next((die.value for die in dice if die.starter), None))
