"""A photo read: locate the pieces, read every face, doubt what is not certain."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from models import Manifest, load_manifest
from vision.candidate import Calibration, Candidate
from vision.classify.colour import colour_of, odd_one_out
from vision.classify.dice import NUMERAL_VIEWS, Face, FaceReader
from vision.classify.tiles import TileFace, TileReader
from vision.detect.boxes import KINDS, Detection, Kind
from vision.detect.detector import LIKELY, Detector
from vision.detect.tiled import TiledDetector
from vision.doubts import doubts_of, maybe_tile, maybe_two_dice
from vision.photo import Photo, Pixels
from vision.reading import Die, Doubt, Reading, Tile
from vision.select import suppress_overlaps

_SMALL = {"d6": 90, "d12": 90, "domino": 150}
"""A piece with fewer pixels than this (longer side) is read from the full photo if the working picture was shrunk."""
NETWORKS: dict[Kind, str] = {"d6": "faces", "d12": "d12", "domino": "ends"}
"""The networks that read faces, by the kind of piece, as the manifest names them."""


class TableReader:
    """Reads photos of tables. Opening it loads the networks (some 100 ms); one reader serves any number of photos.

    `read` may be called from several threads.
    """

    _detector_class = Detector

    def __init__(self, manifest: Manifest | None = None, kinds: Collection[Kind] = KINDS) -> None:
        """Open the networks of `manifest`, by default the installed ones, to read pieces of some kinds, by default of all.

        Raises:
            models.ModelError: a network file is missing or damaged.
        """
        self._manifest = manifest or load_manifest()
        self._detector = self._detector_class(self._manifest["locator"], kinds)
        self._readers: dict[Kind, FaceReader | TileReader] = {
            "d6": FaceReader(self._manifest["faces"]),
            "d12": FaceReader(self._manifest["d12"], NUMERAL_VIEWS),
            "domino": TileReader(self._manifest["ends"]),
        }
        self._calibrations = {kind: Calibration.of(self._manifest[name].calibration) for kind, name in NETWORKS.items()}

    def read(self, photo: Photo) -> Reading:
        """Every die and tile in the photo with what it shows, and the doubts."""
        start = time.perf_counter()
        detections = self._detector.detect(photo.pixels)
        located = time.perf_counter()
        reading = self.reading(photo, self._read_faces(photo, detections))
        end = time.perf_counter()
        spent = {"locate": located - start, "read": end - located, "total": end - start}
        return replace(reading, timings_ms={name: 1000 * seconds for name, seconds in spent.items()})

    def reading(self, photo: Photo, candidates: Sequence[Candidate]) -> Reading:
        """What the candidates make together: of those that cover each other the likeliest, as pieces, and the doubts.

        The second half of `read`, for callers that have sampled a table more than once; it costs next to nothing. `photo`
        gives the colours, and where the picture ends.
        """
        kept = suppress_overlaps(candidates)
        pieces = _in_reading_order([candidate for candidate in kept if candidate.is_piece])
        rejected = [candidate for candidate in kept if not candidate.is_piece]
        outdone = [candidate for candidate in candidates if candidate.kind != "domino" and candidate not in kept]
        dice, tiles = [p for p in pieces if p.kind != "domino"], [p for p in pieces if p.kind == "domino"]
        odd, close_call = _starter(photo, dice)
        doubts = [
            *doubts_of(photo, dice, tiles, rejected),
            *maybe_two_dice(tiles, outdone),
            *maybe_tile(dice, candidates),
            *close_call,
        ]
        return Reading(
            photo=photo.name,
            sha256=photo.sha256,
            width=photo.width,
            height=photo.height,
            dice=tuple(_die(photo, die, starter=i == odd) for i, die in enumerate(dice)),
            tiles=tuple(_tile(photo, tile) for tile in tiles),
            doubts=tuple(doubts),
            models=self._manifest.hashes,
            timings_ms={},
        )

    def candidates(self, photo: Photo) -> list[Candidate]:
        """Every detection with its face, before one of each is kept: what calibration looks at."""
        return self._read_faces(photo, self._detector.detect(photo.pixels))

    def candidates_near(self, photo: Photo, known: Sequence[Candidate]) -> list[Candidate]:
        """The same of a table that was looked at a moment ago, from what was found then; as `Detector.detect_near`."""
        return self._read_faces(photo, self._detector.detect_near(photo.pixels, [each.detection for each in known]))

    def candidates_fast(self, photo: Photo, turn: int) -> list[Candidate]:
        """The same for less, and less surely; as `Detector.detect_fast`."""
        detections = self._detector.detect_fast(photo.pixels, turn)
        return self._read_faces(photo, [detection for detection in detections if detection.score >= LIKELY])

    def _read_faces(self, photo: Photo, detections: Sequence[Detection]) -> list[Candidate]:
        full = functools.cache(photo.full)  # decoded at most once, and only if a small piece asks for it
        candidates = []
        for kind in KINDS:
            mine = [way for detection in detections if detection.kind == kind for way in detection.either_way]
            reader = self._readers[kind]
            faces: Sequence[Face | TileFace] = reader.read([_sharpest(photo, detection, full) for detection in mine])
            candidates += [
                Candidate(detection, face, self._calibrations[kind])
                for detection, face in zip(mine, faces, strict=True)
            ]
        return candidates


class TiledReader(TableReader):
    """Reads photos as `TableReader` does, with a detector that sees the photo part by part; four times as slow or more."""

    _detector_class = TiledDetector


def _sharpest(photo: Photo, detection: Detection, full: Callable[[], Pixels]) -> tuple[Pixels, Detection]:
    """The picture with the most pixels worth having for this detection, and the detection in that picture's pixels."""
    if photo.scale == 1 or max(detection.width, detection.height) >= _SMALL[detection.kind]:
        return photo.pixels, detection
    return full(), detection.scaled(photo.scale)


