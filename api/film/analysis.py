"""The first pass: frames go to the watcher, events go to disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from api.film.event_log import EndLine, Event, EventLog
from api.film.input.read_ahead import read_ahead
from api.film.input.source import Source
from api.film.input.timecode import Span
from vision.watch.events import Frame


class Watches(Protocol):
    """Anything that turns frames into events, such as `vision.watch.watcher.Watcher`."""

    @property
    def seen(self) -> int:
        """Number of frames received."""

    @property
    def read(self) -> int:
        """Number of frames read by the networks."""

    def prepared(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        """The frames, with whatever can be computed ahead of `see` in another thread."""

    def see(self, frame: Frame) -> tuple[Event, ...]:
        """The events found with this frame."""

    def finish(self) -> tuple[Event, ...]:
        """The events still pending at the end."""


@dataclass(frozen=True, slots=True)
class Reached:
    """Progress of the first pass.

    Attributes:
        time: in seconds from the start of the source.
        found: the events found there; already on disk.
    """

    time: float
    found: tuple[Event, ...] = ()


def look(source: Source, events: EventLog, watcher: Watches, span: Span) -> Iterator[Reached]:
    """Watch the rest of the source.

    Args:
        source: where the frames come from.
        events: receives what is found; frames it already covers are skipped.
        watcher: already knows the rolls in the log.
        span: the part of the source still to watch.

    Raises:
        SourceError: the source fails for good.
        EventLogError: the log cannot be written.
    """
    last = max((_last_frame(event) for event in events.events), default=None)
    time = span.start
    frames = source.frames(span, events.header.every, last)
    # A live camera reads in its own thread, and only its newest frame counts.
    for frame in frames if source.facts.live else read_ahead(watcher.prepared(frames)):
        time = frame.time
        found = watcher.see(frame)
        events.add(found)
        yield Reached(time, found)
    yield Reached(time, flush_events(events, watcher))
    if not source.facts.live:
        events.end(EndLine(watcher.seen, watcher.read))


def flush_events(events: EventLog, watcher: Watches) -> tuple[Event, ...]:
    """Finish the watcher and write its last events to disk.

    Raises:
        EventLogError: the log cannot be written.
    """
    found = watcher.finish()
    events.add(found)
    return found


def _last_frame(event: Event) -> int:
    return max(event.frame, getattr(event, "counted_frame", -1))
