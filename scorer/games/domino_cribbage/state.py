"""A game of Domino Cribbage between two moves."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

from scorer.engine.game import Result
from scorer.games.domino_cribbage.rules import Rules
from scorer.pieces.tiles import FULL_SET, Tile

PLAYERS = 2
DEALT = 6
"""Tiles in a hand as it is dealt."""
TO_CRIB = 2
"""Tiles that each player discards."""
KEPT = DEALT - TO_CRIB
LIMIT = 31
"""The count that no tile may take the play beyond."""

Phase = Literal["opening", "deal", "discard", "starter", "play", "over"]
Tiles = tuple[Tile, ...]


class Play(NamedTuple):
    """A tile laid face up in the play."""

    player: int
    tile: Tile


@dataclass(frozen=True, slots=True)
class State:
    """Everything there is to know, the hidden tiles included.

    Attributes:
        rules: the options played with.
        phase: what is being done.
        turn: the player who does it; once the game is over, the last to act.
        dealer: who deals this hand; means nothing in the opening.
        scores: the points of each player, overshoot included.
        drawn: the opening's tiles so far, player 0's first.
        hands: the tiles dealt to each player, sorted: six, after the discard the four kept, played or not.
        crib: the tiles discarded so far, sorted.
        starter: the tile turned over.
        played: the tiles of this hand's play, in order.
        series_from: where in `played` the present count began.
    """

    rules: Rules
    phase: Phase
    turn: int
    dealer: int = 0
    scores: tuple[int, ...] = (0, 0)
    drawn: Tiles = ()
    hands: tuple[Tiles, ...] = ((), ())
    crib: Tiles = ()
    starter: Tile | None = None
    played: tuple[Play, ...] = ()
    series_from: int = 0

    @property
    def players(self) -> int:
        """Two."""
        return PLAYERS

    @property
    def to_act(self) -> int | None:
        """The player whose move is next; None once it is over."""
        return None if self.phase == "over" else self.turn

    @property
    def result(self) -> Result | None:
        """How it ended, once it has. The text knows no skunk: the loser has lost one game."""
        if self.phase != "over":
            return None
        winner = max(range(PLAYERS), key=self.scores.__getitem__)
        lost = tuple(int(player != winner) for player in range(PLAYERS))
        return Result((winner,), ((winner,), (other(winner),)), lost)

    @property
    def series(self) -> tuple[Play, ...]:
        """The tiles played since the count was last reset."""
        return self.played[self.series_from :]

    @property
    def count(self) -> int:
        """The running total of the play, shared by both players."""
        return sum(play.tile.pips for play in self.series)

    @property
    def unseen(self) -> Tiles:
        """The tiles that are dealt to nobody, lowest first; the starter is one of them until it is turned over."""
        known = {*self.hands[0], *self.hands[1], *self.crib, self.starter}
        return tuple(tile for tile in FULL_SET if tile not in known)

    def left(self, player: int) -> Tiles:
        """The tiles that the player still holds."""
        gone = {play.tile for play in self.played}
        return tuple(tile for tile in self.hands[player] if tile not in gone)

    def fitting(self, player: int) -> Tiles:
        """The tiles that the player holds and may lay without going beyond 31."""
        room = LIMIT - self.count
        return tuple(tile for tile in self.left(player) if tile.pips <= room)

    def was_passed(self, player: int) -> bool:
        """Has the opponent played twice running since the reset? Then nothing fits that the player may hold."""
        return any(play.player == after.player != player for play, after in pairwise(self.series))


def other(player: int) -> int:
    """The opponent."""
    return 1 - player


def first_state(rules: Rules) -> State:
    """Before the first move: the draw for the deal; without it player 0's deal."""
    return State(rules, "opening", turn=0) if rules.opening_roll else next_deal(rules, dealer=0)


def next_deal(rules: Rules, dealer: int, scores: tuple[int, ...] = (0, 0)) -> State:
    """All tiles are mixed for the dealer's hand; the non-dealer draws first."""
    return State(rules, "deal", turn=other(dealer), dealer=dealer, scores=scores)
