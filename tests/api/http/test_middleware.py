from typing import Any

import anyio
import pytest

from api.http import middleware
from api.http.middleware import BodyLimit, BrowserHeaders, KnownHosts, SameOrigin
from api.http.problems import BodyTooLarge

CHUNK = 1000


async def swallow(scope: Any, receive: Any, send: Any) -> None:
    """An app that reads whatever comes."""
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 204, "headers": [(b"x-mine", b"1")]})


class Client:
    """Sends chunks for ever and keeps what comes back."""

    def __init__(self, *headers: tuple[bytes, bytes], chunks: int | None = None) -> None:
        self.scope: dict[str, Any] = {"type": "http", "headers": list(headers)}
        self.left = chunks
        self.pulled = 0
        self.received: list[dict[str, Any]] = []

    async def receive(self) -> dict[str, Any]:
        self.pulled += 1
        return {"type": "http.request", "body": bytes(CHUNK), "more_body": self.pulled != self.left}

    async def send(self, message: dict[str, Any]) -> None:
        self.received.append(message)

    def talk_to(self, app: Any) -> None:
        anyio.run(app, self.scope, self.receive, self.send)


@pytest.fixture(autouse=True)
def _not_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little is taken from the line that is not wanted."""
    monkeypatch.setattr(middleware, "_MOST_DISCARDED", 20 * CHUNK)
    monkeypatch.setattr(middleware, "_PATIENCE", 0.05)


def test_an_endless_body_is_cut_after_a_while() -> None:
    client = Client()
    with pytest.raises(BodyTooLarge):
        client.talk_to(BodyLimit(swallow, 5 * CHUNK))
    assert client.pulled == 6 + 20


def test_who_sends_too_much_may_finish_so_that_the_answer_reaches_him() -> None:
    client = Client((b"content-length", b"9000"), chunks=9)
    client.talk_to(BodyLimit(swallow, 5 * CHUNK))
    assert (client.pulled, client.received[0]["status"]) == (9, 413)


@pytest.mark.parametrize(("chunks", "closes"), [(9, False), (None, True)], ids=["all came", "some is left"])
def test_a_connection_is_closed_only_where_something_stays_unread(chunks: int | None, closes: bool) -> None:
    """A proxy that is still busy with the request when the connection is closed may lose the response."""
    client = Client((b"content-length", b"9000"), chunks=chunks)
    client.talk_to(BodyLimit(swallow, 5 * CHUNK))
    assert ((b"connection", b"close") in client.received[0]["headers"]) is closes


def test_who_asks_first_whether_he_may_send_is_told_at_once() -> None:
    client = Client((b"content-length", b"5001"), (b"expect", b"100-continue"))
    client.talk_to(BodyLimit(swallow, 5 * CHUNK))
    assert (client.pulled, client.received[0]["status"]) == (0, 413)


def test_who_announces_much_and_sends_nothing_is_answered_all_the_same() -> None:
    class Silent(Client):
        async def receive(self) -> dict[str, Any]:
            await anyio.sleep_forever()
            raise AssertionError

    client = Silent((b"content-length", b"5001"))
    client.talk_to(BodyLimit(swallow, 5 * CHUNK))
    assert client.received[0]["status"] == 413


def test_a_body_of_just_the_limit_passes() -> None:
    client = Client((b"content-length", b"5000"), chunks=5)
    client.talk_to(BodyLimit(swallow, 5 * CHUNK))
    assert (client.pulled, client.received[0]["status"]) == (5, 204)


def test_a_length_that_is_no_number_does_not_fool_the_count() -> None:
    with pytest.raises(BodyTooLarge):
        Client((b"content-length", b"-1")).talk_to(BodyLimit(swallow, 5 * CHUNK))


def test_headers_are_added_but_never_replaced() -> None:
    client = Client(chunks=1)
    client.talk_to(BrowserHeaders(swallow, {"x-mine": "2", "x-other": "3"}))
    assert dict(client.received[0]["headers"]) == {b"x-mine": b"1", b"x-other": b"3"}


def status(client: Client, app: Any) -> int:
    client.talk_to(app)
    return int(client.received[0]["status"])


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST:8000",
        "127.0.0.1:8000",
        "[::1]:8000",
        "192.168.1.20",
        "10.0.0.2:80",
        "100.64.0.9",
        "[fe80::1]",
        "kitchen.local:8000",
        "dice.example:8000",
    ],
)
def test_names_of_this_computer_are_known(host: str) -> None:
    asking = Client((b"host", host.encode()), chunks=1)
    assert status(asking, KnownHosts(swallow, ["Dice.example"])) == 204


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "8.8.8.8",
        "local",
        "[::1",
        "a@evil.example",
    ],
)
def test_other_names_are_refused(host: str) -> None:
    asking = Client((b"host", host.encode()), chunks=1)
    assert status(asking, KnownHosts(swallow)) == 421
    assert not any((b"x-mine", b"1") in each.get("headers", ()) for each in asking.received)


def test_an_address_of_the_internet_is_known_once_it_is_named_as_the_refusal_says() -> None:
    host = (b"host", b"8.8.8.8:8000")
    refused = Client(host, chunks=1)
    assert status(refused, KnownHosts(swallow)) == 421
    told = b"".join(each.get("body", b"") for each in refused.received).decode()
    assert "this host name or address" in told
    assert "start it with --name and the name or address that you open it by" in told
    assert status(Client(host, chunks=1), KnownHosts(swallow, ["8.8.8.8"])) == 204


HOST = (b"host", b"192.168.1.20:8000")


@pytest.mark.parametrize(
    ("method", "headers", "expected"),
    [
        ("POST", (), 204),
        ("POST", ((b"origin", b"http://192.168.1.20:8000"),), 204),
        ("POST", ((b"origin", b"https://192.168.1.20:8000"),), 204),
        ("POST", ((b"sec-fetch-site", b"same-origin"),), 204),
        ("POST", ((b"origin", b"http://evil.example"),), 403),
        ("POST", ((b"origin", b"http://192.168.1.20"),), 403),
        ("POST", ((b"origin", b"null"),), 403),
        ("POST", ((b"origin", b""),), 403),
        ("DELETE", ((b"origin", b"http://evil.example"),), 403),
        ("POST", ((b"sec-fetch-site", b"cross-site"),), 403),
        ("POST", ((b"sec-fetch-site", b"same-site"),), 403),
        ("GET", ((b"origin", b"http://evil.example"),), 204),
        ("GET", ((b"sec-fetch-site", b"cross-site"),), 204),
    ],
)
def test_only_this_servers_own_pages_may_change_anything(
    method: str, headers: tuple[tuple[bytes, bytes], ...], expected: int
) -> None:
    asking = Client(HOST, *headers, chunks=1)
    asking.scope["method"] = method
    assert status(asking, SameOrigin(swallow)) == expected


@pytest.mark.parametrize(
    ("guard", "header", "status"),
    [(KnownHosts, (b"host", b"elsewhere.example"), 421), (SameOrigin, (b"origin", b"https://elsewhere.example"), 403)],
)
def test_who_is_refused_may_finish_so_that_the_answer_arrives(
    guard: Any, header: tuple[bytes, bytes], status: int
) -> None:
    """A proxy that still sends when the connection is closed passes on an answer without its body."""
    client = Client(header, chunks=9)
    client.scope["method"] = "POST"
    client.talk_to(guard(swallow))
    assert (client.pulled, client.received[0]["status"]) == (9, status)


def test_evidence_may_be_larger_than_a_photo_and_a_photo_than_the_rest() -> None:
    app = BodyLimit(swallow, 2 * CHUNK, photo_bytes=5 * CHUNK, evidence_bytes=9 * CHUNK)
    for path, most in {"/v1/games": 2, "/v1/readings": 5, "/v1/verifications": 9}.items():
        for chunks, status in {most: 204, most + 1: 413}.items():
            client = Client((b"content-length", str(chunks * CHUNK).encode()), chunks=chunks)
            client.scope["path"] = path
            client.talk_to(app)
            assert client.received[0]["status"] == status, (path, chunks)
