"""Farkle: what may be asked of its scores."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.engine.parameters import parameter
from scorer.pieces.set_asides import DICE, FACES


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOptions:
    """What a throw may have before it."""

    set_aside: tuple[int, ...] | None = parameter(
        "dice set aside earlier in the turn, such as 1-5-5", None, least=1, most=FACES, at_most=DICE, metavar="DICE"
    )
