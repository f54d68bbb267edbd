"""Which ends of the tiles in a reading lie against other tiles: a layout of dominoes as a game sees it.

Source: Pagat, "Muggins" and "All Fives" (pagat.com/tile/wdom): tiles touch with ends that match; a double is laid
crosswise and stays open, with both its halves, until a tile lies against its other side. A spinner is such a double
with tiles at its ends too.

A tile's end touches another tile when a point a little beyond it lies on, or nearly on, that tile. On narrow boards a
line also goes on beside its last half, in parallel: there ends touch when they are alike. Lengths are in the tile's own
frame, u along it (-1 to 1, first end to second) and v across (-1 to 1), so the slant of the photo hardly matters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import inf

from vision.reading import Point, Tile

_BEYOND = 0.3
"""How far beyond an end a neighbour is searched for, in tile widths: half the length of a tile is its width."""
_SLACK = 0.25
"""Tolerance of a piece's position, in tile widths."""
_MIDDLE = 0.3
"""How far from the middle of a double, in tile widths, a neighbour at its side may lie: a corner is at 0.5."""


@dataclass(frozen=True, slots=True)
class Touch:
    """The end of a tile that lies against another tile.

    Attributes:
        tile: which tile.
        end: which of its ends, 0 or 1.
        other: which tile it lies against.
        other_end: that tile's end, 0 or 1; None at the side of a double laid crosswise.
    """

    tile: int
    end: int
    other: int
    other_end: int | None


@dataclass(frozen=True)
class DominoLayout:
    """Tiles and how they touch; tiles are named by their index in `tiles`.

    Attributes:
        tiles: all face up, with both ends read.
        touches: every touch once.
        sides: for each tile, how many of its long sides have a tile against their middle; 0 except for doubles.
    """

    tiles: tuple[Tile, ...]
    touches: tuple[Touch, ...]
    sides: tuple[int, ...]

    @cached_property
    def joined(self) -> tuple[tuple[bool, bool], ...]:
        """For each tile, which ends are covered and no longer count: of a double laid crosswise none or both."""
        covered = {(touch.tile, touch.end) for touch in self.touches}
        covered |= {(touch.other, touch.other_end) for touch in self.touches if touch.other_end is not None}
        whole = {1: (False, False), 2: (True, True)}
        return tuple(
            whole.get(sides, ((place, 0) in covered, (place, 1) in covered)) for place, sides in enumerate(self.sides)
        )

    @cached_property
    def lines(self) -> int:
        """The number of separate layouts, which do not touch each other."""
        group = list(range(len(self.tiles)))
        for touch in self.touches:
            old, new = group[touch.tile], group[touch.other]
            group = [new if one == old else one for one in group]
        return len(set(group))

    @cached_property
    def clashes(self) -> tuple[Touch, ...]:
        """The touches whose ends differ: a tile was misread, or laid wrong."""
        return tuple(touch for touch in self.touches if self._end(touch.tile, touch.end) != self._other(touch))

    def _other(self, touch: Touch) -> int | None:
        return self._end(touch.other, touch.other_end or 0)

    def _end(self, tile: int, end: int) -> int | None:
        return self.tiles[tile].ends[end]


def layout_of(tiles: Sequence[Tile]) -> DominoLayout:
    """How the tiles touch.

    Args:
        tiles: the tiles of a reading that lie face up with both ends read.
    """
    frames = [_Frame.of(tile) for tile in tiles]
    hits = list(_hits(frames))
    sides = [
        {hit.side for hit in hits if hit.other == place and _at_a_side(hit, tile)} for place, tile in enumerate(tiles)
    ]
    touches = {*(_touch(hit, tiles[hit.other]) for hit in hits), *_beside(tiles, frames)}
    return DominoLayout(
        tuple(tiles), tuple(sorted(touches, key=lambda touch: (touch.tile, touch.end))), tuple(map(len, sides))
    )


# Geometry


