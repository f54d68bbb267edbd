"""A turn of Farkle: published chances, the same game counted in holes, and what the least to get on the board costs."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from scorer.games.farkle import odds
from scorer.games.farkle.rules import UNIT, Rules
from scorer.games.farkle_crib import odds as farkle_crib
from scorer.games.farkle_crib.rules import Rules as FarkleCribRules

PUBLISHED = {6: 2.31, 5: 7.72, 4: 15.74, 3: 27.78, 2: 44.44, 1: 66.67}
"""Percent of throws that farkle where three pairs score, as tables of the game print them."""


def test_the_published_chances_to_farkle() -> None:
    rules = Rules(three_pairs=1500)
    assert {dice: round(float(odds.farkle_chance(rules, dice)) * 100, 2) for dice in PUBLISHED} == PUBLISHED
    assert odds.farkle_chance(Rules(), 6) == Fraction(5, 162)


def test_basic_farkle_is_farkle_cribbage_with_two_triples_of_a_value_and_fifty_points_a_hole() -> None:
    """Whose turn is checked against a recursion of its own, in `farkle_crib/test_odds.py`."""
    farkle, holes = odds.turn(Rules()), farkle_crib.turn(FarkleCribRules(two_triples=True))
    assert (farkle.expected, farkle.outlook.lost) == (holes.expected * UNIT, holes.outlook.lost)
    assert [row.stop_at for row in farkle.policy] == [row.stop_at * UNIT for row in holes.policy]


def test_who_has_to_get_on_the_board_throws_on_below_the_least() -> None:
    rules = Rules(opening_score=500)
    first, later = odds.turn(rules), odds.turn(rules, banked=50)
    assert [row.stop_at for row in first.policy][:3] == [500, 500, 500]
    assert later.policy == odds.turn(Rules()).policy
    assert first.expected < later.expected
    assert first.outlook.lost > later.outlook.lost
    assert (first.notes, later.notes) == (("The first 500 points must be made in one turn.",), ())


@pytest.mark.parametrize("rules", [Rules(), Rules(of_a_kind="thousands", straight=1500, three_pairs=1500)])
@pytest.mark.parametrize("opening_score", [0, 500])
def test_the_policy_says_what_the_advice_says(rules: Rules, opening_score: int) -> None:
    for row in odds.turn(replace(rules, opening_score=opening_score)).policy:
        for points in {UNIT, row.stop_at - UNIT, row.stop_at, row.stop_at + UNIT} - {0}:
            best = odds.best_decision(rules, opening_score, points, row.dice).best
            assert (best.move == "stop") == (points >= row.stop_at)
