"""Why a move is not legal: the reason in a player's words, and the rule that it breaks."""

from __future__ import annotations

from collections.abc import Callable

from scorer.engine.game import Move
from scorer.errors import IllegalMove
from scorer.games.domino_cribbage.rules import SCORING, THE_DEAL, THE_PLAY, WHO_DEALS
from scorer.games.domino_cribbage.state import DEALT, LIMIT, TO_CRIB, Phase, State
from scorer.games.tile_moves import misnamed
from scorer.pieces.text import listed
from scorer.pieces.tiles import Tile

_DUE: dict[Phase, tuple[str, int, str]] = {
    "opening": ("draw a tile for the deal, like opening 3-0", 1, WHO_DEALS),
    "deal": ("draw six tiles, like deal 0 1-0 2-0 3-0 4-0 5-0 6-0", DEALT, THE_DEAL),
    "discard": ("lay two tiles in the crib, like discard 3-0 6-6", TO_CRIB, THE_DEAL),
    "starter": ("turn over the starter, like starter 3-0", 1, THE_PLAY),
    "play": ("play a tile, like play 3-0", 1, THE_PLAY),
}
"""What each phase is for, how many tiles its move names, and where the rules say so. The verbs are the phases' names."""


def why_not(state: State, move: Move) -> IllegalMove:
    """The reason why a move is not among the legal ones."""
    if state.phase == "over":
        return IllegalMove("game-over", "The game is over: nothing more can be played.", SCORING)
    due, count, rule = _DUE[state.phase]
    if move.verb == "go" and state.phase == "play":
        return _no_go(state)
    if move.verb != state.phase:
        return IllegalMove("not-now", f"{move.verb!r} is not a move here. Due now: {due}.", rule)
    return _misnamed(state, move, count, due, rule) or _REASONS[state.phase](state, move)


def _misnamed(state: State, move: Move, count: int, due: str, rule: str) -> IllegalMove | None:
    """What is wrong with the form of the move, whatever the tiles."""
    if state.phase == "deal" and move.numbers != (state.turn,):
        return IllegalMove(
            "wrong-player", f"It is player {state.turn} who draws now: begin with deal {state.turn}.", rule
        )
    if state.phase != "deal" and move.numbers:
        return IllegalMove("numbers-named", f"Only tiles are named here. Due now: {due}.", rule)
    return misnamed(move, count, due, rule)


def _no_go(state: State) -> IllegalMove:
    fitting = listed([str(tile) for tile in state.fitting(state.turn)])
    text = f"Who can play must, and the count has room for {fitting}. When nothing fits, the go follows by itself."
    return IllegalMove("can-play", text, THE_PLAY)


def _drawn_already(_: State, move: Move) -> IllegalMove:
    return IllegalMove("tile-elsewhere", f"{move.tiles[0]} was drawn by the other player: draw another.", WHO_DEALS)


def _dealt_already(state: State, move: Move) -> IllegalMove:
    tile = next(tile for tile in move.tiles if tile not in state.unseen)
    return IllegalMove("tile-elsewhere", f"{tile} was dealt already, so it cannot be drawn again.", THE_DEAL)


def _not_in_hand(state: State, move: Move) -> IllegalMove:
    tile = next(tile for tile in move.tiles if tile not in state.left(state.turn))
    rule = THE_DEAL if state.phase == "discard" else THE_PLAY
    return IllegalMove("not-in-hand", f"{tile} {_whereabouts(state, tile)}: name a tile that the player holds.", rule)


def _not_playable(state: State, move: Move) -> IllegalMove:
    tile = move.tiles[0]
    if tile not in state.left(state.turn):
        return _not_in_hand(state, move)
    text = f"{tile} would bring the count from {state.count} to {state.count + tile.pips}, beyond {LIMIT}: play a lower one."
    return IllegalMove("beyond-31", text, THE_PLAY)


_REASONS: dict[Phase, Callable[[State, Move], IllegalMove]] = {
    "opening": _drawn_already,
    "deal": _dealt_already,
    "discard": _not_in_hand,
    "starter": _dealt_already,
    "play": _not_playable,
}


def _whereabouts(state: State, tile: Tile) -> str:
    """Where the tile is, as far as everybody may know: not whether the other player holds it."""
    if any(play.tile == tile for play in state.played):
        return "has been played already"
    return "is the starter" if tile == state.starter else "is not in the hand of the player to act"
