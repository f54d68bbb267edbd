"""Reads photos in several processes, each of which runs the networks on one thread.

There are many small photos: that keeps more cores busy than threads inside the networks do.
"""

from __future__ import annotations

import itertools
import multiprocessing
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from types import TracebackType
from typing import TypeVar

from datasets.evaluate import reader_alone
from datasets.evaluate.measuring import Result, result_of
from datasets.evaluate.reader_alone import Alone
from datasets.labels.truth import Truth
from models import Manifest
from scorer.engine.expected import Expected
from vision import photo
from vision.reader import TableReader
from vision.threads import end_with_parent, limit_threads

_AT_ONCE = 4
"""Photos handed to a process per task."""
_CROPS_AT_ONCE = 32
_Thing = TypeVar("_Thing")
_Done = TypeVar("_Done")


class Workers:
    """Processes that read photos with the networks of a manifest; a context manager that stops them."""

    def __init__(self, manifest: Manifest, processes: int, expected: Expected | None = None) -> None:
        """Start the processes; they open the networks at the first photo, and expect the pieces in `expected` on every photo.

        Raises:
            models.ModelError: a network file is missing or damaged.
        """
        manifest.check()
        # Spawned, not forked: threads of ONNX Runtime or OpenCV in this process do not survive a fork.
        spawn = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(processes, mp_context=spawn, initializer=_begin, initargs=(manifest, expected))

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(cancel_futures=True)

    def read(self, truths: Sequence[Truth]) -> Iterator[Result]:
        """Read and compare every photo; yields results in the given order as they are ready."""
        return self._pool.map(_read, truths, chunksize=_AT_ONCE)

    def each(self, do: Callable[[_Thing, Manifest], _Done], things: Iterable[_Thing]) -> Iterator[_Done]:
        """Call a module-level function with each thing and the manifest; yields results in the given order as they are ready."""
        return self._pool.map(_do, itertools.repeat(do), things)

    def read_alone(self, truths: Sequence[Truth]) -> Iterator[Alone]:
        """Classify every whole crop with the dice classifier alone."""
        batches = [truths[start : start + _CROPS_AT_ONCE] for start in range(0, len(truths), _CROPS_AT_ONCE)]
        return itertools.chain.from_iterable(self._pool.map(_read_alone, batches))


# In the process that reads


class _Networks:
    """The networks opened by one process."""

    manifest: Manifest
    expected: Expected | None = None
    table: TableReader | None = None
    alone: reader_alone.Reader | None = None


def _begin(manifest: Manifest, expected: Expected | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the command, which then ends its processes.
    end_with_parent()
    limit_threads(1)
    _Networks.manifest, _Networks.expected = manifest, expected


def _do(do: Callable[[_Thing, Manifest], _Done], thing: _Thing) -> _Done:
    return do(thing, _Networks.manifest)


def _read(truth: Truth) -> Result:
    if _Networks.table is None:
        _Networks.table = TableReader(_Networks.manifest)
    return result_of(truth, _Networks.table.read(photo.load(truth.path), _Networks.expected))


def _read_alone(truths: Sequence[Truth]) -> list[Alone]:
    if _Networks.alone is None:
        _Networks.alone = reader_alone.open_reader(_Networks.manifest)
    return reader_alone.read_alone(truths, _Networks.alone)
