"""HEIC (ISO 23008-12 on ISO 14496-12): pictures and metadata are items, located by file offset.

Removing bytes would shift all others, so metadata items are overwritten with zeros in place. Rotation is a property of the
picture, not EXIF. Boxes after the pictures, such as a film, are zeroed too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from api.evidence.place.bounds import bounded

_PICTURE = (b"ftyp", b"meta", b"mdat", b"free", b"skip")
"""Top-level boxes of the pictures; all others are zeroed."""
_DESCRIPTION = (b"hdlr", b"pitm", b"iinf", b"iloc", b"iprp", b"iref", b"idat", b"dinf", b"grpl", b"free", b"skip")
"""Boxes in meta that locate and describe the pictures."""
_ABOUT = (b"Exif", b"mime", b"uri ")
"""Types of metadata items: EXIF, XMP, and vendor data."""


class _Box(NamedTuple):
    name: bytes
    start: int
    """Offset of its contents."""
    end: int


def is_one(data: bytes) -> bool:
    """Whether the bytes begin as a HEIC."""
    return re.match(rb".{4}ftyp(?:hei[cxms]|hev[cxms]|m[is]f1)", data, re.DOTALL) is not None


def bare(data: bytes) -> bytes:
    """The pictures without metadata."""
    empty = bytearray(data)
    for start, end in _merged(bounded(_about(data))):
        empty[start:end] = bytes(end - start)
    return bytes(empty)


def _merged(ranges: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The ranges with overlaps merged, so that no byte is zeroed more than once."""
    last = 0
    for start, end in sorted(ranges):
        if end > last:
            yield max(start, last), end
            last = end


def _about(data: bytes) -> Iterator[tuple[int, int]]:
    for box in bounded(_boxes(data, 0, len(data))):
        if box.name == b"meta":
            yield from _items(data, box)
        elif box.name not in _PICTURE:
            yield box.start, box.end


def _items(data: bytes, meta: _Box) -> Iterator[tuple[int, int]]:
    inside = {box.name: box for box in bounded(_boxes(data, meta.start + 4, meta.end))}
    yield from ((box.start, box.end) for name, box in inside.items() if name not in _DESCRIPTION)
    if b"iinf" not in inside or b"iloc" not in inside:
        return
    about = {number for number, kind in _kinds(data, inside[b"iinf"]) if kind in _ABOUT}
    base = inside[b"idat"].start if b"idat" in inside else 0
    for number, within, start, length in bounded(_places(data, inside[b"iloc"])):
        if number in about:
            first = start + (base if within == 1 else 0)
            if within > 1 or first + length > len(data):
                raise ValueError("an item outside the file")
            yield first, first + length


def _boxes(data: bytes, at: int, end: int) -> Iterator[_Box]:
    while at + 8 <= end:
        size, header = int.from_bytes(data[at : at + 4], "big"), 8
        if size == 1:
            size, header = int.from_bytes(data[at + 8 : at + 16], "big"), 16
        stop = end if size == 0 else at + size
        if stop < at + header or stop > end:
            raise ValueError("an invalid box")
        yield _Box(data[at + 4 : at + 8], at + header, stop)
        at = stop


def _kinds(data: bytes, iinf: _Box) -> Iterator[tuple[int, bytes]]:
    """Number and type of every item (ISO 14496-12, 8.11.6)."""
    entries = iinf.start + (6 if data[iinf.start] == 0 else 8)
    for box in bounded(_boxes(data, entries, iinf.end)):
        wide = data[box.start] == 3
        if box.name == b"infe" and data[box.start] in (2, 3):
            number = int.from_bytes(data[box.start + 4 : box.start + (8 if wide else 6)], "big")
            kind = box.start + (10 if wide else 8)
            yield number, data[kind : kind + 4]


class _Bytes:
    """Reads consecutive big-endian integers."""

    def __init__(self, data: bytes, at: int, end: int) -> None:
        self._data, self._at, self._end = data, at, end

    def number(self, size: int) -> int:
        """The next integer of `size` bytes; 0 for size 0."""
        at, self._at = self._at, self._at + size
        if self._at > self._end:
            raise ValueError("a table that ends too early")
        return int.from_bytes(self._data[at : self._at], "big")


def _places(data: bytes, iloc: _Box) -> Iterator[tuple[int, int, int, int]]:
    """Item, base of its offset (0: the file, 1: the box idat), start, length (ISO 14496-12, 8.11.3)."""
    version, read = data[iloc.start], _Bytes(data, iloc.start + 4, iloc.end)
    sizes = read.number(2)
    offset_size, length_size, base_size, index_size = (sizes >> shift & 15 for shift in (12, 8, 4, 0))
    wide = 4 if version == 2 else 2
    for _ in range(read.number(wide)):
        item = read.number(wide)
        within = read.number(2) & 15 if version else 0
        read.number(2)
        base = read.number(base_size)
        for _ in range(read.number(2)):
            read.number(index_size if version else 0)
            start, length = base + read.number(offset_size), read.number(length_size)
            yield item, within, start, length
