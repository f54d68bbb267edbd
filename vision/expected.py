"""What is known about the table before the photo is read, from the game (`scorer.engine.expected`)."""

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
        """`kinds`, and others that may be used instead: those count where no piece of `kinds` is on the table."""

    @property
    def at_most(self) -> int | None:
        """The most pieces that can be on the table; None: no limit."""

    @property
    def counts(self) -> Collection[int]:
        """The numbers of pieces that fit; empty: any number."""
