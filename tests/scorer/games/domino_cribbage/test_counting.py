"""After the play: non-dealer, dealer, crib, each with the starter; the target is won at once; the roles change."""

from dataclasses import replace

import pytest

# Every fall here: 6, 1, 7, 5, 8, 2, 2 are 31 (with a pair, 4 for player 1), then 4-0 is the last tile (1 for player 0).
NON_DEALER, DEALER = "6-0 6-1 6-2 1-1 / 3-3 5-5", "1-0 5-0 2-0 4-0 / 4-4 6-6"
FALLS = ["6-0", "1-0", "6-1", "5-0", "6-2", "2-0", "1-1", "4-0"]


@pytest.fixture
def hand(dealt, run):
    def step(scores=(0, 0), starter="3-2", non_dealer=NON_DEALER, dealer=DEALER, falls=FALLS, **rules):
        state = dealt(non_dealer, dealer, scores=scores, **rules)
        return run(state, f"starter {starter}", *(f"play {tile}" for tile in falls))

    return step


def counted(events):
    return [(event.player, event.points) for event in events if event.name == "counted"]


def test_counting_order_and_the_starter_in_each_hand(hand):
    step = hand()
    # 6 7 8 2 with 5: 7+8, 5+8+2, 6+7+2, run 5-6-7-8; 1 5 2 4 with 5: 5+5+4+1, a pair; 6 10 8 12 with 5: 10+5
    assert counted(step.events) == [(1, 10), (0, 4), (0, 2)]
    texts = [event.text for event in step.events if event.name == "counted"]
    assert texts[0] == (
        "{1} counts 1-1, 6-0, 6-1, and 6-2 with the starter 3-2: "
        "fifteen two, fifteen four, fifteen six, and a run of four is ten"
    )
    assert texts[2] == "{0} counts the crib, 3-3, 4-4, 5-5, and 6-6 with the starter 3-2: fifteen two"
    assert step.state.scores == (1 + 4 + 2, 4 + 10)
    items = [item for event in step.events if event.name == "counted" for item in event.items]
    assert items[0].text == "fifteen (6-1 6-2): 2 points"


def test_bells_quadruple_run_is_sixteen(hand):
    step = hand(
        non_dealer="3-0 4-0 3-1 3-2 / 6-5 6-6",
        dealer="6-0 6-1 6-2 6-3 / 4-4 5-5",
        starter="4-1",
        falls=["3-0", "6-0", "4-0", "6-1", "3-1", "3-2", "6-2", "6-3"],
    )
    assert counted(step.events)[0] == (1, 16)


def test_the_roles_of_dealer_and_non_dealer_change(hand, run):
    step = hand()
    assert (step.state.phase, step.state.dealer, step.state.to_act) == ("deal", 1, 0)
    assert (step.state.hands, step.state.crib, step.state.starter, step.state.played) == (((), ()), (), None, ())
    after = run(step.state, "deal 0 0-0 1-0 1-1 2-0 2-1 2-2", "deal 1 3-0 3-1 3-2 3-3 4-0 4-1")
    assert after.state.to_act == 0
    lead = run(after.state, "discard 0-0 1-0", "discard 3-0 3-1", "starter 6-6")
    assert (lead.state.to_act, lead.state.scores) == (0, (7, 15))  # player 1 deals: 14 and the double


@pytest.mark.parametrize("target", [61, 121])
@pytest.mark.parametrize(
    ("short", "hands", "winner"),
    [
        ((1, 4), 0, 1),  # the pair and thirty-one of player 1 come before the last tile of player 0
        ((5, 14), 1, 1),  # both would get there with their hands: the non-dealer counts first
        ((5, 15), 2, 0),
        ((7, 15), 3, 0),
    ],
)
def test_the_first_to_reach_the_target_wins_and_nothing_more_is_counted(hand, target, short, hands, winner):
    step = hand(scores=tuple(target - missing for missing in short), target=target, falls=FALLS[: 8 if hands else 7])
    assert len(counted(step.events)) == hands
    assert step.events[-1].name == "won"
    assert step.state.result.winners == (winner,)
    assert step.state.result.lost == (winner, 1 - winner)


def test_overshoot_is_kept(hand):
    step = hand(scores=(0, 56))
    assert step.state.scores[1] == 56 + 4 + 10
    assert step.events[-1].text == "{1} wins with 70 points to 1"


@pytest.mark.parametrize(("counts", "points"), [(True, 4), (False, 2)])
def test_a_fifteen_with_the_double_blank_added_is_a_second_one(hand, counts, points):
    step = hand(
        non_dealer="6-3 4-2 0-0 1-0 / 3-3 5-5",
        dealer="6-1 6-2 5-2 5-3 / 4-4 6-6",
        starter="6-5",
        falls=["6-3", "6-1", "1-0", "6-2", "4-2", "5-2", "0-0", "5-3"],
        blank_in_fifteens=counts,
    )
    assert counted(step.events)[0] == (1, points)


def test_the_board_holds_the_points_on_sixty_holes_a_round(hand, game):
    step = hand()
    board = game.board(step.state)
    assert [(pegs.back, pegs.front, pegs.lane) for pegs in board.pegs] == [(7, 7, 0), (14, 14, 1)]
    assert (board.finish, board.lap, board.skunk_line, board.streets) == (61, 60, None, ((1, 30), (31, 60)))
    twice = replace(step.state, rules=replace(step.state.rules, target=121))
    assert (game.board(twice).finish, len(game.board(twice).streets)) == (121, 4)
