"""Two players race to the end of a board: the solver behind `scorer.odds.race`.

A turn is played for the chance to win: stopping at a hole is worth the other player's chance to lose from there, which is
found in the same way, iterated to convergence. For every pair of holes and every streak of lost turns that would need a
walk through all turns in each round. Instead:

1. The race is solved with a family of strategies for a turn (most points at several prices of losing them; at least a
   target number of points, the end of the board among the targets): for each, the chances of every total are exact, and
   every turn uses the best of them.
2. At chosen pairs of holes, all those near the end and fewer further back, the turn is played without restriction.
   The gain over the family is nearly smooth in the holes: it is interpolated linearly between the chosen pairs and
   added, and the race is solved again, until that converges, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from scorer.errors import RulesError
from scorer.odds.dice import Measure, added_up

Array = NDArray[np.float64]
Holes = NDArray[np.intp]
Progress = Callable[[float], None]
MOST_POINTS = 130
OVERSHOOT = 50
"""Points of a turn are distinguished up to the first of these, and up to the second past the end where a finish is answered."""
LONGEST_BOARD = 242
"""The long game; a longer one would take minutes."""
SETTLED = 5e-5
ROUNDS_BETWEEN = 8
MOST_CORRECTIONS = 8
PRICES = (0, 1, 2, 4, 8, 16, 32, 1000)
TARGETS = (2, 4, 6, 8, 10, 13, 16, 20, 25, 30, 40)
FURTHEST_TARGET = 70
PAST_THE_END = (0, 3, 7, 12)
"""Targets for each hole beside `TARGETS`: the end of the board, and a few points more against an answer."""
MINE_FROM_END = (*range(1, 23), 24, 27, 30, 33, 36, 40, 45, 50, 56, 63, 72, 85, 101, 121, 150, 180, 210)
THEIRS_FROM_END = (*range(1, 17), 18, 20, 22, 25, 29, 35, 43, 53, 66, 81, 101, 121, 150, 180, 210)
FROM_START = (0, 3, 7, 12, 19)


class Turns(Protocol):
    """A turn that can be walked through."""

    @property
    def start(self) -> Array:
        """The worths of its first throw."""


T = TypeVar("T", bound=Turns)


@dataclass(frozen=True, slots=True)
class Error:
    """The error of the chances before a turn, compared with play without restriction, on the full board.

    Attributes:
        largest: over all holes, streaks and both places in the round.
        typical: the mean.
        measured: options of the rule sets for which it was measured, one each.
    """

    largest: float
    typical: float
    measured: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Course(Generic[T]):
    """The properties of a game that a race needs.

    Attributes:
        game: its name.
        walk: the turns of the game for a measure and a horizon.
        finish: the first hole off the board.
        same_round: the player who moves second answers a finish.
        strikes: lost turns in a row that send a peg back; 0: none do.
        back: how many holes it goes back.
        leaves_out: options that are on and not counted.
        error: the error of its chances.
    """

    game: str
    walk: Callable[[Measure[Array], int], T]
    finish: int
    same_round: bool
    strikes: int
    back: int
    leaves_out: tuple[str, ...]
    error: Error

    def __post_init__(self) -> None:
        if self.finish > LONGEST_BOARD:
            raise RulesError(
                "bad-option",
                f"The chance to win is worked out for boards of up to {LONGEST_BOARD} holes, not {self.finish}: "
                "set finish lower, or ask for the expected points.",
            )

    @property
    def streaks(self) -> int:
        """The number of streak lengths that are distinguished."""
        return max(self.strikes, 1)

    @property
    def most(self) -> int:
        """The most points of a turn that are distinguished; more count as this many."""
        return min(MOST_POINTS, self.finish + (OVERSHOOT if self.same_round else 0))

    def after_loss(self, hole: int, streak: int) -> tuple[int, int]:
        """Hole and streak after one more lost turn."""
        if not self.strikes:
            return hole, 0
        if streak + 1 < self.strikes:
            return hole, streak + 1
        return max(hole - self.back, 0), 0


# What turns are played for


class Worths:
    """The measure of many standings at once.

    Args:
        ends: float [totals, standings]: the worth of stopping with 0, 1, 2 ... points; more count as the last.
        wiped: float [standings]: the worth of losing the turn.
        missed: the worth of losing it where that adds nothing to a streak.
    """

    def __init__(self, ends: Array, wiped: Array, missed: Array) -> None:
        self.ends = ends
        self._lost = {True: wiped, False: missed}

    def stop(self, total: int) -> Array:
        """The worth of stopping with this total."""
        return self.ends[min(total, len(self.ends) - 1)]  # type: ignore[no-any-return]

    def lost(self, *, wipeout: bool = True) -> Array:
        """The worth of no points."""
        return self._lost[wipeout]

    def beyond(self, total: int, lost: Fraction, gain: Fraction) -> Array:  # noqa: ARG002 - nothing beyond is told apart
        """Lost, or as for stopping."""
        return (1 - float(lost)) * self.stop(total) + float(lost) * self.lost()

    def best(self, worths: Iterable[Array]) -> Array:
        """The best for each standing."""
        first, *others = worths
        for other in others:
            first = np.maximum(first, other)
        return first

    def mean(self, parts: Iterable[tuple[int, Array]]) -> Array:
        """The mean for each standing."""
        pairs = added_up(parts)
        total = sum(ways for ways, _ in pairs)
        mean = np.zeros_like(pairs[0][1])
        for ways, worth in pairs:
            mean += worth * (ways / total)
        return mean


class Shares(Worths):
    """The measure of several strategies, each with the chances of all its ends.

    Worths are rows: what the strategy maximises, then the chances of a wipeout, of every total from 1 on, and of a turn
    lost otherwise. The first column decides; the others are carried along.
    """

    def __init__(self, aims: Array) -> None:
        totals = len(aims)
        none = np.zeros(len(aims[0]))
        ends = np.stack([_sure(aim, end, totals) for end, aim in enumerate(aims)])
        super().__init__(ends, _sure(none, 0, totals), _sure(none, totals, totals))

    def best(self, worths: Iterable[Array]) -> Array:
        """For each strategy the better row."""
        first, *others = worths
        for other in others:
            first = np.where(other[:, :1] > first[:, :1], other, first)
        return first


def _sure(aim: Array, end: int, totals: int) -> Array:
    rows = np.zeros((len(aim), totals + 2))
    rows[:, 0] = aim
    rows[:, 1 + end] = 1
    return rows


def _aims(most: int) -> Array:
    """What each strategy maximises, by total: prices, then all targets: float [totals, strategies]; losing is worth 0."""
    total = np.arange(most + 1.0)[:, None]
    targets = np.arange(1, FURTHEST_TARGET + 1)
    # On the way to a target more points are better; beyond it they add nothing.
    return np.hstack([total + np.array(PRICES), (total >= targets) + 0.1 * np.minimum(total, targets) / targets])


def _rows(to_go: int) -> list[int]:
    """The strategies that a player with this many holes to go tries, as rows of the family."""
    targets = {*TARGETS, *(min(to_go + past, FURTHEST_TARGET) for past in PAST_THE_END)}
    return [*range(len(PRICES)), *(len(PRICES) + target - 1 for target in sorted(targets))]


# Solving


class Solver(Generic[T]):
    """Chances to win of the player to move, by place in the round: float [mine, streak, theirs, their streak].

    Place 0 began the round, place 1 plays second.
    """

    def __init__(self, course: Course[T]) -> None:
        self.course = course
        self.family = course.walk(Shares(_aims(course.most)), course.most).start[:, 1:]
        self.last = _last_turns(course)
        self.chances = [self._guess(), self._guess()]
        self.better = [np.zeros_like(table) for table in self.chances]
        self.mine = _grid(course.finish, MINE_FROM_END)
        self.theirs = _grid(course.finish, THEIRS_FROM_END)
        self.spread_mine = _spread(course.finish, self.mine)
        self.spread_theirs = _spread(course.finish, self.theirs)

    def _guess(self) -> Array:
        """An initial guess that needs few rounds: a player who is a good turn ahead wins more often."""
        finish, streaks = self.course.finish, self.course.streaks
        ahead = np.arange(finish)[:, None] - np.arange(finish)
        table = 1 / (1 + np.exp(-ahead / 25))
        return np.broadcast_to(table[:, None, :, None], (finish, streaks, finish, streaks)).copy()

    def settle(self, rounds: int) -> None:
        """Iterate the family with the present correction until nothing changes."""
        for _ in range(rounds):
            before = self.chances[0]
            for place in (1, 0):
                self.chances[place] = self._by_family(place) + self.better[place]
            if np.abs(self.chances[0] - before).max() < SETTLED / 10:
                return

    def correct(self) -> float:
        """Play without restriction at the chosen pairs of holes; returns the largest change."""
        change = 0.0
        for place in (1, 0):
            family = self._by_family(place)
            gain = self.freely(place, self.mine, self.theirs) - family[self.mine][:, :, self.theirs]
            spread = np.einsum("am,msht,bh->asbt", self.spread_mine, gain, self.spread_theirs, optimize=True)
            change = max(change, float(np.abs(spread - self.better[place]).max()))
            self.better[place] = spread
            self.chances[place] = family + spread
        return change

    def ends(self, place: int) -> Array:
        """The worth of stopping at every hole, and off the board: float [hole, theirs, their streak]."""
        finish, most = self.course.finish, self.course.most
        on_board = 1 - self.chances[1 - place][:, :, :, 0].transpose(2, 0, 1)
        off = np.ones((most + 1, *on_board.shape[1:]))
        if place == 0 and self.course.same_round:
            behind = np.arange(finish, finish + most + 1)[:, None] - np.arange(finish)
            off -= self.last[behind][:, :, None]
        return np.concatenate([on_board, off])

    def losses(self, place: int, *, wipeout: bool = True) -> Array:
        """The worth of losing the turn: float [mine, streak, theirs, their streak]."""
        other = self.chances[1 - place]
        lost = np.empty_like(other)
        for streak in range(self.course.streaks):
            after = [self.course.after_loss(hole, streak) if wipeout else (hole, streak) for hole in range(len(other))]
            holes, streaks = np.array(after).T
            lost[:, streak] = 1 - other[:, :, holes, streaks].transpose(2, 0, 1)
        return lost

    def _by_family(self, place: int) -> Array:
        """The worth of a turn under the best of the family, for every standing."""
        finish, most = self.course.finish, self.course.most
        shape = self.chances[place].shape
        ends = self.ends(place).reshape(finish + most + 1, -1)
        wiped, missed = (self.losses(place, wipeout=wipeout).reshape(*shape[:2], -1) for wipeout in (True, False))
        found = np.empty_like(wiped)
        for hole in range(finish):
            family = self.family[_rows(finish - hole)]
            scored = family[:, 1 : most + 1] @ ends[hole + 1 : hole + most + 1]
            lost = family[:, 0, None, None] * wiped[hole] + family[:, -1, None, None] * missed[hole]
            found[hole] = (scored[:, None] + lost).max(axis=0)
        return found.reshape(shape)

    def freely(self, place: int, mine: Holes, theirs: Holes) -> Array:
        """The worth of a turn without restriction, for all pairs of these holes: [mine, streak, theirs, their streak]."""
        most = self.course.most
        shape = (len(mine), self.course.streaks, len(theirs), self.course.streaks)
        ends = self.ends(place)[np.arange(most + 1)[:, None] + mine][:, :, None, theirs]
        every = np.broadcast_to(ends, (most + 1, *shape)).reshape(most + 1, -1)
        wiped, missed = (self.losses(place, wipeout=counts)[mine][:, :, theirs].reshape(-1) for counts in (True, False))
        return self.course.walk(Worths(every, wiped, missed), most).start.reshape(shape)


def _last_turns(course: Course[T]) -> Array:
    """The chance to win by a last turn, by how many holes the player is behind: more points win, as many share."""
    most = course.finish + course.most + 1
    behind, total = np.arange(most), np.arange(most + 1)[:, None]
    nothing = np.zeros(most)
    return course.walk(Worths((total > behind) + (total == behind) / 2, nothing, nothing), most).start


def _grid(finish: int, from_end: Sequence[int]) -> Holes:
    return np.unique(np.clip([*(finish - hole for hole in from_end), *FROM_START], 0, finish - 1))


def _spread(finish: int, grid: Holes) -> Array:
    """Weights of the linear interpolation: float [hole, chosen hole]."""
    return np.stack([np.interp(np.arange(finish), grid, unit) for unit in np.eye(len(grid))], axis=1)


def solve(course: Course[T], progress: Progress) -> Solver[T]:
    """The race, solved; `progress` is called with the share of the work done, 0 to 1."""
    solver = Solver(course)
    progress(1 / (MOST_CORRECTIONS + 2))
    solver.settle(rounds=200)
    for step in count(1):
        progress((step + 1) / (MOST_CORRECTIONS + 2))
        change = solver.correct()
        solver.settle(ROUNDS_BETWEEN)
        if change < SETTLED or step == MOST_CORRECTIONS:
            break
    progress(1.0)
    return solver
