"""RULINGS, "What a photo means in a game"."""

import pytest

from scorer.engine.game import Move, Seen, Unclear
from scorer.games.farkle_crib.state import State
from scorer.pieces.tiles import Tile
from tests.scorer.games.farkle_crib.table import GAME, play, table, turn

ONE_AND_5_ASIDE = play(table(0, 0), "throw 1 2 3 4 5 6", "keep 1 5")


def seen(state: State, *dice: int) -> str:
    (move,) = GAME.recognise(state, Seen(dice))
    return str(move)


def doubt(state: State, *dice: int) -> str:
    with pytest.raises(Unclear) as unclear:
        GAME.recognise(state, Seen(dice))
    assert unclear.value.moves == ()
    return unclear.value.code


def test_an_opening_and_a_roll_off_are_two_dice() -> None:
    opening = GAME.start(GAME.rules(), 2)
    roll_off = turn(turn(table(120, 119, tie="roll_off"), 1), 2)
    assert (seen(opening, 4, 3), seen(roll_off, 6, 1)) == ("opening 3 4", "roll-off 1 6")
    assert (doubt(opening, 4), doubt(roll_off, 1, 2, 3)) == ("wrong-count", "wrong-count")


def test_a_turn_begins_with_six_dice() -> None:
    assert seen(table(0, 0), 6, 1, 2, 3, 3, 3) == "throw 1 2 3 3 3 6"
    assert [doubt(table(0, 0), *dice) for dice in ((), (1, 2, 3), (1,) * 7)] == ["wrong-count"] * 3


def test_the_thrown_dice_alone_or_all_six() -> None:
    assert seen(ONE_AND_5_ASIDE, 6, 5, 1, 2) == "throw 1 2 5 6"
    assert seen(ONE_AND_5_ASIDE, 5, 6, 5, 1, 1, 2) == "throw 1 2 5 6"


def test_neither_fits() -> None:
    assert doubt(ONE_AND_5_ASIDE, 1, 2, 3) == "wrong-count"
    assert doubt(ONE_AND_5_ASIDE, 1, 2, 3, 4, 6) == "wrong-count"
    assert doubt(ONE_AND_5_ASIDE, 1, 2, 3, 4, 6, 6) == "set-aside-not-there"
    assert doubt(ONE_AND_5_ASIDE, 1, 2, 3, 7) == "value-out-of-range"


def test_hot_dice_are_all_six_thrown_afresh() -> None:
    hot = play(table(0, 0), "throw 1 1 1 5 5 5", "keep 1 1 1 5 5 5")
    assert seen(hot, 2, 2, 3, 3, 4, 6) == "throw 2 2 3 3 4 6"
    assert doubt(hot, 2, 2, 3) == "wrong-count"


def test_which_dice_to_set_aside_is_asked_never_guessed() -> None:
    assert doubt(play(table(0, 0), "throw 1 2 3 4 5 6"), 2, 3, 4, 6) == "choice-first"


def test_after_the_end_nothing_is_seen() -> None:
    assert doubt(turn(table(120, 0, final_turns="at_once"), 1), 1, 2, 3, 4, 5, 6) == "game-over"


def test_dominoes_are_a_doubt_that_a_person_may_confirm() -> None:
    with pytest.raises(Unclear) as unclear:
        GAME.recognise(table(0, 0), Seen((1, 2, 3, 4, 5, 6), tiles=(Tile(3, 0),)))
    assert unclear.value.moves == (Move.parse("throw 1 2 3 4 5 6"),)
