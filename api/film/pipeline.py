"""`muggins watch`: the source is looked at, what is found goes to the disk, and the outputs are made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from api.film.analysis import Reached, Watches, look, told_at_the_end
from api.film.commentary import Playing
from api.film.event_log import Event, EventsFile, Heading, OtherEvents
from api.film.input.open_source import open_source
from api.film.input.source import Facts, Source
from api.film.input.timecode import Span, clock
from api.film.output.movie import Recorded
from api.film.output.outputs import BadOutput, Outputs, OutputTrouble
from api.film.output.producer import Shown, produce
from api.film.output.scenes import scenes
from api.film.reporter import Screen
from api.interpret.typed_moves import now
from vision.detect.boxes import KINDS, Kind
from vision.watch.events import Roll


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line asks for.

    Attributes:
        source: as it was typed.
        events: where they go; None: beside the source, or in the current folder if that is no file.
        outputs: what is made of them.
        span: the part of the source.
        every: every so manieth frame is looked at.
        fps: pictures a second of a folder.
        sought: the kinds of pieces to look for: those that the game is played with.
    """

    source: str
    events: Path | None
    outputs: Outputs
    span: Span
    every: int
    fps: float
    sought: tuple[Kind, ...] = KINDS


MakeWatcher = Callable[[Sequence[Roll]], Watches]
"""Makes a watcher that knows these rolls."""
MakePlaying = Callable[[str], Playing]
"""Makes what plays along, from when the watching began."""


def run(asked: Asked, playing: MakePlaying, watcher: MakeWatcher, versions: Mapping[str, str], screen: Screen) -> None:
    """Look, tell, and make what is asked for.

    Args:
        asked: the command line.
        playing: makes what plays along.
        watcher: makes the watcher; not called where all was looked at before.
        versions: of Muggins and its networks.
        screen: is told what is found.

    Raises:
        SourceError: the source cannot be watched, or not to its end.
        OutputTrouble, EventsTrouble: a file cannot be read or written.
    """
    source = open_source(asked.source, fps=asked.fps, say=screen.say)
    path = asked.events or _beside(asked.source, source.facts)
    _check(asked, source.facts)
    with closing(_events(asked, source.facts, path, versions)) as events:
        played = playing(events.heading.begun)
        for roll in events.rolls:
            played.saw(roll)
        if events.done is None:
            _look(source, events, watcher, played, screen)
        else:
            screen.say(f"All of it was watched before: {len(events.rolls)} rolls, in {path}.")
        for sentence in played.finish():
            screen.say(sentence)
        if asked.outputs.videos and isinstance(source, Recorded):
            shown = Shown(scenes(events.events, [panel for _, panel in played.rolls]), played.rolls, played.turns)
            _produce(source, asked, shown, events, screen)


# Before anything is looked at


def _beside(name: str, facts: Facts) -> Path:
    """Where the events go if nobody says."""
    if facts.live:
        return Path(f"watched-{datetime.now():%Y-%m-%d-%H%M%S}.rolls.jsonl")
    path = Path(name)
    return path.with_name(f"{path.name}.rolls.jsonl") if path.exists() else Path(f"{path.name}.rolls.jsonl")


def _check(asked: Asked, facts: Facts) -> None:
    """Raises `BadOutput` where something is asked for that this source does not give."""
    if facts.live and asked.outputs.videos:
        wanted = " and ".join(asked.outputs.videos)
        raise BadOutput(f"{wanted} need a recording, and {facts.name} is live: record it, and watch the file.")
    if facts.live and asked.span.start:
        raise BadOutput(f"--from needs a recording, and {facts.name} is live.")
    if facts.seconds is not None and asked.span.start >= facts.seconds:
        raise BadOutput(f"--from {clock(asked.span.start)} is beyond the end, which is at {clock(facts.seconds)}.")


def _events(asked: Asked, facts: Facts, path: Path, versions: Mapping[str, str]) -> EventsFile:
    """The file of the events: a new one, or the one that is there, to be gone on with; the outputs may be made of it."""
    start, to = asked.span.start, asked.span.to
    what = facts.name, facts.mark, facts.size, facts.seconds
    heading = Heading(*what, start, to, asked.every, now(), versions, asked.sought)
    there = _there(path, heading, force=asked.outputs.force) if path.exists() else None
    try:
        asked.outputs.check(None if facts.live else Path(asked.source), path, there.is_ours if there else _nothing_is)
        return there or EventsFile.create(path, heading, over=asked.outputs.force)
    except OutputTrouble:
        if there:
            there.close()
        raise


def _there(path: Path, heading: Heading, *, force: bool) -> EventsFile | None:
    """The events of this very watching that are there already; None: they are of something else, and may go."""
    try:
        events = EventsFile.open(path)
    except OtherEvents:
        if force:
            return None
        raise
    if events.heading.fits(heading):
        return events
    events.close()
    if force:
        return None
    raise OtherEvents(
        f"The events in {path} are of something else, of another part or --every of it, or of other pieces. Name another "
        "file with --events, or write over this one with --force."
    )


def _nothing_is(_: Path) -> bool:
    return False


# Looking


def _look(source: Source, events: EventsFile, watcher: MakeWatcher, played: Playing, screen: Screen) -> None:
    """Look at what the events do not tell yet, and tell what is found."""
    heading, rolls, live = events.heading, events.rolls, source.facts.live
    start = _goes_on_at(source.facts, heading, rolls)
    if rolls:
        screen.say(f"Going on at {clock(start)}; {len(rolls)} rolls are known.")
    made: Watches | None = None
    try:
        made = watcher(rolls)
        reached = _told(look(source, events, made, Span(start, heading.to)), played, screen)
        end = heading.to if heading.to is not None else source.facts.seconds
        for time in screen.bar("Watching", reached, heading.start, end):
            start = time
    except KeyboardInterrupt:
        screen.say(
            f"Stopped at {clock(start)}. The same command{f' with --events {events.path}' if live else ''} goes on from there."
        )
        if not live:
            raise
        if made:  # a camera has no other end
            _tell(told_at_the_end(events, made), played, screen)


def _goes_on_at(facts: Facts, heading: Heading, rolls: Sequence[Roll]) -> float:
    """Seconds from the start of the source; a live one has gone on meanwhile."""
    if facts.live:
        return (datetime.now().astimezone() - datetime.fromisoformat(heading.begun)).total_seconds()
    return rolls[-1].counted_time if rolls else heading.start


def _told(reached: Iterable[Reached], played: Playing, screen: Screen) -> Iterator[float]:
    """How far it has come; what is found on the way is played and told."""
    for now_at in reached:
        _tell(now_at.found, played, screen)
        yield now_at.time


def _tell(found: Iterable[Event], played: Playing, screen: Screen) -> None:
    for event in found:
        screen.tell(event, played.saw(event) if isinstance(event, Roll) else ())


# Making


def _produce(source: Recorded, asked: Asked, shown: Shown, events: EventsFile, screen: Screen) -> None:
    try:
        for path in produce(source, asked.span, shown, asked.outputs, events.path, screen):
            events.note_made(path)
    except KeyboardInterrupt:
        screen.say(f"Stopped. What was found is in {events.path}; the same command makes the rest.")
        raise
