"""PNG (ISO 15948): chunks with length, name and checksum."""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

from api.evidence.place.bounds import bounded
from api.evidence.place.exif import block_of, orientation

_START = b"\x89PNG\r\n\x1a\n"
_STANDARD = frozenset(
    b"IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP bKGD hIST pHYs sPLT acTL fcTL fdAT".split()
)
"""Chunks of the picture; any other may contain metadata."""


def is_one(data: bytes) -> bool:
    """Whether the bytes begin as a PNG."""
    return data.startswith(_START)


def bare(data: bytes) -> bytes:
    """The picture without metadata."""
    chunks = list(bounded(_chunks(data)))
    blocks = [whole[8:-4] for name, whole in chunks if name == b"eXIf"]
    block = block_of(orientation(blocks[0])) if blocks else b""
    kept = [whole for name, whole in chunks if name in _STANDARD]
    return b"".join([_START, *kept[:1], _exif_chunk(block), *kept[1:]])


def _exif_chunk(block: bytes) -> bytes:
    body = b"eXIf" + block
    return len(block).to_bytes(4, "big") + body + crc32(body).to_bytes(4, "big") if block else b""


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Name and bytes of each chunk; the last may be truncated."""
    at, name = len(_START), b""
    while at < len(data) and name != b"IEND":
        name = data[at + 4 : at + 8]
        end = at + 12 + int.from_bytes(data[at : at + 4], "big")
        yield name, data[at:end]
        at = end
