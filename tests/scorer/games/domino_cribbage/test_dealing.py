"""The rules, the draw for the deal, the deal, the discard and the starter."""

from random import Random

import pytest

from scorer.engine.game import Move
from scorer.errors import IllegalMove, RulesError
from scorer.games.domino_cribbage.rules import Rules
from scorer.pieces.tiles import FULL_SET, Tile

HANDS = "3-0 4-0 3-1 3-2 / 6-5 6-6", "1-0 5-5 6-2 6-4 / 0-0 1-1"


def test_rules_default_to_the_rulings_and_each_can_be_turned(game):
    assert Rules().to_json() == {
        "target": 61,
        "opening_roll": True,
        "play_scope": "shared",
        "blank_rescore": True,
        "blank_in_fifteens": True,
    }
    others = ["target=121", "opening_roll=no", "play_scope=own", "blank_rescore=no", "blank_in_fifteens=no"]
    assert all(len(Rules.from_texts([text]).changed()) == 1 for text in others)
    assert Rules.from_json(Rules.from_texts(others).to_json()) == Rules.from_texts(others)


@pytest.mark.parametrize("wrong", ["target=90", "target=60", "play_scope=both", "blank_rescore=perhaps"])
def test_rules_refuse_what_no_table_plays(wrong):
    with pytest.raises(RulesError) as caught:
        Rules.from_texts([wrong])
    assert caught.value.code == "bad-option"


@pytest.mark.parametrize("players", [0, 1, 3, 4])
def test_it_is_a_two_player_game(game, players):
    with pytest.raises(RulesError) as caught:
        game.start(Rules(), players)
    assert caught.value.code == "bad-players"


@pytest.mark.parametrize(("draws", "dealer"), [("5-4 6-2", 0), ("0-0 1-0", 1), ("6-6 6-5", 0)])
def test_highest_pip_total_deals_first(game, run, draws, dealer):
    first, second = draws.split()
    step = run(game.start(Rules(), 2), f"opening {first}", f"opening {second}")
    assert [event.name for event in step.events] == ["drew", "drew", "dealer"]
    assert (step.state.phase, step.state.dealer, step.state.to_act) == ("deal", dealer, 1 - dealer)


def test_equal_draws_go_back_and_both_draw_again(game, run):
    step = run(game.start(Rules(), 2), "opening 5-1", "opening 3-3")
    assert step.events[-1].name == "tied"
    assert (step.state.to_act, step.state.drawn) == (0, ())
    assert Move.parse("opening 3-3") in game.legal_moves(step.state)
    assert run(step.state, "opening 5-1", "opening 6-0").state.phase == "opening"
    assert run(step.state, "opening 3-3", "opening 6-1").state.dealer == 1


def test_the_second_draws_from_what_is_left_and_all_tiles_are_mixed_for_the_deal(game, run):
    one = run(game.start(Rules(), 2), "opening 6-6").state
    assert (one.to_act, len(game.legal_moves(one))) == (1, 27)
    assert Move.parse("opening 6-6") not in game.legal_moves(one)
    assert Move.parse("deal 1 0-0 1-0 1-1 2-0 2-1 6-6") in game.legal_moves(run(one, "opening 0-0").state)


def test_without_an_opening_draw_player_0_deals(game):
    state = game.start(Rules(opening_roll=False), 2)
    assert (state.phase, state.dealer, state.to_act) == ("deal", 0, 1)


def test_each_draws_six_non_dealer_first_and_lays_two_in_the_crib(game, run):
    state = game.start(Rules(opening_roll=False), 2)
    assert len(game.legal_moves(state)) == 376_740
    state = run(state, "deal 1 3-0 3-1 3-2 4-0 6-5 6-6").state
    assert (state.to_act, len(game.legal_moves(state))) == (0, 74_613)
    state = run(state, "deal 0 0-0 1-0 1-1 5-5 6-2 6-4").state
    assert (state.to_act, len(game.legal_moves(state).choices)) == (1, 15)
    state = run(state, "discard 6-5 6-6").state
    assert (state.to_act, len(game.legal_moves(state).choices)) == (0, 15)
    state = run(state, "discard 0-0 1-1").state
    assert " ".join(map(str, state.crib)) == "0-0 1-1 6-5 6-6"
    assert [len(hand) for hand in state.hands] == [4, 4]
    assert (state.phase, state.to_act) == ("starter", 0)


def test_the_starter_is_one_of_the_sixteen_that_nobody_was_dealt(game, dealt):
    state = dealt(*HANDS)
    starters = {move.tiles[0] for move in game.legal_moves(state)}
    assert starters == set(FULL_SET) - {*state.hands[0], *state.hands[1], *state.crib}
    assert len(starters) == 16


def test_a_double_as_starter_is_a_point_for_the_dealer(run, dealt, pegged):
    plain = run(dealt(*HANDS), "starter 4-1")
    double = run(dealt(*HANDS), "starter 4-4")
    assert (plain.state.scores, pegged(plain.events)) == ((0, 0), [])
    assert (double.state.scores, pegged(double.events)) == ((1, 0), [(0, 1, ["double"])])
    assert (double.state.phase, double.state.to_act) == ("play", 1)


