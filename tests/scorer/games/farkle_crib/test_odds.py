"""Farkle Cribbage odds against enumerations of their own: every ordered throw, and a plain recursion with a naive chart."""

import json
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from random import Random
from statistics import mean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.games.farkle_crib import odds
from scorer.games.farkle_crib.rules import Rules
from scorer.games.farkle_crib.throws import Bonus, set_asides
from scorer.pieces.dice import ThrowError
from tests.examples import examples

BASIC = Rules()
ALL = Rules(bonus=frozenset(map(str, Bonus)))
VARIANTS = [BASIC, ALL, Rules(bonus=ALL.bonus, three_pairs_4_2=True), Rules(bonus=frozenset(["straight"]))]
TRIPLE = {1: 20, 2: 4, 3: 6, 4: 8, 5: 10, 6: 12}
names = pytest.mark.parametrize("rules", VARIANTS, ids=lambda rules: str(rules.changed()))


policy = cache(lambda rules: odds.turn(rules).policy)


@cache
def naive_lines(bonus: frozenset[str], four_two: bool) -> list[tuple[tuple[int, ...], int]]:
    lines = [((1,), 2), ((5,), 1), *(((v,) * 3, TRIPLE[v]) for v in TRIPLE)]
    for name, count, extra in (("four", 4, 10), ("five", 5, 15), ("six", 6, 20)):
        if f"{name}-of-a-kind" in bonus:
            lines += [((v,) * count, TRIPLE[v] + extra) for v in TRIPLE]
    if "straight" in bonus:
        lines.append(((1, 2, 3, 4, 5, 6), 25))
    if "three-pairs" in bonus:
        lines += [(tuple(sorted(three * 2)), 10) for three in combinations(range(1, 7), 3)]
        lines += [((a,) * 4 + (b,) * 2, 10) for a, b in product(range(1, 7), repeat=2) if a != b and four_two]
    if "full-house" in bonus:
        lines += [((a, a, a, b, b), 15) for a, b in product(range(1, 7), repeat=2) if a != b]
    return lines


@cache
def naive_score(dice: tuple[int, ...], rules: Rules, triples: frozenset[int] = frozenset()) -> int | None:
    """The most points that use up exactly these dice; None where they do not all score. No value has two triples."""
    if not dice:
        return 0
    found = []
    for line, points in naive_lines(rules.bonus, rules.three_pairs_4_2):
        if line == (line[0],) * 3 and line[0] in triples:
            continue
        if not Counter(line) - Counter(dice):
            rest = tuple(sorted((Counter(dice) - Counter(line)).elements()))
            more = naive_score(rest, rules, triples | ({line[0]} if line == (line[0],) * 3 else set()))
            if more is not None:
                found.append(points + more)
    return max(found, default=None)


@cache
def naive_choices(dice: tuple[int, ...], rules: Rules) -> frozenset[tuple[int, int]]:
    """Points and dice to throw next of every selection that scores."""
    chosen = {s for size in range(1, len(dice) + 1) for s in combinations(dice, size)}
    scored = [(naive_score(s, rules), (len(dice) - len(s)) or 6) for s in chosen]
    return frozenset((points, left) for points, left in scored if points is not None)


@cache
def naive_throws(count: int) -> Counter[tuple[int, ...]]:
    return Counter(tuple(sorted(dice)) for dice in product(range(1, 7), repeat=count))


@cache
def naive_ends(count: int, rules: Rules) -> Counter[frozenset[tuple[int, int]]]:
    found: Counter[frozenset[tuple[int, int]]] = Counter()
    for dice, ways in naive_throws(count).items():
        found[naive_choices(dice, rules)] += ways
    return found


def naive_turn(rules: Rules, bound: float, limit: int = 120) -> dict[tuple[int, int], float]:
    """Worths of throwing by (points held, dice); from `limit` on a throw is taken to be worth `bound` more than is held."""
    worth: dict[tuple[int, int], float] = {}

    def hold(total: int, dice: int) -> float:
        return max(total, worth[total, dice]) if total < limit else total + bound

    for total, dice in product(range(limit - 1, -1, -1), range(1, 7)):
        ends = naive_ends(dice, rules).items()
        worth[total, dice] = sum(max((hold(total + p, n) for p, n in e), default=0) * w for e, w in ends) / 6**dice
    return worth


@names
@pytest.mark.parametrize("dice", range(1, 7))
def test_farkles_are_what_all_throws_say(dice: int, rules: Rules) -> None:
    farkles = sum(ways for thrown, ways in naive_throws(dice).items() if not naive_choices(thrown, rules))
    assert odds.farkle_chance(rules, dice) == Fraction(farkles, 6**dice)


def test_well_known_chances_to_farkle() -> None:
    known = {"1": "2/3", "2": "4/9", "3": "5/18", "4": "17/108", "5": "25/324", "6": "5/162"}
    assert odds.turn(BASIC).to_json()["p_farkle"] == known
    assert odds.farkle_chance(ALL, 6) == Fraction(5, 216)