def _in_reading_order(pieces: Sequence[Candidate]) -> list[Candidate]:
    """Rows from the top, each from left to right; a row is as high as half a piece."""
    rows: list[list[Candidate]] = []
    for piece in sorted(pieces, key=lambda piece: piece.detection.middle[1]):
        if rows and piece.detection.middle[1] - rows[-1][0].detection.middle[1] < piece.detection.height / 2:
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [piece for row in rows for piece in sorted(row, key=lambda piece: piece.detection.middle[0])]


def _starter(photo: Photo, dice: Sequence[Candidate]) -> tuple[int | None, list[Doubt]]:
    """Which die is the twelve-sided one of another colour than the others, and a doubt where colours are close."""
    places = [i for i, die in enumerate(dice) if die.kind == "d12"]
    odd, sure = odd_one_out(photo.pixels, [dice[i].detection for i in places])
    if odd is None:
        return None, []
    message = "This may be the starter, by its colour; another die is nearly as odd. Name the starter if it is not."
    return places[odd], [] if sure else [Doubt("starter", message, places[odd])]


def _die(photo: Photo, candidate: Candidate, *, starter: bool) -> Die:
    assert isinstance(candidate.face, Face)
    assert candidate.kind != "domino"
    return Die(
        value=candidate.face.ranked[0][0],
        confidence=candidate.confidence,
        alternatives=candidate.face.ranked,
        box=candidate.detection.scaled(photo.scale).corners,
        colour=colour_of(photo.pixels, candidate.detection),
        kind=candidate.kind,
        starter=starter,
    )


def _tile(photo: Photo, candidate: Candidate) -> Tile:
    assert isinstance(candidate.face, TileFace)
    ranked = () if candidate.face_down else candidate.face.ranked
    return Tile(
        ends=ranked[0][0] if ranked else (None, None),
        confidence=candidate.confidence,
        alternatives=ranked,
        box=candidate.detection.scaled(photo.scale).corners,
        face_up=not candidate.face_down,
    )
