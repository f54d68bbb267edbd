"""A list that is a value: appending gives a new one, which shares the common items with the old one.

    one = PersistentList(["a"])
    two = one.appended("b")         one still has one item
    two.without_last() == one       True, without comparing items

The versions of a list that only grows share one Python list, each with its own length. So a game of n moves takes O(n) time
and memory, where a tuple for each state would take O(n²). A version that branches off, as after an undo, is copied once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from threading import Lock
from typing import Any, TypeVar, overload

T_co = TypeVar("T_co", covariant=True)
_T = TypeVar("_T")
_APPENDING = Lock()


class PersistentList(Sequence[T_co]):
    """An immutable sequence, equal to a tuple of the same items. Thread-safe."""

    __slots__ = ("_items", "_length")

    def __init__(self, items: Iterable[T_co] = ()) -> None:
        self._items = [*items]
        self._length = len(self._items)

    def appended(self: PersistentList[_T], *items: _T) -> PersistentList[_T]:
        """The list with these items after its own."""
        with _APPENDING:
            # The first append to this version writes into the shared list, right after its last item.
            whole = self._items if len(self._items) == self._length else self._items[: self._length]
            whole.extend(items)
        return self._version(whole, self._length + len(items))

    def without_last(self) -> PersistentList[T_co]:
        """The list without its last item, if it has any."""
        return self._version(self._items, max(0, self._length - 1))

    @staticmethod
    def _version(items: list[_T], length: int) -> PersistentList[_T]:
        version: PersistentList[_T] = PersistentList.__new__(PersistentList)
        version._items, version._length = items, length
        return version

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, at: int) -> T_co: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[T_co]: ...
    def __getitem__(self, at: int | slice) -> T_co | Sequence[T_co]:
        """An item; a slice from the beginning is a version of the same list, any other a tuple."""
        if isinstance(at, slice):
            chosen = range(*at.indices(self._length))
            if (chosen.start, chosen.step) == (0, 1):
                return self._version(self._items, chosen.stop)
            return tuple(map(self._items.__getitem__, chosen))
        if not -self._length <= at < self._length:
            raise IndexError(f"no item {at} in {self._length}")
        return self._items[at if at >= 0 else at + self._length]

    def __iter__(self) -> Iterator[T_co]:
        return islice(self._items, self._length)

    def __reversed__(self) -> Iterator[T_co]:
        return (self._items[at] for at in range(self._length - 1, -1, -1))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PersistentList) and self._items is other._items:
            return self._length == other._length
        if not isinstance(other, PersistentList | tuple):
            return NotImplemented
        return self._length == len(other) and all(
            one is two or one == two for one, two in zip(self, other, strict=True)
        )

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return PersistentList, (tuple(self),)
