"""Short codes that invite to a game: typed on another phone, good for some minutes, not to be guessed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from api.http.games.access import TRIES, Denied, Failures
from api.http.games.codes import ALPHABET, LENGTH, SECONDS, Codes
from api.store import Store
from tests.api.http.games.play import Player
from tests.api.store.place import begun


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """With the games "abc" and "def"."""
    opened = Store.open(None, tmp_path)
    for game_id in ("abc", "def"):
        opened.begin(begun(), game_id=game_id)
    yield opened
    opened.close()


@pytest.fixture
def codes(store: Store, clock: Clock) -> Codes:
    return Codes(store.codes, Failures(store.tries, clock), clock)


def refused(codes: Codes, typed: str, client: str = "192.168.1.7") -> tuple[int, str]:
    with pytest.raises(Denied) as error:
        codes.game(typed, client)
    return error.value.status, error.value.code


def test_a_code_is_found_however_it_is_typed(codes: Codes) -> None:
    code, seconds = codes.of("abc")
    assert (len(code.letters), set(code.letters) <= set(ALPHABET), seconds) == (LENGTH, True, SECONDS)
    for typed in (code.shown, code.letters, code.shown.lower(), f" {code.letters[:2]} {code.letters[2:]} "):
        assert codes.game(typed, "192.168.1.7") == "abc"


def test_no_code_is_missing_and_no_guess(codes: Codes) -> None:
    assert [refused(codes, typed) for typed in ("", "-", " - ") * TRIES] == [(422, "empty-code")] * 3 * TRIES
    assert refused(codes, "AAAAAA") == (404, "no-code")


def test_one_code_is_shown_until_it_ends_soon_and_both_are_good_then(codes: Codes, clock: Clock) -> None:
    first, _ = codes.of("abc")
    clock.now += 500
    assert codes.of("abc") == (first, SECONDS - 500)
    clock.now += 200
    second, seconds = codes.of("abc")
    assert (second != first, seconds) == (True, SECONDS)
    assert codes.game(first.shown, "a") == codes.game(second.shown, "a") == "abc"
    clock.now += 201
    assert refused(codes, first.shown) == (404, "no-code")
    assert codes.game(second.shown, "a") == "abc"


def test_each_game_has_its_own_and_revoked_ones_are_worthless(codes: Codes) -> None:
    ours, theirs = codes.of("abc")[0], codes.of("def")[0]
    codes.forget("abc")
    assert refused(codes, ours.shown) == (404, "no-code")
    assert codes.game(theirs.shown, "a") == "def"


def test_who_guesses_has_to_wait_and_nobody_else(codes: Codes, clock: Clock) -> None:
    right = codes.of("abc")[0]
    assert [refused(codes, f"AAAAA{letter}") for letter in ALPHABET[:TRIES]] == [(404, "no-code")] * TRIES
    assert refused(codes, "AAAAAA") == (429, "too-many-failures")
    assert refused(codes, right.shown) == (429, "too-many-failures"), "else guessing would cost no time"
    assert codes.game(right.shown, "192.168.1.8") == "abc"
    assert refused(codes, "AAAAAA", "192.168.1.8") == (404, "no-code")
    clock.now += 61
    assert codes.game(right.shown, "192.168.1.7") == "abc"


def test_every_server_of_the_database_knows_the_codes_and_counts_the_guesses(store: Store, clock: Clock) -> None:
    one, other = (Codes(store.codes, Failures(store.tries, clock), clock) for _ in range(2))
    code, _ = one.of("abc")
    assert (other.of("abc")[0], other.game(code.shown, "a")) == (code, "abc")
    for at in range(TRIES):
        assert refused((one, other)[at % 2], "AAAAAA") == (404, "no-code")
    assert refused(one, "AAAAAA") == refused(other, "AAAAAA") == (429, "too-many-failures")
    other.forget("abc")
    assert refused(one, code.shown, "b") == (404, "no-code")


def test_letters_that_another_game_has_are_made_anew(codes: Codes, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, _ = codes.of("abc")
    made = iter([*ours.letters, *"222222"])
    monkeypatch.setattr("api.http.games.codes.secrets.choice", lambda _: next(made))
    assert codes.of("def")[0].letters == "222222"


@pytest.mark.parametrize("typed", ["a" * 5000, "ÄÖÜßab", "a\0bcde"])
def test_what_cannot_be_a_code_is_wrong(codes: Codes, typed: str) -> None:
    assert refused(codes, typed) == (404, "no-code")


def use(client: TestClient, code: str) -> Any:
    return client.post("/v1/codes", json={"code": code})


def test_a_phone_joins_by_a_code(crib: Player) -> None:
    told = crib.post("/codes", {}).json()
    answer = use(crib.client, told["code"].lower())
    assert answer.status_code == 201
    assert answer.headers["cache-control"] == "no-store"
    invited = answer.json()
    assert (invited["id"], invited["players"]) == (crib.id, crib.snapshot["players"])
    joined = crib.post("/join", {"seats": [1]}, token=invited["invite"])
    assert (joined.status_code, joined.json()["seats"]) == (201, [1])


def test_a_code_ends_with_the_invitations(crib: Player) -> None:
    code = crib.post("/codes", {}).json()["code"]
    assert crib.post("/tokens", {"role": "invite", "instead": True}).status_code == 201
    answer = use(crib.client, code)
    assert (answer.status_code, answer.json()["code"]) == (404, "no-code")


def test_viewers_and_invitations_make_no_codes(crib: Player) -> None:
    assert [crib.post("/codes", {}, token=token).status_code for token in (crib.viewer, crib.invite)] == [403, 403]
