"""Short codes that invite to a game, for phones that cannot scan: shown on one phone, typed on another.

A code is good for some minutes and for any number of phones. It is kept in this process alone: after a restart the phone that
shows one asks for another. There are 31^6 codes (887 million), and a client has `access.TRIES` wrong ones a minute: a thousand
clients that guess for the whole time of a code find it with a chance of 1 to 5,900.
"""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from api.http.games.access import Denied, Failures

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without 0, O, 1, I and L, which people mistake for each other."""
LENGTH = 6
SECONDS = 900
"""For which a code is good."""
_SOON = 300
"""Seconds before its end from which another is made."""
_CODES = "codes"
"""In place of a game's id when wrong codes are counted."""


@dataclass(frozen=True, slots=True)
class Code:
    """A code, the game it invites to, and until when (seconds of a monotonic clock)."""

    letters: str
    game_id: str
    until: float

    @property
    def shown(self) -> str:
        """In two groups: "K7Q-2MX"."""
        half = LENGTH // 2
        return f"{self.letters[:half]}-{self.letters[half:]}"


class Codes:
    """The codes of all games. Thread-safe."""

    def __init__(self, failures: Failures, clock: Callable[[], float] = time.monotonic) -> None:
        self._failures, self._clock = failures, clock
        self._known: dict[str, Code] = {}
        self._lock = threading.Lock()

    def of(self, game_id: str) -> tuple[Code, int]:
        """The code of a game, made if there is none or if it ends soon, and for how many seconds it is good."""
        with self._lock:
            now = self._clock()
            self._known = {letters: code for letters, code in self._known.items() if code.until > now}
            found = [code for code in self._known.values() if code.game_id == game_id and code.until > now + _SOON]
            code = found[-1] if found else self._made(game_id, now + SECONDS)
            return code, int(code.until - now)

    def _made(self, game_id: str, until: float) -> Code:
        while (letters := "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))) in self._known:
            continue
        self._known[letters] = Code(letters, game_id, until)
        return self._known[letters]

    def game(self, typed: str, client: str) -> str:
        """The id of the game that a typed code invites to, whatever its spaces, hyphens and small letters.

        Raises:
            Denied: 404 unknown or no longer good, 429 after too many wrong ones of this client.
        """
        letters = re.sub(r"[\s-]", "", typed).upper()
        with self._lock:
            code = self._known.get(letters)
        if code is not None and code.until > self._clock():
            return code.game_id
        self._failures.check(client, _CODES)
        self._failures.count(client, _CODES)
        raise Denied(404, "no-code", "This code is wrong or too old. Ask for the code that the other phone shows now.")

    def forget(self, game_id: str) -> None:
        """Make the codes of a game worthless: its invitations are revoked."""
        with self._lock:
            self._known = {letters: code for letters, code in self._known.items() if code.game_id != game_id}
