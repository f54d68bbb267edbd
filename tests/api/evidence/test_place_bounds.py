"""Nobody stalls the server with a photo of a thousand thousand parts: where it was taken is found in linear time."""

from __future__ import annotations

import time
from contextlib import suppress
from io import BytesIO
from struct import pack

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from api.evidence.place import without_place
from tests.examples import examples
from vision.photo import PhotoError

_SECONDS = 1.0
"""Of a core's time; each of these took more, up to 14, and none takes a tenth of it now."""
_TRIES = 5
"""A machine that is shared charges a thread for what others do: what costs much does so every time."""
_LARGE = 2_000_000
"""Bytes of a fuzzed photo."""


def photo(kind: str) -> bytes:
    data = BytesIO()
    Image.new("RGB", (64, 48), "green").save(data, kind)
    return data.getvalue()


def box(name: bytes, inside: bytes) -> bytes:
    return pack(">I", 8 + len(inside)) + name + inside


def heic(items: int, iloc: bytes, pictures: bytes = b"") -> bytes:
    """A HEIC whose items are all EXIF, placed by `iloc`."""
    infe = (box(b"infe", b"\2\0\0\0" + pack(">HH", number + 1, 0) + b"Exif\0") for number in range(items))
    iinf = box(b"iinf", bytes(4) + pack(">H", items) + b"".join(infe))
    meta = box(b"meta", bytes(4) + iinf + box(b"iloc", bytes(4) + iloc))
    return box(b"ftyp", b"heic\0\0\0\0mif1heic") + meta + box(b"mdat", pictures)


def empty_extents(items: int) -> bytes:
    rows = (pack(">HHH", number + 1, 0, 65_535) for number in range(items))
    return heic(items, b"\0\0" + pack(">H", items) + b"".join(rows))


def extents_over_each_other(count: int) -> bytes:
    rows = pack(">HHH", 1, 0, count) + pack(">II", 200_000, 4_000_000) * count
    return heic(1, b"\x44\0" + pack(">H", 1) + rows, bytes(5_000_000))


JPEG, PNG = photo("JPEG"), photo("PNG")
GIF = b"GIF89a" + pack("<HHBBB", 64, 64, 0, 0, 0)
COSTLY = {
    "a JPEG that ends in 40 kB of 0xFF": JPEG[:-2] + b"\xff" * 40_000,
    "a JPEG with 20 MB of 0xFF before a marker": JPEG[:2] + b"\xff" * 20_000_000 + JPEG[2:],
    "a JPEG of two million segments": JPEG[:2] + b"\xff\xe1\0\2" * 2_000_000 + JPEG[2:],
    "a PNG of two million chunks": PNG[:8] + (bytes(4) + b"aaaa" + bytes(4)) * 2_000_000,
    "a GIF of ten million sub-blocks": GIF + b"!\xfe" + b"\1a" * 10_000_000 + b"\0;",
    "a GIF of three million comments": GIF + b"!\xfe\0" * 3_000_000 + b";",
    "a WebP of two million chunks": b"RIFF" + pack("<I", 4 + 16_000_000) + b"WEBP" + b"XXXX\0\0\0\0" * 2_000_000,
    "a HEIC of 65,535 empty extents an item": empty_extents(200),
    "a HEIC of extents over each other": extents_over_each_other(8_000),
    "a HEIC of three million boxes": empty_extents(1)[:24] + b"\0\0\0\x08free" * 3_000_000,
}


def seconds_for(data: bytes) -> float:
    """Of this thread, whatever else the machine does."""
    begun = time.thread_time()
    with suppress(PhotoError):
        without_place(data)
    return time.thread_time() - begun


def costs_little(data: bytes) -> bool:
    return any(seconds_for(data) < _SECONDS for _ in range(_TRIES))


@pytest.mark.parametrize("name", COSTLY)
def test_a_photo_of_very_many_parts_costs_little(name: str) -> None:
    assert costs_little(COSTLY[name])


@examples(60)
@given(
    base=st.sampled_from(
        [JPEG, PNG, GIF + b"!\xfe\2ab\0;", photo("WEBP"), empty_extents(1), extents_over_each_other(1)]
    ),
    cut=st.integers(2, 200),
    part=st.binary(min_size=1, max_size=16) | st.sampled_from([b"\xff", b"\0", b"\xff\xda\0\2", b"\0\0\0\x08"]),
)
def test_whatever_is_repeated_in_it(base: bytes, cut: int, part: bytes) -> None:
    repeated = part * (_LARGE // len(part))
    assert costs_little(base[:cut] + repeated + base[cut:])


def test_a_photo_of_many_parts_is_still_read() -> None:
    """A long animation, and a profile of colours in all the segments that it may have."""
    data = BytesIO()
    frames = [Image.new("L", (32, 32), shade % 256) for shade in range(1, 3000)]
    Image.new("L", (32, 32)).save(data, "GIF", save_all=True, append_images=frames)
    assert without_place(data.getvalue()) == data.getvalue()
    profile = BytesIO()
    Image.new("RGB", (64, 48)).save(profile, "JPEG", icc_profile=bytes(range(256)) * 60_000)
    assert without_place(profile.getvalue()) == profile.getvalue()
