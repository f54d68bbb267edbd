"""Text outputs: subtitles (SubRip) and a chapter list in the format of video sites."""

from __future__ import annotations

from collections.abc import Sequence

from api.film.input.timecode import clock
from api.film.output.movie import Chapter
from api.film.output.panel import Panel, latest

_SHOWN = 6.0
"""Longest time a subtitle stays, in seconds."""
_LETTERS = 84
"""Maximum characters of comment: two lines, as on television."""


def subtitles(shown: Sequence[tuple[float, Panel]], length: float) -> str:
    """Subtitles of the rolls.

    Args:
        shown: start time in seconds and panel of each.
        length: of the video, in seconds.
    """
    ends = [*(start for start, _ in shown), length][1:]
    blocks = [
        f"{number}\n{_stamp(start)} --> {_stamp(min(end, start + _SHOWN))}\n{_told(panel)}\n"
        for number, ((start, panel), end) in enumerate(zip(shown, ends, strict=True), start=1)
    ]
    return "\n".join(blocks)


def _told(panel: Panel) -> str:
    score = " · ".join(f"{side.name} {side.score}{f' +{side.running}' if side.running else ''}" for side in panel.sides)
    return "\n".join(filter(None, (panel.shown, latest(panel.said, lambda text: len(text) <= _LETTERS), score)))


def _stamp(seconds: float) -> str:
    """A SubRip timestamp: 01:02:03,456."""
    whole, milliseconds = divmod(round(1000 * seconds), 1000)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02},{milliseconds:03}"


def chapter_list(chapters: Sequence[Chapter]) -> str:
    """One line per chapter, as video sites read them from a description; the first is at 00:00."""
    return "".join(f"{clock(chapter.start)} {chapter.title}\n" for chapter in chapters)
