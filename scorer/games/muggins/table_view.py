"""Muggins: what a picture of the table means.

Source: RULINGS, "What a photo means in a game". A set has each tile once, so it is known which tile is new: it lies alone,
beside the one that it was laid against, or with the whole layout. Where it fits more than one end, what it touches decides,
unless tiles seem to touch that were not laid together. Where that is unclear, and the ends differ, the players are asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from scorer.engine.expected import Expected, pieces
from scorer.engine.game import Move, Seen, Unclear
from scorer.engine.worth import Piece
from scorer.games.muggins.layout import Layout
from scorer.games.muggins.legal import after, legal_moves, play, plays_of
from scorer.games.muggins.refusals import why_not
from scorer.games.muggins.rules import TITLE
from scorer.games.muggins.state import Phase, State
from scorer.games.tile_moves import check_seen, named, only
from scorer.pieces.text import one_of
from scorer.pieces.tiles import FULL_SET, Tile

PIECES = pieces("domino", at_most=len(FULL_SET))
_SHOW: dict[Phase, str] = {
    Phase.OPENING: "Show the tile drawn, alone or beside the others'.",
    Phase.DEAL: "Show the tiles of this hand alone.",
    Phase.PLAY: "Show the tile played alone, or the whole layout.",
    Phase.LEFT: "Show the tiles that this player still holds, alone.",
}


def on_table(state: State) -> Expected:
    """How many tiles a photo taken now should show."""
    laid = len(state.layout.laid)
    counts = {
        Phase.OPENING: range(1, len(state.drawn) + 2),
        Phase.DEAL: (state.rules.dealt(state.players),),
        Phase.PLAY: (1, 2, laid + 1) if laid else (1,),
        Phase.CALL: (laid,),
        Phase.LEFT: (len(state.hands[state.turn]),),
    }
    return PIECES.showing(counts[state.phase]) if state.phase in counts else PIECES


def lay_before(state: State, move: Move) -> tuple[Piece, ...]:
    """The tiles drawn so far in an opening; in the play the layout."""
    if move.verb == "opening":
        return tuple(map(str, state.drawn))
    return tuple(map(str, state.layout.tiles)) if move.verb == "play" else ()


def seen_as_typed(state: State, tiles: Sequence[Tile]) -> Seen:
    """Typed tiles; of two in a turn the second is the one that the first is laid against."""
    if state.phase is Phase.PLAY and len(tiles) == 2:
        return Seen(tiles=tuple(tiles), touching=((tiles[0], tiles[1]),))
    return Seen(tiles=tuple(tiles))


def recognise(state: State, seen: Seen) -> tuple[Move, ...]:
    """The move that a picture shows.

    Raises:
        Unclear: "game-over", "choice-first", "nothing-seen", "same-tile-twice", "wrong-count", "nothing-new", "which-end",
            "some-missing" or "dice-there"; or the reason why the move that was seen is illegal. With a move to confirm
            where one would be legal.
    """
    if state.phase is Phase.OVER:
        raise Unclear("game-over", "The game is over, so these tiles are no move of it. Begin a new game.")
    if state.phase in (Phase.LEAD, Phase.CALL):
        raise Unclear("choice-first", "First answer what is asked; then show the next tile.")
    if state.phase is Phase.PLAY and not (state.told or plays_of(state)):
        raise Unclear("choice-first", "Every tile that fits lies on the table: say a draw or a pass.")
    check_seen(seen.tiles, _SHOW[state.phase])
    moves = _play(state, seen) if state.phase is Phase.PLAY else (_tiles(state, seen.tiles),)
    if seen.dice:
        raise Unclear("dice-there", f"{TITLE} has no dice: clear them away, or confirm the tiles.", moves)
    return moves


def _tiles(state: State, tiles: Sequence[Tile]) -> Move:
    """A tile drawn for the lead, a hand, or what is left of one."""
    if state.phase is Phase.OPENING:
        return _legal(state, Move("opening", tiles=(only(set(tiles).difference(state.drawn), _SHOW[state.phase]),)))
    return _legal(state, Move(state.phase.value, (state.turn,), tuple(sorted(tiles))))


# The tile that was laid


def _play(state: State, seen: Seen) -> tuple[Move, ...]:
    """The play; where hands are told and nothing fits, the tile that was drawn, and its play if it lies in the layout."""
    shown, table = set(seen.tiles), set(state.layout.tiles)
    tile, old = only(shown - table, _SHOW[state.phase]), shown & table
    if state.told and not plays_of(state):
        return _drawn(state, seen, tile, old)
    move = _laid(state, seen, tile, old)
    if len(old) > 1 and old != table:
        text = f"On the table but not seen, though others were: {named(table - old)}. {_SHOW[state.phase]}"
        raise Unclear("some-missing", text, (move,))
    return (move,)


def _drawn(state: State, seen: Seen, tile: Tile, old: set[Tile]) -> tuple[Move, ...]:
    draw = _legal(state, Move("draw", tiles=(tile,)))
    if not old:
        return (draw,)
    holding = state.with_hand(state.turn, (*state.hands[state.turn], tile))
    return draw, _laid(holding, seen, tile, old)


def _laid(state: State, seen: Seen, tile: Tile, old: set[Tile]) -> Move:
    plays = [move for move in plays_of(state) if move.tiles[0] == tile]
    beside = old if len(old) == 1 else _beside(state.layout, seen, tile)
    there = [move for move in plays if beside.intersection(move.tiles[1:])]
    if not there and len(old) != 1:
        there = plays
    if not there:
        return _legal(state, play(tile, min(beside, default=None)))
    layouts = {_as_open(after(state.layout, move)) for move in there}
    if len(layouts) > 1:
        where = one_of([str(move) for move in there])
        raise Unclear("which-end", f"{tile} fits more than one open end. Say which: {where}.")
    return there[0]


def _beside(layout: Layout, seen: Seen, tile: Tile) -> set[Tile]:
    """What the tile touches, as far as that was seen; nothing where a touch was seen that the layout does not have."""
    touching = {frozenset(pair) for pair in seen.touching}
    together = {frozenset((each.tile, each.against)) for each in layout.laid}
    if any(tile not in pair and pair not in together for pair in touching):
        return set()
    return {other for pair in touching if tile in pair for other in pair if other != tile}


def _as_open(layout: Layout) -> tuple[tuple[int, int], ...]:
    """The pips and the count of every open end, whatever its tile: layouts with the same are equivalent for the game."""
    return tuple(sorted((end.pips, end.counts) for end in layout.ends))


def _legal(state: State, move: Move) -> Move:
    if move in legal_moves(state):
        return move
    trouble = why_not(state, move)
    raise Unclear(trouble.code, f"{trouble.message} {_SHOW[state.phase]}")
