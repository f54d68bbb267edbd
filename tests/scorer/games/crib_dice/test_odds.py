"""Crib Dice odds against enumerations of their own: every ordered throw, and a plain recursion that knows no shortcut."""

import json
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random
from statistics import mean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.games.crib_dice import odds
from scorer.games.crib_dice.rules import Rules
from scorer.games.crib_dice.throws import points_to_choose, throw_on
from scorer.pieces.dice import ThrowError
from tests.examples import examples

BASIC = Rules()
VARIANTS = [
    BASIC,
    Rules(piddle_points=True),
    Rules(piddle_points=True, piddle_double_point="seven_then_rollover"),
    Rules(piddle_points=True, piddle_double_point="no_result"),
    Rules(freeze_all=False),
]
CHART = {2: lambda v: 2, 3: lambda v: v, 4: lambda v: 2 * v, 5: lambda v: 3 * v, 6: lambda v: 4 * v, 7: lambda v: 5 * v}


def ordered(count: int) -> list[tuple[int, ...]]:
    return list(product(range(1, 7), repeat=count))


@cache
def first_throws() -> Counter[tuple[tuple[int, int], ...]]:
    found: Counter[tuple[tuple[int, int], ...]] = Counter()
    for dice in ordered(7):
        found[tuple((v, n) for v in range(1, 7) if (n := dice.count(v)) > 1)] += 1
    return found


@cache
def matches(count: int, point: int) -> Counter[tuple[int, bool]]:
    return Counter((dice.count(point), 1 in dice) for dice in ordered(count))


policy = cache(lambda rules: odds.turn(rules).policy)


class Naive:
    """Best play by plain recursion on floats: again and again where nothing changed, and a bound where the bank is large."""

    def __init__(self, rules: Rules, bound: float, bank_at_bound: int = 50) -> None:
        self.rules, self.bound, self.limit = rules, bound, bank_at_bound
        self.fresh = [0.0] * bank_at_bound
        for bank in range(bank_at_bound - 1, -1, -1):
            holding: dict[tuple[int, int], float] = {}
            for point, frozen in product(range(1, 7), range(7, 1, -1)):
                holding[point, frozen] = self.hold(bank, point, frozen, holding)
            worth = sum(max(self.pick(holding, o) for o in offer) * n for offer, n in first_throws().items())
            self.fresh[bank] = worth / 6**7

    def pick(self, holding: dict[tuple[int, int], float], offer: tuple[int, int]) -> float:
        point, most = offer
        counts = [most] if self.rules.freeze_all else range(2, most + 1)
        return max(holding[point, count] for count in counts)

    def seven(self, bank: int) -> float:
        return self.fresh[bank] if bank < self.limit else bank + self.bound

    def hold(self, bank: int, point: int, frozen: int, holding: dict[tuple[int, int], float]) -> float:
        stop = bank + CHART[frozen](point)
        if frozen == 7:
            return max(stop, self.seven(stop))
        if frozen >= 5:
            return max(stop, self.piddle(bank, point, frozen))
        return self.throw_on(stop, point, frozen, holding)

    def piddle(self, bank: int, point: int, frozen: int, again: int = 6) -> float:
        if not again:
            return 0.0
        worth = 0.0
        for one, other in ordered(2):
            added = ((one == point) + (other == point)) if self.rules.piddle_points else 0
            if one == other == point and self.rules.doubles == "no_result":
                worth += self.piddle(bank, point, frozen, again - 1) / 36
            elif one == other == point and self.rules.doubles == "seven_then_reroll":
                worth += self.piddle(bank, point, 7, again - 1) / 36
            elif one != other or one == point:
                worth += self.seven(bank + CHART[min(frozen + added, 7)](point)) / 36
        return worth

    def throw_on(self, stop: float, point: int, frozen: int, holding: dict[tuple[int, int], float]) -> float:
        matching = matches(7 - frozen, point)
        worth = stop
        for _ in range(25):
            now = 0.0
            for (joined, safe), ways in matching.items():
                least = joined if self.rules.freeze_all else 1
                if joined:
                    now += max(holding[point, frozen + n] for n in range(least, joined + 1)) * ways
                elif safe:
                    now += worth * ways
            worth = max(stop, now / 6 ** (7 - frozen))
        return worth


