"""Middleware: limits on size, host and origin of requests, and security headers."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit

from anyio import move_on_after
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.http.problems import (
    TOO_MUCH_EVIDENCE,
    TOO_MUCH_JSON,
    TOO_MUCH_PHOTO,
    TOO_MUCH_PROFILE,
    BodyTooLarge,
    problem,
)

_PATIENCE = 10.0
"""Seconds for which a rejected body is still drained,"""
_MOST_DISCARDED = 200_000_000
"""and the most bytes of it."""


JSON_BYTES = 64 * 1024
"""The largest request without a photo. The longest move has some hundred bytes; checking 9 MB of unknown keys took six
seconds and 150 MB.
"""
_TAKES_A_PHOTO = re.compile(r"/v1/(readings(/annotated)?|pieces)/?|/v1/games/[^/]+/(photos|camera/(frames|rolls))/?")
_TAKES_PHOTO_AND_PROFILE = re.compile(r"/v1/profiles/?")
_TAKES_A_PROFILE = re.compile(r"/v1/games/[^/]+/profiles/?")
_TAKES_EVIDENCE = re.compile(r"/v1/verifications/?")


class BodyLimit:
    """Refuses a request with 413 as soon as it proves too large, before anything is stored."""

    def __init__(
        self,
        app: ASGIApp,
        max_bytes: int,
        photo_bytes: int | None = None,
        evidence_bytes: int | None = None,
        profile_bytes: int = 0,
    ) -> None:
        """Accept requests up to `max_bytes`, photos up to `photo_bytes`, and evidence up to `evidence_bytes` (None: the same).

        A profile may have `profile_bytes` more than a request, or more than the photo that it comes with.
        """
        self.app = app
        self.max_bytes = max_bytes
        self.photo_bytes = max_bytes if photo_bytes is None else photo_bytes
        self.evidence_bytes = max_bytes if evidence_bytes is None else evidence_bytes
        self.profile_bytes = profile_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond with 413, or pass the request on and count its bytes."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        limit, way_out = self._limit(scope.get("path", ""))
        if _announced(scope) > limit:
            await _refuse(413, "too-large-file", BodyTooLarge(limit, way_out).detail, scope, receive, send)
        else:
            await self.app(scope, self._counting(receive, limit, way_out), send)

    def _limit(self, path: str) -> tuple[int, str]:
        """The limit for requests to this path, and what to do about a larger one."""
        if _TAKES_EVIDENCE.fullmatch(path):
            return self.evidence_bytes, TOO_MUCH_EVIDENCE
        if _TAKES_A_PHOTO.fullmatch(path):
            return self.photo_bytes, TOO_MUCH_PHOTO
        if _TAKES_PHOTO_AND_PROFILE.fullmatch(path):
            return self.photo_bytes + self.profile_bytes, TOO_MUCH_PHOTO
        if _TAKES_A_PROFILE.fullmatch(path):
            return self.max_bytes + self.profile_bytes, TOO_MUCH_PROFILE
        return self.max_bytes, TOO_MUCH_JSON

    def _counting(self, receive: Receive, limit: int, way_out: str) -> Receive:
        seen = 0

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > limit:
                await _discard(receive)
                raise BodyTooLarge(limit, way_out)
            return message

        return counted


async def _refuse(status: int, code: str, text: str, scope: Scope, receive: Receive, send: Send) -> None:
    """Respond with a problem, after draining the body within the limits."""
    awaits_us = Headers(scope=scope).get("expect", "").lower() == "100-continue"
    drained = not awaits_us and await _discard(receive)
    # If part of the body is unread, the connection cannot be reused. Otherwise it stays open: a proxy that is still busy with
    # the request when its connection is closed may lose the response.
    await problem(status, code, text, {} if drained else {"connection": "close"})(scope, receive, send)


async def _discard(receive: Receive) -> bool:
    """Drain the body within limits, and discard it. Returns whether all of it came.

    A connection that is closed while data still comes in is reset, and then the response may never arrive (RFC 9112, 9.6).
    """
    seen = 0
    with move_on_after(_PATIENCE):
        while seen < _MOST_DISCARDED:
            message = await receive()
            seen += len(message.get("body", b""))
            if not message.get("more_body", False):
                return True
    return False


def _announced(scope: Scope) -> int:
    length = Headers(scope=scope).get("content-length", "0")
    return int(length) if length.isdecimal() else 0


class HeadAsGet:
    """Answers HEAD as GET, without the body, for all routes except event streams, which never end."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on as GET, and drop the body of its response."""
        if scope["type"] != "http" or scope["method"] != "HEAD" or not _FOR_PROGRAMS.fullmatch(scope.get("path", "")):
            await self.app(scope, receive, send)
            return
        asked = {**scope, "method": "GET"}

        async def without_body(message: Message) -> None:
            if "route" in asked:  # by which metrics count it
                scope["route"] = asked["route"]
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        await self.app(asked, receive, without_body)


