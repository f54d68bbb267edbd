"""A program that knows only the description of the API: each mistake it makes is named, with the way out."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from tests.api.http.games.play import JOIN_TOKEN, Player, bearer, code

JSON = {"content-type": "application/json", "x-muggins-join": JOIN_TOKEN}
GAME = b'{"game": "crib-dice", "players": ["Ann", "Ben"]}'


@pytest.mark.parametrize(
    ("body", "kind", "told"),
    [
        (GAME, "text/plain", "Content-Type: application/json, and yours came as text/plain."),
        (b"game=crib-dice", "application/x-www-form-urlencoded", "came as application/x-www-form-urlencoded."),
        (GAME, "", "Content-Type: application/json, and yours has no such header."),
        (b'{"game"', "application/json", "The body is no JSON: Expecting ':' delimiter at character 7."),
        (b"[1]", "application/json", 'The body has to be a JSON object, such as {"lines": 1}.'),
        (b"", "application/json", "The body has to be a JSON object; none came. Send {} if there is nothing to say."),
    ],
)
def test_a_body_of_another_type_is_named(client: TestClient, body: bytes, kind: str, told: str) -> None:
    headers = JSON | {"content-type": kind} if kind else {"x-muggins-join": JOIN_TOKEN}
    answer = client.post("/v1/games", content=body, headers=headers)
    assert code(answer) == (422, "invalid-request")
    assert answer.json()["detail"].endswith(told)


def test_a_photo_that_is_not_sent_in_a_form_is_told_so(crib: Player, sample: bytes) -> None:
    headers = bearer(crib.player) | {"content-type": "image/jpeg"}
    answer = crib.client.post(crib.path("/photos"), content=sample, headers=headers)
    assert code(answer) == (422, "invalid-request")
    assert "Content-Type: multipart/form-data, and yours came as image/jpeg" in answer.json()["detail"]


def test_a_zip_in_a_form_is_not_called_a_text(client: TestClient) -> None:
    answer = client.post("/v1/verifications", files={"file": ("game.zip", b"PK\x03\x04", "application/zip")})
    assert code(answer) == (415, "unsupported-format")
    assert answer.json()["detail"] == "Send the zip itself as the body of the request, not as a file in a form."


def test_a_method_or_an_address_that_there_is_not_is_told_with_what_there_is(crib: Player) -> None:
    answer = crib.client.patch(crib.path(""), headers=bearer(crib.player))
    assert (code(answer), answer.headers["allow"]) == ((405, "method-not-allowed"), "GET")
    assert answer.json()["detail"] == "PATCH is not possible here. Use GET."
    nowhere = crib.client.get("/v1/nowhere")
    assert code(nowhere) == (404, "not-found")
    assert nowhere.json()["detail"].endswith("listed at /docs.")


def test_a_token_in_another_scheme_is_told_how_to_send_it(crib: Player) -> None:
    answer = crib.client.get(crib.path(""), headers={"authorization": f"Basic {crib.player}"})
    assert (code(answer), answer.headers["www-authenticate"]) == ((401, "no-token"), "Bearer")
    assert answer.json()["detail"] == "Send the token of the game as `Authorization: Bearer …`."


@pytest.mark.parametrize("path", ["/healthz", "/version", "/metrics", "/v1/models"])
def test_head_is_get_without_the_body(client: TestClient, path: str) -> None:
    head, get = client.head(path), client.get(path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"] == get.headers["content-type"]


def test_head_of_a_game_needs_its_token_and_opens_no_stream(crib: Player) -> None:
    assert crib.client.head(crib.path("/record")).status_code == 401
    answer = crib.client.head(crib.path("/record"), headers=bearer(crib.player))
    assert (answer.status_code, answer.content) == (200, b"")
    assert crib.client.head(crib.path("/events"), headers=bearer(crib.player)).status_code == 405


def test_head_is_counted_by_its_route(client: TestClient) -> None:
    client.head("/healthz")
    assert 'muggins_request_seconds_count{method="HEAD",route="/healthz",status="200"}' in client.get("/metrics").text


def test_what_one_of_our_own_checks_says_stands_alone(crib: Player) -> None:
    answer = crib.says()
    assert code(answer) == (422, "invalid-request")
    assert answer.json()["detail"] == "name a move or a reading"