@pytest.mark.parametrize(("dice", "says"), [(5, 87), (4, 80), (3, 70)])
def test_the_texts_table_of_staying_safe(dice: int, says: int) -> None:
    assert int(odds.safe_chance(dice, 5) * 100 + Fraction(1, 2)) == says


@pytest.mark.parametrize("dice", range(1, 6))
def test_staying_safe_is_what_all_throws_say(dice: int) -> None:
    for point in range(1, 7):
        safe = sum(point in thrown or 1 in thrown for thrown in ordered(dice))
        assert odds.safe_chance(dice, point) == Fraction(safe, 6**dice)
    assert odds.safe_chance(dice, 1) == 1 - Fraction(5, 6) ** dice


def test_the_texts_piddle() -> None:
    piddle = odds.piddle(BASIC)
    assert (piddle.won, piddle.lost, piddle.again) == (Fraction(30, 36), Fraction(5, 36), Fraction(1, 36))
    assert piddle.won_in_the_end == Fraction(6, 7)
    rollover = odds.piddle(Rules(piddle_points=True, piddle_double_point="seven_then_rollover"))
    assert (rollover.won_in_the_end, rollover.again) == (Fraction(31, 36), 0)


@pytest.mark.parametrize("rules", [BASIC, Rules(pandemonium=True)])
def test_the_bomb_is_what_all_throws_say(rules: Rules) -> None:
    hits = Fraction(sum(1 in dice for dice in ordered(2)), 36)
    assert hits == Fraction(11, 36)
    chance = {frozen: Fraction(1) if frozen >= rules.bomb_at else hits for frozen in (5, 6, 7)}
    for frozen in (4, 3, 2):
        thrown = [dice.count(1) for dice in ordered(7 - frozen)]
        chance[frozen] = sum((chance[frozen + ones] for ones in thrown if ones), Fraction(0)) / len(thrown)
    assert {frozen: odds.bomb_chance(rules, frozen) for frozen in chance} == chance
    start = sum(chance[dict(offer)[1]] * ways for offer, ways in first_throws().items() if 1 in dict(offer))
    assert odds.bomb_chance(rules) == start / 6**7


@pytest.mark.parametrize("rules", VARIANTS, ids=lambda rules: str(rules.changed()))
def test_the_expected_turn_lies_between_naive_bounds(rules: Rules) -> None:
    exact = float(odds.turn(rules).expected)
    low, high = Naive(rules, bound=2.0), Naive(rules, bound=6.0)
    assert low.fresh[0] - 1e-9 <= exact <= high.fresh[0] + 1e-9
    assert high.fresh[0] - low.fresh[0] < 1e-2
    for bank in (1, 7, 20, 26):
        assert float(odds.points_of(rules).fresh(bank).worth) == pytest.approx(low.fresh[bank], abs=2e-3)


@pytest.mark.parametrize("rules", VARIANTS, ids=lambda rules: str(rules.changed()))
def test_the_horizon_is_no_approximation(rules: Rules) -> None:
    turns = odds.points_of(rules)
    further = odds.Turns(rules, odds.POINTS, turns.horizon + 9)
    assert all(further.fresh(bank) == turns.fresh(bank) for bank in range(turns.horizon + 9))


@examples(60)
@given(st.integers(0, 40), st.integers(1, 6), st.integers(2, 6), st.sampled_from(VARIANTS))
def test_the_policy_says_what_the_advice_says(bank: int, point: int, frozen: int, rules: Rules) -> None:
    row = next(row for row in policy(rules) if (row.point, row.frozen) == (point, frozen))
    goes_on = row.up_to is not None and bank <= row.up_to
    advice = odds.advise(rules, bank, (point, frozen))
    assert (advice.best.move != "stop") == goes_on
    assert [float(a.worth) for a in advice.alternatives] == sorted(float(a.worth) for a in advice.alternatives)[::-1]


