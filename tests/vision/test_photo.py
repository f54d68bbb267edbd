"""Every format, every turn and every broken file. Each quarter has a colour of its own, so no turn goes unseen."""

from __future__ import annotations

import hashlib
import os
import pickle
import random
import socket
import struct
import subprocess
import sys
import tempfile
import tracemalloc
import zlib
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import ExifTags, Image
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngInfo

from vision.photo import BACKDROP, DEFAULT_LIMITS, Limits, Photo, PhotoError, load, of_frame

FIXTURES = Path(__file__).parent / "fixtures"

RED, GREEN, BLUE, WHITE = (230, 20, 20), (20, 200, 20), (20, 20, 230), (240, 240, 240)
UNDO = {  # EXIF orientation: how an upright picture is stored under it
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


def quarters(width: int = 64, height: int = 48) -> Image.Image:
    picture = np.empty((height, width, 3), np.uint8)
    picture[: height // 2, : width // 2] = RED
    picture[: height // 2, width // 2 :] = GREEN
    picture[height // 2 :, : width // 2] = BLUE
    picture[height // 2 :, width // 2 :] = WHITE
    return Image.fromarray(picture)


def noise(width: int = 80, height: int = 60) -> Image.Image:
    return Image.fromarray(np.random.default_rng(7).integers(0, 256, (height, width, 3), np.uint8))


def encoded(image: Image.Image, form: str, **options: Any) -> bytes:
    stream = BytesIO()
    image.save(stream, form, **options)
    return stream.getvalue()


def exif(orientation: int) -> bytes:
    tags = Image.Exif()
    tags[ExifTags.Base.Orientation] = orientation
    return tags.tobytes()


def corners(pixels: np.ndarray) -> list[tuple[int, ...]]:
    """The middles of the quarters: top left, top right, bottom left, bottom right."""
    height, width = pixels.shape[:2]
    return [tuple(map(int, pixels[height * y // 4, width * x // 4])) for y in (1, 3) for x in (1, 3)]


def assert_upright(photo: Photo, near: int = 6) -> None:
    assert photo.width > photo.height
    assert photo.pixels.shape == (photo.height // photo.scale, photo.width // photo.scale, 3)
    np.testing.assert_allclose(corners(photo.pixels), [RED, GREEN, BLUE, WHITE], atol=near)


def code_of(source: Any, **options: Any) -> str:
    with pytest.raises(PhotoError) as caught:
        load(source, **options)
    assert_plain(caught.value.message)
    return caught.value.code


def assert_plain(message: str) -> None:
    """A sentence for a card player: it ends as one, and no exception text or path leaks into it."""
    assert message.endswith(".")
    assert not any(word in message.lower() for word in ("error", "exception", "errno", "0x", "traceback", "none", "/"))


FORMATS = {
    "JPEG": encoded(noise(), "JPEG", exif=exif(6)),
    "progressive JPEG": encoded(noise(), "JPEG", progressive=True),
    "CMYK JPEG": encoded(noise().convert("CMYK"), "JPEG"),
    "MPO": encoded(noise(), "MPO", save_all=True, append_images=[quarters()]),
    "PNG": encoded(noise(), "PNG", exif=exif(6)),
    "palette PNG": encoded(noise().convert("P"), "PNG", transparency=3),
    "APNG": encoded(noise(), "PNG", save_all=True, append_images=[quarters(80, 60)]),
    "WebP": encoded(noise(), "WEBP", exif=exif(6)),
    "lossless WebP": encoded(noise().convert("RGBA"), "WEBP", lossless=True),
    "GIF": encoded(noise(), "GIF"),
    "animated GIF": encoded(noise(), "GIF", save_all=True, append_images=[quarters(80, 60)]),
    "HEIC": (FIXTURES / "heic_turned_by_irot_and_again_by_exif.heic").read_bytes(),
}


# What a photo is


def test_a_photo_tells_its_name_size_hash_and_pixels(tmp_path: Path) -> None:
    path = tmp_path / "kitchen table.png"
    path.write_bytes(encoded(quarters(), "PNG"))
    photo = load(path)
    assert (photo.name, photo.width, photo.height, photo.scale, photo.format) == ("kitchen table.png", 64, 48, 1, "PNG")
    assert photo.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert photo.notes == ()
    assert photo.full() is photo.pixels
    np.testing.assert_array_equal(photo.pixels, np.asarray(quarters()))


def test_path_string_bytes_and_streams_read_the_same(tmp_path: Path) -> None:
    data = encoded(quarters(), "PNG")
    path = tmp_path / "a.png"
    path.write_bytes(data)
    with path.open("rb") as stream, path.open("rb", buffering=0) as raw:
        photos = [load(source) for source in (path, str(path), data, stream, raw, BytesIO(data))]
    assert {photo.sha256 for photo in photos} == {hashlib.sha256(data).hexdigest()}
    assert [photo.name for photo in photos] == ["a.png", "a.png", "photo", "a.png", "a.png", "photo"]
    assert load(data, name="given").name == "given"


@pytest.mark.parametrize("form", FORMATS)
def test_pixels_are_read_only_contiguous_rgb(form: str) -> None:
    pixels = load(FORMATS[form]).pixels
    assert pixels.dtype == np.uint8
    assert pixels.shape[2] == 3
    assert pixels.flags.c_contiguous
    assert not pixels.flags.writeable


def test_a_stream_that_gives_little_at_a_time_is_read_to_its_end() -> None:
    data = encoded(quarters(), "PNG")
    ours, theirs = socket.socketpair()
    with ours, theirs, ours.makefile("rb", buffering=0) as stream:
        theirs.sendall(data[:100])
        theirs.sendall(data[100:])
        theirs.shutdown(socket.SHUT_WR)
        assert load(stream).sha256 == hashlib.sha256(data).hexdigest()  # type: ignore[arg-type]


# Turns


@pytest.mark.parametrize("orientation", UNDO)
@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_exif_orientation_is_undone(form: str, orientation: int) -> None:
    how = UNDO[orientation]
    stored = quarters() if how is None else quarters().transpose(how)
    quality: dict[str, Any] = {"lossless": True} if form == "WEBP" else {"quality": 95}
    photo = load(encoded(stored, form, exif=exif(orientation), **quality))
    assert (photo.width, photo.height) == (64, 48)
    assert_upright(photo)


@pytest.mark.parametrize("orientation", UNDO)
def test_a_photo_decoded_at_half_size_is_turned_too(orientation: int) -> None:
    how = UNDO[orientation]
    upright = quarters(3200, 1600)
    photo = load(encoded(upright if how is None else upright.transpose(how), "JPEG", exif=exif(orientation)))
    assert (photo.width, photo.height, photo.scale) == (3200, 1600, 2)
    assert_upright(photo)
    assert photo.full().shape == (1600, 3200, 3)
    np.testing.assert_allclose(corners(photo.full()), corners(photo.pixels), atol=2)


def test_png_orientation_after_the_pixels_counts() -> None:
    data = encoded(quarters().transpose(Image.Transpose.ROTATE_90), "PNG", exif=exif(6))
    at = data.index(b"eXIf") - 4
    end = at + 12 + int.from_bytes(data[at : at + 4], "big")
    late = data[:at] + data[end:-12] + data[at:end] + data[-12:]
    assert late.index(b"eXIf") > late.index(b"IDAT")
    assert_upright(load(late))


def test_heic_with_irot_and_the_same_exif_is_turned_once() -> None:
    photo = load(FIXTURES / "heic_turned_by_irot_and_again_by_exif.heic")
    assert (photo.width, photo.height, photo.format) == (64, 48, "HEIC")
    assert_upright(photo)


def test_heic_goes_by_irot_and_not_by_exif() -> None:
    """As the standard (ISO 23008-12) says. Without irot the fixture lies on its side, whatever its EXIF claims."""
    data = (FIXTURES / "heic_turned_by_irot_and_again_by_exif.heic").read_bytes().replace(b"irot", b"skip")
    photo = load(data)
    assert (photo.width, photo.height) == (48, 64)


@pytest.mark.parametrize("orientation", [0, 9, 65535])
def test_nonsense_orientation_leaves_the_picture_as_it_is(orientation: int) -> None:
    assert_upright(load(encoded(quarters(), "JPEG", exif=exif(orientation), quality=95)))


def test_damaged_exif_leaves_the_picture_as_it_is() -> None:
    broken = b"Exif\0\0MM\0*\0\0\0\x08\xff\xff\x01\x12\0\x03\0\0"
    assert_upright(load(encoded(quarters(), "JPEG", exif=broken, quality=95)))


# Colours


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_grey_becomes_rgb(form: str) -> None:
    pixels = load(encoded(Image.new("L", (32, 32), 77), form)).pixels
    np.testing.assert_allclose(pixels, 77, atol=2)


def test_sixteen_bit_grey_keeps_its_range() -> None:
    ramp = np.linspace(0, 65535, 256).astype(np.uint16)
    pixels = load(encoded(Image.fromarray(np.tile(ramp, (32, 1))), "PNG")).pixels
    np.testing.assert_array_equal(pixels[0, :, 0], ramp >> 8)
    np.testing.assert_array_equal(pixels[..., 0], pixels[..., 2])


def test_ten_bit_heic_keeps_its_colours() -> None:
    assert_upright(load(FIXTURES / "heic_10_bit.heic"))


@pytest.mark.parametrize("mode", ["RGBA", "LA"])
def test_transparent_parts_show_the_backdrop_and_not_what_hides_below(mode: str) -> None:
    picture = Image.new(mode, (32, 32), (255,) * (len(mode) - 1) + (0,))
    picture.paste((255,) * len(mode), (0, 0, 16, 32))
    for form in ("PNG", "WEBP"):
        pixels = load(encoded(picture, form, lossless=True)).pixels
        assert tuple(pixels[16, 4]) == (255, 255, 255)
        assert tuple(pixels[16, 28]) == BACKDROP


def test_half_transparent_is_halfway_to_the_backdrop() -> None:
    pixels = load(encoded(Image.new("RGBA", (32, 32), (255, 255, 255, 128)), "PNG")).pixels
    np.testing.assert_allclose(pixels, (255 + 128) / 2, atol=1.5)


@pytest.mark.parametrize("form", ["PNG", "GIF"])
def test_palette_with_one_transparent_colour(form: str) -> None:
    picture = quarters().quantize(4)
    see_through = picture.getpixel((0, 0))
    pixels = load(encoded(picture, form, transparency=see_through)).pixels
    assert corners(pixels)[0] == BACKDROP
    np.testing.assert_allclose(corners(pixels)[1:], [GREEN, BLUE, WHITE], atol=6)


def test_palette_with_a_degree_of_transparency_for_every_colour() -> None:
    picture = quarters().quantize(4)
    red = picture.getpixel((0, 0))
    pixels = load(encoded(picture, "PNG", transparency=bytes(0 if i == red else 255 for i in range(4)))).pixels
    assert corners(pixels)[0] == BACKDROP


def test_rgb_png_with_one_transparent_colour() -> None:
    assert corners(load(encoded(quarters(), "PNG", transparency=RED)).pixels)[0] == BACKDROP


def test_one_bit() -> None:
    picture = Image.new("1", (32, 32), 0)
    picture.paste(1, (0, 0, 16, 32))
    pixels = load(encoded(picture, "PNG")).pixels
    assert (pixels[0, 0, 0], pixels[0, 31, 0]) == (255, 0)


def test_cmyk_jpeg_is_not_a_negative() -> None:
    """Adobe stores CMYK inverted, and so does Pillow when it writes."""
    data = encoded(quarters().convert("CMYK"), "JPEG", quality=95)
    assert b"Adobe" in data
    assert_upright(load(data), near=12)


@pytest.mark.parametrize("scale", [1, 2, 4])
@pytest.mark.parametrize("mode", ["RGB", "L"])
@pytest.mark.parametrize(
    "options",
    [{}, {"progressive": True}, {"subsampling": "4:4:4"}, {"subsampling": "4:2:2"}, {"restart_marker_rows": 2}],
    ids=str,
)
def test_jpegs_have_the_values_that_pillow_gives_them(options: dict[str, Any], mode: str, scale: int) -> None:
    """OpenCV decodes them: a photo that was read before keeps its reading, and proof of it stands."""
    wide, high = 1601 * scale, 203 * scale
    data = encoded(noise(401, 53).resize((wide, high)).convert(mode), "JPEG", quality=83, **options)
    photo = load(data)
    with Image.open(BytesIO(data)) as image:
        image.draft(None, (wide // scale, high // scale))
        np.testing.assert_array_equal(photo.pixels, np.asarray(image.convert("RGB")))
    with Image.open(BytesIO(data)) as image:
        np.testing.assert_array_equal(photo.full(), np.asarray(image.convert("RGB")))
    assert photo.scale == scale


# Several pictures in a file


@pytest.mark.parametrize("form", ["GIF", "PNG", "WEBP"])
def test_of_an_animation_the_first_frame_is_read_and_said_so(form: str) -> None:
    others = [Image.new("RGB", (64, 48), (n, n, n)) for n in (10, 90)]
    options: dict[str, Any] = {"lossless": True} if form == "WEBP" else {}
    photo = load(encoded(quarters(), form, save_all=True, append_images=others, duration=100, **options))
    assert [note.code for note in photo.notes] == ["first-frame"]
    assert "first frame" in photo.notes[0].message
    assert_upright(photo)


def test_of_an_animation_no_other_frame_is_decoded() -> None:
    """The second frame lacks nearly all its data, which only one who decodes it can notice."""
    data = encoded(quarters(), "GIF", save_all=True, append_images=[noise(64, 48)])
    cut = data[:-1500]
    with Image.open(BytesIO(cut)) as image:
        image.seek(1)
        with pytest.raises(OSError, match="truncated"):
            image.load()
    photo = load(cut)
    assert_upright(photo)
    assert photo.notes


def test_of_a_heic_the_main_picture_is_read_and_said_so() -> None:
    photo = load(FIXTURES / "heic_two_pictures_second_is_main.heic")
    assert_upright(photo)
    assert "main one" in photo.notes[0].message


def test_a_phone_jpeg_with_a_second_picture_is_a_plain_photo() -> None:
    """Such files (MPO) carry a depth or gain map behind the photo; nobody need look at that."""
    data = encoded(quarters(), "MPO", save_all=True, append_images=[noise()], quality=95)
    with Image.open(BytesIO(data)) as image:
        assert image.format == "MPO"
    photo = load(data)
    assert (photo.format, photo.notes) == ("JPEG", ())
    assert_upright(photo)


# Working size


@pytest.mark.parametrize(
    ("long_side", "scale"),
    [(1600, 1), (3000, 1), (3199, 1), (3200, 2), (4001, 2), (6399, 2), (6400, 4), (12800, 4)],
)
def test_large_jpegs_are_decoded_small(long_side: int, scale: int) -> None:
    photo = load(encoded(Image.new("L", (long_side, 801)), "JPEG"), limits=Limits(max_aspect=100))
    assert photo.scale == scale
    assert (photo.width, photo.height) == (long_side, 801)
    assert photo.pixels.shape == (-(-801 // scale), -(-long_side // scale), 3)
    assert max(photo.pixels.shape) >= min(long_side, 1600)


def test_twelve_megapixels_become_three() -> None:
    photo = load(encoded(quarters(4000, 3000), "JPEG", quality=95))
    assert photo.pixels.shape == (1500, 2000, 3)
    full = photo.full()
    assert full.shape == (3000, 4000, 3)
    assert full.flags.c_contiguous
    assert not full.flags.writeable
    np.testing.assert_allclose(corners(full), [RED, GREEN, BLUE, WHITE], atol=6)


def test_nearly_square_photo_on_its_side_keeps_its_measures() -> None:
    """Both sides round up to the same working size, which must not hide the turn."""
    photo = load(encoded(Image.new("L", (6401, 6402)), "JPEG", exif=exif(6)), limits=Limits(max_pixels=50_000_000))
    assert (photo.width, photo.height) == (6402, 6401)
    assert photo.full().shape == (6401, 6402, 3)


def test_a_working_pixel_covers_scale_by_scale_full_pixels() -> None:
    picture = Image.new("L", (3200, 1600), 0)
    picture.paste(255, (1000, 600, 1200, 800))
    working = load(encoded(picture, "JPEG", quality=95)).pixels[..., 0] > 127
    rows, columns = np.nonzero(working)
    assert (columns.min(), columns.max() + 1, rows.min(), rows.max() + 1) == (500, 600, 300, 400)


# Limits


def chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def bare_png(width: int, height: int, extra: bytes = b"") -> bytes:
    """A well-formed 1-bit PNG whose header promises what its few pixels do not hold."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
    rest = extra + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + header + rest


@pytest.mark.parametrize(
    ("width", "height", "code"),
    [
        (1, 1, "too-small"),
        (15, 400, "too-small"),
        (30_000, 10, "too-small"),
        (30_000, 100, "too-narrow"),
        (100, 30_000, "too-narrow"),
        (60_000, 60_000, "too-many-pixels"),
        (8000, 5001, "too-many-pixels"),
        (8000, 5000, "damaged"),
    ],
)
def test_size_is_judged_by_the_header(width: int, height: int, code: str) -> None:
    """None of these has its pixels: only the one within the limits gets as far as missing them."""
    assert code_of(bare_png(width, height)) == code


def test_limits_can_be_moved() -> None:
    data = encoded(quarters(), "PNG")
    assert load(data, limits=Limits(max_pixels=64 * 48, max_bytes=len(data), min_side=48)).width == 64
    assert code_of(data, limits=Limits(max_pixels=64 * 48 - 1)) == "too-many-pixels"
    assert code_of(data, limits=Limits(max_bytes=len(data) - 1)) == "too-large-file"
    assert code_of(data, limits=Limits(min_side=49)) == "too-small"
    assert code_of(data, limits=Limits(max_aspect=1.3)) == "too-narrow"


def bombs() -> dict[str, bytes]:
    zeros = zlib.compress(bytes(50_000_000), 9)
    return {
        "pixels": bare_png(60_000, 60_000),
        "colour profile": bare_png(64, 64, chunk(b"iCCP", b"x\0\0" + zeros)),
        "text": bare_png(64, 64, chunk(b"zTXt", b"x\0\0" + zeros)),
        "international text": bare_png(64, 64, chunk(b"iTXt", b"x\0\1\0\0\0" + zeros)),
    }


@pytest.mark.parametrize("kind", bombs())
def test_a_bomb_is_refused_with_little_memory(kind: str) -> None:
    bomb = bombs()[kind]
    tracemalloc.start()
    code = code_of(bomb)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert code in {"too-many-pixels", "damaged"}
    assert peak < 8_000_000


def test_a_webp_that_claims_a_huge_canvas_is_refused() -> None:
    data = bytearray(encoded(quarters(), "WEBP", save_all=True, append_images=[noise(64, 48)]))
    assert data[12:16] == b"VP8X"
    data[24:30] = (16_000).to_bytes(3, "little") * 2
    assert code_of(bytes(data)) == "too-many-pixels"


def test_a_gif_of_500_frames_costs_one_frame() -> None:
    frames = [Image.new("L", (400, 300), n % 256) for n in range(500)]
    data = encoded(frames[0], "GIF", save_all=True, append_images=frames[1:])
    photo = load(data)
    assert photo.pixels.max() == 0
    assert photo.notes[0].code == "first-frame"


def test_an_endless_stream_is_left_after_the_limit() -> None:
    class Endless(BytesIO):
        given = 0

        def read(self, size: int | None = -1, /) -> bytes:
            assert size is not None
            assert size > 0
            self.given += min(size, 1000)
            return b"\xff" * min(size, 1000)

    stream = Endless()
    assert code_of(stream, limits=Limits(max_bytes=5000)) == "too-large-file"
    assert stream.given == 5001


# Broken files


def outcome(data: bytes) -> Photo | PhotoError:
    try:
        return load(data)
    except PhotoError as error:
        assert_plain(error.message)
        return error


def ten_cuts(data: bytes) -> list[bytes]:
    return [data[: len(data) * part // 11] for part in range(1, 11)]


@pytest.mark.parametrize("form", sorted(FORMATS.keys() - {"MPO", "APNG", "animated GIF"}))
def test_a_file_cut_at_any_of_ten_places_is_refused(form: str) -> None:
    assert [code_of(cut) for cut in ten_cuts(FORMATS[form])] == ["truncated"] * 10


@pytest.mark.parametrize("form", FORMATS)
def test_a_cut_file_is_refused_or_has_all_its_pixels(form: str) -> None:
    """Where only end marks or further frames are missing, the first frame is whole. There is never filler."""
    data = FORMATS[form]
    whole = load(data).pixels
    for cut in [*ten_cuts(data), *(data[:-missing] for missing in range(1, 40))]:
        match outcome(cut):
            case PhotoError(code=code):
                assert code == "truncated"
            case Photo(pixels=pixels):
                np.testing.assert_array_equal(pixels, whole)


@pytest.mark.parametrize("options", [{}, {"progressive": True}, {"exif": exif(6)}])
def test_a_large_jpeg_cut_anywhere_is_refused_by_load_although_decoded_small(options: dict[str, Any]) -> None:
    data = encoded(noise(400, 200).resize((3200, 1600)), "JPEG", quality=50, **options)
    assert load(data).scale == 2
    for cut in [*ten_cuts(data), data[:-20], data[:-3]]:
        assert code_of(cut) == "truncated"


@pytest.mark.parametrize("form", FORMATS)
def test_random_damage_gives_a_photo_or_a_photo_error(form: str) -> None:
    """Nothing else: no other exception, and no warning (pytest makes errors of these)."""
    dice = random.Random(form)
    for _ in range(150):
        data = bytearray(FORMATS[form])
        for _ in range(dice.randint(1, 5)):
            data[dice.randrange(min(len(data), dice.choice([100, 700, len(data)])))] = dice.randrange(256)
        match outcome(bytes(data)):
            case Photo(pixels=pixels):
                assert pixels.shape[2] == 3
            case PhotoError(code=code):
                assert code not in {"not-found", "unreadable"}


def pillow_reads(jpeg: bytes) -> np.ndarray | None:
    """The pixels that Pillow by itself makes of a JPEG, as they are stored; None where it finds it damaged."""
    try:
        with JpegImageFile(BytesIO(jpeg)) as image:
            return np.asarray(image.convert("RGB"))
    except Exception:  # its decoders raise nearly every class there is
        return None


@pytest.mark.parametrize("options", [{}, {"progressive": True}, {"restart_marker_rows": 1}], ids=str)
def test_damage_to_a_jpeg_is_noticed_where_pillow_notices_it(options: dict[str, Any]) -> None:
    """OpenCV by itself stops at the last row, and does not see what damage has put behind it."""
    whole, dice = encoded(noise(), "JPEG", **options), random.Random(3)
    told = []
    for _ in range(400):
        data = bytearray(whole)
        for _ in range(dice.choice([1, 3, 30])):
            data[dice.randrange(2, len(data))] = dice.randrange(256)
        seen, found = pillow_reads(bytes(data)), outcome(bytes(data))
        if isinstance(found, Photo):
            assert seen is not None
            np.testing.assert_array_equal(found.pixels, seen)
        elif found.code in ("damaged", "truncated"):
            assert seen is None
        told.append(isinstance(found, Photo))
    assert 40 < sum(told) < 360


def test_damaged_heic_metadata_do_not_crash_the_process() -> None:
    """Of these, pi-heif 1.4.0 alone would not survive those whose EXIF item lies at a nonsensical place in the file."""
    data = FORMATS["HEIC"]
    for at in range(data.index(b"meta"), data.index(b"mdat")):
        outcome(data[:at] + b"\xff" + data[at + 1 :])


def test_odd_metadata_warn_nobody() -> None:
    info = PngInfo()
    info.add_text("Raw profile type exif", "\nexif\n    4\nzz")
    assert_upright(load(encoded(quarters(), "PNG", pnginfo=info)))


@pytest.mark.parametrize(
    ("data", "called"),
    [
        (b"%PDF-1.7\n%\xe2\xe3", "PDF"),
        (encoded(quarters(), "BMP"), "BMP"),
        (encoded(quarters(), "TIFF"), "TIFF"),
        (encoded(quarters(), "ICO"), "icon"),
        (b"\0\0\0\x20ftypisom\0\0\2\0isomiso2avc1mp41", "video"),
        (b"\0\0\0\x14ftypqt  \0\0\2\0qt  ", "video"),
        (b"\x1aE\xdf\xa3\x9fB\x86\x81\x01", "video"),
        (b"RIFF\0\0\0\0AVI LIST", "video"),
        (b"\0\0\0\x20ftypavif\0\0\0\0avifmif1miafMA1B", "AVIF"),
        (b"\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf", "AVIF"),
        (b"\0\0\0\x18ftypcrx \0\0\0\1crx isom", "raw camera"),
        (b"\xff\x0a\xfa\x1f\x41", "JPEG XL"),
        (b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg">', "SVG"),
        (b"<!DOCTYPE html><html>", "web page"),
        (b"PK\x03\x04\x14\0\x06\0", "ZIP"),
        (b"8BPS\0\1", "Photoshop"),
    ],
)
def test_what_is_not_read_is_called_by_its_name(data: bytes, called: str) -> None:
    with pytest.raises(PhotoError) as caught:
        load(data)
    assert caught.value.code == "unsupported-format"
    assert called in caught.value.message
    assert "JPEG" in caught.value.message.replace("JPEG XL", "")


@pytest.mark.parametrize(
    "data",
    [
        b"Dear Ann,\nthe dice are lost.\n",
        b"\0" * 5000,
        b"\xff\xd8",
        b"GIF",
        b"\x89PNG",
        random.Random(1).randbytes(9000),
    ],
)
def test_what_holds_no_picture_is_no_photo(data: bytes) -> None:
    assert code_of(data) == "not-a-photo"


def test_text_named_jpg_is_no_photo(tmp_path: Path) -> None:
    path = tmp_path / "dice.jpg"
    path.write_text("not dice")
    assert code_of(path) == "not-a-photo"


def test_the_content_counts_and_not_the_ending(tmp_path: Path) -> None:
    path = tmp_path / "dice.txt"
    path.write_bytes(encoded(quarters(), "WEBP"))
    assert load(path).format == "WebP"


def test_empty(tmp_path: Path) -> None:
    path = tmp_path / "empty.jpg"
    path.touch()
    assert code_of(path) == code_of(b"") == code_of(BytesIO()) == "empty-file"


def test_folder_pipe_and_device_are_no_files(tmp_path: Path) -> None:
    folder, pipe = tmp_path / "x.jpg", tmp_path / "pipe.jpg"
    folder.mkdir()
    os.mkfifo(pipe)
    assert code_of(folder) == code_of(pipe) == code_of(os.devnull) == "not-a-file"


def test_missing_files(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert code_of(tmp_path / "no.jpg") == code_of(tmp_path / "file" / "no.jpg") == code_of("") == "not-found"


def test_impossible_names_are_unreadable(tmp_path: Path) -> None:
    assert code_of("a\0b.jpg") == code_of(tmp_path / ("x" * 300)) == "unreadable"


def test_no_permission() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        path = Path(folder) / "locked.png"
        path.write_bytes(encoded(quarters(), "PNG"))
        path.chmod(0)
        assert as_an_ordinary_user(lambda: code_of(path) == "no-permission")


def as_an_ordinary_user(question: Any) -> bool:
    """Root may open everything, so root asks in a child that has become nobody."""
    if os.geteuid() != 0:
        return bool(question())
    child = os.fork()
    if child == 0:
        os.setuid(65534)
        os._exit(0 if question() else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_stream_that_breaks_off_is_unreadable() -> None:
    class Broken(BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise ConnectionResetError(104, "Connection reset by peer")

    assert code_of(Broken()) == "unreadable"


def test_errors_cross_process_borders() -> None:
    with pytest.raises(PhotoError) as caught:
        load(b"")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.code, again.message, str(again)) == ("empty-file", caught.value.message, caught.value.message)


# Manners


def test_loading_leaves_pillow_as_it_was() -> None:
    """In a process of its own, for other tests may have registered plugins. A JPEG does not import the HEIC library, nor a
    file that is refused OpenCV.
    """
    script = (
        "import sys, vision.photo as p; from PIL import Image;"
        "jpeg, heic = sys.argv[1:];"
        "code = ''\ntry: p.load(b'no picture')\nexcept p.PhotoError as error: code = error.code\n"
        "assert code == 'not-a-photo' and 'cv2' not in sys.modules;"
        "p.load(jpeg); assert 'pi_heif' not in sys.modules;"
        "p.load(heic); assert 'HEIF' not in Image.OPEN"
    )
    with tempfile.NamedTemporaryFile(suffix=".jpg") as jpeg:
        jpeg.write(FORMATS["JPEG"])
        jpeg.flush()
        heic = FIXTURES / "heic_10_bit.heic"
        root = Path(__file__).parents[2]
        subprocess.run([sys.executable, "-c", script, jpeg.name, str(heic)], check=True, cwd=root)


def test_limits_are_those_of_the_manual() -> None:
    assert (
        Limits()
        == DEFAULT_LIMITS
        == Limits(max_bytes=64 * 1024 * 1024, max_pixels=40_000_000, min_side=16, max_aspect=20)
    )


def test_a_frame_is_shared_and_read_only() -> None:
    pixels = np.zeros((60, 80, 3), np.uint8)
    photo = of_frame(pixels, "frame 7")
    assert np.shares_memory(photo.pixels, pixels)
    assert not photo.pixels.flags.writeable
    assert pixels.flags.writeable
    assert of_frame(pixels[:, ::-1], "frame 8").pixels.flags.c_contiguous
