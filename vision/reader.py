"""A photo read: locate the pieces, read every face, doubt what is not certain."""

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
from vision.closer import is_settled, lies_near, lies_there
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
"""The networks that read pieces, by their shape, as the manifest names them."""
_MAY_COUNT = 0.3
"""The chance that it is one from which a tile may be counted, once the others of its set are known."""
_SEVERAL = 2
"""So many dominoes where dice are played with are said to be dominoes: a single one may be two dice that touch."""
_HALF = 0.5
"""A die found beside or in half a tile fills it with so much of its box."""
_COVERS, _SIZES = 0.3, 0.4
"""Of what the detector hardly sees: the share of the smaller box from which it is no piece beside another, and the natural
logarithm of the ratio of sizes from which a die is none beside others."""
_SEEN = 0.5
"""The detector's score of a die from which it is looked at as a tile, too: below, it may be any bright spot."""
_SQUARE = 1.4
"""How much longer than wide the upright box of a die may be: of what was taken for a tile and may be a die of a profile, and of
what was taken for a die and may be a tile."""


class TableReader:
    """Reads photos of tables; one reader serves any number of photos.

    Networks that every photo needs are opened in the background meanwhile (some 60 ms), others when a photo first needs them.

    `read` may be called from several threads.
    """

    _detector_class = Detector

    def __init__(
        self, manifest: Manifest | None = None, expected: Expected | None = None, *, checked: bool = True
    ) -> None:
        """Read with the networks of `manifest`, by default the installed ones.

        Args:
            manifest: lists the networks.
            expected: what is known of every photo for which `read` is told nothing else; None: all kinds of piece, in any number.
            checked: compare the files of all networks with their hashes now, which takes some 20 ms. Otherwise `read` does so
                with each that it needs.

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
        """Open what every photo needs, in the order in which it does. If that fails, who reads a photo hears why."""
        with suppress(Exception):
            self._detector.open()
            self._dice.open()

    def expecting(self, expected: Expected | None) -> Self:
        """This reader, with the same open networks, for photos of which this is known."""
        other = copy.copy(self)
        other._expected = expected
        return other

    def knowing(self, profiles: Sequence[Profile]) -> Self:
        """This reader, with the same open networks, for tables on which pieces of these profiles may lie.

        Raises:
            models.ModelError: the features that ship with the networks are missing, or belong to others.
            InvalidProfile: a picture of a profile cannot be read.
        """
        # Most photos are read without profiles, and this takes some ten milliseconds to load.
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
    def _least(self) -> float:
        """The detector's score from which a place is looked at: what scores less than it says by itself, profiles may know."""
        return WEAK if self._taught else MIN_SCORE

    @property
    def contradicted(self) -> list[str]:
        """What people said of pieces of their profiles of which the networks are sure of something else."""
        return self._taught.contradicted() if self._taught else []

    def read(self, photo: Photo, expected: Expected | None = None) -> Reading:
        """Every die and tile in the photo with what it shows, and the doubts.

        `expected`: what the game that is played says of this table. Only its pieces are read then, what looks like a domino
        among dice is read as two dice, and a number of pieces that does not fit is a doubt.
        """
        start = time.perf_counter()
        seen = levelled(photo)
        detections = self._detected(seen, lone=True)
        detected = time.perf_counter()
        candidates = self._classify(seen, detections, expected)
        if is_lone(detections, max(seen.pixels.shape)) and not is_settled(candidates, seen.pixels):
            # It may be what a die lies in: a second look tells.
            detections = self._detected(seen)
            candidates = self._classify(seen, detections, expected)
        table = self.closer(seen, candidates, expected)
        # Colours are those of the photo as it is: stretched, they would be farther apart.
        reading = self._with_dominoes_named(seen, self._reading(photo, table), detections)
        end = time.perf_counter()
        spent = {"detect": detected - start, "classify": end - detected, "total": end - start}
        return replace(reading, timings_ms={name: 1000 * seconds for name, seconds in spent.items()})

    def _detected(self, photo: Photo, *, lone: bool = False) -> list[Detection]:
        """Every place that may hold a piece; `lone`: as `Detector.detect`."""
        detections = self._detector.detect(photo.pixels, least=self._least, lone=lone)
        return self._detector.with_large(photo.pixels, detections, self._least)

    def closer(self, photo: Photo, candidates: Sequence[Candidate], expected: Expected | None = None) -> OneTable:
        """The table once what is still in doubt, or was missed, was looked at again (`vision.closer_look`), and a second detector
        was asked where nothing is sure (`vision.witness`).
        """
        expected = expected or self._expected
        table = CloserLook(photo, self._detector, self._classify, expected).at(candidates)
        return self._witness.confirmed(photo.pixels, table)

    def reading(self, photo: Photo, candidates: Sequence[Candidate], expected: Expected | None = None) -> Reading:
        """What the candidates make together: of those that cover each other the likeliest, as pieces, and the doubts.

        The second half of `read`, for callers that have sampled a table more than once; it costs next to nothing. `photo`
        gives the colours, and where the picture ends.
        """
        return self._reading(photo, OneTable(candidates, expected or self._expected))

    def _reading(self, photo: Photo, table: OneTable) -> Reading:
        expected, candidates, kept = table.expected, table.together, table.kept
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
        """The reading; where not as many dice were read as the game has, because the pieces are dominoes, it says so."""
        if not any(doubt.reason == "number" for doubt in reading.doubts) or reading.tiles:
            return reading
        anything = self.expecting(None)
        pieces = [each for each in OneTable(anything._classify(photo, detections)).kept if each.is_piece]
        dominoes = sum(each.kind == "domino" for each in pieces)
        if dominoes < _SEVERAL or 2 * dominoes <= len(pieces):
            return reading
        doubts = [dominoes_instead(dominoes) if doubt.reason == "number" else doubt for doubt in reading.doubts]
        return replace(reading, doubts=tuple(doubts))

    def candidates(self, photo: Photo, expected: Expected | None = None, *, thorough: bool = True) -> list[Candidate]:
        """Every detection with its face, before one of each is kept: what calibration looks at; as `Detector.detect`."""
        return self._classify(
            photo, self._detector.detect(photo.pixels, thorough=thorough, least=self._least), expected
        )

    def seen(self, photo: Photo, candidates: Sequence[Candidate]) -> tuple[Seen, Seen]:
        """What the networks see in candidates: in those that are dice, and in both ends of those that are tiles."""
        full = functools.cache(photo.full)
        dice = [each.detection for each in candidates if each.kind != "domino"]
        tiles = [each.detection for each in candidates if each.kind == "domino"]
        return (
            self._dice.read_with_features([sharpest(photo, die, full) for die in dice])[1],
            self._tiles.read_with_features([sharpest(photo, tile, full) for tile in tiles])[1],
        )

    def faces(self, photo: Photo, boxes: Sequence[Detection], kinds: Collection[DieKind] = DIE_KINDS) -> list[Face]:
        """What the network of dice sees in boxes of the working picture, of dice of one of `kinds`, without any profile."""
        full = functools.cache(photo.full)
        return self._dice.read([sharpest(photo, box, full) for box in boxes], kinds)

    def candidates_near(self, photo: Photo, known: Sequence[Candidate]) -> list[Candidate]:
        """The same of a table that was looked at a moment ago, from what was found then; as `Detector.detect_near`."""
        places = [each.detection for each in known]
        return self._classify(photo, self._detector.detect_near(photo.pixels, places, self._least))

    def candidates_fast(self, photo: Photo, turn: int) -> list[Candidate]:
        """The same for less, and less surely; as `Detector.detect_fast`."""
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
        full = functools.cache(photo.full)  # decoded at most once, and only if a small piece asks for it
        dice = [detection for detection in detections if detection.shape == "die"]
        tiles = [detection for detection in detections if detection.shape == "tile"]
        candidates: list[Candidate] = []
        if die_kinds := [kind for kind in DIE_KINDS if kind in kinds]:
            if "domino" not in kinds:
                dice += _one_or_two_dice(_strong(detections))
            dice += _square(detections, dice) if self._least < MIN_SCORE else []
            twelves = expected is not None and "d12" in expected.kinds
            flush = [lies_flush(die, detections) for die in dice]
            faces = self._die_faces(
                [sharpest(photo, die, full) for die in dice], die_kinds, twelves=twelves, flush=flush
            )
            calibration = self._calibrations["dice"]
            candidates += [Candidate(die, face, calibration) for die, face in zip(dice, faces, strict=True)]
            candidates += self.searched(photo, candidates, die_kinds) if search else []
        if "domino" in kinds:
            like_tiles = [*_long(detections), *(lone_tile(detections, candidates, die_kinds) if at is None else ())]
            tiles += [each for each in like_tiles if not is_cut_off(photo, each)]
            there = [tile for tile in tiles if at is None or lies_near(tile, at)]
            refined = self._outlines.refined([(tile, *sharpest(photo, tile, full)) for tile in there])
            tiles = [way for tile in refined for way in tile.either_way if at is None or lies_there(way, at)]
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
        """The candidates without those that the detector hardly sees, unless a profile knows them.

        Of those one is kept where they cover each other, and none that covers a die which the detector sees: a part of a die
        looks like the whole of another. So none of another size is kept, either, than the dice that a profile knows and the
        detector sees; or where it sees none, than those that the network takes for dice, too.
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
            likeliest = [each for each in likeliest if each.kind == "domino" or _as_large(each, usual)]
        return seen + without_duplicates(likeliest, _cover)

    def searched(
        self, photo: Photo, found: Sequence[Candidate], kinds: Collection[DieKind] = DIE_KINDS
    ) -> list[Candidate]:
        """Dice that look like taught ones which the detector does not see, beside the dice that were found."""
        if self._taught is None or not self._taught.templates.pieces:
            return []
        full = functools.cache(photo.full)
        places = self._taught.templates.search(photo.pixels, [each.detection for each in found if each.is_piece])
        faces = self._die_faces([sharpest(photo, place, full) for place in places], kinds)
        return [Candidate(place, face, self._calibrations["dice"]) for place, face in zip(places, faces, strict=True)]

    def _with_ends_as_dice(
        self, photo: Photo, tiles: Sequence[Candidate], full: Callable[[], Pixels]
    ) -> list[Candidate]:
        """The tiles; of those that may be counted also whether they may be dice, and what their ends show if they are."""
        asked = [i for i, tile in enumerate(tiles) if tile.probability >= _MAY_COUNT]
        if not asked:
            return [*tiles]
        wholes = self._pairs.look([sharpest(photo, tiles[i].detection, full) for i in asked])
        found = list(tiles)
        for flush in (False, True):
            some = [(i, whole) for i, whole in zip(asked, wholes, strict=True) if (whole.dice >= PASSES) is flush]
            ends = [sharpest(photo, end, full) for i, _ in some for end in end_boxes(tiles[i].detection)]
            # The first reader takes dice that lie flush for the ends of tiles, so that the second has to be asked.
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
    """Reads photos as `TableReader` does, with a detector that sees the photo part by part; four times as slow or more."""

    _detector_class = TiledDetector


def _strong(detections: Sequence[Detection]) -> list[Detection]:
    return [each for each in detections if each.score >= MIN_SCORE]


def _only_a_profile(candidate: Candidate) -> bool:
    """Whether the network sees no die there."""
    return isinstance(candidate.face, Face) and candidate.face.nothing >= 0.5


def _as_large(die: Candidate, usual: float) -> bool:
    return abs(size(die.detection) - usual) <= _SIZES


def _cover(one: Candidate, other: Candidate) -> bool:
    return overlap(one.detection, other.detection) > _COVERS


def _as_die(tile: Detection, most: float = 1.0) -> Detection:
    """A die in the upright box of what looks like a tile, which scores no more than `most`."""
    return Detection(tile.left, tile.top, tile.right, tile.bottom, min(tile.score, most))


def _square(detections: Sequence[Detection], dice: Sequence[Detection]) -> list[Detection]:
    """What the detector takes for a tile though it is about as high as wide, as dice, where none of `dice` is: for profiles
    alone, so it scores little.
    """
    boxes = [
        _as_die(each, WEAK)
        for each in detections
        if each.shape == "tile" and each.long_side < _SQUARE * min(each.width, each.height)
    ]
    return [box for box in boxes if not any(overlap(box, die) > _HALF for die in dice)]


def _long(detections: Sequence[Detection]) -> list[Detection]:
    """What the detector takes for a die though it is longer than any, as a tile, where it sees none."""
    tiles = [each for each in _strong(detections) if each.shape == "tile"]
    dice = [each for each in detections if each.shape == "die" and each.score >= _SEEN]
    boxes = [
        replace(each, shape="tile", quad=outline((each.middle, (each.width, each.height), 0.0)))
        for each in dice
        if each.long_side >= _SQUARE * min(each.width, each.height)
    ]
    return [box for box in boxes if not any(overlap(box, tile) > _HALF for tile in tiles)]


def _one_or_two_dice(detections: Sequence[Detection]) -> list[Detection]:
    """Where dice are played with: what looks like a tile, where no die was found, as two dice that touch; or as one, if it is
    about as high as wide: the top and the front of a die look like the ends of a tile from low over the table.
    """
    dice = [each for each in detections if each.shape == "die"]
    tiles = [each for each in detections if each.shape == "tile"]
    found = (end for tile in tiles for end in ([_as_die(tile)] if len(tile.either_way) > 1 else end_boxes(tile)))
    return [each for each in found if not any(overlap(each, die) > _HALF for die in dice)]


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
