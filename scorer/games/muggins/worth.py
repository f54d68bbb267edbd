"""What a layout of Muggins is worth: its open ends, where they add up to a multiple of five."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.engine.worth import Piece, Table, Worth
from scorer.errors import ThrowError
from scorer.games.domino_pips.worth import Joined, joined_in_line, open_ends, tile_named
from scorer.games.muggins.rules import FIVES, GAME, TITLE, Rules
from scorer.pieces.melds import Meld, refuse_twice
from scorer.pieces.text import listed, points


def worth(pieces: tuple[str, ...], rules: Rules, joined: Sequence[Joined] | None = None) -> Worth:
    """What the open ends score; the detail "count" is what they add up to.

    Args:
        pieces: tiles, written like "5-3".
        rules: of its options, `per_five`.
        joined: for each tile, which of its ends are covered; without it the tiles are a line of play, in the order in
            which they touch.

    Raises:
        ThrowError: "no-tile", "wrong-count" when there is none, "same-tile-twice", or "no-line".
    """
    if not pieces:
        raise ThrowError("wrong-count", "There is no tile to count: show at least one, face up.")
    refuse_twice(pieces, "tile")
    tiles = [tile_named(piece) for piece in pieces]
    ends = open_ends(tiles, joined_in_line(tiles) if joined is None else joined)
    count = sum(end.points for end in ends)
    total = 0 if count % FIVES else count // rules.unit
    each = f": {listed([str(end.points) for end in ends])}" if len(ends) > 1 else ""
    rows = tuple((item.name, " ".join(item.pieces), str(item.points)) for item in ends)
    return Worth(
        game=GAME,
        values=pieces,
        outcome="counted",
        total=total,
        summary=f"{count} at the open ends{each}; {points(total)}.",
        choices=(),
        tables=(Table(f"{TITLE}: {points(total)}", ("What", "Tile", "Counts"), rows),),
        items=(_scoring(ends, total),) if total else (),
        details={"count": count},
    )


def _scoring(ends: Sequence[Meld[str]], total: int) -> Meld[Piece]:
    """The open ends together."""
    pieces = tuple(piece for end in ends for piece in end.pieces)
    return Meld("open ends", pieces, tuple(index for end in ends for index in end.indices), total)
