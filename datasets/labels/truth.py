"""The ground truth of evaluation photos, in one form for every kind of folder.

`load` recognises the kind of folder; ../shared/photos/README.md says what the photos show:

    dice-dev      `dev.json`: values without places; dice-dev-2 likewise
    domino-dev    `board.json` (ends and corners), `mixed.json` (ends and centres) and `crops/AxB/`, one tile a picture; or one of
                  the three sub-folders alone
    d12-crops     `1/` … `12/`: one cut-out die per picture
    d12-dev       `index.csv`: values of twelve-sided dice without places; and dice of other shapes, which are no pieces
    backgrounds   `index.csv`: no piece on the table. Only the photos that `photos.held_out` keeps from training
    renders       `labels/K.json` and `images/K.*` as `python -m datasets.generate.blender` writes them. Give renders
                  of a seed that no network learned from
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from datasets.labels.photos import MEASURED, held_out
from vision.detect.boxes import Kind
from vision.reading import Point, Quad

Face = tuple[int, ...]
"""What a piece shows: a die's value, a tile's two ends with the lower first, nothing for a tile that lies face down."""
DOWN: Face = ()

_ORNAMENTAL = ("BartekBanachowicz+dice-value-recognition",)
"""Sources of `d12-dev` whose dice are ornamental, some of them beside other dice."""
_WITH_PIPS = {f"{_ORNAMENTAL[0]}/sets_7.jpg": 4, f"{_ORNAMENTAL[0]}/sets_8.jpg": 2}
"""Photos of `d12-dev` that also show a die with pips missing from the labels, and its value, checked by eye."""
_PICTURES = (".jpg", ".jpeg", ".png")
_SIDE = 17
"""Pixels of the shorter side of a rendered piece's box below which it need not be read."""
_SEEN = {"d6": 0.7, "d12": 0.7, "domino": 0.9}
"""Visible share of a rendered piece's top from which it must be read; of a tile nearly all, for a third may be a whole end's
pips."""

_CONTRAST = 4.0
"""Levels of 255 by which the marks of a drawn piece must change the picture, if its labels give that contrast; it must also
exceed the noise there."""
_OUTSIDE = 0.1
"""Distance of a rendered tile's corner outside the picture, in the tile's widths, from which the tile counts as cut off."""


class UnknownFolderError(ValueError):
    """The folder is of no known kind."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A die or a tile on the table, with its position in pixels if known. `outline`: four corners around it, in order."""

    kind: Kind
    face: Face
    centre: Point | None = None
    outline: Quad | None = None

    @property
    def placed(self) -> bool:
        """Whether the piece's position is known."""
        return self.centre is not None or self.outline is not None


@dataclass(frozen=True, slots=True)
class Truth:
    """The ground truth of one photo.

    `part` is the folder, or the part of it that is reported separately (`dice-dev`, `board`, …), `face_down` counts tiles that
    lie face down, `ambiguous` further unreadable pieces at unknown positions, `unclear` are unreadable pieces at known
    positions: both may be read as anything or not at all.
    """

    path: Path
    file: str
    part: str
    source: str
    pieces: tuple[Piece, ...]
    face_down: int = 0
    ambiguous: int = 0
    unclear: tuple[Piece, ...] = ()
    hard: bool = False
    same_camera_as_train: bool = False

    @property
    def dice(self) -> tuple[Piece, ...]:
        """The dice of all kinds."""
        return tuple(piece for piece in self.pieces if piece.kind != "domino")

    @property
    def tiles(self) -> tuple[Piece, ...]:
        """The tiles that lie face up."""
        return tuple(piece for piece in self.pieces if piece.kind == "domino")


def tile(first: int, second: int) -> Face:
    """The face of a tile, regardless of the order of its ends."""
    return min(first, second), max(first, second)


def label(face: Face) -> str:
    """A face as text: `4`, `2-5`, `face-down`."""
    return "-".join(map(str, face)) or "face-down"


def load(folder: Path) -> list[Truth]:
    """The ground truth of every photo of a folder.

    Raises:
        UnknownFolderError: the folder is of no known kind, or holds no photo.
    """
    folder = folder.resolve()
    found = next((list(read(folder)) for knows, read in _KINDS if knows(folder)), [])
    if not found:
        raise UnknownFolderError(
            f"{folder} holds nothing to measure on. Known are folders with dev.json (dice-dev, dice-dev-2), with board.json,"
            " mixed.json and crops (domino-dev, or one of these three), with sub-folders 1 to 12 (d12-crops), with labels/*.json"
            " (renders), and the folders d12-dev and backgrounds with their index.csv."
        )
    return found


