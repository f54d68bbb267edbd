"""Everything here is counted a second time, throw by throw, with a scorer of its own."""

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.engine.advice import Advice
from scorer.engine.game import Move
from scorer.errors import ScorerError
from scorer.games.cribbage_dice.game import CribbageDice
from scorer.games.cribbage_dice.odds import Dice, advise, ends_and_better, expected_with, keeping, turn
from scorer.games.cribbage_dice.rules import Rules
from tests.examples import examples

D12 = range(1, 13)
ONCE_KEPT, SEVEN, SEVEN_ANY_STARTER = (
    Rules(once_kept=True),
    Rules(seven_dice=True),
    Rules(seven_dice=True, seven_keep_starter=False),
)
SEVEN_ONCE_KEPT = Rules(once_kept=True, seven_dice=True)


@cache
def naive_points(five: tuple[int, ...]) -> int:
    fifteens = sum(sum(min(v, 10) for v in some) == 15 for n in range(1, 6) for some in combinations(five, n))
    pairs = sum(a == b for a, b in combinations(five, 2))
    return 2 * fifteens + 2 * pairs + naive_runs(five)


def naive_runs(five: tuple[int, ...]) -> int:
    for length in (5, 4, 3):
        runs = sum(all(b - a == 1 for a, b in pairwise(some)) for some in combinations(sorted(five), length))
        if runs:
            return runs * length
    return 0


class Naive:
    """A turn by enumerating every keep and every throw."""

    def __init__(self, dice: Dice, starter: int, now: int = 0) -> None:
        self.dice, self.starter, self.now = dice, starter, now
        self.memo: dict[object, tuple[Fraction, Fraction]] = {}

    def ends(self, others: tuple[int, ...]) -> int:
        if self.dice.keep_starter:
            return max(naive_points(tuple(sorted((self.starter, *four)))) for four in combinations(others, 4))
        return max(naive_points(tuple(sorted(five))) for five in combinations((self.starter, *others), 5))

    def best(self, others: tuple[int, ...], left: int, locked: tuple[int, ...] = ()) -> tuple[Fraction, Fraction]:
        key = (others, left, locked)
        if key not in self.memo:
            keeps = {keep for size in range(len(others)) for keep in combinations(others, size)} if left else set()
            going_on = [self.keep(keep, left) for keep in keeps if not Counter(locked) - Counter(keep)]
            self.memo[key] = max([self.stop(others), *going_on])
        return self.memo[key]

    def stop(self, others: tuple[int, ...]) -> tuple[Fraction, Fraction]:
        end = self.ends(others)
        return Fraction(end), Fraction(end > self.now)

    def keep(self, kept: tuple[int, ...], left: int) -> tuple[Fraction, Fraction]:
        throws = Counter(
            tuple(sorted(kept + new)) for new in product(self.dice.shows, repeat=self.dice.others - len(kept))
        )
        locked = kept if self.dice.once_kept else ()
        found = [(ways, self.best(others, left - 1, locked)) for others, ways in throws.items()]
        worth, better = (sum(ways * pair[column] for ways, pair in found) for column in (0, 1))
        return Fraction(worth, throws.total()), Fraction(better, throws.total())


def worth_of(advice: Advice, move: str) -> Fraction:
    return next(one.worth for one in advice.alternatives if one.move == move)


# Whole turns


def test_one_roll_is_the_mean_of_every_throw_of_five() -> None:
    totals = [sum(naive_points(tuple(sorted((starter, *four)))) for four in product(D12, repeat=4)) for starter in D12]
    found = turn(Rules(), rolls=1)
    assert found.by_starter == tuple(Fraction(total, 12**4) for total in totals)
    assert found.expected == Fraction(sum(totals), 12**5)
    assert found.maximum == 40


# Dice whose few faces make fifteens, pairs and runs, so that every keep and every throw of a turn can be enumerated.
REDUCED = [
    *[
        (Dice(4, once, shows=shows), rolls)
        for once, shows, rolls in product((False, True), ((4, 5, 6, 10), (1, 5, 10, 11, 12)), (1, 2, 3))
    ],
    *[
        (Dice(6, once, keep, shows=shows), rolls)
        for once, keep, shows, rolls in product((False, True), (False, True), ((5, 10), (4, 5, 6)), (1, 2, 3))
    ],
]


