"""What each moment of a video shows: boxes on counted pieces while they stay in place, and the lower third."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from PIL import Image

from api.film.output.panel import Panel, draw_panel, fits_better_above
from vision.draw import mark
from vision.reading import Reading
from vision.watch.events import Change, Roll

_MAY_HAVE_MOVED = ("rolling", "touched", "cleared", "empty")
"""States in which counted pieces may have moved, or be under a hand."""
_ROUNDED = 0.0005
"""Tolerance in seconds for times that an event log has rounded; those of new events are exact."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What is shown from a given time on.

    Attributes:
        start: in seconds from the start of the source.
        boxes: the pieces to draw boxes on.
        panel: the lower third.
        above: the panel is at the top, where it covers less of the pieces; also while they are thrown next.
    """

    start: float
    boxes: Reading | None = None
    panel: Panel | None = None
    above: bool = False

    def picture(self, size: tuple[int, int]) -> Image.Image:
        """Render as an RGBA picture of this size, transparent where nothing is shown."""
        picture = Image.new("RGBA", size)
        if self.boxes:
            mark(self.boxes, picture)
        if self.panel:
            draw_panel(self.panel, picture, above=self.above)
        return picture


def scenes(events: Sequence[Change | Roll], panels: Sequence[Panel]) -> list[Scene]:
    """The scenes of a film, in order.

    Args:
        events: in order.
        panels: one per roll.
    """
    told = iter(panels)
    shown = [Scene(0.0)]
    for event in events:
        if isinstance(event, Roll):
            panel = next(told)
            above = fits_better_above(panel, event.reading)
            shown.append(Scene(max(event.counted_time, shown[-1].start), event.reading, panel, above))
        elif event.state in _MAY_HAVE_MOVED and shown[-1].boxes:
            last = shown[-1]
            shown.append(replace(last, start=max(event.time, last.start), boxes=None))
    return shown


class Showing:
    """Looks up scenes for frames in order."""

    def __init__(self, scenes: Sequence[Scene]) -> None:
        self._left: Iterator[Scene] = iter(scenes)
        self._now = next(self._left)
        self._next = next(self._left, None)

    def at(self, time: float) -> Scene:
        """The scene at a time; times must not decrease."""
        while self._next and self._next.start <= time + _ROUNDED:
            self._now, self._next = self._next, next(self._left, None)
        return self._now
