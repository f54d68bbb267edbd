"""Whether the pieces of a profile are what people corrected according to the game's record, as shown in its photos."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import cv2
import numpy as np

from api.evidence.stored_readings import noted_corrections
from api.evidence.throws import Line
from api.interpret.corrections import REFUSED
from api.interpret.lessons import said_of
from vision.levels import levelled
from vision.photo import Photo
from vision.reader import TableReader
from vision.taught.labelling import Said, taught_from
from vision.taught.pieces import InvalidProfile, TaughtPiece

_MOST = 200
"""The most corrections of one reading that are checked."""
_NEAR = 0.2
"""Tolerance in pixels between the places of a piece, which are written to a tenth."""
_OUTLINE = 1.0
"""Tolerance in pixels between the outlines of a piece in two pictures,"""
_ALIKE = 8.0
"""and between the pictures' pixels (0 to 255), on average: versions of the codecs differ by less."""


def lessons(lines: Iterable[Line]) -> list[Said]:
    """What people said of pieces, according to the corrections in these lines of one photo, after each of them."""
    found: dict[Said, None] = {}
    for line in lines:
        made = noted_corrections(line)[:_MOST]
        for count in range(1, len(made) + 1):
            assert line.reading is not None, "the line has a photo"
            try:
                found |= dict.fromkeys(said_of(line.reading, made[:count]))
            except REFUSED:
                break
    return list(found)


def says(said: Said, piece: TaughtPiece) -> bool:
    """Whether this was said of this piece."""
    near = all(abs(one - other) <= _NEAR for one, other in zip(said.at, piece.at, strict=True))
    return near and said.kind == piece.kind and sorted(said.shows) == sorted(piece.shows)


def as_shown(
    pieces: Iterable[TaughtPiece], said: Sequence[Said], photo: Photo, reader: TableReader | None
) -> list[TaughtPiece]:
    """Those of the pieces that are cut from the photo as a server cuts what was said of it.

    Args:
        pieces: of the photo.
        said: of the photo, in the record.
        photo: itself.
        reader: finds pieces that were only pointed at; None: there are none of them.
    """
    # Earlier versions cut pieces from faint photos without adjusting the contrast.
    ways = dict.fromkeys((levelled(photo), photo))
    found = []
    for piece in pieces:
        own = [replace(each, symbol=piece.symbol) for each in said if says(each, piece) and (each.box or reader)]
        if any(_alike(piece, other) for way in ways for other in _cut(way, own, reader)):
            found.append(piece)
    return found


def _cut(photo: Photo, said: Sequence[Said], reader: TableReader | None) -> list[TaughtPiece]:
    candidates = reader.candidates(photo) if reader and any(each.box is None for each in said) else []
    try:
        return taught_from(photo, candidates, said, reader.faces if reader else None)
    except (ValueError, cv2.error):  # of an outline that no piece has
        return []


def _alike(one: TaughtPiece, other: TaughtPiece) -> bool:
    outlines = np.abs(np.subtract(one.box, other.box)).max()
    if (one.shows, one.either) != (other.shows, other.either) or outlines > _OUTLINE:
        return False
    try:
        first, second = one.pixels(), other.pixels()
    except InvalidProfile:
        return False
    return first.shape == second.shape and float(cv2.absdiff(first, second).mean()) <= _ALIKE
