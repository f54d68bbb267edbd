"""Names of games in requests: validated against the registry on each request, and listed in the documentation."""

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
"""A game or count that can be read from a photo."""
ScoredGame = Annotated[str, *_one_of(typed)]
"""Any game or count."""
