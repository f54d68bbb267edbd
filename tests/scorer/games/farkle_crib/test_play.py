"""The text, "Play", "Scoring" and "End", and RULINGS, "All games on a cribbage board": rule by rule."""

from dataclasses import replace

import pytest

from scorer.engine.game import Move
from scorer.errors import IllegalMove
from scorer.games.farkle_crib.throws import classic_points
from scorer.games.set_aside_game import Phase
from tests.scorer.games.farkle_crib.table import FARKLE, GAME, keeps, last, named, play, table, turn


def test_opening_highest_of_two_dice_goes_first() -> None:
    state = GAME.start(GAME.rules(), 3)
    step = last(state, "opening 3 4", "opening 6 6", "opening 1 2")
    assert (step.state.to_act, step.state.first, step.state.phase) == (1, 1, Phase.THROW)
    assert [event.name for event in step.events] == ["rolled", "begins", "turn"]
    assert named(step, "begins").said(["Ann", "Bo", "Cy"]) == "Bo goes first"


def test_opening_ties_roll_again_among_the_tied() -> None:
    state = play(GAME.start(GAME.rules(), 3), "opening 3 4", "opening 1 1", "opening 2 5")
    assert state.to_act == 0
    state = play(state, "opening 1 1")
    assert state.to_act == 2
    assert play(state, "opening 1 2").to_act == 2
    assert play(state, "opening 1 1").to_act == 0


def test_opening_without_a_roll_begins_with_the_first_player() -> None:
    assert GAME.start(GAME.rules(opening_roll=False), 4).to_act == 0
    assert GAME.start(GAME.rules(opening_roll=False), 4).phase is Phase.THROW


def test_play_1_a_turn_throws_all_six() -> None:
    chance = GAME.legal_moves(table(0, 0)).chance
    assert chance is not None
    assert Move.parse("throw 1 2 3 4 5 6") in chance
    assert Move.parse("throw 1 2 3 4 5") not in chance


def test_scoring_the_combinations_of_the_text() -> None:
    state = play(table(0, 0), "throw 1 2 3 3 3 6")
    assert keeps(state) == {"keep 1 3 3 3": 8, "keep 3 3 3": 6, "keep 1": 2}
    assert {str(move): play(state, str(move)).turn.dice for move in GAME.legal_moves(state).choices} == {
        "keep 1 3 3 3": 2,
        "keep 3 3 3": 3,
        "keep 1": 5,
    }


def test_tips_the_minimal_dice_of_the_text() -> None:
    state = play(table(0, 0), "throw 1 1 4 5 5 6")
    assert keeps(state)["keep 1 1 5 5"] == 6
    assert play(state, "keep 1 1 5 5").turn.dice == 2
    assert play(state, "keep 1").turn.dice == 5


@pytest.mark.parametrize(
    ("dice", "points"), [("5", 1), ("1", 2), ("2 2 2", 4), ("3 3 3", 6), ("4 4 4", 8), ("5 5 5", 10), ("6 6 6", 12)]
)
def test_scoring_the_chart(dice: str, points: int) -> None:
    rest = [value for value in (2, 3, 4, 6, 6, 4, 2) if str(value) not in dice][: 6 - len(dice.split())]
    thrown = " ".join(map(str, sorted([*map(int, dice.split()), *rest])))
    state = play(table(0, 0), f"throw {thrown}", f"keep {dice}", "stop")
    assert state.holes == (points, 0)


def test_scoring_three_1s_are_20_or_fewer_singly() -> None:
    assert keeps(play(table(0, 0), "throw 1 1 1 2 3 4")) == {"keep 1 1 1": 20, "keep 1 1": 4, "keep 1": 2}


def test_basic_game_four_or_more_of_a_kind_is_a_triple_and_singles() -> None:
    assert keeps(play(table(0, 0), "throw 2 2 2 2 2 2")) == {"keep 2 2 2": 4}
    assert keeps(play(table(0, 0), "throw 1 1 1 1 1 1"))["keep 1 1 1 1 1 1"] == 26


def test_scoring_nothing_combines_across_throws() -> None:
    state = play(table(0, 0), "throw 1 1 2 3 4 6", "keep 1 1", "throw 1 2 3 4")
    assert keeps(state) == {"keep 1": 2}


