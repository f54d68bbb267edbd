"""What lies on the table as far as it is known before the photo is read: a game says so (`scorer.engine.expected`)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol


class Expected(Protocol):
    """The pieces that count, and how many there may be."""

    @property
    def kinds(self) -> Collection[str]:
        """The kinds of piece: "d6", "d12", "domino"; other things on the table do not count."""

    @property
    def looked_for(self) -> Collection[str]:
        """These, and other kinds that may be used instead: they count where none of `kinds` lies."""

    @property
    def at_most(self) -> int | None:
        """No photo shows more of them; None where there is no such bound."""

    @property
    def counts(self) -> Collection[int]:
        """The numbers of pieces that fit; empty: any number."""
