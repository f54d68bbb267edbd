"""The second pass: events become videos, subtitles and chapters. No network runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import av

from api.film.input.timecode import Span
from api.film.output.captions import chapter_list, subtitles
from api.film.output.movie import Chapter, Recorded, annotated, end_of, is_muted, overlay
from api.film.output.outputs import OutputError, Outputs, chapters_beside, whole
from api.film.output.panel import Panel
from api.film.output.scenes import Scene
from api.film.reporter import Screen


@dataclass(frozen=True, slots=True)
class Shown:
    """What to show; times are in seconds of the source.

    Attributes:
        scenes: for the videos.
        rolls: start time and panel of each.
        turns: start time and player of each; empty without a game.
    """

    scenes: Sequence[Scene]
    rolls: Sequence[tuple[float, Panel]]
    turns: Sequence[tuple[float, str]]


def produce(
    source: Recorded, span: Span, shown: Shown, outputs: Outputs, beside: Path, screen: Screen
) -> Iterator[Path]:
    """Produce every requested file that has anything in it, each atomically.

    Args:
        source: the watched source.
        span: the watched part; videos start at its start.
        shown: what to show.
        outputs: the requested files.
        beside: the event log, next to which chapters go if there is no video for them.
        screen: shows progress.

    Yields:
        Each file once written.

    Raises:
        SourceError: the source can no longer be read.
        OutputError: a file cannot be written.
    """
    moments = source.moments(span)
    # Videos start with the first frame of the part, which may be later than its start.
    begin, last = (moments[0], moments[-1]) if moments else (span.start, span.start)
    length = end_of(source, span, last) - begin
    chapters = _chapters(shown.turns, begin, length) if outputs.chapters else []
    # An empty file of chapters or subtitles is invalid for players.
    if outputs.chapters and not chapters:
        screen.say("No turns were found, so there are no chapters.")
    if outputs.subtitles and not shown.rolls:
        screen.say(f"No rolls were found, so there are no subtitles: {outputs.subtitles} was not written.")
    if outputs.out:
        with whole(outputs.out) as part:
            made = annotated(source, span, shown.scenes, part, chapters)
            _follow(screen, "Drawing", made, begin, begin + length, outputs.out)
        screen.say(f"Wrote {outputs.out}{' with chapters' if chapters else ''}")
        if is_muted(source):
            screen.say(f"It has no sound: that of {source.facts.name} has a codec that is not supported here.")
        yield outputs.out
    elif chapters:
        _write(path := chapters_beside(beside), chapter_list(chapters), "Chapters", screen)
        yield path
    if outputs.overlay:
        with whole(outputs.overlay) as part:
            made = overlay(source, span, shown.scenes, part)
            _follow(screen, "Overlaying", made, begin, begin + length, outputs.overlay)
        screen.say(f"Overlay: {outputs.overlay}")
        yield outputs.overlay
    if outputs.subtitles and shown.rolls:
        rolls = [(time - begin, panel) for time, panel in shown.rolls]
        _write(outputs.subtitles, subtitles(rolls, length), "Subtitles", screen)
        yield outputs.subtitles


def _follow(screen: Screen, doing: str, moments: Iterable[float], start: float, end: float, target: Path) -> None:
    try:
        for _ in screen.bar(doing, moments, start, end):
            pass
    except av.error.FFmpegError as error:
        if isinstance(error, OSError):  # an error of the disk
            raise
        text = f"Cannot write {target}: {error.strerror}. Save the source as MP4 (H.264) and watch that."
        raise OutputError(text) from error


def _write(path: Path, text: str, what: str, screen: Screen) -> None:
    with whole(path) as part:
        part.write_text(text, "utf-8")
    screen.say(f"{what}: {path}")


def _chapters(turns: Sequence[tuple[float, str]], start: float, length: float) -> list[Chapter]:
    """One chapter per turn; the first starts with the video, as players require."""
    starts = [0.0, *(time - start for time, _ in turns[1:])][: len(turns)]
    ends = [*starts, length][1:]
    return [Chapter(begin, end, title) for begin, end, (_, title) in zip(starts, ends, turns, strict=True)]
