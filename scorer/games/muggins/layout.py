"""The tiles on the table: where the next one may go, and what the open ends add up to.

Source: Pagat, "All Fives", "Muggins" and "Five Up". Ends are added up; a double lies crosswise and counts all its pips for
as long as a tile lies against one of its sides at most. A spinner, once both its sides are taken, may be played on at its
two ends, which count nothing until a tile is laid there. The first tile counts both its ends, or as a double all its pips.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from scorer.pieces.tiles import Tile

SIDES, AROUND = 2, 4
"""Tiles that may lie against a double, and against a spinner."""
Spinner = Literal["first", "none", "all"]


class Laid(NamedTuple):
    """A tile and the one that it was laid against; the first lies against none."""

    tile: Tile
    against: Tile | None


class End(NamedTuple):
    """An end that a tile may be laid against.

    Attributes:
        tile: at the end of its arm.
        pips: what a tile there has to match.
        counts: its part of the sum of the open ends.
    """

    tile: Tile
    pips: int
    counts: int


@dataclass(frozen=True, slots=True)
class Layout:
    """The tiles on the table, as they were laid.

    Attributes:
        spinner: which doubles may be played on all four sides.
        laid: in order.
    """

    spinner: Spinner
    laid: tuple[Laid, ...] = ()

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """Those on the table, in the order in which they were laid."""
        return tuple(each.tile for each in self.laid)

    @property
    def ends(self) -> tuple[End, ...]:
        """Where a tile may be laid; a spinner with both sides taken has an end that counts nothing."""
        return _ends(self)

    @property
    def count(self) -> int:
        """What the open ends add up to."""
        return sum(end.counts for end in self.ends)

    def fitting(self, tile: Tile) -> tuple[Tile, ...]:
        """The tiles that this one may be laid against."""
        return tuple(end.tile for end in self.ends if end.pips in (tile.high, tile.low))

    def and_then(self, tile: Tile, against: Tile | None) -> Layout:
        """The layout with one more tile, which fits there."""
        return Layout(self.spinner, (*self.laid, Laid(tile, against)))


@lru_cache(maxsize=65536)
def _ends(layout: Layout) -> tuple[End, ...]:
    touched: Counter[Tile] = Counter()
    covered: set[tuple[Tile, int]] = set()
    for tile, against in layout.laid:
        if against is not None:
            pips = _shared(tile, against)
            touched.update((tile, against))
            covered.update(((tile, pips), (against, pips)))
    first_double = next((tile for tile in layout.tiles if tile.double), None)
    found: list[End] = []
    for tile in layout.tiles:
        if not tile.double:
            found += [End(tile, pips, pips) for pips in (tile.high, tile.low) if (tile, pips) not in covered]
            continue
        spins = layout.spinner == "all" or (layout.spinner == "first" and tile == first_double)
        found += _of_double(tile, touched[tile], spins)
    return tuple(found)


def _of_double(tile: Tile, touched: int, spins: bool) -> Iterator[End]:
    if touched < SIDES:
        yield End(tile, tile.high, tile.pips)
    elif spins and touched < AROUND:
        yield End(tile, tile.high, 0)


def _shared(one: Tile, other: Tile) -> int:
    """The pips with which they touch: different tiles share one number at most."""
    (pips,) = {one.high, one.low} & {other.high, other.low}
    return pips
