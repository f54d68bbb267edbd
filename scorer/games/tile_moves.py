"""Messages that domino games share, about the tiles in a photo and the tiles that a move names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scorer.engine.game import Move, Unclear
from scorer.errors import IllegalMove
from scorer.pieces.text import in_words, listed
from scorer.pieces.tiles import Tile


def check_seen(tiles: Sequence[Tile], show: str) -> None:
    """Refuse a photo without tiles, and one in which a tile is seen twice.

    Args:
        tiles: as they were read.
        show: a sentence that says what to show.

    Raises:
        Unclear: "nothing-seen" or "same-tile-twice".
    """
    if not tiles:
        raise Unclear("nothing-seen", f"No tile was seen. {show}")
    twice = sorted({tile for tile in tiles if tiles.count(tile) > 1})
    if twice:
        text = f"Seen twice: {named(twice)}. A set has every tile once, so one is misread. {show}"
        raise Unclear("same-tile-twice", text)


def only(new: Iterable[Tile], show: str) -> Tile:
    """The one tile that was not there before.

    Raises:
        Unclear: "nothing-new" or "wrong-count".
    """
    tiles = tuple(new)
    if not tiles:
        raise nothing_new(show)
    if len(tiles) > 1:
        raise wrong_count(tiles, 1, show)
    return tiles[0]


def nothing_new(show: str) -> Unclear:
    """The doubt that every tile was there before."""
    return Unclear("nothing-new", f"All these tiles were on the table before. {show}")


def wrong_count(new: Iterable[Tile], due: int, show: str) -> Unclear:
    """The doubt that more or fewer tiles are new than are due."""
    tiles = tuple(new)
    there = "There is one new tile" if len(tiles) == 1 else f"There are {in_words(len(tiles))} new tiles"
    text = f"{there} ({named(tiles)}), but {in_words(due)} {'is' if due == 1 else 'are'} due. {show}"
    return Unclear("wrong-count", text)


def named(tiles: Iterable[Tile]) -> str:
    """The tiles in words, lowest first."""
    return listed([str(tile) for tile in sorted(tiles)])


def misnamed(move: Move, count: int, due: str, rule: str) -> IllegalMove | None:
    """What is wrong with the list of tiles that a move names, whatever they are.

    Args:
        move: as it was typed.
        count: how many it has to name.
        due: what is to be done, in words.
        rule: where the rules say so.
    """
    if len(move.tiles) != count:
        told = in_words(len(move.tiles)) if move.tiles else "none"
        text = f"Name {in_words(count)} {'tile' if count == 1 else 'tiles'}, not {told}: {due}."
        return IllegalMove("wrong-count", text, rule)
    in_order = tuple(sorted(set(move.tiles)))
    if len(in_order) < count:
        return IllegalMove("same-tile-twice", "A set has every tile once: name each tile once.", rule)
    if in_order != move.tiles:
        return IllegalMove("unsorted", f"Name the tiles in order, lowest first: {' '.join(map(str, in_order))}.", rule)
    return None
