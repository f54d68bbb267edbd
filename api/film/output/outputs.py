"""The files that are asked for: what they may be called, and how they come to be, all of them or nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path


class OutputTrouble(Exception):  # noqa: N818 - the trouble is the disk's
    """A file cannot be written; the text says why, and the way out."""


class BadOutput(OutputTrouble):
    """A file that is asked for cannot be what it is to be, whatever the disk says."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """What is made of the events; None: not asked for.

    Attributes:
        record: the game.
        out: the video with all drawn on it.
        overlay: a layer to go over the video.
        subtitles: of the rolls.
        chapters: into `out`, or as text beside the events.
        force: files that are there may be written over.
    """

    record: Path | None = None
    out: Path | None = None
    overlay: Path | None = None
    subtitles: Path | None = None
    chapters: bool = False
    force: bool = False

    @property
    def videos(self) -> list[str]:
        """The options that need the whole video, as they are typed."""
        names = ("out", "overlay", "subtitles", "chapters")
        return [f"--{field.name}" for field in fields(self) if field.name in names and getattr(self, field.name)]

    def check(self, source: Path | None, events: Path, is_ours: Callable[[Path], bool]) -> None:
        """Refuse before anything is looked at what could not be written after it.

        Args:
            source: what is watched, if it is a file.
            events: where they go.
            is_ours: tells files that were made of the same events before, and may be made again.

        Raises:
            BadOutput: a name has the wrong ending, names the source or another output, or a file that is there.
        """
        taken = {"what is watched": source, "--events": events}
        for name, suffix in (("record", ".jsonl"), ("out", ".mp4"), ("overlay", ".webm"), ("subtitles", ".srt")):
            path: Path | None = getattr(self, name)
            if path:
                _check_name(f"--{name}", path, suffix, taken)
                taken[f"--{name}"] = path
        lists = (chapters_beside(events),) if self.chapters and not self.out else ()
        for path in (self.out, self.overlay, self.subtitles, *lists):
            if path and path.exists() and not self.force and not is_ours(path):
                raise BadOutput(f"{path} is there already. Choose another name, or write over it with --force.")


def chapters_beside(events: Path) -> Path:
    """Where chapters go that have no video to go into."""
    return events.with_suffix(".chapters.txt")


def _check_name(option: str, path: Path, suffix: str, taken: dict[str, Path | None]) -> None:
    if path.suffix.lower() != suffix:
        raise BadOutput(f"{option} {path}: its name must end in {suffix}.")
    if same := next((name for name, other in taken.items() if other and _same(path, other)), None):
        raise BadOutput(f"{option} {path} would be written over {same}. Choose another name.")
    if path.is_dir():
        raise BadOutput(f"{option} {path} is a folder. Name a file in it.")
    if not path.parent.is_dir():
        raise BadOutput(f"{option} {path}: there is no folder {path.parent}. Make it first.")


def _same(one: Path, other: Path) -> bool:
    return os.path.abspath(one) == os.path.abspath(other) or (one.exists() and other.exists() and one.samefile(other))


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A file beside `path` that takes its place when all of it is written, and is gone if that fails.

    Raises:
        OutputTrouble: the disk would not.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        yield part
        os.replace(part, path)
    except OSError as error:
        raise OutputTrouble(f"Cannot write {path}: {error.strerror or error}.") from error
    finally:
        part.unlink(missing_ok=True)
