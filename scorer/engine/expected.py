"""What a photo of the table should show: the game tells the reader before the photo is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

Kind = Literal["d6", "d12", "domino", "card"]
"""A kind of piece that a game is played with."""


@dataclass(frozen=True, slots=True)
class Expected:
    """The pieces that belong to a game, and how many of them may lie on the table.

    Attributes:
        kinds: the kinds of piece; everything else on the table is not part of the game.
        at_most: the most of them that a photo can show; None where there is no such bound.
        counts: the numbers of pieces that fit, like the thrown dice alone or all the dice; empty: any number.
        substitutes: other kinds that may be used instead; they count where there are none of `kinds`.
    """

    kinds: frozenset[Kind]
    at_most: int | None = None
    counts: frozenset[int] = frozenset()
    substitutes: frozenset[Kind] = frozenset()

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Expected:
        """Read what `to_json` wrote."""
        kinds, counts, substitutes = (frozenset(data[name]) for name in ("kinds", "counts", "substitutes"))
        return cls(kinds, data["at_most"], counts, substitutes)

    def to_json(self) -> dict[str, Any]:
        """A plain object, ready for `json.dumps`: a photo may be read in another process."""
        sets = {"kinds": self.kinds, "counts": self.counts, "substitutes": self.substitutes}
        return {"at_most": self.at_most, **{name: sorted(each) for name, each in sets.items()}}

    @property
    def looked_for(self) -> frozenset[Kind]:
        """The kinds that count, and those that may be used instead."""
        return self.kinds | self.substitutes

    @property
    def count(self) -> int | None:
        """The one number of pieces that fits; None where several do."""
        return next(iter(self.counts)) if len(self.counts) == 1 else None

    def showing(self, counts: Iterable[int]) -> Expected:
        """These pieces, limited to these counts (0 left out): what is on the table at one moment of a game."""
        fitting = frozenset(count for count in counts if count > 0)
        return replace(self, at_most=max(fitting, default=self.at_most), counts=fitting)


def pieces(*kinds: Kind, at_most: int | None = None, substitutes: Iterable[Kind] = ()) -> Expected:
    """What a game is played with, whatever its state."""
    return Expected(frozenset(kinds), at_most, substitutes=frozenset(substitutes))
