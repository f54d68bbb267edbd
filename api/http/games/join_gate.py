"""Who may start games on this server: everybody who has its join token.

Being on this computer is not enough: behind a proxy with default settings that is everybody. A person at the server opens
the link that it prints, which has the token, too.

The token is in the fragment of a link (`/#join=…`), which browsers do not send; the page sends it in a header with the one
request that needs it. So it never appears in a URL that a server or proxy could log.
"""

from __future__ import annotations

import hmac
import re
import secrets
from pathlib import Path
from typing import Annotated

from fastapi import Header, Request

from api.files import private_file
from api.http.games.access import Denied, Failures, digest

FRAGMENT = "join"
FILE = "join-token"
"""In the data folder."""
TOKEN = re.compile(r"[A-Za-z0-9_-]{8,100}")
"""Valid join tokens: no escaping needed in a link, and long enough not to be guessed."""
_THIS_SERVER = ""
"""Used in place of a game id when counting wrong join tokens."""

JoinToken = Annotated[
    str | None,
    Header(
        alias="X-Muggins-Join",
        max_length=200,
        description="The server's join token, as in the link that it shows.",
    ),
]


def new_token() -> str:
    """A random token of 128 bits, short enough for a small QR code."""
    return secrets.token_urlsafe(16)


def kept_token(folder: Path) -> str:
    """The token in a data folder, created on the first start, so that phones keep their permission after a restart.

    If its file is missing or others could read it, a new token is created.

    Raises:
        OSError: the folder cannot be read or written.
    """
    file = folder / FILE
    if file.exists() and not private_file.others_may_read(file) and (kept := _read(file)):
        return kept
    private_file.replace(file, new_token().encode())
    return _read(file)


def _read(file: Path) -> str:
    """The token in a file; empty if it holds none."""
    text = file.read_bytes().decode("ascii", "replace").strip()
    return text if TOKEN.fullmatch(text) else ""


class Gate:
    """Checks the join token, known only as a digest."""

    def __init__(self, token: str) -> None:
        self._digest = digest(token)

    def admit(self, client: str, token: str | None, to: str, failures: Failures) -> None:
        """Check a client's join token. The right one is accepted even where others at that address send wrong ones.

        Args:
            client: address of the client.
            token: as sent, if any.
            to: what it is needed for.
            failures: counter for all clients.

        Raises:
            Denied: 403 without the token, 429 after too many wrong ones.
        """
        if not token:
            raise Denied(403, "no-join-token", f"To {to}, {_HOW}")
        if not hmac.compare_digest(digest(token), self._digest):
            failures.check(client, _THIS_SERVER)
            failures.count(client, _THIS_SERVER)
            raise Denied(
                403, "wrong-join-token", f"This link belongs to another server, or was replaced. To {to}, {_HOW}"
            )


_HOW = "scan the code that the server shows on its screen, or open the link that it prints there."


def may_begin(request: Request, token: JoinToken = None) -> None:
    """Dependency of the route that starts games: asks the server's gate, if any.

    Raises:
        Denied: see `Gate.admit`.
    """
    _admit(request, token, "start a game here")


def may_list(request: Request, token: JoinToken = None) -> None:
    """Dependency of the routes that list the games of this server and their players.

    Raises:
        Denied: see `Gate.admit`.
    """
    _admit(request, token, "see the games of this server")


def _admit(request: Request, token: str | None, to: str) -> None:
    gate: Gate | None = getattr(request.app.state, "gate", None)
    if gate is not None:
        client = request.client.host if request.client else ""
        gate.admit(client, token, to, request.app.state.live.failures)
