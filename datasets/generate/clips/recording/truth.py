"""The ground truth of a clip by frames, stored in a file beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Event = dict[str, Any]


@dataclass
class Truth:
    """The events of a clip, recorded while it is made.

    A roll has `thrown_from_frame` (the first with a flying die), `settled_from_frame` (the first in which everything is
    still) and `settled_to_frame` (the last before a die is lifted or pushed; a hand may hover before). All other events have
    `from_frame` and `to_frame`, both inclusive.
    """

    events: list[Event] = field(default_factory=list)
    _open: Event | None = None

    @property
    def rolls(self) -> int:
        """The number of throws so far."""
        return sum(event["kind"] == "roll" for event in self.events)

    def roll(self, thrown_from: int, settled_from: int, pieces: Sequence[Mapping[str, Any]]) -> None:
        """Record a throw that came to rest; `pieces` are all dice on the table: "value", "thrown" and what else is known."""
        self._open = {
            "kind": "roll",
            "thrown_from_frame": thrown_from,
            "settled_from_frame": settled_from,
            "values": _values(pieces),
            "thrown": _values([piece for piece in pieces if piece["thrown"]]),
            "still": _values([piece for piece in pieces if not piece["thrown"]]),
            "pieces": [dict(piece) for piece in pieces],
        }
        self.events.append(self._open)

    def touched(self, frame: int) -> None:
        """Record that from this frame on the dice no longer lie as thrown, or that the film ends before it."""
        if self._open is not None:
            self._open["settled_to_frame"] = max(self._open["settled_from_frame"], frame - 1)
            self._open = None

    def other(self, kind: str, first: int, last: int, **more: Any) -> None:
        """Record an event that is no throw."""
        self.events.append({"kind": kind, "from_frame": first, "to_frame": last, **more})

    def told(self, video: str, fps: float, frames: int, size: tuple[int, int], seed: int) -> dict[str, Any]:
        """The content of the file; events by their first frame."""
        self.touched(frames)
        begun = sorted(self.events, key=_begins)
        about = {"video": video, "fps": fps, "frames": frames, "size": list(size), "seed": seed}
        return {**about, "events": begun}


def _begins(event: Event) -> int:
    return int(event["thrown_from_frame"] if event["kind"] == "roll" else event["from_frame"])


def _values(pieces: Sequence[Mapping[str, Any]]) -> list[int]:
    return sorted(int(piece["value"]) for piece in pieces)
