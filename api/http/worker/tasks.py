"""The worker: does tasks with photos, one after the other, from standard input until it ends.

    python -P -m api.http.worker.tasks 2000         the limit of its memory in megabytes

It opens the networks before its first photo, and keeps nothing between two photos; for cameras that send it frames it keeps
what each saw last (`watching`).
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import math
import os
import signal
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from io import BytesIO
from typing import Any, BinaryIO

from api.evidence.place import without_place
from api.evidence.place.photo_time import taken_at
from api.http import logs
from api.http.worker.messages import Gone, TooLong, receive, send
from api.http.worker.watching import Watchers
from scorer.engine.expected import Expected
from vision.draw import annotate
from vision.levels import levelled
from vision.photo import Limits, Photo, PhotoError, load
from vision.reader import TableReader, TiledReader
from vision.taught.labelling import Said, found_json, taught_from, teachable
from vision.taught.pieces import InvalidProfile
from vision.taught.profile import Profile

_QUALITY = 85
_MOST_KNOWN = 8
"""Sets of profiles whose learned readers are cached; one takes some 100 KB."""
_Answer = tuple[dict[str, Any], bytes]

log = logging.getLogger(__name__)


class Worker:
    """The tasks that can be done with a photo; each takes its arguments, with the files of profiles, and the photo's bytes."""

    def __init__(self) -> None:
        self._reader = TableReader()
        self._watchers = Watchers()
        self._known: OrderedDict[tuple[str, ...], TableReader] = OrderedDict()

    def do(self, asked: Mapping[str, Any], data: bytes) -> _Answer:
        """Do a task, or return its error."""
        tasks: dict[str, Callable[[Mapping[str, Any], bytes], _Answer]] = {
            "read": self._read,
            "draw": self._draw,
            "take": self._take,
            "look-again": self._look_again,
            "teach": self._teach,
            "find": self._find,
            "check": self._check,
            "watch": self._watch,
        }
        photo, profiles = _parted(data, asked.get("profiles", ()))
        try:
            return tasks[asked["do"]]({**asked, "profiles": profiles}, photo)
        except PhotoError as error:
            return {"refused": [error.code, error.message]}, b""
        except InvalidProfile as error:
            return {"wrong_profile": str(error)}, b""
        except MemoryError:
            return {"refused": ["too-costly", TOO_MUCH_MEMORY]}, b""
        except Exception:
            log.exception("A photo could not be worked on")
            return {"failed": True}, b""

    def _read(self, asked: Mapping[str, Any], data: bytes) -> _Answer:
        return {"reading": self._knowing(asked).read(_loaded(asked, data), _expected(asked)).to_json()}, b""

    def _draw(self, asked: Mapping[str, Any], data: bytes) -> _Answer:
        photo, picture = _loaded(asked, data), BytesIO()
        annotate(self._reader.read(photo, _expected(asked)), photo.pixels).save(picture, "JPEG", quality=_QUALITY)
        return {}, picture.getvalue()

    def _take(self, asked: Mapping[str, Any], data: bytes) -> _Answer:
        # Too large a profile is refused before its parts are checked.
        kept = without_place(data) if len(data) <= asked["max_bytes"] else data
        reading = self._knowing(asked).read(_loaded(asked, kept), _expected(asked))
        return {"reading": reading.to_json(), "taken": taken_at(data)}, kept

    def _look_again(self, asked: Mapping[str, Any], data: bytes) -> _Answer:
        closer = self._knowing(asked, self._closer)
        return {"reading": closer.read(_loaded(asked, data), _expected(asked)).to_json()}, b""

    def _teach(self, asked: Mapping[str, Any], data: bytes) -> _Answer:
        photo = levelled(_loaded(asked, data))
        said = [Said.from_json(each) for each in asked["said"]]
        # Where every piece has a box already, no detection is needed.
        candidates = self._reader.candidates(photo) if any(each.box is None for each in said) else []
        return {"pieces": [piece.to_json() for piece in taught_from(photo, candidates, said, self._reader.faces)]}, b""

    def _find(self, asked: Mapping[str, Any], data: bytes) -> _Answer:
        photo = levelled(_loaded(asked, data))
        found = [found_json(photo, each) for each in teachable(self._reader.candidates(photo))]
        return {"width": photo.width, "height": photo.height, "pieces": found}, b""

    def _check(self, asked: Mapping[str, Any], _: bytes) -> _Answer:
        for file in asked["profiles"]:
            for piece in Profile.from_bytes(file).pieces:
                piece.pixels()
        return {}, b""

    def _knowing(self, asked: Mapping[str, Any], reader: TableReader | None = None) -> TableReader:
        """The reader with the profiles that came with the photo, which are learned once and cached."""
        reader = reader or self._reader
        files = asked["profiles"]
        if not files:
            return reader
        key = (type(reader).__name__, *(hashlib.sha256(file).hexdigest() for file in files))
        if key not in self._known:
            self._known[key] = _knowing(reader, [Profile.from_bytes(file) for file in files])
        self._known.move_to_end(key)
        while len(self._known) > _MOST_KNOWN:
            self._known.popitem(last=False)
        return self._known[key]

    def _watch(self, asked: Mapping[str, Any], data: bytes) -> _Answer:
        kept = without_place(data) if len(data) <= asked["max_bytes"] else data
        return self._watchers.see(asked["camera"], _loaded(asked, kept), kept, _expected(asked), self._knowing(asked))

    @cached_property
    def _closer(self) -> TiledReader:
        """The reader for a closer look, created on first use: most servers never need it."""
        return TiledReader()


