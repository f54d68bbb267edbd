"""Advice on which tile to lay: the mean of the best reply against every hand, counted one by one."""

from fractions import Fraction
from itertools import combinations

import pytest

from scorer.games.muggins.legal import after, play, scored
from scorer.games.muggins.odds import best_reply
from tests.scorer.games.muggins.table import GAME, layout, run, secret, tiles, told

POOL = tiles("4-0 5-2 5-5 4-3 1-0 6-1 6-3 2-2")
"""Beside 4-4 and 5-4, whose ends are 8 and 5: 4-0 makes 5, and 5-2 makes 10."""


@pytest.mark.parametrize("held", [1, 2, 3, 8])
def test_the_best_reply_is_what_counting_all_hands_finds(held: int) -> None:
    now = layout("4-4", "5-4 4-4")
    hands = list(combinations(POOL, held))
    best = [
        max((scored(after(now, play(tile, there))) for tile in hand for there in now.fitting(tile)), default=0)
        for hand in hands
    ]
    assert best_reply(now, POOL, held) == Fraction(sum(best), len(hands))
    assert max(best) == 10


def test_advice_ranks_every_play_and_says_why() -> None:
    state = run(told("5-5 5-0 6-0", "6-5 5-4 3-1"), "play 5-5").state
    advice = GAME.advise(state, hands=True)
    assert advice is not None
    # 10 and 6, or 10 and 4: nothing scores now.
    assert {one.move: one.points["points"] for one in advice.alternatives} == {"play 6-5 5-5": 0, "play 5-4 5-5": 0}
    assert advice.best.worth == -advice.best.points["reply"]
    assert advice.why.startswith("Play ")


def test_who_goes_out_leaves_no_reply() -> None:
    last = run(told("6-6 6-2 4-2", "6-1 5-1 3-3"), "play 6-6", "play 6-1 6-6", "play 6-2 6-6", "play 5-1 6-1").state
    advice = GAME.advise(last, hands=True)
    assert advice is not None
    assert [(one.move, one.points["reply"]) for one in advice.alternatives] == [("play 4-2 6-2", 0)]


def test_hands_are_told_to_nobody_who_may_not_see_them_and_not_where_they_are_secret() -> None:
    assert GAME.advise(told("5-5 5-0 6-0", "6-5 5-4 3-1"), hands=False) is None
    assert GAME.advise(secret(), hands=True) is None
