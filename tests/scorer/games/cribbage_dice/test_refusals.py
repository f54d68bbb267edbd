"""Every illegal move is refused with its reason and the rule it breaks, and the state stays."""

from typing import Any

import pytest

from scorer.engine.game import Move
from scorer.errors import IllegalMove
from scorer.games.cribbage_dice.game import CribbageDice
from scorer.games.cribbage_dice.rules import Rules
from scorer.games.cribbage_dice.state import State

GAME = CribbageDice()
FIVE = "throw 6 3 6 11 12"
SEVEN = "throw 1 2 5 5 5 5 11"


def after(text: str, **options: Any) -> State:
    state = GAME.start(Rules(**{"opening_roll": False, **options}), 2)
    for move in filter(None, text.split("|")):
        state = GAME.apply(state, Move.parse(move)).state
    return state


@pytest.mark.parametrize(
    ("before", "move", "code", "words", "options"),
    [
        ("", "opening 13", "value-out-of-range", "13", {"opening_roll": True}),
        ("", "opening 3 4", "wrong-count", "1 die, but 2 dice", {"opening_roll": True}),
        ("", "throw 1 2 3 4 5", "not-now", "Due now: roll one die", {"opening_roll": True}),
        ("", "opening 3", "not-now", "throw", {}),
        ("", "hello", "not-now", "'hello' is not a move here. Due now: throw all five dice", {}),
        ("", "throw 1 2 3 4", "wrong-count", "5 dice, but 4 dice", {}),
        ("", "throw 1 2 3 4 5 6 7", "wrong-count", "5 dice, but 7 dice", {}),
        ("", "throw 1 2 3 4 5", "wrong-count", "7 dice, but 5 dice", {"seven_dice": True}),
        ("", "throw 1 2 3 4 0", "value-out-of-range", "1 to 12", {}),
        ("", "throw 9 4 3 2 1", "unsorted", "9 1 2 3 4", {}),
        ("", "throw 1 2 3 4 3-3", "tiles-named", "no tiles", {}),
        (FIVE, "throw 1 2 3", "keep-first", "keep 10 10", {}),
        (FIVE, "discard 6 6", "not-now", "Due now: stop, or keep some dice", {}),
        (FIVE, "stop 6", "dice-named", "6", {}),
        (FIVE, "keep 6 6", "not-there", "starter stays", {}),
        (FIVE, "keep 3 6 11 12", "all-kept", "stop", {}),
        (FIVE, "keep 12 3", "unsorted", "3 12", {}),
        (f"{FIVE}|keep 6", "stop", "not-now", "throw", {}),
        (f"{FIVE}|keep 6", "throw 1 2 3 4", "wrong-count", "3 dice, but 4 dice", {}),
        (f"{FIVE}|keep 6", "throw 3 2 1", "unsorted", "1 2 3", {}),
        (f"{FIVE}|keep 6|throw 5 10 10", "keep 5 10 10", "once-kept", "stays kept", {"once_kept": True}),
        (f"{SEVEN}|stop", "discard 2", "wrong-count", "1 die", {"seven_dice": True}),
        (f"{SEVEN}|stop", "discard 2 3", "not-there", "3 among", {"seven_dice": True}),
        (f"{SEVEN}|stop", "discard 1 2", "starter-stays", "the other dice, 2-5-5-5-5-11.", {"seven_dice": True}),
        ("throw 1 1 5 5 5 5 11|stop", "discard 1 1", "starter-stays", "the other dice, 1-5", {"seven_dice": True}),
        (f"{SEVEN}|stop", "discard 11 2", "unsorted", "2 11", {"seven_dice": True}),
        (f"{SEVEN}|stop", "keep 5 5", "not-now", "discard", {"seven_dice": True}),
        ("throw 5 5 5 5 5|stop", "throw 1 2 3 4 5", "game-over", "start another", {"target": 40}),
    ],
)
def test_illegal_moves(before: str, move: str, code: str, words: str, options: dict[str, Any]) -> None:
    state = after(before, **options)
    with pytest.raises(IllegalMove) as refused:
        GAME.apply(state, Move.parse(move))
    assert refused.value.code == code
    assert words in refused.value.message
    assert refused.value.rule
    assert state == after(before, **options)


def test_the_rule_that_is_broken_is_named() -> None:
    state = after(f"{FIVE}|keep 6|throw 5 10 10", once_kept=True)
    assert GAME.why_not(state, Move.parse("keep 10")).rule == "Cribbage Dice, Once kept, always kept"
    state = after(f"{SEVEN}|stop", seven_dice=True)
    assert GAME.why_not(state, Move.parse("discard 1 2")).rule == "Muggins's rulings, Cribbage Dice: seven_keep_starter"
