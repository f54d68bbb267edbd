"""Short codes that invite to a game, for phones that cannot scan: shown on one phone, typed on another.

A code is valid for some minutes and for any number of phones, at every server of the database: their clocks have to agree
within seconds. There are 31^6 codes (887 million), and a client has `access.TRIES` wrong ones a minute: a thousand clients that
guess for the whole lifetime of a code find it with a chance of 1 to 5,900.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from api.http.games.access import Denied, Failures
from api.store import Conflict
from api.store.codes import GameCodes, StoredCode

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without 0, O, 1, I and L, which people mistake for each other."""
LENGTH = 6
SECONDS = 900
"""Lifetime of a code in seconds."""
_SOON = 300
"""Seconds before a code expires from which a new one is made."""
_MAY_BE = re.compile(f"[{ALPHABET}]{{{LENGTH}}}")
_CODES = "codes"
"""Used in place of a game's id when wrong codes are counted."""


@dataclass(frozen=True, slots=True)
class Code(StoredCode):
    """A code as phones show it."""

    @property
    def shown(self) -> str:
        """In two groups: "K7Q-2MX"."""
        half = LENGTH // 2
        return f"{self.letters[:half]}-{self.letters[half:]}"


class Codes:
    """The codes of all games. Thread-safe."""

    def __init__(self, codes: GameCodes, failures: Failures, clock: Callable[[], float] = time.time) -> None:
        self._codes, self._failures, self._clock = codes, failures, clock

    def of(self, game_id: str) -> tuple[Code, int]:
        """The code of a game and its remaining lifetime in seconds; a new one if there is none or it expires soon.

        Raises:
            StoreError: "database-trouble".
        """
        now = self._clock()
        while True:
            try:
                found = self._codes.of(game_id, now, now + _SOON, lambda: _made(game_id, now + SECONDS))
            except Conflict:
                continue  # another game has these letters
            return Code(found.letters, found.game_id, found.until), int(found.until - now)

    def game(self, typed: str, client: str) -> str:
        """The id of the game that a typed code invites to; spaces, hyphens and case do not matter.

        Raises:
            Denied: 422 not a code, 404 unknown or expired, 429 after too many wrong ones of this client.
            StoreError: "database-trouble".
        """
        letters = re.sub(r"[\s-]", "", typed).upper()
        if not letters:
            raise Denied(422, "empty-code", "The code is missing. A player's phone shows it under “Share”.")
        # Before the code is looked up: without a wait, six letters could be guessed.
        self._failures.check(client, _CODES)
        code = self._codes.find(letters) if _MAY_BE.fullmatch(letters) else None
        if code is not None and code.until > self._clock():
            return code.game_id
        self._failures.count(client, _CODES)
        raise Denied(404, "no-code", "This code is wrong or too old. Ask for the code that the other phone shows now.")

    def forget(self, game_id: str) -> None:
        """Delete the codes of a game: its invitations are revoked.

        Raises:
            StoreError: "database-trouble".
        """
        self._codes.forget(game_id)


def _made(game_id: str, until: float) -> StoredCode:
    return StoredCode("".join(secrets.choice(ALPHABET) for _ in range(LENGTH)), game_id, until)
