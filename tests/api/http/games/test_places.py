"""Where the pieces lie, for what is laid over a stream."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from api.http.games.live_games import LiveGames
from api.http.games.places import places
from api.http.games.visibility import Visibility
from scorer.engine.game import Move
from scorer.engine.record import Record
from tests.api.http.games.play import Player, begun
from tests.api.http.games.test_photos import settled
from tests.api.http.games.test_seats import FIRST, OPENING, SECOND
from tests.api.interpret.test_on_table import after
from tests.api.table import d6, reading, tile
from vision.reading import Die, Reading


def at(die: Die, left: float, top: float) -> Die:
    return replace(die, box=((left, top), (left + 64, top), (left + 64, top + 48), (left, top + 48)))


THREE = reading(at(d6(6), 0, 0), at(d6(6), 320, 240), at(d6(6), 600, -24))
"""In a picture of 640 by 480; the last die is cut off by its upper and right edge."""


def played(record: Record, move: str, seen: Reading | None = None, **how: Any) -> Record:
    return record.play(Move.parse(move), seen=seen.to_json() if seen else None, corrected=how or None)


def test_places_are_shares_of_the_picture_and_end_at_its_edge() -> None:
    thrown = played(after("farkle-crib"), "throw 2 3 4 6 6 6", THREE)
    boxes = [[0.0, 0.0, 0.1, 0.1], [0.5, 0.5, 0.6, 0.6], [0.9375, 0.0, 1.0, 0.05]]
    assert places(thrown) == {"aspect": 1.3333, "boxes": boxes}
    kept = played(thrown, "keep 6 6 6")
    assert places(kept) == places(thrown), "a choice moves no die"
    assert places(kept.undo().undo()) is None


def test_a_typed_throw_lies_nobody_knows_where() -> None:
    seen = played(played(after("farkle-crib"), "throw 2 3 4 6 6 6", THREE), "keep 6 6 6")
    typed = played(seen, "throw 1 5 5")
    assert places(typed) is None
    assert places(typed.undo()) == places(seen) is not None


def test_a_die_that_a_person_added_is_kept_clear_too() -> None:
    added = {"add": {"kind": "d6", "value": 2, "at": [320, 48]}}
    thrown = played(after("farkle-crib"), "throw 2 3 4 6 6 6", THREE, corrections=[added])
    told = places(thrown)
    assert told is not None
    left, top, right, bottom = told["boxes"][-1]
    assert left < 0.5 < right
    assert top < 0.1 < bottom


def test_hands_that_are_dealt_face_down_have_no_places() -> None:
    dealing = after("domino-cribbage", "opening 6-6", "opening 0-0", opening=True)
    hand = [f"{high}-{low}" for high, low in ((1, 0), (1, 1), (2, 0), (2, 1), (2, 2), (3, 0))]
    seen = reading(*(tile(name, 20, 20 + 30 * place) for place, name in enumerate(hand)))
    assert places(played(dealing, f"deal 1 {' '.join(hand)}", seen)) is None


def test_everybody_is_told_where_the_dice_of_a_photo_lie(six_due: Player, sample: bytes) -> None:
    assert six_due.snapshot["places"] is None
    settled(six_due, six_due.shows(sample))
    told = six_due.get("", six_due.viewer).json()["places"]
    assert told == six_due.snapshot["places"]
    assert len(told["boxes"]) == 6
    assert told["aspect"] == pytest.approx(1600 / 1200, abs=0.001)


def test_while_hands_are_hidden_those_who_do_not_see_them_all_are_told_no_places(client: TestClient) -> None:
    ann = begun(client, "domino-cribbage", seats=[0])
    table: LiveGames = client.app.state.live.table  # type: ignore[attr-defined]
    dealt = [*OPENING, FIRST, SECOND, "discard 1-0 1-1", "discard 3-1 3-2"]
    record = played(after("domino-cribbage", *dealt, opening=True), "starter 5-5", reading(tile("5-5", 100, 100)))
    hidden = replace(table.game(ann.id), record=record)
    for seats, told in ((frozenset({0}), False), (frozenset[int](), False), (None, True), (frozenset({0, 1}), True)):
        assert (table.shown(hidden, Visibility(plays=True, seats=seats))["places"] is not None) is told
    opened = replace(hidden, open_hands=True)
    assert table.shown(opened, Visibility(plays=False, seats=frozenset()))["places"]["boxes"]
