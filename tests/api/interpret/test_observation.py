"""What a reading says to the referee: which tiles touch, from how they lie."""

from __future__ import annotations

import pytest

from api.interpret.observation import seen_from_reading
from api.interpret.rulings import of_reading
from scorer.engine.game import Move
from scorer.engine.record import Header, Record
from scorer.games.muggins.rules import Rules
from scorer.pieces.tiles import Tile
from tests.api.table import reading, tile
from vision.reading import Tile as ReadTile

LINE = (tile("4-6", 0, 0), tile("6-5", 20, 0), tile("5-4", 40, 0))
"""4-6, 6-5, 5-4 in a row; beside it goes what has a 4, at either end."""


def played(*moves: str) -> Record:
    rules = Rules(lead="first_player", spinner="none")
    record = Record.begin(Header("muggins", rules, ("Ann", "Ben"), "2026-11-21"))
    for move in moves:
        record = record.play(Move.parse(move))
    return record


def layout() -> Record:
    """The tiles of `LINE` and a double at its right end, so that the two ends count differently."""
    return played("play 6-4", "play 6-5 6-4", "play 5-4 6-5", "play 4-4 5-4")


DOUBLE = tile("4-4", 55, 0, upright=True)


def touching(*tiles: ReadTile) -> set[frozenset[str]]:
    return {frozenset(map(str, pair)) for pair in seen_from_reading(reading(*tiles), "muggins").touching}


def test_tiles_whose_ends_are_alike_and_lie_together_touch() -> None:
    assert touching(*LINE, DOUBLE) == {
        frozenset(("6-4", "6-5")),
        frozenset(("6-5", "5-4")),
        frozenset(("5-4", "4-4")),
    }


def test_tiles_that_lie_apart_do_not_touch() -> None:
    assert touching(tile("4-6", 0, 0), tile("6-5", 60, 0)) == set()


def test_ends_that_differ_do_not_touch() -> None:
    assert touching(tile("4-6", 0, 0), tile("5-4", 20, 0)) == set()


@pytest.mark.parametrize(
    ("laid", "move"),
    [(tile("1-4", -20, 0), "play 4-1 6-4"), (tile("4-1", 70, 0), "play 4-1 4-4")],
)
def test_a_photo_of_the_layout_tells_at_which_end_a_tile_was_laid(laid: ReadTile, move: str) -> None:
    verdict = of_reading(layout(), reading(*LINE, DOUBLE, laid))
    assert (verdict.outcome, [str(each) for each in verdict.moves]) == ("played", [move])


def test_a_tile_that_lies_apart_is_asked_for_its_end() -> None:
    verdict = of_reading(layout(), reading(*LINE, DOUBLE, tile("4-1", 0, 60)))
    assert verdict.doubt is not None
    assert verdict.doubt.code == "which-end"


def test_a_layout_that_does_not_lie_as_it_was_played_tells_no_end() -> None:
    # The double lies at the left, where nobody played it: what the new tile touches is not believed either.
    moved = tile("4-4", -15, 0, upright=True)
    verdict = of_reading(layout(), reading(*LINE, moved, tile("4-1", 60, 0)))
    assert verdict.doubt is not None
    assert verdict.doubt.code == "which-end"


def test_tiles_of_the_reading_are_those_of_the_set() -> None:
    seen = seen_from_reading(reading(*LINE), "muggins")
    assert seen.tiles == tuple(map(Tile.parse, ("6-4", "6-5", "5-4")))
