"""Advice in one shape for all games: every alternative with its worth, the best first, and why in one sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any


@dataclass(frozen=True, slots=True)
class Alternative:
    """One option of a player.

    Attributes:
        move: the text form of the move, or of its verb where a throw follows ("throw", "piddle").
        text: the move in words: "freeze two 5s".
        worth: the expected points of the turn (or what the advice says it measures), with best play afterwards.
        chances: named chances that belong to it, like "wipeout".
        points: named points that make up the worth or belong to it, like "hand" and "crib".
    """

    move: str
    text: str
    worth: Fraction
    chances: Mapping[str, Fraction] = field(default_factory=dict)
    points: Mapping[str, Fraction] = field(default_factory=dict)

    def to_json(self, *, exact: bool = True) -> dict[str, Any]:
        """A plain object: floats for reading, and where the worth is exact, also as a fraction in text."""
        return {
            "move": self.move,
            "text": self.text,
            "worth": float(self.worth),
            **({"worth_exact": str(self.worth)} if exact else {}),
            "chances": {name: float(chance) for name, chance in self.chances.items()},
            "points": {name: float(points) for name, points in self.points.items()},
        }


@dataclass(frozen=True, slots=True)
class Advice:
    """Alternatives in a situation, best first.

    Attributes:
        game: the game's name.
        measures: what `worth` counts, like "expected points of the turn".
        alternatives: at least one.
        why: one sentence that says why the first is best.
        exact: the worths are exact; otherwise they are rounded to the digits that are certain.
    """

    game: str
    measures: str
    alternatives: tuple[Alternative, ...]
    why: str
    exact: bool = True

    @property
    def best(self) -> Alternative:
        """The first of the alternatives."""
        return self.alternatives[0]

    def to_json(self) -> dict[str, Any]:
        """A plain object, ready for `json.dumps`."""
        return {
            "game": self.game,
            "measures": self.measures,
            "best": self.best.move,
            "why": self.why,
            "alternatives": [alternative.to_json(exact=self.exact) for alternative in self.alternatives],
        }


def best_first(alternatives: Sequence[Alternative]) -> tuple[Alternative, ...]:
    """The alternatives by worth, highest first; equal ones keep their order."""
    return tuple(sorted(alternatives, key=lambda alternative: -alternative.worth))
