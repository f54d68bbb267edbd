"""Who made a move, according to its line of the record: the phone with its seats, or the camera.

    {"device": "3f2a91c0", "seats": [0]}                the phone of player 0
    {"device": "3f2a91c0", "seats": [0], "for": 1}      the same phone, moving for player 1
    {"camera": "90ab12cd", "name": "webcam"}            a camera with a token of its own

The server writes it; a request cannot. A move of a hidden hand also has a random "salt": everybody sees the hash of the
line, and could otherwise try all hands until one fits.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from api.store import StoredToken
from scorer.engine.record import Record

_SALT = "salt"
_SALT_BYTES = 16


def maker(record: Record, token: StoredToken, *, hides: bool) -> dict[str, Any]:
    """The note about who makes the next move.

    Args:
        record: before the move.
        token: of the phone or camera.
        hides: whether hands are hidden in this game.
    """
    salt = {_SALT: secrets.token_hex(_SALT_BYTES)} if hides else {}
    if token.role == "camera":
        return {"camera": token.id, "name": token.name, **salt}
    every = range(len(record.header.players))
    seats = list(every if token.seats is None else token.seats)
    seat = record.state.to_act
    for_other = {"for": seat} if seat is not None and seat not in seats else {}
    return {"device": token.id, "seats": seats, **for_other, **salt}


def shown(by: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The note as everybody may see it; None if there is none."""
    if by is None:
        return None
    return {name: by.get(name) for name in ("device", "camera", "name", "seats", "for")}
