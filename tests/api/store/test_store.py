"""What is kept is fetched as it was, and what may not be kept is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from api.store import Conflict, GameRow, Missing, StoredToken, StoreError
from scorer.engine.record import Record
from tests.api.store.place import DATE, PHOTO, Place, begun, grown, kept, new_tokens, read

RECORDS = Path(__file__).parents[2] / "scorer" / "engine" / "records"
UNUTTERABLE = ["", "0" * 16, "a\0b", "\ud800", "é", "'; DROP TABLE games; --"]


def test_a_game_is_fetched_as_it_was_kept(place: Place) -> None:
    game = kept(place.open())
    assert place.open().game(game.id) == game
    assert (game.begun, game.open_hands) == (DATE, False)


@pytest.mark.parametrize("file", sorted(RECORDS.glob("*.jsonl")), ids=lambda file: file.stem)
def test_whole_games_are_fetched_to_the_byte(place: Place, file: Path) -> None:
    text = file.read_bytes().decode()
    game = place.open().begin(Record.load(text), new_tokens())
    assert place.open().game(game.id).record.text == text


def test_what_is_appended_is_there_for_everyone(place: Place) -> None:
    store = place.open()
    game = kept(store)
    for at in ("one", "two", "three"):
        game = store.append(game, grown(game.record, at))
    longer = grown(grown(game.record))
    assert store.append(game, longer).record == longer
    assert place.open().game(game.id).record.lines == longer.lines
    assert len(longer.lines) == 6


def test_appending_nothing_changes_nothing(place: Place) -> None:
    store = place.open()
    game = kept(store)
    assert store.append(game, game.record) == game
    assert store.game(game.id) == game


def test_a_record_that_does_not_continue_the_game_is_refused(place: Place) -> None:
    store = place.open()
    game = kept(store)
    with pytest.raises(StoreError, match="does not continue") as refused:
        store.append(game, grown(begun("Ann", "Cid")))
    assert refused.value.code == "other-record"
    assert store.game(game.id) == game


def test_games_are_listed_newest_first_by_page(place: Place) -> None:
    store = place.open()
    assert store.games(50) == []
    first = store.begin(begun("Zoë", "孔", "\U0001f3b2"), new_tokens())
    second = kept(store)
    store.append(second, grown(second.record))
    rows = [
        GameRow(second.id, "crib-dice", ("Ann", "Ben"), DATE, 2, False),
        GameRow(first.id, "crib-dice", ("Zoë", "孔", "\U0001f3b2"), DATE, 1, False),
    ]
    assert store.games(50) == rows
    assert (store.games(1), store.games(1, second.id), store.games(1, first.id)) == (rows[:1], rows[1:], [])
    assert list(store.every_game()) == rows
    with pytest.raises(Missing, match="Unknown game"):
        store.games(1, "nothing")


def test_a_game_that_has_ended_is_listed_as_over_until_that_is_undone(place: Place) -> None:
    store = place.open()
    record = Record.load((RECORDS / "farkle-crib-shared-lane-and-bomb.jsonl").read_text())
    assert record.result
    game = store.begin(record, new_tokens())
    assert [row.over for row in store.games(50)] == [True]
    store.append(game, record.undo())
    assert [row.over for row in store.games(50)] == [False]


def test_tokens_in_clear_are_refused() -> None:
    with pytest.raises(ValueError, match="digests"):
        StoredToken.new("player", b"a token")


@pytest.mark.parametrize("name", UNUTTERABLE)
def test_whatever_is_asked_for_and_not_there_is_missing(place: Place, name: str) -> None:
    store = place.open()
    here = kept(store)
    game = replace(here, id=name)
    questions: list[tuple[str, Callable[[], object]]] = [
        ("no-game", lambda: store.game(name)),
        ("no-game", lambda: store.append(game, grown(game.record))),
        ("no-game", lambda: store.readings_of(name)),
        ("no-game", lambda: store.changes.since(name, 0, 0)),
        ("no-reading", lambda: store.reading(name)),
        ("no-reading", lambda: store.correct(name, 0, {})),
        ("no-photo", lambda: store.photos.get(name)),
        ("no-token", lambda: store.tokens.revoke(here.id, name, DATE)),
    ]
    for code, ask in questions:
        with pytest.raises(Missing) as refused:
            ask()
        assert refused.value.code == code


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE lines SET line = replace(line, '3 4', '5 4') WHERE number = 2",
        "DELETE FROM lines WHERE number = 3",
        "DELETE FROM lines WHERE number = 2",
        "UPDATE games SET head = 'x'",
    ],
)
def test_a_game_changed_behind_our_back_is_noticed(place: Place, damage: str) -> None:
    store = place.open()
    game = kept(store)
    store.append(game, grown(grown(game.record)))
    place.sql(damage)
    with pytest.raises(StoreError, match=f"{game.id} was altered in storage: Line [23]: ") as noticed:
        store.game(game.id)
    assert noticed.value.code == "game-damaged"


def test_a_reading_keeps_its_first_values_and_every_correction(place: Place) -> None:
    store = place.open()
    found = read(store, "r1")
    assert store.reading("r1") == found
    once = store.correct("r1", 0, {"piece": 0, "value": 5})
    assert once == replace(found, corrections=({"piece": 0, "value": 5},))
    twice = store.correct("r1", 1, {"remove": 0, "why": "\0 \ud800 é"})
    assert twice.corrections == ({"piece": 0, "value": 5}, {"remove": 0, "why": "\0 \ud800 é"})
    assert place.open().reading("r1") == twice
    assert store.photos.get(twice.photo) == PHOTO


def test_readings_are_found_by_their_game(place: Place) -> None:
    store = place.open()
    game, other = kept(store), kept(store)
    added = [read(store, name, game.id) for name in ("b", "a", "c")]
    read(store, "of another", other.id)
    read(store, "of none")
    corrected = store.correct("a", 0, {"value": 1})
    assert store.readings_of(game.id) == [added[0], corrected, added[2]]


def test_a_reading_needs_its_photo_its_game_and_a_name_of_its_own(place: Place) -> None:
    store = place.open()
    found = read(store, "r1")
    for wrong, code in (
        (replace(found, id="r2", photo="0" * 64), "no-photo"),
        (replace(found, id="r2", game_id="nowhere"), "no-game"),
        (found, "already-there"),
    ):
        with pytest.raises(StoreError) as refused:
            store.add_reading(wrong)
        assert refused.value.code == code
    with pytest.raises(Missing):
        store.reading("r2")


def test_what_is_no_json_is_refused_and_leaves_nothing(place: Place) -> None:
    store = place.open()
    found = read(store, "r1")
    wrong = {"confidence": float("nan")}
    for made in (
        replace(found, id="r2", reading=wrong),
        replace(found, id="r2", models=wrong),
        replace(found, id="r2", corrections=({}, wrong)),
    ):
        with pytest.raises(ValueError, match="JSON"):
            store.add_reading(made)
    with pytest.raises(ValueError, match="JSON"):
        store.correct("r1", 0, wrong)
    assert store.reading("r1") == found
    with pytest.raises(Missing):
        store.reading("r2")


def test_a_correction_by_one_who_missed_another_is_refused(place: Place) -> None:
    store = place.open()
    read(store, "r1")
    store.correct("r1", 0, {"value": 1})
    for seen in (0, 2):
        with pytest.raises(Conflict) as refused:
            place.open().correct("r1", seen, {"value": 2})
        assert refused.value.code == "corrected-since"
    assert store.reading("r1").corrections == ({"value": 1},)
