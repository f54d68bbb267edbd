"""JSON fields that the worth of a hand of Domino Cribbage adds to the common ones."""

from __future__ import annotations

from typing import Literal, TypedDict


class DominoCribbage(TypedDict):
    """Domino Cribbage: fifteens, pairs, runs of four tiles and the starter.

    Attributes:
        starter: the last of `values`.
    """

    outcome: Literal["counted"]
    starter: str | None
