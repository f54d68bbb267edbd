"""Moments of a video, as people write them: 95, 1:35 or 1:02:03.5."""

from __future__ import annotations

import re
from dataclasses import dataclass

_WRITTEN = re.compile(r"(?:(?:(\d+):)?([0-5]?\d):)?(\d+(?:\.\d+)?)")


class TimeError(ValueError):
    """The text is no moment."""


def moment(text: str) -> float:
    """Seconds from what was typed.

    Raises:
        TimeError: it is neither seconds nor mm:ss nor h:mm:ss.
    """
    found = _WRITTEN.fullmatch(text.strip())
    if not found or (found[2] and float(found[3]) >= 60):
        raise TimeError(f"{text!r} is no moment: write seconds like 95, or minutes and seconds like 1:35.")
    hours, minutes, seconds = found.groups(default="0")
    return 3600 * int(hours) + 60 * int(minutes) + float(seconds)


def clock(seconds: float) -> str:
    """The moment as a person reads it, to the second below: "03:12", or "1:02:03" from an hour on."""
    whole = int(seconds)
    short = f"{whole // 60 % 60:02}:{whole % 60:02}"
    return f"{whole // 3600}:{short}" if whole >= 3600 else short


@dataclass(frozen=True, slots=True)
class Span:
    """The part of a source that is looked at, in seconds from its start; `to` None is its end."""

    start: float = 0.0
    to: float | None = None

    def __post_init__(self) -> None:
        if self.to is not None and self.to <= self.start:
            raise TimeError(f"The part to watch ends at {clock(self.to)}, before it begins at {clock(self.start)}.")

    def holds(self, time: float) -> bool:
        """Is that moment in it?"""
        return self.start <= time and not self.over(time)

    def over(self, time: float) -> bool:
        """Is that moment beyond it?"""
        return self.to is not None and time >= self.to