_FOR_PROGRAMS = re.compile(r"/(healthz|metrics|version|source\.zip|v1/.*(?<!/events)(?<!/events/))")


class BrowserHeaders:
    """Adds headers to every response, except those a route sets itself."""

    def __init__(self, app: ASGIApp, headers: Mapping[str, str]) -> None:
        self.app = app
        self.headers = dict(headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and add missing headers."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    present.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, with_headers)


SAFE_HEADERS = {
    # Browsers revalidate cached pages, so that updates show at once.
    "cache-control": "no-cache",
    # Nothing is loaded from other hosts. blob: is the preview of the chosen photo, data: the icons in /docs.
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
"""Names no public server can have: this computer's own and home network names (RFC 6761, 6762)."""


class KnownHosts:
    """Refuses requests addressed to another host name.

    A foreign page can point its own name at this computer (DNS rebinding) and would then have access to this server. Such
    requests carry that page's host name. Addresses and names of home networks are safe: no page of the Internet has one. Any
    other name or address has to be one of `names`.
    """

    def __init__(self, app: ASGIApp, names: Collection[str] = ()) -> None:
        self.app = app
        self.names = frozenset({"localhost", *(name.lower().rstrip(".") for name in names)})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond with 421, or pass the request on."""
        if scope["type"] == "http" and not self._known(Headers(scope=scope).get("host", "")):
            text = (
                "This server does not know this host name or address. Open it by its home network address, or start it "
                "with --name and the name or address that you open it by: muggins serve --name dice.example"
            )
            await _refuse(421, "unknown-host", text, scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def _known(self, host: str) -> bool:
        name = _host_name(host)
        return name in self.names or name.endswith(_LOCAL_ENDS) or _is_here(name)


def _host_name(host: str) -> str:
    """The Host header in lower case, without port and IPv6 brackets."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def _is_here(name: str) -> bool:
    """Whether the host is an IP address of this computer or its home network, not one reachable from the whole Internet."""
    try:
        address = ip_address(name)
    except ValueError:
        return False
    return not address.is_global


class SameOrigin:
    """Refuses requests from pages of another origin, except safe methods, whose response they cannot read."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond with 403, or pass the request on."""
        if scope["type"] == "http" and scope["method"] not in _ONLY_LOOKING and _from_elsewhere(Headers(scope=scope)):
            text = "This request came from a page of another site. Only this server's own pages may send it."
            await _refuse(403, "other-origin", text, scope, receive, send)
        else:
            await self.app(scope, receive, send)


def _from_elsewhere(headers: Headers) -> bool:
    """Whether a request comes from another origin: by Origin, else by Sec-Fetch-Site. Programs send neither, and are no risk."""
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "none") not in ("same-origin", "none")
    scheme, _, place = origin.partition("://")
    return scheme not in ("http", "https") or place.lower() != headers.get("host", "").lower()
