"""Where a game of Crib Dice stands: the sides and their pegs, the turn, and what is to be done next.

A side is a player or a partnership: it has one peg and one streak of wipeouts (RULINGS). Players are numbers round the
table, and partners sit alternately, so player p plays for side p modulo the number of sides.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from scorer.engine.board import lanes_of, leaders
from scorer.engine.game import Result, names
from scorer.engine.roll_off import RollOff
from scorer.games.crib_dice.rules import Rules
from scorer.games.crib_dice.throws import DICE, chart

Phase = Literal[
    "opening",  # two dice for who goes first
    "throw",  # all seven dice must be thrown: a turn begins, or a piddle was won
    "choose",  # which value is the point
    "freeze",  # freeze_all off: how many of the matching dice join the point
    "safe",  # stop, or throw the unfrozen dice
    "piddle",  # five or six frozen: stop or piddle, perhaps bomb
    "rolling",  # five or six frozen, and the remaining dice are rolled instead of a piddle
    "again",  # doubles of the point: both dice must be thrown again
    "bombing",  # the bomb is announced: two dice must be thrown
    "exchange",  # the bomb went off, and several pegs lead: which one
    "seven",  # seven of a kind, or a won piddle after which one may stop: stop or throw seven dice, perhaps bomb
    "roll-off",  # two dice for who wins
    "over",
]
PIDDLES = 5
"""With this many frozen dice or more, a player piddles instead of throwing the rest."""
PIDDLE_DICE = 2
BOMB_POINT = 1


@dataclass(frozen=True, slots=True)
class Side:
    """A player or a partnership on the board.

    Attributes:
        hole: where its peg stands, from 0 at the start.
        streak: wipeouts in a row.
        fuchled: back at the start by a fuchle and not on the board again since.
        out: eliminated by a double fuchle.
        moved: its peg has left the start at some time.
    """

    hole: int = 0
    streak: int = 0
    fuchled: bool = False
    out: bool = False
    moved: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn under way.

    Attributes:
        banked: points gathered before the last rollover, at stake until the turn ends safely.
        point: the value frozen; 0 before it is chosen.
        frozen: how many dice are set aside on it.
        added: dice of the point that piddles added; they are not set aside.
        dice: the thrown dice while a choice about them is open; otherwise empty.
    """

    banked: int = 0
    point: int = 0
    frozen: int = 0
    added: int = 0
    dice: tuple[int, ...] = ()

    @property
    def counted(self) -> int:
        """How many of a kind the point is."""
        return self.frozen + self.added

    @property
    def total(self) -> int:
        """Points of the turn if it ended safely now."""
        return self.banked + (chart(self.point, self.counted) if self.point else 0)

    @property
    def to_throw(self) -> int:
        """How many dice are unfrozen."""
        return DICE - self.frozen


@dataclass(frozen=True, slots=True)
class State:
    """A game at one moment.

    Attributes:
        rules: what is played.
        players: how many.
        sides: every side, by number.
        phase: what is to be done next.
        player: whose turn it is.
        first: who began the round, the same in every round.
        turn: the turn under way.
        roll_off: the opening or the roll-off under way.
        finished: the sides whose pegs are off the board, in the order in which they got there.
        result: how it ended, once it has.
    """

    rules: Rules
    players: int
    sides: tuple[Side, ...]
    phase: Phase
    player: int = 0
    first: int = 0
    turn: Turn = field(default_factory=Turn)
    roll_off: RollOff | None = None
    finished: tuple[int, ...] = ()
    result: Result | None = None

    @property
    def to_act(self) -> int | None:
        """The player whose move is next; None once it is over."""
        if self.phase == "over":
            return None
        return self.roll_off.to_roll if self.roll_off else self.player

    @property
    def mover(self) -> int:
        """The side whose turn it is."""
        return self.side_of(self.player)

    @property
    def own(self) -> Side:
        """The side whose turn it is, as it stands."""
        return self.sides[self.mover]

    @property
    def holes(self) -> tuple[int, ...]:
        """Where every side's peg stands."""
        return tuple(side.hole for side in self.sides)

    @property
    def lanes(self) -> tuple[int, ...]:
        """The lane of every side."""
        return lanes_of(len(self.sides), self.rules.lanes)

    @property
    def rivals(self) -> tuple[int, ...]:
        """The sides whose pegs a bomb may take: the leading ones, if they are ahead of the mover's."""
        out = tuple(side.out for side in self.sides)
        return leaders(self.holes, self.mover, self.rules.goal, out)

    @property
    def bomb_ready(self) -> bool:
        """Are there enough 1s, all frozen as thrown, for a bomb without a piddle?"""
        return self.turn.point == BOMB_POINT and self.turn.frozen >= self.rules.bomb_at

    @property
    def may_bomb(self) -> bool:
        """May the bomb be taken, or announced at five 1s? A bomber who leads has nothing to exchange."""
        near = self.phase in ("piddle", "seven") and self.turn.point == BOMB_POINT
        return self.rules.bomb and near and bool(self.rivals)

    def side_of(self, player: int) -> int:
        """The side that a player plays for."""
        return player % len(self.sides)

    def members(self, side: int) -> tuple[int, ...]:
        """The players of a side, in table order."""
        return tuple(range(side, self.players, len(self.sides)))

    def names(self, side: int) -> str:
        """The names of a side's players, for an event's text: "{0} and {2}"."""
        return names(self.members(side))

    def playing(self, side: int) -> bool:
        """Does the side still take turns? Finished pegs leave play in Find a Loser only."""
        return not self.sides[side].out and not (self.rules.find_a_loser and side in self.finished)

    def with_side(self, side: int, changed: Side) -> State:
        """The state with one side changed."""
        return replace(self, sides=(*self.sides[:side], changed, *self.sides[side + 1 :]))
