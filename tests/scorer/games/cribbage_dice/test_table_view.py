"""RULINGS, "What a photo means in a game", for Cribbage Dice."""

from typing import Any

import pytest

from scorer.engine.game import Move, Seen, Unclear
from scorer.games.cribbage_dice.game import CribbageDice
from scorer.games.cribbage_dice.rules import Rules
from scorer.games.cribbage_dice.state import State
from scorer.pieces.tiles import Tile

GAME = CribbageDice()
FIRST = "throw 5 4 10 10 11"


def after(text: str, **options: Any) -> State:
    state = GAME.start(Rules(**{"opening_roll": False, **options}), 2)
    for move in filter(None, text.split("|")):
        state = GAME.apply(state, Move.parse(move)).state
    return state


def seen(state: State, *dice: int, starter: int | None = None) -> list[str]:
    return [str(move) for move in GAME.recognise(state, Seen(dice, starter))]


def doubt(state: State, *dice: int, starter: int | None = None) -> Unclear:
    with pytest.raises(Unclear) as unclear:
        GAME.recognise(state, Seen(dice, starter))
    return unclear.value


def confirmed(trouble: Unclear) -> list[str]:
    return [str(move) for move in trouble.moves]


def test_one_die_in_the_opening_and_in_a_roll_off() -> None:
    assert seen(after("", opening_roll=True), 12) == ["opening 12"]
    assert doubt(after("", opening_roll=True), 12, 3).code == "wrong-count"
    tied = after(f"{FIRST}|stop|{FIRST}|stop", round_limit=1, tie="roll_off")
    assert seen(tied, 7, starter=7) == ["roll-off 7"]


def test_first_throw_names_the_starter_first() -> None:
    assert seen(after(""), 11, 10, 5, 4, 10, starter=10) == ["throw 10 4 5 10 11"]
    assert seen(after("", seven_dice=True), 1, 7, 6, 5, 4, 3, 2, starter=4) == ["throw 4 1 2 3 5 6 7"]


def test_first_throw_asks_for_the_starter() -> None:
    trouble = doubt(after(""), 11, 10, 5, 4, 10)
    assert trouble.code == "starter-unknown"
    assert "Which die is the starter?" in trouble.message
    assert "4, 5, 10, and 11" in trouble.message
    assert seen(after(""), 7, 7, 7, 7, 7) == ["throw 7 7 7 7 7"]


@pytest.mark.parametrize(
    ("dice", "starter", "code"),
    [
        ((), None, "wrong-count"),
        ((1, 2, 3, 4), 1, "wrong-count"),
        ((1, 2, 3, 4, 5, 6, 7), 1, "wrong-count"),
        ((1, 2, 3, 4, 13), 1, "value-out-of-range"),
        ((1, 2, 3, 4, 5), 6, "starter-not-there"),
    ],
)
def test_first_throw_doubts(dice: tuple[int, ...], starter: int | None, code: str) -> None:
    assert doubt(after(""), *dice, starter=starter).code == code


def test_after_a_keep_the_thrown_dice_or_all_dice() -> None:
    state = after(f"{FIRST}|keep 10 11")
    assert seen(state, 9, 1) == ["throw 1 9"]
    assert seen(state, 9, 11, 5, 10, 1, starter=5) == ["throw 1 9"]
    assert seen(state, 9, 11, 5, 10, 1) == ["throw 1 9"]
    assert seen(state, 5, 11, 5, 10, 10, starter=5) == ["throw 5 10"]


def test_after_a_keep_doubts() -> None:
    state = after(f"{FIRST}|keep 10 11")
    trouble = doubt(state, 1, 2, 3)
    assert trouble.code == "wrong-count"
    assert "2 dice thrown must lie alone, or all 5" in trouble.message
    assert doubt(state, 5, 10, 10, 1, 2, starter=5).code == "set-aside-not-there"
    assert doubt(state, 6, 10, 11, 1, 2).code == "starter-changed"
    assert confirmed(doubt(state, 5, 10, 11, 1, 2, starter=1)) == ["throw 1 2"]
    alone = doubt(state, 5, 2, starter=5)
    assert (alone.code, confirmed(alone)) == ("starter-thrown", ["throw 2 5"])
    assert doubt(state, 5, 14).code == "value-out-of-range"


