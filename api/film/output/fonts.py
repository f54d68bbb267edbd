"""The font of what is drawn into films: Pillow's own, which knows the letters of English, or an installed one.

An installed one is taken for a text, such as a name, that has other letters.
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
"""Files that Pillow finds in the font folders of Linux, macOS and Windows, the plainest first."""
_TRIED = 24
"""Size at which it is tried whether a font has a letter."""
_NO_LETTER = "\U0010fffe"
"""No font has it: it looks like every letter that a font lacks."""

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


def font_for(text: str, size: float) -> Font:
    """The first font that has all letters of a text, or else most of them: an emoji need not cost a name its accents."""
    return _opened(_best_for(text), size) or ImageFont.load_default(size)


def _best_for(text: str) -> str | None:
    letters = {letter for letter in text if not letter.isspace()}
    names = (None, *INSTALLED)
    for name in names:
        if all(_has(name, letter) for letter in letters):
            return name
    bases = [letter for letter in letters if not category(letter).startswith("M")]  # a font of marks alone is none
    return max(names, key=lambda name: sum(_has(name, letter) for letter in bases))


def direction_of(font: Font) -> str | None:
    """The direction of an English sentence that may begin with an Arabic or Hebrew name; None: the font knows no other."""
    shapes = isinstance(font, ImageFont.FreeTypeFont) and font.layout_engine == ImageFont.Layout.RAQM
    return "ltr" if shapes else None


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
