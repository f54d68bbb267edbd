"""The chance to win from here: two players racing to the end of the board, in any game that has a `Course`.

Source: RULINGS, "All games on a cribbage board": the final turns of a round are played, and equal pegs share the win, which
counts half here. What else a game has, like lost turns in a row that send a peg back, is defined by its course.

The chances between turns are an approximation (see `scorer.odds.race_solver`): later turns are played nearly, not
quite, optimally, and points of a turn beyond 130 count alike. The turn under way is walked through without
restriction, with these chances at its end; a last turn is exact. The error of the chances was measured against walks
through every turn of every pair of holes, until convergence: see `measure_error` and `Course.error`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic

import numpy as np

from scorer.engine.advice import Advice, Alternative, best_first
from scorer.errors import RulesError
from scorer.odds.dice import Decision, tenths
from scorer.odds.race_solver import SETTLED, Array, Course, Error, Progress, Solver, T, Worths, solve
from scorer.pieces.text import sentence

_CERTAIN = 1e-9
"""Tolerance of sums of floats for the chance of a certain event."""
_LEAST = Fraction(1, 10**4)
MEASURES = "chance to win, two players, a shared win counting half"


@dataclass(frozen=True, slots=True)
class Standing:
    """Where two players stand when one is to move.

    Attributes:
        mine: the hole of the player to move.
        theirs: the other's hole; off the board, this is the last turn.
        streak: lost turns in a row of the player to move, where they count.
        their_streak: the other's.
        leads: the player to move began the round, so that the other may still answer.
    """

    mine: int
    theirs: int
    streak: int = 0
    their_streak: int = 0
    leads: bool = True


def check_standing(course: Course[T], standing: Standing) -> None:
    """Refuse a standing in which nobody is to move; fast, unlike solving the race.

    Raises:
        RulesError: "bad-standing".
    """
    finish = course.finish
    if not (0 <= standing.mine < finish and standing.theirs >= 0 and min(standing.streak, standing.their_streak) >= 0):
        raise RulesError(
            "bad-standing",
            f"The player to move stands at hole 0 to {finish - 1} and the other at 0 or more, with streaks of 0 or "
            f"more; not at {standing.mine} and {standing.theirs}. A peg off the board has won or waits for the other.",
        )
    if standing.theirs >= finish and (standing.leads or not course.same_round):
        raise RulesError("bad-standing", "The other peg is off the board and no turn is left: the race is over.")


class Race(Generic[T]):
    """A solved race between two players. Standings are those of the player to move."""

    def __init__(self, course: Course[T], progress: Progress | None = None) -> None:
        self.course = course
        self._solver = solve(course, progress or (lambda _: None))

    @property
    def chances(self) -> tuple[Array, Array]:
        """Chances to win of the player who began the round, and of the other, when to move: [hole, streak, hole, streak]."""
        first, second = self._solver.chances
        return first, second

    @property
    def error(self) -> Error:
        """The measured error of the chances."""
        return self.course.error

    def win(self, standing: Standing) -> float:
        """The chance of the player to move, before the turn."""
        return float(self.turns(standing).start[0])

    def turns(self, standing: Standing) -> T:
        """The turn of this standing, walked through without restriction; worths are arrays of one chance.

        Raises:
            RulesError: "bad-standing".
        """
        check_standing(self.course, standing)
        longest = max(self.course.most, standing.theirs - standing.mine + 1)
        ends = [[self._stopped(standing, standing.mine + total)] for total in range(longest + 1)]
        wiped, missed = (np.array([self._lost(standing, wipeout)]) for wipeout in (True, False))
        return self.course.walk(Worths(np.array(ends), wiped, missed), longest)

    def to_json(self, standing: Standing) -> dict[str, Any]:
        """The chance to win with its error, ready for `json.dumps`."""
        return {"win": self.win(standing), **self.error_to_json()}

    def error_to_json(self) -> dict[str, Any]:
        """The largest and the typical error, and the options that are on and not counted."""
        return {
            "error": self.error.largest,
            "typical_error": self.error.typical,
            "error_is": "measured against unrestricted play on the full board, not proven",
            "leaves_out": list(self.course.leaves_out),
        }

    def _stopped(self, standing: Standing, hole: int) -> float:
        """The worth of ending the turn at this hole, having scored."""
        if standing.theirs >= self.course.finish:
            return float(hole > standing.theirs) + float(hole == standing.theirs) / 2
        if hole < self.course.finish:
            return self._theirs_to_lose(standing, hole, 0)
        answered = standing.leads and self.course.same_round
        return 1 - float(self._solver.last[hole - standing.theirs]) if answered else 1.0

    def _lost(self, standing: Standing, wipeout: bool) -> float:
        if standing.theirs >= self.course.finish:
            return 0.0
        streak = self._streak(standing.streak)
        after = self.course.after_loss(standing.mine, streak) if wipeout else (standing.mine, streak)
        return self._theirs_to_lose(standing, *after)

    def _theirs_to_lose(self, standing: Standing, hole: int, streak: int) -> float:
        table = self._solver.chances[1 if standing.leads else 0]
        return 1 - float(table[standing.theirs, self._streak(standing.their_streak), hole, streak])

    def _streak(self, streak: int) -> int:
        """The index of a streak: after a fuchle a streak goes on, but a peg at the start cannot go back further."""
        return min(streak, self.course.streaks - 1)


def measure_error(race: Race[T], rounds: int = 60) -> Error:
    """The error of a race, compared with play without restriction at every pair of holes, round after round.

    On the full board that takes seconds to minutes, and up to a gigabyte. `Course.error` is the result, rounded up.
    """
    solver = Solver(race.course)
    solver.chances = [table.copy() for table in race.chances]
    every = np.arange(race.course.finish)
    for _ in range(rounds):
        before = solver.chances[0]
        for place in (1, 0):
            solver.chances[place] = solver.freely(place, every, every)
        if np.abs(solver.chances[0] - before).max() < SETTLED / 10:
            break
    apart = np.abs(np.stack(race.chances) - np.stack(solver.chances))
    return Error(float(apart.max()), float(apart.mean()))


# Advice


def advice(race: Race[T], found: Sequence[Decision[Array]]) -> Advice:
    """The best decision for the chance to win.

    Args:
        race: of the game.
        found: everything to do, each with its chance to win, as the game's `RaceMoment.decisions` gives it.
    """
    alternatives = best_first([_alternative(decision) for decision in found])
    return Advice(race.course.game, MEASURES, alternatives, _why(alternatives), exact=False)


def _alternative(decision: Decision[Array]) -> Alternative:
    return Alternative(decision.move, decision.text, _four_decimals(decision.worth[0]), decision.chances)


def _four_decimals(chance: float) -> Fraction:
    """The chance to its known precision; a chance that is neither 0 nor 1 is not rounded to 0 or 1."""
    rounded = Fraction(f"{chance:.4f}")
    open_yet = _CERTAIN < chance < 1 - _CERTAIN
    return min(max(rounded, _LEAST), 1 - _LEAST) if open_yet else rounded


def _why(alternatives: Sequence[Alternative]) -> str:
    best, *others = alternatives
    if not others:
        return f"This is the only choice; it wins {tenths(best.worth)} of the games."
    return sentence(
        f"{best.text}: that wins {tenths(best.worth)} of the games, "
        f"against {tenths(others[0].worth)} for the next best, to {others[0].text}"
    )
