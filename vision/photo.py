"""Any bytes in, an upright RGB `Photo` out. Every limit on hostile or broken input lives here.

The order is: read a limited number of bytes, tell the format by the first bytes, open the header, check the size, decode.
Whatever goes wrong is a `PhotoError` with a stable code and a sentence for the person who took the photo.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from io import BytesIO
from itertools import islice
from typing import Any, BinaryIO, Literal, cast

import numpy as np
from numpy.typing import NDArray
from PIL import ExifTags, Image, ImageFile
from PIL.JpegImagePlugin import JpegImageFile

Pixels = NDArray[np.uint8]
"""H x W x 3, RGB."""

Source = str | os.PathLike[str] | bytes | BinaryIO
Format = Literal["JPEG", "PNG", "WebP", "GIF", "HEIC"]

WORKING_LONG_SIDE = 1600
"""Pixels a large JPEG keeps on its long side, at least, when it is decoded small for finding the pieces."""

BACKDROP = (128, 128, 128)
"""Shows through transparent parts: cut-out dice are mostly white or black, and both stand out from mid grey."""

GREY = (114, 114, 114)
"""Padding beyond a picture's edge for the networks, as in training."""

PhotoErrorCode = Literal[
    "not-found",
    "no-permission",
    "not-a-file",
    "unreadable",  # the disk or the connection failed
    "empty-file",
    "too-large-file",
    "not-a-photo",  # no picture format that we know of
    "unsupported-format",  # a known format that is not read
    "truncated",
    "damaged",
    "too-many-pixels",
    "too-small",
    "too-narrow",
    "too-costly",  # it takes more time or memory than a photo may
]
"""Why there is no photo. Stable: callers may switch on it."""


