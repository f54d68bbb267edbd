"""A contact sheet: the first pictures of a folder of renders, small, with their labels drawn in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont

_GREY = (150, 150, 150)
COLOURS = {"d6": (60, 255, 80), "d12": (255, 170, 40), "domino": (40, 220, 255), "other die": _GREY, "other": _GREY}
"""The outline colour of each kind."""


def contact_sheet(folder: Path, most: int = 48, columns: int = 6, side: int = 320) -> Path:
    """Draw the first `most` labelled pictures of `folder`, each in a square of `side` pixels, into `folder/contact.png`.

    Raises:
        FileNotFoundError: there is no labelled picture.
    """
    labels = sorted((folder / "labels").glob("*.json"))[:most]
    if not labels:
        raise FileNotFoundError(f"no labelled picture in {folder}")
    columns = min(columns, len(labels))
    sheet = Image.new("RGB", (columns * side, -(-len(labels) // columns) * side), (30, 30, 30))
    for k, label in enumerate(labels):
        sheet.paste(_labelled(folder, label, side - 4), (k % columns * side, k // columns * side))
    target = folder / "contact.png"
    unfinished = folder / "contact.png.part"
    sheet.save(unfinished, "PNG")
    unfinished.replace(target)
    return target


def caption(piece: dict[str, Any]) -> str:
    """A piece's value as a short text: "5", "3|6", "back", "?" for a cocked die, "" for look-alikes."""
    if piece["kind"] in ("other", "other die"):
        return ""
    if piece["kind"] == "domino":
        first, second = piece["ends"]
        return "back" if first is None else f"{first}|{second}"
    return "?" if piece["value"] is None else str(piece["value"])


def _labelled(folder: Path, label: Path, side: int) -> Image.Image:
    scene = json.loads(label.read_text())
    picture = Image.open(folder / "images" / f"{label.stem}.jpg").convert("RGB")
    factor = side / max(picture.size)
    picture = picture.resize((round(picture.width * factor), round(picture.height * factor)))
    draw = ImageDraw.Draw(picture)
    for piece in scene["pieces"]:
        _outline(draw, piece, factor)
    draw.text((4, 2), label.stem, fill=(255, 255, 0), font=ImageFont.load_default(11), stroke_width=1, stroke_fill=0)
    return picture


def _outline(draw: ImageDraw.ImageDraw, piece: dict[str, Any], factor: float) -> None:
    corners = [(x * factor, y * factor) for x, y in piece["quad"]]
    draw.line(
        [*corners, corners[0]], fill=COLOURS[piece["kind"]], width=1 if piece["kind"] in ("other", "other die") else 2
    )
    # The side that a domino's ends are counted from.
    if piece["kind"] == "domino":
        draw.line([corners[0], corners[3]], fill=(255, 60, 60), width=2)
    at = (min(x for x, _ in corners), min(y for _, y in corners) - 13)
    font = ImageFont.load_default(12)
    draw.text(at, caption(piece), fill=(255, 255, 255), font=font, stroke_width=1, stroke_fill=(0, 0, 0))
