"""The text, "Optional Bonus Scores" and "One Peg per Hole", and RULINGS, "Farkle Crib"."""

from dataclasses import replace

import pytest

from scorer.engine.game import Move
from scorer.errors import IllegalMove
from scorer.games.farkle_crib.state import State
from scorer.games.set_aside_game import Phase, Turn
from tests.scorer.games.farkle_crib.table import BONUSES, FARKLE, GAME, bonus, keeps, last, named, play, table, turn

BOMB = bonus("six-of-a-kind")
SIX_2S = "throw 2 2 2 2 2 2"


@pytest.mark.parametrize(
    ("name", "thrown", "without", "points"),
    [
        ("four-of-a-kind", "2 2 2 2 3 4", 4, 14),
        ("five-of-a-kind", "3 3 3 3 3 4", 6, 21),
        ("six-of-a-kind", "4 4 4 4 4 4", 8, 28),
        ("six-of-a-kind", "1 1 1 1 1 1", 26, 40),
        ("three-pairs", "2 2 3 3 4 4", 0, 10),
        ("straight", "1 2 3 4 5 6", 3, 25),
        ("full-house", "2 2 3 3 3 4", 6, 15),
        ("full-house", "1 2 2 3 3 3", 8, 17),
    ],
)
def test_each_bonus_is_a_switch(name: str, thrown: str, without: int, points: int) -> None:
    def best(names: frozenset[str]) -> int:
        return max(keeps(play(table(0, 0, bonus=names), f"throw {thrown}")).values(), default=0)

    others = frozenset(BONUSES) - {name, "four-of-a-kind", "five-of-a-kind"}
    assert (best(bonus()), best(others), best(bonus(name))) == (without, without, points)


def test_three_pairs_score_all_six_dice_so_they_are_hot() -> None:
    state = play(table(0, 0, bonus=bonus("three-pairs")), "throw 2 2 3 3 4 4", "keep 2 2 3 3 4 4")
    assert (state.turn.points, state.turn.dice) == (10, 6)


@pytest.mark.parametrize("thrown", ["throw 3 3 6 6 6 6", "throw 2 2 2 2 4 4"])
def test_three_pairs_4_2(thrown: str) -> None:
    every = "keep " + thrown.removeprefix("throw ")
    pairs = bonus("three-pairs")
    assert keeps(play(table(0, 0, bonus=pairs, three_pairs_4_2=True), thrown))[every] == 10
    assert every not in keeps(play(table(0, 0, bonus=pairs), thrown))


def test_three_pairs_4_2_leaves_six_of_a_kind_alone() -> None:
    state = play(table(0, 0, bonus=bonus("three-pairs"), three_pairs_4_2=True), SIX_2S)
    assert keeps(state) == {"keep 2 2 2": 4}


def test_the_highest_single_roll_is_six_1s() -> None:
    state = play(table(0, 0, bonus=frozenset(BONUSES) - {"three-farkles"}), "throw 1 1 1 1 1 1")
    assert keeps(state)["keep 1 1 1 1 1 1"] == 40
    assert play(state, "keep 1 1 1 1 1 1", "stop").holes == (40, 0)


# The Bomb


def bombed(*holes: int, **options: object) -> State:
    """Six 2s are thrown at the start of player 0's turn."""
    return play(table(*holes, bonus=BOMB, **options), SIX_2S)


def test_bomb_takes_the_points_or_exchanges_with_the_leader() -> None:
    state = bombed(10, 40, 60)
    assert keeps(state) == {"keep 2 2 2 2 2 2": 24, "keep 2 2 2": 4, "exchange 2": 0}
    assert GAME.prompt(state) == "{0}: set aside scoring dice of 2-2-2-2-2-2, or exchange pegs with the leader"
    assert play(state, "keep 2 2 2 2 2 2", "stop").holes == (34, 40, 60)
    step = last(state, "exchange 2")
    assert (step.state.holes, step.state.to_act, step.state.phase) == ((60, 40, 10), 1, Phase.THROW)
    assert named(step, "exchanged").said("abc") == "a exchanges pegs with c: a stands at hole 60, c at hole 10"
    assert named(step, "exchanged").points == 50