def test_playing_as_advised_brings_what_is_promised() -> None:
    random = Random(1)
    promised = odds.turn(BASIC)
    totals = [_played(random) for _ in range(20_000)]
    # Four and a half standard errors: one seed in 150,000 would fail by chance.
    assert mean(totals) == pytest.approx(float(promised.expected), abs=4.5 * stdev(totals) / len(totals) ** 0.5)
    lost = mean(not total for total in totals)
    assert lost == pytest.approx(float(promised.outlook.lost), abs=4.5 * 0.5 / len(totals) ** 0.5)


@cache
def _best(bank: int, point: int, frozen: int) -> str:
    return odds.advise(BASIC, bank, (point, frozen)).best.move


@cache
def _chosen(bank: int, offered: tuple[tuple[int, int], ...]) -> int:
    dice = [point for point, count in offered for _ in range(count)]
    others = [v for v in range(1, 7) if v not in dict(offered)]
    return int(odds.advise(BASIC, bank, dice=[*dice, *others[: 7 - len(dice)]]).best.move.split()[1])


def _played(random: Random, bank: int = 0) -> int:
    dice = [random.randint(1, 6) for _ in range(7)]
    offered = {meld.pieces[0]: len(meld.pieces) for meld in points_to_choose(dice)}
    point = _chosen(bank, tuple(sorted(offered.items())))
    frozen, total = offered[point], 0
    while True:
        total = bank + CHART[frozen](point)
        if _best(bank, point, frozen) == "stop":
            return total
        if frozen == 7:
            return _played(random, total)
        count = 2 if frozen >= 5 else 7 - frozen
        throw = throw_on([random.randint(1, 6) for _ in range(count)], point, frozen)
        if throw.outcome in ("wipeout", "piddle-lost"):
            return 0
        if throw.outcome == "piddle-won":
            return _played(random, total)
        frozen = throw.frozen


def test_advice_on_the_texts_first_throw() -> None:
    advice = odds.advise(BASIC, dice=[5, 5, 2, 2, 1, 4, 6])
    assert [a.move for a in advice.alternatives] == ["point 5", "point 2"]
    assert advice.why.startswith("Freeze two 5s for 2 points: the turn is then worth 7.7 points")
    assert json.loads(json.dumps(advice.to_json()))["best"] == "point 5"


def test_advice_says_why_in_numbers() -> None:
    advice = odds.advise(BASIC, bank=30, held=(5, 3))
    assert advice.best.move == "stop"
    assert advice.why.startswith("Throwing four dice keeps you safe 80% of the time and makes the turn worth ")
    assert advice.why.endswith(" against the 35 you have: stop and peg 35 points.")


@pytest.mark.parametrize(
    ("rules", "held"),
    [
        *((rules, held) for rules in (BASIC, Rules(freeze_all=False)) for held in ((5, 3), (2, 2), (4, 4), (1, 3))),
        (Rules(roll_at_five_or_six=True), (4, 5)),
    ],
)
@pytest.mark.parametrize("bank", [0, 30])
def test_a_throw_is_worth_what_the_best_after_it_is(rules: Rules, held: tuple[int, int], bank: int) -> None:
    # After a 1 that does not join, nothing has changed: one who should have stopped may stop then.
    point, frozen = held
    rolled = next(a for a in odds.advise(rules, bank, held).alternatives if a.move in ("throw", "roll"))
    turns, worth, lost = odds.points_of(rules), Fraction(0), Fraction(0)
    for dice in ordered(7 - frozen):
        joined = dice.count(point)
        if not joined and 1 not in dice:
            lost += 1
            continue
        counts = [joined] if rules.freeze_all or not joined else range(1, joined + 1)
        after = max((turns.held(bank, point, frozen + count) for count in counts), key=lambda outlook: outlook.worth)
        worth, lost = worth + after.worth, lost + after.lost
    assert (rolled.worth, rolled.chances["nothing"]) == (worth / 6 ** (7 - frozen), lost / 6 ** (7 - frozen))


def test_seven_of_a_kind_goes_on_for_nothing_can_be_lost() -> None:
    advice = odds.advise(BASIC, bank=300, held=(6, 7))
    assert advice.best.move == "throw"
    assert advice.best.chances["wipeout"] == 0


