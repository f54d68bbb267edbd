"""The race against a plain solver on boards so short that everything can be walked through, and against free play."""

import json
from collections import Counter
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from scorer.engine.advice import Advice
from scorer.errors import RulesError
from scorer.games.crib_dice import race as crib_dice
from scorer.games.crib_dice.questions import CribDiceMoment
from scorer.games.crib_dice.rules import Rules as CribDiceRules
from scorer.games.crib_dice.throws import chart
from scorer.games.farkle_crib import race as farkle_crib
from scorer.games.farkle_crib.odds import table
from scorer.games.farkle_crib.questions import FarkleCribMoment
from scorer.games.farkle_crib.rules import Rules as FarkleCribRules
from scorer.games.farkle_crib.throws import Bonus
from scorer.odds import race as odds
from scorer.odds.race import Standing
from scorer.odds.race_solver import Progress

Spot = tuple[int, int, int, int, bool]
"""Hole and streak of the player to move, hole and streak of the other, and whether the player began the round."""


@cache
def first_throws() -> Counter[tuple[tuple[int, int], ...]]:
    sevens = product(range(1, 7), repeat=7)
    return Counter(tuple((v, n) for v in range(1, 7) if (n := dice.count(v)) > 1) for dice in sevens)


@cache
def matches(count: int, point: int) -> Counter[tuple[int, bool]]:
    return Counter((dice.count(point), 1 in dice) for dice in product(range(1, 7), repeat=count))


class Naive:
    """Crib Dice on a very short board: every standing again and again, every turn by plain recursion on its bank."""

    def __init__(self, rules: CribDiceRules) -> None:
        self.rules = rules
        holes, streaks = range(rules.finish), range(rules.fuchle_at)
        self.win = dict.fromkeys(product(holes, streaks, holes, streaks, (True, False)), 0.5)
        # A first peg off the board goes on against the answer; hardly ever beyond 45 points.
        self.most = 45 if rules.final_turns == "same_round" else rules.finish
        while self.changed() > 5e-5:
            pass

    def changed(self) -> float:
        before = dict(self.win)
        for spot in self.win:
            self.win[spot] = self.turn(spot)
        return max(abs(before[spot] - win) for spot, win in self.win.items())

    def stopped(self, spot: Spot, hole: int) -> float:
        _, _, other, streak, leads = spot
        if hole < self.rules.finish:
            return 1 - self.win[other, streak, hole, 0, not leads]
        return 1 - self.last(hole - other) if leads and self.rules.final_turns == "same_round" else 1.0

    def lost(self, spot: Spot) -> float:
        hole, own, other, streak, leads = spot
        after = (0, 0) if own + 1 == self.rules.fuchle_at else (hole, own + 1)
        return 1 - self.win[other, streak, *after, not leads]

    def turn(self, spot: Spot) -> float:
        ends = [self.stopped(spot, spot[0] + total) for total in range(self.most + 1)]
        return walk(tuple(ends), self.lost(spot))

    @cache  # noqa: B019 - a test's solver lives no longer than the test
    def last(self, behind: int) -> float:
        ends = [(total > behind) + (total == behind) / 2 for total in range(behind + 2)]
        return walk(tuple(ends), 0.0)


def walk(ends: tuple[float, ...], lost: float) -> float:
    """The worth of a turn, where `ends` is what stopping at each total is worth; the last for all beyond."""
    fresh = [0.0] * len(ends) + [ends[-1]] * 32
    for bank in range(len(ends) - 1, -1, -1):
        held: dict[tuple[int, int], float] = {}
        for point, frozen in product(range(1, 7), range(7, 1, -1)):
            total = bank + chart(point, frozen)
            stop = ends[min(total, len(ends) - 1)]
            held[point, frozen] = max(stop, go_on(point, frozen, fresh[min(total, len(ends))], lost, held))
        worths = (max(held[offer] for offer in offers) * ways for offers, ways in first_throws().items())
        fresh[bank] = sum(worths) / 6**7
    return fresh[0]


