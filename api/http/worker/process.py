"""The worker process as the server sees it: one request at a time, killed when it takes too long, and restarted."""

from __future__ import annotations

import logging
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

from api.http.worker.command import command, environment
from api.http.worker.messages import Gone, TooLong, receive, send
from scorer.engine.expected import Expected
from vision.photo import Limits, PhotoError, PhotoErrorCode
from vision.taught.pieces import InvalidProfile

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits for one photo.

    Attributes:
        seconds: of CPU time, where the system can count that; and `_OVER` times as long by the clock, for a machine
            that does other things too. Waiting in the queue is not counted.
        megabytes: of memory, the networks included.
    """

    seconds: float = 20.0
    megabytes: int = 2048


_OVER = 3


class WorkerFailed(Exception):  # noqa: N818 - it says what became of it
    """The worker does not start, or failed by its own fault; its log says how."""


class Interrupted(Exception):  # noqa: N818 - it says what became of the work
    """The work was cancelled by `WorkerProcess.interrupt`."""


class WorkerProcess:
    """A process that works on photos. `ask` is called by one thread at a time, the other methods by any."""

    def __init__(self, limits: Limits, budget: Budget) -> None:
        self._limits = limits
        self._budget = budget
        self._process: subprocess.Popen[bytes] | None = None
        self._interrupted: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def start(self) -> None:
        """Start opening the networks, without waiting."""
        self._running()

    def ask(
        self,
        what: str,
        name: str,
        data: bytes,
        expected: Expected | None = None,
        more: Mapping[str, Any] | None = None,
        profiles: Sequence[bytes] = (),
    ) -> tuple[dict[str, Any], bytes]:
        """Have one task done with a photo.

        Args:
            what: a task of `api.http.worker.tasks`.
            name: of the photo in its reading.
            data: the photo.
            expected: what the game expects on the table; None without a game.
            more: further arguments of the task, ready for `json.dumps`.
            profiles: files of the profiles that it is read with.

        Raises:
            PhotoError: the photo cannot be read; "too-costly": it exceeds the budget, or crashes the reader.
            InvalidProfile: one of the profiles is invalid.
            WorkerFailed: the fault is not the photo's.
            Interrupted: the work was cancelled.
        """
        limits = asdict(self._limits)
        asked: dict[str, Any] = {**(more or {}), "do": what, "name": name, "seconds": self._budget.seconds}
        asked["expected"] = expected.to_json() if expected else None
        asked |= {"max_bytes": limits["max_bytes"], "max_pixels": limits["max_pixels"]}
        # Profiles have megabytes, as photos do: they follow the photo, and the line has the length of each.
        asked["profiles"] = [len(each) for each in profiles]
        answer, found = self._answered(asked, b"".join((data, *profiles)))
        if "refused" in answer:
            code, message = answer["refused"]
            raise PhotoError(cast("PhotoErrorCode", code), message)
        if "wrong_profile" in answer:
            raise InvalidProfile(answer["wrong_profile"])
        if "failed" in answer:
            raise WorkerFailed("The worker that reads photos failed; its log says why.")
        return answer, found

    def interrupt(self) -> None:
        """Cancel the present work, without waiting. A new process starts."""
        with self._lock:
            process, self._process = self._process, None
            self._interrupted = process
        if process is not None:
            process.kill()  # the thread in `ask` cleans up
            self.start()

    def close(self) -> None:
        """End the process; nothing may be asked of it afterwards."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            _ended(process)

    def _forget(self, process: subprocess.Popen[bytes]) -> None:
        with self._lock:
            if self._process is process:
                self._process = None
        _ended(process)

    def _answered(self, asked: Mapping[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        late = threading.Event()

        def give_up() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(_OVER * self._budget.seconds, give_up)
        timer.start()
        try:
            send(process.stdin, asked, data)  # type: ignore[arg-type]
            return receive(process.stdout)  # type: ignore[arg-type]
        except TooLong as error:
            raise WorkerFailed("What is said of this photo is too long for the worker that reads photos.") from error
        except (Gone, OSError, ValueError) as error:
            self._forget(process)
            raise self._why(process, late=late.is_set()) from error
        finally:
            timer.cancel()

    def _why(self, process: subprocess.Popen[bytes], *, late: bool) -> Exception:
        seconds = self._budget.seconds
        if process is self._interrupted:
            return Interrupted()
        if late:
            log.warning("A photo was not read within %g s by the clock: its worker was ended.", _OVER * seconds)
            return PhotoError(
                "too-costly", f"Reading this photo takes longer than {_OVER * seconds:g} seconds. {_SAVE}"
            )
        if process.returncode == -_OUT_OF_TIME:
            log.warning("A photo took more than %g s of a core's time: its worker was ended.", seconds)
            text = f"Reading this photo takes more than {seconds:g} seconds of a processor's time. {_SAVE}"
            return PhotoError("too-costly", text)
        if process.returncode == 1:
            return WorkerFailed("The worker that reads photos does not start; its log says why.")
        log.warning("A photo ended the worker that read it (exit code %s).", process.returncode)
        return PhotoError("too-costly", f"This photo cannot be read: it breaks what reads it. {_SAVE}")

    def _running(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._process is None or self._process.poll() is not None:
                if self._process is not None:
                    _ended(self._process)
                self._process = _started(self._budget.megabytes)
            return self._process


_OUT_OF_TIME = getattr(signal, "SIGXCPU", 0)
_SAVE = "Save it again as an ordinary JPEG, or take a screenshot."


def _started(megabytes: int) -> subprocess.Popen[bytes]:
    asked = command("api.http.worker.tasks", str(megabytes))
    return subprocess.Popen(asked, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment())  # noqa: S603 - our own program


def _ended(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:  # unwritten output is lost
                continue
