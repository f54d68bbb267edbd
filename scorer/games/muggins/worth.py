"""What a layout of Muggins is worth: its open ends, where they add up to a multiple of five."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.engine.worth import Piece, Table, Worth
from scorer.errors import ThrowError
from scorer.games.domino_pips.worth import Ends, Joined, joined_in_line, open_ends, tile_named
from scorer.games.muggins.rules import FIVES, GAME, TITLE, Rules
from scorer.pieces.melds import Meld, refuse_twice
from scorer.pieces.text import listed, points


def worth(pieces: tuple[str, ...], rules: Rules, joined: Sequence[Joined] | None = None) -> Worth:
    """What the open ends score; the detail "count" is what they add up to.

    Args:
        pieces: tiles, written like "5-3" or "3-5"; the answer names the higher end first.
        rules: of its options, `per_five`.
        joined: for each tile, which of its ends are covered, in the order in which they are written; without it the tiles
            are a line of play, in the order in which they touch.

    Raises:
        ThrowError: "no-tile", "wrong-count" when there is none, "same-tile-twice", or "no-line".
    """
    if not pieces:
        raise ThrowError("wrong-count", "There is no tile to count: show at least one, face up.")
    written = [tile_named(piece) for piece in pieces]
    tiles = [(max(ends), min(ends)) for ends in written]
    names = tuple(f"{high}-{low}" for high, low in tiles)
    refuse_twice(names, "tile")
    ends = open_ends(tiles, joined_in_line(tiles) if joined is None else _high_first(written, joined))
    count = sum(end.points for end in ends)
    total = 0 if count % FIVES else count // rules.unit
    each = f": {listed([str(end.points) for end in ends])}" if len(ends) > 1 else ""
    rows = tuple((item.name, " ".join(item.pieces), str(item.points)) for item in ends)
    return Worth(
        game=GAME,
        values=names,
        outcome="counted",
        total=total,
        summary=f"{count} at the open ends{each}; {points(total)}.",
        choices=(),
        tables=(Table(f"{TITLE}: {points(total)}", ("What", "Tile", "Counts"), rows),),
        items=(_scoring(ends, total),) if total else (),
        details={"count": count},
    )


def _high_first(written: Sequence[Ends], joined: Sequence[Joined]) -> list[Joined]:
    """Which ends are covered, the higher end of each tile first."""
    return [
        (first, second) if ends[0] >= ends[1] else (second, first)
        for ends, (first, second) in zip(written, joined, strict=True)
    ]


def _scoring(ends: Sequence[Meld[str]], total: int) -> Meld[Piece]:
    """The open ends together."""
    pieces = tuple(piece for end in ends for piece in end.pieces)
    return Meld("open ends", pieces, tuple(index for end in ends for index in end.indices), total)