# dice-dev and dice-dev-2


def _dice_dev(folder: Path) -> Iterator[Truth]:
    for entry in json.loads((folder / "dev.json").read_text()):
        yield Truth(
            path=folder / entry["file"],
            file=entry["file"],
            part=folder.name,
            source=entry["source"],
            pieces=tuple(Piece("d6", (value,)) for value in entry["d6"]),
            ambiguous=entry["ambiguous"],
            hard=entry["hard"],
            same_camera_as_train=entry["same_camera_as_train"],
        )


# domino-dev


def _is_domino_dev(folder: Path) -> bool:
    return (folder / "board.json").is_file() or (folder / "mixed.json").is_file()


def _domino_dev(folder: Path) -> Iterator[Truth]:
    for part, read in (("board", _board), ("mixed", _mixed), ("crops", _crops)):
        if (folder / part).is_dir():
            yield from read(folder / part)


def _is_part(folder: Path) -> bool:
    return folder.name in ("board", "mixed") and folder.with_suffix(".json").is_file()


def _part(folder: Path) -> Iterator[Truth]:
    return _board(folder) if folder.name == "board" else _mixed(folder)


def _board(folder: Path) -> Iterator[Truth]:
    for entry in json.loads(folder.with_suffix(".json").read_text()):
        pieces = tuple(Piece("domino", tile(*each["ends"]), outline=_quad(each["quad"])) for each in entry["tiles"])
        yield Truth(folder.parent / entry["file"], entry["file"], "board", entry["source"], pieces)


def _mixed(folder: Path) -> Iterator[Truth]:
    for entry in json.loads(folder.with_suffix(".json").read_text()):
        path = folder.parent / entry["file"]
        yield Truth(
            path=path,
            file=entry["file"],
            part="mixed",
            source=entry["source"],
            pieces=_centred(entry, *_size(path)),
            face_down=entry["face_down"],
            ambiguous=entry["ambiguous"],
            hard=entry["hard"],
        )


def _centred(entry: Mapping[str, Any], width: int, height: int) -> tuple[Piece, ...]:
    """The tiles with their centres, given as fractions of the sides; without centres if those do not match the tiles."""
    centres = [Piece("domino", _ends(name, "-"), (x * width, y * height)) for x, y, name in entry["tile_centres"]]
    if sorted(piece.face for piece in centres) == sorted(_ends(name, "-") for name in entry["tiles"]):
        return tuple(centres)
    return tuple(Piece("domino", _ends(name, "-")) for name in entry["tiles"])


def _is_crops(folder: Path) -> bool:
    return any(_pictures(child) for child in folder.glob("[0-9]*x[0-9]*"))


def _crops(folder: Path) -> Iterator[Truth]:
    for child in sorted(folder.glob("[0-9]*x[0-9]*")):
        for path in _pictures(child):
            piece = Piece("domino", _ends(child.name, "x"), outline=_whole(path))
            yield Truth(path, f"{folder.name}/{child.name}/{path.name}", "crops", "crops", (piece,))


def _ends(name: str, between: str) -> Face:
    first, second = name.split(between)
    return tile(int(first), int(second))


# d12-crops


def _is_d12_crops(folder: Path) -> bool:
    return all((folder / str(value)).is_dir() for value in range(1, 13))


def _d12_crops(folder: Path) -> Iterator[Truth]:
    for value in range(1, 13):
        for path in _pictures(folder / str(value)):
            piece = Piece("d12", (value,), outline=_whole(path))
            yield Truth(path, f"{value}/{path.name}", "d12-crops", f"run {path.name[:6]}", (piece,))


# d12-dev


def _is_d12_dev(folder: Path) -> bool:
    # By its name: folders of training photos have an index.csv too.
    return folder.name == "d12-dev" and (folder / "index.csv").is_file()


def _d12_dev(folder: Path) -> Iterator[Truth]:
    for row in _index(folder):
        yield _d12_photo(folder / row["file"], row["file"], row["label"])


def _d12_photo(path: Path, file: str, text: str) -> Truth:
    """A label is `d12=7`, `numeral d6=3`, `D20 (other die)`: only the first names a piece."""
    repository = Path(file).parts[0]
    kind, _, value = text.partition("=")
    if kind != "d12":
        return Truth(path, file, "other dice", kind.removesuffix(" (other die)"), ())
    cut = path.name.startswith("crop_")
    piece = Piece("d12", (int(value),), outline=_whole(path) if cut else None)
    part = "ornamental" if repository in _ORNAMENTAL else "plain, cut out" if cut else "plain"
    beside = (Piece("d6", (_WITH_PIPS[file],)),) if file in _WITH_PIPS else ()
    return Truth(path, file, part, repository, (piece, *beside))


