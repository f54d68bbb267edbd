"""No photo says where it was taken, and none loses a pixel for it."""

from __future__ import annotations

from contextlib import suppress
from io import BytesIO
from pathlib import Path
from struct import pack
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from PIL import ExifTags, Image
from PIL.PngImagePlugin import PngInfo

from api.evidence.place import without_place
from vision.photo import PhotoError, load

SECRET = b"SecretCamera"
XMP = b'<x:xmpmeta><rdf exif:GPSLatitude="48,12.5N" tiff:Make="SecretCamera"/></x:xmpmeta>'
SAVED: dict[str, dict[str, Any]] = {
    "JPEG": {"xmp": XMP, "comment": SECRET, "icc_profile": b"a profile of colours"},
    "PNG": {},
    "WEBP": {"xmp": XMP, "lossless": True},
    "GIF": {"comment": SECRET, "save_all": True},
}


def picture(side: int = 64) -> Image.Image:
    noise = np.random.default_rng(3).integers(0, 255, (side, side + 16, 3), np.uint8)
    return Image.fromarray(noise)


def exif(orientation: int = 6) -> Image.Exif:
    said = Image.Exif()
    said[ExifTags.Base.Make] = SECRET.decode()
    said[ExifTags.Base.Orientation] = orientation
    said.get_ifd(ExifTags.IFD.GPSInfo).update({1: "N", 2: (48.0, 12.0, 30.0), 3: "E", 4: (16.0, 22.0, 0.0)})
    return said


def telling(kind: str, **more: Any) -> bytes:
    """A photo that says where it was taken in every way its format has."""
    data, options = BytesIO(), {**SAVED[kind], **more}
    if kind == "PNG":
        texts = PngInfo()
        texts.add_text("Comment", SECRET.decode())
        texts.add_itxt("XML:com.adobe.xmp", XMP.decode())
        options["pnginfo"] = texts
    if kind != "GIF":
        options.setdefault("exif", exif())
    picture().save(data, kind, **options)
    return data.getvalue()


@pytest.mark.parametrize("kind", SAVED)
def test_nothing_but_the_picture_is_left(kind: str) -> None:
    told = telling(kind)
    bare = without_place(told)
    assert SECRET in told
    assert SECRET not in bare
    assert b"GPS" not in bare
    with Image.open(BytesIO(bare)) as opened:
        assert set(opened.getexif()) <= {ExifTags.Base.Orientation}
        assert not opened.getexif().get_ifd(ExifTags.IFD.GPSInfo)


@pytest.mark.parametrize("kind", SAVED)
def test_the_picture_is_the_same_and_as_upright(kind: str) -> None:
    told = telling(kind)
    np.testing.assert_array_equal(load(without_place(told)).full(), load(told).full())


@pytest.mark.parametrize("orientation", range(1, 9))
def test_every_orientation_stays(orientation: int) -> None:
    told = telling("JPEG", exif=exif(orientation))
    np.testing.assert_array_equal(load(without_place(told)).pixels, load(told).pixels)


@pytest.mark.parametrize("kind", SAVED)
def test_twice_is_once(kind: str) -> None:
    bare = without_place(telling(kind))
    assert without_place(bare) == bare


@pytest.mark.parametrize("name", ["sample-throw.jpg", "sample-hand.jpg", "sample-reading.jpg"])
def test_a_photo_that_says_nothing_stays_as_it_is(name: str) -> None:
    data = Path("docs", name).read_bytes()
    assert without_place(data) == data


def test_the_colours_of_a_jpeg_stay() -> None:
    with Image.open(BytesIO(without_place(telling("JPEG")))) as opened:
        assert opened.info["icc_profile"] == b"a profile of colours"


@pytest.mark.parametrize("progressive", [False, True])
def test_what_hangs_behind_a_jpeg_goes(progressive: bool) -> None:
    bare = without_place(telling("JPEG", progressive=progressive, restart_marker_blocks=2))
    film = b"\0\0\0\x18ftypmp42" + SECRET
    for behind in (telling("JPEG"), film):
        assert without_place(bare + behind) == bare


def test_a_second_block_and_other_makers_segments_go() -> None:
    told = telling("JPEG")
    odd = b"".join(
        b"\xff" + marker + pack(">H", 2 + len(SECRET)) + SECRET for marker in (b"\xe1", b"\xe2", b"\xed", b"\xef")
    )
    assert without_place(told[:2] + odd + b"\xff" + told[2:]) == without_place(told)


