"""The candidates of one table judged together: tiles of one set and colour, dice of one size, dice or dominoes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from vision.candidate import Candidate, marked_alone
from vision.classify.tiles import TileFace
from vision.die_sizes import of_one_size
from vision.expected import Expected
from vision.flush_dice import among_dice, less_likely_tiles
from vision.select import suppress_overlaps
from vision.tile_colours import of_one_colour
from vision.tile_set import of_one_set


@dataclass(frozen=True, eq=False)
class OneTable:
    """All candidates of one table; what follows from them together is computed once and cached.

    `expected`: the pieces that the game expects on this table; None: all kinds of piece, in any number.
    """

    candidates: Sequence[Candidate]
    expected: Expected | None = None

    @cached_property
    def adjusted(self) -> list[Candidate]:
        """The candidates, with their probabilities adjusted to each other and to the expected game."""
        candidates = less_likely_tiles(self.candidates)
        return _of_one_table(marked_alone(among_dice(candidates)) if self.expected is None else candidates)

    @cached_property
    def kept(self) -> list[Candidate]:
        """The candidates that remain after overlaps are suppressed."""
        return suppress_overlaps(self.adjusted)


def _of_one_table(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates, with their tiles read as tiles of one set and colour, and their dice as dice of about one size.

    A tile marked `alone` says nothing about a set and stays unchanged.
    """
    if not any(each.kind == "domino" for each in candidates):
        return of_one_size(candidates)
    kept = [each for each in suppress_overlaps(candidates) if each.is_piece]
    candidates = of_one_colour(candidates, kept)
    pieces = [each.face for each in kept if isinstance(each.face, TileFace)]
    tiles = {i: each.face for i, each in enumerate(candidates) if isinstance(each.face, TileFace) and not each.alone}
    faces = dict(zip(tiles, of_one_set(list(tiles.values()), pieces), strict=True))
    return of_one_size([replace(each, face=faces[i]) if i in faces else each for i, each in enumerate(candidates)])
