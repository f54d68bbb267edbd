"""Photos that cost much to read."""

from __future__ import annotations

from functools import cache
from io import BytesIO

from PIL import Image


@cache
def large_photo(megapixels: int = 8) -> bytes:
    """Some kilobytes; to read them once more from nearer takes half a second or more."""
    data = BytesIO()
    Image.new("RGB", (megapixels * 400, 2500), "green").save(data, "PNG")
    return data.getvalue()
