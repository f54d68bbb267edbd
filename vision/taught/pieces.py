"""A taught piece: a small picture of it with its outline, and what it shows.

The picture is cut with a margin for rotation, so that other views can be made from it, and features for other networks.
"""

from __future__ import annotations

import base64
import binascii
import functools
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import cv2
import numpy as np

from vision.classify import crop_network, tiles
from vision.detect.boxes import Detection, Outline, Shape
from vision.photo import GREY, Pixels
from vision.reading import DieKind

TaughtKind = Literal["d6", "d12", "domino", "other"]
"""The kinds that can be taught; "other": no piece, or a die that does not count."""
_DIE_SIDE, _DIE_REACH = 160, 2.0
"""Side of a die's picture in pixels, and over the longer side of the box: the scale at which the network sees the die."""
_TILE_WIDE, _TILE_ROOM = 64, 24
"""Pixels of a tile's short side in its picture, and of the margin around it."""
_QUALITY = 90
LEAST_UNSEEN = 0.01
"""Least longer side of a piece over the photo's: nothing smaller is searched for."""
_MOST_PIXELS = 400
"""Longest side of a picture in a file."""
SIDES: dict[DieKind, int] = {"d6": 6, "d12": 12}
"""Number of sides of the dice that can be taught, by kind."""
ENDS = 7
"""Values of the ends of most sets of tiles, 0 to 6."""
_MOST_PIPS = 12
_SHA256 = re.compile("[0-9a-f]{64}")


