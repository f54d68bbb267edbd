"""Reads photos with several processes of this machine.

Each process has an executor of its own: where one is killed, the others continue, and it is known which photo it was reading.
"""

from __future__ import annotations

import multiprocessing
import signal
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from queue import SimpleQueue
from types import TracebackType

from api.cli.batch.pool import ATTEMPTS, fatal
from api.cli.batch.task import Done, Task, Worker
from vision.threads import end_with_parent

_AHEAD = 16
"""Photos per process that may be in progress or wait for a slower one before them."""


class Processes:
    """A pool of processes, which start with the first photos and end when it is left."""

    def __init__(self, task: Task, count: int) -> None:
        self.at_once = count * _AHEAD
        self._idle: SimpleQueue[_Process] = SimpleQueue()
        self._all = [_Process(task) for _ in range(count)]
        for each in self._all:
            self._idle.put(each)
        self._threads = ThreadPoolExecutor(count)

    def submit(self, name: str) -> Future[Done]:
        """Read a photo as soon as a process is free."""
        return self._threads.submit(self._read, name)

    def _read(self, name: str) -> Done:
        process = self._idle.get()
        try:
            return process.read(name)
        finally:
            self._idle.put(process)

    def __enter__(self) -> Processes:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._threads.shutdown(cancel_futures=True)
        for each in self._all:
            each.end()


class _Process:
    """One process, replaced if it dies."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._executor = self._started()

    def _started(self) -> ProcessPoolExecutor:
        # Not forked: threads of ONNX Runtime or OpenCV in this process would not survive that.
        spawn = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(1, mp_context=spawn, initializer=_begin, initargs=(self._task,))

    def read(self, name: str) -> Done:
        """Read a photo, and retry if the process died of it or was killed."""
        for _ in range(ATTEMPTS):
            try:
                return self._executor.submit(_read, name).result()
            except BrokenProcessPool:
                self.end()
                self._executor = self._started()
        return fatal(name)

    def end(self) -> None:
        """End the process."""
        self._executor.shutdown()


# In the process that reads


class _Here:
    worker: Worker


def _begin(task: Task) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the command, which ends its processes itself.
    end_with_parent()
    _Here.worker = Worker(task)


def _read(name: str) -> Done:
    return _Here.worker.read(name)
