"""How many cores the libraries may use, decided here for ONNX Runtime, OpenCV and the decoders of films alike; and that one of
several processes ends with the one that started it.

A photo is decoded on one core, whatever is said; NumPy's products here are too small for more than one.
"""

from __future__ import annotations

import os

_MOST = 4
"""The networks are small: more threads wait for each other more than they work."""
_limit: int | None = None


def cores() -> int:
    """How many this process may run on: a container or `taskset` may give it fewer than there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def threads() -> int:
    """How many a library may use for one picture."""
    return _limit or min(_MOST, cores())


def limit_threads(most: int) -> None:
    """Let whatever is opened from now on in this process use at most so many: for one of several processes."""
    import cv2  # not before it is needed: a command starts faster

    global _limit
    _limit = most
    cv2.setNumThreads(most)


def end_with_parent() -> None:
    """Let this process end when the one that started it does: one that waits for work does not notice that nobody sends any."""
    import threading

    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    import multiprocessing  # not before it is needed: a command starts faster
    from multiprocessing.connection import wait

    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
