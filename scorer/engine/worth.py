"""What a throw is worth, in one shape for all games: for JSON, and as tables that a terminal can print."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scorer.pieces.melds import Hand, Indices, Meld
from scorer.pieces.text import in_words, sentence

Piece = int | str
"""A die by its value, a card or a tile by its name."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing a player may do with the throw.

    Attributes:
        name: the choice in a few words.
        text: the choice and its points in a line.
        pieces: the dice it takes, by their values.
        indices: where they are in the throw.
        points: what it scores.
        items: the melds or chart lines that make up the points.
        details: further JSON keys of the game.
    """

    name: str
    text: str
    pieces: tuple[Piece, ...]
    indices: Indices
    points: int
    items: tuple[Meld[Piece], ...]
    details: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """A plain object, ready for `json.dumps`."""
        return {
            "name": self.name,
            "text": self.text,
            "pieces": list(self.pieces),
            "indices": list(self.indices),
            "points": self.points,
            "items": _items_to_json(self.items),
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
    """What a throw or a hand is worth under a game's rules.

    Attributes:
        game: one of `scorer.games.registry.SCORED`.
        values: the dice by their values, as they were read; the tiles or cards by their names, the starter last.
        outcome: what the throw means in that game; stable kebab-case.
        total: points of the best choice; 0 when the turn is lost.
        summary: one sentence that a player would say.
        choices: what the player may do, best first; empty when there is nothing to choose.
        tables: the worth as tables for the terminal.
        items: the melds of a hand that is only counted; empty if there is something to choose.
        details: further JSON keys of the game.
    """

    game: str
    values: tuple[Piece, ...]
    outcome: str
    total: int
    summary: str
    choices: tuple[Choice, ...]
    tables: tuple[Table, ...]
    items: tuple[Meld[Piece], ...] = ()
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
            "items": _items_to_json(self.items),
            **self.details,
        }


def choices_to_json(choices: Sequence[Choice]) -> list[dict[str, Any]]:
    """The choices as plain objects, ready for `json.dumps`."""
    return [choice.to_json() for choice in choices]


def counted(game: str, values: tuple[Piece, ...], hand: Hand[Piece], table: Table, **details: Any) -> Worth:
    """The worth of a hand in which there is nothing to choose, counted aloud.

    Args:
        game: one of `scorer.games.registry.SCORED`.
        values: the pieces, which the melds' indices refer to.
        hand: what they score.
        table: the hand as a table for the terminal.
        details: further JSON keys of the game; a "starter" that is None is missing, and the summary says so.
    """
    missing = "without a starter, " if "starter" in details and details["starter"] is None else ""
    return Worth(
        game=game,
        values=values,
        outcome="counted",
        total=hand.total,
        summary=sentence(f"{missing}{hand.aloud()}"),
        choices=(),
        tables=(table,),
        items=hand.melds,
        details=details,
    )


def hand_table(title: str, kind: str, hand: Hand[Piece], in_a_row: Callable[[Iterable[Any]], str]) -> Table:
    """The melds of a hand, one row each.

    Args:
        title: the game and the hand, to which the points are added.
        kind: the kind of pieces, as the heading of their column: "Dice", "Tiles", "Cards".
        hand: what was counted.
        in_a_row: formats several pieces of this kind.
    """
    rows = tuple((meld.name, in_a_row(meld.pieces), str(meld.points)) for meld in hand.melds)
    return Table(f"{title} scores {in_words(hand.total)}", ("Meld", kind, "Points"), rows)


def _items_to_json(items: Sequence[Meld[Piece]]) -> list[dict[str, Any]]:
    return [_item_to_json(item) for item in items]


def _item_to_json(item: Meld[Piece]) -> dict[str, Any]:
    return {
        "name": item.name,
        "pieces": list(item.pieces),
        "indices": list(item.indices),
        "points": item.points,
        "text": item.text,
    }
