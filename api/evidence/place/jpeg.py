"""JPEG (ITU T.81, annex B): segments, scans, and the end marker, after which phones append pictures and films."""

from __future__ import annotations

import re
from collections.abc import Iterator

from api.evidence.place.bounds import bounded
from api.evidence.place.exif import block_of, orientation

_START = b"\xff\xd8"
_SCAN, _END, _COMMENT = 0xDA, 0xD9, 0xFE
_EXIF = b"Exif\0\0"
_KEPT = {0xE0: b"JFIF\0", 0xE2: b"ICC_PROFILE\0", 0xEE: b"Adobe"}
"""Prefixes of application segments needed to show the picture; the others are metadata."""
_NEXT_MARKER = re.compile(rb"\xff([^\x00\xff\xd0-\xd7])")
"""In a scan: what is neither a stuffed byte nor a restart. In a run of 0xFF only the last byte starts a marker; a pattern
that matched the whole run would scan it again from each of its bytes.
"""
_FILL = re.compile(rb"\xff*")


def is_one(data: bytes) -> bool:
    """Whether the bytes begin as a JPEG."""
    return data.startswith(b"\xff\xd8\xff")


def bare(data: bytes) -> bytes:
    """The picture without metadata."""
    segments = list(bounded(_segments(data)))
    blocks = [payload[len(_EXIF) :] for marker, payload, _ in segments if marker == 0xE1 and payload[:6] == _EXIF]
    block = block_of(orientation(blocks[0])) if blocks else b""
    kept = [whole for marker, payload, whole in segments if _is_kept(marker, payload)]
    return b"".join([_START, _exif_segment(block), *kept])


def _exif_segment(block: bytes) -> bytes:
    payload = _EXIF + block
    return b"\xff\xe1" + (len(payload) + 2).to_bytes(2, "big") + payload if block else b""


def _is_kept(marker: int, payload: bytes) -> bool:
    if 0xE0 <= marker <= 0xEF:
        return marker in _KEPT and payload.startswith(_KEPT[marker])
    return marker != _COMMENT


def _segments(data: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """Marker, payload and all bytes of each segment, a scan with its coded data, up to the end marker or the end of the data."""
    at = len(_START)
    while at < len(data):
        if data[at] != 0xFF:
            raise ValueError("no marker where one must be")
        at = _last_of_fill(data, at)
        marker = data[at + 1]
        if marker == _END:
            yield marker, b"", data[at : at + 2]
            return
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        if marker == 0x00 or end < at + 4 or end > len(data):
            raise ValueError("an invalid segment")
        stop = _after_scan(data, end) if marker == _SCAN else end
        yield marker, data[at + 4 : end], data[at:stop]
        at = stop


def _last_of_fill(data: bytes, at: int) -> int:
    """The position of the last 0xFF in a run of fill bytes before a marker."""
    fill = _FILL.match(data, at)
    return fill.end() - 1 if fill else at


def _after_scan(data: bytes, start: int) -> int:
    found = _NEXT_MARKER.search(data, start)
    return found.start(1) - 1 if found else len(data)
