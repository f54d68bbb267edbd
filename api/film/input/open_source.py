"""Opens a source by name: a file, a folder, a webcam number, or the URL of a stream."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from api.film.input.camera import stream, webcam
from api.film.input.folder import Folder
from api.film.input.source import Say, Source
from api.film.input.video import VideoFile

_URL = re.compile(r"(rtsps?|https?)://\S+", re.IGNORECASE)
_ENDLESS = re.compile(r"rtsps?://", re.IGNORECASE)


def open_source(name: str, *, fps: float, say: Say) -> Source:
    """Open the source named on the command line.

    Args:
        name: a file, a folder, a webcam number, or a URL. A file or folder whose name is a number wins over the webcam.
        fps: frames per second for a folder of pictures.
        say: receives messages when a camera is lost and when it returns.

    Raises:
        SourceError: the source cannot be opened.
    """
    path = Path(name)
    with suppress(OSError):
        if path.is_dir():
            return Folder(path, fps)
        if path.exists():
            return _file(name, path)
    if name.isdecimal():
        return webcam(int(name), say)
    return _stream(name, say) if _URL.fullmatch(name) else _file(name, path)


def _file(name: str, path: Path) -> Source:
    return VideoFile.open(name, path)


def _stream(url: str, say: Say) -> Source:
    """A stream with a known length is treated as a video file."""
    if not _ENDLESS.match(url):
        recorded = VideoFile.open(url, None)
        if recorded.facts.seconds is not None:
            return recorded
    return stream(url, say)
