"""Plain totals of dominoes: pips on the table, what is left in a hand, and the open ends of a layout.

Sources: Pagat, "Muggins" and "All Fives" (pagat.com/tile/wdom): ends are added up; a double is laid crosswise and counts
as the total of its pips for as long as it is at the end of an arm, with no tile against its other side. What is left in
a hand counts its pips in Mexican Train and most other games; the double blank, which has none, counts 10, 25 or 50 by
many house rules. Tiles of any set up to the double-eighteen.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from scorer.engine.options import GameRules, choice
from scorer.engine.parameters import parameter
from scorer.engine.worth import Piece, Table, Worth
from scorer.errors import RulesError, ThrowError
from scorer.pieces.melds import Meld
from scorer.pieces.text import listed
from scorer.pieces.tiles import HIGHEST_OF_ANY_SET

GAME = "domino-pips"
FIVES = 5
"""Muggins and All Fives score open ends that add up to a multiple of it."""

Ends = tuple[int, int]
"""The pips of a tile's two ends."""
Joined = tuple[bool, bool]
"""For each end of a tile, whether another tile covers it so that it no longer counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(GameRules):
    """What is counted.

    Raises:
        RulesError: "bad-option": an option set to what it cannot be, or to what would not count.
    """

    count: str = choice(
        "The pips of all tiles on the table, what is left in a hand, or the open ends of a layout.",
        "table",
        "hand",
        "ends",
    )
    double_blank: str = choice(
        "A tile left in a hand counts its pips; the double blank has none, or counts 10, 25 or 50 by the house.",
        "0",
        "10",
        "25",
        "50",
    )

    def __post_init__(self) -> None:
        GameRules.__post_init__(self)
        if self.double_blank != "0" and self.count != "hand":
            raise RulesError("bad-option", f"double_blank={self.double_blank} counts in a hand only: add count=hand.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOptions:
    """What a photo tells beside the tiles."""

    joined: tuple[Joined, ...] | None = parameter("for each tile, which of its ends are covered", None, typed=False)


def worth(pieces: Sequence[str], rules: Rules, joined: Sequence[Joined] | None = None) -> Worth:
    """What the tiles add up to.

    Args:
        pieces: tiles, written like "3-5".
        rules: what is counted.
        joined: for each tile, which of its ends are covered, when open ends are counted; without it the tiles are a
            line of play, in the order in which they touch.

    Raises:
        ThrowError: "no-tile", "wrong-count" when there is none, or "no-line" when two neighbours in a line do not match.
    """
    tiles = [tile_named(piece) for piece in pieces]
    if not tiles:
        raise ThrowError("wrong-count", "There is no tile to count: show at least one, face up.")
    if rules.count == "ends":
        items = open_ends(tiles, joined_in_line(tiles) if joined is None else joined)
    else:
        items = pips(tiles, double_blank=int(rules.double_blank))
    return _counted(tuple(pieces), rules, items)


def tile_named(text: str) -> Ends:
    """The two ends of the tile written "3-5".

    Raises:
        ThrowError: "no-tile".
    """
    written = re.fullmatch("([0-9]{1,2})-([0-9]{1,2})", text)
    if not written or max(map(int, written.groups())) > HIGHEST_OF_ANY_SET:
        raise ThrowError("no-tile", f"{text!r} is no tile: write its two ends, 0 to {HIGHEST_OF_ANY_SET}, like 3-5.")
    return int(written[1]), int(written[2])


def pips(tiles: Sequence[Ends], *, double_blank: int = 0) -> tuple[Meld[str], ...]:
    """The points of each tile: its pips, and for the double blank those of the house rule."""
    return tuple(_tile_counts(index, tile, double_blank) for index, tile in enumerate(tiles))


def _tile_counts(index: int, tile: Ends, double_blank: int) -> Meld[str]:
    blank = tile == (0, 0)
    return Meld("double blank" if blank else "tile", (_name(tile),), (index,), double_blank if blank else sum(tile))


def open_ends(tiles: Sequence[Ends], joined: Sequence[Joined]) -> tuple[Meld[str], ...]:
    """What each open end counts. A double with both halves open counts as one, the total of its pips.

    Args:
        tiles: in any order.
        joined: for each of them, which ends are covered.
    """
    found: list[Meld[str]] = []
    for index, (tile, covered) in enumerate(zip(tiles, joined, strict=True)):
        if tile[0] == tile[1] and not any(covered):
            found.append(Meld("double", (_name(tile),), (index,), sum(tile)))
            continue
        found += [
            Meld("end", (_name(tile),), (index,), end) for end, hidden in zip(tile, covered, strict=True) if not hidden
        ]
    return tuple(found)


def joined_in_line(line: Sequence[Ends]) -> tuple[Joined, ...]:
    """Which ends are covered in a line of play that does not branch.

    Args:
        line: at least one tile, in the order in which they touch; which end of a tile is written first does not matter.

    Raises:
        ThrowError: "no-line": two neighbours have no end in common, or the one that they have is covered already.
    """
    ways = [way for leaving in (1, 0) if (way := _followed(line, leaving))]
    if not ways:
        raise ThrowError("no-line", f"{_in_a_row(line)} is no line of play: the ends that touch must be alike.")
    first, last = 0, len(line) - 1
    return tuple(
        (False, False) if place in (first, last) and _double(tile) else _sides(entering, place > first, place < last)
        for place, (tile, entering) in enumerate(zip(line, ways[0], strict=True))
    )


def _followed(line: Sequence[Ends], leaving: int) -> list[int] | None:
    """For each tile the end towards the start of the line, which leaves the first tile by its end `leaving`; None: no line."""
    entering = [1 - leaving]
    for tile, after in pairwise(line):
        free = tile[1 - entering[-1]]
        if free not in after:
            return None
        entering.append(after.index(free))
    return entering


def _sides(entering: int, before: bool, after: bool) -> Joined:
    return (before, after) if entering == 0 else (after, before)


def _double(tile: Ends) -> bool:
    return tile[0] == tile[1]


def _name(tile: Ends) -> str:
    return f"{tile[0]}-{tile[1]}"


def _in_a_row(tiles: Sequence[Ends]) -> str:
    return " ".join(map(_name, tiles))


# In words


def _counted(names: tuple[Piece, ...], rules: Rules, items: tuple[Meld[str], ...]) -> Worth:
    total = sum(item.points for item in items)
    return Worth(
        game=GAME,
        values=names,
        outcome="counted",
        total=total,
        summary=_SUMMARIES[rules.count](len(names), total, items),
        choices=(),
        tables=(_table(total, items),),
        items=items,
        details={"count": rules.count},
    )


def _on_the_table(count: int, total: int, _: Sequence[Meld[str]]) -> str:
    return f"{_pips(total)} on {_tiles(count)}."


def _in_the_hand(count: int, total: int, _: Sequence[Meld[str]]) -> str:
    return f"{_tiles(count).capitalize()} left in the hand: {total}."


def _at_the_ends(_: int, total: int, items: Sequence[Meld[str]]) -> str:
    if not items:
        return "No end is open."
    each = f": {listed([str(item.points) for item in items])}" if len(items) > 1 else ""
    fives = f", a multiple of {FIVES}" if total and total % FIVES == 0 else ""
    return f"{total} at the open ends{each}{fives}."


_SUMMARIES = {"table": _on_the_table, "hand": _in_the_hand, "ends": _at_the_ends}


def _pips(count: int) -> str:
    return "1 pip" if count == 1 else f"{count} pips"


def _tiles(count: int) -> str:
    return "1 tile" if count == 1 else f"{count} tiles"


def _table(total: int, items: Sequence[Meld[str]]) -> Table:
    rows = tuple((item.name, " ".join(item.pieces), str(item.points)) for item in items)
    return Table(f"Dominoes: {total}", ("What", "Tile", "Counts"), rows)