@pytest.mark.parametrize(("dice", "rolls"), REDUCED)
def test_a_whole_turn_with_dice_of_fewer_faces(dice: Dice, rolls: int) -> None:
    for starter in dice.shows:
        naive = Naive(dice, starter)
        throws = Counter(tuple(sorted(throw)) for throw in product(dice.shows, repeat=dice.others))
        total = sum(ways * naive.best(others, rolls - 1)[0] for others, ways in throws.items())
        assert expected_with(dice, starter, rolls) == Fraction(total) / dice.throws


def test_every_roll_more_is_worth_something_and_once_kept_costs_something() -> None:
    for free, bound in ((Rules(), ONCE_KEPT), (SEVEN, SEVEN_ONCE_KEPT)):
        one, two, three = (turn(free, rolls).by_starter for rolls in (1, 2, 3))
        assert all(a < b < c for a, b, c in zip(one, two, three, strict=True))
        # A die kept once matters only where there is a later roll to put it back into.
        assert turn(bound, 2).by_starter == two
        assert all(tied < loose for tied, loose in zip(turn(bound, 3).by_starter, three, strict=True))


def test_two_more_dice_are_worth_something_and_so_is_the_right_to_drop_the_starter() -> None:
    for rolls in (1, 2, 3):
        turns = [turn(rules, rolls).by_starter for rules in (Rules(), SEVEN, SEVEN_ANY_STARTER)]
        assert all(five < seven < free for five, seven, free in zip(*turns, strict=True))


