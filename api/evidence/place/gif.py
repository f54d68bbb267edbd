"""GIF (version 89a): removes comments and unknown application blocks."""

from __future__ import annotations

from collections.abc import Iterator

from api.evidence.place.bounds import MOST_SUB_BLOCKS, bounded

_EXTENSION, _IMAGE, _END = 0x21, 0x2C, 0x3B
_CONTROL, _APPLICATION = 0xF9, 0xFF
_LOOPS = (b"NETSCAPE2.0", b"ANIMEXTS1.0")


def is_one(data: bytes) -> bool:
    """Whether the bytes begin as a GIF."""
    return data[:6] in (b"GIF87a", b"GIF89a")


def bare(data: bytes) -> bytes:
    """The pictures without metadata."""
    start = 13 + _colours(data[10])
    return data[:start] + b"".join(block for block in bounded(_blocks(data, start)) if _is_kept(block))


def _is_kept(block: bytes) -> bool:
    if block[0] != _EXTENSION:
        return True
    return block[1] == _CONTROL or (block[1] == _APPLICATION and block[3:14] in _LOOPS)


def _colours(packed: int) -> int:
    """Size in bytes of the colour table of a descriptor."""
    return 3 * 2 ** ((packed & 7) + 1) if packed & 0x80 else 0


def _blocks(data: bytes, at: int) -> Iterator[bytes]:
    left = MOST_SUB_BLOCKS
    while at < len(data):
        kind = data[at]
        if kind == _END:
            yield data[at : at + 1]
            return
        if kind not in (_EXTENSION, _IMAGE):
            raise ValueError("a block of no kind")
        start = at + 2 if kind == _EXTENSION else at + 11 + _colours(data[at + 9])
        end, left = _after_parts(data, start, left)
        yield data[at:end]
        at = end


def _after_parts(data: bytes, at: int, left: int) -> tuple[int, int]:
    """The end of a chain of sub-blocks (a truncated one ends with the data), and how many more there may be."""
    while at < len(data) and data[at]:
        at, left = at + 1 + data[at], left - 1
        if left < 0:
            raise ValueError("more parts than any photo has")
    return min(at + 1, len(data)), left
