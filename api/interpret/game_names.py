"""Names of games in requests: checked against the registry when they come, and listed in the documentation."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any

from pydantic import AfterValidator, WithJsonSchema

from scorer.games.registry import GAMES
from scorer.games.scoring import photographed, typed


def _one_of(names: Callable[[], Iterable[str]]) -> tuple[Any, ...]:
    def check(name: str) -> str:
        known = tuple(names())
        if name not in known:
            raise ValueError(f"There is no game {name!r} here. Choose one of {', '.join(known)}.")
        return name

    return AfterValidator(check), WithJsonSchema({"type": "string", "enum": list(names())})


PlayedGame = Annotated[str, *_one_of(lambda: GAMES)]
"""A game that is played."""
PhotographedGame = Annotated[str, *_one_of(photographed)]
"""What a photo is read for."""
ScoredGame = Annotated[str, *_one_of(typed)]
"""Everything that has a worth."""
