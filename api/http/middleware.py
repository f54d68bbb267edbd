"""What stands between the network and the app: limits on size, host and origin of a request, and headers for browsers."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit

from anyio import move_on_after
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.http.problems import BodyTooLarge, problem

_PATIENCE = 10.0
"""Seconds for which what is not wanted is still taken from the line,"""
_MOST_DISCARDED = 200_000_000
"""and bytes."""


JSON_BYTES = 64 * 1024
"""What a request may hold that brings no photo. The longest move has some hundred bytes; to check 9 MB of unknown keys took
six seconds and 150 MB."""
_TAKES_A_PHOTO = re.compile(r"/v1/readings(/annotated)?/?|/v1/games/[^/]+/photos/?")


class BodyLimit:
    """Refuses a request with 413 as soon as it is known to be too large, before it is stored anywhere."""

    def __init__(self, app: ASGIApp, max_bytes: int, photo_bytes: int | None = None) -> None:
        """Take requests up to `max_bytes`, and those with a photo up to `photo_bytes` (None: the same)."""
        self.app = app
        self.max_bytes = max_bytes
        self.photo_bytes = max_bytes if photo_bytes is None else photo_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 413, or let the app answer, counting what it receives."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        limit = self.photo_bytes if _TAKES_A_PHOTO.fullmatch(scope.get("path", "")) else self.max_bytes
        if _announced(scope) > limit:
            error = BodyTooLarge(limit)
            if Headers(scope=scope).get("expect", "").lower() != "100-continue":
                await _discard(receive)
            # The rest may never be read, so the connection cannot be used again.
            await problem(413, "too-large-file", error.detail, {"connection": "close"})(scope, receive, send)
        else:
            await self.app(scope, self._counting(receive, limit), send)

    def _counting(self, receive: Receive, limit: int) -> Receive:
        seen = 0

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > limit:
                await _discard(receive)
                raise BodyTooLarge(limit)
            return message

        return counted


async def _discard(receive: Receive) -> None:
    """Let the sender finish, within bounds, and keep nothing.

    A connection that is closed while data still comes in is reset, and then the reason for it may never arrive
    (RFC 9112, 9.6).
    """
    seen = 0
    with move_on_after(_PATIENCE):
        while seen < _MOST_DISCARDED:
            message = await receive()
            seen += len(message.get("body", b""))
            if not message.get("more_body", False):
                return


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


_ONLY_LOOKING = ("GET", "HEAD", "OPTIONS")
_LOCAL_ENDS = (".localhost", ".local")
"""Names that no server in the internet can have: this computer's own, and those given in a home network (RFC 6761, 6762)."""


class KnownHosts:
    """Refuses requests that are sent to another name than this server's.

    A page elsewhere may let its own name point at this computer (DNS rebinding), and a browser would then show it what is
    here. Such a request names that page's host; addresses, and the names that only a home network gives, are safe.
    """

    def __init__(self, app: ASGIApp, names: Collection[str] = ()) -> None:
        self.app = app
        self.names = frozenset({"localhost", *(name.lower().rstrip(".") for name in names)})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 421, or let the app answer."""
        if scope["type"] == "http" and not self._known(Headers(scope=scope).get("host", "")):
            text = "This server does not go by that name; open it by its address, or start it with --name."
            await problem(421, "unknown-host", text)(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def _known(self, host: str) -> bool:
        name = _host_name(host)
        return name in self.names or name.endswith(_LOCAL_ENDS) or _is_here(name)


def _host_name(host: str) -> str:
    """The Host header without its port, in small letters; an IPv6 address without its brackets."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def _is_here(name: str) -> bool:
    """Whether it is an address of this computer or of a home network."""
    try:
        address = ip_address(name)
    except ValueError:
        return False
    return not address.is_global


class SameOrigin:
    """Refuses what a page of another origin lets a browser send here, but for mere looking, whose answer it cannot read."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 403, or let the app answer."""
        if scope["type"] == "http" and scope["method"] not in _ONLY_LOOKING and _from_elsewhere(Headers(scope=scope)):
            text = "A page of another address has sent this; only this server's own pages may."
            await problem(403, "other-origin", text)(scope, receive, send)
        else:
            await self.app(scope, receive, send)


def _from_elsewhere(headers: Headers) -> bool:
    """By Origin; where a browser sends none, by Sec-Fetch-Site. Programs send neither, and are no browsers to be tricked."""
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "none") not in ("same-origin", "none")
    scheme, _, place = origin.partition("://")
    return scheme not in ("http", "https") or place.lower() != headers.get("host", "").lower()
