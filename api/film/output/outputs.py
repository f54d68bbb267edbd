"""The requested output files: checks before the work starts, and atomic writing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields
from pathlib import Path

from api.files import whole_file
from api.files.lock import only_writer


class OutputError(Exception):
    """A file cannot be written; the message says why and what to do."""


class InvalidOutput(OutputError):  # noqa: N818 - it names what the request is
    """The request itself is wrong, whatever the state of the disk."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """The requested outputs; None: not requested.

    Attributes:
        record: of the game.
        out: the annotated video.
        overlay: a transparent video to lay over the source.
        subtitles: of the rolls.
        chapters: stored in `out`, or as text next to the event log.
        force: overwrite existing files.
    """

    record: Path | None = None
    out: Path | None = None
    overlay: Path | None = None
    subtitles: Path | None = None
    chapters: bool = False
    force: bool = False

    @property
    def videos(self) -> list[str]:
        """The requested options that need a recording, as typed."""
        names = ("out", "overlay", "subtitles", "chapters")
        return [f"--{field.name}" for field in fields(self) if field.name in names and getattr(self, field.name)]

    def check(self, source: Path | None, events: Path, is_ours: Callable[[Path], bool]) -> None:
        """Refuse, before watching, anything that could not be written afterwards.

        Args:
            source: the watched file, if it is a file.
            events: path of the event log.
            is_ours: whether a file was produced from this log and may be overwritten.

        Raises:
            InvalidOutput: a wrong suffix, a name used twice, an existing file, or a folder that is not writable.
        """
        taken = {"the source": source, "--events": events}
        for name, suffix in (("record", ".jsonl"), ("out", ".mp4"), ("overlay", ".webm"), ("subtitles", ".srt")):
            path: Path | None = getattr(self, name)
            if path:
                _check_name(f"--{name}", path, suffix, taken)
                taken[f"--{name}"] = path
        lists = (chapters_beside(events),) if self.chapters and not self.out else ()
        for path in (self.out, self.overlay, self.subtitles, *lists):
            if path and path.exists() and not self.force and not is_ours(path):
                raise InvalidOutput(f"{path} already exists. Choose another name, or overwrite it with --force.")

    @contextmanager
    def reserved(self) -> Iterator[None]:
        """Hold the locks of these files' only writer: two would write into the same temporary file.

        Raises:
            InvalidOutput: another command is going to write one of them.
        """
        with ExitStack() as stack:
            for path in filter(None, (self.record, self.out, self.overlay, self.subtitles)):
                text = f"Another command is going to write {path}. Wait for it, or choose another name."
                stack.enter_context(only_writer(path, InvalidOutput(text)))
            yield


def chapters_beside(events: Path) -> Path:
    """Path of the chapter list when there is no video to store it in."""
    return events.with_suffix(".chapters.txt")


def _check_name(option: str, path: Path, suffix: str, taken: dict[str, Path | None]) -> None:
    if path.suffix.lower() != suffix:
        raise InvalidOutput(f"{option} {path}: the name must end in {suffix}.")
    if same := next((name for name, other in taken.items() if other and _same(path, other)), None):
        raise InvalidOutput(f"{option} {path} would overwrite {same}. Choose another name.")
    if path.is_dir():
        raise InvalidOutput(f"{option} {path} is a folder. Name a file.")
    if not path.parent.is_dir():
        raise InvalidOutput(f"{option} {path}: folder {path.parent} does not exist. Create it first.")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise InvalidOutput(
            f"{option} {path}: no permission to write to folder {path.parent}. Choose another, or change its permissions."
        )


def _same(one: Path, other: Path) -> bool:
    return os.path.abspath(one) == os.path.abspath(other) or (one.exists() and other.exists() and one.samefile(other))


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A temporary file next to `path` that replaces it once it is on disk, and is removed on failure.

    Raises:
        OutputError: the file cannot be written.
    """
    try:
        with whole_file.replacing(path) as part:
            yield part
    except OSError as error:
        raise OutputError(f"Cannot write {path}: {error.strerror or error}.") from error
