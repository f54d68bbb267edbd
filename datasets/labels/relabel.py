"""`python -m datasets.labels.relabel DATA_DIR --out runs/corrected`: photos that people have corrected, as a labelled data set.

DATA_DIR is the data folder of `muggins serve --data DATA_DIR`. Every photo with a corrected reading is written with its corrected
labels, in the format of the renders, so that `python -m datasets.train … --renders runs/corrected` learns from it:

- a changed value is the corrected one; an uncorrected one counts as right, unless it is still in doubt: then its
  face is not used;
- a removed piece that does not lie on another one is a look-alike;
- an added piece is only a point, so it gets the outline of the likeliest detection there. A photo without a
  detection there is left out, for it would teach that the piece is background.

`--profile FILE…` writes the pieces of profiles of people's own dice (`muggins profiles export`) in the same format, each as a
picture.

Corrections are taken as ground truth. Check the pictures before you train on them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar

from PIL import ExifTags, Image

from api.interpret.corrections import corrected
from api.interpret.lessons import look_alikes
from api.store import Store, StoredReading
from api.store.folder import DATABASE
from models import load_manifest
from vision.classify.marks import MarkReader
from vision.classify.tiles import TileReader
from vision.detect.boxes import Detection, Outline, Shape
from vision.detect.detector import Detector
from vision.photo import Photo, load
from vision.reading import Die, Doubt, Point, Quad, Reading, Tile
from vision.taught.end_order import in_order
from vision.taught.negatives import load_negatives
from vision.taught.pieces import InvalidProfile, TaughtPiece
from vision.taught.profile import Profile
from vision.taught.profile import read as read_profile

_QUALITY = 95
_P = TypeVar("_P", bound=Die | Tile)


def main(arguments: Sequence[str] | None = None) -> None:
    """Write a picture and its labels for every photo that was corrected."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?", help="the folder given to `muggins serve --data`")
    parser.add_argument(
        "--profile", type=Path, nargs="+", default=[], help="profile files, whose pieces are written as pictures"
    )
    parser.add_argument("--database", help="postgresql+psycopg://…, if the games are not in the folder")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    if options.profile:
        try:
            profiles = [read_profile(path) for path in options.profile]
        except (InvalidProfile, OSError) as error:
            parser.error(f"cannot read a profile: {error}")
        pictures = sum(of_profile(profile, options.out) for profile in profiles)
        print(f"{pictures} pieces of profiles written to {options.out}")
    if options.data is None:
        if not options.profile:
            parser.error("name the folder of the games, or profiles with --profile")
        return
    if options.database is None and not (options.data / DATABASE).is_file():
        parser.error(f"no games in {options.data}")
    written, found = relabel(options.data, options.out, options.database)
    print(f"{written} of {found} corrected photos written to {options.out}; in the others an added piece was not found")


def relabel(data: Path, out: Path, database: str | None = None) -> tuple[int, int]:
    """Write the corrected photos; returns how many were written, and how many were corrected.

    Raises:
        StoreError: the stored games cannot be read.
    """
    for part in ("images", "labels"):
        (out / part).mkdir(parents=True, exist_ok=True)
    detector = Detector(load_manifest()["detector"])
    store = Store.open(database, data)
    try:
        readings = _corrected(store)
        return sum(_write(store, kept, detector, out) for kept in readings), len(readings)
    finally:
        store.close()


def of_profile(profile: Profile, out: Path) -> int:
    """Write each piece of a profile as a picture with its label; returns their number.

    The labels have the format of those of photos, so the same training uses both. A tile with an unknown order of its
    ends is left out.
    """
    for part in ("images", "labels"):
        (out / part).mkdir(parents=True, exist_ok=True)
    pieces = _in_order(profile)
    for piece in pieces:
        name = hashlib.sha256(piece.jpeg).hexdigest()[:24]
        height, width = piece.pixels().shape[:2]
        label = {key: value for key, value in piece.to_json().items() if key != "picture"}
        (out / "images" / f"{name}.jpg").write_bytes(piece.jpeg)
        told = {"width": width, "height": height, "pieces": [{**label, **_seen(piece.detection.corners, False)}]}
        (out / "labels" / f"{name}.json").write_text(json.dumps({**told, "photo": piece.photo}))
    return len(pieces)


def _in_order(profile: Profile) -> Sequence[TaughtPiece]:
    """The profile's pieces, with the ends of tiles ordered by their outlines."""
    if not any(piece.either for piece in profile.pieces):
        return profile.pieces
    manifest = load_manifest()
    tiles = TileReader(manifest["ends"], MarkReader(manifest["marks"]))
    return in_order(profile.pieces, tiles, load_negatives(manifest)["tile"])


