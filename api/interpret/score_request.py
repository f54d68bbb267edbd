"""A request to score a photo, and the answer, with one JSON format for the command line and HTTP.

Games are loaded once one is named: a photo that is only read needs none, and they take as long to load as a network.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scorer.errors import ThrowError
from vision.photo import PhotoError
from vision.reading import Reading

if TYPE_CHECKING:
    from api.interpret.selection import Selection
    from scorer.engine.expected import Expected
    from scorer.engine.worth import Piece, Worth


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """The game and what a photo cannot show.

    Attributes:
        game: None to read without scoring.
        rules: name=value texts.
        options: of `scorer.games.scoring.worth`, see `score_parameters`; a starter overrides the photo.

    Raises:
        ThrowError: the options do not fit the game, whatever the dice.
    """

    game: str | None = None
    rules: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.game is None:
            if self.rules or any(value is not None for value in self.options.values()):
                raise ThrowError("no-game", "These options need a game. Name the game too.")
            return
        from scorer.games.scoring import photographed

        if self.game not in photographed():
            raise ThrowError(
                "unknown-game",
                f"There is no game {self.game!r} to read photos for. Choose one of {', '.join(photographed())}.",
            )
        try:
            self.worth(self.game, ())
        except ThrowError as error:
            # An empty throw always has a wrong count; any other error is about the options.
            if error.code != "wrong-count":
                raise

    @property
    def expected(self) -> Expected | None:
        """What the photo should show; None without a game."""
        if self.game is None:
            return None
        from scorer.games.scoring import in_photo, rules_named

        return in_photo(self.game, rules=rules_named(self.game, self.rules), **self.options)

    def selection(self, game: str, reading: Reading) -> Selection:
        """The pieces of the reading to score."""
        from api.interpret.completion import complete
        from scorer.games.scoring import rules_named

        return complete(reading, game, rules_named(game, self.rules), self.options.get("starter"))

    def worth(self, game: str, values: Sequence[Piece], **seen: Any) -> Worth:
        """The worth of the pieces.

        Args:
            game: to score for.
            values: of the pieces.
            seen: options of `scorer.games.scoring.worth` found in the photo.

        Raises:
            ThrowError: not a throw of the game.
        """
        from scorer.games.scoring import rules_named, worth

        return worth(game, values, rules=rules_named(game, self.rules), **{**self.options, **seen})


_MISREAD = ("same-tile-twice",)
"""Codes of errors that are no fault of the throw: no set has such tiles."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A reading and its worth.

    Attributes:
        reading: of the photo.
        worth: None without a game; an error if it is not a throw of the game.
        selection: the scored pieces; None without a game.
    """

    reading: Reading
    worth: Worth | ThrowError | None = None
    selection: Selection | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the player."""
        return self.selection.notes if self.selection else ()

    @property
    def sure(self) -> bool:
        """True when nobody needs to look: the reading is sure, and what the game makes of it raises no question."""
        misread = isinstance(self.worth, ThrowError) and self.worth.code in _MISREAD
        return self.reading.sure and not misread and (self.selection is None or self.selection.sure)

    def to_json(self) -> dict[str, Any]:
        """The reading's object with `score` added."""
        return {**self.reading.to_json(), "sure": self.sure, "score": self._score()}

    def _score(self) -> dict[str, Any] | None:
        if self.worth is None or self.selection is None:
            return None
        if isinstance(self.worth, ThrowError):
            return {"error": error_json(self.worth), "notes": list(self.notes)}
        return {**self.worth.to_json(), **self.selection.to_json()}


def answer(reading: Reading, request: ScoreRequest) -> Answer:
    """Score a reading; an invalid throw gives an answer with an error."""
    if not request.game:
        return Answer(reading)
    selection = request.selection(request.game, reading)
    return Answer(reading, _worth_or_error(request, request.game, selection), selection)


def _worth_or_error(request: ScoreRequest, game: str, selection: Selection) -> Worth | ThrowError:
    try:
        if selection.refused:
            raise selection.refused
        return request.worth(game, selection.values, **selection.options)
    except ThrowError as error:
        return error


def error_json(error: PhotoError | ThrowError) -> dict[str, str]:
    """An error as JSON."""
    return {"code": error.code, "message": error.message}
