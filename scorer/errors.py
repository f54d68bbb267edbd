"""What goes wrong in this room: errors with a stable code, and a sentence for a player."""

from __future__ import annotations

from typing import Any


class ScorerError(ValueError):
    """Something that cannot be scored or played.

    Attributes:
        code: stable kebab-case name of the trouble; callers may switch on it.
        message: a sentence for a player that names the trouble and the way out.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, self.message)


class ThrowError(ScorerError):
    """A throw or hand that cannot be scored."""


class RulesError(ScorerError):
    """Options or players that no game can be played with."""


class MoveError(ScorerError):
    """A text that is no move at all."""


class IllegalMove(ScorerError):  # noqa: N818 - the field's name for it
    """A move that the rules do not allow here; the state is as it was.

    Attributes:
        rule: the rule it breaks, like "Crib Dice, Piddle and Rollover".
    """

    def __init__(self, code: str, message: str, rule: str) -> None:
        super().__init__(code, message)
        self.rule = rule

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, self.message, self.rule)
