"""When a photo was taken, from EXIF that may say anything."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import ExifTags, Image

from api.evidence.place.photo_time import taken_at

KINDS = ("JPEG", "WebP")
"""What phones send; HEIC is written by none of the libraries here."""


def photo(at: object, zone: object = None, kind: str = "JPEG") -> bytes:
    exif, file = Image.Exif(), BytesIO()
    block = exif.get_ifd(ExifTags.IFD.Exif)
    block[ExifTags.Base.DateTimeOriginal] = at
    if zone is not None:
        block[ExifTags.Base.OffsetTimeOriginal] = zone
    Image.new("RGB", (8, 8)).save(file, kind, exif=exif)
    return file.getvalue()


@pytest.mark.parametrize("kind", KINDS)
def test_the_time_is_that_of_the_phone_and_its_zone(kind: str) -> None:
    taken = taken_at(photo("2026:11:21 20:15:01", "+02:00", kind))
    assert taken.startswith("2026-11-2")
    assert taken_at(photo("2026:11:21 19:15:01", "+01:00", kind)) == taken


def test_without_a_zone_it_is_that_of_this_computer() -> None:
    assert taken_at(photo("2026:11:21 20:15:01")).startswith("2026-11-21T20:15:01")


@pytest.mark.parametrize(
    "at", ["", "yesterday", "0000:00:00 00:00:00", "2026:11:21", "9" * 5000, "2026:13:41 25:61:61"]
)
def test_what_is_no_time_is_none(at: str) -> None:
    assert taken_at(photo(at)) == ""


def test_a_zone_that_is_none_gives_no_time() -> None:
    assert taken_at(photo("2026:11:21 20:15:01", "+99:99")) == ""
    assert taken_at(photo("0001:01:01 00:00:00", "+14:00")) == ""


def test_damaged_exif_and_no_photo_say_nothing() -> None:
    good = photo("2026:11:21 20:15:01")
    start = good.index(b"Exif") + 6
    for data in (b"", b"hello", good[:30], good[:start] + b"\xff" * 60 + good[start + 60 :]):
        assert taken_at(data) == ""
