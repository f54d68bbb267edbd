"""Prefetching in a thread: the next frames are decoded while the current one is processed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from queue import Full, Queue
from threading import Event, Thread
from typing import Generic, TypeVar

T = TypeVar("T")

_MANY = 4
"""Items to prefetch; a 1080p frame takes six megabytes."""
_WHILE = 0.1
"""Seconds between checks whether a waiting thread should stop."""


@dataclass(frozen=True, slots=True)
class _Made(Generic[T]):
    items: tuple[T, ...] = ()
    error: BaseException | None = None


def read_ahead(items: Iterator[T], many: int = _MANY) -> Iterator[T]:
    """Yield the same items in order, computing up to `many` of them ahead in a thread.

    Raises:
        BaseException: any error from the iterator, at its place in the order.
    """
    made: Queue[_Made[T]] = Queue(many)
    enough = Event()
    maker = Thread(target=_make, args=(items, made, enough), daemon=True)
    maker.start()
    try:
        while (one := made.get()).items:
            yield one.items[0]
        if one.error is not None:
            raise one.error
    finally:
        enough.set()
        maker.join()


def _make(items: Iterator[T], made: Queue[_Made[T]], enough: Event) -> None:
    try:
        for item in items:
            if not _put(made, _Made((item,)), enough):
                return
        _put(made, _Made(), enough)
    except BaseException as error:  # raised again in the consumer's thread
        _put(made, _Made(error=error), enough)


def _put(made: Queue[_Made[T]], one: _Made[T], enough: Event) -> bool:
    while not enough.is_set():
        try:
            made.put(one, timeout=_WHILE)
            return True
        except Full:
            continue
    return False
