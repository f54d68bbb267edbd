"""A seat at a game on a running server: what a camera needs of its HTTP API, with the player's link."""

from __future__ import annotations

import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Self
from urllib.parse import unquote, urlsplit

import httpx2

from api.files.data_folder import AUTHORITY, data_folder
from scorer.engine.record import Record, RecordError

_PATIENCE = httpx2.Timeout(60.0, connect=5.0)
"""Seconds: a photo is read before it is answered."""
_LATER = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE})
_PATH = re.compile(r"/(?:table|v1/games)/([A-Za-z0-9_-]{1,64})/?")


class NoSeat(Exception):  # noqa: N818 - it says what became of the attempt
    """The link leads to no game that may be played with it; the text says why, and the way out."""


class Gone(Exception):  # noqa: N818 - it says what became of the attempt
    """The server does not answer now: what was sent may have been kept, or not."""


class Behind(Exception):  # noqa: N818 - it says what became of the attempt
    """The game has gone on meanwhile: nothing was done."""


class Refused(Exception):  # noqa: N818 - it says what became of the attempt
    """What was sent is not allowed; the text says why."""


@dataclass(frozen=True, slots=True)
class Link:
    """The link that lets one play a game.

    Attributes:
        origin: of the server, like "http://localhost:8000".
        game: its id.
        token: the player's.
    """

    origin: str
    game: str
    token: str

    @classmethod
    def parse(cls, text: str, token: str | None = None) -> Self:
        """The link as the phone page gives it, with the token behind the #, or with the token told beside it.

        Raises:
            NoSeat: it is no such link.
        """
        parts = urlsplit(text.strip())
        found = _PATH.fullmatch(parts.path)
        token = token or unquote(parts.fragment)
        if parts.scheme not in ("http", "https") or not parts.netloc or not found or not token:
            raise NoSeat(
                "That is no link to a game: copy the link for players from the table's page, like "
                "http://localhost:8000/table/ID#TOKEN."
            )
        return cls(f"{parts.scheme}://{parts.netloc}", found[1], token)


class Seat:
    """Asks the server. Every method may raise `Gone`, `NoSeat` and, where it writes, `Behind` and `Refused`."""

    def __init__(self, link: Link) -> None:
        headers = {"authorization": f"Bearer {link.token}"}
        self._client = httpx2.Client(
            base_url=link.origin, headers=headers, timeout=_PATIENCE, verify=_trusted(), trust_env=False
        )
        self._path = f"/v1/games/{link.game}"

    def record(self) -> Record:
        """The record as it is now, checked from its first line."""
        try:
            return Record.load(self._asked("GET", "/record").text)
        except RecordError as error:
            raise NoSeat(f"The server's record cannot be used: {error.message}") from error

    def show(self, lines: int, photo: bytes) -> dict[str, Any]:
        """A photo of the table, shown to the referee.

        Args:
            lines: how many of the record are known.
            photo: JPEG.

        Returns:
            The server's answer: "reading", "ruling" and "snapshot".
        """
        files = {"photo": ("camera.jpg", photo, "image/jpeg")}
        told: dict[str, Any] = self._asked("POST", "/photos", files=files, data={"lines": str(lines)}).json()
        return told

    def play(self, lines: int, move: str, beside: Mapping[str, Any]) -> None:
        """A choice that nobody said: the camera tells it by what it saw next.

        Args:
            lines: how many of the record are known.
            move: as text.
            beside: what the record is to say of it (`api.film.game_tracker.beside`).
        """
        self._asked("POST", "/moves", json={"lines": lines, "move": move, **beside})

    def close(self) -> None:
        """Let go of the server."""
        self._client.close()

    def _asked(self, method: str, path: str, **more: Any) -> httpx2.Response:
        try:
            response = self._client.request(method, f"{self._path}{path}", **more)
        except httpx2.TransportError as error:
            raise Gone(str(error)) from error
        if response.is_success:
            return response
        raise _trouble(response)


def _trouble(response: httpx2.Response) -> Exception:
    if response.status_code in _LATER:
        return Gone(_message(response))
    if response.status_code == HTTPStatus.CONFLICT:
        return Behind(_message(response))
    if response.status_code in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND):
        return NoSeat(_message(response))
    return Refused(_message(response))


def _message(response: httpx2.Response) -> str:
    try:
        return str(response.json()["detail"])
    except (ValueError, KeyError, TypeError):
        return f"The server answers {response.status_code}."


def _trusted() -> ssl.SSLContext:
    """The authorities of this computer, and the one that `muggins serve` has made for itself here, if it has."""
    context = ssl.create_default_context()
    own = data_folder() / AUTHORITY
    if own.is_file():
        context.load_verify_locations(own)
    return context
