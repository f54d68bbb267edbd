"""The play to thirty-one: what each tile scores, the go, the reset, the last tile."""

import pytest

from scorer.engine.game import Move
from scorer.errors import IllegalMove

# Beside the hands of a test these lie in the crib; both players' tiles keep clear of them.
CRIB_1, CRIB_0 = "6-5 6-6", "5-5 6-4"


@pytest.fixture
def played(dealt, run):
    """Player 1 leads, as player 0 deals. Tiles are named as they fall; the hands are those and whatever is given."""

    def step(falls: str, hold_1: str = "", hold_0: str = "", starter: str = "3-2", by: str = "", **rules):
        order = falls.split()
        by = by or "".join("10"[at % 2] for at in range(len(order)))
        hand = {who: [tile for tile, player in zip(order, by, strict=True) if player == who] for who in "01"}
        hands = [f"{' '.join(hand[who])} {more}".strip() for who, more in (("1", hold_1), ("0", hold_0))]
        state = dealt(f"{hands[0]} / {CRIB_1}", f"{hands[1]} / {CRIB_0}", **rules)
        return run(state, f"starter {starter}", *(f"play {tile}" for tile in order))

    return step


def test_the_non_dealer_leads_and_the_running_total_is_of_both(played):
    step = played("3-0 6-2 4-0", "1-0 2-0", "1-1 2-1 5-0")
    assert [event.text for event in step.events if event.name == "played"] == [
        "{1} plays 3-0: 3",
        "{0} plays 6-2: 11",
        "{1} plays 4-0: 15",
    ]
    assert (step.state.count, step.state.to_act) == (15, 0)


def test_bringing_the_total_to_fifteen(played, pegged):
    assert pegged(played("5-4 5-1", "1-0 2-0 2-1", "1-1 3-0 4-1").events) == [(0, 2, ["fifteen"])]


def test_pair_triplet_and_fourth_whoever_played_the_tiles(played, pegged):
    step = played("3-3 4-2 5-1 6-0", "1-0 2-0", "1-1 2-1")
    assert pegged(step.events) == [(0, 2, ["pair"]), (1, 6, ["triplet"]), (0, 12, ["fourth"])]
    assert [item.pieces for event in step.events for item in event.items][-1] == ("3-3", "4-2", "5-1", "6-0")


def test_a_tile_between_breaks_a_pair(played, pegged):
    assert pegged(played("3-0 4-0 2-1", "5-0 6-0", "1-0 4-3 5-3").events) == []


@pytest.mark.parametrize(
    ("falls", "runs"),
    [
        ("1-0 2-0 3-0", [3]),
        ("3-0 1-0 2-0", [3]),
        ("2-0 1-0 4-0", []),
        ("2-0 1-0 4-0 3-0", [4]),
        ("1-0 2-0 3-0 4-0 1-1", [3, 4, 3]),
        ("2-0 2-1 3-1 3-0 1-1", [3, 3]),
        ("3-0 4-0 5-0 2-1", [3, 3]),
        ("2-0 3-0 1-0 2-1", [3]),
        ("1-0 6-0 3-0 2-0", []),
    ],
)
def test_a_run_is_the_last_three_or_more_in_any_order_longest_only(played, falls, runs):
    order = falls.split()
    spare = ["6-1", "6-2", "6-3", "5-2", "5-3", "5-4", "4-3", "4-4"]
    ones, noughts = 4 - len(order[::2]), 4 - len(order[1::2])
    events = played(falls, " ".join(spare[:ones]), " ".join(spare[ones : ones + noughts])).events
    found = [item for event in events for item in event.items if item.name.startswith("run")]
    assert [item.points for item in found] == runs
    assert all(item.points == len(item.pieces) for item in found)


def test_one_tile_may_score_in_several_ways(played, pegged):
    step = played("4-0 5-0 6-0", "1-0 2-0", "1-1 2-1 3-0")
    assert pegged(step.events) == [(1, 5, ["fifteen", "run of three"])]
    assert step.events[-1].text == "{1} pegs 2 for fifteen and 3 for a run of three"


def test_thirty_one_is_two_no_go_and_the_opponent_leads_from_nothing(played, pegged):
    step = played("6-3 5-3 6-2 4-2", "1-0 2-0", "1-1 2-1")
    assert pegged(step.events) == [(1, 2, ["pair"]), (0, 2, ["thirty-one"])]
    assert [event.name for event in step.events][-2:] == ["pegged", "reset"]
    assert (step.state.count, step.state.to_act) == (0, 1)


