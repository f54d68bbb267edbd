"""What a picture of the table means.

Source: RULINGS, "What a photo means in a game". Tiles are unlike dice: a set has each of them once, so it is always
known which tile is new. During the play a photo shows either the new tile alone, or all tiles played since the reset or
since the deal, with the starter or without.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from scorer.engine.expected import Expected, pieces
from scorer.engine.game import Move, Seen, Unclear, who
from scorer.engine.photographed import Completed, Photographed
from scorer.engine.worth import Piece
from scorer.errors import ThrowError
from scorer.games.domino_cribbage.legal import deal, discard, legal_moves, play
from scorer.games.domino_cribbage.refusals import why_not
from scorer.games.domino_cribbage.state import DEALT, KEPT, TO_CRIB, Phase, State
from scorer.games.tile_moves import check_seen, named, nothing_new, only, wrong_count
from scorer.pieces.text import in_words, listed
from scorer.pieces.tiles import FULL_SET, Tile

_SHOW: dict[Phase, str] = {
    "opening": "Show the tile drawn, alone or beside the other player's.",
    "deal": "Show the six tiles of this hand alone.",
    "starter": "Show the starter alone.",
    "play": "Show the tile played alone, or all tiles played so far.",
}

PIECES = pieces("domino", at_most=len(FULL_SET))


def on_table(state: State) -> Expected:
    """How many tiles a photo taken now should show: the new one alone, or with those on the table."""
    if state.phase == "opening":
        return PIECES.showing(range(1, len(state.drawn) + 2))
    if state.phase == "play":
        lie = (0, len(state.series), len(state.played))
        return PIECES.showing(1 + others + starter for others in lie for starter in (0, 1))
    counts = {"deal": {DEALT}, "discard": {TO_CRIB, KEPT, DEALT}, "starter": {1}}.get(state.phase, set())
    return PIECES.showing(counts)


def view(state: State, seat: int | None) -> str:
    """What lies face up, and the tiles that the player in that seat holds."""
    if state.to_act is None or not state.hands[state.to_act] or state.phase not in ("discard", "play"):
        return ""
    holds = f"{who(seat)} holds {_in_a_row(state.left(seat)) or 'no tiles'}" if seat is not None else ""
    played = _in_a_row(play.tile for play in state.series) or "nothing yet"
    public = f"starter {state.starter}, played {played}" if state.phase == "play" else ""
    return "; ".join(filter(None, (public, holds)))


def lay_before(state: State, move: Move) -> tuple[Piece, ...]:
    """The tiles drawn so far in an opening; in the play the starter and all tiles played."""
    if move.verb == "opening":
        return tuple(map(str, state.drawn))
    return (str(state.starter), *(str(play.tile) for play in state.played)) if move.verb == "play" else ()


def starter(state: State, move: Move) -> Piece | None:
    """The starter, once it is turned over."""
    if move.verb == "starter":
        return str(move.tiles[0])
    return str(state.starter) if move.verb == "play" else None


def _in_a_row(tiles: Iterable[Tile]) -> str:
    return " ".join(map(str, tiles))


def recognise(state: State, seen: Seen) -> tuple[Move, ...]:
    """The move that a picture shows.

    Raises:
        Unclear: "game-over", "choice-first", "nothing-seen", "same-tile-twice", "wrong-count", "nothing-new",
            "some-missing" or "dice-there"; or the reason why the move that was seen is illegal. With a move to confirm
            where one would be legal.
    """
    if state.phase == "over":
        raise Unclear("game-over", "The game is over, so these tiles are no move of it. Begin a new game.")
    if state.phase == "discard":
        raise _asked(state, seen)
    check_seen(seen.tiles, _SHOW[state.phase])
    move = _LOOKED_AT[state.phase](state, frozenset(seen.tiles))
    if seen.dice:
        raise Unclear("dice-there", "Domino Cribbage has no dice: clear them away, or confirm the tiles.", (move,))
    return (move,)


def _asked(state: State, seen: Seen) -> Unclear:
    """The question which tiles go to the crib; two tiles shown, or the four that stay, are a proposal to be confirmed."""
    hand, shown = set(state.hands[state.turn]), set(seen.tiles)
    if shown <= hand and len(shown) == len(seen.tiles) in (TO_CRIB, KEPT):
        move = discard(shown if len(shown) == TO_CRIB else hand - shown)
        return Unclear("choice-first", f"Do {named(move.tiles)} go to the crib? Only the player can say.", (move,))
    return Unclear("choice-first", "First say which two tiles go to the crib; a picture cannot choose them.")


def _opening(state: State, tiles: frozenset[Tile]) -> Move:
    return _legal(state, Move("opening", tiles=(only(tiles.difference(state.drawn), _SHOW[state.phase]),)))


def _deal(state: State, tiles: frozenset[Tile]) -> Move:
    if len(tiles) != DEALT:
        raise wrong_count(tiles, DEALT, _SHOW[state.phase])
    known = tiles.difference(state.unseen)
    if known == tiles:
        raise nothing_new(_SHOW[state.phase])
    if known:
        text = f"Dealt to the other player already: {named(known)}. A set has every tile once. {_SHOW['deal']}"
        raise Unclear("same-tile-twice", text)
    return deal(state.turn, tiles)


def _starter(state: State, tiles: frozenset[Tile]) -> Move:
    if len(tiles) != 1:
        raise wrong_count(tiles, 1, _SHOW[state.phase])
    return _legal(state, Move("starter", tiles=tuple(tiles)))


def _play(state: State, tiles: frozenset[Tile]) -> Move:
    on_table = {each.tile for each in state.played}
    new = tiles - on_table - {state.starter}
    move = _legal(state, play(only(new, _SHOW[state.phase])))
    old = tiles & on_table
    if old not in (set(), {each.tile for each in state.series}, on_table):
        text = f"Played before but not seen, though others were: {named(on_table - old)}. {_SHOW['play']}"
        raise Unclear("some-missing", text, (move,))
    return move


def _legal(state: State, move: Move) -> Move:
    if move in legal_moves(state):
        return move
    trouble = why_not(state, move)
    raise Unclear(trouble.code, f"{trouble.message} {_SHOW[state.phase]}")


_LOOKED_AT: dict[Phase, Callable[[State, frozenset[Tile]], Move]] = {
    "opening": _opening,
    "deal": _deal,
    "starter": _starter,
    "play": _play,
}


# A photo that is only scored


def complete(photo: Photographed, starter: Piece | None) -> Completed:
    """The hand without the starter, which may or may not be in the photo; refused where these are not four tiles."""
    names = [_either_way(name) for name in photo.values]
    if starter is None:
        notes = ["Without a starter, only the four tiles count."] if len(names) == KEPT else []
        return Completed(notes, refused=_refused(photo.values, apart=False))
    at = names.index(_either_way(starter)) if _either_way(starter) in names else None
    hand = tuple(value for place, value in enumerate(photo.values) if place != at)
    return Completed(apart=(at,), refused=_refused(hand, apart=True))


def _either_way(name: Piece) -> list[str]:
    return sorted(str(name).split("-"))


def _refused(hand: tuple[Piece, ...], *, apart: bool) -> ThrowError | None:
    if len(hand) == KEPT:
        return None
    if len(hand) == KEPT + 1 and not apart:
        tiles = listed([str(value) for value in hand])
        return ThrowError("wrong-count", f"There are five tiles, {tiles}. Name the starter, such as {hand[-1]}.")
    beside = " beside the starter" if apart else ""
    lie = {0: "none was", 1: "one was"}.get(len(hand), f"{in_words(len(hand))} were")
    return ThrowError(
        "wrong-count",
        f"A hand is four tiles, but {lie} read face up{beside}. Show just the four, with or without the starter.",
    )
