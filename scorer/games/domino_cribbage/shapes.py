"""What the JSON of a hand of Domino Cribbage has beside that of every worth."""

from __future__ import annotations

from typing import Literal, TypedDict


class DominoCribbage(TypedDict):
    """Domino Cribbage: fifteens, pairs, runs of four tiles and the starter.

    Attributes:
        starter: the last of `values`.
    """

    outcome: Literal["counted"]
    starter: str | None
