"""Converts a reading to the observation that a game's referee takes."""

from __future__ import annotations

from api.interpret.selection import Selection, select
from scorer.engine.game import Seen
from scorer.pieces.tiles import Tile
from vision.domino_layout import layout_of
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
        tiles = tuple(Tile.parse(str(name)) for name in selection.values)
        return Seen(tiles=tiles, touching=_touching(reading, selection, tiles))
    dice = [reading.dice[place] for place in selection.places]
    return Seen(tuple(die.value for die in dice), next((die.value for die in dice if die.starter), None))


def _touching(reading: Reading, selection: Selection, tiles: tuple[Tile, ...]) -> tuple[tuple[Tile, Tile], ...]:
    """The pairs of tiles that touch with equal ends; unequal ends are close by accident, or misread."""
    found = layout_of([reading.tiles[place] for place in selection.places])
    alike = (touch for touch in found.touches if touch not in found.clashes)
    return tuple((tiles[touch.tile], tiles[touch.other]) for touch in alike)