class InvalidProfile(ValueError):  # noqa: N818 - named after what is wrong
    """A profile, or a piece of it, is invalid; the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class TaughtPiece:
    """A piece with its picture and what it shows.

    Attributes:
        kind: the piece's kind.
        shows: the value of a die, both ends of a tile, empty for "other".
        box: the outline in `jpeg`, with corners ordered as in `Detection.corners`.
        jpeg: the picture.
        photo: SHA-256 of its photo; empty if unknown.
        at: its centre in that photo, in pixels.
        symbol: what people call the face: "dragon"; empty if only by its value.
        unseen: the longer side over the photo's, if the detector had missed the piece; otherwise 0.
        either: for a tile, whether its ends may also be in the other order: nobody said which is which.
    """

    kind: TaughtKind
    shows: tuple[int, ...]
    box: tuple[tuple[float, float], ...]
    jpeg: bytes
    photo: str = ""
    at: tuple[float, float] = (0.0, 0.0)
    symbol: str = ""
    unseen: float = 0.0
    either: bool = False

    @property
    def shape(self) -> Shape:
        """The shape of its outline."""
        return "tile" if len(self.box) == 4 and self.kind == "domino" else "die"

    @property
    def detection(self) -> Detection:
        """The piece as a detection in its own picture."""
        outline = Outline.around(self.box)
        quad = outline.quad if self.shape == "tile" else None
        return Detection(outline.left, outline.top, outline.right, outline.bottom, 1.0, self.shape, quad)

    @property
    def said(self) -> str:
        """What it shows, as a person says it: "6", "dragon = 6", "3-5", "no piece"."""
        value = "-".join(map(str, self.shows)) or "no piece"
        return f"{self.symbol} = {value}" if self.symbol else value

    def pixels(self) -> Pixels:
        """The picture (h x w x 3).

        Raises:
            InvalidProfile: it cannot be decoded.
        """
        return _decoded(self.jpeg)

    def to_json(self) -> dict[str, Any]:
        """The label as in `datasets.labels`: kind, value or ends, box and quad; and the picture."""
        outline = self.detection
        # Rounded like the quad: a profile that is read from a file must give the same bytes, and so the same hash, again.
        box = [round(n, 2) for n in (outline.left, outline.top, outline.right, outline.bottom)]
        label: dict[str, Any] = {"kind": self.kind, "box": box}
        if self.kind == "domino":
            label |= {"ends": list(self.shows), "face_up": True}
        else:
            label["value"] = self.shows[0] if self.shows else None
        label["quad"] = [[round(x, 2), round(y, 2)] for x, y in self.box]
        more: dict[str, Any] = {"photo": self.photo, "at": [round(n, 1) for n in self.at], "symbol": self.symbol}
        if self.unseen:
            more["unseen"] = self.unseen
        if self.either:
            more["either"] = True
        return {**label, **more, "picture": base64.b64encode(self.jpeg).decode()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TaughtPiece:
        """The piece that `to_json` wrote.

        Raises:
            InvalidProfile: the data is not from `to_json`.
        """
        try:
            kind = data["kind"]
            shows = tuple(data["ends"]) if kind == "domino" else () if data["value"] is None else (data["value"],)
            box = tuple((float(x), float(y)) for x, y in data["quad"])
            x, y = data["at"]
            jpeg = base64.b64decode(data["picture"], validate=True)
            photo, symbol, unseen = str(data["photo"]), str(data["symbol"])[:40], float(data.get("unseen", 0))
            either = data.get("either") is True
            piece = cls(kind, shows, box, jpeg, photo, (float(x), float(y)), symbol, unseen, either)
        except (KeyError, TypeError, ValueError, OverflowError, binascii.Error) as error:
            raise InvalidProfile("A piece of this profile is damaged. Teach it again.") from error
        if not all(map(math.isfinite, piece.at)) or (photo and not _SHA256.fullmatch(photo)):
            raise InvalidProfile("A piece of this profile is on no photo. Teach it again.")
        if len(box) != 4 or not all(math.isfinite(n) for point in box for n in point):
            raise InvalidProfile("A piece of this profile has no outline. Teach it again.")
        if not _is_outline(box):
            raise InvalidProfile("The outline of a piece of this profile is not one in its picture. Teach it again.")
        if unseen and not LEAST_UNSEEN <= unseen <= 1:
            raise InvalidProfile("A piece of this profile has an impossible size. Teach it again.")
        check_shown(kind, shows)
        return piece


def _is_outline(box: tuple[tuple[float, float], ...]) -> bool:
    """Whether these corners form a convex outline in a picture."""
    if not all(0 <= n <= _MOST_PIXELS for point in box for n in point):
        return False
    turns = [
        (x - before[0]) * (after[1] - y) - (y - before[1]) * (after[0] - x)
        for before, (x, y), after in zip((box[-1], *box[:-1]), box, (*box[1:], box[0]), strict=True)
    ]
    # Each is twice the signed area of the triangle at a corner; a crossing or a concave corner has the other sign.
    return min(map(abs, turns)) >= 1 and len({turn > 0 for turn in turns}) == 1


def check_shown(kind: str, shows: tuple[int, ...]) -> None:
    """Check that a piece of that kind can show these values.

    Raises:
        InvalidProfile: it cannot.
    """
    if kind == "other":
        possible = not shows
    elif not shows:
        raise InvalidProfile(f"Say what the piece of kind {kind!r} shows.")
    elif kind == "domino":
        possible = len(shows) == 2 and all(_whole(n) and 0 <= n <= _MOST_PIPS for n in shows)
    else:
        possible = len(shows) == 1 and all(_whole(n) and 1 <= n <= _sides(kind) for n in shows)
    if not possible:
        raise InvalidProfile(f"A piece of kind {kind!r} cannot show {'-'.join(map(str, shows))}.")


def _sides(kind: str) -> int:
    return next((sides for known, sides in SIDES.items() if known == kind), 0)


def _whole(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)


def cut(picture: Pixels, detection: Detection) -> tuple[bytes, tuple[tuple[float, float], ...]]:
    """The picture of a piece to store, as a JPEG, and its outline in it.

    Args:
        picture: the picture with the most pixels of the piece.
        detection: the piece in `picture`.
    """
    pixels, box = _tile_cut(picture, detection) if detection.shape == "tile" else _die_cut(picture, detection)
    coded, data = cv2.imencode(".jpg", pixels[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    assert coded
    return data.tobytes(), box


def _die_cut(picture: Pixels, detection: Detection) -> tuple[Pixels, tuple[tuple[float, float], ...]]:
    longer = max(detection.width, detection.height, 1.0)
    small, box = crop_network.cut_smaller(picture, detection, _DIE_REACH * longer, _DIE_SIDE)
    pixels = crop_network.crop(small, box, (1.0, 0.0), _DIE_SIDE, _DIE_REACH)
    half_x, half_y = (
        round(side / longer * _DIE_SIDE / _DIE_REACH / 2, 2) for side in (detection.width, detection.height)
    )
    low, high = (_DIE_SIDE / 2 - half_x, _DIE_SIDE / 2 - half_y), (_DIE_SIDE / 2 + half_x, _DIE_SIDE / 2 + half_y)
    return pixels, (low, (high[0], low[1]), high, (low[0], high[1]))


def _tile_cut(picture: Pixels, detection: Detection) -> tuple[Pixels, tuple[tuple[float, float], ...]]:
    small, tile = crop_network.cut_smaller(picture, detection, tiles.reach_of(detection), tiles.SIDE)
    left, top = float(_TILE_ROOM), float(_TILE_ROOM)
    right, bottom = left + 2 * _TILE_WIDE, top + _TILE_WIDE
    target = ((left, top), (right, top), (right, bottom), (left, bottom))
    matrix = cv2.getPerspectiveTransform(np.array(tile.corners, np.float32), np.array(target, np.float32))
    size = (2 * _TILE_WIDE + 2 * _TILE_ROOM, _TILE_WIDE + 2 * _TILE_ROOM)
    return np.asarray(cv2.warpPerspective(small, matrix, size, borderValue=GREY), np.uint8), target


@functools.lru_cache(256)
def _decoded(jpeg: bytes) -> Pixels:
    from vision.photo import Limits, PhotoError, load

    try:
        return load(jpeg, limits=Limits(max_bytes=len(jpeg) + 1, max_pixels=_MOST_PIXELS**2)).pixels
    except PhotoError as error:
        raise InvalidProfile(f"A picture of this profile cannot be read. {error.message}") from error
