"""Failed tries: of many at once no more are counted than are allowed, on every database."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from tests.api.store.place import Place

MOST = 10


def test_of_many_tries_at_once_no_more_are_counted_than_are_allowed(place: Place) -> None:
    tries = place.open().tries
    with ThreadPoolExecutor(20) as guessing:
        before = list(guessing.map(lambda at: tries.add("a", "game", 100.0 + at, 50.0, MOST), range(40)))
    assert sum(len(each) < MOST for each in before) == MOST
    assert len(tries.since("a", "game", 50.0, 100)) == MOST
    assert tries.add("b", "game", 100.0, 50.0, MOST) == []


def test_tries_are_forgotten_in_time(place: Place) -> None:
    tries = place.open().tries
    for at in range(MOST + 1):
        tries.add("a", "game", float(at), -1.0, MOST)
    assert tries.add("a", "game", 70.0, 4.0, MOST) == [5.0, 6.0, 7.0, 8.0, 9.0]
    assert tries.since("a", "game", 0.0, 100) == [5.0, 6.0, 7.0, 8.0, 9.0, 70.0]
