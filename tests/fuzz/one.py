"""What `python -m tests.fuzz` starts: one target, one process, until the time is over or something is found.

    python -m tests.fuzz.one NAME [options and folders of libFuzzer]

It needs atheris, which is no dependency of the project.
"""

from __future__ import annotations

import resource
import sys
import time

import atheris

from tests.pace import slowness

_INSTRUMENTED = ["api", "scorer", "vision", "PIL"]
with atheris.instrument_imports(include=_INSTRUMENTED):
    from tests.fuzz.targets import TARGETS, Target

_AGAIN = 3
"""How often an input must be too slow: the processor may have been taken away, or a cache filled."""


class TooCostlyError(Exception):
    """An input takes more time or memory than its target allows."""


class Measured:
    """A target that measures each input.

    Attributes:
        slowest: seconds of processor time.
    """

    def __init__(self, target: Target) -> None:
        self._target = target
        self._peak: float | None = None
        self.slowest = 0.0

    def __call__(self, data: bytes) -> None:
        """Raises whatever the target raises, and `TooCostlyError`."""
        seconds = self._seconds(data)
        if seconds > self.slowest:
            self.slowest = seconds
            print(f"SLOWEST {seconds:.3f}", file=sys.stderr, flush=True)
        if seconds > self._target.seconds:
            self._check_slow(data)
        self._check_memory()

    def _seconds(self, data: bytes) -> float:
        begun = time.thread_time()
        self._target.take(data)
        return time.thread_time() - begun

    def _check_slow(self, data: bytes) -> None:
        seconds = min(self._seconds(data) / slowness() for _ in range(_AGAIN))
        if seconds > self._target.seconds:
            raise TooCostlyError(f"{seconds:.1f} s of processor time, {self._target.seconds} s allowed")

    def _check_memory(self) -> None:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        if self._peak is not None and peak - self._peak > self._target.megabytes:
            raise TooCostlyError(f"{peak - self._peak:.0f} MB of memory, {self._target.megabytes} MB allowed")
        self._peak = peak


if __name__ == "__main__":
    atheris.Setup([sys.argv[0], *sys.argv[2:]], Measured(TARGETS[sys.argv[1]]))
    atheris.Fuzz()
