"""What a player asks about a photo, and the answer: the one JSON shape of the command line and of HTTP."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from api.interpret.completion import check, fit
from api.interpret.selection import Taken
from scorer.engine.expected import Expected
from scorer.engine.worth import Piece
from scorer.games.scoring import ThrowError, Worth, in_photo, photographed, rules_named, worth
from vision.photo import PhotoError
from vision.reading import Reading


@dataclass(frozen=True, slots=True)
class Question:
    """The game, and what the photo cannot show: see `scorer.games.scoring.worth` for each option; `rules` are name=value texts.

    `starter` is the value of a die or a tile like "4-1"; it counts before what the photo tells.

    Raises:
        ThrowError: the options do not fit the game, whatever the dice will be.
    """

    game: str | None = None
    point: int | None = None
    frozen: int | None = None
    rules: tuple[str, ...] = ()
    set_aside: tuple[int, ...] | None = None
    starter: Piece | None = None

    def __post_init__(self) -> None:
        if self.game is None and any(value not in (None, ()) for value in self._options.values()):
            raise ThrowError("no-game", "These options belong to a game: name the game too.")
        if self.game is not None and self.game not in photographed():
            raise ThrowError(
                "unknown-game",
                f"There is no game {self.game!r} to read photos for. Choose one of {', '.join(photographed())}.",
            )
        try:
            if self.game:
                self.worth(self.game, ())
        except ThrowError as error:
            # No game throws no dice. Any other complaint about them is one about the question.
            if error.code != "wrong-count":
                raise

    @property
    def _options(self) -> dict[str, Any]:
        return {option.name: getattr(self, option.name) for option in fields(self) if option.name != "game"}

    @property
    def expected(self) -> Expected | None:
        """What the photo should show; None without a game."""
        if self.game is None:
            return None
        return in_photo(self.game, **{**self._options, "rules": rules_named(self.game, self.rules)})

    def taken(self, game: str, reading: Reading) -> Taken:
        """The pieces of the reading that are asked about."""
        return fit(reading, game, rules_named(game, self.rules), self.starter)

    def worth(self, game: str, values: Sequence[Piece], **seen: Any) -> Worth:
        """What the pieces are worth.

        Args:
            game: the one asked about.
            values: what the pieces show.
            seen: options of `scorer.games.scoring.worth` that the photo tells.

        Raises:
            ThrowError: the game does not throw such dice.
        """
        return worth(game, values, **{**self._options, "rules": rules_named(game, self.rules), **seen})


@dataclass(frozen=True, slots=True)
class Answer:
    """A reading and its worth.

    Attributes:
        reading: what the photo shows.
        worth: None without a game, the error when the game does not throw such dice.
        taken: the pieces of the reading that it is about; None without a game.
    """

    reading: Reading
    worth: Worth | ThrowError | None = None
    taken: Taken | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """What the player should know about the worth."""
        return self.taken.notes if self.taken else ()

    def to_json(self) -> dict[str, Any]:
        """The reading's object with `score` added."""
        return {**self.reading.to_json(), "score": self._score()}

    def _score(self) -> dict[str, Any] | None:
        if self.worth is None or self.taken is None:
            return None
        if isinstance(self.worth, ThrowError):
            return {"error": error_json(self.worth), "notes": list(self.notes)}
        return {**self.worth.to_json(), **self.taken.to_json()}


def answer(reading: Reading, question: Question) -> Answer:
    """The worth of what was read; a throw that the game does not know leaves the reading as it is."""
    if not question.game:
        return Answer(reading)
    taken = question.taken(question.game, reading)
    return Answer(reading, _worth_or_error(question, question.game, taken), taken)


def _worth_or_error(question: Question, game: str, taken: Taken) -> Worth | ThrowError:
    try:
        check(taken, game)
        return question.worth(game, taken.values, **taken.options)
    except ThrowError as error:
        return error


def error_json(error: PhotoError | ThrowError) -> dict[str, str]:
    """An error as it stands in the JSON."""
    return {"code": error.code, "message": error.message}
