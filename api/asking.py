"""What a player asks about a photo, and the answer: the one JSON shape of the command line and of HTTP."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from scorer.throw import ThrowError, Worth, worth
from vision.photo import PhotoError
from vision.reading import Reading


@dataclass(frozen=True, slots=True)
class Question:
    """The game, and what the photo cannot show: see `scorer.throw.worth` for each option.

    Raises:
        ThrowError: the options do not fit the game, whatever the dice will be.
    """

    game: str | None = None
    point: int | None = None
    frozen: int | None = None
    piddle_points: bool = False
    set_aside: tuple[int, ...] | None = None
    starter: int | None = None

    def __post_init__(self) -> None:
        if self.game is None and any(value is not None and value is not False for value in self._options.values()):
            raise ThrowError("no-game", "These options belong to a game: name the game too.")
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
        return worth(self.game, values, **self._options) if self.game else None


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


def dice_named(text: str) -> tuple[int, ...]:
    """The values in "1-5-5", or in "1,5,5" or "1 5 5".

    Raises:
        ValueError: that is no list of values.
    """
    if not re.fullmatch(r"\d{1,2}((-|, ?| )\d{1,2})*", text.strip()):
        raise ValueError(f"'{text}' is no list of dice. Write the values like 1-5-5.")
    return tuple(map(int, re.findall(r"\d+", text)))
