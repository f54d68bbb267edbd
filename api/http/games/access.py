"""Access to games: two random tokens per game, for viewers and players, stored as digests and compared in constant time.

A token is sent as `Authorization: Bearer …`, or as `?token=…` where a browser cannot send headers (event streams,
downloads, pictures); `hush` keeps it out of the server's log.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import math
import re
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from api.store import StoredGame

Role = Literal["viewer", "player"]

TRIES = 10
"""Wrong tokens that one client may send for one game within `WINDOW`."""
WINDOW = 60.0
"""Seconds."""
_MOST_KEPT = 10_000
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


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a new game in plain text; shown once and never stored.

    Attributes:
        viewer: permits watching.
        player: permits playing and watching.
    """

    viewer: str
    player: str

    @classmethod
    def new(cls) -> Tokens:
        """Create two random tokens of 256 bits."""
        return cls(secrets.token_urlsafe(32), secrets.token_urlsafe(32))


def digest(token: str) -> bytes:
    """The stored digest of a token: SHA-256, 32 bytes."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def role_of(game: StoredGame, token: str | None) -> Role | None:
    """The role a token grants in this game; None if none. Always makes both comparisons."""
    given = digest(token or "")
    is_player = hmac.compare_digest(given, game.player)
    is_viewer = hmac.compare_digest(given, game.viewer)
    if is_player:
        return "player"
    return "viewer" if is_viewer else None


class Failures:
    """Counts wrong tokens per client and game; after too many, the client has to wait."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._times: OrderedDict[tuple[str, str], list[float]] = OrderedDict()
        self._lock = threading.Lock()

    def check(self, client: str, game_id: str) -> None:
        """Refuse a client with too many failures.

        Raises:
            Denied: 429, with the seconds to wait in Retry-After.
        """
        with self._lock:
            times = self._recent(client, game_id)
            if len(times) < TRIES:
                return
            wait = max(1, math.ceil(times[0] + WINDOW - self._clock()))
        text = f"Too many wrong tokens. Try again in {wait} seconds."
        raise Denied(429, "too-many-failures", text, {"Retry-After": str(wait)})

    def count(self, client: str, game_id: str) -> None:
        """Count a wrong token."""
        with self._lock:
            self._times[client, game_id] = [*self._recent(client, game_id), self._clock()][-TRIES:]
            self._times.move_to_end((client, game_id))
            while len(self._times) > _MOST_KEPT:
                self._times.popitem(last=False)

    def _recent(self, client: str, game_id: str) -> list[float]:
        since = self._clock() - WINDOW
        return [at for at in self._times.get((client, game_id), ()) if at > since]


def admit(game: StoredGame, token: str | None, needed: Role, client: str, failures: Failures) -> Role:
    """Check the token of a request.

    Args:
        game: the requested game.
        token: as sent, if any.
        needed: "player" to change anything, "viewer" to watch; players may also watch.
        client: address of the client.
        failures: counter for all clients.

    Returns:
        The role the token grants.

    Raises:
        Denied: 401, 403 or 429.
    """
    role = role_of(game, token)
    if role is None:
        # Only who sends wrong ones waits: others behind the same address may have the right one.
        failures.check(client, game.id)
        if token is not None:
            failures.count(client, game.id)
        text = "This game needs a token. Open the link that its players gave you."
        raise Denied(401, "no-token" if token is None else "wrong-token", text, {"WWW-Authenticate": "Bearer"})
    if needed == "player" and role != "player":
        raise Denied(403, "viewer-only", "This link is for watching. To play, use the players' link.")
    return role


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
