"""A hand of Domino Cribbage that was dealt face down, told once all its tiles have lain face up.

A camera sees the starter, then the tiles that are played, one by one, and in the end the crib turned over. Who played which
tile, the rules may tell: both play in turn, who can play must, and each has four. Often they leave more than one way; the
more tiles a player might have laid instead, the less likely it is. Who laid which tiles in the crib is never seen, and
changes no score.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import log
from typing import Any

from scorer.engine.game import Move
from scorer.errors import IllegalMove
from scorer.games.domino_cribbage.legal import deal, discard, play
from scorer.games.domino_cribbage.state import KEPT, PLAYERS, TO_CRIB, other
from scorer.games.registry import AnyGame
from scorer.pieces.tiles import Tile

ONE_BY_ONE = 1 + PLAYERS * KEPT
"""Tiles of a hand that are seen one by one: the starter, and those played."""
CRIB = PLAYERS * TO_CRIB

Told = tuple[tuple[tuple[Move, Any], ...], float]
"""Moves with the state after each, and the logarithm of how likely they are."""


def reconstruct_hidden_deal(game: AnyGame, state: Any, seen: Sequence[Tile], crib: Sequence[Tile]) -> Iterator[Told]:
    """Every way in which the hand may have been dealt and played.

    Args:
        game: Domino Cribbage.
        state: before the deal.
        seen: the starter, then the tiles played, in turn; as many as `ONE_BY_ONE`.
        crib: its tiles.
    """
    starter, *played = seen
    first, second = state.turn, other(state.turn)
    mine, theirs = sorted(crib)[:TO_CRIB], sorted(crib)[TO_CRIB:]
    for kept in combinations(played, KEPT):
        rest = [tile for tile in played if tile not in kept]
        dealt = (deal(first, (*kept, *mine)), deal(second, (*rest, *theirs)), discard(mine), discard(theirs))
        told = _told(game, state, (*dealt, Move("starter", tiles=(starter,)), *map(play, played)))
        if told:
            yield told


def _told(game: AnyGame, state: Any, moves: Sequence[Move]) -> Told | None:
    """The moves up to the last, or up to that which ends the game; None where one of them is not legal."""
    steps: list[tuple[Move, Any]] = []
    likely = 0.0
    for move in moves:
        if state.to_act is None:
            break
        likely -= log(len(game.legal_moves(state).choices)) if move.verb == "play" else 0.0
        try:
            state = game.apply(state, move).state
        except IllegalMove:
            return None
        steps.append((move, state))
    return tuple(steps), likely
