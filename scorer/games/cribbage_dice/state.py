"""Where a game of Cribbage Dice stands: frozen values that carry everything."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from scorer.engine.game import Result
from scorer.engine.roll_off import RollOff
from scorer.games.cribbage_dice.rules import Rules
from scorer.games.cribbage_dice.throws import HAND, Keep, best_at
from scorer.pieces.dice import take_out
from scorer.pieces.melds import Indices

Phase = Literal["opening", "throw", "decide", "rethrow", "discard", "roll-off", "over"]
"""What is due: opening rolls, the first throw of a turn, keep or stop, throwing the dice that were not kept, discarding
two of seven, rolls that decide a tie, nothing."""
ROLLS = 3
"""Rolls in a turn at most."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What lies before the player whose turn it is.

    Attributes:
        rolls: rolls so far, 0 to 3.
        starter: the value of the starter; 0 before the first roll.
        others: the values beside the starter, sorted; after a keep only those that were kept.
        locked: those among `others` that stay for the turn, under `once_kept`; sorted.
    """

    rolls: int = 0
    starter: int = 0
    others: tuple[int, ...] = ()
    locked: tuple[int, ...] = ()

    @property
    def table(self) -> tuple[int, ...]:
        """All values that count now, the starter first."""
        return (self.starter, *self.others)


@dataclass(frozen=True, slots=True)
class State:
    """A game at one moment.

    Attributes:
        rules: how the table plays.
        players: how many play.
        phase: what is due.
        scores: of every player.
        player: whose turn it is, once the opening is over.
        first: who began the game; a round ends before it is this player's turn again.
        round: the round being played, from 1.
        turn: what lies before the player.
        roll_off: the rolls of the opening or of a roll-off.
        result: how it ended, once it has.
    """

    rules: Rules
    players: int
    phase: Phase
    scores: tuple[int, ...]
    player: int = 0
    first: int = 0
    round: int = 1
    turn: Turn = Turn()
    roll_off: RollOff = field(default_factory=RollOff)
    result: Result | None = None

    @property
    def to_act(self) -> int | None:
        """The player whose move is next; None once it is over."""
        if self.phase == "over":
            return None
        return self.roll_off.to_roll if self.phase in ("opening", "roll-off") else self.player

    @property
    def to_throw(self) -> int:
        """How many dice the next throw has; 0 where none is due."""
        return {
            "opening": 1,
            "roll-off": 1,
            "throw": self.rules.dice,
            "rethrow": self.rules.dice - len(self.turn.table),
        }.get(self.phase, 0)

    @property
    def starter_index(self) -> int | None:
        """The index of the starter in the turn's table where it has to be in the hand; None: it may be discarded."""
        return None if self.rules.seven_dice and not self.rules.seven_keep_starter else 0


def opened(rules: Rules, players: int) -> State:
    """The state before the first move."""
    phase: Phase = "opening" if rules.opening_roll else "throw"
    roll_off = RollOff(tuple(range(players))) if rules.opening_roll else RollOff()
    return State(rules, players, phase, (0,) * players, roll_off=roll_off)


def standing(state: State) -> int:
    """What the dice before the player count now, the best five of seven: the turn's running count."""
    return best(state).hand.total if state.turn.starter else 0


def best(state: State) -> Keep:
    """The best hand of the dice before the player."""
    return best_of(state, tuple(range(len(state.turn.table))))


def best_of(state: State, indices: Indices) -> Keep:
    """The best hand of some of the dice before the player, the starter (index 0) among them."""
    must = state.starter_index if len(indices) > HAND else None
    return best_at(state.turn.table, indices, must, sub_runs=state.rules.sub_runs)


def without(values: tuple[int, ...], taken: tuple[int, ...]) -> tuple[int, ...]:
    """The values that are left when some are taken away; all of `taken` must be there."""
    return tuple(values[index] for index in take_out(values, taken))
