"""Completes a selection with what else the photo shows, as the game asks: the starter by its colour, open ends."""

from __future__ import annotations

from dataclasses import replace

from api.interpret.selection import Selection, select
from scorer.engine.options import GameRules
from scorer.engine.photographed import Completed, Layout, Photographed
from scorer.engine.worth import Piece
from scorer.games.registry import SCORED
from vision.domino_layout import layout_of
from vision.reading import Reading


def complete(reading: Reading, game: str, rules: GameRules, starter: Piece | None) -> Selection:
    """The pieces of a game, with everything else the photo tells it.

    Args:
        reading: of the photo.
        game: one of `scorer.games.scoring.photographed()`.
        rules: of the game.
        starter: as named by the player; it overrides the photo.
    """
    selection = select(reading, game)
    found = SCORED[game].complete(_photographed(reading, selection, game), rules, starter)
    return _completed(selection, found)


def _photographed(reading: Reading, selection: Selection, game: str) -> Photographed:
    if selection.source == "tiles":
        return Photographed(selection.values, selection.places, own_kind=True, layout=_layout(reading, selection))
    dice = [reading.dice[place] for place in selection.places]
    own_kind = all(die.kind == SCORED[game].kind for die in dice)
    odd = next((die.value for die in reading.dice if die.starter), None)
    return Photographed(selection.values, selection.places, own_kind, odd)


def _layout(reading: Reading, selection: Selection) -> Layout:
    found = layout_of([reading.tiles[place] for place in selection.places])
    return Layout(found.joined, found.lines, tuple((touch.tile, touch.other) for touch in found.clashes))


def _completed(selection: Selection, found: Completed) -> Selection:
    noted = selection.noting(*found.notes, *found.checks)
    completed = replace(noted, options=found.options, refused=found.refused, sure=not found.checks)
    for at in found.apart:
        beside = completed if at is None else completed.without(at)
        completed = replace(beside, starter_at=(None if at is None else selection.places[at],))
    return completed
