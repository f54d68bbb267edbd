"""The first pass: frames go to the watcher, and what it finds goes to the disk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from api.film.event_log import Done, Event, EventsFile
from api.film.input.read_ahead import ahead
from api.film.input.source import Source
from api.film.input.timecode import Span
from vision.watch.events import Frame


class Watches(Protocol):
    """What is shown the frames: `vision.watch.watcher.Watcher`."""

    @property
    def seen(self) -> int:
        """How many frames came."""

    @property
    def read(self) -> int:
        """How many of them the networks read."""

    def see(self, frame: Frame) -> tuple[Event, ...]:
        """What this frame brought about."""

    def finish(self) -> tuple[Event, ...]:
        """What was still to be told at the end."""


@dataclass(frozen=True, slots=True)
class Reached:
    """How far the watching has come.

    Attributes:
        time: in seconds from the start of the source.
        found: what the frame brought about; it is on the disk.
    """

    time: float
    found: tuple[Event, ...] = ()


def look(source: Source, events: EventsFile, watcher: Watches, span: Span) -> Iterator[Reached]:
    """Look at what the events do not tell yet, to the end.

    Args:
        source: what is watched.
        events: take what is found; those that are there are not looked for again.
        watcher: knows the rolls that are there.
        span: the part of the source that is left.

    Raises:
        SourceError: the source breaks off for good.
        EventsTrouble: the disk takes no more.
    """
    last = max((_last_frame(event) for event in events.events), default=None)
    time = span.start
    frames = source.frames(span, events.heading.every, last)
    # A camera has a thread of its own, and of its frames only the latest count.
    for frame in frames if source.facts.live else ahead(frames):
        time = frame.time
        found = watcher.see(frame)
        events.add(found)
        yield Reached(time, found)
    yield Reached(time, told_at_the_end(events, watcher))
    if not source.facts.live:
        events.end(Done(watcher.seen, watcher.read))


def told_at_the_end(events: EventsFile, watcher: Watches) -> tuple[Event, ...]:
    """No frame more: what the watcher has still to tell; it is on the disk.

    Raises:
        EventsTrouble: the disk takes no more.
    """
    found = watcher.finish()
    events.add(found)
    return found


def _last_frame(event: Event) -> int:
    return max(event.frame, getattr(event, "counted_frame", -1))
