"""Anything that can be scored: pieces of one kind, the options of its rules, and the points the pieces are worth.

Every game is a `Scored`; so is a mere count, like a cribbage hand of playing cards, which cannot be played here.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from scorer.engine.expected import Expected, Kind
from scorer.engine.options import GameRules
from scorer.engine.parameters import NoOptions
from scorer.engine.photographed import Completed, Photographed
from scorer.engine.worth import Piece, Worth
from scorer.errors import ThrowError
from scorer.pieces.tiles import typed_tile

R = TypeVar("R", bound=GameRules)


class HandCounts(Protocol):
    """How many hands have each score; see `scorer.odds.hands`."""

    @property
    def counts(self) -> Mapping[int, int]:
        """Hands by score."""

    @property
    def total(self) -> int:
        """All hands."""

    @property
    def mean(self) -> Fraction:
        """The average score, exactly."""

    @property
    def maximum(self) -> int:
        """The highest score that a hand has."""

    def to_json(self) -> dict[str, Any]:
        """A plain object, ready for `json.dumps`."""


class Scored(ABC, Generic[R]):
    """Pieces and their worth. Once an instance is registered, the command line, HTTP and the pages offer it."""

    name: ClassVar[str]
    """Its name on the command line and in records, like "crib-dice"."""
    title: ClassVar[str]
    """Its name in print, like "Crib Dice"."""
    rules: type[R]
    """The class of its rules."""
    pieces: ClassVar[Expected]
    """The pieces it is played with, whatever the state."""
    photographed: ClassVar[bool] = True
    """Whether a photo is read for it; cards are only typed."""
    score_options: ClassVar[type] = NoOptions
    """Further arguments of `score`: a dataclass of `scorer.engine.parameters`."""
    shapes: ClassVar[tuple[type, ...]] = ()
    """What the JSON of its worth adds to `Worth.to_json`, or narrows in it: a `TypedDict` for each outcome, whose "choices" are
    lists of what they add to `Choice.to_json`. Without any, nothing is promised."""
    hands_title: ClassVar[str] = ""
    """What `hands` counts, like "card hands"; empty where it counts none."""
    hands_options: ClassVar[frozenset[str]] = frozenset()
    """The options of the rules that change what hands score."""

    @abstractmethod
    def score(self, pieces: tuple[Any, ...], rules: R, **options: Any) -> Worth:
        """What the pieces are worth: dice by their values, tiles and cards by their names.

        Raises:
            ThrowError: pieces that the game does not have.
        """

    def in_photo(self, rules: R, **options: Any) -> Expected:  # noqa: ARG002
        """What a photo to be scored with these options shows, with the number of pieces where the game knows it.

        Raises:
            ThrowError: options that the game does not allow.
        """
        return self.pieces

    def complete(self, photo: Photographed, rules: R, starter: Piece | None) -> Completed:  # noqa: ARG002
        """What a photo tells beside the values of the pieces, before they are scored.

        Args:
            photo: the pieces of the game in it.
            rules: what is played.
            starter: as a player named it; it overrides the photo.
        """
        return Completed()

    def hands(self, rules: R) -> HandCounts:
        """The distribution of the scores of all its hands, where `hands_title` says that they are counted."""
        raise NotImplementedError(f"{self.name} counts no hands")

    def with_starter(self, pieces: Sequence[Piece], starter: Piece) -> Sequence[Piece]:  # noqa: ARG002
        """The pieces for `score`, from typed pieces and a starter typed apart; by default the starter is not one of them."""
        return pieces

    @property
    def kind(self) -> Kind:
        """The kind of piece it is played with."""
        (kind,) = self.pieces.kinds
        return kind

    def piece(self, piece: Piece) -> Piece:
        """The piece as `score` takes it.

        Raises:
            ThrowError: "no-die" or "no-tile".
        """
        return _PIECES[self.kind](piece)


def _die(piece: Piece) -> Piece:
    if isinstance(piece, str) and not re.fullmatch(r"[0-9]{1,4}", piece):
        raise ThrowError("no-die", f"{piece!r} is no value of a die: write a whole number.")
    return int(piece)


def _tile(piece: Piece) -> Piece:
    return str(typed_tile(str(piece)))


_PIECES: dict[Kind, Callable[[Piece], Piece]] = {"d6": _die, "d12": _die, "domino": _tile, "card": str}
