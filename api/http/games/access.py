"""Access to games: any number of random tokens per game, each with a role, stored as digests.

A token is sent as `Authorization: Bearer …` and nowhere else: URLs are logged by proxies and kept by browsers. Links
have it in the fragment (`#…`), which browsers do not send. A token in a URL is refused, and `hush` keeps it out of the
server's log.
"""

from __future__ import annotations

import hashlib
import logging
import math
import re
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Literal

from api.store import Role, Store, StoredToken
from api.store.tries import FailedTries

Needed = Literal["watch", "join", "play", "sit", "host"]
"""What a request does: watch a game, join it, play in it, hold a seat (a camera cannot), or hand out and revoke tokens."""
_ALLOWED: dict[Needed, tuple[Role, ...]] = {
    "watch": ("viewer", "invite", "camera", "player"),
    "join": ("invite", "player"),
    "play": ("camera", "player"),
    "sit": ("player",),
    "host": ("player",),
}

TRIES = 10
"""Wrong tokens that one client may send for one game within `WINDOW`."""
WINDOW = 60.0
"""Seconds."""
_IN_URL = re.compile(r"(?<=[?&]token=)[^&\s\"']+", re.IGNORECASE)


class Denied(Exception):  # noqa: N818 - named after the outcome
    """The request lacks the required token.

    Attributes:
        status: 401 no valid token, 403 token without permission, 429 too many wrong tokens.
        code: stable kebab-case name.
        message: a sentence for a person.
        headers: for the response.
    """

    def __init__(self, status: int, code: str, message: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.headers = headers or {}


def new_token() -> str:
    """A random token of 256 bits."""
    return secrets.token_urlsafe(32)


def digest(token: str) -> bytes:
    """The stored digest of a token: SHA-256, 32 bytes."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


class Failures:
    """Counts wrong tokens per client and game, across all servers of a database; after too many the client has to wait."""

    def __init__(self, tries: FailedTries, clock: Callable[[], float] = time.time) -> None:
        self._tries, self._clock = tries, clock

    def check(self, client: str, game_id: str) -> None:
        """Refuse a client with too many failures.

        Raises:
            Denied: 429, with the seconds to wait in Retry-After.
            StoreError: "database-trouble".
        """
        now = self._clock()
        _check_few(self._tries.since(client, game_id, now - WINDOW, TRIES), now)

    def count(self, client: str, game_id: str) -> None:
        """Count a wrong token; when many are sent at once, those beyond the limit are refused.

        Raises:
            Denied: as of `check`.
            StoreError: "database-trouble".
        """
        now = self._clock()
        _check_few(self._tries.add(client, game_id, now, now - WINDOW, TRIES), now)


def _check_few(times: Sequence[float], now: float) -> None:
    """Refuse a client that failed at these times, the latest `TRIES`."""
    if len(times) < TRIES:
        return
    wait = max(1, math.ceil(times[0] + WINDOW - now))
    text = f"Too many wrong tokens. Try again in {wait} seconds."
    raise Denied(429, "too-many-failures", text, {"Retry-After": str(wait)})


def admit(
    store: Store, game_id: str, token: str | None, needed: Needed, client: str, failures: Failures
) -> StoredToken:
    """Check the token of a request.

    Args:
        store: has the tokens. They are looked up by digest, so the time that takes tells nothing about a token.
        game_id: the requested game.
        token: as sent, if any.
        needed: what the request does.
        client: address of the client.
        failures: counter for all clients.

    Returns:
        The token's rights.

    Raises:
        Denied: 401, 403 or 429.
    """
    found = store.tokens.find(game_id, digest(token)) if token is not None else None
    if found is not None and found.revoked:
        raise Denied(401, "revoked-token", "This link was revoked. Ask the host of the game for a new one.", _CHALLENGE)
    if found is None:
        # Only clients that send wrong tokens wait: others behind the same address may have the right one.
        failures.check(client, game_id)
        if token is not None:
            failures.count(client, game_id)
        text = "This game needs a token. Open the link that its players gave you."
        raise Denied(401, "no-token" if token is None else "wrong-token", text, _CHALLENGE)
    _check_allowed(found, needed)
    return found


_CHALLENGE = {"WWW-Authenticate": "Bearer"}


def _check_allowed(found: StoredToken, needed: Needed) -> None:
    if found.role not in _ALLOWED[needed]:
        raise Denied(403, *_INSTEAD[found.role])
    if needed == "host" and not found.host:
        raise Denied(403, "host-only", "Only the host of the game can do this.")


_INSTEAD = {
    "viewer": ("viewer-only", "This link is for watching. To play, use the players' link."),
    "invite": ("join-first", "This link is an invitation. Join the game first and say who plays on this phone."),
    "camera": ("camera-only", "This link is for a camera. A camera plays what it sees and holds no seat."),
    "player": ("host-only", "Only the host of the game can do this."),
}


class _WithoutTokens(logging.Filter):
    """Removes tokens from logged URLs."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Always True: the line is logged, without the token."""
        if isinstance(record.msg, str):
            record.msg = _hushed(record.msg)
        if isinstance(record.args, tuple):
            record.args = tuple(_hushed(each) if isinstance(each, str) else each for each in record.args)
        return True


_FILTER = _WithoutTokens()


def hush(*names: str) -> None:
    """Keep tokens out of these loggers; idempotent."""
    for name in names:
        logging.getLogger(name).addFilter(_FILTER)


def _hushed(text: str) -> str:
    return _IN_URL.sub("…", text)