def _index(folder: Path) -> Iterator[dict[str, str]]:
    with (folder / "index.csv").open(encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines)


# backgrounds


def _is_backgrounds(folder: Path) -> bool:
    return folder.name == "backgrounds" and (folder / "index.csv").is_file()


def _backgrounds(folder: Path) -> Iterator[Truth]:
    for row in _index(folder):
        path = folder / row["file"]
        if held_out(path.name, MEASURED):
            yield Truth(path, row["file"], folder.name, Path(row["file"]).parts[0], ())


# Renders


def _is_renders(folder: Path) -> bool:
    return (folder / "labels").is_dir() and (folder / "images").is_dir()


def _renders(folder: Path) -> Iterator[Truth]:
    pictures = {path.stem: path for path in _pictures(folder / "images")}
    for labels in sorted((folder / "labels").glob("*.json")):
        if labels.stem in pictures:
            yield _render(pictures[labels.stem], json.loads(labels.read_text()))


def _render(path: Path, labels: Mapping[str, Any]) -> Truth:
    known = [each for each in labels["pieces"] if each["kind"] in _SEEN]
    down = [each for each in known if not each.get("face_up", True)]
    up = [each for each in known if each.get("face_up", True)]
    whole = [each for each in up if _readable(each) and not _leaves(each, labels)]
    return Truth(
        path=path,
        file=f"images/{path.name}",
        part="renders",
        source="renders",
        pieces=tuple(_rendered(each) for each in whole),
        face_down=len(down),
        unclear=tuple(_rendered(each) for each in up if each not in whole),
    )


def _readable(piece: Mapping[str, Any]) -> bool:
    left, top, right, bottom = piece["box"]
    large = min(right - left, bottom - top) >= _SIDE
    whole = piece["top_seen"] >= _SEEN[piece["kind"]] and not piece.get("cocked", False)
    return bool(large and whole and _shows(piece) and _rendered(piece).face)


def _shows(piece: Mapping[str, Any]) -> bool:
    """Whether the marks on its top are visible: neither overexposed nor hidden in noise."""
    contrast = piece.get("contrast", 255.0)
    return bool(contrast >= _CONTRAST and contrast > piece.get("noise", 0.0))


def _leaves(piece: Mapping[str, Any], labels: Mapping[str, Any]) -> bool:
    """Whether a tile extends outside the picture: such a tile need not be counted."""
    quad = piece.get("quad") if piece["kind"] == "domino" else None
    if not quad:
        return False
    width, height = labels["width"], labels["height"]
    most = _OUTSIDE * min(math.dist(quad[0], quad[1]), math.dist(quad[1], quad[2]))
    return any(max(-x, -y, x - width, y - height) > most for x, y in quad)


def _rendered(piece: Mapping[str, Any]) -> Piece:
    left, top, right, bottom = piece["box"]
    upright = [(left, top), (right, top), (right, bottom), (left, bottom)]
    tiled = piece["kind"] == "domino"
    shown = piece["ends"] if tiled else [piece["value"]]
    # A leaning die has no value in the labels.
    face = DOWN if None in shown else tuple(sorted(shown))
    return Piece(piece["kind"], face, outline=_quad((tiled and piece.get("quad")) or upright))


# Shared


def _quad(points: Any) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return a, b, c, d


def _pictures(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*") if path.suffix.lower() in _PICTURES)


def _size(path: Path) -> tuple[int, int]:
    with Image.open(path) as image:
        return image.size


def _whole(path: Path) -> Quad:
    """The picture's own corners: the best known outline of a piece that fills its picture."""
    width, height = _size(path)
    return _quad([(0, 0), (width, 0), (width, height), (0, height)])


_KINDS: tuple[tuple[Callable[[Path], bool], Callable[[Path], Iterator[Truth]]], ...] = (
    (lambda folder: (folder / "dev.json").is_file(), _dice_dev),
    (_is_domino_dev, _domino_dev),
    (_is_part, _part),
    (_is_renders, _renders),
    (_is_d12_crops, _d12_crops),
    (_is_crops, _crops),
    (_is_d12_dev, _d12_dev),
    (_is_backgrounds, _backgrounds),
)
