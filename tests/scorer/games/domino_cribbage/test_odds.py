from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.engine.advice import Alternative
from scorer.engine.game import Move
from scorer.errors import ThrowError
from scorer.games.domino_cribbage.game import DominoCribbage
from scorer.games.domino_cribbage.legal import deal
from scorer.games.domino_cribbage.odds import discard
from scorer.games.domino_cribbage.rules import Rules
from scorer.pieces.tiles import FULL_SET, Tile
from tests.examples import examples

BELL = "3-0 4-0 3-1 3-2 6-6 0-0"


def tiles(text: str) -> list[Tile]:
    return [Tile.parse(word) for word in text.split()]


@cache
def naive_points(totals: tuple[int, ...], blank: bool = True) -> int:
    counted = totals if blank else tuple(total for total in totals if total)
    fifteens = sum(sum(some) == 15 for n in range(2, 6) for some in combinations(counted, n))
    pairs = sum(a == b for a, b in combinations(totals, 2))
    for length in (5, 4, 3):
        runs = sum(all(b - a == 1 for a, b in pairwise(some)) for some in combinations(totals, length))
        if runs:
            return 2 * fifteens + 2 * pairs + runs * length
    return 2 * fifteens + 2 * pairs


def naive_parts(held: list[Tile], two: tuple[Tile, ...], blank: bool) -> tuple[Fraction, Fraction]:
    """The mean of the hand and of the crib, deal by deal."""
    unseen = [tile for tile in FULL_SET if tile not in held]
    kept = [tile for tile in held if tile not in two]
    hands = [points([*kept, starter], blank) for starter in unseen]
    cribs = [
        points([*two, starter, *theirs], blank)
        for starter in unseen
        for theirs in combinations([tile for tile in unseen if tile != starter], 2)
    ]
    return Fraction(sum(hands), len(hands)), Fraction(sum(cribs), len(cribs))


def points(five: list[Tile], blank: bool) -> int:
    return naive_points(tuple(sorted(tile.pips for tile in five)), blank)


def parts(alternative: Alternative) -> tuple[Fraction, Fraction]:
    return alternative.points["hand"], alternative.points["crib"]


@pytest.mark.parametrize("blank", [True, False])
@pytest.mark.parametrize("hand", [BELL, "0-0 6-3 5-4 6-0 5-1 4-2"])
def test_every_discard_agrees_with_enumeration(hand: str, blank: bool) -> None:
    found = discard(Rules(blank_in_fifteens=blank), tiles(hand), dealer=True).alternatives
    assert len({one.move for one in found}) == 15
    for one in found:
        assert parts(one) == naive_parts(tiles(hand), Move.parse(one.move).tiles, blank)


@examples(15)
@given(st.lists(st.sampled_from(FULL_SET), min_size=6, max_size=6, unique=True), st.booleans(), st.booleans())
def test_the_best_discard_agrees_with_enumeration(held: list[Tile], dealer: bool, blank: bool) -> None:
    advice = discard(Rules(blank_in_fifteens=blank), held, dealer=dealer)
    two = Move.parse(advice.best.move).tiles
    hand, crib = naive_parts(held, two, blank)
    double = Fraction(sum(tile.double for tile in FULL_SET if tile not in held), 22)
    assert advice.best.worth == (hand + crib + double if dealer else hand - crib - double)
    assert advice.best.worth == max(one.worth for one in advice.alternatives)
    assert advice.best.points["hand_least"] <= hand <= advice.best.points["hand_most"]


def test_bells_hand_keeps_what_makes_his_sixteen() -> None:
    for dealer in (True, False):
        best = discard(Rules(), tiles(BELL), dealer=dealer).best
        assert best.move == "discard 0-0 6-6"
        assert best.points["hand_most"] == max(points(tiles(f"3-0 4-0 3-1 3-2 {t}"), True) for t in FULL_SET) == 20
    assert points(tiles("3-0 4-0 3-1 3-2 4-1"), True) == 16


def test_whose_crib_it_is_decides() -> None:
    # 4-3 and 6-2 are a fifteen: a gift to the own crib. 1-0 and 6-5 make next to nothing: fit for the opponent's.
    hand = tiles("1-0 2-1 3-0 4-3 6-2 6-5")
    own, other = (discard(Rules(), hand, dealer=dealer) for dealer in (True, False))
    assert (own.best.move, other.best.move) == ("discard 4-3 6-2", "discard 1-0 6-5")
    assert own.best.points["crib"] > other.best.points["crib"]
    by_move = {one.move: one for one in other.alternatives}
    for one in own.alternatives:
        assert parts(by_move[one.move]) == parts(one)
        assert one.worth - by_move[one.move].worth == 2 * (one.points["crib"] + one.points["double_starter"])
    assert "your crib brings" in own.why
    assert "the opponent's crib takes" in other.why


def test_advice_lists_the_moves_of_the_game() -> None:
    game = DominoCribbage()
    state = game.start(Rules(opening_roll=False), 2)
    for player, held in ((1, FULL_SET[:6]), (0, FULL_SET[6:12])):
        state = game.apply(state, deal(player, held)).state
    advice = discard(Rules(), FULL_SET[:6], dealer=False)
    assert {one.move for one in advice.alternatives} == {str(move) for move in game.legal_moves(state).choices}


@pytest.mark.parametrize(
    ("held", "code"), [("3-0 4-0", "wrong-count"), (f"{BELL} 5-5", "wrong-count"), (f"{BELL} 0-0", "same-tile-twice")]
)
def test_what_is_no_deal_is_refused(held: str, code: str) -> None:
    with pytest.raises(ThrowError) as refused:
        discard(Rules(), tiles(held), dealer=True)
    assert refused.value.code == code
