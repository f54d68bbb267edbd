"""A photo may be built so that reading it takes minutes: it is refused before that."""

from __future__ import annotations

import re
import time
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from tests.pace import slowness
from vision import photo
from vision.photo import MOST_SCANS, PhotoError, load


def progressive(side: int, scans: int, behind: bytes = b"") -> bytes:
    """A progressive JPEG with so many scans more, all of them empty."""
    data = BytesIO()
    Image.new("RGB", (side, side), "green").save(data, "JPEG", progressive=True)
    jpeg = data.getvalue()
    last = jpeg[jpeg.rindex(b"\xff\xda") :]
    head = last[: 2 + int.from_bytes(last[2:4], "big")]
    return jpeg[:-2] + (head + b"\0") * scans + jpeg[-2:] + behind


def quickest(data: bytes) -> float:
    """The least of three times in seconds of processor time to load or refuse it: others use the machine, too."""
    times = []
    for _ in range(3):
        begun = time.thread_time()
        with suppress(PhotoError):
            load(data)
        times.append(time.thread_time() - begun)
    return min(times)


def test_a_progressive_jpeg_of_thousands_of_scans_is_refused_before_it_is_decoded() -> None:
    costly, plain = progressive(4000, 5000), progressive(4000, 0)
    with pytest.raises(PhotoError) as refused:
        load(costly)
    assert refused.value.code == "too-costly"
    assert quickest(costly) < quickest(plain), "the same photo without those scans, which is decoded"


@pytest.mark.parametrize("scans", [0, MOST_SCANS - 20])
def test_an_ordinary_number_of_scans_is_read(scans: int) -> None:
    assert load(progressive(64, scans)).width == 64


def test_only_the_scans_of_the_picture_itself_count() -> None:
    """A phone hangs films behind it, and thumbnails before it, in which the same two bytes may stand."""
    film = b"\xff\xda\0\2" * 10_000
    assert load(progressive(64, 0, behind=film)).width == 64
    jpeg = progressive(64, 0)
    thumbnail = b"\xff\xe1\xff\xfe" + (b"\xff\xda\0\2" * 20_000)[:65_532]
    assert load(jpeg[:2] + thumbnail + jpeg[2:]).width == 64


@pytest.mark.parametrize("name", ["sample-throw.jpg", "sample-hand.jpg"])
def test_scans_are_counted_as_they_are(name: str) -> None:
    data = Path("docs", name).read_bytes()
    assert photo._scans(data) == len(re.findall(rb"\xff\xda", data))


def test_a_heic_of_millions_of_boxes_is_refused_at_once() -> None:
    data = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + b"\0\0\0\x08free" * 3_000_000
    with pytest.raises(PhotoError):
        load(data)
    assert quickest(data) < 0.5 * slowness()