@dataclass(frozen=True, slots=True)
class _Frame:
    """A tile as its centre, the vector from there to its second end, and the vector to a long side; pixels."""

    centre: Point
    along: Point
    across: Point

    @classmethod
    def of(cls, tile: Tile) -> _Frame:
        a, b, c, d = tile.box
        first, second, side = _between(a, d), _between(b, c), _between(c, d)
        centre = _between(first, second)
        return cls(centre, _minus(second, centre), _minus(side, centre))

    def beyond(self, end: int) -> Point:
        """The point a little beyond an end."""
        way = (1 + _BEYOND) * (1 if end else -1)
        return self.centre[0] + way * self.along[0], self.centre[1] + way * self.along[1]

    def placed(self, point: Point) -> Point:
        """The point in this tile's coordinates (u, v); infinite where the box has no area."""
        way, area = _minus(point, self.centre), _cross(self.along, self.across)
        return (_cross(way, self.across) / area, _cross(self.along, way) / area) if area else (inf, inf)

    def off(self, point: Point) -> float:
        """The distance of a point from this tile, in tile widths; 0 on it."""
        u, v = self.placed(point)
        return max(abs(u) - 1, (abs(v) - 1) / 2, 0.0)


@dataclass(frozen=True, slots=True)
class _Hit:
    """An end of a tile, the tile that lies beyond it, and where it meets that one, in its coordinates (u, v)."""

    tile: int
    end: int
    other: int
    at: Point

    @property
    def side(self) -> bool:
        """Which long side of the other tile it comes from."""
        return self.at[1] > 0


def _hits(frames: Sequence[_Frame]) -> Iterator[_Hit]:
    for place, frame in enumerate(frames):
        for end in (0, 1):
            point = frame.beyond(end)
            off, other = min(((that.off(point), at) for at, that in enumerate(frames) if at != place), default=(inf, 0))
            if off <= _SLACK:
                yield _Hit(place, end, other, frames[other].placed(point))


def _at_a_side(hit: _Hit, other: Tile) -> bool:
    """Whether the hit meets the middle of a double's long side."""
    first, second = other.ends
    return first == second and abs(hit.at[0]) < _MIDDLE


def _touch(hit: _Hit, other: Tile) -> Touch:
    """The touch of a hit, the same from whichever of the two tiles it was found."""
    if _at_a_side(hit, other):
        return Touch(hit.tile, hit.end, hit.other, None)
    there = int(hit.at[0] > 0)
    (tile, end), (at, at_end) = sorted([(hit.tile, hit.end), (hit.other, there)])
    return Touch(tile, end, at, at_end)


def _beside(tiles: Sequence[Tile], frames: Sequence[_Frame]) -> Iterator[Touch]:
    """Touches of equal ends that lie side by side, where a line turns back: parallel tiles, offset by half a tile."""
    for (one, here), (other, there) in combinations(enumerate(frames), 2):
        end, at_end = int(here.placed(there.centre)[0] > 0), int(there.placed(here.centre)[0] > 0)
        if _half_beside(here, there) and tiles[one].ends[end] == tiles[other].ends[at_end]:
            yield Touch(one, end, other, at_end)


def _half_beside(here: _Frame, there: _Frame) -> bool:
    """Whether the tiles are parallel and only one half of each lies beside the other; in a hand laid in a row, both halves do."""
    (u, v), (to_u, to_v) = here.placed(there.centre), here.placed(_plus(there.centre, there.along))
    parallel = abs(to_v - v) / 2 < _SLACK * abs(to_u - u)
    return parallel and abs(abs(u) - 1) < _SLACK and abs(abs(v) / 2 - 1) < _SLACK


def _between(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _plus(a: Point, b: Point) -> Point:
    return a[0] + b[0], a[1] + b[1]


def _minus(a: Point, b: Point) -> Point:
    return a[0] - b[0], a[1] - b[1]


def _cross(a: Point, b: Point) -> float:
    return a[0] * b[1] - a[1] * b[0]
