"""What scores in Farkle, against another way of counting it: every throw of six dice, and the known chances to farkle."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import pytest

from scorer.errors import RulesError
from scorer.games.farkle.odds import farkle_chance
from scorer.games.farkle.rules import Rules
from scorer.games.farkle.throws import set_asides

ALL = Rules(of_a_kind="thousands", straight=1500, three_pairs=1500, four_and_two=True, two_triplets=2500)
RULES = [Rules(), Rules(of_a_kind="doubled"), Rules(of_a_kind="added"), ALL, Rules(straight=1500, three_pairs=750)]


def of_a_kind(value: int, count: int, rules: Rules) -> int:
    """The most that so many dice of one value make, by hand: singles, a triple, or a line of their own."""
    single = {1: 100, 5: 50}.get(value, 0)
    triple = 1000 if value == 1 else 100 * value
    ways = [single * count]
    if count >= 3:
        ways.append(triple + single * (count - 3))
    if count == 6:
        ways.append(2 * triple)
    for same in range(4, count + 1):
        line = {
            "triples": 0,
            "doubled": triple << (same - 3),
            "added": triple * (same - 2),
            "thousands": 1000 * (same - 3),
        }[rules.of_a_kind]
        ways.append(line + single * (count - same))
    return max(ways)


@cache
def by_counting(counts: tuple[int, ...], rules: Rules) -> int:
    """The most points of a throw, value by value, or of the lines that take all six dice."""
    ways = [sum(of_a_kind(value, count, rules) for value, count in enumerate(counts, start=1))]
    shape = sorted(filter(None, counts))
    if shape == [1] * 6:
        ways.append(rules.straight)
    if shape == [2, 2, 2] or (shape == [2, 4] and rules.four_and_two):
        ways.append(rules.three_pairs)
    if shape == [3, 3]:
        ways.append(rules.two_triplets)
    return max(ways)


@cache
def best(dice: tuple[int, ...], rules: Rules) -> int:
    return max((choice.points for choice in set_asides(dice, rules)), default=0)


@pytest.mark.parametrize("rules", RULES)
def test_every_throw_of_six_dice(rules: Rules) -> None:
    seen = Counter[bool]()
    for dice in product(range(1, 7), repeat=6):
        counts = tuple(dice.count(value) for value in range(1, 7))
        assert best(tuple(sorted(dice)), rules) == by_counting(counts, rules)
        seen[by_counting(counts, rules) > 0] += 1
    assert seen.total() == 46_656
    assert Fraction(seen[False], 46_656) == farkle_chance(rules, 6)


KNOWN = [Fraction(2, 3), Fraction(4, 9), Fraction(5, 18), Fraction(17, 108), Fraction(25, 324)]
"""With one to five dice; as everybody's tables have them, 66.7 %, 44.4 %, 27.8 %, 15.7 % and 7.7 %."""


def test_the_known_chances_to_farkle() -> None:
    assert [farkle_chance(Rules(), dice) for dice in range(1, 6)] == KNOWN
    assert farkle_chance(Rules(), 6) == Fraction(5, 162)
    three_pairs = Rules(three_pairs=1500)
    assert farkle_chance(three_pairs, 6) == Fraction(5, 216)
    assert [farkle_chance(three_pairs, dice) for dice in range(1, 6)] == KNOWN


def test_single_dice_need_not_be_taken() -> None:
    taken = [(choice.dice, choice.points, choice.left) for choice in set_asides((1, 5, 2, 3, 4, 6), Rules())]
    assert taken == [((1, 5), 150, 4), ((1,), 100, 5), ((5,), 50, 5)]


@pytest.mark.parametrize(("option", "value"), [("straight", 1490), ("target", 9_999), ("opening_score", 30)])
def test_points_are_multiples_of_fifty(option: str, value: int) -> None:
    with pytest.raises(RulesError, match="multiple of 50"):
        Rules(**{option: value})


@pytest.mark.parametrize("option", ["four_and_two=yes", "opening_score=50", "two_triplets=50", "two_triplets=500"])
def test_an_option_without_effect_is_refused(option: str) -> None:
    with pytest.raises(RulesError, match="no effect"):
        Rules.from_texts([option])


@pytest.mark.parametrize("option", ["opening_score=0", "opening_score=100", "two_triplets=0", "two_triplets=550"])
def test_points_that_change_something_are_not(option: str) -> None:
    Rules.from_texts([option])


@pytest.mark.parametrize(("points", "changes"), [(50, False), (500, False), (550, True)])
def test_two_triplets_score_at_least_three_2s_and_three_3s(points: int, changes: bool) -> None:
    pairs = [(one,) * 3 + (other,) * 3 for one, other in combinations(range(1, 7), 2)]
    plain, own = (
        [set_asides(dice, rules)[0].points for dice in pairs] for rules in (Rules(), Rules(two_triplets=points))
    )
    assert (plain != own) is changes
