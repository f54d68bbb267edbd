"""JSON fields that the worth of a layout of Muggins adds to the common ones."""

from __future__ import annotations

from typing import Literal, TypedDict


class Muggins(TypedDict):
    """The open ends of a layout.

    Attributes:
        count: what the open ends add up to; a multiple of five scores.
    """

    outcome: Literal["counted"]
    count: int