def test_unsaid_keep_cannot_matter_without_once_kept() -> None:
    state = after(FIRST)
    assert seen(state, 5, 10, 7, 10, 11, starter=5) == ["keep 10 10 11", "throw 7"]
    assert seen(state, 5, 10, 10, 10, 11) == ["keep 10 10 11", "throw 10"]
    assert seen(state, 1, 2, 3, 6, 5, starter=5) == ["keep", "throw 1 2 3 6"]


def test_the_starter_may_not_change() -> None:
    state = after(FIRST)
    trouble = doubt(state, 7, 4, 10, 10, 11, starter=7)
    assert (trouble.code, confirmed(trouble)) == ("starter-changed", [])
    assert "showed 5" in trouble.message
    # There is a 5: perhaps the camera took another die for the starter.
    trouble = doubt(state, 7, 5, 10, 10, 11, starter=7)
    assert (trouble.code, confirmed(trouble)) == ("starter-changed", ["keep 10 10 11", "throw 7"])


def test_the_same_dice_may_not_have_been_thrown() -> None:
    trouble = doubt(after(FIRST), 11, 10, 10, 5, 4, starter=5)
    assert trouble.code == "nothing-thrown"
    assert confirmed(trouble) == ["keep 4 10 10", "throw 11"]
    assert trouble.message.endswith("If they were thrown, confirm it, or say what you kept.")
    trouble = doubt(after(FIRST, once_kept=True), 11, 10, 10, 5, 4, starter=5)
    assert (trouble.code, confirmed(trouble)) == ("nothing-thrown", [])
    assert trouble.message.endswith("If they were thrown, say what you kept.")
    # The same five values, though another die was taken for the starter.
    trouble = doubt(after(FIRST), 5, 4, 10, 10, 11, starter=4)
    assert (trouble.code, confirmed(trouble)) == ("nothing-thrown", ["keep 4 10 10", "throw 11"])


def test_with_once_kept_what_was_kept_is_asked() -> None:
    state = after(FIRST, once_kept=True)
    trouble = doubt(state, 5, 7, 10, 10, 11, starter=5)
    assert trouble.code == "choice-first"
    assert "10-10-11 or 10-10 or" in trouble.message
    assert seen(state, 5, 1, 2, 3, 6, starter=5) == ["keep", "throw 1 2 3 6"]


def test_with_once_kept_the_last_keep_cannot_matter() -> None:
    state = after(f"{FIRST}|keep 10|throw 1 2 3", once_kept=True)
    assert seen(state, 5, 10, 1, 2, 4, starter=5) == ["keep 1 2 10", "throw 4"]
    assert doubt(state, 5, 9, 1, 2, 4, starter=5).code == "set-aside-not-there"


def test_some_dice_without_a_keep_ask_for_it() -> None:
    assert doubt(after(FIRST), 7).code == "choice-first"
    assert doubt(after(FIRST), 7, 8, 9, 1).code == "choice-first"
    assert doubt(after(FIRST)).code == "wrong-count"
    assert doubt(after(FIRST), 1, 2, 3, 4, 5, 6).code == "wrong-count"


def test_a_discard_is_asked_and_never_guessed() -> None:
    state = after("throw 1 2 5 5 5 5 11|stop", seven_dice=True)
    assert doubt(state, 1, 5, 5, 5, 5).code == "choice-first"
    assert doubt(state, 1, 2, 5, 5, 5, 5, 11).code == "choice-first"


def test_no_picture_counts_when_it_is_over_and_no_tile_ever() -> None:
    assert doubt(after("throw 5 5 5 5 5|stop", target=40), 1, 2, 3, 4, 5).code == "game-over"
    with pytest.raises(Unclear, match="no tiles"):
        GAME.recognise(after(""), Seen((1, 2, 3, 4, 5), 1, (Tile.parse("3-0"),)))
