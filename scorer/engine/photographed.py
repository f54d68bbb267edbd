"""What a photo shows of a game's pieces, as values; and what the game makes of it before it scores them."""

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
        clashes: pairs of tiles, by their index, that touch with ends which do not match.
    """

    joined: tuple[Joined, ...]
    lines: int
    clashes: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Photographed:
    """The pieces of a game in a photo.

    Attributes:
        values: as `score` takes them.
        places: where each stands in the list of what was read, from 0.
        own_kind: they are of the kind that the game is played with, no substitutes.
        odd: the value of the die that has another colour than the rest.
        layout: how they touch; None for dice.
    """

    values: tuple[Piece, ...]
    places: tuple[int, ...]
    own_kind: bool
    odd: int | None = None
    layout: Layout | None = None


@dataclass(frozen=True, slots=True)
class Completed:
    """What a game makes of the pieces in a photo.

    Attributes:
        notes: sentences for the player.
        checks: further ones, by which something is misread or missed, so that a person should look.
        options: what the photo tells `score` beside the pieces.
        apart: the starter is scored beside the pieces: its index among them, or None where it is not in the photo. Empty
            where there is none.
        refused: why they cannot be scored.
    """

    notes: Sequence[str] = ()
    checks: Sequence[str] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    apart: tuple[int | None, ...] = ()
    refused: ThrowError | None = None