def test_play_3_a_throw_without_a_scoring_die_ends_the_turn() -> None:
    step = last(table(7, 0), FARKLE)
    assert (step.state.holes, step.state.to_act) == ((7, 0), 1)
    assert named(step, "farkle").said(["Ann", "Bo"]) == "nothing scores: Ann farkles"


def test_play_4_a_farkle_loses_all_points_of_the_turn() -> None:
    state = play(table(7, 0), "throw 1 1 1 2 3 4", "keep 1 1 1")
    assert GAME.board(state).pegs[0].front == 27
    step = last(state, "throw 2 3 4")
    assert (step.state.holes, step.state.to_act, step.state.turn.points) == ((7, 0), 1, 0)
    assert (
        named(step, "farkle").said(["Ann", "Bo"]) == "nothing scores: Ann farkles and loses the 20 points of this turn"
    )


def test_play_4_after_setting_aside_one_stops_or_throws_the_rest() -> None:
    legal = GAME.legal_moves(play(table(0, 0), "throw 1 2 3 3 3 6", "keep 1 3 3 3"))
    assert [str(move) for move in legal.choices] == ["stop"]
    assert legal.chance is not None
    assert Move.parse("throw 2 6") in legal.chance
    assert Move.parse("throw 1 2 3 3 3 6") not in legal.chance


def test_play_5_all_six_scored_may_be_thrown_again_as_often_as_that_happens() -> None:
    state = play(table(0, 0), "throw 1 1 5 5 5 6", "keep 1 1 5 5 5")
    step = last(state, "throw 5", "keep 5")
    assert named(step, "hot-dice").rule == "Farkle Cribbage, Play 5"
    assert (step.state.turn.points, step.state.turn.dice, step.state.turn.aside) == (15, 6, ())
    again = play(step.state, "throw 1 1 1 5 5 5", "keep 1 1 1 5 5 5")
    assert (again.turn.points, again.turn.dice) == (45, 6)
    assert play(again, "stop").holes == (45, 0)
    assert play(again, FARKLE).holes == (0, 0)


def test_play_5_dice_that_score_but_are_not_set_aside_do_not_make_hot_dice() -> None:
    assert play(table(0, 0), "throw 1 1 1 5 5 5", "keep 1 1 1").turn.dice == 3


def test_play_6_and_7_stopping_pegs_the_turn_and_passes_the_dice() -> None:
    step = last(table(7, 0), "throw 1 2 3 3 3 6", "keep 1 3 3 3", "throw 5 6", "keep 5", "stop")
    assert (step.state.holes, step.state.to_act, step.state.turn.dice) == ((16, 0), 1, 6)
    assert named(step, "pegged").points == 9


def test_tracking_two_pegs_only_of_the_player_to_act() -> None:
    board = GAME.board(play(table(7, 30), "throw 1 2 3 3 3 6", "keep 3 3 3"))
    assert [(pegs.back, pegs.front) for pegs in board.pegs] == [(7, 13), (30, 30)]
    assert (board.finish, board.lanes) == (121, 2)


def test_conversion_three_4s_are_400_in_classic_farkle() -> None:
    assert classic_points(keeps(play(table(0, 0), "throw 2 3 3 4 4 4"))["keep 4 4 4"]) == 400


def test_end_the_others_of_the_round_have_a_final_turn() -> None:
    state = play(turn(table(100, 119, 100, 100), 0), "throw 1 2 2 3 3 4", "keep 1")
    off = last(state, "stop")
    assert (off.state.holes[1], off.state.to_act, off.state.result) == (121, 2, None)
    assert named(off, "turn").said("abcd") == "it is c's last turn"
    assert named(off, "pegged").said("abcd") == "b pegs 2 points and is off the board at 121"
    over = turn(turn(off.state, 4), 20)
    assert over.result is not None
    assert (over.to_act, over.result.winners, over.result.lost) == (None, (1,), (1, 0, 1, 1))
    assert over.result.ranking == ((1,), (3,), (2,), (0,))


def test_end_a_round_goes_from_the_first_player_to_the_one_before() -> None:
    state = replace(table(100, 119, 100), player=2, first=2)
    state = turn(turn(state, 0), 0)
    assert turn(state, 2).phase is Phase.OVER


