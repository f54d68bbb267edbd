"""A turn of Cribbage Dice: the text's "How to Play", its play example, and the options that change a turn."""

from typing import Any

import pytest

from scorer.engine.game import Event, Move
from scorer.errors import RulesError
from scorer.games.cribbage_dice.game import CribbageDice
from scorer.games.cribbage_dice.rules import Rules
from scorer.games.cribbage_dice.state import State
from scorer.games.cribbage_dice.throws import keeps

GAME = CribbageDice()


def played(state: State, *moves: str) -> tuple[State, tuple[Event, ...]]:
    """The state after the moves, and the events of the last of them."""
    events: tuple[Event, ...] = ()
    for move in moves:
        state, events = (step := GAME.apply(state, Move.parse(move))).state, step.events
    return state, events


def begun(players: int = 2, **options: Any) -> State:
    """Player 0 is about to throw."""
    return GAME.start(Rules(opening_roll=False, **options), players)


def choices(state: State) -> list[str]:
    return [str(move) for move in GAME.legal_moves(state).choices]


def test_play_example_of_the_text() -> None:
    state, _ = played(begun(), "throw 5 4 10 10 11")
    first = GAME.offers(state)[0]
    assert [item.name for item in first.items].count("fifteen") == 3
    state, _ = played(state, "keep 10 10 11", "throw 7")
    assert GAME.offers(state)[0].points == first.points == 8
    state, events = played(state, "keep 10 10 11", "throw 10")
    assert state.scores == (14, 0)
    assert state.to_act == 1
    count = next(event for event in events if event.name == "pegged")
    assert count.points == sum(item.points for item in count.items) == 14
    assert "fifteen two, fifteen four, fifteen six, fifteen eight, and three of a kind is fourteen" in count.text
    assert [event.name for event in events] == ["thrown", "pegged", "turn"]
    assert count.said(["Ann", "Bob"]).startswith("Ann counts 5-10-10-10-11")


@pytest.mark.parametrize(
    ("throw", "points"),
    [
        ("2 6 6 8 9", 6),  # two fifteens, and the pair of 6s
        ("2 3 5 11 12", 8),  # four fifteens; 11 and 12 count 10
        ("3 4 5 9 11", 5),  # the run, and the fifteen of 4 and 11
        ("9 9 9 10 11", 15),
        ("9 9 10 10 11", 16),
        ("1 9 10 11 12", 4),  # a run of four by printed values
        ("5 5 5 5 5", 40),
        ("1 1 11 12 12", 4),  # two pairs: no run wraps
        ("2 4 6 8 12", 0),
    ],
)
def test_stop_scores_by_standard_rules(throw: str, points: int) -> None:
    state, events = played(begun(), f"throw {throw}", "stop")
    assert state.scores == (points, 0)
    assert events[0].points == points
    assert ("stays at 0" in events[0].text) == (points == 0)


def test_opening_high_roll_goes_first_and_ties_roll_again_among_the_tied() -> None:
    state = GAME.start(Rules(), 4)
    assert [state.to_act, state.phase] == [0, "opening"]
    state, events = played(state, "opening 3", "opening 9", "opening 1", "opening 9")
    assert events[-1].said("ABCD") == "B and D are level and roll again"
    assert state.to_act == 1
    state, _ = played(state, "opening 2")
    assert state.to_act == 3
    state, events = played(state, "opening 12")
    assert (state.to_act, state.phase) == (3, "throw")
    assert events[-1].said("ABCD") == "D has the high roll and goes first"
    assert GAME.board(state).pegs[3].front == 0


def test_opening_agreed_upon() -> None:
    assert (begun().to_act, begun().phase) == (0, "throw")


def test_up_to_three_rolls_then_scoring_comes_by_itself() -> None:
    state, _ = played(begun(), "throw 1 2 3 4 5", "keep", "throw 6 6 6 8", "keep 6", "throw 2 2 2")
    assert (state.to_act, state.phase) == (1, "throw")
    assert state.scores == (keeps([1, 6, 2, 2, 2])[0].hand.total, 0)


def test_any_dice_but_the_starter_may_be_kept_or_rolled() -> None:
    state, _ = played(begun(), "throw 9 2 2 7 8")
    assert choices(state) == [
        "stop",
        *("keep 2 2 7", "keep 2 2 8", "keep 2 7 8"),
        *("keep 2 2", "keep 2 7", "keep 2 8", "keep 7 8"),
        *("keep 2", "keep 7", "keep 8"),
        "keep",
    ]


@pytest.mark.parametrize(("once_kept", "may_go"), [(False, True), (True, False)])
def test_once_kept_always_kept(once_kept: bool, may_go: bool) -> None:
    # The text's example: 6 (starter), 3, 6, 11, 12, and the second 6 is kept.
    state, _ = played(begun(once_kept=once_kept), "throw 6 3 6 11 12", "keep 6", "throw 5 10 10")
    assert ("keep 5 10 10" in choices(state)) == may_go
    assert "keep 6 10 10" in choices(state)
    assert all("6" in move.split() for move in choices(state)[1:]) != may_go
    state, _ = played(state, "keep 6 10 10", "throw 5")
    assert state.scores == (keeps([6, 6, 10, 10, 5])[0].hand.total, 0)