def test_a_png_of_a_maker_loses_what_no_standard_knows() -> None:
    told = telling("PNG")
    body = b"mkNT" + SECRET
    own = pack(">I", len(SECRET)) + body + pack(">I", crc32(body))
    assert without_place(told[:33] + own + told[33:] + SECRET) == without_place(told)


def test_a_gif_keeps_its_frames_and_loses_its_notes() -> None:
    data = BytesIO()
    frames = [picture().rotate(turn) for turn in (90, 180)]
    picture().save(data, "GIF", save_all=True, append_images=frames, comment=SECRET, loop=0)
    bare = without_place(data.getvalue())
    assert SECRET not in bare
    with Image.open(BytesIO(bare)) as opened:
        assert (getattr(opened, "n_frames", 1), opened.info["loop"]) == (3, 0)


# HEIC: what Pillow cannot write, put together by hand (ISO 14496-12, 8.11)


def box(name: bytes, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return pack(">I", 8 + len(body)) + name + body


def heic(idat: bool = False) -> bytes:
    """A file of two items: a picture, which is kept, and EXIF, which is in the box mdat or in idat."""
    coded, said = b"coded picture" * 3, b"\0\0\0\0" + exif().tobytes()
    kinds = ((1, b"hvc1"), (2, b"Exif"))
    infos = [box(b"infe", b"\2\0\0\0", pack(">HH", number, 0), kind, b"\0") for number, kind in kinds]
    iinf = box(b"iinf", b"\0\0\0\0", pack(">H", 2), *infos)
    stored = box(b"idat", said) if idat else b""
    head = box(b"ftyp", b"heic\0\0\0\0mif1heic")

    def meta(first: int, second: int) -> bytes:
        spots = ((1, 0, first, len(coded)), (2, int(idat), second, len(said)))
        places = [pack(">HHHHII", item, within, 0, 1, start, size) for item, within, start, size in spots]
        iloc = box(b"iloc", b"\1\0\0\0", b"\x44\x00", pack(">H", 2), *places)
        return box(b"meta", b"\0\0\0\0", box(b"hdlr", bytes(24)), iinf, iloc, stored, box(b"xml ", XMP))

    start = len(head) + len(meta(0, 0)) + 8
    mdat = box(b"mdat", coded, b"" if idat else said)
    return head + meta(start, 0 if idat else start + len(coded)) + mdat + box(b"uuid", bytes(16), SECRET)


@pytest.mark.parametrize("idat", [False, True])
def test_a_heic_is_emptied_in_place(idat: bool) -> None:
    told = heic(idat)
    bare = without_place(told)
    assert SECRET in told
    assert SECRET not in bare
    assert b"GPS" not in bare
    assert len(bare) == len(told)
    assert b"coded picture" * 3 in bare
    assert without_place(bare) == bare


@pytest.mark.parametrize("file", sorted(Path("tests/vision/fixtures").glob("*.heic")), ids=lambda file: file.stem)
def test_a_real_heic_shows_the_same(file: Path) -> None:
    told = file.read_bytes()
    bare = without_place(told)
    assert not any(mark in bare for mark in (b"Exif\0\0MM", b"Exif\0\0II", b"xmpmeta"))
    assert (b"Exif\0\0" in told) == (bare != told)
    np.testing.assert_array_equal(load(bare).pixels, load(told).pixels)


# What is no photo


@pytest.mark.parametrize("data", [b"", b"Dear Ben,", b"%PDF-1.7", b"\0\0\0\x18ftypmp42", b"BM" + bytes(40)])
def test_what_is_not_read_here_is_left_to_the_reader(data: bytes) -> None:
    assert without_place(data) == data


@pytest.mark.parametrize("kind", [*SAVED, "HEIC"])
def test_cut_and_damaged_photos_never_crash_it(kind: str) -> None:
    told = heic() if kind == "HEIC" else telling(kind)
    random = np.random.default_rng(5)
    for _ in range(300):
        data = bytearray(told[: random.integers(1, len(told))])
        for at in random.integers(0, min(len(data), 400), 3):
            data[at] = random.integers(256)
        with suppress(PhotoError):
            assert len(without_place(bytes(data))) <= len(data) + 40
