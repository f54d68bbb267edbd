"""WebP (RFC 9649): RIFF chunks, each padded to an even length."""

from __future__ import annotations

from collections.abc import Iterator

from api.evidence.place.bounds import bounded
from api.evidence.place.exif import block_of, orientation

_PICTURE = (b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ANIM", b"ANMF", b"ICCP")
_SAYS_EXIF, _SAYS_XMP = 0x08, 0x04
"""Flags in the first byte of VP8X."""


def is_one(data: bytes) -> bool:
    """Whether the bytes begin as a WebP."""
    return data[:4] == b"RIFF" and data[8:12] == b"WEBP"


def bare(data: bytes) -> bytes:
    """The picture without metadata."""
    chunks = list(bounded(_chunks(data)))
    blocks = [body.removeprefix(b"Exif\0\0") for name, body in chunks if name == b"EXIF"]
    block = block_of(orientation(blocks[0])) if blocks else b""
    kept = [(name, _flagged(name, body, bool(block))) for name, body in chunks if name in _PICTURE]
    body = b"WEBP" + b"".join(_chunk(*each) for each in [*kept, *([(b"EXIF", block)] if block else [])])
    return b"RIFF" + len(body).to_bytes(4, "little") + body


def _flagged(name: bytes, body: bytes, has_exif: bool) -> bytes:
    if name != b"VP8X":
        return body
    return bytes([body[0] & ~(_SAYS_EXIF | _SAYS_XMP) | (_SAYS_EXIF if has_exif else 0)]) + body[1:]


def _chunk(name: bytes, body: bytes) -> bytes:
    return name + len(body).to_bytes(4, "little") + body + b"\0" * (len(body) % 2)


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    end = min(len(data), 8 + int.from_bytes(data[4:8], "little"))
    if end < 8 + int.from_bytes(data[4:8], "little"):
        raise ValueError("the end is missing")
    at = 12
    while at + 8 <= end:
        size = int.from_bytes(data[at + 4 : at + 8], "little")
        if at + 8 + size > end:
            raise ValueError("an invalid chunk")
        yield data[at : at + 4], data[at + 8 : at + 8 + size]
        at += 8 + size + size % 2
