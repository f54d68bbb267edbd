"""Work done ahead in a thread: frames are decoded while the one before is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from queue import Full, Queue
from threading import Event, Thread
from typing import Generic, TypeVar

T = TypeVar("T")

_MANY = 4
"""Frames of a large film are six megabytes each."""
_WHILE = 0.1
"""Seconds after which a thread that waits looks whether it is still wanted."""


@dataclass(frozen=True, slots=True)
class _Made(Generic[T]):
    items: tuple[T, ...] = ()
    error: BaseException | None = None


def ahead(items: Iterator[T], many: int = _MANY) -> Iterator[T]:
    """The same items in the same order, up to so many of them made before they are asked for.

    Raises:
        BaseException: whatever making them raises, when its turn comes.
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
    except BaseException as error:  # it belongs to whoever asked
        _put(made, _Made(error=error), enough)


def _put(made: Queue[_Made[T]], one: _Made[T], enough: Event) -> bool:
    while not enough.is_set():
        try:
            made.put(one, timeout=_WHILE)
            return True
        except Full:
            continue
    return False
