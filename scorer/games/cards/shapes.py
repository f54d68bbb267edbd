"""JSON fields that the worth of a hand of playing cards adds to the common ones."""

from __future__ import annotations

from typing import Literal, TypedDict


class Cards(TypedDict):
    """A cribbage hand of playing cards.

    Attributes:
        starter: the last of `values`.
    """

    outcome: Literal["counted"]
    starter: str | None