def _corrected(store: Store) -> list[StoredReading]:
    """The last corrected reading of each photo."""
    oldest_first = reversed(list(store.every_game()))
    every = (kept for game in oldest_first for kept in store.readings_of(game.id) if kept.corrections)
    return list({kept.photo: kept for kept in every}.values())


def _write(store: Store, kept: StoredReading, detector: Detector, out: Path) -> bool:
    data = store.photos.get(kept.photo)
    photo = load(data)
    read = Reading.from_json(kept.reading)
    try:
        said = _outlined(read, corrected(read, kept.corrections), _Detections(detector, photo))
    except LookupError:
        return False
    name = kept.photo[:24]
    _write_picture(data, photo, out / "images" / f"{name}.jpg")
    labels = {"width": said.width, "height": said.height, "pieces": pieces(read, said), "photo": kept.photo}
    (out / "labels" / f"{name}.json").write_text(json.dumps(labels))
    return True


def _write_picture(data: bytes, photo: Photo, to: Path) -> None:
    """Write the original file if it is an upright JPEG, otherwise a new one: the labels refer to the upright picture."""
    if photo.format == "JPEG" and _is_upright(photo, data):
        to.write_bytes(data)
    else:
        Image.fromarray(photo.full()).save(to, "JPEG", quality=_QUALITY)


def _is_upright(photo: Photo, data: bytes) -> bool:
    with Image.open(BytesIO(data)) as image:
        return image.size == (photo.width, photo.height) and image.getexif().get(ExifTags.Base.Orientation, 1) == 1


# Where added pieces lie


class _Detections:
    """The detections in a photo, computed on first use; in pixels of the full photo."""

    def __init__(self, detector: Detector, photo: Photo) -> None:
        self._detector = detector
        self._photo = photo
        self._found: list[Detection] | None = None

    def at(self, place: Point, shape: Shape) -> Quad:
        """The likeliest outline of that shape around a point.

        Raises:
            LookupError: there is none.
        """
        if self._found is None:
            self._found = [
                detection.scaled(self._photo.scale) for detection in self._detector.detect(self._photo.pixels)
            ]
        x, y = place
        around = (f for f in self._found if f.shape == shape and f.left <= x <= f.right and f.top <= y <= f.bottom)
        likeliest = max(around, key=lambda detection: detection.score, default=None)
        if likeliest is None:
            raise LookupError("no detection where a piece was added")
        return likeliest.corners


def _outlined(read: Reading, said: Reading, detections: _Detections) -> Reading:
    """The corrected reading, with an outline for every added piece."""
    dice = tuple(_found(die, "die", read.dice, detections) for die in said.dice)
    tiles = tuple(_found(tile, "tile", read.tiles, detections) for tile in said.tiles)
    return replace(said, dice=dice, tiles=tiles)


def _found(piece: _P, shape: Shape, read: Sequence[Die] | Sequence[Tile], detections: _Detections) -> _P:
    if any(piece.box == other.box for other in read):
        return piece
    xs, ys = zip(*piece.box, strict=True)
    return replace(piece, box=detections.at((sum(xs) / 4, sum(ys) / 4), shape))


# Labels


def pieces(read: Reading, said: Reading) -> list[dict[str, Any]]:
    """The labels of a photo in the farm's format (`datasets.generate.blender`).

    Args:
        read: the networks' reading.
        said: the corrected reading.
    """
    dice = [_die(die, _in_doubt(said.doubts, "piece", at)) for at, die in enumerate(said.dice)]
    tiles = [_tile(tile, _in_doubt(said.doubts, "tile", at)) for at, tile in enumerate(said.tiles)]
    others = [{"kind": "other", "value": None, **_seen(box, False)} for box in look_alikes(read, said)]
    return [*dice, *tiles, *others]


def _in_doubt(doubts: Sequence[Doubt], kind: str, at: int) -> bool:
    return any(getattr(doubt, kind) == at for doubt in doubts)


def _die(die: Die, doubtful: bool) -> dict[str, Any]:
    return {"kind": die.kind, "value": die.value, **_seen(die.box, doubtful)}


def _tile(tile: Tile, doubtful: bool) -> dict[str, Any]:
    return {"kind": "domino", "ends": list(tile.ends), "face_up": tile.face_up, **_seen(tile.box, doubtful)}


def _seen(box: Quad, doubtful: bool) -> dict[str, Any]:
    """The labels of its place. The camera's angle is unknown, so it counts as low, and no crop of it is turned."""
    outline = Outline.around(box)
    return {
        "box": [outline.left, outline.top, outline.right, outline.bottom],
        "quad": [list(corner) for corner in box],
        "hidden": 0.0,
        "top_seen": 0.0 if doubtful else 1.0,
        "view": 0.0,
    }


if __name__ == "__main__":
    main()
