"""Reads a photo: detects the pieces, classifies every face, raises doubts about what is not certain."""

from __future__ import annotations

import copy
import functools
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from threading import Thread
from typing import TYPE_CHECKING, Self

from models import Manifest, load_manifest
from vision.candidate import Calibration, Candidate
from vision.classify.colour import colour_of, ground_of, odd_one_out
from vision.classify.crop_network import Seen
from vision.classify.dice import DIE_KINDS, ONLY_D6, DiceReader, Face
from vision.classify.marks import MarkReader
from vision.classify.outlines import OutlineReader
from vision.classify.pairs import PairReader
from vision.classify.sharpest import sharpest
from vision.classify.tiles import TileFace, TileReader
from vision.closer import is_same_tile, is_settled, may_be_same_tile
from vision.closer_look import CloserLook
from vision.detect.boxes import KINDS, Detection, Shape, median, overlap, without_duplicates
from vision.detect.detector import LIKELY, MIN_SCORE, WEAK, Detector, is_lone, outline
from vision.detect.tiled import TiledDetector
from vision.die_sizes import size
from vision.doubts import (
    dominoes_instead,
    doubts_of,
    doubts_of_blur,
    doubts_of_cut_off,
    doubts_of_number,
    doubts_of_slant,
    is_cut_off,
    leaves_picture,
    maybe_dice,
    maybe_tile,
    tiles_among_dice,
)
from vision.expected import Expected
from vision.flush_dice import PASSES, completed, end_boxes, lies_flush
from vision.levels import levelled
from vision.lone_piece import lone_tile, maybe_lone_tile
from vision.one_table import OneTable
from vision.photo import Photo, Pixels
from vision.reading import Die, DieKind, Doubt, Reading, Tile
from vision.select import in_reading_order
from vision.witness import Witness

if TYPE_CHECKING:
    from vision.taught.profile import Profile
    from vision.taught.taught import Taught

NETWORKS: dict[Shape, str] = {"die": "dice", "tile": "ends"}
"""The classifier for each shape, as the manifest names it."""
_MAY_COUNT = 0.3
"""Probability from which a tile may count once the other tiles of its set are known."""
_SEVERAL = 2
"""How many dominoes in a game of dice are reported as dominoes: a single one may be two dice that touch."""
_HALF = 0.5
"""The overlap, as a share of the smaller box, from which a die and half a tile are the same detection."""
_COVERS, _SIZES = 0.3, 0.4
"""For detections with a very low score: the overlap, as a share of the smaller box, from which it is no separate piece, and the
natural log of the size ratio from which it is no die of the same set."""
_SEEN = 0.5
"""The detection score of a die from which it is also tried as a tile: below, it may be any bright spot."""
_SQUARE = 1.4
"""Longer over shorter side of an upright box: below, a detected tile may be a die of a profile; above, a die may be a tile."""


