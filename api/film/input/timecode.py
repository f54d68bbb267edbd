"""Times in a video as people write them: 95, 1:35 or 1:02:03.5."""

from __future__ import annotations

import re
from dataclasses import dataclass

_WRITTEN = re.compile(r"(?:(?:(\d+):(?=[0-5]?\d:))?(\d+):)?(\d+(?:\.\d+)?)")


class TimeError(ValueError):
    """The text is not a time."""


def moment(text: str) -> float:
    """Parse a time into seconds.

    Raises:
        TimeError: it is not seconds, mm:ss or h:mm:ss.
    """
    found = _WRITTEN.fullmatch(text.strip())
    if not found or (found[2] and float(found[3]) >= 60):
        raise TimeError(f"{text!r} is not a time. Use seconds, such as 95, or mm:ss, such as 1:35.")
    hours, minutes, seconds = found.groups(default="0")
    return 3600 * int(hours) + 60 * int(minutes) + float(seconds)


def clock(seconds: float) -> str:
    """Format seconds, rounded down: "03:12", or "1:02:03" from one hour on."""
    whole = int(seconds)
    short = f"{whole // 60 % 60:02}:{whole % 60:02}"
    return f"{whole // 3600}:{short}" if whole >= 3600 else short


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a source, in seconds from its start; `to` None means the end."""

    start: float = 0.0
    to: float | None = None

    def __post_init__(self) -> None:
        if self.to is not None and self.to <= self.start:
            raise TimeError(f"--to ({clock(self.to)}) must be after --from ({clock(self.start)}).")

    def holds(self, time: float) -> bool:
        """Whether the time is in this part."""
        return self.start <= time and not self.over(time)

    def over(self, time: float) -> bool:
        """Whether the time is past its end."""
        return self.to is not None and time >= self.to
