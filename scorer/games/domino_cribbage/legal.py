"""The legal moves: tiles drawn, tiles discarded, tiles played."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from scorer.engine.draw import Draw
from scorer.engine.game import Legal, Move
from scorer.games.domino_cribbage.state import DEALT, TO_CRIB, State
from scorer.pieces.tiles import FULL_SET, Tile


def legal_moves(state: State) -> Legal:
    """Everything that may be done next."""
    if state.phase == "discard":
        return Legal(tuple(discard(two) for two in combinations(state.hands[state.turn], TO_CRIB)))
    if state.phase == "play":
        return Legal(tuple(play(tile) for tile in state.fitting(state.turn)))
    return Legal(chance=_drawn(state))


def _drawn(state: State) -> Draw | None:
    if state.phase == "opening":
        return Draw("opening", tuple(tile for tile in FULL_SET if tile not in state.drawn))
    if state.phase == "deal":
        return Draw("deal", state.unseen, DEALT, (state.turn,))
    return Draw("starter", state.unseen) if state.phase == "starter" else None


def deal(player: int, tiles: Iterable[Tile]) -> Move:
    """The move of drawing these six tiles, in any order."""
    return Move("deal", (player,), tuple(sorted(tiles)))


def discard(tiles: Iterable[Tile]) -> Move:
    """The move of laying these two tiles in the crib, in any order."""
    return Move("discard", tiles=tuple(sorted(tiles)))


def play(tile: Tile) -> Move:
    """The move of playing this tile."""
    return Move("play", tiles=(tile,))