def test_a_throw_leads_to_the_next_decision() -> None:
    assert odds.advise(BASIC, held=(5, 2), dice=[5, 1, 6, 6, 6]) == odds.advise(BASIC, held=(5, 3))
    some = odds.advise(Rules(freeze_all=False), held=(5, 2), dice=[5, 5, 6, 6, 6])
    assert sorted(a.move for a in some.alternatives) == ["freeze 1", "freeze 2"]
    first = odds.advise(Rules(freeze_all=False), dice=[5, 5, 5, 2, 1, 4, 6])
    assert {a.move for a in first.alternatives} == {"point 5 2", "point 5 3"}


def test_the_bomb_is_among_the_alternatives_with_its_chance() -> None:
    announced = odds.advise(Rules(bomb=True), held=(1, 5)).alternatives
    assert next(a for a in announced if a.move == "bomb").chances["bomb"] == Fraction(11, 36)
    ready = odds.advise(Rules(bomb=True, bomb_scores_points=True), held=(1, 6)).alternatives
    assert next(a for a in ready if a.move == "bomb").worth == 4
    assert all(a.move != "bomb" for a in odds.advise(BASIC, held=(1, 6)).alternatives)


@pytest.mark.parametrize(
    ("code", "held", "dice"),
    [
        ("turn-over", (5, 3), [2, 3, 4, 6]),
        ("no-choice", (5, 5), [2, 3]),
        ("bad-frozen", (5, 8), []),
        ("bad-frozen", (0, 3), []),
        ("wrong-count", None, [5, 5]),
    ],
)
def test_no_advice_where_there_is_nothing_to_decide(code: str, held: tuple[int, int] | None, dice: list[int]) -> None:
    with pytest.raises(ThrowError) as refused:
        odds.advise(BASIC, held=held, dice=dice)
    assert refused.value.code == code


def test_the_turn_as_json() -> None:
    told = json.loads(json.dumps(odds.turn(Rules(piddle_points=True)).to_json()))
    assert told["rules"] == {"piddle_points": "true"}
    assert told["p_wipeout"]["point 2 to 6"]["3"] == "8/27"
    assert told["p_wipeout"]["point 1"]["5"] == "3125/7776"
    assert told["p_bomb"]["5"] == "11/36"
    assert len(told["policy"]) == 30


class TestRollingAtFiveOrSix:
    TURNS = odds.points_of(Rules(roll_at_five_or_six=True))

    @pytest.mark.parametrize("bank", [0, 10])
    def test_two_dice_on_five_of_a_kind(self, bank: int) -> None:
        # Of 36 throws 16 show neither a 4 nor a 1, 10 one 4, and one two 4s; the 9 others change nothing.
        turns = self.TURNS
        six, seven = turns.held(bank, 4, 6), turns.held(bank, 4, 7)
        assert turns.roll_on(bank, 4, 5).worth == (10 * six.worth + seven.worth) / Fraction(27)
        assert turns.roll_on(bank, 4, 5).lost == (16 + 10 * six.lost + seven.lost) / Fraction(27)

    def test_how_many_of_two_matching_dice_to_freeze(self, seat) -> None:
        table = seat(roll_at_five_or_six=True, freeze_all=False)
        table.play("throw 1 2 5 5 5 5 5", "point 5 5", "roll", "throw 5 5")
        advice = table.game.advise(table.state, hands=True)
        assert advice
        assert sorted(each.move for each in advice.alternatives) == sorted(table.choices) == ["freeze 1", "freeze 2"]
        assert advice.best.worth == odds.points_of(table.state.rules).held(0, 5, 7).worth

    def test_after_one_matching_die(self) -> None:
        advice = odds.advise(Rules(roll_at_five_or_six=True), held=(5, 5), dice=[2, 5])
        assert {each.move for each in advice.alternatives} == {"stop", "piddle", "roll"}

    def test_a_piddle_is_always_the_better(self) -> None:
        turns, basic = self.TURNS, odds.points_of(BASIC)
        spots = [(bank, point, frozen) for bank in range(0, 60, 7) for point in range(1, 7) for frozen in (5, 6)]
        assert all(turns.piddle(*spot).worth >= turns.roll_on(*spot).worth for spot in spots)
        assert turns.fresh(0) == basic.fresh(0)
