"""Muggins: why a move is not legal, in a player's words, and the rule that it breaks."""

from __future__ import annotations

from scorer.engine.game import Move
from scorer.errors import IllegalMove
from scorer.games.muggins.legal import must_lead, plays_of
from scorer.games.muggins.rules import BONEYARD, CLAIM, DEAL, END, LEAD, OUT, PLAY
from scorer.games.muggins.state import Phase, State
from scorer.games.tile_moves import misnamed
from scorer.pieces.text import listed, one_of
from scorer.pieces.tiles import Tile

_DUE: dict[Phase, tuple[tuple[str, ...], str, str]] = {
    Phase.OPENING: (("opening",), "draw a tile for the lead, like opening 5-3", LEAD),
    Phase.LEAD: (("lead",), "say who leads, like lead 0 for the first player", LEAD),
    Phase.DEAL: (("deal",), "tell the hand, like deal 0 1-0 2-0 3-0 4-0 5-0 for the first player", DEAL),
    Phase.PLAY: (("play", "draw", "pass"), "play a tile against one on the table, like play 5-3 5-5", PLAY),
    Phase.CALL: (("call", "muggins", "unclaimed"), "say who called the score: call, muggins 1, or unclaimed", CLAIM),
    Phase.LEFT: (("left",), "turn over what the player still holds, like left 0 5-3 6-6", OUT),
}
"""The verbs of each phase, what is due, and where the rules say so."""


def why_not(state: State, move: Move) -> IllegalMove:
    """The reason why a move is not among the legal ones."""
    if state.phase is Phase.OVER:
        return IllegalMove("game-over", "The game is over: nothing more can be played.", END)
    verbs, due, rule = _DUE[state.phase]
    if move.verb not in verbs:
        return IllegalMove("not-now", f"{move.verb!r} is not a move here. Due now: {due}.", rule)
    if move.verb == "play":
        return _no_play(state, move)
    if move.verb in ("draw", "pass"):
        return _no_draw(state, move)
    if state.phase in (Phase.LEAD, Phase.CALL):
        return _no_player(state, move)
    return _no_tiles(state, move)


# Tiles that are told


def _no_tiles(state: State, move: Move) -> IllegalMove:
    _, due, rule = _DUE[state.phase]
    whose = () if state.phase is Phase.OPENING else (state.turn,)
    if move.numbers != whose:
        text = f"It is player {state.turn} whose tiles are due: {due}."
        return IllegalMove("wrong-player", text, rule)
    return misnamed(move, _count(state), due, rule) or _elsewhere(move, rule)


def _count(state: State) -> int:
    if state.phase is Phase.OPENING:
        return 1
    return state.rules.dealt(state.players) if state.phase is Phase.DEAL else len(state.hands[state.turn])


def _elsewhere(move: Move, rule: str) -> IllegalMove:
    """The refusal of a tile that is elsewhere; it does not say where, for that might reveal another player's hand."""
    text = (
        f"Not all of {listed([str(tile) for tile in move.tiles])} can come now: a tile is on the table or told already."
    )
    return IllegalMove("tile-elsewhere", text, rule)


# A turn


def _no_play(state: State, move: Move) -> IllegalMove:
    if move.numbers or len(move.tiles) not in (1, 2):
        return IllegalMove("unreadable-play", "Name a tile and the one it is laid against: play 5-3 5-5.", PLAY)
    tile = move.tiles[0]
    plays = plays_of(state)
    if tile in state.layout.tiles:
        return IllegalMove("tile-elsewhere", f"{tile} lies on the table already.", PLAY)
    if state.told and tile not in state.known(state.turn):
        return IllegalMove("not-in-hand", f"{tile} is not in the hand of the player to act.", PLAY)
    if not state.layout.laid:
        return _no_lead(state, move)
    places = [str(each) for each in plays if each.tiles[0] == tile]
    if not places:
        return IllegalMove("does-not-fit", f"{tile} fits no open end: {_ends(state)}.", PLAY)
    return IllegalMove("unknown-place", f"Say where {tile} goes: {one_of(places)}.", PLAY)


def _no_lead(state: State, move: Move) -> IllegalMove:
    if len(move.tiles) > 1:
        return IllegalMove("unknown-place", f"No tile is on the table yet: play {move.tiles[0]}.", PLAY)
    tile = must_lead(state.known(state.turn))
    return IllegalMove("not-the-lead", f"The highest double leads, without one the heaviest tile: play {tile}.", LEAD)


def _ends(state: State) -> str:
    ends: list[Tile] = [end.tile for end in state.layout.ends]
    return f"open are {listed([str(tile) for tile in ends])}" if ends else "none is open"


def _no_draw(state: State, move: Move) -> IllegalMove:
    if not state.layout.laid:
        return IllegalMove("must-play", "The hand begins with a tile: lay one.", PLAY)
    if state.told:
        return _no_told_draw(state, move)
    if move.tiles or move.numbers:
        return IllegalMove("strange-words", f"Write {move.verb} alone: hands are secret here.", BONEYARD)
    if move.verb == "draw":
        return IllegalMove("nothing-to-draw", "No tile is left to draw: play, or pass.", BONEYARD)
    text = f"Who cannot play draws, and {state.to_draw} of the tiles in the boneyard may be drawn: draw."
    return IllegalMove("must-draw", text, BONEYARD)


def _no_told_draw(state: State, move: Move) -> IllegalMove:
    plays = plays_of(state)
    if plays:
        text = f"Who can play must: {one_of(sorted({str(play.tiles[0]) for play in plays}))} fits."
        return IllegalMove("must-play", text, BONEYARD)
    if move.verb == "pass":
        return IllegalMove("must-draw", "Who cannot play draws: name the tile, like draw 5-3.", BONEYARD)
    if move.numbers or len(move.tiles) != 1:
        return IllegalMove("wrong-count", "One tile is drawn at a time, like draw 5-3.", BONEYARD)
    return _elsewhere(move, BONEYARD)


# Who leads, who called


def _no_player(state: State, move: Move) -> IllegalMove:
    _, due, rule = _DUE[state.phase]
    if move.tiles or (move.verb in ("call", "unclaimed") and move.numbers):
        return IllegalMove("strange-words", f"Only players are named here. Due now: {due}.", rule)
    whom = state.opponents(state.turn) if move.verb == "muggins" else tuple(range(state.players))
    named = one_of([f"{move.verb} {player}" for player in sorted(whom)])
    return IllegalMove("wrong-player", f"Name one player: {named}.", rule)