def test_dice_newly_rolled_are_not_held_by_once_kept() -> None:
    state, _ = played(begun(once_kept=True), "throw 6 3 6 11 12", "keep 6", "throw 1 6 6")
    assert "keep 6" in choices(state)
    assert "keep" not in choices(state)


def test_seven_dice_two_are_discarded_after_the_last_roll() -> None:
    state, events = played(begun(seven_dice=True), "throw 1 5 5 5 5 11 12", "stop")
    assert state.phase == "discard"
    assert events == ()
    assert choices(state)[0] == "discard 11 12"
    best = GAME.offers(state)[0]
    assert best.points == keeps([1, 5, 5, 5, 5])[0].hand.total
    after, events = played(state, "discard 11 12")
    assert after.scores == (best.points, 0)
    assert [event.name for event in events] == ["discarded", "pegged", "turn"]
    worse, _ = played(state, "discard 5 5")
    assert worse.scores[0] == keeps([1, 5, 5, 11, 12])[0].hand.total


def test_seven_dice_third_roll_leads_to_the_discard() -> None:
    throws = ("throw 1 2 3 4 5 6 7", "keep", "throw 2 4 6 8 8 8", "keep 8 8 8", "throw 9 9 9")
    state, _ = played(begun(seven_dice=True), *throws)
    assert (state.phase, state.to_throw) == ("discard", 0)
    assert state.turn.others == (8, 8, 8, 9, 9, 9)


@pytest.mark.parametrize(("keep_starter", "points"), [(True, 20), (False, 28)])
def test_seven_keep_starter(keep_starter: bool, points: int) -> None:
    state, _ = played(begun(seven_dice=True, seven_keep_starter=keep_starter), "throw 1 2 5 5 5 5 11", "stop")
    assert ("discard 1 2" in choices(state)) != keep_starter
    state, _ = played(state, choices(state)[0])
    assert state.scores == (points, 0)


def test_a_die_equal_to_the_starter_may_be_discarded_once() -> None:
    state, _ = played(begun(seven_dice=True), "throw 3 3 5 5 5 5 11", "stop")
    assert "discard 3 11" in choices(state)
    state, _ = played(begun(seven_dice=True), "throw 3 3 3 5 5 5 11", "stop")
    assert "discard 3 3" in choices(state)


def test_front_peg_runs_ahead_with_the_dice_on_the_table() -> None:
    state, _ = played(begun(), "throw 5 4 10 10 11", "stop", "throw 1 1 7 8 9", "stop", "throw 5 4 10 10 11")
    mine, other = GAME.board(state).pegs
    assert (mine.back, mine.front) == (8, 16)
    assert other.back == other.front == state.scores[1]
    assert GAME.board(state).finish == 90
    state, _ = played(state, "keep 4")
    assert GAME.board(state).pegs[0].front == 8
    assert GAME.board(state).lanes == 2


def test_offers_are_the_choices_in_order_with_their_worth() -> None:
    state, _ = played(begun(seven_dice=True), "throw 5 4 10 10 11 11 12")
    offers = GAME.offers(state)
    assert [str(offer.move) for offer in offers] == choices(state)
    assert offers[0].points == keeps(state.turn.table, 5)[0].hand.total
    kept = next(offer for offer in offers if str(offer.move) == "keep 10 10 11")
    assert kept.points == keeps([5, 10, 10, 11, 1])[0].hand.total
    assert "throw 3 dice" in kept.text
    for offer in offers:
        for item in offer.items:
            assert item.pieces == tuple(state.turn.table[index] for index in item.indices)


def test_prompts_name_what_is_due() -> None:
    state = GAME.start(Rules(), 2)
    assert GAME.prompt(state) == "{0}: roll one die, high roll goes first"
    state, _ = played(state, "opening 3", "opening 4")
    assert GAME.prompt(state) == "{1}: throw all five dice, the starter among them"
    state, _ = played(state, "throw 5 4 10 10 11")
    assert "4-10-10-11 with the starter on 5 counts eight" in GAME.prompt(state)
    assert "two rolls left" in GAME.prompt(state)
    state, _ = played(state, "keep 10 10 11")
    assert GAME.prompt(state) == "{1}: throw the die that you did not keep"
    state, _ = played(state, "throw 1", "keep")
    assert GAME.prompt(state) == "{1}: throw the four dice that you did not keep"


@pytest.mark.parametrize("players", [0, 1])
def test_players_two_or_more(players: int) -> None:
    with pytest.raises(RulesError, match="2 players or more") as refused:
        GAME.start(Rules(), players)
    assert refused.value.code == "bad-players"


def test_defaults_are_those_of_the_rulings() -> None:
    assert Rules().to_json() == {
        "target": 90,
        "finish_round": False,
        "round_limit": 0,
        "once_kept": False,
        "seven_dice": False,
        "seven_keep_starter": True,
        "sub_runs": False,
        "tie": "shared",
        "opening_roll": True,
    }


def test_a_game_that_nothing_ends_is_refused() -> None:
    with pytest.raises(RulesError, match="never end") as refused:
        Rules(target=0)
    assert refused.value.code == "bad-option"
    with pytest.raises(RulesError, match="whole number"):
        Rules(target=-1)
