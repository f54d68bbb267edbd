"""Who waits for a game is woken when it goes on, and not before."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import psycopg
import pytest

from api.store import Conflict, Store
from tests.api.store.place import Place, grown, kept

LONG = 20.0


def waiting(ask: Callable[[], bool]) -> Future[bool]:
    """The answer to be, once the asking has begun."""
    begun, answer = threading.Event(), Future[bool]()

    def run() -> None:
        begun.set()
        answer.set_result(ask())

    threading.Thread(target=run, daemon=True).start()
    begun.wait()
    time.sleep(0.05)
    return answer


def woken(watcher: Store, mover: Store, game_id: str) -> bool:
    """Whether the watcher is woken by the mover's move, and long before its time is up."""
    game = mover.game(game_id)
    answer = waiting(lambda: watcher.changes.since(game_id, len(game.record.lines), LONG))
    assert not answer.done()
    mover.append(game, grown(game.record))
    return answer.result(LONG / 2)


def test_a_move_wakes_who_waits_for_it(place: Place) -> None:
    store = place.open()
    game_id = kept(store).id
    assert all(woken(store, store, game_id) for _ in range(3))


def test_what_has_happened_is_not_waited_for(place: Place) -> None:
    store = place.open()
    game = kept(store)
    store.append(game, grown(grown(game.record)))
    for watcher in (store, place.open()):
        assert watcher.changes.since(game.id, 2, LONG)
        assert not watcher.changes.since(game.id, 3, 0.01)


def test_only_more_lines_of_that_game_count(place: Place) -> None:
    store = place.open()
    game, other = kept(store), kept(store)
    answer = waiting(lambda: store.changes.since(game.id, 1, 0.4))
    store.append(other, grown(other.record))
    assert not answer.result(LONG)


def test_a_move_that_lost_wakes_nobody(place: Place) -> None:
    store = place.open()
    game = kept(store)
    store.append(game, grown(game.record, "first"))
    with pytest.raises(Conflict):
        store.append(game, grown(grown(game.record)))
    assert not store.changes.since(game.id, 2, 0.01)


def test_closing_ends_the_waiting(place: Place) -> None:
    store = place.open()
    game = kept(store)
    answer = waiting(lambda: store.changes.since(game.id, 1, LONG))
    store.close()
    assert not answer.result(LONG / 2)


def test_a_move_through_one_store_wakes_the_other(shared: Place) -> None:
    here, there = shared.open(), shared.open()
    game_id = kept(here).id
    for _ in range(3):
        assert woken(there, here, game_id)
        assert woken(here, there, game_id)


def test_it_goes_on_after_every_connection_was_cut(shared: Place) -> None:
    here, there = shared.open(), shared.open()
    game_id = kept(here).id
    assert woken(there, here, game_id)
    for _ in range(2):
        shared.cut()
        assert woken(there, here, game_id)


def test_a_move_made_while_nobody_could_hear_it_is_noticed(shared: Place) -> None:
    here, there = shared.open(), shared.open()
    game = kept(here)
    answer = waiting(lambda: there.changes.since(game.id, 1, LONG))
    shared.cut()
    here.append(game, grown(game.record))
    assert answer.result(LONG / 2)


def test_whatever_else_is_said_on_the_channel_does_no_harm(shared: Place) -> None:
    here, there = shared.open(), shared.open()
    game_id = kept(here).id
    for said in ("", "hello", f"{game_id} many", f"{game_id} 0"):
        shared.sql("SELECT pg_notify('muggins', :said)", said=said)
    assert woken(there, here, game_id)


def test_a_closed_store_leaves_no_connection_behind(shared: Place) -> None:
    shared.open()
    for store in shared.opened:
        store.close()
    assert shared.url is not None
    with psycopg.connect(shared.url.replace("+psycopg", "")) as connection:
        count = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        deadline = time.monotonic() + 5
        while (left := connection.execute(count).fetchone()) != (0,) and time.monotonic() < deadline:
            connection.rollback()
            time.sleep(0.05)
    assert left == (0,)


def test_many_watchers_are_all_woken(place: Place) -> None:
    store = place.open()
    game = kept(store)
    with ThreadPoolExecutor(50) as pool:
        answers = [pool.submit(store.changes.since, game.id, 1, LONG) for _ in range(50)]
        store.append(game, grown(game.record))
        assert all(answer.result(LONG / 2) for answer in answers)
