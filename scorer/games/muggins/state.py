"""A game of Muggins between two moves."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from scorer.engine.game import Result
from scorer.engine.roll_off import RollOff
from scorer.games.muggins.layout import Layout
from scorer.games.muggins.rules import Rules
from scorer.pieces.tiles import FULL_SET, Tile

Tiles = tuple[Tile, ...]
Hand = tuple[Tile | None, ...]
"""The tiles that a player holds; None for an unknown one."""


class Phase(StrEnum):
    """What is to be done next."""

    OPENING = "opening"
    """A tile is drawn for the lead."""
    LEAD = "lead"
    """The table says who holds the highest double; hands are secret."""
    DEAL = "deal"
    """A hand is entered, tile by tile."""
    PLAY = "play"
    """A tile is laid, or drawn from the boneyard."""
    CALL = "call"
    """The table says who called a score, where overlooked ones may be claimed."""
    LEFT = "left"
    """A hand is over, and what a player holds is turned over."""
    OVER = "over"


@dataclass(frozen=True, slots=True)
class State:
    """Everything there is to know; where hands are told, the hidden tiles too.

    Attributes:
        rules: the options played with.
        phase: what is being done.
        turn: the player who does it; once the game is over, the last to act.
        hands: what each player holds.
        scores: the points of each side, overshoot included.
        layout: the tiles on the table.
        leader: who led this hand.
        roll_off: the pips of the tiles drawn for the lead.
        drawn: those tiles.
        passes: players who passed in a row; counted where hands are secret.
        called: pips of the score that is to be called.
        out: who went out, while the other hands are turned over; None also for a blocked game.
        result: how it ended, once it has.
    """

    rules: Rules
    phase: Phase
    turn: int
    hands: tuple[Hand, ...]
    scores: tuple[int, ...]
    layout: Layout
    leader: int = 0
    roll_off: RollOff = field(default_factory=RollOff)
    drawn: Tiles = ()
    passes: int = 0
    called: int = 0
    out: int | None = None
    result: Result | None = None

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.hands)

    @property
    def to_act(self) -> int | None:
        """The player whose move is next; None once it is over."""
        return None if self.phase is Phase.OVER else self.turn

    @property
    def told(self) -> bool:
        """Whether every tile dealt and drawn is entered (the option `hands`)."""
        return self.rules.hands == "told"

    @property
    def unseen(self) -> Tiles:
        """The tiles not known to the game, lowest first: in the boneyard, or in a secret hand."""
        known = {*self.layout.tiles, *(tile for hand in self.hands for tile in hand)}
        return tuple(tile for tile in FULL_SET if tile not in known)

    @property
    def boneyard(self) -> int:
        """How many tiles are in the boneyard."""
        return len(FULL_SET) - len(self.layout.laid) - sum(map(len, self.hands))

    @property
    def to_draw(self) -> int:
        """How many of them may be drawn."""
        return max(self.boneyard - self.rules.kept_back, 0)

    def known(self, player: int) -> Tiles:
        """The tiles of that player that are known."""
        return tuple(tile for tile in self.hands[player] if tile is not None)

    def side(self, player: int) -> int:
        """The side that the player plays for."""
        return player % 2 if self.rules.partners else player

    def members(self, side: int) -> tuple[int, ...]:
        """The players of a side."""
        return tuple(player for player in range(self.players) if self.side(player) == side)

    def opponents(self, player: int) -> tuple[int, ...]:
        """Those who play against that player, in turn after them."""
        seats = ((player + seat) % self.players for seat in range(1, self.players))
        return tuple(seat for seat in seats if self.side(seat) != self.side(player))

    def with_hand(self, player: int, hand: Hand) -> State:
        """The state with another hand for that player."""
        return replace(self, hands=(*self.hands[:player], hand, *self.hands[player + 1 :]))


def start(rules: Rules, players: int) -> State:
    """The state before the first move.

    Raises:
        RulesError: "bad-players".
    """
    rules.check_players(players)
    sides = 2 if rules.partners else players
    nothing = State(rules, Phase.OVER, 0, ((),) * players, (0,) * sides, Layout(rules.spinner))
    return opening(nothing) if rules.lead == "drawn" else next_hand(nothing, 0)


def opening(state: State) -> State:
    """A tile each is drawn for the lead."""
    everybody = tuple(range(state.players))
    return replace(_cleared(state), phase=Phase.OPENING, turn=0, roll_off=RollOff(everybody), drawn=())


def next_hand(state: State, leader: int) -> State:
    """All tiles are mixed for a hand that this player leads, unless the highest double decides it."""
    cleared = replace(_cleared(state), leader=leader)
    if state.told:
        return replace(cleared, phase=Phase.DEAL, turn=0)
    hand: Hand = (None,) * state.rules.dealt(state.players)
    dealt = replace(cleared, hands=(hand,) * state.players, turn=leader)
    return replace(dealt, phase=Phase.LEAD if state.rules.lead == "double" else Phase.PLAY)


def _cleared(state: State) -> State:
    return replace(
        state,
        hands=((),) * state.players,
        layout=Layout(state.rules.spinner),
        roll_off=RollOff(),
        drawn=(),
        passes=0,
        called=0,
        out=None,
    )