def go_on(point: int, frozen: int, fresh: float, lost: float, held: dict[tuple[int, int], float]) -> float:
    if frozen == 7:
        return fresh
    if frozen >= 5:
        return (6 * fresh + lost) / 7
    ways = [(held[point, frozen + n], w) for (n, _), w in matches(7 - frozen, point).items() if n]
    ways += [(lost, w) for (n, safe), w in matches(7 - frozen, point).items() if not n and not safe]
    return sum(worth * w for worth, w in ways) / sum(w for _, w in ways)


@pytest.mark.parametrize(
    "rules",
    [CribDiceRules(finish=3, final_turns="at_once"), CribDiceRules(finish=2)],
    ids=["at once", "same round"],
)
def test_crib_dice_on_a_short_board_is_what_a_plain_solver_finds(rules: CribDiceRules) -> None:
    race, naive = crib_race(rules), Naive(rules)
    for (mine, streak, theirs, their_streak, leads), win in naive.win.items():
        assert race.chances[0 if leads else 1][mine, streak, theirs, their_streak] == pytest.approx(win, abs=3e-4)
    for spot in ((0, 0, 0, 0, True), (1, 2, 0, 1, True), (1, 0, 1, 2, False)):
        mine, streak, theirs, their_streak, leads = spot
        assert race.win(Standing(mine, theirs, streak, their_streak, leads)) == pytest.approx(naive.win[spot], abs=3e-4)


def crib_race(rules: CribDiceRules) -> odds.Race[crib_dice.RaceTurns]:
    return odds.Race(crib_dice.course(rules))


def farkle_race(rules: FarkleCribRules, progress: Progress | None = None) -> odds.Race[farkle_crib.RaceTurns]:
    return odds.Race(farkle_crib.course(rules), progress)


def advise_farkle(race: odds.Race[farkle_crib.RaceTurns], standing: Standing, **moment: Any) -> Advice:
    return odds.advice(race, FarkleCribMoment(**moment).decisions(race.turns(standing)))


@pytest.fixture(scope="module")
def farkle() -> odds.Race[farkle_crib.RaceTurns]:
    return farkle_race(FarkleCribRules())


@pytest.mark.parametrize("bonus", [frozenset(), frozenset(["three-farkles"])], ids=["basic", "three farkles"])
def test_farkle_on_the_shortest_board_is_close_to_free_play(bonus: frozenset[str]) -> None:
    race = farkle_race(FarkleCribRules(finish=31, bonus=bonus))
    error = odds.measure_error(race, rounds=4)
    assert error.largest < race.error.largest
    assert error.typical < race.error.typical


def test_a_turn_of_farkle_is_what_a_plain_recursion_finds(farkle: odds.Race[farkle_crib.RaceTurns]) -> None:
    mine, theirs = 113, 100
    at = {hole: 1 - farkle.win(Standing(theirs, hole)) for hole in range(mine, 121)}

    def throw(hole: int, dice: int) -> float:
        ends = table(FarkleCribRules()).ends[dice - 1]
        worths = (max((hold(hole + p, n) for p, n in kept), default=at[mine]) * ways for kept, ways in ends)
        return sum(worths) / 6**dice

    @cache
    def hold(hole: int, dice: int) -> float:
        return 1.0 if hole >= 121 else max(at[hole], throw(hole, dice))

    assert farkle.win(Standing(mine, theirs, leads=False)) == pytest.approx(throw(mine, 6), abs=1e-6)


def test_a_last_turn_has_to_come_further(farkle: odds.Race[farkle_crib.RaceTurns]) -> None:
    last = {theirs: farkle.win(Standing(115, theirs, leads=False)) for theirs in range(121, 140, 3)}
    assert list(last.values()) == sorted(last.values(), reverse=True)
    # One throw of six scores 6 or more in a single set-aside more often than not, and going on only helps.
    assert 0.5 < last[121] < 0.9
    advice = advise_farkle(farkle, Standing(115, 121, leads=False), points=6, to_throw=5)
    worths = {a.move: float(a.worth) for a in advice.alternatives}
    assert worths["stop"] == 0.5
    assert worths["throw"] == pytest.approx(1 - 25 / 324, abs=1e-4)


