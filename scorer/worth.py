"""What a throw is worth, in one shape for all games: for JSON, and as tables that a terminal can print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scorer.melds import Indices, Meld


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing a player may do with the throw.

    Attributes:
        name: the choice in a few words.
        text: the choice and its points in a line.
        dice: the values it takes.
        indices: where those dice are in the throw.
        points: what it scores.
        items: the melds or chart lines that make up the points.
        details: further JSON keys of the game.
    """

    name: str
    text: str
    dice: tuple[int, ...]
    indices: Indices
    points: int
    items: tuple[Meld, ...]
    details: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """A plain object, ready for `json.dumps`."""
        return {
            "name": self.name,
            "text": self.text,
            "dice": list(self.dice),
            "indices": list(self.indices),
            "points": self.points,
            "items": [_item_to_json(item) for item in self.items],
            **self.details,
        }


@dataclass(frozen=True, slots=True)
class Table:
    """A title, a header and rows of text of the same length."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Worth:
    """What a throw is worth under a game's chart.

    Attributes:
        game: one of `scorer.throw.GAMES`.
        values: the values as they were read.
        outcome: what the throw means in that game; stable kebab-case.
        total: points of the best choice; 0 when the turn is lost.
        summary: one sentence that a player would say.
        choices: what the player may do, best first; empty when there is nothing to choose.
        tables: the same for the terminal.
        details: further JSON keys of the game.
    """

    game: str
    values: tuple[int, ...]
    outcome: str
    total: int
    summary: str
    choices: tuple[Choice, ...]
    tables: tuple[Table, ...]
    details: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """A plain object, ready for `json.dumps`."""
        return {
            "game": self.game,
            "values": list(self.values),
            "outcome": self.outcome,
            "total": self.total,
            "summary": self.summary,
            "choices": choices_to_json(self.choices),
            **self.details,
        }


def choices_to_json(choices: Sequence[Choice]) -> list[dict[str, Any]]:
    """The choices as plain objects, ready for `json.dumps`."""
    return [choice.to_json() for choice in choices]


def _item_to_json(item: Meld) -> dict[str, Any]:
    return {
        "name": item.name,
        "dice": list(item.pieces),
        "indices": list(item.indices),
        "points": item.points,
        "text": item.text,
    }