@names
def test_the_expected_turn_lies_between_naive_bounds(rules: Rules) -> None:
    low, high = naive_turn(rules, bound=0), naive_turn(rules, bound=12)
    turns = odds.points_of(rules)
    assert high[0, 6] - low[0, 6] < 0.01
    for total, dice in ((0, 6), (3, 4), (8, 2), (15, 1), (25, 6), (30, 5)):
        exact = float(turns.throw(total, dice).worth)
        assert low[total, dice] - 1e-9 <= exact <= high[total, dice] + 1e-9


@names
def test_the_horizon_is_no_approximation(rules: Rules) -> None:
    turns = odds.points_of(rules)
    further = odds.Turns(rules, odds.POINTS, turns.horizon + 9)
    totals = [*range(0, turns.horizon, 25), *range(turns.horizon - 2, turns.horizon + 9)]
    assert all(further.throw(t, n) == turns.throw(t, n) for t, n in product(totals, range(1, 7)))


@examples(60)
@given(st.integers(1, 400), st.integers(1, 6), st.sampled_from(VARIANTS))
def test_the_policy_says_what_the_advice_says(total: int, dice: int, rules: Rules) -> None:
    row = policy(rules)[dice - 1]
    assert (odds.advise(rules, total, dice).best.move == "stop") == (total >= row.stop_at)


@examples(60)
@given(st.lists(st.integers(1, 6), min_size=1, max_size=6), st.integers(0, 60), st.sampled_from(VARIANTS))
def test_every_legal_set_aside_is_weighed(dice: list[int], total: int, rules: Rules) -> None:
    legal = set_asides(dice, rules.chart_bonuses, three_pairs_4_2=rules.three_pairs_4_2)
    if not legal:
        with pytest.raises(ThrowError, match="farkle"):
            odds.advise(rules, total, thrown=dice)
        return
    advice = odds.advise(rules, total, thrown=dice)
    assert len(advice.alternatives) == 2 * len(legal)
    turns = odds.points_of(rules)
    assert advice.best.worth == max(turns.held(total + choice.points, choice.left or 6).worth for choice in legal)


def test_playing_as_advised_brings_what_is_promised() -> None:
    random = Random(2)
    promised = odds.turn(ALL)
    totals = [_played(random) for _ in range(8_000)]
    # Four and a half standard errors: one seed in 150,000 would fail by chance.
    assert mean(totals) == pytest.approx(float(promised.expected), abs=4.5 * stdev(totals) / len(totals) ** 0.5)
    lost = mean(not total for total in totals)
    assert lost == pytest.approx(float(promised.outlook.lost), abs=4.5 * 0.5 / len(totals) ** 0.5)


@cache
def _best(total: int, thrown: tuple[int, ...]) -> tuple[tuple[int, ...], str]:
    keep, then = odds.advise(ALL, total, thrown=thrown).best.move.split(", ")
    return tuple(map(int, keep.split()[1:])), then


def _played(random: Random) -> int:
    total, dice = 0, 6
    while True:
        thrown = tuple(sorted(random.randint(1, 6) for _ in range(dice)))
        if not set_asides(thrown, ALL.chart_bonuses):
            return 0
        kept, then = _best(total, thrown)
        total += naive_score(kept, ALL) or 0
        if then == "stop":
            return total
        dice = dice - len(kept) or 6


def test_advice_on_the_texts_throw() -> None:
    advice = odds.advise(BASIC, thrown=[1, 2, 6, 3, 3, 3])
    stops = {a.move: a.worth for a in advice.alternatives if a.move.endswith("stop")}
    assert stops == {"keep 1, stop": 2, "keep 3 3 3, stop": 6, "keep 1 3 3 3, stop": 8}
    assert advice.best.move == "keep 1 3 3 3, stop"
    assert advice.why.startswith("Set aside three 3s and a 1 for 8 points and stop at 8 points")


def test_advice_says_why_in_numbers() -> None:
    why = odds.advise(BASIC, total=25, dice=4).why
    assert why.startswith("Throwing four dice scores 84% of the time and makes the turn worth ")
    assert why.endswith(" against the 25 you have: stop and peg 25 points.")


def test_hot_dice_throw_all_six_again() -> None:
    moves = {a.move: a for a in odds.advise(BASIC, total=10, thrown=[1, 5]).alternatives}
    assert moves["keep 1 5, throw"].chances["farkle"] == Fraction(5, 162)


@pytest.mark.parametrize(
    ("code", "total", "dice"), [("wrong-count", 3, 7), ("wrong-count", 3, 0), ("bad-total", -1, 6)]
)
def test_what_no_turn_can_be_is_refused(code: str, total: int, dice: int) -> None:
    with pytest.raises(ThrowError) as refused:
        odds.advise(BASIC, total, dice)
    assert refused.value.code == code


def test_the_turn_as_json() -> None:
    told = json.loads(json.dumps(odds.turn(ALL).to_json()))
    assert told["p_farkle"]["6"] == "5/216"
    assert [row["dice"] for row in told["policy"]] == [1, 2, 3, 4, 5, 6]
    assert told["expected"] == pytest.approx(12.2158, abs=1e-4)