class TableReader:
    """Reads photos of tables; one reader serves any number of photos.

    It opens the networks that every photo needs in the background (about 60 ms), others when a photo first needs them.

    `read` may be called from several threads.
    """

    _detector_class = Detector

    def __init__(
        self, manifest: Manifest | None = None, expected: Expected | None = None, *, checked: bool = True
    ) -> None:
        """Read with the networks of `manifest`, by default the installed ones.

        Args:
            manifest: lists the networks.
            expected: the pieces that are expected where `read` gets no argument of its own; None: all kinds, in any number.
            checked: compare the files of all networks with their hashes now, which takes about 20 ms. Otherwise each is compared
                when it is opened.

        Raises:
            models.ModelError: a network file is missing or damaged.
        """
        self._manifest = manifest or load_manifest()
        if checked:
            self._manifest.check()
        self._expected = expected
        self._detector = self._detector_class(self._manifest["detector"])
        self._witness = Witness(self._manifest["witness"])
        marks = MarkReader(self._manifest["marks"])
        self._dice = DiceReader(self._manifest, marks)
        self._outlines = OutlineReader(self._manifest["outlines"])
        self._tiles = TileReader(self._manifest["ends"], marks)
        self._pairs = PairReader(self._manifest["pairs"])
        self._taught: Taught | None = None
        self._profiles: dict[str, str] = {}
        self._calibrations = {name: Calibration.of(self._manifest[name].calibration) for name in NETWORKS.values()}
        Thread(target=self._open, name="opening networks").start()

    def _open(self) -> None:
        """Open the networks that every photo needs, in order of use. If that fails, reading a photo raises the error."""
        with suppress(Exception):
            self._detector.open()
            self._dice.open()

    def expecting(self, expected: Expected | None) -> Self:
        """This reader, with the same open networks, for photos with these expected pieces."""
        other = copy.copy(self)
        other._expected = expected
        return other

    def knowing(self, profiles: Sequence[Profile]) -> Self:
        """This reader, with the same open networks, for tables on which pieces of these profiles may lie.

        Raises:
            models.ModelError: the features that ship with the networks are missing, or belong to other networks.
            InvalidProfile: a picture of a profile cannot be read.
        """
        # Most photos are read without profiles, and this takes about ten milliseconds to import.
        from vision.taught.negatives import load_negatives
        from vision.taught.taught import Taught

        other = copy.copy(self)
        other._profiles = {profile.name: profile.sha256 for profile in profiles}
        negatives = load_negatives(self._manifest) if profiles else {}
        other._taught = Taught(profiles, self._dice, self._tiles, negatives) if profiles else None
        return other

    def with_taught(self, taught: Taught) -> Self:
        """This reader with profiles that were learned already; readings do not name them."""
        other = copy.copy(self)
        other._taught = taught
        return other

    @property
    def _min_score(self) -> float:
        """The detection score from which a detection is classified: lower with profiles, which may recognise weak ones."""
        return WEAK if self._taught else MIN_SCORE

    @property
    def contradicted(self) -> list[str]:
        """The labels in people's profiles that contradict networks which are sure of another answer."""
        return self._taught.contradicted() if self._taught else []

    def read(self, photo: Photo, expected: Expected | None = None) -> Reading:
        """Every die and tile in the photo with its value, and the doubts.

        `expected`: the pieces that the game expects on this table. Then only those are read, what looks like a domino in a game
        of dice is read as two dice, and a wrong number of pieces is a doubt.
        """
        start = time.perf_counter()
        seen = levelled(photo)
        detections = self._detected(seen, lone=True)
        detected = time.perf_counter()
        candidates = self._classify(seen, detections, expected)
        if is_lone(detections, max(seen.pixels.shape)) and not is_settled(candidates, seen.pixels):
            # It may be an object that holds a die, such as a cup: a second pass tells.
            detections = self._detected(seen)
            candidates = self._classify(seen, detections, expected)
        table = self.closer(seen, candidates, expected)
        # Colours are those of the original photo: contrast stretching would drive them apart.
        reading = self._with_dominoes_named(seen, self._reading(photo, table), detections)
        end = time.perf_counter()
        spent = {"detect": detected - start, "classify": end - detected, "total": end - start}
        return replace(reading, timings_ms={name: 1000 * seconds for name, seconds in spent.items()})

    def _detected(self, photo: Photo, *, lone: bool = False) -> list[Detection]:
        """All detections, low scores included; `lone`: as in `Detector.detect`."""
        detections = self._detector.detect(photo.pixels, min_score=self._min_score, lone=lone)
        return self._detector.with_large(photo.pixels, detections, self._min_score)

    def closer(self, photo: Photo, candidates: Sequence[Candidate], expected: Expected | None = None) -> OneTable:
        """The table after further passes for doubtful and missed pieces (`vision.closer_look`), and after a second detector was
        consulted where nothing is sure (`vision.witness`).
        """
        expected = expected or self._expected
        table = CloserLook(photo, self._detector, self._classify, expected).at(candidates)
        return self._witness.confirmed(photo.pixels, table)

    def reading(self, photo: Photo, candidates: Sequence[Candidate], expected: Expected | None = None) -> Reading:
        """The reading that the candidates make together: the likeliest where they overlap, as pieces, and the doubts.

        The second half of `read`, for callers that have sampled a table more than once; it takes hardly any time. `photo` is
        used for the colours and the picture's edges.
        """
        return self._reading(photo, OneTable(candidates, expected or self._expected))

    def _reading(self, photo: Photo, table: OneTable) -> Reading:
        expected, candidates, kept = table.expected, table.adjusted, table.kept
        cut_off = [candidate for candidate in kept if leaves_picture(photo, candidate)]
        whole = [candidate for candidate in kept if candidate not in cut_off]
        pieces = in_reading_order([candidate for candidate in whole if candidate.is_piece])
        rejected = [candidate for candidate in whole if not candidate.is_piece]
        outdone = [candidate for candidate in candidates if candidate.kind != "domino" and candidate not in kept]
        dice, tiles = [p for p in pieces if p.kind != "domino"], [p for p in pieces if p.kind == "domino"]
        odd, close_call = _starter(photo, dice)
        doubts = [
            *doubts_of(photo, dice, tiles, rejected, expected.looked_for if expected else KINDS),
            *doubts_of_cut_off(photo, cut_off),
            *(doubts_of_number(dice, tiles, expected) if expected else ()),
            *doubts_of_slant(tiles, expected),
            *maybe_dice(tiles, outdone),
            *maybe_tile(dice, candidates),
            *maybe_lone_tile(dice, candidates),
            *(() if expected else tiles_among_dice(dice, tiles)),
            *close_call,
        ]
        doubts += doubts_of_blur(photo, dice, tiles, doubts)
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
            profiles=self._profiles,
        )

    def _with_dominoes_named(self, photo: Photo, reading: Reading, detections: Sequence[Detection]) -> Reading:
        """The reading; if the number of dice is wrong because the pieces are dominoes, its doubt says so."""
        if not any(doubt.reason == "number" for doubt in reading.doubts) or reading.tiles:
            return reading
        anything = self.expecting(None)
        pieces = [each for each in OneTable(anything._classify(photo, detections)).kept if each.is_piece]
        dominoes = sum(each.kind == "domino" for each in pieces)
        if dominoes < _SEVERAL or 2 * dominoes <= len(pieces):
            return reading
        doubts = [dominoes_instead(dominoes) if doubt.reason == "number" else doubt for doubt in reading.doubts]
        return replace(reading, doubts=tuple(doubts))

    def candidates(
        self, photo: Photo, expected: Expected | None = None, *, always_twice: bool = True
    ) -> list[Candidate]:
        """Every detection with its face, before overlaps are suppressed, as calibration needs them; see `Detector.detect`."""
        return self._classify(
            photo, self._detector.detect(photo.pixels, always_twice=always_twice, min_score=self._min_score), expected
        )

    def seen(self, photo: Photo, candidates: Sequence[Candidate]) -> tuple[Seen, Seen]:
        """The classifiers' answers and features for the candidates: for the dice, and for both ends of the tiles."""
        full = functools.cache(photo.full)
        dice = [each.detection for each in candidates if each.kind != "domino"]
        tiles = [each.detection for each in candidates if each.kind == "domino"]
        return (
            self._dice.read_with_features([sharpest(photo, die, full) for die in dice])[1],
            self._tiles.read_with_features([sharpest(photo, tile, full) for tile in tiles])[1],
        )

    def faces(self, photo: Photo, boxes: Sequence[Detection], kinds: Collection[DieKind] = DIE_KINDS) -> list[Face]:
        """The dice network's answers for boxes in the working picture, for dice of `kinds`, without profiles."""
        full = functools.cache(photo.full)
        return self._dice.read([sharpest(photo, box, full) for box in boxes], kinds)

    def candidates_near(self, photo: Photo, known: Sequence[Candidate]) -> list[Candidate]:
        """The candidates of a table that was read a moment before, given those found then; see `Detector.detect_near`."""
        places = [each.detection for each in known]
        return self._classify(photo, self._detector.detect_near(photo.pixels, places, self._min_score))

    def candidates_fast(self, photo: Photo, turn: int) -> list[Candidate]:
        """The likely candidates, faster and less reliably than `candidates`; see `Detector.detect_fast`."""
        detections = self._detector.detect_fast(photo.pixels, turn)
        likely = [detection for detection in detections if detection.score >= LIKELY]
        return self._classify(photo, likely, search=False)

    def _classify(
        self,
        photo: Photo,
        detections: Sequence[Detection],
        expected: Expected | None = None,
        *,
        search: bool = True,
        at: Detection | None = None,
    ) -> list[Candidate]:
        """The detections with their faces, as `vision.closer_look.Classify`."""
        expected = expected or self._expected
        kinds = KINDS if expected is None else expected.looked_for
        full = functools.cache(photo.full)  # decoded at most once, and only if a small piece needs it
        dice = [detection for detection in detections if detection.shape == "die"]
        tiles = [detection for detection in detections if detection.shape == "tile"]
        candidates: list[Candidate] = []
        if die_kinds := [kind for kind in DIE_KINDS if kind in kinds]:
            if "domino" not in kinds:
                dice += _one_or_two_dice(_reported(detections))
            dice += _square_tiles_as_dice(detections, dice) if self._min_score < MIN_SCORE else []
            twelves = expected is not None and "d12" in expected.kinds
            flush = [lies_flush(die, detections) for die in dice]
            faces = self._die_faces(
                [sharpest(photo, die, full) for die in dice], die_kinds, twelves=twelves, flush=flush
            )
            calibration = self._calibrations["dice"]
            candidates += [Candidate(die, face, calibration) for die, face in zip(dice, faces, strict=True)]
            candidates += self.searched(photo, candidates, die_kinds) if search else []
        if "domino" in kinds:
            like_tiles = [
                *_long_dice_as_tiles(detections),
                *(lone_tile(detections, candidates, die_kinds) if at is None else ()),
            ]
            tiles += [each for each in like_tiles if not is_cut_off(photo, each)]
            there = [tile for tile in tiles if at is None or may_be_same_tile(tile, at)]
            refined = self._outlines.refined([(tile, *sharpest(photo, tile, full)) for tile in there])
            tiles = [way for tile in refined for way in tile.either_way if at is None or is_same_tile(way, at)]
            tile_faces = self._tile_faces([sharpest(photo, tile, full) for tile in tiles])
            calibration = self._calibrations["ends"]
            found = [
                Candidate(tile, face, calibration, ground=ground_of(photo.pixels, tile.corners))
                for tile, face in zip(tiles, tile_faces, strict=True)
            ]
            found = self._with_ends_as_dice(photo, found, full) if die_kinds else found
            candidates = [*completed(candidates, found, self._calibrations["dice"]), *found]
        return self._kept(candidates)

    def _kept(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The candidates without those of very low detection scores, unless a profile recognises them.

        Overlapping weak ones are suppressed, and so are those that overlap a detected die: part of a die looks like a whole one.
        For the same reason weak dice must have the size of the detected dice that a profile recognises, or if there are none,
        of the weak ones that the network takes for dice, too.
        """
        seen = [each for each in candidates if each.detection.score >= MIN_SCORE]
        dice = [each for each in seen if each.kind != "domino"]
        weak = [each for each in candidates if each.detection.score < MIN_SCORE and each.face.profile]
        weak = [each for each in weak if not any(_cover(each, die) for die in dice)]
        likeliest = sorted(weak, key=lambda each: (_only_a_profile(each), -each.confidence))
        known = [each for each in dice if each.is_piece and each.face.profile]
        known = known or [each for each in weak if each.kind != "domino" and not _only_a_profile(each)]
        if known:
            usual = median([size(each.detection) for each in known])
            likeliest = [each for each in likeliest if each.kind == "domino" or _of_usual_size(each, usual)]
        return seen + without_duplicates(likeliest, _cover)

    def searched(
        self, photo: Photo, found: Sequence[Candidate], kinds: Collection[DieKind] = DIE_KINDS
    ) -> list[Candidate]:
        """Dice found by template matching with a profile's pictures, which the detector misses, in addition to those `found`."""
        if self._taught is None or not self._taught.templates.pieces:
            return []
        full = functools.cache(photo.full)
        places = self._taught.templates.search(photo.pixels, [each.detection for each in found if each.is_piece])
        faces = self._die_faces([sharpest(photo, place, full) for place in places], kinds)
        return [Candidate(place, face, self._calibrations["dice"]) for place, face in zip(places, faces, strict=True)]

    def _with_ends_as_dice(
        self, photo: Photo, tiles: Sequence[Candidate], full: Callable[[], Pixels]
    ) -> list[Candidate]:
        """The tiles; for those that may count also whether they look like dice, and what their ends show if they are."""
        asked = [i for i, tile in enumerate(tiles) if tile.probability >= _MAY_COUNT]
        if not asked:
            return [*tiles]
        wholes = self._pairs.look([sharpest(photo, tiles[i].detection, full) for i in asked])
        found = list(tiles)
        for flush in (False, True):
            some = [(i, whole) for i, whole in zip(asked, wholes, strict=True) if (whole.dice >= PASSES) is flush]
            ends = [sharpest(photo, end, full) for i, _ in some for end in end_boxes(tiles[i].detection)]
            # The first dice network takes flush dice for the ends of tiles, so the second one has to decide.
            faces = self._dice.read(ends, ONLY_D6, second=flush, flush=[flush] * len(ends))
            for (i, whole), *both in zip(some, faces[::2], faces[1::2], strict=True):
                found[i] = replace(tiles[i], ends_as_dice=(both[0], both[1]), whole=whole)
        return found

    def _die_faces(
        self,
        crops: Sequence[tuple[Pixels, Detection]],
        kinds: Collection[DieKind],
        *,
        twelves: bool = False,
        flush: Sequence[bool] = (),
    ) -> list[Face]:
        if self._taught is None:
            return self._dice.read(crops, kinds, twelves=twelves, flush=flush)
        faces, seen = self._dice.read_with_features(crops, kinds, twelves=twelves, flush=flush)
        return self._taught.dice(faces, [box.score for _, box in crops], seen, kinds)

    def _tile_faces(self, crops: Sequence[tuple[Pixels, Detection]]) -> list[TileFace]:
        if self._taught is None:
            return self._tiles.read(crops)
        return self._taught.tiles(*self._tiles.read_with_features(crops))


class TiledReader(TableReader):
    """Reads photos as `TableReader` does, with a tiled detector; at least four times slower."""

    _detector_class = TiledDetector


def _reported(detections: Sequence[Detection]) -> list[Detection]:
    return [each for each in detections if each.score >= MIN_SCORE]


def _only_a_profile(candidate: Candidate) -> bool:
    """Whether only a profile recognises it: the dice network sees no die."""
    return isinstance(candidate.face, Face) and candidate.face.nothing >= 0.5


def _of_usual_size(die: Candidate, usual: float) -> bool:
    return abs(size(die.detection) - usual) <= _SIZES


def _cover(one: Candidate, other: Candidate) -> bool:
    return overlap(one.detection, other.detection) > _COVERS


def _as_die(tile: Detection, most: float = 1.0) -> Detection:
    """A detected tile as a die in its upright box, with a score of at most `most`."""
    return Detection(tile.left, tile.top, tile.right, tile.bottom, min(tile.score, most))


def _square_tiles_as_dice(detections: Sequence[Detection], dice: Sequence[Detection]) -> list[Detection]:
    """Detected tiles that are about as high as wide, as dice, unless one of `dice` covers them. Only profiles may recognise
    these, so their score is low.
    """
    boxes = [
        _as_die(each, WEAK)
        for each in detections
        if each.shape == "tile" and each.long_side < _SQUARE * min(each.width, each.height)
    ]
    return [box for box in boxes if not any(overlap(box, die) > _HALF for die in dice)]


def _long_dice_as_tiles(detections: Sequence[Detection]) -> list[Detection]:
    """Detected dice that are longer than any die, as tiles, unless a detected tile covers them."""
    tiles = [each for each in _reported(detections) if each.shape == "tile"]
    dice = [each for each in detections if each.shape == "die" and each.score >= _SEEN]
    boxes = [
        replace(each, shape="tile", quad=outline((each.middle, (each.width, each.height), 0.0)))
        for each in dice
        if each.long_side >= _SQUARE * min(each.width, each.height)
    ]
    return [box for box in boxes if not any(overlap(box, tile) > _HALF for tile in tiles)]


def _one_or_two_dice(detections: Sequence[Detection]) -> list[Detection]:
    """For games of dice: detected tiles without a die on them, as two dice that touch; or as one, if about as high as wide. From
    low over the table, the top and the front of a die look like the ends of a tile.
    """
    dice = [each for each in detections if each.shape == "die"]
    tiles = [each for each in detections if each.shape == "tile"]
    found = (end for tile in tiles for end in ([_as_die(tile)] if len(tile.either_way) > 1 else end_boxes(tile)))
    return [each for each in found if not any(overlap(each, die) > _HALF for die in dice)]


def _starter(photo: Photo, dice: Sequence[Candidate]) -> tuple[int | None, list[Doubt]]:
    """The index of the twelve-sided die whose colour differs from the others, and a doubt where colours are close."""
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
        profile=candidate.face.profile,
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
        profile=candidate.face.profile,
    )
