"""The cribbage board as data that a page can draw: holes, streets, skunk line, lanes, and two pegs a side.

Source: RULINGS, "All games on a cribbage board", the "One Peg per Hole" rules of Crib Dice (bumping) and of Farkle
Cribbage (the next empty hole short of the target), and both texts' advice to use two pegs. Positions are holes from 0,
the start, to `finish` and beyond: a peg there is off the board, and its overshoot is kept for ranking.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

STREET = 30
"""Holes in a street."""
BUMPED_BY = 5


@dataclass(frozen=True, slots=True)
class Pegs:
    """The two pegs of one side (a player or a partnership).

    Attributes:
        side: its number, from 0.
        players: who plays for it.
        lane: the lane it runs in, from 0; sides may share one.
        back: the hole of the peg that marks what is banked.
        front: the hole of the peg ahead, with the turn's running count; equal to `back` where nothing runs.
        out: eliminated, or finished and taken off.
    """

    side: int
    players: tuple[int, ...]
    lane: int
    back: int
    front: int
    out: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """A board and the pegs on it.

    Attributes:
        finish: the first position off the board; holes go from 1 to `finish - 1`.
        lap: positions in one way round the printed board; a long game goes round it more than once.
        skunk_line: a side below it when another wins is skunked; None where nobody is.
        pegs: a pair of pegs a side.
    """

    finish: int
    pegs: tuple[Pegs, ...]
    skunk_line: int | None = None
    lap: int = 121

    @property
    def lanes(self) -> int:
        """How many lanes are in use."""
        return len({pegs.lane for pegs in self.pegs})

    @property
    def streets(self) -> tuple[tuple[int, int], ...]:
        """First and last hole of every street; the last may be short."""
        return tuple((first, min(first + STREET, self.finish) - 1) for first in range(1, self.finish, STREET))

    def off(self, position: int) -> bool:
        """Is a peg there off the board?"""
        return position >= self.finish

    def to_json(self) -> dict[str, Any]:
        """A plain object, ready for `json.dumps`."""
        streets = [list(street) for street in self.streets]
        return {**asdict(self), "lanes": self.lanes, "streets": streets, "sheet": False}


@dataclass(frozen=True, slots=True)
class ScoreSheet(Board):
    """The stand-in for a board in a game without one: what every side has banked, and the turn's running count; no holes.

    `finish` is the score that ends the game, 0 where none does.
    """

    @property
    def streets(self) -> tuple[tuple[int, int], ...]:
        """None."""
        return ()

    def off(self, position: int) -> bool:
        """Has that score reached the end?"""
        return 0 < self.finish <= position

    def to_json(self) -> dict[str, Any]:
        """A plain object, ready for `json.dumps`; "sheet" says that there are no holes."""
        return {**asdict(self), "lanes": self.lanes, "streets": [], "sheet": True}


def lanes_of(sides: int, shared: Sequence[int]) -> tuple[int, ...]:
    """The lane of every side: as given, or one lane per side."""
    return tuple(shared) if shared else tuple(range(sides))


def bump(positions: Sequence[int], lanes: Sequence[int], mover: int, finish: int) -> tuple[int, ...]:
    """Positions after a peg has come to its hole: a peg that stood there goes back 5, and bumps in turn.

    Only pegs in the same lane collide, and never at the start or off the board. Nobody goes back beyond the start.

    Args:
        positions: of every side, the mover already in its new hole.
        lanes: of every side.
        mover: the side that moved.
        finish: the first position off the board.
    """
    hole = positions[mover]
    if not 0 < hole < finish:
        return tuple(positions)
    now = list(positions)
    for side in range(len(positions)):
        if side != mover and lanes[side] == lanes[mover] and now[side] == hole:
            now[side] = max(hole - BUMPED_BY, 0)
            now = list(bump(now, lanes, side, finish))
    return tuple(now)


def empty_hole_short_of(target: int, positions: Sequence[int], lanes: Sequence[int], mover: int, finish: int) -> int:
    """The target, or the next empty hole short of it in the mover's lane; never behind the mover's old hole.

    Start and finish never collide.
    """
    taken = {at for side, at in enumerate(positions) if side != mover and lanes[side] == lanes[mover]}
    hole = target
    while positions[mover] < hole < finish and hole in taken:
        hole -= 1
    return hole


def leaders(positions: Sequence[int], mover: int, finish: int, out: Sequence[bool]) -> tuple[int, ...]:
    """The sides that the mover may exchange pegs with: the furthest others on the board, if they are ahead of it.

    Args:
        positions: of every side.
        mover: the side that wants to exchange.
        finish: the first position off the board; a peg there has finished and leads no more.
        out: for every side, whether it is out of play.
    """
    rivals = [
        side for side, at in enumerate(positions) if side != mover and not out[side] and positions[mover] < at < finish
    ]
    furthest = max((positions[side] for side in rivals), default=0)
    return tuple(side for side in rivals if positions[side] == furthest)
