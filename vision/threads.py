"""How many cores the libraries may use: ONNX Runtime, OpenCV and the video decoders. Also lets a worker process end with its
parent.

A photo is always decoded on one core; NumPy's matrix products here are too small for more than one.
"""

from __future__ import annotations

import os

_MOST = 4
"""The networks are small: with more threads, they mostly wait for each other."""
_limit: int | None = None


def cores() -> int:
    """The number of cores this process may run on: a container or `taskset` may allow fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def threads() -> int:
    """The number of threads a library may use for one picture."""
    return _limit or min(_MOST, cores())


def limit_threads(most: int) -> None:
    """Limit the threads of everything opened from now on in this process: for one of several worker processes."""
    import cv2  # imported late: commands start faster

    global _limit
    _limit = most
    cv2.setNumThreads(most)


def end_with_parent() -> None:
    """Let this process end when its parent does: a worker that waits for work does not notice that nobody sends any."""
    import threading

    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    import multiprocessing  # imported late: commands start faster
    from multiprocessing.connection import wait

    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