class PhotoError(Exception):
    """The photo cannot be read. `message` tells a player why, and what to do."""

    def __init__(self, code: PhotoErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def __reduce__(self) -> tuple[type[PhotoError], tuple[str, str]]:
        """Pickles with both arguments: errors cross process borders when many photos are read."""
        return type(self), (self.code, self.message)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on a photo's size. Pixels and sides are those in the header, checked before anything is decoded."""

    max_bytes: int = 64 * 1024 * 1024
    max_pixels: int = 40_000_000
    min_side: int = 16
    """Pixels; a smaller photo cannot show a die."""
    max_aspect: float = 20.0
    """Long side over short side; a phone's panorama stays below 10."""


DEFAULT_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Note:
    """Something the caller should tell the player. The code is also a `DoubtReason`."""

    code: Literal["first-frame"]
    message: str


@dataclass(frozen=True, eq=False)
class Photo:
    """An upright photo.

    `width` and `height` are those of the full resolution. `pixels` is the working array, read-only and C-contiguous;
    one of its pixels covers `scale` x `scale` full ones, so full = working * `scale`. A side that `scale` does not
    divide is rounded up, so after a turn the working array may sit up to `scale` - 1 full pixels beside the full one.
    """

    name: str
    width: int
    height: int
    format: Format | Literal["frame"]
    scale: int
    pixels: Pixels = field(repr=False)
    notes: tuple[Note, ...] = ()
    _data: bytes = field(default=b"", repr=False)
    """The file, kept only while `full` may need it."""
    _sha256: str = ""
    _table: NDArray[np.uint8] | None = field(default=None, repr=False)
    """The lookup table applied to every value, see `mapped`."""

    @cached_property
    def sha256(self) -> str:
        """The hash of the file's bytes; for a frame, of its pixels row by row, computed on demand as it takes milliseconds."""
        return self._sha256 or hashlib.sha256(self.pixels.data).hexdigest()

    def full(self) -> Pixels:
        """All pixels, upright, read-only: `pixels` itself where scale is 1, otherwise decoded anew by every call."""
        if self.scale == 1 or self.format == "frame":
            return self.pixels
        with _damage_named(self._data, self.format):
            pixels = _decode(self._data, _open(self._data, self.format), self.format, scale=1)[0]
        return pixels if self._table is None else _mapped(pixels, self._table)

    def mapped(self, table: NDArray[np.uint8]) -> Photo:
        """This photo with each value replaced by `table` (256 values). Its hash stays that of the file."""
        return replace(self, pixels=_mapped(self.pixels, table), _sha256=self.sha256, _table=table)


def _mapped(pixels: Pixels, table: NDArray[np.uint8]) -> Pixels:
    import cv2  # few photos need it here

    mapped = np.asarray(cv2.LUT(pixels, table), np.uint8)
    mapped.setflags(write=False)
    return mapped


def of_frame(pixels: Pixels, name: str) -> Photo:
    """A frame of a video (H x W x 3, RGB) as a photo; it shares the frame's memory where that is C-contiguous.

    Raises:
        PhotoError: it is too small, too large or too narrow.
    """
    height, width = pixels.shape[:2]
    _check_size(width, height, DEFAULT_LIMITS)
    shared = np.ascontiguousarray(pixels).view()
    shared.setflags(write=False)
    return Photo(name, width, height, "frame", 1, shared)


def load(source: Source, *, name: str | None = None, limits: Limits = DEFAULT_LIMITS) -> Photo:
    """The photo in a file, in bytes or in a binary stream, decoded and upright.

    JPEG (the first picture of an MPO file), PNG, WebP, HEIC and GIF; of an animation the first frame, with a note.
    A large JPEG is decoded at 1/2 or 1/4 by DCT scaling, never below `WORKING_LONG_SIDE`; `Photo.full` decodes all pixels.
    A file with missing pixels is rejected, even if only the last row is missing; one that only lacks its end marker may be read.
    Damage in the middle of a JPEG that still decodes to the end cannot be distinguished from a strange picture.

    Args:
        source: a path, the file's bytes, or a binary stream, of which at most `limits.max_bytes` + 1 bytes are read.
        name: what the photo is called in results; the file's own name if None.
        limits: what the photo may cost.

    Raises:
        PhotoError: the photo cannot be read; see its code.
    """
    data = _read(source, limits.max_bytes)
    kind = _format(data)
    with _damage_named(data, kind):
        image = _open(data, kind)
        width, height = image.size
        _check_size(width, height, limits)
        notes = _notes(image, kind)
        scale = _working_scale(max(width, height)) if kind == "JPEG" else 1
        pixels, sideways = _decode(data, image, kind, scale)
    if scale == 1:
        height, width = pixels.shape[:2]
        _check_size(width, height, limits)  # the picture in a HEIC may be larger than its container says
    elif sideways:
        width, height = height, width
    return Photo(
        name=name or _name(source),
        width=width,
        height=height,
        format=kind,
        scale=scale,
        pixels=pixels,
        notes=notes,
        _data=data if scale > 1 else b"",
        _sha256=hashlib.sha256(data).hexdigest(),
    )


# Bytes


def _name(source: Source) -> str:
    path = source if isinstance(source, (str, os.PathLike)) else getattr(source, "name", None)
    return os.path.basename(path) if isinstance(path, (str, os.PathLike)) and os.fspath(path) else "photo"


def _read(source: Source, max_bytes: int) -> bytes:
    try:
        data = source if isinstance(source, bytes) else _read_outside(source, max_bytes + 1)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise PhotoError("not-found", "There is no such file. Check its name and folder.") from error
    except PermissionError as error:
        message = "You may not open this file. Change its permissions, or copy it to a folder of your own."
        raise PhotoError("no-permission", message) from error
    except (OSError, ValueError) as error:
        message = "The file could not be read from where it is. Copy it to this computer and try again."
        raise PhotoError("unreadable", message) from error
    if not data:
        raise PhotoError("empty-file", "The file is empty. Copy or send the photo again.")
    if len(data) > max_bytes:
        message = f"The file is larger than {max_bytes / 1024**2:.3g} MB. Save the photo as a JPEG, or make it smaller."
        raise PhotoError("too-large-file", message)
    return data


def _read_outside(source: str | os.PathLike[str] | BinaryIO, limit: int) -> bytes:
    if not isinstance(source, (str, os.PathLike)):
        return _read_stream(source, limit, limit)
    status = os.stat(source)
    if stat.S_ISDIR(status.st_mode):
        raise PhotoError("not-a-file", "This is a folder, not a photo. Name the photo inside it.")
    if not stat.S_ISREG(status.st_mode):  # a pipe would block, a device never end
        raise PhotoError("not-a-file", "This is not an ordinary file. Save the photo as a file first.")
    with open(source, "rb", buffering=0) as stream:
        return _read_stream(stream, limit, status.st_size + 1)


def _read_stream(stream: BinaryIO, limit: int, at_once: int) -> bytes:
    """At most `limit` bytes, in reads of at most `at_once`: each read allocates that much memory, which takes long for many."""
    chunks: list[bytes] = []
    missing = limit
    while missing > 0 and (chunk := stream.read(min(missing, at_once))):  # a raw stream may give less than asked
        chunks.append(chunk)
        missing -= len(chunk)
    return b"".join(chunks)


# Formats

MOST_SCANS = 100
"""Most scans of a JPEG: a progressive one has about ten. Each decodes the whole picture, even if it is empty."""
_MOST_BOXES = 10_000
"""Most top-level boxes of a HEIC; a phone's has about five."""
_JPEG_MARKER = re.compile(rb"\xff([^\x00\xff\xd0-\xd7])")
_PROGRESSIVE, _SCAN, _END = b"\xc2", b"\xda", b"\xd9"

VIDEO = "a video"
"""The name for any video format."""
_FORMATS: tuple[tuple[Format | None, str, bytes], ...] = (
    ("JPEG", "a JPEG", rb"\xff\xd8\xff"),
    ("PNG", "a PNG", rb"\x89PNG\r\n\x1a\n"),
    ("GIF", "a GIF", rb"GIF8[79]a"),
    ("WebP", "a WebP", rb"RIFF.{4}WEBP"),
    (None, "an AVIF picture", rb".{4}ftyp(?:.{4}){0,12}?avi[fs]"),
    ("HEIC", "a HEIC", rb".{4}ftyp(?:hei[cxms]|hev[cxms]|m[is]f1)"),
    (None, "a raw camera file", rb".{4}ftypcrx |FUJIFILMCCD-RAW|II\*\0.{4}CR|IIRO|IIU\0"),
    (None, VIDEO, rb".{4}ftyp|.{4}(?:moov|mdat|wide)|\x1aE\xdf\xa3|RIFF.{4}AVI |\0\0\x01[\xb3\xba]|FLV\x01"),
    (None, "a TIFF or raw camera file", rb"II[*+]\0|MM\0[*+]"),
    (None, "a PDF document", rb"\s*%PDF-"),
    (None, "a BMP picture", rb"BM.{4}\0{4}"),
    (None, "a JPEG XL picture", rb"\xff\x0a|\0\0\0\x0cJXL "),
    (None, "a JPEG 2000 picture", rb"\0\0\0\x0cjP  |\xff\x4f\xff\x51"),
    (None, "a Photoshop file", rb"8BPS"),
    (None, "an icon", rb"\0\0[\x01\x02]\0[^\0]\0"),
    (None, "a drawing (SVG)", rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)?(?:<!DOCTYPE svg.*?>\s*)?<svg"),
    (None, "a web page", rb"(?i)\s*<(?:!doctype )?html"),
    (None, "a ZIP archive or office document", rb"PK\x03\x04"),
)
"""The format it is read as (None: not supported), its name, and a pattern for its first bytes. The first match counts."""


def looks_like(data: bytes) -> tuple[Format | None, str]:
    """A file's format by its first bytes, None if it is not read as a photo; and the format's name, empty if unknown."""
    head = data[:512]
    fits = ((kind, called) for kind, called, pattern in _FORMATS if re.match(pattern, head, re.DOTALL))
    return next(fits, (None, ""))


def _format(data: bytes) -> Format:
    kind, called = looks_like(data)
    if kind:
        return kind
    if called:
        message = (
            f"This is {called}, which is not read here. Save the photo as JPEG or PNG, or take a screenshot of it."
        )
        raise PhotoError("unsupported-format", message)
    raise PhotoError(
        "not-a-photo", "This file is not a picture, whatever its name says. Choose a JPEG, PNG, WebP or HEIC photo."
    )


def _jpeg(stream: BytesIO) -> ImageFile.ImageFile:
    if _scans(stream.getvalue()) > MOST_SCANS:
        message = "This JPEG is put together in a way that takes too long to read. Save it again, or take a screenshot."
        raise PhotoError("too-costly", message)
    return JpegImageFile(stream)


def _scans(jpeg: bytes) -> int:
    """The number of scans in the picture; counting stops at `MOST_SCANS` + 1."""
    scans = (marker for marker in _markers(jpeg) if marker == _SCAN)
    return sum(1 for _ in islice(scans, MOST_SCANS + 1))


def _markers(jpeg: bytes) -> Iterator[bytes]:
    """The markers of its segments, up to and including the end of the picture, or to the last one if it has no end."""
    at = 2
    while found := _JPEG_MARKER.search(jpeg, at):
        yield found[1]
        if found[1] == _END:
            return
        # Skip the segment or the scan's header; in entropy-coded data, the next match is the next marker.
        at = found.end() + max(2, int.from_bytes(jpeg[found.end() : found.end() + 2], "big"))


def _is_orderly(jpeg: bytes) -> bool:
    """Whether the picture is progressive, or only its end follows its first scan.

    A decoder that stops at the last row does not notice markers after it, which are a sign of damage; of a progressive picture
    it has to read all markers.
    """
    markers = _markers(jpeg)
    first = next((marker for marker in markers if marker in (_PROGRESSIVE, _SCAN)), None)
    return first == _PROGRESSIVE or (first == _SCAN and next(markers, None) == _END)


# Nearly every photo is a JPEG: the other decoders are imported only when needed, for a quick start.


def _png(stream: BytesIO) -> ImageFile.ImageFile:
    from PIL.PngImagePlugin import PngImageFile

    return PngImageFile(stream)


def _webp(stream: BytesIO) -> ImageFile.ImageFile:
    from PIL.WebPImagePlugin import WebPImageFile

    return WebPImageFile(stream)


def _gif(stream: BytesIO) -> ImageFile.ImageFile:
    from PIL.GifImagePlugin import GifImageFile

    return GifImageFile(stream)


def _heic(stream: BytesIO) -> ImageFile.ImageFile:
    # Its Pillow plugin is used without registering it for everyone.
    from pi_heif import HeifImageFile

    return cast("ImageFile.ImageFile", HeifImageFile(BytesIO(_without_metadata_links(stream.getvalue()))))


def _without_metadata_links(heic: bytes) -> bytes:
    """The same file without links to EXIF and XMP: neither is used here, and pi-heif (1.4.0) crashes on damaged ones.

    Raises:
        ValueError: it has `_MOST_BOXES` boxes or more.
    """
    parts: list[bytes] = []
    at = 0
    if sum(1 for _ in _boxes(heic)) == _MOST_BOXES:
        raise ValueError("more boxes than any photo has")
    for name, start, end in _boxes(heic):
        if name == b"meta":
            parts += [heic[at:start], heic[start:end].replace(b"cdsc", b"skip")]
            at = end
    return b"".join([*parts, heic[at:]])


# The classes themselves rather than Image.open, which has limits of its own and turns a JPEG into an MPO, whose second
# picture (depth, gain map) is not used here.
_OPENERS: dict[Format, Callable[[BytesIO], ImageFile.ImageFile]] = {
    "JPEG": _jpeg,
    "PNG": _png,
    "WebP": _webp,
    "GIF": _gif,
    "HEIC": _heic,
}

# Header


def _open(data: bytes, kind: Format) -> ImageFile.ImageFile:
    with _quiet():
        return _OPENERS[kind](BytesIO(data))


_QUIET = threading.Lock()


@contextmanager
def _quiet() -> Iterator[None]:
    """Silences Pillow's warnings about odd metadata, which do not concern a player. The filters are global, hence the lock."""
    with _QUIET, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextmanager
def _damage_named(data: bytes, kind: Format) -> Iterator[None]:
    """Turns whatever a decoder raises into a `PhotoError`."""
    try:
        yield
    except PhotoError:
        raise
    except Image.DecompressionBombError as error:
        raise PhotoError("too-many-pixels", "The photo is far too large. Make it smaller and try again.") from error
    except MemoryError as error:
        message = "Reading this photo takes too much memory. Save it again as an ordinary JPEG, or take a screenshot."
        raise PhotoError("too-costly", message) from error
    except Exception as error:  # decoders raise nearly every class there is on broken files
        if _is_cut_short(data, kind):
            message = "The photo is incomplete: its end is missing. Copy or send it again."
            raise PhotoError("truncated", message) from error
        raise PhotoError("damaged", "The photo is damaged. Copy or send it again, or take a new one.") from error


def _is_cut_short(data: bytes, kind: Format) -> bool:
    """Whether the end is missing. This only chooses the message for a file that failed to decode, so a guess is enough."""
    match kind:
        case "JPEG":
            return b"\xff\xd9" not in data[-64:]
        case "PNG":
            return b"IEND" not in data[-64:]
        case "GIF":
            return not data.rstrip(b"\0").endswith(b";")
        case "WebP":
            return len(data) < 8 + int.from_bytes(data[4:8], "little")
        case "HEIC":
            return max(end for _, _, end in _boxes(data)) > len(data)


def _boxes(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Type, start, end of the top-level boxes of an ISO media file (ISO 14496-12); the last may end beyond the data.

    No more than `_MOST_BOXES` of them.
    """
    start = 0
    for _ in range(_MOST_BOXES):
        if start + 8 > len(data):
            return
        size = int.from_bytes(data[start : start + 4], "big")
        if size == 1:
            size = int.from_bytes(data[start + 8 : start + 16], "big")
        end = start + size if size >= 8 else len(data)  # 0: up to the end of the file; less than 8: nonsense
        yield data[start + 4 : start + 8], start, end
        start = end


def _check_size(width: int, height: int, limits: Limits) -> None:
    if min(width, height) < limits.min_side:
        message = (
            f"The photo is only {width} x {height} pixels, too small to show a die. Send the original, not its preview."
        )
        raise PhotoError("too-small", message)
    if width * height > limits.max_pixels:
        found, most = width * height / 1e6, limits.max_pixels / 1e6
        message = f"The photo has {found:,.1f} megapixels; at most {most:.3g} are read. Make it smaller and try again."
        raise PhotoError("too-many-pixels", message)
    if max(width, height) > limits.max_aspect * min(width, height):
        message = f"The photo is a thin strip of {width} x {height} pixels. Send a photo that shows the whole table."
        raise PhotoError("too-narrow", message)


def _notes(image: ImageFile.ImageFile, kind: Format) -> tuple[Note, ...]:
    # Frames are never counted where that means walking through the file (GIF): a hostile one may have millions.
    if not getattr(image, "is_animated", False):
        return ()
    if kind == "HEIC":
        return (Note("first-frame", "The file holds several pictures; only the main one was read."),)
    return (Note("first-frame", "The picture is animated; only its first frame was read."),)


def _working_scale(long_side: int) -> int:
    return next((scale for scale in (4, 2) if long_side >= scale * WORKING_LONG_SIDE), 1)


# Pixels

_MODES = ("RGB", "L")
"""Colours of a JPEG that OpenCV decodes to the same values as Pillow."""
_REDUCED = {1: 0, 2: 16, 4: 32}
"""OpenCV's flags for a JPEG decoded at 1, 1/2 and 1/4 (`IMREAD_REDUCED_GRAYSCALE_2` and `_4`, which hold for colours, too)."""


def _decode(data: bytes, image: ImageFile.ImageFile, kind: Format, scale: int) -> tuple[Pixels, bool]:
    """The upright pixels of a file with the opened header `image`, and whether width and height were swapped."""
    orientation = _orientation(image, kind)
    pixels = _by_opencv(data, scale) if kind == "JPEG" and image.mode in _MODES else None
    if pixels is None:
        pixels = _by_pillow(image, scale)
    pixels = _turned(pixels, orientation)
    pixels.setflags(write=False)
    return pixels, orientation >= 5


def _by_opencv(jpeg: bytes, scale: int) -> Pixels | None:
    """The pixels of a JPEG, identical to Pillow's but decoded straight into an array; None where the file may be damaged.

    Pillow's decoder then reports what is wrong.
    """
    if not _is_orderly(jpeg):
        return None
    import cv2  # slow to import, and a rejected photo does not need it

    flags = cv2.IMREAD_COLOR_RGB | cv2.IMREAD_IGNORE_ORIENTATION | _REDUCED[scale]
    try:
        pixels = cv2.imdecode(np.frombuffer(jpeg, np.uint8), flags)
    except cv2.error:
        return None
    return None if pixels is None else np.asarray(pixels, np.uint8)


def _by_pillow(image: ImageFile.ImageFile, scale: int) -> Pixels:
    if scale > 1:
        image.draft(None, (image.width // scale, image.height // scale))
    image.load()
    colours = _to_rgb(image)
    if colours is not image:
        image.close()  # its pixels are no longer needed, and at 40 megapixels they are 160 MB
    return _array(colours)


def _turned(pixels: Pixels, orientation: int) -> Pixels:
    """The pixels turned as the EXIF orientation says (TIFF 6.0, tag 274): a copy, or the pixels themselves if already upright.

    Pillow's ImageOps.exif_transpose is not used: it also rewrites the metadata, and fails if they are damaged.
    """
    if orientation == 1:
        return pixels
    import cv2

    turned: dict[int, Callable[[], Any]] = {
        2: lambda: cv2.flip(pixels, 1),
        3: lambda: cv2.rotate(pixels, cv2.ROTATE_180),
        4: lambda: cv2.flip(pixels, 0),
        5: lambda: cv2.transpose(pixels),
        6: lambda: cv2.rotate(pixels, cv2.ROTATE_90_CLOCKWISE),
        7: lambda: cv2.rotate(cv2.transpose(pixels), cv2.ROTATE_180),
        8: lambda: cv2.rotate(pixels, cv2.ROTATE_90_COUNTERCLOCKWISE),
    }
    return np.asarray(turned[orientation](), np.uint8)


_STRIP = 64
"""Rows of a picture that are copied at once: few enough to stay in the processor's cache."""


def _array(image: Image.Image) -> Pixels:
    """The pixels of an RGB image, copied in strips: NumPy's own conversion makes two more copies of the whole picture."""
    pixels = np.empty((image.height, image.width, 3), np.uint8)
    for top in range(0, image.height, _STRIP):
        strip = image.crop((0, top, image.width, min(top + _STRIP, image.height)))
        pixels[top : top + _STRIP] = np.asarray(strip)
    return pixels


def _orientation(image: ImageFile.ImageFile, kind: Format) -> int:
    """The EXIF orientation, 1 to 8; 1 where it cannot be read, for the picture still can."""
    if kind == "HEIC":  # libheif has already applied the file's irot and imir, and EXIF only repeats these
        return 1
    try:
        with _quiet():
            value: Any = image.getexif().get(ExifTags.Base.Orientation)
            return int(value) if value in range(2, 9) else 1
    except Exception:  # damaged metadata raise nearly every class there is
        return 1


def _to_rgb(image: Image.Image) -> Image.Image:
    if image.mode.startswith("I"):
        # 16 bit: the upper byte. Pillow's own conversion has clipped at 255 in some versions.
        samples = np.asarray(image).astype(np.uint16)
        return Image.fromarray((samples >> 8).astype(np.uint8)).convert("RGB")
    if not image.has_transparency_data:
        return _in_mode(image, "RGB")
    layer = _in_mode(image, "RGBA")
    flat = Image.new("RGB", layer.size, BACKDROP)
    flat.paste(layer, mask=layer)
    return flat


def _in_mode(image: Image.Image, mode: str) -> Image.Image:
    """The image in a mode; the same object if it already is: Pillow would copy it, which at 40 megapixels is 160 MB."""
    return image if image.mode == mode else image.convert(mode)