def test_progress_rises_to_one_and_json_names_the_rules() -> None:
    told: list[float] = []
    found = turn(SEVEN_ONCE_KEPT, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1
    plain = json.loads(json.dumps(found.to_json()))
    assert plain["rules"] == {"once_kept": "true", "seven_dice": "true"}
    assert Fraction(plain["expected_exact"]) == found.expected
    by_starter = [Fraction(one["expected_exact"]) for one in plain["by_starter"]]
    assert sum(by_starter) / 12 == found.expected


# Decisions


def test_the_play_example() -> None:
    # 5 is the starter. The text keeps 10, 10, 11 of 4, 10, 10, 11, then again of 7, 10, 10, 11, and ends with 14.
    first, second = advise(Rules(), 5, [4, 10, 10, 11], 2), advise(Rules(), 5, [7, 10, 10, 11], 1)
    assert first.best.move == second.best.move == "keep 10 10 11"
    assert worth_of(first, "stop") == worth_of(second, "stop") == 8
    one_die = [naive_points(tuple(sorted((5, 10, 10, 11, new)))) for new in D12]
    assert second.best.worth == Fraction(sum(one_die), 12) == Fraction(32, 3)
    assert second.best.chances["better"] == Fraction(sum(points > 8 for points in one_die), 12) == Fraction(5, 12)
    assert second.why == (
        "Keep 10-10-11 and roll one die: that brings 10.67 points on average against 8 for stopping, and 42% of such "
        "turns end with more."
    )
    assert advise(Rules(), 5, [10, 10, 10, 11], 0).why == "No roll is left: the hand counts 14 points."


def test_every_keep_of_a_throw_with_one_roll_left() -> None:
    naive = Naive(Dice(4), 3, now=naive_points((3, 3, 6, 11, 12)))
    found = {one.move: one for one in advise(Rules(), 3, [12, 3, 11, 6], 1).alternatives}
    assert found.pop("stop").worth == naive.now
    assert len(found) == 15
    for move, one in found.items():
        assert (one.worth, one.chances["better"]) == naive.keep(Move.parse(move).numbers, 1)


def test_a_keep_with_two_rolls_left() -> None:
    naive = Naive(Dice(4), 5, now=8)
    best = advise(Rules(), 5, [4, 10, 10, 11], 2).best
    assert (best.worth, best.chances["better"]) == naive.keep((10, 10, 11), 2)


@examples(8)
@given(st.lists(st.sampled_from(D12), min_size=7, max_size=7), st.booleans())
def test_one_of_seven_dice_rolled_again(thrown: list[int], keep_starter: bool) -> None:
    starter, *others = thrown
    naive = Naive(Dice(6, keep_starter=keep_starter), starter)
    naive.now = naive.ends(tuple(others))
    advice = advise(Rules(seven_dice=True, seven_keep_starter=keep_starter), starter, others, 1)
    ones = [one for one in advice.alternatives if one.text.endswith("one die")]
    assert ones
    for one in ones:
        assert (one.worth, one.chances["better"]) == naive.keep(Move.parse(one.move).numbers, 1)
    assert worth_of(advice, "stop") == naive.now


@pytest.mark.parametrize("dice", [Dice(4, False, shows=(1, 5, 10)), Dice(4, True, shows=(1, 2, 4))])
def test_chances_to_end_with_more_are_those_of_best_play(dice: Dice) -> None:
    # Among these throws are some with two keeps worth the same, of which one ends with more oftener.
    starter, scale = dice.shows[1], dice.throws**2
    for others in combinations_with_replacement(dice.shows, dice.others):
        naive = Naive(dice, starter)
        naive.now = naive.ends(others)
        worths = keeping(dice, ends_and_better(dice, starter, naive.now), 2)
        found = {
            kept: tuple(Fraction(number, scale) for number in worths[len(kept)][dice.index(kept)].tolist())
            for size in range(dice.others + 1)
            for kept in combinations(others, size)
        }
        assert found.pop(others) == naive.stop(others)
        assert found == {kept: naive.keep(kept, 2) for kept in found}


def test_once_kept_leaves_out_what_would_roll_a_kept_die() -> None:
    free, bound = (advise(rules, 6, [3, 6, 11, 12], 1, kept=[6]) for rules in (Rules(), ONCE_KEPT))
    assert len(free.alternatives) == 16
    assert {one.move for one in bound.alternatives} == {"stop"} | {
        one.move for one in free.alternatives if 6 in Move.parse(one.move).numbers
    }
    assert all(worth_of(free, one.move) == one.worth for one in bound.alternatives)


def test_five_fives_stop() -> None:
    best = advise(Rules(), 5, [5, 5, 5, 5], 2)
    assert (best.best.move, best.best.worth) == ("stop", 40)
    assert best.why.startswith("Stop: the hand counts 40 points, and the best roll (keep 5-5-5 and roll one die)")


def test_the_last_decision_of_seven_is_what_to_discard() -> None:
    advice = advise(SEVEN, 1, [5, 5, 12, 5, 11, 5], 0)
    assert [(one.move, one.worth) for one in advice.alternatives] == [
        ("discard 11 12", 20),
        ("discard 5 12", 14),
        ("discard 5 11", 14),
        ("discard 5 5", 10),
    ]
    assert advice.why == "Discard 11-12: the other five count 20 points, the next best five 14."
    assert advise(SEVEN_ANY_STARTER, 1, [5, 5, 12, 5, 11, 5], 0).best.move == "discard 1 12"


def test_who_stops_early_is_told_what_to_discard() -> None:
    game = CribbageDice()
    state = game.start(Rules(seven_dice=True, opening_roll=False), players=2)
    for move in ("throw 5 1 5 5 5 10 12", "stop"):
        state = game.apply(state, Move.parse(move)).state
    advice = game.advise(state, hands=True)
    assert advice
    assert {each.move for each in advice.alternatives} == set(map(str, game.legal_moves(state).choices))
    assert advice.best.move == "discard 1 12"
    assert advice.best.worth == 28


@pytest.mark.parametrize("rules", [Rules(), ONCE_KEPT, SEVEN, SEVEN_ANY_STARTER, SEVEN_ONCE_KEPT], ids=str)
def test_advice_lists_the_moves_of_the_game(rules: Rules) -> None:
    game, rng = CribbageDice(), Random(8)
    state = game.start(Rules(**{**rules.to_json(), "opening_roll": False}), 2)
    for _ in range(12):
        legal = game.legal_moves(state)
        if legal.choices:
            rolls_left = 0 if state.phase == "discard" else 3 - state.turn.rolls
            advice = advise(rules, state.turn.starter, state.turn.others, rolls_left, state.turn.locked)
            assert {one.move for one in advice.alternatives} == {str(move) for move in legal.choices}
            assert all(advice.best.worth >= one.worth for one in advice.alternatives)
        move = rng.choice(legal.choices) if legal.chance is None else legal.chance.sample(rng)
        state = game.apply(state, move).state


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (lambda: turn(Rules(), 0), "wrong-rolls"),
        (lambda: turn(Rules(), 4), "wrong-rolls"),
        (lambda: advise(Rules(), 5, [1, 2, 3, 4], 3), "wrong-rolls"),
        (lambda: advise(Rules(), 5, [1, 2, 3], 1), "wrong-count"),
        (lambda: advise(SEVEN, 5, [1, 2, 3, 4], 1), "wrong-count"),
        (lambda: advise(Rules(), 13, [1, 2, 3, 4], 1), "value-out-of-range"),
        (lambda: advise(ONCE_KEPT, 5, [1, 2, 3, 4], 1, kept=[4, 4]), "set-aside-not-there"),
    ],
)
def test_what_cannot_be_asked_is_refused(asked: Callable[[], object], code: str) -> None:
    with pytest.raises(ScorerError) as refused:
        asked()
    assert refused.value.code == code
