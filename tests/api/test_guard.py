from typing import Any

import anyio
import pytest

from api.guard import BodyLimit, BrowserHeaders
from api.problems import BodyTooLarge

CHUNK = 1000


async def swallow(scope: Any, receive: Any, send: Any) -> None:
    """An app that reads whatever comes."""
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 204, "headers": [(b"x-mine", b"1")]})


class Client:
    """Sends chunks for ever and keeps what comes back."""

    def __init__(self, *headers: tuple[bytes, bytes], chunks: int | None = None) -> None:
        self.scope = {"type": "http", "headers": list(headers)}
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


def test_an_endless_body_is_cut_as_soon_as_it_is_too_large() -> None:
    client = Client()
    with pytest.raises(BodyTooLarge):
        client.talk_to(BodyLimit(swallow, 5 * CHUNK))
    assert client.pulled == 6


def test_a_body_announced_too_large_is_never_read() -> None:
    client = Client((b"content-length", b"5001"))
    client.talk_to(BodyLimit(swallow, 5 * CHUNK))
    assert (client.pulled, client.received[0]["status"]) == (0, 413)


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
