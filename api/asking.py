"""What a player asks about a photo, and the answer: the one JSON shape of the command line and of HTTP."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from scorer.throw import GAMES, ThrowError, Worth, rules_named, worth
from vision.photo import PhotoError
from vision.reading import Reading


@dataclass(frozen=True, slots=True)
class Question:
    """The game, and what the photo cannot show: see `scorer.throw.worth` for each option; `rules` are name=value texts.

    Raises:
        ThrowError: the options do not fit the game, whatever the dice will be.
    """

    game: str | None = None
    point: int | None = None
    frozen: int | None = None
    rules: tuple[str, ...] = ()
    set_aside: tuple[int, ...] | None = None
    starter: int | None = None

    def __post_init__(self) -> None:
        if self.game is None and any(value not in (None, ()) for value in self._options.values()):
            raise ThrowError("no-game", "These options belong to a game: name the game too.")
        if self.game is not None and self.game not in GAMES:
            raise ThrowError(
                "unknown-game", f"There is no game {self.game!r} to read photos for. Choose one of {', '.join(GAMES)}."
            )
        try:
            self.worth(())
        except ThrowError as error:
            # No game throws no dice. Any other complaint about them is one about the question.
            if error.code != "wrong-count":
                raise

    @property
    def _options(self) -> dict[str, Any]:
        return {option.name: getattr(self, option.name) for option in fields(self) if option.name != "game"}

    def worth(self, values: Sequence[int]) -> Worth | None:
        """What the dice are worth; None when no game was named.

        Raises:
            ThrowError: the game does not throw such dice.
        """
        if not self.game:
            return None
        return worth(self.game, values, **{**self._options, "rules": rules_named(self.game, self.rules)})


@dataclass(frozen=True, slots=True)
class Answer:
    """A reading and its worth: None without a game, the error when the game does not throw such dice."""

    reading: Reading
    worth: Worth | ThrowError | None

    def to_json(self) -> dict[str, Any]:
        """The reading's object with `score` added."""
        return {**self.reading.to_json(), "score": self._score()}

    def _score(self) -> dict[str, Any] | None:
        if isinstance(self.worth, ThrowError):
            return {"error": error_json(self.worth)}
        return self.worth.to_json() if self.worth else None


def answer(reading: Reading, question: Question) -> Answer:
    """The worth of what was read; a throw that the game does not know leaves the reading as it is."""
    try:
        return Answer(reading, question.worth(reading.values))
    except ThrowError as error:
        return Answer(reading, error)


def error_json(error: PhotoError | ThrowError) -> dict[str, str]:
    """An error as it stands in the JSON."""
    return {"code": error.code, "message": error.message}
