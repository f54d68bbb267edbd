"""When a photo was taken, according to its EXIF; read before the metadata is removed."""

from __future__ import annotations

from datetime import datetime
from io import BytesIO

from PIL import ExifTags, Image

_LONGEST = 40


def taken_at(data: bytes) -> str:
    """When the photo was taken, ISO 8601 with time zone; empty if it does not say.

    A time without a zone is taken as in this computer's zone. Photos are untrusted, and so are their clocks: this is a reason
    to ask, not a proof.

    Args:
        data: a photo that `vision.photo.load` has accepted.
    """
    try:
        with Image.open(BytesIO(data)) as picture:
            block = picture.getexif().get_ifd(ExifTags.IFD.Exif)
    except Exception:  # EXIF may be damaged in any way, and the photo is valid without it
        return ""
    at, zone = (block.get(tag) for tag in (ExifTags.Base.DateTimeOriginal, ExifTags.Base.OffsetTimeOriginal))
    return _parsed(at, zone if isinstance(zone, str) else "")


def _parsed(at: object, zone: str) -> str:
    if not isinstance(at, str) or len(at) + len(zone) > _LONGEST:
        return ""
    date, _, time = at.strip("\0 ").partition(" ")
    try:
        return (
            datetime.fromisoformat(f"{date.replace(':', '-')}T{time}{zone.strip(chr(0) + ' ')}")
            .astimezone()
            .isoformat()
        )
    except (ValueError, OverflowError, OSError):
        return ""
