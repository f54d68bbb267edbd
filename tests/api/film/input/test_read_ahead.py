"""Work done ahead in a thread."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from api.film.input.read_ahead import read_ahead


def counting(to: int, made: list[int], error: Exception | None = None) -> Iterator[int]:
    for number in range(to):
        made.append(number)
        yield number
    if error:
        raise error


def test_everything_comes_in_its_order() -> None:
    assert list(read_ahead(counting(100, []))) == list(range(100))
    assert list(read_ahead(counting(0, []))) == []


def test_it_is_made_before_it_is_asked_for_but_not_far() -> None:
    made: list[int] = []
    items = read_ahead(counting(100, made), many=3)
    assert next(items) == 0
    until = threading.Event()
    for _ in range(100):
        if len(made) >= 5:
            break
        until.wait(0.05)
    until.wait(0.3)
    assert made == [0, 1, 2, 3, 4]  # one given, three waiting, one in the hand
    assert list(items) == list(range(1, 100))


def test_what_goes_wrong_goes_wrong_when_its_turn_comes() -> None:
    items = read_ahead(counting(3, [], OSError("gone")))
    assert [next(items), next(items), next(items)] == [0, 1, 2]
    with pytest.raises(OSError, match="gone"):
        next(items)


def test_who_has_enough_leaves_no_thread_behind() -> None:
    before = threading.active_count()
    made: list[int] = []
    items = read_ahead(counting(10**9, made))
    assert next(items) == 0
    items.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before
    assert len(made) < 10
