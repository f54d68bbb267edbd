"""Advice on which tile to lay: the mean of the best reply against every hand, counted one by one."""

from fractions import Fraction
from itertools import combinations

import pytest

from scorer.errors import ThrowError
from scorer.games.muggins.legal import after, play, scored
from scorer.games.muggins.odds import best_reply
from scorer.games.muggins.questions import MugginsMoment
from scorer.games.muggins.rules import Rules
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


# A situation that is typed


def test_a_typed_situation_gets_the_advice_of_the_game() -> None:
    state = run(told("5-5 5-0 6-0", "6-5 5-4 3-1"), "play 5-5").state
    moment = MugginsMoment(tiles=("6-5", "5-4", "3-1"), laid=("5-5",), next_holds=2)
    assert moment.advice(state.rules) == GAME.advise(state, hands=True)


def test_the_first_tile_of_a_hand_is_a_lead() -> None:
    best = MugginsMoment(tiles=("5-5", "3-1"), next_holds=7).advice(Rules()).best
    assert (best.text, best.points["points"]) == ("lead 5-5", 10)
    forced = MugginsMoment(tiles=("1-1", "6-4"), next_holds=7).advice(Rules(lead="double"))
    assert [one.move for one in forced.alternatives] == ["play 1-1"]


def test_a_tile_that_fits_two_ends_is_laid_where_it_is_said() -> None:
    # 5-3 lies against the spinner 5-5, so the only 3 that is open is its own.
    told_where = MugginsMoment(tiles=("3-1",), laid=("5-5", "5-0", "5-3/5-5"), next_holds=3).advice(Rules())
    assert [one.move for one in told_where.alternatives] == ["play 3-1 5-3"]


@pytest.mark.parametrize(
    ("tiles", "laid", "next_holds", "code"),
    [
        (("6-6",), ("5-5", "4-3"), 3, "does-not-fit"),
        (("6-6",), ("5-5", "5-0", "5-3/5-0"), 3, "does-not-fit"),
        (("6-1",), ("6-4", "6-5", "5-4", "4-1"), 3, "which-end"),
        (("6-6",), ("5-5",), 3, "nothing-fits"),
        (("5-5",), ("5-5",), 3, "same-tile-twice"),
        (("9-1",), ("5-5",), 3, "no-tile"),
        (("6-5",), ("5-5",), 27, "wrong-count"),
    ],
)
def test_a_situation_that_cannot_be_is_refused(
    tiles: tuple[str, ...], laid: tuple[str, ...], next_holds: int, code: str
) -> None:
    with pytest.raises(ThrowError) as trouble:
        MugginsMoment(tiles=tiles, laid=laid, next_holds=next_holds).advice(Rules())
    assert trouble.value.code == code
