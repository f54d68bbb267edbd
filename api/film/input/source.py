"""The interface of a source of frames, and what goes wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, Protocol
from urllib.parse import urlsplit, urlunsplit

from api.film.input.timecode import Span
from vision.photo import DEFAULT_LIMITS
from vision.watch.events import Frame

Say = Callable[[str], None]
"""Receives messages for the user, such as a lost camera."""

SourceErrorCode = Literal[
    "not-found",
    "no-permission",
    "not-a-video",
    "unknown-codec",
    "a-photo",
    "no-pictures",
    "no-permission",
    "no-camera",
    "no-answer",  # of a stream
    "bad-size",
    "damaged",
]


class SourceError(Exception):
    """The source cannot be read; `message` says why and what to do."""

    def __init__(self, code: SourceErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts about a source, known before reading it.

    Attributes:
        name: for display; never contains a password.
        size: width and height of its upright frames, in pixels.
        seconds: its length; None if unknown.
        live: frames arrive in real time and cannot be read again.
        mark: distinguishes it from another source of the same name: a hash of its beginning, or the name.
    """

    name: str
    size: tuple[int, int]
    seconds: float | None
    live: bool
    mark: str


class Source(Protocol):
    """Frames of a table."""

    @property
    def facts(self) -> Facts:
        """Facts about the source."""

    def frames(self, span: Span, every: int = 1, after: int | None = None) -> Iterator[Frame]:
        """Every Nth frame of a part of the source, in order.

        Args:
            span: the part.
            every: N; frame numbers are multiples of it.
            after: skip frames up to this number; a live source continues its numbering from here.

        Raises:
            SourceError: the source fails for good.
        """


def without_password(url: str) -> str:
    """The URL without credentials and query, safe to show and store."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query=""))


def check_size(width: int, height: int) -> None:
    """Refuse frames that are too small to read dice from, or too large for memory.

    Raises:
        SourceError: "bad-size".
    """
    fits = min(width, height) >= DEFAULT_LIMITS.min_side and width * height <= DEFAULT_LIMITS.max_pixels
    if not fits or max(width, height) > DEFAULT_LIMITS.max_aspect * min(width, height):
        raise SourceError("bad-size", f"Frames of {width} x {height} pixels cannot be read. Use another size.")