def test_end_whoever_runs_off_with_the_highest_score_wins() -> None:
    over = turn(turn(table(119, 119), 2), 4)
    assert over.result is not None
    assert (over.holes, over.result.winners) == ((121, 123), (1,))


def test_end_a_player_off_the_board_has_no_turn_more() -> None:
    assert turn(turn(table(119, 100), 2), 0).phase is Phase.OVER


def test_final_turns_at_once() -> None:
    over = turn(table(119, 119, final_turns="at_once"), 2)
    assert over.result is not None
    assert (over.phase, over.result.winners) == (Phase.OVER, (0,))


def test_the_last_of_a_round_who_runs_off_ends_it() -> None:
    assert turn(turn(table(50, 119), 0), 2).phase is Phase.OVER


def test_hole_120_is_still_on_the_board() -> None:
    assert turn(turn(table(119, 0), 1), 0).phase is Phase.THROW


def test_finish_may_be_another_hole() -> None:
    assert turn(turn(table(59, 0, finish=61), 2), 0).phase is Phase.OVER
    assert turn(turn(table(119, 0, finish=242), 2), 0).phase is Phase.THROW


def test_tie_is_shared() -> None:
    step = last(turn(table(120, 119, 30), 1), "throw 1 2 2 3 3 4", "keep 1", "stop", FARKLE)
    assert step.state.result is not None
    assert step.state.result.winners == (0, 1)
    assert step.state.result.ranking == ((0, 1), (2,))
    assert step.state.result.lost == (0, 0, 1)
    assert named(step, "won").said("abc") == "a and b win with 121"


def test_tie_rolled_off_by_the_tied_until_one_is_highest() -> None:
    state = turn(turn(turn(table(120, 119, 119, tie="roll_off"), 1), 2), 0)
    assert (state.phase, state.to_act, state.result) == (Phase.ROLL_OFF, 0, None)
    state = play(state, "roll-off 3 4", "roll-off 1 6")
    assert (state.phase, state.to_act) == (Phase.ROLL_OFF, 0)
    over = play(state, "roll-off 1 2", "roll-off 2 2")
    assert over.result is not None
    assert (over.result.winners, over.result.ranking) == ((1,), ((1,), (0,), (2,)))
    assert over.result.lost == (1, 0, 1)


def test_without_a_tie_nobody_rolls_off() -> None:
    assert turn(turn(table(119, 119, tie="roll_off"), 2), 4).phase is Phase.OVER


def test_over_means_no_more_moves() -> None:
    over = turn(table(119, 0, final_turns="at_once"), 2)
    assert len(GAME.legal_moves(over)) == 0
    assert GAME.offers(over) == ()
    with pytest.raises(IllegalMove) as refused:
        GAME.apply(over, Move.parse(FARKLE))
    assert refused.value.code == "game-over"


def test_prompts_say_what_is_next() -> None:
    state = table(0, 0)
    kept = play(state, "throw 1 2 3 3 3 6", "keep 1 3 3 3")
    hot = play(state, "throw 1 1 1 5 5 5", "keep 1 1 1 5 5 5")
    prompts = [GAME.prompt(at) for at in (GAME.start(GAME.rules(), 2), state, play(state, "throw 1 2 3 3 3 6"))]
    assert prompts == [
        "{0}: roll two dice for who begins",
        "{0}: throw all six dice",
        "{0}: set aside scoring dice of 1-2-3-3-3-6",
    ]
    assert GAME.prompt(kept) == "{0}: stop with 8 points, or throw the other 2 dice"
    assert GAME.prompt(hot) == "{0}: stop with 30 points, or take up all six dice again"
    assert GAME.prompt(turn(table(119, 0, final_turns="at_once"), 2)) == "the game is over: {0} won"


def test_offers_say_what_each_choice_is_worth() -> None:
    offers = GAME.offers(play(table(0, 0), "throw 1 2 3 3 3 6"))
    assert offers[0].text == "set aside three 3s and a 1 for 8 points"
    assert [(item.name, item.points) for item in offers[0].items] == [("three 3s", 6), ("a 1", 2)]
    (stop,) = GAME.offers(play(table(0, 0), "throw 1 2 3 3 3 6", "keep 1 3 3 3"))
    assert (stop.text, stop.points) == ("stop and peg 8 points", 8)