TOO_MUCH_MEMORY = "Reading this photo takes too much memory. Save it again as an ordinary JPEG, or take a screenshot."


def _knowing(reader: TableReader, profiles: Sequence[Profile]) -> TableReader:
    """The reader with the profiles of a game.

    Raises:
        InvalidProfile: a picture cannot be read, in a profile that an earlier version accepted, or that was altered since.
    """
    try:
        return reader.knowing(profiles)
    except InvalidProfile as error:
        name = next((each.name for each in profiles if not _is_whole(each)), None)
        if name is None:
            raise
        raise InvalidProfile(
            f"The profile {name} of this game has a picture that cannot be read. Under 'Share', choose 'Stop using' beside it."
        ) from error


def _is_whole(profile: Profile) -> bool:
    try:
        for piece in profile.pieces:
            piece.pixels()
    except InvalidProfile:
        return False
    return True


def _parted(data: bytes, sizes: Sequence[int]) -> tuple[bytes, list[bytes]]:
    """The photo, and the files of the profiles that follow it."""
    at = len(data) - sum(sizes)
    photo, files = data[:at], []
    for size in sizes:
        files.append(data[at : at + size])
        at += size
    return photo, files


def _loaded(asked: Mapping[str, Any], data: bytes) -> Photo:
    return load(data, name=asked["name"], limits=Limits(max_bytes=asked["max_bytes"], max_pixels=asked["max_pixels"]))


def _expected(asked: Mapping[str, Any]) -> Expected | None:
    return Expected.from_json(asked["expected"]) if asked["expected"] else None


def limit_memory(megabytes: int) -> None:
    """Limit the memory of this process, where the system supports it, and disable core dumps."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        # Not the address space, which threads reserve by the gigabyte and never use.
        resource.setrlimit(resource.RLIMIT_DATA, (megabytes << 20, megabytes << 20))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def limit_time(seconds: float) -> None:
    """End this process after this much more CPU time, where the system can count that."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(time.process_time() + seconds), most))


def serve(source: BinaryIO, to: BinaryIO) -> None:
    """Answer requests until the input ends."""
    worker = Worker()
    with contextlib.suppress(Gone, OSError):
        while True:
            asked, data = receive(source)
            limit_time(asked["seconds"])
            try:
                send(to, *worker.do(asked, data))
            except TooLong:
                log.exception("An answer could not be sent")
                send(to, {"failed": True})


def main() -> None:
    """The main function of this process."""
    # Ctrl-C is handled by the server, which ends its worker itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logs.worker()
    limit_memory(int(sys.argv[1]))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output that a library prints must not mix with answers
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
