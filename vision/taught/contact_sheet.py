"""Pictures for people: a contact sheet of a profile's pieces, and a photo with its pieces numbered."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

from vision.detect.boxes import Detection
from vision.photo import Photo
from vision.taught.profile import Profile

_CELL, _TEXT, _ACROSS = 176, 22, 6
_PAPER, _INK, _LINE = (255, 255, 255), (0, 0, 0), (0, 114, 178)


def contact_sheet(profile: Profile) -> Image.Image:
    """Every piece with its number and its label.

    Raises:
        InvalidProfile: a picture cannot be read.
    """
    across = max(1, min(_ACROSS, len(profile.pieces)))
    rows = -(-len(profile.pieces) // across)
    sheet = Image.new("RGB", (across * _CELL, max(1, rows) * (_CELL + _TEXT)), _PAPER)
    draw, font = ImageDraw.Draw(sheet), ImageFont.load_default(_TEXT * 0.7)
    for at, piece in enumerate(profile.pieces):
        left, top = at % across * _CELL, at // across * (_CELL + _TEXT)
        picture = Image.fromarray(piece.pixels())
        picture.thumbnail((_CELL, _CELL))
        sheet.paste(picture, (left + (_CELL - picture.width) // 2, top))
        draw.text((left + 4, top + _CELL + 2), f"{at + 1}: {piece.said}", fill=_INK, font=font)
    return sheet


def numbered(photo: Photo, pieces: Sequence[Detection]) -> Image.Image:
    """The photo with a number beside each piece, counted from 1."""
    picture = Image.fromarray(photo.pixels)
    draw = ImageDraw.Draw(picture)
    size = max(14, max(picture.size) // 40)
    font = ImageFont.load_default(size)
    for number, piece in enumerate(pieces, 1):
        draw.polygon(list(piece.corners), outline=_LINE, width=max(2, size // 8))
        place = (piece.left, max(0.0, piece.top - size * 1.2))
        draw.rectangle(draw.textbbox(place, str(number), font=font), fill=_LINE)
        draw.text(place, str(number), fill=_PAPER, font=font)
    return picture