def test_after_a_go_the_other_plays_on_as_long_as_he_can(played, pegged, game):
    step = played("6-3 5-3 6-2", "5-4 4-4", "5-2 1-0 2-0")  # 25: player 0 still fits 1-0 and 2-0
    assert step.state.to_act == 0
    step = played("6-3 5-3 6-2 2-0", "5-4 4-4", "5-2 1-0")  # 27: player 1 does not fit
    assert [event.name for event in step.events][-2:] == ["played", "go"]
    assert step.state.to_act == 0
    assert [str(move) for move in game.legal_moves(step.state)] == ["play 1-0"]
    step = played("6-3 5-3 6-2 2-0 1-0", "5-4 4-4", "5-2", by="10100")
    assert [event.name for event in step.events][-4:] == ["go", "played", "pegged", "reset"]
    assert pegged(step.events)[-1] == (0, 1, ["go"])
    assert (step.state.to_act, step.state.count) == (1, 0)


def test_thirty_one_after_a_go_is_two_and_nothing_for_the_go(played, pegged):
    step = played("6-3 5-3 6-2 2-0 2-2", "5-4 4-4", "5-2", by="10100")
    assert pegged(step.events) == [(1, 2, ["pair"]), (0, 2, ["thirty-one"])]
    assert [event.name for event in step.events].count("go") == 1


def test_who_can_play_must(played, game):
    state = played("6-3 5-3 6-2", "5-4 4-4", "5-2 1-0 2-0").state
    with pytest.raises(IllegalMove, match="Who can play must, and the count has room for 1-0 and 2-0") as caught:
        game.apply(state, Move("go"))
    assert caught.value.code == "can-play"


@pytest.mark.parametrize(
    ("move", "code", "says"),
    [
        ("play 5-2", "beyond-31", "from 25 to 32, beyond 31"),
        ("play 5-4", "not-in-hand", "5-4 is not in the hand"),
        ("play 6-1", "not-in-hand", "6-1 is not in the hand"),
        ("play 6-3", "not-in-hand", "played already"),
        ("play 3-2", "not-in-hand", "is the starter"),
        ("play 1-0 2-0", "wrong-count", "Name one tile, not two"),
        ("stop", "not-now", "play a tile"),
    ],
)
def test_play_refusals_tell_why_and_nothing_of_the_other_hand(played, game, move, code, says):
    state = played("6-3 5-3 6-2", "5-4 4-4", "5-2 1-0 2-0").state
    before = hash(state)
    with pytest.raises(IllegalMove, match=says) as caught:
        game.apply(state, Move.parse(move))
    assert (caught.value.code, bool(caught.value.rule), hash(state)) == (code, True, before)


def test_nothing_combines_across_a_reset(played, pegged):
    step = played("6-3 5-3 6-2 4-2 5-1 6-0", "1-0", "1-1")  # the pair of sixes is 5-1 and 6-0 only
    assert pegged(step.events)[-1] == (0, 2, ["pair"])


def test_the_starter_is_not_part_of_the_play(played, pegged):
    assert pegged(played("3-0 4-0", "5-0 6-0 1-0", "5-3 5-2 6-3", starter="2-1").events) == []


def test_after_a_reset_the_other_goes_on_if_the_opponent_has_no_tile(dealt, run, pegged):
    state = run(dealt("6-3 1-0 2-0 6-2 / 3-3 4-4", "6-6 5-5 6-4 6-5 / 2-2 1-1"), "starter 5-4").state
    step = run(state, *(f"play {tile}" for tile in ["6-3", "6-6", "1-0", "2-0"]))
    assert (pegged(step.events), step.state.to_act) == ([(1, 1, ["go"])], 0)
    step = run(step.state, *(f"play {tile}" for tile in ["5-5", "6-2", "6-4"]))
    assert [event.name for event in step.events][-3:] == ["played", "pegged", "reset"]
    assert (pegged(step.events), step.state.to_act, step.state.count) == ([(0, 1, ["go"])], 0, 0)
    assert pegged(run(step.state, "play 6-5").events) == [(0, 1, ["last tile"])]


def test_the_very_last_tile_is_one_point_no_go_and_the_hands_are_counted(played, pegged):
    step = played("6-0 1-0 6-1 5-0 6-2 2-0 1-1 4-0")
    assert pegged(step.events) == [(1, 4, ["pair", "thirty-one"]), (0, 1, ["last tile"])]
    assert [event.name for event in step.events][-6:] == ["played", "pegged", *["counted"] * 3, "dealer"]


def test_bells_three_for_fifteen_with_the_last_tile_is_fifteen_and_last(played, pegged):
    step = played("6-3 6-2 5-3 4-2 5-0 1-0 6-1 2-0")  # 9, 8, 8, 6 are 31; then 5, 1, 7, 2 are 15
    assert pegged(step.events)[-2:] == [(0, 2, ["fifteen"]), (0, 1, ["last tile"])]


