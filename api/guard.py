"""What stands between the network and the app: a limit on the bytes of a request, and headers for browsers."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.problems import BodyTooLarge, problem


class BodyLimit:
    """Refuses a request with 413 as soon as it is known to exceed `max_bytes`, before it is stored anywhere."""

    def __init__(self, app: ASGIApp, max_bytes: int) -> None:
        self.app = app
        self.max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 413, or let the app answer, counting what it receives."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
        elif _announced(scope) > self.max_bytes:
            error = BodyTooLarge(self.max_bytes)
            # The rest is never read, so the connection cannot be used again.
            await problem(413, "too-large-file", error.detail, {"connection": "close"})(scope, receive, send)
        else:
            await self.app(scope, self._counting(receive), send)

    def _counting(self, receive: Receive) -> Receive:
        seen = 0

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self.max_bytes:
                raise BodyTooLarge(self.max_bytes)
            return message

        return counted


def _announced(scope: Scope) -> int:
    length = Headers(scope=scope).get("content-length", "0")
    return int(length) if length.isdecimal() else 0


class BrowserHeaders:
    """Adds headers to every response; what a route sets itself stays."""

    def __init__(self, app: ASGIApp, headers: Mapping[str, str]) -> None:
        self.app = app
        self.headers = dict(headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the app answer, and complete its headers."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    present.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, with_headers)


SAFE_HEADERS = {
    # A browser asks before it uses its copy of a page, so an update is seen at once.
    "cache-control": "no-cache",
    # Nothing is loaded from elsewhere. blob: is the page's own preview of the chosen photo, data: the icons in /docs.
    "content-security-policy": (
        "default-src 'self'; img-src 'self' blob: data:; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
