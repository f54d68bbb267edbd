"""Uploads that nobody should send: cut short, damaged, bombs, two things at once, other things, too large."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from functools import cache
from random import Random

from PIL import Image

PLACE = "Somewhere street 5"
"""Where the photos with a place were taken."""
_GPS, _DESCRIPTION = 0x8825, 0x010E


def hostile(name: str, random: Random) -> bytes:
    """One upload of that kind."""
    return KINDS[name](random)


@cache
def photo(kind: str = "JPEG", side: int = 640, **options: object) -> bytes:
    """A good one."""
    data = io.BytesIO()
    Image.open("docs/sample-throw.jpg").resize((side, side * 3 // 4)).save(data, kind, **options)
    return data.getvalue()


def placed() -> bytes:
    """A good photo that tells where it was taken."""
    exif, data = Image.Exif(), io.BytesIO()
    exif[_DESCRIPTION] = PLACE
    exif.get_ifd(_GPS)[2] = (47.0, 22.0, 11.0)
    Image.open("docs/sample-throw.jpg").resize((640, 480)).save(data, "JPEG", exif=exif)
    return data.getvalue()


def _cut(data: bytes, random: Random) -> bytes:
    return data[: random.randint(1, len(data) - 100)]


def _damaged(data: bytes, random: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(random.randint(1, 200)):
        changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _png(width: int, height: int, *chunks: bytes, pixels: bytes = b"") -> bytes:
    header = _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    body = _chunk(b"IDAT", zlib.compress(pixels)) if pixels else b""
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(chunks) + body + _chunk(b"IEND", b"")


def _zeros(megabytes: int) -> bytes:
    """So much, in a thousandth of it."""
    return bytes(megabytes << 20)


def _large_jpeg(random: Random) -> bytes:
    """Its header says 65,500 pixels a side."""
    data = bytearray(photo())
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = struct.pack(">HH", 65_500, random.randint(60_000, 65_500))
    return bytes(data)


@cache
def _animation(kind: str, frames: int) -> bytes:
    data = io.BytesIO()
    pictures = [Image.new("RGB", (64, 64), (at % 256, at // 256, 0)) for at in range(frames)]
    pictures[0].save(data, kind, save_all=True, append_images=pictures[1:], duration=10)
    return data.getvalue()


def _huge_gif(_: Random) -> bytes:
    return (
        b"GIF89a" + struct.pack("<HHBBB", 65_535, 65_535, 0xF0, 0, 0) + bytes(6) + b"," + bytes(9) + b"\x02\x02L\x01\0;"
    )


KINDS: dict[str, Callable[[Random], bytes]] = {
    "empty": lambda _: b"",
    "zeros": lambda random: bytes(random.randint(1, 5000)),
    "noise": lambda random: random.randbytes(random.randint(1, 50_000)),
    "noise that begins as a JPEG": lambda random: b"\xff\xd8\xff\xe0" + random.randbytes(5000),
    "noise that begins as a WebP": lambda random: b"RIFF\xff\xff\xff\x7fWEBPVP8 " + random.randbytes(5000),
    "noise that begins as a HEIC": lambda random: b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + random.randbytes(5000),
    "a JPEG cut short": lambda random: _cut(photo(), random),
    "a PNG cut short": lambda random: _cut(photo("PNG", 320), random),
    "a WebP cut short": lambda random: _cut(photo("WEBP", 320), random),
    "a GIF cut short": lambda random: _cut(photo("GIF", 320), random),
    "a damaged PNG": lambda random: _damaged(photo("PNG", 320), random),
    "a damaged WebP": lambda random: _damaged(photo("WEBP", 320), random),
    "a damaged head of a JPEG": lambda random: _damaged(photo()[:600], random) + photo()[600:],
    "a PNG of nine hundred megapixels": lambda _: _png(30_000, 30_000, pixels=_zeros(8)),
    "a PNG with more pixels than it says": lambda _: _png(64, 64, pixels=_zeros(64)),
    "a PNG with fewer pixels than it says": lambda _: _png(6000, 6000, pixels=_zeros(1)),
    "a PNG with a text that unpacks to much": lambda _: _png(
        64, 64, _chunk(b"zTXt", b"a\0\0" + zlib.compress(_zeros(64))), pixels=bytes(64 * 193)
    ),
    "a PNG with a profile that unpacks to much": lambda _: _png(
        64, 64, _chunk(b"iCCP", b"a\0\0" + zlib.compress(_zeros(64))), pixels=bytes(64 * 193)
    ),
    "a JPEG that says it is huge": _large_jpeg,
    "a GIF that says it is huge": _huge_gif,
    "a GIF with three thousand frames": lambda _: _animation("GIF", 3000),
    "a WebP with many frames": lambda _: _animation("WEBP", 100),
    "a thin strip": lambda _: _png(4000, 17, pixels=bytes(17 * 12_001)),
    "a speck": lambda _: _png(3, 3, pixels=bytes(30)),
    "a web page": lambda _: b"<!doctype html><script>alert(1)</script>",
    "a drawing": lambda _: (
        b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'
    ),
    "an archive": lambda random: b"PK\x03\x04" + random.randbytes(900),
    "a document": lambda random: b"%PDF-1.7\n" + random.randbytes(900),
    "a document with a photo in it": lambda _: b"%PDF-1.7\n" + photo(),
    "a TIFF": lambda random: b"II*\0" + random.randbytes(900),
    "a video": lambda random: b"\0\0\0\x18ftypmp42" + random.randbytes(900),
    "a page that begins as a GIF": lambda _: b"GIF89a/*<script>alert(1)</script>*/=1;",
    "more than is taken": lambda random: b"\xff\xd8\xff" + random.randbytes(1000) + bytes(26 << 20),
}
"""By what they are; each takes the chance that it needs."""
READABLE: dict[str, Callable[[], bytes]] = {
    "a photo and an archive": lambda: photo() + b"PK\x05\x06" + bytes(18),
    "a photo and a web page": lambda: photo() + b"<script>alert(1)</script>",
    "a photo with a place": placed,
    "an animation of photos": lambda: photo("GIF", 320),
}
"""What is a photo, whatever else it is."""