def test_bomb_is_no_exchange_in_the_basic_game_or_for_five_of_a_kind() -> None:
    assert keeps(play(table(10, 40), SIX_2S)) == {"keep 2 2 2": 4}
    five = play(table(10, 40, bonus=BOMB), "throw 2 2 2 2 2 3")
    assert keeps(five) == {"keep 2 2 2": 4}


def test_bomb_across_two_throws_is_none() -> None:
    state = play(table(10, 40, bonus=BOMB), "throw 2 2 2 3 4 6", "keep 2 2 2", "throw 2 2 2")
    assert keeps(state) == {"keep 2 2 2": 4}


def test_bomb_among_equal_leaders_the_player_chooses() -> None:
    state = bombed(10, 60, 60)
    assert [str(move) for move in GAME.legal_moves(state).choices][-2:] == ["exchange 1", "exchange 2"]
    assert play(state, "exchange 1").holes == (60, 10, 60)


@pytest.mark.parametrize("holes", [(60, 40, 10), (60, 60, 10)])
def test_bomb_of_a_leader_has_nothing_to_exchange(holes: tuple[int, ...]) -> None:
    assert keeps(bombed(*holes)) == {"keep 2 2 2 2 2 2": 24, "keep 2 2 2": 4}


def test_bomb_in_the_final_round_exchanges_with_the_leader_still_on_the_board() -> None:
    state = turn(table(119, 20, 90, bonus=BOMB), 4)
    assert state.holes == (123, 20, 90)
    state = play(state, SIX_2S)
    assert [str(move) for move in GAME.legal_moves(state).choices][-1] == "exchange 2"
    over = play(state, "exchange 2", FARKLE)
    assert over.result is not None
    assert (over.holes, over.result.winners) == ((123, 90, 20), (0,))


def hot_then_bombed(exchange: str, *holes: int) -> State:
    """Player 0 has 30 points this turn when six 2s come."""
    state = table(*holes, bonus=BOMB, bomb_exchange=exchange)
    return play(state, "throw 1 1 1 5 5 5", "keep 1 1 1 5 5 5", SIX_2S)


def test_bomb_exchange_ends_the_turn_and_forfeits_its_other_points() -> None:
    state = hot_then_bombed("end_turn_forfeit", 10, 60)
    offer = GAME.offers(state)[-1]
    assert offer.text == "exchange pegs with {1}, from hole 10 to hole 60, end the turn and lose its other 30 points"
    step = last(state, "exchange 1")
    assert (step.state.holes, step.state.to_act, step.state.turn.points) == ((60, 10), 1, 0)
    assert named(step, "forfeited").player == 0
    assert play(table(10, 60, bonus=BOMB), SIX_2S, "exchange 1") == replace(
        step.state, rules=table(0, 0, bonus=BOMB).rules
    )


def test_bomb_exchange_ends_the_turn_and_banks_its_other_points() -> None:
    state = hot_then_bombed("end_turn_bank", 10, 60)
    offer = GAME.offers(state)[-1]
    assert (offer.points, offer.text) == (
        30,
        "exchange pegs with {1}, from hole 10 to hole 60, end the turn and peg its other 30 points",
    )
    step = last(state, "exchange 1")
    assert (step.state.holes, step.state.to_act) == ((90, 10), 1)
    assert [event.name for event in step.events] == ["exchanged", "pegged", "turn"]


def test_bomb_exchange_that_banks_may_run_off_the_board() -> None:
    step = last(hot_then_bombed("end_turn_bank", 10, 100), "exchange 1")
    assert (step.state.holes, step.state.finished, step.state.to_act) == ((130, 10), True, 1)


