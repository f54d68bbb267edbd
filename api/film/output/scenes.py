"""What is shown at every moment of a video: the pieces boxed while they lie there counted, and the lower third."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PIL import Image

from api.film.output.panel import Panel, draw_panel
from vision.draw import mark
from vision.reading import Reading
from vision.watch.events import Change, Roll

_NOTHING_THERE = ("rolling", "cleared", "empty")
"""States in which what was counted no longer lies where it did."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What is shown from a moment on.

    Attributes:
        start: the moment, in seconds from the start of the source.
        boxes: the pieces to be boxed.
        panel: the lower third.
    """

    start: float
    boxes: Reading | None = None
    panel: Panel | None = None

    def picture(self, size: tuple[int, int]) -> Image.Image:
        """All of it as an RGBA picture of that size, transparent where nothing is shown."""
        picture = Image.new("RGBA", size)
        if self.boxes:
            mark(self.boxes, picture)
        if self.panel:
            draw_panel(self.panel, picture)
        return picture


def scenes(events: Sequence[Change | Roll], panels: Sequence[Panel]) -> list[Scene]:
    """What is shown, from the start of the source on.

    Args:
        events: as they were found.
        panels: one for every roll among them.
    """
    told = iter(panels)
    shown = [Scene(0.0)]
    for event in events:
        if isinstance(event, Roll):
            shown.append(Scene(max(event.counted_time, shown[-1].start), event.reading, next(told)))
        elif event.state in _NOTHING_THERE and shown[-1].boxes:
            shown.append(Scene(max(event.time, shown[-1].start), None, shown[-1].panel))
    return shown


class Showing:
    """Scenes in their order, for frames that come in theirs."""

    def __init__(self, scenes: Sequence[Scene]) -> None:
        self._left: Iterator[Scene] = iter(scenes)
        self._now = next(self._left)
        self._next = next(self._left, None)

    def at(self, time: float) -> Scene:
        """The scene at that moment; moments never go back."""
        # Events are kept to the millisecond.
        while self._next and self._next.start <= round(time, 3):
            self._now, self._next = self._next, next(self._left, None)
        return self._now
