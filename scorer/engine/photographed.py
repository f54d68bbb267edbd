"""What a photo shows of a game's pieces, as values; and what the game derives from it before it scores them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scorer.engine.worth import Piece
from scorer.errors import ThrowError

Joined = tuple[bool, bool]
"""For each end of a tile, whether another tile covers it."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How tiles touch.

    Attributes:
        joined: for each tile, which of its ends are covered.
        lines: separate layouts.
        clashes: pairs of tiles, by index, that touch with ends that do not match.
    """

    joined: tuple[Joined, ...]
    lines: int
    clashes: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Photographed:
    """The pieces of a game in a photo.

    Attributes:
        values: as `score` takes them.
        places: the index of each in the list of pieces that were read.
        own_kind: they are of the kind that the game is played with, not substitutes.
        odd: the value of the die whose colour differs from the rest.
        layout: how they touch; None for dice.
    """

    values: tuple[Piece, ...]
    places: tuple[int, ...]
    own_kind: bool
    odd: int | None = None
    layout: Layout | None = None


@dataclass(frozen=True, slots=True)
class Completed:
    """What a game derives from the pieces in a photo.

    Attributes:
        notes: sentences for the player.
        checks: more notes, on a piece that may be misread or missed, so that a person should check.
        options: what the photo tells `score` beside the pieces.
        apart: the starter is scored beside the pieces: its index among them, or None where it is not in the photo. Empty
            where the game has none.
        refused: why they cannot be scored.
    """

    notes: Sequence[str] = ()
    checks: Sequence[str] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    apart: tuple[int | None, ...] = ()
    refused: ThrowError | None = None
