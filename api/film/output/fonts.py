"""The font of what is drawn into films: Pillow's own, which knows the letters of English, or an installed one.

An installed one is taken for a text, such as a name, that has other letters.
"""

from __future__ import annotations

from functools import cache

from PIL import ImageFont

INSTALLED = (
    "NotoSans-Regular.ttf",
    "DejaVuSans.ttf",
    "NotoSansCJK-Regular.ttc",
    "NotoSansArabic-Regular.ttf",
    "NotoNaskhArabic-Regular.ttf",
    "NotoSansHebrew-Regular.ttf",
    "NotoSansDevanagari-Regular.ttf",
    "NotoSansBengali-Regular.ttf",
    "NotoSansTamil-Regular.ttf",
    "NotoSansThai-Regular.ttf",
    "NotoSansGeorgian-Regular.ttf",
    "NotoSansArmenian-Regular.ttf",
    "DroidSansFallbackFull.ttf",
    "DroidSansFallback.ttf",
    "wqy-microhei.ttc",
    "FreeSans.ttf",
    "unifont.otf",
    "Arial Unicode.ttf",
    "PingFang.ttc",
    "Hiragino Sans GB.ttc",
    "AppleSDGothicNeo.ttc",
    "Kohinoor.ttc",
    "GeezaPro.ttc",
    "segoeui.ttf",
    "msyh.ttc",
    "msgothic.ttc",
    "malgun.ttf",
    "Nirmala.ttf",
    "LeelawUI.ttf",
)
"""Files that Pillow finds in the font folders of Linux, macOS and Windows, the plainest first."""
_TRIED = 24
"""Size at which it is tried whether a font has a letter."""
_NO_LETTER = "\U0010fffe"
"""No font has it: it looks like every letter that a font lacks."""

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


def font_for(text: str, size: float) -> Font:
    """A font that has all letters of a text; Pillow's own where none that is installed has them."""
    names = (None, *INSTALLED)
    return _opened(next((name for name in names if _has_all(name, text)), None), size) or ImageFont.load_default(size)


def _has_all(name: str | None, text: str) -> bool:
    return all(_has(name, letter) for letter in set(text) if not letter.isspace())


@cache
def _has(name: str | None, letter: str) -> bool:
    font = _opened(name, _TRIED)
    return font is not None and bytes(font.getmask(letter)) != bytes(font.getmask(_NO_LETTER))


@cache
def _opened(name: str | None, size: float) -> Font | None:
    """The font of a file, if there is one; Pillow's own without a name."""
    if name is None:
        return ImageFont.load_default(size)
    try:
        return ImageFont.truetype(name, size)
    except OSError:
        return None
