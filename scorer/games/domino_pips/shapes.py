"""JSON fields that totals of dominoes add to the common ones."""

from __future__ import annotations

from typing import Literal, TypedDict


class Pips(TypedDict):
    """Plain totals of tiles.

    Attributes:
        count: what was counted: all tiles on the table, what is left in a hand, or open ends.
    """

    outcome: Literal["counted"]
    count: Literal["table", "hand", "ends"]
