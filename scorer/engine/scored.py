"""What has a worth: pieces of one kind, the options of its rules, and the points they score.

Every game is one; so is a mere count, like a cribbage hand of playing cards, which nobody plays here.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, Generic, TypeVar

from scorer.engine.expected import Expected, Kind
from scorer.engine.options import GameRules
from scorer.engine.worth import Piece, Worth
from scorer.errors import ThrowError
from scorer.pieces.text import sentence
from scorer.pieces.tiles import Tile

R = TypeVar("R", bound=GameRules)


class Scored(ABC, Generic[R]):
    """Pieces and what they are worth. Register an instance and the command line, HTTP and the pages have it."""

    name: ClassVar[str]
    """Its name on the command line and in records, like "crib-dice"."""
    title: ClassVar[str]
    """Its name in print, like "Crib Dice"."""
    rules: type[R]
    """The class of its rules."""
    pieces: ClassVar[Expected]
    """What it is played with, whatever the state."""
    photographed: ClassVar[bool] = True
    """Whether a photo is read for it; cards are only typed."""
    score_options: ClassVar[frozenset[str]] = frozenset()
    """What `score` may be told beside the pieces: any of "point", "frozen", "set_aside", "starter" and "joined"."""

    @abstractmethod
    def score(self, pieces: tuple[Any, ...], rules: R, **options: Any) -> Worth:
        """What the pieces are worth: dice by their values, tiles and cards by their names.

        Raises:
            ThrowError: pieces that the game does not have.
        """

    def in_photo(self, rules: R, **options: Any) -> Expected:  # noqa: ARG002
        """What a photo shows that is scored with these options: how many pieces, where the game can say so.

        Raises:
            ThrowError: options that the game does not allow.
        """
        return self.pieces

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
    try:
        return str(Tile.parse(str(piece)))
    except ValueError as error:
        raise ThrowError("no-tile", sentence(str(error))) from error


_PIECES: dict[Kind, Callable[[Piece], Piece]] = {"d6": _die, "d12": _die, "domino": _tile, "card": str}
