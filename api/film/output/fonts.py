"""The font for text in films: Pillow's own, which covers English, or an installed one.

An installed font is used for text, such as a name, that has other letters.
"""

from __future__ import annotations

from functools import cache
from unicodedata import category

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
"""Font files that Pillow finds in the font folders of Linux, macOS and Windows, the plainest first."""
_TRIED = 24
"""Font size at which fonts are checked for a letter."""
_NO_LETTER = "\U0010fffe"
"""A character that no font has: it is drawn like every missing letter."""

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


def font_for(text: str, size: float) -> Font:
    """The first font that has all letters of a text, or else most of them: an emoji does not cost a name its accents."""
    return _opened(_best_for(text), size) or ImageFont.load_default(size)


def _best_for(text: str) -> str | None:
    letters = {letter for letter in text if not letter.isspace()}
    names = (None, *INSTALLED)
    for name in names:
        if all(_has(name, letter) for letter in letters):
            return name
    bases = [letter for letter in letters if not category(letter).startswith("M")]  # combining marks are not enough
    return max(names, key=lambda name: sum(_has(name, letter) for letter in bases))


def direction_of(font: Font) -> str | None:
    """The text direction of an English sentence that may begin with an Arabic or Hebrew name; None: not supported by the font."""
    shapes = isinstance(font, ImageFont.FreeTypeFont) and font.layout_engine == ImageFont.Layout.RAQM
    return "ltr" if shapes else None


@cache
def _has(name: str | None, letter: str) -> bool:
    font = _opened(name, _TRIED)
    return font is not None and bytes(font.getmask(letter)) != bytes(font.getmask(_NO_LETTER))


@cache
def _opened(name: str | None, size: float) -> Font | None:
    """The font in a file, if it exists; Pillow's own without a name."""
    if name is None:
        return ImageFont.load_default(size)
    try:
        return ImageFont.truetype(name, size)
    except OSError:
        return None
