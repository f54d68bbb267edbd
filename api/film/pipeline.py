"""`muggins watch`: watch a source, write every event to disk, then produce the outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from api.film.analysis import Reached, Watches, flush_events, look
from api.film.commentary import Commentary
from api.film.event_log import EndLine, Event, EventLog, LogHeader, WrongEventLog, only_writer
from api.film.input.open_source import open_source
from api.film.input.source import Facts, Source
from api.film.input.timecode import Span, clock
from api.film.output.movie import Recorded
from api.film.output.outputs import InvalidOutput, OutputError, Outputs
from api.film.output.producer import Shown, produce
from api.film.output.scenes import scenes
from api.film.reporter import Screen
from api.interpret.typed_moves import now
from scorer.pieces.text import listed
from vision.detect.boxes import KINDS, Kind
from vision.watch.events import Roll


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """What to watch and what to make.

    Attributes:
        source: as typed on the command line.
        events: the event log; None: beside the source, or in the current folder if the source is not a file.
        outputs: the files to make.
        span: the part of the source to watch.
        every: process every Nth frame.
        fps: frames per second for a folder of pictures.
        kinds: the kinds of pieces to detect: those the game is played with.
    """

    source: str
    events: Path | None
    outputs: Outputs
    span: Span
    every: int
    fps: float
    kinds: tuple[Kind, ...] = KINDS


_NO_ROLLS = (
    "No rolls were found. Check that the pieces, those of the game if you named one, are in full view and lie still "
    "for a moment after each roll."
)


class Feeds(Protocol):
    """Also sends the rolls elsewhere; see `api.film.remote.live_feeder.LiveFeeder`."""

    def resume(self, events: Path, rolls: Sequence[Roll]) -> None:
        """Begin with this event log and the rolls in it."""

    def on_disk(self, found: Sequence[Event]) -> None:
        """Send the rolls among these events, which are in the event log now; called regularly, even without events."""

    def finish(self) -> None:
        """Send what is left, at the end."""


MakeWatcher = Callable[[Sequence[Roll]], Watches]
"""Creates a watcher that already knows these rolls."""
MakeCommentary = Callable[[str], Commentary]
"""Creates the commentary, given the time at which watching began."""


def run(
    options: WatchOptions,
    playing: MakeCommentary,
    watcher: MakeWatcher,
    versions: Mapping[str, str],
    screen: Screen,
    feeds: Feeds | None = None,
) -> None:
    """Watch the source, report what is found, and produce the outputs.

    Args:
        options: what to watch and what to make.
        playing: creates the commentary.
        watcher: creates the watcher; not called when the log is already complete.
        versions: of Muggins, its networks and profiles (`event_log.versions_of`).
        screen: shows events and messages.
        feeds: takes the rolls elsewhere, too.

    Raises:
        SourceError: the source cannot be opened or read to its end.
        OutputError, EventLogError: a file cannot be read or written.
    """
    source = open_source(options.source, fps=options.fps, say=screen.say)
    path = options.events or beside(options.source, source.facts)
    _check(options, source.facts)
    with (
        only_writer(path),
        _log(_events(options, source.facts, path, versions)) as events,
        options.outputs.reserved(),
    ):
        played = playing(events.header.begun)
        for roll in events.rolls:
            played.saw(roll)
        known = events.done is not None
        if feeds:
            feeds.resume(path, events.rolls)
        if not known:
            _look(source, events, watcher, _Told(played, screen, feeds))
        else:
            screen.say(f"Already watched: {_count(events.rolls)} in {path}.")
        if feeds:
            feeds.finish()
        if not events.rolls:
            screen.say(_NO_ROLLS)
        for sentence in played.finish():
            screen.say(sentence)
        if options.outputs.record:
            screen.say(f"Record: {options.outputs.record}")
        if not known:
            screen.say(f"Event log: {path}")
        if options.outputs.videos and isinstance(source, Recorded):
            shown = Shown(scenes(events.events, [panel for _, panel in played.rolls]), played.rolls, played.turns)
            _produce(source, options, shown, events, screen)


# Before watching


def beside(name: str, facts: Facts) -> Path:
    """The default path of the event log, without a URL's query, which may be a password."""
    if facts.live:
        return Path(f"watched-{datetime.now():%Y-%m-%d-%H%M%S}.rolls.jsonl")
    path = Path(name)
    if not path.exists():
        path = Path(facts.name)
    return path.with_name(f"{path.name}.rolls.jsonl") if path.exists() else Path(f"{path.name}.rolls.jsonl")


def _check(options: WatchOptions, facts: Facts) -> None:
    """Raise `InvalidOutput` if an output does not work with this source."""
    if facts.live and options.outputs.videos:
        wanted = " and ".join(options.outputs.videos)
        raise InvalidOutput(f"{wanted} need a recording, but {facts.name} is live. Record it, then watch the file.")
    if facts.live and options.span.start:
        raise InvalidOutput(f"--from needs a recording; {facts.name} is live.")
    if facts.seconds is not None and options.span.start >= facts.seconds:
        raise InvalidOutput(f"--from {clock(options.span.start)} is after the end ({clock(facts.seconds)}).")


