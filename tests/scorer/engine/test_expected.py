"""What a photo of the table should show: asked of the game before the photo is read."""

from __future__ import annotations

import json
from random import Random

import pytest

from scorer.engine.expected import Expected, pieces
from scorer.engine.game import Move
from scorer.games.registry import GAMES, game_named
from tests.scorer.randomly import pictures, random_setting, steps


@pytest.mark.parametrize("name", GAMES)
def test_every_picture_of_a_legal_move_shows_as_many_pieces_as_expected(name: str) -> None:
    random = Random(name)
    for _ in range(20):
        setting = random_setting(GAMES[name], random)
        for state, move, _ in steps(setting, random):
            expected = setting.game.on_table(state)
            assert expected.kinds == setting.game.pieces.kinds
            assert expected.at_most is not None
            for seen in pictures(setting, state, move):
                count = len(seen.dice) + len(seen.tiles)
                assert count in expected.counts
                assert count <= expected.at_most


@pytest.mark.parametrize(
    ("name", "moves", "counts", "count"),
    [
        ("crib-dice", [], {2}, 2),
        ("crib-dice", ["opening 3 4", "opening 1 2"], {7}, 7),
        ("crib-dice", ["opening 3 4", "opening 1 2", "throw 1 2 2 4 5 5 6", "point 5"], {5, 7}, None),
        ("farkle-crib", ["opening 3 4", "opening 1 2"], {6}, 6),
        ("farkle-crib", ["opening 3 4", "opening 1 2", "throw 1 2 2 4 4 6", "keep 1"], {5, 6}, None),
        ("cribbage-dice", ["opening 3", "opening 1"], {5}, 5),
        ("cribbage-dice", ["opening 3", "opening 1", "throw 5 1 2 3 10", "keep 10"], {3, 5}, None),
        ("domino-cribbage", ["opening 5-3", "opening 1-0"], {6}, 6),
    ],
)
def test_how_many_pieces_lie_there(name: str, moves: list[str], counts: set[int], count: int | None) -> None:
    game = game_named(name)
    state = game.start(game.rules(), 2)
    for move in moves:
        state = game.apply(state, Move.parse(move)).state
    expected = game.on_table(state)
    assert (expected.counts, expected.count, expected.at_most) == (counts, count, max(counts))


def test_any_number_of_pieces_fits_where_nobody_can_say() -> None:
    expected = pieces("d6", at_most=7)
    assert expected.looked_for == {"d6"}
    assert (expected.kinds, expected.count, expected.at_most) == ({"d6"}, None, 7)
    assert expected.showing(()) == expected
    assert expected.showing({0, 3}).count == 3


def test_what_is_told_to_another_process_arrives_there():
    expected = pieces("d12", at_most=7, substitutes=("d6",)).showing({5, 7})
    assert Expected.from_json(json.loads(json.dumps(expected.to_json()))) == expected
    assert (expected.kinds, expected.looked_for) == ({"d12"}, {"d12", "d6"})
