"""Reads and writes EXIF orientation, the only part of EXIF that is kept."""

from __future__ import annotations

from PIL import ExifTags, Image

_UPRIGHT = 1


def orientation(block: bytes) -> int:
    """The orientation (TIFF 6.0, tag 274, 1 to 8) that a TIFF block names; 1 if missing or damaged."""
    exif = Image.Exif()
    try:
        exif.load(block)
        value = exif.get(ExifTags.Base.Orientation, _UPRIGHT)
        return value if isinstance(value, int) and 1 <= value <= 8 else _UPRIGHT
    except Exception:  # damaged metadata may raise almost any error
        return _UPRIGHT


def block_of(value: int) -> bytes:
    """A TIFF block (TIFF 6.0, section 2) with this orientation; empty for an upright photo."""
    if value == _UPRIGHT:
        return b""
    entry = b"\x01\x12\x00\x03\x00\x00\x00\x01" + value.to_bytes(2, "big") + b"\x00\x00"
    return b"MM\x00\x2a\x00\x00\x00\x08\x00\x01" + entry + b"\x00\x00\x00\x00"
