"""Photos without what tells where they were taken: the same picture, byte for byte, and nothing else.

    stored = without_place(upload)          before it is hashed, read and kept

A phone writes into each photo where and when it was taken, by which phone, and often a second, smaller copy or a short
film. None of it is needed to read dice, all of it would go to whoever sees the game, and a photo in the evidence must
keep its bytes for its hash. So it is taken out once, when the photo arrives; what is hashed, read, kept and served is
what is left. The compressed picture is not touched: no pixel changes. What stays beside it is what one needs to see it
as it was: which side is up, and the colour profile.
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
    """The photo without EXIF, XMP, IPTC, comments, and whatever follows the picture.

    Doing it twice is doing it once. The orientation stays, in an EXIF block with nothing else in it.

    Args:
        data: a JPEG, PNG, WebP, GIF or HEIC; anything else comes back as it is, for `vision.photo.load` to refuse.

    Raises:
        PhotoError: "damaged": its parts do not add up, so nobody could tell what is in them.
    """
    bare = next((bare for is_one, bare in _KINDS if is_one(data)), None)
    if bare is None:
        return data
    try:
        return bare(data)
    except (IndexError, ValueError) as error:
        raise PhotoError("damaged", "The photo is damaged. Copy or send it again, or take a new one.") from error
