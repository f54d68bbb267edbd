"""The one thing of EXIF that is kept: which side of the photo is up."""

from __future__ import annotations

from PIL import ExifTags, Image

_UPRIGHT = 1


def orientation(block: bytes) -> int:
    """The orientation (TIFF 6.0, tag 274, 1 to 8) that a TIFF block names; 1 where it names none or is damaged."""
    exif = Image.Exif()
    try:
        exif.load(block)
        value = exif.get(ExifTags.Base.Orientation, _UPRIGHT)
        return value if isinstance(value, int) and 1 <= value <= 8 else _UPRIGHT
    except Exception:  # damaged metadata raise nearly every class there is
        return _UPRIGHT


def block_of(value: int) -> bytes:
    """A TIFF block (TIFF 6.0, section 2) that names this orientation; empty for an upright photo, which needs none."""
    if value == _UPRIGHT:
        return b""
    entry = b"\x01\x12\x00\x03\x00\x00\x00\x01" + value.to_bytes(2, "big") + b"\x00\x00"
    return b"MM\x00\x2a\x00\x00\x00\x08\x00\x01" + entry + b"\x00\x00\x00\x00"
