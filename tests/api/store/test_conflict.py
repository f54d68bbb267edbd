"""Of two who have seen the same, and both write, one wins."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from api.store import Conflict, Store
from tests.api.store.place import Place, grown, kept, read

ROUNDS = 15
WRITERS = 4


def wins(attempts: list[Callable[[], object]]) -> int:
    """How many succeed when all are made at once; the others must meet a conflict."""
    gate = threading.Barrier(len(attempts))

    def attempt(make: Callable[[], object]) -> bool:
        gate.wait()
        try:
            make()
        except Conflict:
            return False
        return True

    with ThreadPoolExecutor(len(attempts)) as pool:
        return sum(pool.map(attempt, attempts))


@pytest.fixture(params=["one store", "a store each"])
def stores(request: pytest.FixtureRequest, place: Place) -> list[Store]:
    return [place.open()] * WRITERS if request.param == "one store" else [place.open() for _ in range(WRITERS)]


@pytest.mark.parametrize("alike", [True, False])
def test_of_those_who_move_at_once_exactly_one_does(stores: list[Store], alike: bool) -> None:
    game = kept(stores[0])

    def mover(number: int, store: Store) -> Callable[[], object]:
        seen = store.game(game.id)
        return lambda: store.append(seen, grown(seen.record, "" if alike else f"writer {number}"))

    for done in range(ROUNDS):
        assert wins([mover(number, store) for number, store in enumerate(stores)]) == 1
        assert len(stores[0].game(game.id).record.lines) == done + 2


def test_of_those_who_correct_at_once_exactly_one_does(stores: list[Store]) -> None:
    read(stores[0], "r1")

    def corrector(done: int, store: Store) -> Callable[[], object]:
        return lambda: store.correct("r1", done, {"value": 1})

    for done in range(ROUNDS):
        assert wins([corrector(done, store) for store in stores]) == 1
        assert len(stores[0].reading("r1").corrections) == done + 1


def test_who_comes_late_conflicts_and_can_try_again(place: Place) -> None:
    store, other = place.open(), place.open()
    game = kept(store)
    theirs = other.append(other.game(game.id), grown(game.record, "theirs"))
    with pytest.raises(Conflict) as refused:
        store.append(game, grown(grown(game.record, "mine")))
    assert refused.value.code == "moved-on"
    assert store.game(game.id) == theirs
    assert store.append(theirs, grown(theirs.record)).record.lines[:2] == theirs.record.lines


def test_different_games_do_not_hinder_each_other(stores: list[Store]) -> None:
    def play(store: Store) -> int:
        game = kept(store)
        for _ in range(ROUNDS):
            game = store.append(game, grown(game.record))
        return len(store.game(game.id).record.lines)

    with ThreadPoolExecutor(WRITERS) as pool:
        assert set(pool.map(play, stores)) == {ROUNDS + 1}