def _events(options: WatchOptions, facts: Facts, path: Path, versions: Mapping[str, str]) -> EventLog:
    """Open the event log: a new one, or an existing one to resume. Checks that the outputs can be written."""
    start, to = options.span.start, options.span.to
    if path.exists() and Path(options.source).exists() and path.samefile(options.source):
        raise InvalidOutput(f"--events {path} is the source, which would be overwritten. Choose another name.")
    what = facts.name, facts.mark, facts.size, facts.seconds
    header = LogHeader(*what, start, to, options.every, now(), versions, options.kinds)
    there = _there(path, header, force=options.outputs.force) if path.exists() else None
    try:
        options.outputs.check(
            None if facts.live else Path(options.source), path, there.is_ours if there else _nothing_is
        )
        return there or EventLog.create(path, header, over=options.outputs.force)
    except OutputError:
        if there:
            there.close()
        raise


@contextmanager
def _log(events: EventLog) -> Iterator[EventLog]:
    """Close the log at the end. A log that this run created is removed if watching fails before any event."""
    with closing(events):
        try:
            yield events
        except Exception:
            events.forget()
            raise


def _there(path: Path, header: LogHeader, *, force: bool) -> EventLog | None:
    """The existing log if it belongs to this run; None if it does not and may be overwritten."""
    try:
        events = EventLog.open(path)
    except WrongEventLog:
        if force:
            return None
        raise
    differs = list(events.header.differences(header, complete=events.done is not None))
    if not differs:
        return events
    events.close()
    if force:
        return None
    raise WrongEventLog(
        f"{path} is the event log of {listed(differs)}, not of what you asked for. Choose another file with --events, or "
        "overwrite this one with --force."
    )


def _nothing_is(_: Path) -> bool:
    return False


# Watching


def _count(rolls: Sequence[Roll], kind: str = "") -> str:
    return f"{len(rolls)} {kind}{'roll' if len(rolls) == 1 else 'rolls'}"


@dataclass(frozen=True, slots=True)
class _Told:
    """The receivers of each event, once it is on disk."""

    played: Commentary
    screen: Screen
    feeds: Feeds | None

    def tell(self, found: Sequence[Event]) -> None:
        """Play and report these events."""
        for event in found:
            self.screen.tell(event, self.played.saw(event) if isinstance(event, Roll) else ())
        if self.feeds:
            self.feeds.on_disk(found)

    def through(self, reached: Iterable[Reached]) -> Iterator[float]:
        """Yield the position in seconds; play and report events on the way."""
        for now_at in reached:
            self.tell(now_at.found)
            yield now_at.time


def _look(source: Source, events: EventLog, watcher: MakeWatcher, told: _Told) -> None:
    """Watch the part that the log does not cover yet, and report what is found."""
    screen = told.screen
    header, rolls, live = events.header, events.rolls, source.facts.live
    start = _goes_on_at(source.facts, header, rolls)
    if header.to is not None and start >= header.to:
        screen.say(f"--to {clock(header.to)} is reached: nothing is left to watch.")
        if not live:
            events.end(EndLine(0, 0))
        return
    if rolls:
        screen.say(f"Resuming at {clock(start)} with {_count(rolls, 'known ')}.")
    made: Watches | None = None
    try:
        made = watcher(rolls)
        if live:
            screen.say(f"Watching {source.facts.name}. Ctrl-C ends it.")
        reached = told.through(look(source, events, made, Span(start, header.to)))
        end = header.to if header.to is not None else source.facts.seconds
        for time in screen.bar("Watching", reached, header.start, end):
            start = time
    except KeyboardInterrupt:
        screen.say(
            f"Stopped at {clock(start)}. Run the same command{f' with --events {events.path}' if live else ''} to resume."
        )
        if not live:
            raise
        if made:  # a live camera always ends with Ctrl-C
            told.tell(flush_events(events, made))


def _goes_on_at(facts: Facts, header: LogHeader, rolls: Sequence[Roll]) -> float:
    """Where to resume, in seconds from the start; a live source has moved on in the meantime."""
    if facts.live:
        return (datetime.now().astimezone() - datetime.fromisoformat(header.begun)).total_seconds()
    return rolls[-1].counted_time if rolls else header.start


# Producing


def _produce(source: Recorded, options: WatchOptions, shown: Shown, events: EventLog, screen: Screen) -> None:
    try:
        for path in produce(source, options.span, shown, options.outputs, events.path, screen):
            events.note_made(path)
    except KeyboardInterrupt:
        screen.say(f"Stopped. The events are in {events.path}; run the same command to produce the rest.")
        raise
