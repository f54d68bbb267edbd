"""What goes wrong in this room: errors with a stable code, and a sentence for a person."""

from __future__ import annotations

from typing import Any


class StoreError(Exception):
    """Something that could not be kept or fetched.

    Attributes:
        code: stable kebab-case name of the trouble; callers may switch on it.
        message: a sentence for a person that names the trouble and, where there is one, the way out.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, self.message)


class Missing(StoreError):  # noqa: N818 - it says what became of the question
    """There is no such game, reading or photo."""


class Conflict(StoreError):  # noqa: N818 - it says what became of the attempt
    """Somebody else has written since; nothing of this attempt was kept. Fetch it again to see how it stands."""
