"""Scores and advice over HTTP, beside what the scorer itself says."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient

from api.http import scoring
from scorer.games.cribbage_dice import odds as cribbage_dice
from scorer.games.cribbage_dice.rules import Rules as CribbageDice
from scorer.games.domino_cribbage import odds as domino_cribbage
from scorer.games.domino_cribbage.rules import Rules as DominoCribbage
from scorer.games.farkle_crib import odds as farkle_crib
from scorer.games.farkle_crib.rules import Rules as FarkleCrib
from scorer.games.scoring import rules_named, worth
from scorer.pieces.tiles import Tile

TILES = ["3-0", "4-0", "3-1", "3-2", "6-6", "0-0"]


@pytest.mark.parametrize(
    ("asked", "total"),
    [
        ({"game": "crib-dice", "pieces": [5, 5, 2, 2, 1, 4, 6]}, 2),
        ({"game": "crib-dice", "pieces": [5, 1, 6, 6, 6], "point": 5, "frozen": 2}, None),
        ({"game": "farkle-crib", "pieces": [5, 2, 6], "set_aside": [1, 5, 5]}, None),
        ({"game": "farkle-crib", "pieces": [1, 2, 3, 4, 5, 6], "rules": ["bonus=straight"]}, None),
        ({"game": "cribbage-dice", "pieces": [5, 10, 10, 10, 11], "starter": 5}, None),
        ({"game": "domino-cribbage", "pieces": ["3-0", "4-0", "3-1", "3-2"], "starter": "4-1"}, None),
        ({"game": "domino-pips", "pieces": ["6-6", "6-3", "3-5"]}, 29),
        ({"game": "cards", "pieces": ["5H", "5D", "5S", "JC"], "starter": "5C"}, 29),
    ],
)
def test_a_score_is_the_scorers(client: TestClient, asked: dict[str, Any], total: int | None) -> None:
    answer = client.post("/v1/score", json=asked)
    assert answer.status_code == 200, answer.text
    options = {name: value for name, value in asked.items() if name not in ("game", "pieces", "rules")}
    rules = rules_named(asked["game"], asked.get("rules", ()))
    assert answer.json() == worth(asked["game"], asked["pieces"], rules=rules, **options).to_json()
    if total is not None:
        assert answer.json()["total"] == total


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"game": "crib-dice", "pieces": [5, 5]}, "wrong-count"),
        ({"game": "crib-dice", "pieces": []}, "wrong-count"),
        ({"game": "crib-dice", "pieces": [5, 5, 2, 2, 1, 4, 7]}, "value-out-of-range"),
        ({"game": "crib-dice", "pieces": ["five"]}, "no-die"),
        ({"game": "cards", "pieces": ["5H", "5H", "5S", "JC"]}, "same-card-twice"),
        ({"game": "domino-cribbage", "pieces": ["3-0", "4-0", "3-1", "x"]}, "no-tile"),
        ({"game": "cards", "pieces": ["5H", "5D", "5S", "JC"], "point": 3}, "option-of-another-game"),
        ({"game": "crib-dice", "pieces": [1], "rules": ["luck=yes"]}, "unknown-option"),
        ({"game": "crib-dice", "pieces": [True]}, "invalid-request"),
        ({"game": "whist", "pieces": [1]}, "invalid-request"),
        ({"game": "cards", "pieces": [], "more": 1}, "invalid-request"),
    ],
)
def test_what_cannot_be_scored_is_a_problem(client: TestClient, asked: dict[str, Any], code: str) -> None:
    answer = client.post("/v1/score", json=asked)
    assert (answer.status_code, answer.json()["code"]) == (422, code)


def test_advice_is_the_scorers(client: TestClient) -> None:
    asked: dict[str, Any] = {"game": "cribbage-dice", "dice": [4, 10, 10, 11], "starter": 5, "rolls_left": 1}
    assert _advice(client, asked) == cribbage_dice.advise(CribbageDice(), 5, [4, 10, 10, 11], 1).to_json()
    asked = {"game": "domino-cribbage", "tiles": TILES, "dealer": True}
    tiles = [Tile.parse(text) for text in TILES]
    assert _advice(client, asked) == domino_cribbage.discard(DominoCribbage(), tiles, dealer=True).to_json()
    # So late in a turn that nothing is to be gained: the answer takes no time.
    asked = {"game": "farkle-crib", "dice": [1, 2, 6], "points": 9000}
    assert _advice(client, asked) == farkle_crib.advise(FarkleCrib(), 9000, 3, [1, 2, 6]).to_json()
    told = _advice(client, {"game": "crib-dice", "point": 5, "frozen": 3, "banked": 9000})
    assert (told["best"], {each["move"] for each in told["alternatives"]}) == ("stop", {"stop", "throw"})


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"game": "crib-dice", "point": 5}, "bad-frozen"),
        ({"game": "crib-dice", "point": 5, "frozen": 3, "rules": ["finish=soon"]}, "bad-option"),
        ({"game": "farkle-crib", "dice": [2, 3, 3, 4, 6, 6], "points": 9000}, "turn-over"),
        ({"game": "farkle-crib", "dice": [1, 5], "points": 0}, "wrong-count"),
        ({"game": "farkle-crib", "dice": [1, 5], "points": 10, "to_throw": 3}, "wrong-count"),
        ({"game": "cribbage-dice", "dice": [4], "starter": 5, "rolls_left": 1}, "wrong-count"),
        ({"game": "domino-cribbage", "tiles": ["3-0"] * 6}, "same-tile-twice"),
        ({"game": "domino-cribbage", "tiles": ["9-9"] * 6}, "no-tile"),
        ({"dice": [1]}, "invalid-request"),
    ],
)
def test_what_cannot_be_advised_is_a_problem(client: TestClient, asked: dict[str, Any], code: str) -> None:
    answer = client.post("/v1/advice", json=asked)
    assert (answer.status_code, answer.json()["code"]) == (422, code)


def test_no_long_queue_waits_for_advice(client: TestClient) -> None:
    taken = 0
    while scoring._places.acquire(blocking=False):
        taken += 1
    try:
        answer = client.post("/v1/advice", json={"game": "domino-cribbage", "tiles": TILES})
        assert (answer.status_code, answer.json()["code"]) == (503, "busy")
        assert int(answer.headers["retry-after"]) > 0
    finally:
        for _ in range(taken):
            scoring._places.release()
    _advice(client, {"game": "domino-cribbage", "tiles": TILES})


def _advice(client: TestClient, asked: dict[str, Any]) -> dict[str, Any]:
    answer = client.post("/v1/advice", json=asked)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told
