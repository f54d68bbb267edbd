"""HTTP client for one game on a running server, authorised by the player's link."""

from __future__ import annotations

import json
import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Self
from urllib.parse import unquote, urlsplit

import httpx2

from api.files.data_folder import AUTHORITY, data_folder

_PATIENCE = httpx2.Timeout(60.0, connect=5.0)
"""Timeout in seconds; the server reads a photo before it responds."""
_LATER = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS})
"""Statuses after which the same request may succeed, besides all from 500 on."""
_LATER_CODES = frozenset({"camera-busy"})
"""Codes of temporary conflicts."""
_STATUS = ("waiting", "said")
"""Fields of a camera's status that are needed."""
_PATH = re.compile(r"/(?:table|v1/games)/([A-Za-z0-9_-]{1,64})/?")

_NO_LINK = (
    "This is not a link to a game. Copy the players' link from the game's page, or make a camera link there under Share; "
    "both look like http://localhost:8000/table/ID#TOKEN."
)


class CannotJoin(Exception):  # noqa: N818 - named after what happened
    """The link does not allow playing a game; the message says why and what to do."""


class ServerGone(Exception):  # noqa: N818 - named after what happened
    """The server does not respond; the last request may or may not have been stored."""


class TryLater(ServerGone):
    """The server responds, but cannot handle the request now; the message is its own sentence."""


class Refused(Exception):  # noqa: N818 - named after what happened
    """The server refused the request; the message says why."""


@dataclass(frozen=True, slots=True)
class Link:
    """The link that allows playing a game.

    Attributes:
        origin: of the server, like "http://localhost:8000".
        game: its id.
        token: the player's.
    """

    origin: str
    game: str
    token: str

    @property
    def hint(self) -> str:
        """What to do if no server responds there."""
        if urlsplit(self.origin).port is None:
            return "The link has no port. Copy it whole: the port of muggins serve is 8000 unless you chose another."
        return "Start it with muggins serve."

    @classmethod
    def parse(cls, text: str, token: str | None = None) -> Self:
        """Parse the link from the phone page, with the token after the #, or given separately.

        Raises:
            CannotJoin: it is not such a link.
        """
        try:
            parts = urlsplit(text.strip())
        except ValueError as error:
            raise CannotJoin(_NO_LINK) from error
        found = _PATH.fullmatch(parts.path)
        token = token or unquote(parts.fragment)
        if parts.scheme not in ("http", "https") or not parts.netloc or not found or not token:
            raise CannotJoin(_NO_LINK)
        origin = f"{parts.scheme}://{parts.netloc}"
        if not _can_be_asked(origin):
            raise CannotJoin(
                f"{parts.netloc} is not the address of a server: it has a name or number, and a port from 1 to 65535. "
                "Copy the players' link whole from the game's page."
            )
        return cls(origin, found[1], token)


def _can_be_asked(origin: str) -> bool:
    """Whether requests can be sent there, judging by the spelling."""
    try:
        url = httpx2.URL(origin)
        url.raw_host.decode().encode("idna")  # as a socket would
        return bool(url.host) and urlsplit(origin).port != 0
    except (httpx2.InvalidURL, ValueError):
        return False


class GameClient:
    """Talks to the server.

    Every method may raise `ServerGone` and `CannotJoin`; `send` also `Refused`.
    """

    def __init__(self, link: Link) -> None:
        headers = {"authorization": f"Bearer {link.token}"}
        self._client = httpx2.Client(
            base_url=link.origin, headers=headers, timeout=_PATIENCE, verify=_trusted(), trust_env=False
        )
        self._path = f"/v1/games/{link.game}"

    def sit(self) -> None:
        """With an invitation: join for the whole table. Moves are then recorded as claimed; with a camera link, as "watched"."""
        if self._asked("GET", "/token", "role")["role"] == "invite":
            token = self._asked("POST", "/join", "token", json={"seats": None})["token"]
            self._client.headers["authorization"] = f"Bearer {token}"

    def game(self) -> str:
        """Name of the game that is played."""
        return str(self._asked("GET", "", "game")["game"])

    def send(self, source: str, roll: Mapping[str, Any], photo: bytes) -> dict[str, Any]:
        """Send a roll with its photo.

        Args:
            source: the camera; its numbers count up.
            roll: as `api.http.cameras.schemas.SeenRoll`.
            photo: JPEG.

        Returns:
            As `status`.
        """
        files = {"photo": ("camera.jpg", photo, "image/jpeg")}
        form = {"camera": source, "roll": json.dumps(roll)}
        return self._asked("POST", "/camera/rolls", *_STATUS, files=files, data=form)

    def status(self) -> dict[str, Any]:
        """The waiting rolls, and what was done: `api.http.cameras.schemas.CameraStatus`."""
        return self._asked("GET", "/camera", *_STATUS)

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def _asked(self, method: str, path: str, *fields: str, **more: Any) -> dict[str, Any]:
        """The answer, an object with these fields."""
        try:
            response = self._client.request(method, f"{self._path}{path}", **more)
        except httpx2.TransportError as error:
            raise ServerGone(str(error)) from error
        if not response.is_success:
            raise _trouble(response, sends="files" in more)
        try:
            told: dict[str, Any] = response.json()
            return {**told, **{name: told[name] for name in fields}}
        except (ValueError, KeyError, TypeError) as error:
            raise ServerGone("Another program answers there, or a page to log in to the network.") from error


def _trouble(response: httpx2.Response, *, sends: bool) -> Exception:
    if response.is_redirect:
        where = response.headers.get("location", "another address")
        return CannotJoin(f"The server sends this link on to {where}. Copy the link anew from the game's page.")
    if response.is_server_error or response.status_code in _LATER or _told(response, "code") in _LATER_CODES:
        return TryLater(_message(response))
    if response.status_code in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND):
        return CannotJoin(_message(response))
    return Refused(_message(response)) if sends else CannotJoin(_message(response))


def _message(response: httpx2.Response) -> str:
    return _told(response, "detail") or f"The server answers {response.status_code}."


def _told(response: httpx2.Response, what: str) -> str:
    """This field of the server's problem details; empty if there is none, as from a proxy."""
    try:
        return str(response.json()[what])
    except (ValueError, KeyError, TypeError):
        return ""


def _trusted() -> ssl.SSLContext:
    """The system's certificate authorities, plus the one `muggins serve --https` created here, if any."""
    context = ssl.create_default_context()
    own = data_folder() / AUTHORITY
    if own.is_file():
        context.load_verify_locations(own)
    return context
