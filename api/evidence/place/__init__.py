"""Strips metadata such as location from photos, keeping the compressed picture byte for byte.

    stored = without_place(upload)          before it is hashed, read and stored

Phones write place, time and device into photos, often with a thumbnail or a short film. None of it is needed to read dice,
all of it would be visible to everyone in the game, and a photo in the evidence must keep its bytes for its hash. So it is
removed once, when the photo arrives; the rest is hashed, read, stored and served. The compressed picture is untouched: no
pixel changes. Orientation and colour profile are kept.
"""

from __future__ import annotations

from collections.abc import Callable

from api.evidence.place import gif, heic, jpeg, png, webp
from vision.photo import PhotoError

_KINDS: tuple[tuple[Callable[[bytes], bool], Callable[[bytes], bytes]], ...] = (
    (jpeg.is_one, jpeg.bare),
    (png.is_one, png.bare),
    (webp.is_one, webp.bare),
    (gif.is_one, gif.bare),
    (heic.is_one, heic.bare),
)


def without_place(data: bytes) -> bytes:
    """The photo without EXIF, XMP, IPTC, comments, and data after the picture.

    Idempotent. The orientation is kept, in an EXIF block of its own.

    Args:
        data: a JPEG, PNG, WebP, GIF or HEIC; anything else is returned unchanged, for `vision.photo.load` to refuse.

    Raises:
        PhotoError: "damaged": its structure is invalid, so its contents cannot be determined.
    """
    bare = next((bare for is_one, bare in _KINDS if is_one(data)), None)
    if bare is None:
        return data
    try:
        return bare(data)
    except (IndexError, ValueError) as error:
        raise PhotoError("damaged", "The photo is damaged. Copy or send it again, or take a new one.") from error
