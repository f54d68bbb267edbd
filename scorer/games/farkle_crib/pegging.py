"""Farkle Cribbage: where pegs go. One peg per hole, however a peg moves.

Source: the text, "One Peg per Hole" and "Optional Bonus Scores"; RULINGS: the next empty hole short of the target, never
behind the peg's own old hole. A peg that is sent back, by an exchange or three farkles, has no hole to stay ahead of.
"""

from __future__ import annotations

from scorer.engine.board import empty_hole_short_of
from scorer.games.farkle_crib.state import State

THREE_FARKLES_COST = 10


def advanced(state: State, count: int) -> tuple[int, ...]:
    """The holes after the player to act pegs `count` points."""
    return _placed(state, state.holes, state.player, state.hole + count, behind=state.hole)


def sent_back(state: State) -> tuple[int, ...]:
    """The holes after the player to act pays for three farkles in a row; nobody goes back beyond the start."""
    return _placed(state, state.holes, state.player, max(state.hole - THREE_FARKLES_COST, 0), behind=0)


def exchanged(state: State, rival: int) -> tuple[int, ...]:
    """The holes after the player to act exchanges pegs with a rival ahead; each peg stays in its own lane."""
    lifted = _with(state.holes, rival, state.hole)
    moved = _placed(state, lifted, state.player, state.holes[rival], behind=state.hole)
    return _placed(state, moved, rival, state.hole, behind=0)


def _placed(state: State, holes: tuple[int, ...], player: int, target: int, *, behind: int) -> tuple[int, ...]:
    """The holes after a peg comes to the target or stops short of it, but never behind the hole `behind`."""
    at = empty_hole_short_of(target, _with(holes, player, behind), state.lanes, player, state.rules.finish)
    return _with(holes, player, at)


def _with(holes: tuple[int, ...], player: int, hole: int) -> tuple[int, ...]:
    return (*holes[:player], hole, *holes[player + 1 :])