def test_bomb_exchange_and_the_turn_goes_on() -> None:
    state = hot_then_bombed("continue", 10, 60)
    assert GAME.offers(state)[-1].text == "exchange pegs with {1}, from hole 10 to hole 60, and go on"
    state = play(state, "exchange 1")
    assert (state.holes, state.to_act, state.turn) == ((60, 10), 0, Turn(points=30))
    assert play(state, "stop").holes == (90, 10)
    assert play(state, FARKLE).holes == (60, 10)
    bare = play(bombed(10, 60, bomb_exchange="continue"), "exchange 1")
    assert play(bare, "stop").holes == (60, 10)


# Three farkles


def farkles(state: State, count: int) -> State:
    """Player 0 of two farkles so often, and player 1 stays where it is."""
    for _ in range(count):
        state = play(state, FARKLE, FARKLE)
    return state


@pytest.mark.parametrize(("names", "hole"), [((), 50), (("three-farkles",), 40)])
def test_three_farkles_in_a_row_cost_10(names: tuple[str, ...], hole: int) -> None:
    state = farkles(table(50, 50, bonus=bonus(*names)), 2)
    assert state.holes == (50, 50)
    step = last(state, FARKLE)
    assert step.state.holes == (hole, 50)
    assert [event.points for event in step.events if event.name == "three-farkles"] == [-10] * len(names)


def test_three_farkles_restart_the_count() -> None:
    state = table(50, 50, bonus=bonus("three-farkles"))
    assert [farkles(state, count).holes[0] for count in (3, 4, 5, 6)] == [40, 40, 40, 30]


def test_three_farkles_are_no_longer_in_a_row_after_a_score() -> None:
    state = farkles(table(50, 50, bonus=bonus("three-farkles")), 2)
    state = turn(turn(state, 2), 0)
    assert farkles(state, 2).holes[0] == 52
    assert farkles(state, 3).holes[0] == 42


def test_three_farkles_are_counted_for_each_player() -> None:
    state = play(farkles(table(50, 50, bonus=bonus("three-farkles")), 1), FARKLE)
    assert state.farkles == (2, 1)


def test_three_farkles_stop_at_the_start() -> None:
    step = last(farkles(table(4, 50, bonus=bonus("three-farkles")), 2), FARKLE)
    assert (step.state.holes[0], named(step, "three-farkles").points) == (0, -4)


def test_an_exchange_ends_a_row_of_farkles() -> None:
    both = bonus("three-farkles", "six-of-a-kind")
    state = play(farkles(table(10, 50, bonus=both), 2), SIX_2S, "exchange 1")
    assert state.farkles == (0, 2)


# One Peg per Hole


def test_one_peg_per_hole_the_next_empty_hole_short_of_it() -> None:
    state = play(table(10, 30, 29, lanes=(0, 0, 0)), "throw 1 1 1 2 3 4", "keep 1 1 1")
    step = last(state, "stop")
    assert step.state.holes == (28, 30, 29)
    assert named(step, "stopped-short").said("abc") == "hole 30 is taken, so a stops short of it"
    assert named(step, "pegged").points == 18


def test_one_peg_per_hole_never_behind_the_old_hole() -> None:
    assert turn(table(10, 12, 11, lanes=(0, 0, 0)), 2).holes == (10, 12, 11)


def test_one_peg_per_hole_only_in_the_same_lane() -> None:
    assert turn(table(10, 30), 20).holes == (30, 30)
    assert turn(table(10, 30, lanes=(0, 1)), 20).holes == (30, 30)


def test_one_peg_per_hole_start_and_finish_hold_everybody() -> None:
    state = table(119, 119, 0, 0, lanes=(0, 1, 0, 0))
    assert turn(turn(state, 2), 2).holes == (121, 121, 0, 0)


def test_one_peg_per_hole_a_peg_sent_back_stops_short_too() -> None:
    state = table(50, 40, bonus=bonus("three-farkles"), lanes=(0, 0))
    assert farkles(state, 3).holes[0] == 39
    assert farkles(replace(state, holes=(12, 2)), 3).holes[0] == 1


