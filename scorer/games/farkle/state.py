"""Farkle: where a game stands, as frozen, hashable values."""

from __future__ import annotations

from dataclasses import dataclass, field

from scorer.engine.board import Pegs, ScoreSheet
from scorer.engine.game import Result
from scorer.engine.roll_off import RollOff
from scorer.games.farkle.rules import Rules
from scorer.games.set_aside_game import Phase, Turn


@dataclass(frozen=True, slots=True)
class State:
    """A game of Farkle.

    Attributes:
        rules: what is played.
        phase: what is to be done next.
        scores: of every player.
        farkles: for every player, farkles in a row; counted only where the third costs points.
        player: whose move is next; once it is over, who moved last.
        first: who begins every round.
        turn: the turn so far.
        roll_off: the rolls for who begins.
        finisher: who reached the target first.
        result: how it ended, once it has.
    """

    rules: Rules
    phase: Phase
    scores: tuple[int, ...]
    farkles: tuple[int, ...]
    player: int = 0
    first: int = 0
    turn: Turn = field(default_factory=Turn)
    roll_off: RollOff = field(default_factory=RollOff)
    finisher: int | None = None
    result: Result | None = None

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.scores)

    @property
    def to_act(self) -> int | None:
        """The player whose move is next; None once it is over."""
        return None if self.phase is Phase.OVER else self.player

    @property
    def score(self) -> int:
        """What the player to act has banked."""
        return self.scores[self.player]

    @property
    def may_stop(self) -> bool:
        """May the turn's points be kept? Without any banked, they must be enough to get on the board."""
        return self.score > 0 or self.turn.points >= self.rules.opening_score


def start(rules: Rules, players: int) -> State:
    """The state before the first move.

    Raises:
        RulesError: "bad-players".
    """
    rules.check_players(players)
    nothing = (0,) * players
    if not rules.opening_roll:
        return State(rules, Phase.THROW, nothing, nothing)
    return State(rules, Phase.OPENING, nothing, nothing, roll_off=RollOff(tuple(range(players))))


def sheet(state: State) -> ScoreSheet:
    """What every player has banked, and the turn's running count."""
    return ScoreSheet(state.rules.target, tuple(_row(state, player) for player in range(state.players)))


def _row(state: State, player: int) -> Pegs:
    running = state.turn.points if player == state.player else 0
    return Pegs(player, (player,), player, state.scores[player], state.scores[player] + running)
