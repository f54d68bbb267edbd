"""Farkle Cribbage: where a game stands, as frozen, hashable values."""

from __future__ import annotations

from dataclasses import dataclass, field

from scorer.engine.board import Board, Pegs, lanes_of
from scorer.engine.game import Result
from scorer.engine.roll_off import RollOff
from scorer.games.farkle_crib.rules import Rules
from scorer.games.set_aside_game import Phase, Turn


@dataclass(frozen=True, slots=True)
class State:
    """A game of Farkle Cribbage.

    Attributes:
        rules: what is played.
        phase: what is to be done next.
        holes: the hole of every player's back peg; from `rules.finish` on it is off the board.
        farkles: for every player, farkles in a row; counted only where three of them cost points.
        player: whose move is next; once it is over, who moved last.
        first: who begins every round.
        turn: the turn so far.
        roll_off: the rolls of an opening or a roll-off.
        result: how it ended, once it has.
    """

    rules: Rules
    phase: Phase
    holes: tuple[int, ...]
    farkles: tuple[int, ...]
    player: int = 0
    first: int = 0
    turn: Turn = field(default_factory=Turn)
    roll_off: RollOff | None = None
    result: Result | None = None

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.holes)

    @property
    def to_act(self) -> int | None:
        """The player whose move is next; None once it is over."""
        return None if self.phase is Phase.OVER else self.player

    @property
    def hole(self) -> int:
        """The hole of the back peg of the player to act."""
        return self.holes[self.player]

    @property
    def lanes(self) -> tuple[int, ...]:
        """The lane of every player's peg."""
        return lanes_of(self.players, self.rules.lanes)

    @property
    def finished(self) -> bool:
        """Is a peg off the board?"""
        return max(self.holes) >= self.rules.finish


def start(rules: Rules, players: int) -> State:
    """The state before the first move.

    Raises:
        RulesError: "bad-players" or "bad-option", see `Rules.check_players`.
    """
    rules.check_players(players)
    nothing = (0,) * players
    if not rules.opening_roll:
        return State(rules, Phase.THROW, nothing, nothing)
    return State(rules, Phase.OPENING, nothing, nothing, roll_off=RollOff(tuple(range(players))))


def board(state: State) -> Board:
    """The pegs: the back peg on the hole that is banked, the front peg ahead by the turn's running count."""
    return Board(state.rules.finish, tuple(_pegs(state, player) for player in range(state.players)))


def _pegs(state: State, player: int) -> Pegs:
    back = state.holes[player]
    running = state.turn.points if player == state.player else 0
    return Pegs(player, (player,), state.lanes[player], back, back + running, out=back >= state.rules.finish)