def test_one_peg_per_hole_holds_for_both_pegs_of_an_exchange() -> None:
    assert play(bombed(10, 60, lanes=(0, 0)), "exchange 1").holes == (60, 10)
    state = bombed(10, 60, 60, 10, lanes=(0, 1, 0, 1))
    assert play(state, "exchange 1").holes == (59, 9, 60, 10)
    assert "from hole 10 to hole 59" in GAME.offers(state)[-2].text


def test_lanes_are_drawn() -> None:
    assert [pegs.lane for pegs in GAME.board(table(0, 0, 0, lanes=(0, 1, 0))).pegs] == [0, 1, 0]


# Refusals

KEEP = play(table(10, 40), "throw 1 2 3 3 3 6")
GO_ON = play(KEEP, "keep 1 3 3 3")
ROLL_OFF = turn(turn(table(120, 119, tie="roll_off"), 1), 2)


@pytest.mark.parametrize(
    ("state", "move", "code", "words"),
    [
        (GAME.start(GAME.rules(), 2), FARKLE, "roll-first", "two dice for who begins"),
        (GAME.start(GAME.rules(), 2), "opening 3", "wrong-count", "2 dice, not 1"),
        (table(0, 0), "stop", "throw-first", "begins with a throw of all six"),
        (table(0, 0), "piddle", "unknown-move", "exchange, keep, opening, roll-off, stop, and throw"),
        (table(0, 0), "throw 1 2 3", "wrong-count", "6 dice, not 3"),
        (table(0, 0), "throw 1 2 3 4 5 7", "value-out-of-range", "go from 1 to 6, got 7"),
        (table(0, 0), "throw 6 2 3 4 5 1", "unsorted", "throw 1 2 3 4 5 6"),
        (table(0, 0), "throw 1 2 3 4 5 3-0", "tiles-there", "no dominoes"),
        (KEEP, "stop", "keep-first", "at least one scoring die"),
        (KEEP, "throw 2 6", "keep-first", "at least one scoring die"),
        (KEEP, "keep", "nothing-kept", "1-2-3-3-3-6"),
        (KEEP, "keep 1 1", "not-thrown", "1 cannot be set aside"),
        (KEEP, "keep 1 2", "not-scoring", "2 would not score"),
        (KEEP, "keep 1 3 3", "not-scoring", "3-3 would not score"),
        (KEEP, "keep 3 3 3 1", "unsorted", "keep 1 3 3 3"),
        (KEEP, "exchange 1", "no-bomb", "not played here"),
        (bombed(10, 40, 60), "exchange 1", "not-the-leader", "exchange 2"),
        (bombed(10, 60, 40, 60), "exchange 2", "not-the-leader", "only: exchange 1 or exchange 3."),
        (bombed(60, 40), "exchange 1", "nothing-to-exchange", "ahead of yours"),
        (play(table(10, 40, bonus=BOMB), "throw 1 2 3 3 3 6"), "exchange 1", "no-bomb", "six of a kind in one throw"),
        (GO_ON, "keep 6", "nothing-to-choose", "throw the others"),
        (GO_ON, "throw 2", "wrong-count", "2 dice, not 1"),
        (GO_ON, "stop 8", "strange-numbers", "stop alone"),
        (ROLL_OFF, "opening 3 4", "roll-first", "two dice for the win"),
        (ROLL_OFF, "roll-off 4 3", "unsorted", "roll-off 3 4"),
    ],
)
def test_an_illegal_move_is_refused_with_its_reason(state: State, move: str, code: str, words: str) -> None:
    before = hash(state)
    with pytest.raises(IllegalMove) as refused:
        GAME.apply(state, Move.parse(move))
    assert (refused.value.code, hash(state)) == (code, before)
    assert words in refused.value.message
    assert refused.value.rule.startswith(("Farkle Cribbage, ", "Muggins's rulings, "))


def test_two_triples() -> None:
    assert keeps(play(table(0, 0, two_triples=True), SIX_2S))["keep 2 2 2 2 2 2"] == 8
    assert "keep 2 2 2 2 2 2" not in keeps(play(table(0, 0), SIX_2S))