def test_the_last_tile_at_thirty_one_is_two_and_never_both(played, pegged):
    step = played("1-0 3-0 2-0 5-2 4-1 5-0 2-2 4-0")
    assert step.state.phase == "deal"
    assert pegged(step.events)[-1][2][-1] == "thirty-one"
    assert "last tile" not in [name for _, _, names in pegged(step.events) for name in names]


@pytest.mark.parametrize(("rescore", "points"), [(True, [2, 2]), (False, [2])])
def test_the_double_blank_that_leaves_the_count_on_fifteen(played, pegged, rescore, points):
    step = played("5-4 5-1 0-0", "1-0 2-0", "1-1 3-0 4-1", blank_rescore=rescore)
    assert [worth for _, worth, _ in pegged(step.events)] == points


def test_the_double_blank_after_thirty_one_begins_a_count_of_nothing(played, pegged):
    step = played("6-3 5-3 6-2 4-2 0-0", "1-0", "1-1 2-1")
    assert pegged(step.events)[-1][2] == ["thirty-one"]
    assert (step.state.count, [str(play.tile) for play in step.state.series]) == (0, ["0-0"])


def test_the_double_blank_alone_may_be_the_last_tile(played, pegged):
    step = played("6-0 1-0 6-1 5-0 6-2 2-0 1-1 0-0")
    assert pegged(step.events)[-1] == (0, 1, ["last tile"])


def test_the_double_blank_is_lowest_of_a_run_and_breaks_a_pair(played, pegged):
    assert pegged(played("1-0 0-0 2-0", "5-0 6-0", "5-3 5-2 6-3").events) == [(1, 3, ["run of three"])]
    assert pegged(played("3-0 0-0 2-1", "5-0 6-0", "5-3 5-2 6-3").events) == []


def test_own_scope_takes_pairs_and_runs_over_the_players_own_tiles(played, pegged):
    falls, hold = "3-0 2-1 1-1 3-1 4-0", ("6-0", "6-1 6-2")
    assert pegged(played(falls, *hold, play_scope="shared").events) == [
        (0, 2, ["pair"]),
        (0, 3, ["run of three"]),
        (1, 2, ["pair"]),
    ]
    own = played(falls, *hold, play_scope="own")
    assert pegged(own.events) == [(1, 3, ["run of three"])]
    assert own.events[-1].items[0].pieces == ("3-0", "1-1", "4-0")


def test_own_scope_pairs_skip_the_opponents_tile_and_fifteen_stays_the_running_total(played, pegged):
    step = played("3-0 5-4 2-1", "1-0 2-0", "1-1 4-1 6-1", play_scope="own")
    assert pegged(step.events) == [(1, 4, ["fifteen", "pair"])]


def test_a_tile_that_reaches_the_target_wins_before_anything_else_is_said(played):
    step = played("5-4 5-1", "1-0 2-0 2-1", "1-1 3-0 4-1", scores=(59, 60))
    assert [event.name for event in step.events][-2:] == ["pegged", "won"]
    assert step.state.result.winners == (0,)
    step = played("6-3 5-3 6-2 2-0 1-0", "5-4 4-4", "5-2", by="10100", scores=(60, 58))
    assert [event.name for event in step.events][-3:] == ["played", "pegged", "won"]


def test_offers_are_what_a_tile_pegs_but_a_go_only_where_it_gives_nothing_away(played, pegged, game):
    state = played("6-3 5-3", "1-0 4-0 6-2", "5-4 6-0 5-2").state
    offers = {str(offer.move): (offer.points, offer.text) for offer in game.offers(state)}
    assert offers["play 6-2"] == (2, "play 6-2, making 25: 2 for a pair")
    assert [offer.move for offer in game.offers(state)] == list(game.legal_moves(state).choices)
    hidden = played("6-3 6-2 5-4 1-1", "5-3 4-4", "5-2 1-0").state  # 28; player 1 says go
    assert [(str(offer.move), offer.points) for offer in game.offers(hidden)] == [("play 1-0", 1)]
    secret = played("6-3 6-2 5-4", "5-3 4-4", "5-2 4-3 1-0")  # 26: player 0 does not know that player 1 holds 8 and 8
    assert [(str(offer.move), offer.points) for offer in game.offers(secret.state)] == [("play 1-0", 0)]
    assert pegged(game.apply(secret.state, Move.parse("play 1-0")).events) == [(0, 1, ["go"])]
    last = played("6-0 1-0 6-1 5-0 6-2 2-0 1-1", hold_0="4-0").state
    assert [(str(offer.move), offer.points) for offer in game.offers(last)] == [("play 4-0", 1)]