@pytest.mark.parametrize("target", [61, 121])
def test_the_starters_point_may_win_at_once(game, run, dealt, target):
    state = dealt(*HANDS, scores=(target - 1, target - 1), target=target)
    assert run(state, "starter 4-1").state.result is None
    won = run(state, "starter 4-4")
    assert won.events[-1].said(["Ann", "Bob"]) == f"Ann wins with {target} points to {target - 1}"
    assert won.state.result.winners == (0,)
    assert won.state.result.ranking == ((0,), (1,))
    assert won.state.result.lost == (0, 1)
    assert won.state.to_act is None
    assert not game.legal_moves(won.state)
    assert game.board(won.state).off(game.board(won.state).pegs[0].front)


def test_chance_draws_what_it_says_it_may(game, dealt):
    random = Random(1)
    opening = game.start(Rules(), 2)
    for state in (opening, game.start(Rules(opening_roll=False), 2), dealt(*HANDS)):
        chance = game.legal_moves(state).chance
        assert all(chance.sample(random) in chance for _ in range(50))
    moves = list(game.legal_moves(opening))
    assert len(set(moves)) == len(moves) == len(game.legal_moves(opening)) == 28


def test_what_is_said_before_the_play_names_no_hidden_tile(game, run):
    start = game.start(Rules(opening_roll=False), 2)
    hand = "3-0 3-1 3-2 4-0 6-5 6-6"
    step = run(start, f"deal 1 {hand}", "deal 0 0-0 1-0 1-1 5-5 6-2 6-4", "discard 6-5 6-6", "discard 0-0 1-1")
    assert len(step.events) == 4
    assert not any(str(tile) in event.text for event in step.events for tile in FULL_SET)


@pytest.mark.parametrize(
    ("before", "move", "code", "says"),
    [
        ("opening 6-6", "opening 6-6", "tile-elsewhere", "drawn by the other"),
        ("", "opening 6-6 5-5", "wrong-count", "Name one tile, not two"),
        ("", "opening 1 6-6", "numbers-named", "Only tiles"),
        ("", "play 6-6", "not-now", "draw a tile"),
    ],
)
def test_opening_refusals(game, run, before, move, code, says):
    state = run(game.start(Rules(), 2), *filter(None, [before])).state
    with pytest.raises(IllegalMove, match=says) as caught:
        game.apply(state, Move.parse(move))
    assert caught.value.code == code
    assert caught.value.rule


@pytest.mark.parametrize(
    ("move", "code", "says"),
    [
        ("deal 1 0-0 1-0 1-1 2-0 2-1 2-2", "wrong-player", "deal 0"),
        ("deal 0-0 1-0 1-1 2-0 2-1 2-2", "wrong-player", "deal 0"),
        ("deal 0 0-0 1-0 1-1 2-0 2-1", "wrong-count", "Name six tiles, not five"),
        ("deal 0 0-0 1-0 1-1 2-0 2-1 6-6", "tile-elsewhere", "6-6 was dealt already"),
        ("deal 0 0-0 0-0 1-1 2-0 2-1 2-2", "same-tile-twice", "once"),
        ("deal 0 1-0 0-0 1-1 2-0 2-1 2-2", "unsorted", "0-0 1-0 1-1 2-0 2-1 2-2"),
        ("discard 0-0 1-0", "not-now", "draw six tiles"),
    ],
)
def test_deal_refusals(game, run, move, code, says):
    state = run(game.start(Rules(opening_roll=False), 2), "deal 1 3-0 3-1 3-2 4-0 6-5 6-6").state
    with pytest.raises(IllegalMove, match=says) as caught:
        game.apply(state, Move.parse(move))
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("move", "code", "says"),
    [
        ("discard 0-0 6-6", "not-in-hand", "0-0 is not in the hand"),
        ("discard 6-6 6-5", "unsorted", "6-5 6-6"),
        ("discard 6-6", "wrong-count", "Name two tiles, not one"),
        ("discard 6-6 6-6", "same-tile-twice", "once"),
        ("go", "not-now", "lay two tiles"),
    ],
)
def test_discard_refusals(game, run, move, code, says):
    start = game.start(Rules(opening_roll=False), 2)
    state = run(start, "deal 1 3-0 3-1 3-2 4-0 6-5 6-6", "deal 0 0-0 1-0 1-1 5-5 6-2 6-4").state
    with pytest.raises(IllegalMove, match=says) as caught:
        game.apply(state, Move.parse(move))
    assert caught.value.code == code


def test_starter_refusals_and_the_end(game, run, dealt):
    state = dealt(*HANDS, scores=(60, 0))
    with pytest.raises(IllegalMove, match="1-0 was dealt already"):
        game.apply(state, Move("starter", tiles=(Tile(1, 0),)))
    over = run(state, "starter 4-4").state
    with pytest.raises(IllegalMove) as caught:
        game.apply(over, Move.parse("play 1-0"))
    assert caught.value.code == "game-over"
