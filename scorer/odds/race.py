"""The chance to win from here: two players racing to the end of the board, in Crib Dice and Farkle Cribbage.

Source: both texts' goal and end of the game, Crib Dice "Fuchle", Farkle Cribbage "3 Farkles in a row"; RULINGS, "All games
on a cribbage board": the final turns of a round are played, and equal pegs share the win, which counts half here.

The chances between turns are an approximation (`scorer.odds.race_solver` says which): later turns are played nearly, not
quite, as well as can be, and points of a turn beyond 130 are not told apart. The turn under way is walked through without
restriction, with these chances at its end; a last turn is exact. How far the chances are off was measured against walks
through every turn of every pair of holes, until nothing changed: see `ERRORS` and `measure_error`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic

import numpy as np

from scorer.engine.advice import Advice, Alternative, best_first
from scorer.errors import RulesError
from scorer.games.crib_dice import odds as crib_dice
from scorer.games.crib_dice.rules import Rules as CribDiceRules
from scorer.games.farkle_crib import odds as farkle_crib
from scorer.games.farkle_crib.rules import Rules as FarkleCribRules
from scorer.games.farkle_crib.throws import DICE, Bonus
from scorer.odds.dice import Decision
from scorer.odds.race_solver import SETTLED, Array, Course, Progress, Solver, T, Worths, solve
from scorer.pieces.text import sentence

MEASURES = "chance to win, two players, a shared win counting half"


@dataclass(frozen=True, slots=True)
class Error:
    """How far the chances before a turn were from those of play without restriction, on the full board.

    Attributes:
        largest: over all holes, streaks and both places in the round.
        typical: the mean.
    """

    largest: float
    typical: float


ERRORS = {crib_dice.GAME: Error(0.005, 0.0002), farkle_crib.GAME: Error(0.003, 0.0001)}
"""Measured with the basic rules, with piddle points, and with all bonuses of Farkle Cribbage; 121 to finish."""


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
    """Refuse a standing in which nobody is to move; it takes no time, as solving the race does.

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
        """Chances to win of the one who began the round, and of the other, when to move: [hole, streak, hole, streak]."""
        first, second = self._solver.chances
        return first, second

    @property
    def error(self) -> Error:
        """How far the chances may be off, as measured."""
        return ERRORS[self.course.game]

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
        """A streak goes on after a fuchle, but a peg at the start has nowhere to go back to."""
        return min(streak, self.course.streaks - 1)


def measure_error(race: Race[T], rounds: int = 60) -> Error:
    """The error of a race: against play without restriction at every pair of holes, round after round.

    That takes seconds for Farkle Cribbage, and minutes and a gigabyte for Crib Dice on the full board. `ERRORS` is
    what it gives, rounded up.
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


# The games


class CribDiceTurns(crib_dice.Turns[Array]):
    """A turn of Crib Dice."""

    @property
    def start(self) -> Array:
        """The worth of the first throw of seven."""
        return self.fresh(0)


class FarkleCribTurns(farkle_crib.Turns[Array]):
    """A turn of Farkle Cribbage."""

    @property
    def start(self) -> Array:
        """The worth of the first throw of six."""
        return self.throw(0, DICE)


def crib_dice_race(rules: CribDiceRules, progress: Progress | None = None) -> Race[CribDiceTurns]:
    """The race of Crib Dice, solved; about ten seconds on the full board.

    Args:
        rules: what is played; see `crib_dice_course` for what is not counted.
        progress: told from time to time how much is done, 0 to 1.

    Raises:
        RulesError: "bad-option": a board too long.
    """
    return Race(crib_dice_course(rules), progress)


def crib_dice_course(rules: CribDiceRules) -> Course[CribDiceTurns]:
    """What a race of Crib Dice is. A bomb, bumping and the elimination by a double fuchle are not counted.

    `find_a_loser` ends with the first peg off the board when two play. A skunk counts as any other loss.

    Raises:
        RulesError: "bad-option": a board too long.
    """
    bumps = rules.bumping and len(set(rules.lanes)) < len(rules.lanes)
    uncounted = {"bomb": rules.bomb, "bumping": bumps, "double_fuchle": rules.double_fuchle}
    return Course(
        game=crib_dice.GAME,
        walk=lambda measure, horizon: CribDiceTurns(rules, measure, horizon),
        finish=rules.goal,
        same_round=rules.final_turns == "same_round" and not rules.find_a_loser,
        strikes=rules.fuchle_at,
        back=rules.goal,
        leaves_out=tuple(name for name, on in uncounted.items() if on),
    )


def farkle_crib_race(rules: FarkleCribRules, progress: Progress | None = None) -> Race[FarkleCribTurns]:
    """The race of Farkle Cribbage, solved; a few seconds on the full board.

    Args:
        rules: what is played; see `farkle_crib_course` for what is not counted.
        progress: told from time to time how much is done, 0 to 1.

    Raises:
        RulesError: "bad-option": a board too long.
    """
    return Race(farkle_crib_course(rules), progress)


def farkle_crib_course(rules: FarkleCribRules) -> Course[FarkleCribTurns]:
    """What a race of Farkle Cribbage is. The Bomb counts as its points, and pegs in one lane may share a hole.

    Raises:
        RulesError: "bad-option": a board too long.
    """
    shared = len(set(rules.lanes)) < len(rules.lanes)
    uncounted = {"bomb_exchange": Bonus.SIX_OF_A_KIND in rules.bonus, "lanes": shared}
    return Course(
        game=farkle_crib.GAME,
        walk=lambda measure, horizon: FarkleCribTurns(rules, measure, horizon),
        finish=rules.finish,
        same_round=rules.final_turns == "same_round",
        strikes=3 if rules.three_farkles else 0,
        back=10,
        leaves_out=tuple(name for name, on in uncounted.items() if on),
    )


# Advice


def advise_crib_dice(
    race: Race[CribDiceTurns],
    standing: Standing,
    bank: int = 0,
    held: crib_dice.Held | None = None,
    dice: Sequence[int] = (),
) -> Advice:
    """The best decision for the chance to win; the moment of the turn as in `crib_dice.decisions`.

    Raises:
        RulesError: "bad-standing".
        ThrowError: see `crib_dice.decisions`.
    """
    return _advice(race.course.game, crib_dice.decisions(race.turns(standing), bank, held, dice))


def advise_farkle_crib(
    race: Race[FarkleCribTurns],
    standing: Standing,
    total: int = 0,
    dice: int = DICE,
    thrown: Sequence[int] = (),
) -> Advice:
    """The best decision for the chance to win; the moment of the turn as in `farkle_crib.decisions`.

    Raises:
        RulesError: "bad-standing".
        ThrowError: see `farkle_crib.decisions`.
    """
    return _advice(race.course.game, farkle_crib.decisions(race.turns(standing), total, dice, thrown))


def _advice(game: str, found: Sequence[Decision[Array]]) -> Advice:
    alternatives = best_first([_alternative(decision) for decision in found])
    return Advice(game, MEASURES, alternatives, _why(alternatives), exact=False)


def _alternative(decision: Decision[Array]) -> Alternative:
    # Four decimals: the chance is not known better than that.
    return Alternative(decision.move, decision.text, Fraction(f"{decision.worth[0]:.4f}"), decision.chances)


def _why(alternatives: Sequence[Alternative]) -> str:
    best, *others = alternatives
    if not others:
        return f"There is nothing else to do; it wins {float(best.worth):.1%} of the games."
    return sentence(
        f"{best.text}: that wins {float(best.worth):.1%} of the games, "
        f"against {float(others[0].worth):.1%} for the next best, to {others[0].text}"
    )
