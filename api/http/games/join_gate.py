"""Who may begin games on this server: whoever has its join token.

Not whoever comes from this computer: behind a proxy with its default settings that is everybody. Who sits at the server
opens the link that it prints, which has the token too.

The token comes in the fragment of a link (`/#join=…`), which no browser sends; the page sends it back in a header with the
one request that needs it. So it is in no address that a server or proxy would log.
"""

from __future__ import annotations

import hmac
import secrets
from typing import Annotated

from fastapi import Header, Request

from api.http.games.access import Denied, Failures, digest

FRAGMENT = "join"
_THIS_SERVER = ""
"""Stands where wrong tokens of games are counted by the game."""

JoinToken = Annotated[
    str | None,
    Header(
        alias="X-Muggins-Join",
        max_length=200,
        description="The server's join token, as in the link that it shows.",
    ),
]


def new_token() -> str:
    """A random one, 128 bits: short enough for a small QR code."""
    return secrets.token_urlsafe(16)


class Gate:
    """Knows the join token, as a digest only."""

    def __init__(self, token: str, failures: Failures | None = None) -> None:
        self._digest = digest(token)
        self._failures = failures or Failures()

    def admit(self, client: str, token: str | None) -> None:
        """Let somebody begin a game. The right token is right whoever else at that address sends wrong ones.

        Args:
            client: the address that asks.
            token: as it came, if any did.

        Raises:
            Denied: 403 without the token, 429 after too many wrong ones.
        """
        if token is None:
            raise Denied(403, "no-join-token", f"To begin a game here {_HOW}")
        if not hmac.compare_digest(digest(token), self._digest):
            self._failures.check(client, _THIS_SERVER)
            self._failures.count(client, _THIS_SERVER)
            raise Denied(403, "wrong-join-token", f"That link is not this server's, or of an earlier start: {_HOW}")


_HOW = "scan the code that the server shows on its screen, or open the link that it prints there."


def may_begin(request: Request, token: JoinToken = None) -> None:
    """Before a game is begun: asks the server's gate, where it has one.

    Raises:
        Denied: see `Gate.admit`.
    """
    gate: Gate | None = getattr(request.app.state, "gate", None)
    if gate is not None:
        gate.admit(request.client.host if request.client else "", token)
