"""Reconstructs a hand of Domino Cribbage that was dealt face down, once all its tiles were seen face up.

A camera sees the starter, then the tiles that are played, one by one, and at the end the crib turned over. The rules often
tell who played which tile: both play in turn, who can play must, and each has four. Where several ways are possible, a way
is less likely the more tiles a player might have laid instead. Who laid which tiles in the crib is never seen, and changes
no score.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import log
from typing import Any

from scorer.engine.game import Move
from scorer.engine.hidden import HiddenDeal
from scorer.games.domino_cribbage.legal import deal, discard, legal_moves, play
from scorer.games.domino_cribbage.play import follow
from scorer.games.domino_cribbage.state import KEPT, PLAYERS, TO_CRIB, State, other
from scorer.pieces.tiles import Tile

Reconstruction = tuple[tuple[tuple[Move, Any], ...], float]
"""Moves with the state after each, and the logarithm of how likely they are."""


class HiddenHands(HiddenDeal):
    """The starter and the eight tiles that are played are seen one by one, and the crib together."""

    one_by_one = 1 + PLAYERS * KEPT
    together = PLAYERS * TO_CRIB
    reason = "What is dealt face down cannot be seen before the crib is turned over"

    def waits(self, state: State) -> bool:
        """Is the first hand about to be dealt?"""
        return state.phase == "deal" and state.turn != state.dealer

    def hides(self, state: State) -> bool:
        """Is the next move a deal or a discard?"""
        return state.phase in ("deal", "discard")

    def reconstruct(self, state: State, seen: Sequence[Tile], turned: Sequence[Tile]) -> Iterator[Reconstruction]:
        """Every way in which the hand may have been dealt and played.

        Args:
            state: before the deal.
            seen: the starter, then the tiles played, in turn.
            turned: the crib's.
        """
        return reconstruct_hidden_deal(state, seen, turned)


def reconstruct_hidden_deal(state: State, seen: Sequence[Tile], crib: Sequence[Tile]) -> Iterator[Reconstruction]:
    """Every way in which the hand may have been dealt and played; the arguments are those of `HiddenHands`."""
    starter, *played = seen
    first, second = state.turn, other(state.turn)
    mine, theirs = sorted(crib)[:TO_CRIB], sorted(crib)[TO_CRIB:]
    for kept in combinations(played, KEPT):
        rest = [tile for tile in played if tile not in kept]
        dealt = (deal(first, (*kept, *mine)), deal(second, (*rest, *theirs)), discard(mine), discard(theirs))
        found = _reconstruction(state, (*dealt, Move("starter", tiles=(starter,)), *map(play, played)))
        if found:
            yield found


def _reconstruction(state: State, moves: Sequence[Move]) -> Reconstruction | None:
    """The moves up to the last, or up to the one that ends the game; None where one of them is not legal."""
    steps: list[tuple[Move, Any]] = []
    likelihood = 0.0
    for move in moves:
        if state.to_act is None:
            break
        legal = legal_moves(state)
        if move not in legal:
            return None
        likelihood -= log(len(legal.choices)) if move.verb == "play" else 0.0
        state = follow(state, move).state
        steps.append((move, state))
    return tuple(steps), likelihood
