"""Photos that cost much to read."""

from __future__ import annotations

from functools import cache
from io import BytesIO

from PIL import Image


@cache
def large_photo(megapixels: int) -> bytes:
    """Some kilobytes; to look at 95 megapixels once more from nearer takes some two seconds of a core."""
    data = BytesIO()
    Image.new("RGB", (megapixels * 400, 2500), "green").save(data, "PNG")
    return data.getvalue()
