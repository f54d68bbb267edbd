"""Errors of the store, with a stable code and a message for people."""

from __future__ import annotations

from typing import Any


class StoreError(Exception):
    """Something could not be stored or loaded.

    Attributes:
        code: stable kebab-case name.
        message: for people: what is wrong and, if possible, what to do.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, self.message)


class Missing(StoreError):  # noqa: N818 - named after the outcome
    """The game, reading or photo does not exist."""


class Conflict(StoreError):  # noqa: N818 - named after the outcome
    """Someone else has written in the meantime; nothing was stored. Load the current state and try again."""
