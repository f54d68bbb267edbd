"""What is watched: a video file, a folder of pictures, a webcam by its number, or a stream, as frames one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, Protocol
from urllib.parse import urlsplit, urlunsplit

from api.film.input.timecode import Span
from vision.photo import DEFAULT_LIMITS
from vision.watch.events import Frame

Say = Callable[[str], None]
"""Takes a sentence for the person who watches, like that the camera is gone."""

SourceErrorCode = Literal[
    "not-found",
    "no-permission",
    "not-a-video",
    "unknown-codec",
    "a-photo",
    "no-pictures",
    "no-camera",
    "no-answer",  # of a stream
    "bad-size",
    "damaged",
]


class SourceError(Exception):
    """The source cannot be watched; `message` says why, and the way out."""

    def __init__(self, code: SourceErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a source before it is watched.

    Attributes:
        name: what it is called; never with a password.
        size: width and height of its upright frames, in pixels.
        seconds: how long it is; None: nobody knows.
        live: its frames come when they come, and never again.
        mark: tells it from another of the same name: a hash of its beginning, or the name itself.
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
        """What is known of it."""

    def frames(self, span: Span, every: int = 1, after: int | None = None) -> Iterator[Frame]:
        """Every so manieth frame of a part of it, in order.

        Args:
            span: the part.
            every: only frames whose number this divides are given.
            after: only frames beyond this number are given; of a live source, numbers go on from it.

        Raises:
            SourceError: it breaks off for good.
        """


def without_password(url: str) -> str:
    """The address as it may be shown and kept: without who logs in, and how."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query=""))


def check_size(width: int, height: int) -> None:
    """Refuse frames that no dice can be read from, or that would fill the memory.

    Raises:
        SourceError: "bad-size".
    """
    fits = min(width, height) >= DEFAULT_LIMITS.min_side and width * height <= DEFAULT_LIMITS.max_pixels
    if not fits or max(width, height) > DEFAULT_LIMITS.max_aspect * min(width, height):
        raise SourceError("bad-size", f"Its frames have {width} x {height} pixels, from which nothing can be read.")