def test_being_further_is_better(farkle: odds.Race[farkle_crib.RaceTurns]) -> None:
    for chances in farkle.chances:
        assert np.all(np.diff(chances[:, 0, :, 0], axis=0) > -2 * farkle.error.largest)
        assert np.all(np.diff(chances[:, 0, :, 0], axis=1) < 2 * farkle.error.largest)
    assert farkle.win(Standing(60, 60, leads=False)) > 0.5 > farkle.win(Standing(40, 60))


def test_chances_of_both_players_come_to_one(farkle: odds.Race[farkle_crib.RaceTurns]) -> None:
    """Stopping hands the turn over: what is left to the other is what is not left to the player."""
    advice = advise_farkle(farkle, Standing(50, 60), points=10, to_throw=2)
    stop = next(a for a in advice.alternatives if a.move == "stop")
    assert float(stop.worth) == pytest.approx(1 - farkle.win(Standing(60, 60, leads=False)), abs=farkle.error.largest)


def test_two_wipeouts_in_a_row_make_one_careful() -> None:
    race = crib_race(CribDiceRules(finish=12, final_turns="at_once"))
    fresh, threatened = Standing(5, 5), Standing(5, 5, streak=2)
    assert race.win(threatened) < race.win(fresh) - 0.01
    moment = CribDiceMoment(point=1, frozen=4)
    advice = [odds.advice(race, moment.decisions(race.turns(standing))) for standing in (fresh, threatened)]
    worths = [{a.move: float(a.worth) for a in each.alternatives} for each in advice]
    assert worths[0]["stop"] == worths[1]["stop"]
    assert worths[0]["throw"] > worths[1]["throw"]


def test_the_advice_and_the_chance_as_json(farkle: odds.Race[farkle_crib.RaceTurns]) -> None:
    told = json.loads(json.dumps(farkle.to_json(Standing(90, 110))))
    assert 0 < told["win"] < 0.5
    assert 0 < told["typical_error"] < told["error"] < 0.02
    advice = advise_farkle(farkle, Standing(90, 110), dice=(1, 2, 6, 3, 3, 3))
    assert advice.why.startswith("Set aside a 1 for 2 points and throw five dice: that wins ")
    told = json.loads(json.dumps(advice.to_json()))
    assert not any("worth_exact" in one for one in told["alternatives"])


def test_a_throw_risks_even_points_beyond_those_told_apart(farkle: odds.Race[farkle_crib.RaceTurns]) -> None:
    advice = advise_farkle(farkle, Standing(50, 60), points=500, to_throw=2)
    stop, throw = (float(one.worth) for one in advice.alternatives)
    lost = 1 - farkle.win(Standing(60, 50, leads=False))
    assert throw == pytest.approx(stop * 5 / 9 + lost * 4 / 9, abs=1e-4)


def test_progress_is_told_up_to_the_end() -> None:
    told: list[float] = []
    farkle_race(FarkleCribRules(finish=31), told.append)
    assert told == sorted(told)
    assert len(told) > 2
    assert told[-1] == 1.0


def test_what_is_left_out_is_named() -> None:
    rules = CribDiceRules.advanced(finish=2, lanes=(0, 0))
    assert crib_dice.course(rules).leaves_out == ("bomb", "bumping", "double_fuchle")
    assert farkle_crib.course(FarkleCribRules(bonus=frozenset(map(str, Bonus)))).leaves_out == ("bomb_exchange",)


@pytest.mark.parametrize("standing", [Standing(121, 0), Standing(-1, 0), Standing(0, 0, streak=-1), Standing(0, 121)])
def test_a_race_that_is_over_has_no_chances(farkle: odds.Race[farkle_crib.RaceTurns], standing: Standing) -> None:
    with pytest.raises(RulesError) as refused:
        farkle.win(standing)
    assert refused.value.code == "bad-standing"


def test_too_long_a_board_is_refused() -> None:
    with pytest.raises(RulesError, match="up to 242 holes"):
        farkle_race(FarkleCribRules(finish=243))
