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


def test_the_log_says_that_the_updates_are_lost_and_that_they_are_back(
    shared: Place, caplog: pytest.LogCaptureFixture
) -> None:
    store = shared.open()
    game_id = kept(store).id
    assert woken(store, store, game_id)
    assert not caplog.messages
    shared.cut()
    until = time.monotonic() + LONG
    while len(caplog.messages) < 2 and time.monotonic() < until:
        time.sleep(0.05)
    lost, back = caplog.messages
    assert lost.startswith("Lost the live updates: ")
    assert "\n" not in lost
    assert back == "The live updates are back."


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


def test_a_move_whose_notification_was_lost_is_found(shared: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = shared.open(), shared.open()
    game = kept(here)
    assert all(woken(watcher, here, game.id) for watcher in (here, there))
    monkeypatch.setattr("api.store.store.announce", lambda *_: None)
    game = there.game(game.id)
    moved, lines = here.append(game, grown(game.record)), len(game.record.lines)
    assert not there.changes.since(game.id, lines, 0.2), "nobody has said so"
    with pytest.raises(Conflict):
        there.append(game, grown(game.record, "late"))
    assert there.changes.since(game.id, lines, LONG), "who was too late knows that there is more"
    here.append(moved, grown(moved.record))
    assert not there.changes.since(game.id, lines + 1, 0.2)
    there.changes.look_again(game.id)
    assert there.changes.since(game.id, lines + 1, LONG)


# Cameras


def test_news_of_a_camera_wake_who_waits_for_them(place: Place) -> None:
    store = place.open()
    game_id = kept(store).id
    news = store.changes.camera(game_id)
    answer = waiting(lambda: store.changes.since(game_id, 1, LONG, news))
    version = store.cameras.put(game_id, 0, {}, announced=True)
    assert answer.result(LONG / 2)
    # A server that begins to listen counts that as news, for it may have missed some.
    while store.changes.since(game_id, 1, 0.5, store.changes.camera(game_id)):
        pass
    news = store.changes.camera(game_id)
    store.cameras.put(game_id, version, {"waiting": []}, announced=False)
    assert not store.changes.since(game_id, 1, 0.1, news), "nothing that phones are told of has changed"


def test_news_of_a_camera_come_to_the_other_servers_and_moves_do_not_pass_for_them(shared: Place) -> None:
    here, there = shared.open(), shared.open()
    game = kept(here)
    # Hearing itself tells that it listens.
    assert all(woken(watcher, here, game.id) for watcher in (here, there))
    news, lines = there.changes.camera(game.id), len(here.game(game.id).record.lines)
    answer = waiting(lambda: there.changes.since(game.id, lines, LONG, news))
    here.cameras.put(game.id, 0, {}, announced=True)
    assert answer.result(LONG / 2)
    assert there.changes.camera(game.id) == news + 1


def test_news_that_were_missed_are_asked_for(shared: Place) -> None:
    store = shared.open()
    game = kept(store)
    assert woken(store, store, game.id)
    news, lines = store.changes.camera(game.id), len(store.game(game.id).record.lines)
    shared.cut()
    assert store.changes.since(game.id, lines, LONG, news)
    assert store.changes.camera(game.id) != news


def test_of_two_servers_that_change_a_queue_the_second_has_to_read_it_again(place: Place) -> None:
    store = place.open()
    game_id = kept(store).id
    assert (store.cameras.get(game_id), store.cameras.version(game_id)) == (None, 0)
    version = store.cameras.put(game_id, 0, {"first": 1}, announced=False)
    for late in (0, version - 1, version + 1):
        with pytest.raises(Conflict):
            store.cameras.put(game_id, late, {"late": 1}, announced=False)
    assert store.cameras.get(game_id) == (version, {"first": 1})
    assert store.cameras.put(game_id, version, {"second": 2}, announced=False) == store.cameras.version(game_id)
