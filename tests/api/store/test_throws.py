"""What was thrown in one game is found from another, as long as it stands; on SQLite and on PostgreSQL."""

from __future__ import annotations

import pytest

from api.evidence.reuse import Layout
from api.store import Store, StoredGame
from api.store import throws as throws_module
from scorer.engine.game import Move
from scorer.engine.record import Header, Record
from scorer.games.registry import game_named
from tests.api.evidence.test_reuse import TURN, reading, thrown
from tests.api.store.place import DATE, Place
from vision.reading import Reading

VALUES = [2, 3, 3, 4, 6, 6]
"""A farkle: a throw of everything, and the end of a turn."""
PLACES, _ = thrown(5)
SEEN = reading(PLACES, VALUES, "a")


def record(*seen: Reading) -> Record:
    """Of a game of Farkle Cribbage with these throws, one a minute."""
    rules = game_named("farkle-crib").rules.from_texts(("opening_roll=false",))
    now = Record.begin(Header("farkle-crib", rules, ("Ann", "Ben"), DATE, {"muggins": "0.1.0"}))
    for minute, each in enumerate(seen, start=16):
        now = played(now, each, f"2026-11-21T20:{minute:02}:00+00:00")
    return now


def played(now: Record, seen: Reading, at: str = DATE) -> Record:
    return now.play(Move.parse("throw " + " ".join(str(die.value) for die in seen.dice)), at=at, seen=seen.to_json())


def found(store: Store, seen: Reading, but: str = "") -> list[str]:
    return [each.game_id for each in store.throws.like(seen, but)]


def moved(seed: int = 5) -> Reading:
    """The same throw in another file: saved anew, turned and cropped."""
    places, _ = thrown(seed)
    return reading([0.6 * TURN * place + 90 - 40j for place in places], VALUES, "b")


def one_more(store: Store, game: StoredGame, seen: Reading) -> StoredGame:
    return store.append(game, played(game.record, seen))


@pytest.mark.parametrize("again", [SEEN, moved()], ids=["the same file", "the same picture saved anew"])
def test_a_throw_is_found_from_another_game(place: Place, again: Reading) -> None:
    store = place.open()
    game = one_more(store, store.begin(record()), SEEN)
    assert set(found(store, again)) == {game.id}
    assert {each.at for each in store.throws.like(again, "")} == {DATE}
    assert found(store, again, but=game.id) == []
    assert set(found(place.open(), again)) == {game.id}, "after the server has started again"


def test_other_throws_are_not_found(place: Place) -> None:
    store = place.open()
    store.begin(record(SEEN))
    assert found(store, moved(6)) == []
    assert found(store, reading(PLACES, [2, 3, 3, 4, 6, 5], "b")) == []


def test_what_is_taken_back_is_forgotten_and_may_come_again(place: Place) -> None:
    store = place.open()
    game = one_more(store, store.begin(record()), SEEN)
    game = store.append(game, game.record.undo(at=DATE))
    assert found(store, SEEN) == []
    one_more(store, game, SEEN)
    assert set(found(store, moved())) == {game.id}


def test_a_game_that_is_stored_with_its_moves_is_found(place: Place) -> None:
    store = place.open()
    game = store.begin(record(SEEN, reading(thrown(6)[0], VALUES, "c")))
    assert set(found(store, moved(6))) == {game.id}


def test_what_a_look_up_compares_does_not_grow_with_the_store(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    store, compared = place.open(), 0
    is_as = Layout.is_as

    def counted(layout: Layout, other: Layout) -> bool:
        nonlocal compared
        compared += 1
        return is_as(layout, other)

    monkeypatch.setattr(Layout, "is_as", counted)
    monkeypatch.setattr(throws_module, "MOST_COMPARED", 5)
    for first in range(0, 120, 30):
        store.begin(record(*(reading(thrown(seed)[0], VALUES, "c") for seed in range(100 + first, 130 + first))))
    game = store.begin(record(SEEN))
    assert game.id in found(store, moved())
    assert compared <= 10


def test_the_throws_of_earlier_games_are_found_after_an_upgrade(place: Place) -> None:
    """A database of the step before has no such table; its games are gone through once."""
    store = place.open()
    game = store.begin(record(SEEN, reading(thrown(6)[0], VALUES, "c")))
    gone = one_more(store, store.begin(record()), reading(thrown(7)[0], VALUES, "d"))
    store.append(gone, gone.record.undo(at=DATE))
    altered = store.begin(record(reading(thrown(8)[0], VALUES, "e")))
    store.close()
    for later in ("photos", "cameras", "failures", "codes", "profiles", "throws"):
        place.sql(f"DROP TABLE {later}")
    place.sql("UPDATE alembic_version SET version_num = '0002'")
    place.sql("UPDATE lines SET line = :line WHERE game_id = :game AND number = 2", line='{"seen":7', game=altered.id)
    upgraded = place.open()
    assert set(found(upgraded, moved())) == {game.id}
    assert set(found(upgraded, moved(6))) == {game.id}
    assert found(upgraded, moved(7)) == []
    assert found(upgraded, moved(8)) == [], "its line was altered, and all others are there"
