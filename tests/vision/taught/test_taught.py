"""What profiles say: they add dice that no network knows, and leave everything else as it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from models import Manifest, ModelError, load_manifest
from tests.vision.taught.drawn import EMBLEM, SYMBOLS, Thrown, thrown
from vision.candidate import Calibration, Candidate
from vision.classify.crop_network import Seen
from vision.classify.dice import CLASSES, SIDE, DiceReader, face_of
from vision.classify.features import LAYERS
from vision.classify.marks import MarkReader
from vision.classify.tiles import TileReader
from vision.detect.boxes import Detection
from vision.detect.detector import MIN_SCORE, Detector
from vision.onnx_session import open_session
from vision.photo import Pixels, load
from vision.reader import TableReader
from vision.reading import Reading
from vision.taught.labelling import Said, taught_from
from vision.taught.layer import Layer, Match
from vision.taught.negatives import FILE, NETWORKS, Negatives, load_negatives
from vision.taught.profile import Profile
from vision.taught.search import Templates
from vision.taught.taught import DieLabel, Taught, _close, _end, _learned, _Lessons, _Network, _of_die, _Opinion
from vision.taught.views import die_views

SAMPLES = [Path("docs/sample-throw.jpg"), Path("docs/sample-hand.jpg")]


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return TableReader()


class Nothing(Detector):
    """Finds nothing."""

    def detect(
        self, picture: Pixels, *, always_twice: bool = False, min_score: float = MIN_SCORE, lone: bool = False
    ) -> list[Detection]:
        return []

    def look_again(self, picture: Pixels, times: float = 1.0, stretch: float | None = None) -> list[Detection]:
        """From nearer, either."""
        return []

    def look_for_faint(self, picture: Pixels) -> list[Detection]:
        """Nor with the contrast evened,"""
        return []

    def look_for_small(self, picture: Pixels) -> list[Detection]:
        """or in a larger picture."""
        return []


def taught(reader: TableReader, throw: Thrown, name: str = "own", values: list[int] | None = None) -> Profile:
    photo = load(throw.jpeg)
    said = [Said("d6", (value,), at) for value, at in zip(values or throw.values, throw.places, strict=True)]
    return Profile(name).with_pieces(taught_from(photo, reader.candidates(photo), said))


def values(reading: Reading) -> list[int]:
    return sorted(reading.values)


def test_an_emblem_that_was_shown_once_is_read_on_other_throws(reader: TableReader) -> None:
    knowing = reader.knowing([taught(reader, thrown(EMBLEM, [6, 6, 3], 3, 6))])
    for shown, seed in (([6, 2, 5, 6], 5), ([6, 2], 12), ([5, 6, 6], 13)):
        throw = thrown(EMBLEM, shown, seed, 6)
        assert values(reader.read(load(throw.jpeg))) != sorted(shown)
        reading = knowing.read(load(throw.jpeg))
        assert values(reading) == sorted(shown)
        assert {die.profile for die in reading.dice if die.value == 6} == {"own"}
        assert (
            Reading.from_json(reading.to_json()).profiles
            == reading.profiles
            == dict(knowing.read(load(throw.jpeg)).profiles)
        )


def test_a_side_that_was_not_shown_is_doubted_beside_one_that_was(reader: TableReader) -> None:
    first = thrown(SYMBOLS, [1, 2, 3, 4, 5, 6], 1, 5)
    profile = taught(reader, first)
    known = reader.knowing([replace(profile, pieces=tuple(p for p in profile.pieces if p.shows != (3,)))])
    throw = thrown(SYMBOLS, [3, 6, 6], 3, 5)
    reading = known.read(load(throw.jpeg))
    assert values(reading) != [3, 6, 6]
    assert not reading.sure


def test_what_may_be_the_only_side_that_was_not_shown_is_named_in_the_doubt(reader: TableReader) -> None:
    profile = taught(reader, thrown(SYMBOLS, [1, 2, 3, 4, 5, 6], 1, 5))
    known = reader.knowing([replace(profile, pieces=tuple(p for p in profile.pieces if p.shows != (3,)))])
    throws = [thrown(SYMBOLS, shown, seed, 5) for shown, seed in (([3, 6, 6], 3), ([1, 4, 2], 4), ([2, 5, 6], 6))]
    dice = [die for throw in throws for die in known.read(load(throw.jpeg)).dice if die.profile]
    doubted = [die for die in dice if die.confidence < 0.9 and die.value != 3]
    assert doubted
    assert all(die.alternatives[1][0] == 3 for die in doubted)
    assert all(die.alternatives[0][1] > die.alternatives[1][1] for die in doubted)


def test_beside_dice_of_a_profile_what_looks_most_like_a_side_counts_as_it_and_is_doubted(reader: TableReader) -> None:
    manifest = load_manifest()
    dice, tiles = (
        DiceReader(manifest, MarkReader(manifest["marks"])),
        TileReader(manifest["ends"], MarkReader(manifest["marks"])),
    )
    profile = taught(reader, thrown(SYMBOLS, [1, 2, 3, 4, 5, 6], 1, 5))
    known, side = Taught([profile], dice, tiles, load_negatives(manifest)), profile.pieces[0]
    plain = np.full((SIDE, SIDE, 3), 114, np.uint8)
    features = dice.features([die_views(side)[0], plain]).features
    strange = np.eye(20)[[1, 1]]
    guessed = 0
    for share in np.linspace(0, 1, 41, dtype=np.float32):
        looks = tuple(np.stack([each[0], (1 - share) * each[0] + share * each[1]]) for each in features)
        both, alone = Seen(strange, looks), Seen(strange[1:], tuple(each[1:] for each in looks))
        first, beside = known.dice([face_of(row) for row in strange], [0.9, 0.1], both, ["d6"])
        _, weak = known.dice([face_of(row) for row in strange], [0.9, 0.02], both, ["d6"])
        (lone,) = known.dice([face_of(strange[1])], [0.1], alone, ["d6"])
        assert first.profile == "own"
        if beside.other < 0.5 and max(beside.values) < 0.5:
            assert beside.ranked[0][0] == side.shows[0]
            assert lone.profile == ""
            # A guess takes that the detector sees something; what is close is read without.
            guessed += weak.profile == ""
    assert guessed


def test_what_the_detector_hardly_sees_is_a_die_where_profile_and_network_agree(reader: TableReader) -> None:
    manifest = load_manifest()
    marks = MarkReader(manifest["marks"])
    dice = DiceReader(manifest, marks)
    profile = taught(reader, thrown(SYMBOLS, [1, 2, 3, 4, 5, 6], 1, 5))
    known = Taught([profile], dice, TileReader(manifest["ends"], marks), load_negatives(manifest))
    side, plain = profile.pieces[0], np.full((SIDE, SIDE, 3), 114, np.uint8)
    like, unlike = (dice.features([view]).features for view in (die_views(side)[0], plain))
    same, other = (
        np.eye(len(CLASSES))[[CLASSES.index(f"pip {value}")]] for value in (side.shows[0], side.shows[0] % 6 + 1)
    )
    for score, looks, chances, agreed in (
        (0.02, like, same, True),
        (0.1, like, same, False),
        (0.02, unlike, same, False),
        (0.02, like, other, False),
    ):
        (face,) = known.dice([face_of(chances[0])], [score], Seen(chances, looks), ["d6"])
        assert (face.profile == "own") is agreed
        assert face.values == face_of(chances[0]).values


def test_a_value_of_which_the_network_is_sure_counts_where_the_detector_hardly_sees_a_die_of_a_profile(
    reader: TableReader,
) -> None:
    manifest = load_manifest()
    marks = MarkReader(manifest["marks"])
    dice = DiceReader(manifest, marks)
    profile = taught(reader, thrown(EMBLEM, [6, 6, 3, 2], 3, 6))
    known = Taught([profile], dice, TileReader(manifest["ends"], marks), load_negatives(manifest))
    three = next(piece for piece in profile.pieces if piece.shows == (3,))
    like, unlike = (
        dice.features([view]).features for view in (die_views(three)[0], np.full((SIDE, SIDE, 3), 114, np.uint8))
    )
    sure, unsure = np.zeros(len(CLASSES)), np.zeros(len(CLASSES))
    sure[CLASSES.index("pip 5")] = 1.0
    unsure[[CLASSES.index("pip 5"), CLASSES.index("nothing")]] = 0.6, 0.4
    for score, looks, chances, known_by in (
        (0.02, like, sure, "own"),
        (0.02, unlike, sure, ""),
        (0.02, like, unsure, ""),
        (0.5, like, unsure, ""),
    ):
        before = face_of(chances)
        (face,) = known.dice([before], [score], Seen(chances[None], looks), ["d6"])
        assert (face.profile, face.ranked[0][0]) == (known_by, 5)
        assert (face.other < 0.01) is (known_by == "own" or before.other < 0.01)


def test_what_lies_beside_symbols_and_looks_like_another_die_is_a_doubt(reader: TableReader) -> None:
    manifest = load_manifest()
    marks = MarkReader(manifest["marks"])
    dice = DiceReader(manifest, marks)
    profile = taught(reader, thrown(SYMBOLS, [1, 2, 3, 4, 5, 6], 1, 5))
    tiles, negatives = TileReader(manifest["ends"], marks), load_negatives(manifest)
    ordinary = taught(reader, thrown(EMBLEM, [6, 6, 3, 2], 3, 6))
    other, nothing, three = (np.eye(len(CLASSES))[CLASSES.index(name)] for name in ("other", "nothing", "pip 3"))
    strange = np.full((SIDE, SIDE, 3), 114, np.uint8)

    def chance(
        own: Profile, beside: NDArray[np.float64], score: float, *, first: bool = True, unreadable: bool = True
    ) -> float:
        """That what shows nothing of the profile is one of its dice, with one of them on the table or without."""
        looks = [die_views(own.pieces[0])[0]] * first + [strange]
        rows = np.stack([other] * first + [beside])
        seen = Seen(rows, dice.features(looks).features)
        known = Taught([own], dice, tiles, negatives)
        known._dice = [replace(each, unreadable=each.unreadable and unreadable) for each in known._dice]
        return 1 - known.dice([face_of(row) for row in rows], [0.9, score][-len(rows) :], seen, ["d6"])[-1].other

    assert 0.3 < chance(profile, other, 0.5) < 0.5
    assert chance(profile, three, 0.5) > 0.9
    for own, beside, score, first in (
        (profile, other, 0.08, True),
        (profile, nothing, 0.5, True),
        (profile, other, 0.5, False),
        (ordinary, other, 0.5, True),
    ):
        assert chance(own, beside, score, first=first) < 0.01
    # Dice that the network knows in better light are no symbols.
    assert chance(profile, other, 0.5, unreadable=False) < 0.01


def candidate(
    left: float, side: float, score: float, sure: float = 0.9, profile: str = "own", nothing: float = 0.0
) -> Candidate:
    """What may be a die that shows 3; `nothing`: the chance that the network gives to none."""
    chances = np.full(len(CLASSES), (1 - sure) / (len(CLASSES) - 1))
    chances[CLASSES.index("pip 3")] = sure
    face = replace(face_of(chances), profile=profile, nothing=nothing)
    return Candidate(Detection(left, 10, left + side, 10 + side, score), face, Calibration())


def test_parts_of_dice_are_none_of_a_profile(reader: TableReader) -> None:
    whole, part = candidate(10, 100, 0.2, 0.5, ""), candidate(20, 40, 0.02, 0.9)
    weak, weaker, unknown = (
        candidate(300, 100, 0.02, 0.9),
        candidate(310, 60, 0.02, 0.8),
        candidate(500, 100, 0.02, 0.9, ""),
    )
    assert reader._kept([whole, part, weaker, weak, unknown]) == [whole, weak]


def test_dice_that_only_a_profile_sees_are_as_large_as_those_that_others_see_too(reader: TableReader) -> None:
    half, like = candidate(300, 50, 0.02, nothing=0.9), candidate(500, 90, 0.02, nothing=0.9)
    seen, another, network = candidate(10, 100, 0.3), candidate(10, 100, 0.3, profile=""), candidate(10, 100, 0.02)
    assert reader._kept([seen, half, like]) == [seen, like]
    assert reader._kept([another, half]) == [another, half]
    assert reader._kept([half, like, network]) == [network, like]
    assert reader._kept([half, like]) == [half, like]


def test_a_set_of_which_the_network_is_only_ever_sure_of_what_is_wrong_overrules_it() -> None:
    wrong = _lessons((2, 4, 0.99), (5, 1, 0.6), (3, 1, 0.6))
    close = Match(("d6", 2), margin=0.4, gap=0.4, second=None)
    sure = _Network(("d6", 4), sure=True)
    assert _Opinion(wrong, close, 1).holds(sure, close=0.3, better=0.35)
    assert _Opinion(wrong, close, 1).chance(sure) <= 0.85
    assert not _Opinion(wrong, replace(close, margin=0.2), 1).holds(sure, close=0.3, better=0.35)
    now_and_then_right = _lessons((2, 4, 0.99), (5, 1, 0.6), (3, 1, 0.6), (6, 6, 0.99))
    never_sure = _lessons((2, 4, 0.6), (5, 1, 0.6), (3, 1, 0.6))
    assert now_and_then_right.unreadable
    assert never_sure.unreadable
    for lessons in (now_and_then_right, never_sure):
        assert not _Opinion(lessons, close, 1).holds(sure, close=0.3, better=0.35)


def test_where_the_detector_sees_a_die_a_profile_speaks_sooner_and_of_many_profiles_none_does() -> None:
    opinion = _Opinion(_lessons((2, 4, 0.99)), Match(("d6", 2), 0.2, 0.2, None), 1)
    assert opinion.close_seen < opinion.close
    assert replace(opinion, among=20).close_seen == replace(opinion, among=20).close > opinion.close
    unsure, another = _Network[DieLabel](None, sure=False), _Network(("d6", 4), sure=False)
    assert _close(opinion, unsure, 0.5) == opinion.close_seen
    assert _close(opinion, unsure, 0.2) == _close(opinion, another, 0.5) == opinion.close


def test_an_end_that_people_showed_to_be_misread_in_just_this_way_is_overruled_or_doubted() -> None:
    taken_for_1 = np.zeros(15)
    taken_for_1[3] = 1.0

    def read(photos: int, gap: float, *, of_set: bool) -> tuple[int, bool]:
        """What it shows, and whether that is sure; what else it may be is what the network says, or what the profile does."""
        opinion = _Opinion(_lessons_of_ends(photos), Match(0, gap, gap, 1), 1)
        chances = _end(taken_for_1, opinion, of_set).chances[2:]
        assert chances[:2].sum() > 0.99
        return int(chances.argmax()), bool(chances.max() > 0.9)

    assert read(2, 0.4, of_set=True) == (0, False)
    assert read(2, 0.2, of_set=True) == read(1, 0.2, of_set=True) == read(1, 0.4, of_set=True) == (1, False)
    assert read(2, 0.4, of_set=False) == (1, False)
    assert read(0, 0.4, of_set=True) == (1, False)
    for photos, gap, of_set in ((2, 0.1, True), (1, 0.1, True), (0, 0.2, True), (2, 0.2, False), (0, 0.2, False)):
        assert read(photos, gap, of_set=of_set) == (1, True)


def test_what_is_close_to_a_side_that_the_network_did_not_know_is_doubted_however_sure_it_is() -> None:
    lessons = _lessons((2, 2, 0.99), (5, 5, 0.99), (6, 4, 0.7))
    sure, unsure = _Network(("d6", 4), sure=True), _Network(("d6", 4), sure=False)
    close = _Opinion(lessons, Match(("d6", 6), 0.35, 0.35, None), 1)
    assert close.doubts(sure)
    assert not close.holds(sure, close=0.3, better=0.35)
    assert not close.doubts(unsure)
    assert not close.doubts(_Network(("d6", 6), sure=True))
    assert not replace(close, among=20).doubts(sure)
    # What it named whenever it was shown, it knows.
    assert not replace(close, match=replace(close.match, label=("d6", 2))).doubts(sure)


def test_what_people_showed_twice_to_be_misread_opposes_no_profile() -> None:
    one = _Network(1, sure=True)
    assert not _Opinion(_lessons_of_ends(2), Match(0, 0.4, 0.4, 1), 1).opposed(one)
    assert _Opinion(_lessons_of_ends(1), Match(0, 0.4, 0.4, 1), 1).opposed(one)
    assert _Opinion(_lessons_of_ends(2), Match(2, 0.4, 0.4, 1), 1).opposed(one)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_ordinary_pieces_are_read_to_the_digit_as_without_profiles(reader: TableReader, sample: Path) -> None:
    profiles = [taught(reader, thrown(EMBLEM, [6, 6, 3], 3, of), f"emblem {of}") for of in (6,)]
    profiles += [taught(reader, thrown(SYMBOLS, [1, 2, 3, 4, 5, 6], 1, of), f"symbols {of}") for of in (5, 6)]
    plain, knowing = reader.read(load(sample)).to_json(), reader.knowing(profiles).read(load(sample)).to_json()
    assert knowing["profiles"].keys() == {"emblem 6", "symbols 5", "symbols 6"}
    assert {**knowing, "profiles": {}, "timings_ms": 0} == {**plain, "timings_ms": 0}


def swapped(throw: Thrown) -> list[int]:
    return [{2: 5, 5: 2}[value] for value in throw.values]


def test_two_swapped_values_are_noticed_and_change_nothing_that_the_network_is_sure_of(reader: TableReader) -> None:
    throw = thrown(EMBLEM, [2, 5], 21, 6)
    assert reader.read(load(throw.jpeg)).sure
    knowing = reader.knowing([taught(reader, throw, values=swapped(throw))])
    assert len(knowing.contradicted) == 2
    reading = knowing.read(load(throw.jpeg))
    assert values(reading) == [2, 5]
    assert {doubt.reason for doubt in reading.doubts} == {"uncertain-value"}
    assert [die.alternatives[1][0] for die in reading.dice] == [{2: 5, 5: 2}[die.value] for die in reading.dice]


def test_what_people_say_on_two_photos_overrules_the_network_and_is_doubted(reader: TableReader) -> None:
    throws = [thrown(EMBLEM, [2, 5], seed, 6) for seed in (21, 23)]
    told = [piece for throw in throws for piece in taught(reader, throw, values=swapped(throw)).pieces]
    reading = reader.knowing([Profile("turned").with_pieces(told)]).read(load(throws[0].jpeg))
    assert [die.value for die in reading.dice] == [
        {2: 5, 5: 2}[die.value] for die in reader.read(load(throws[0].jpeg)).dice
    ]
    assert not reading.sure


class Blind(TableReader):
    """Its detector finds nothing."""

    _detector_class = Nothing


def test_dice_that_the_detector_does_not_see_are_shown_by_pointing_and_found_on_other_photos() -> None:
    blind, throw, other = Blind(), thrown(EMBLEM, [2, 5, 3], 21, 6), thrown(EMBLEM, [5, 2], 24, 6)
    photo = load(throw.jpeg)
    said = [Said("d6", (value,), at) for value, at in zip(throw.values, throw.places, strict=True)]
    pieces = taught_from(photo, blind.candidates(photo), said, blind.faces)
    assert all(0.05 < piece.unseen < 0.3 for piece in pieces)
    profile = Profile.from_bytes(Profile("unseen").with_pieces(pieces).data)
    assert [piece.unseen for piece in profile.pieces] == [piece.unseen for piece in pieces]
    assert values(blind.read(load(other.jpeg))) == []
    knowing = blind.knowing([profile])
    assert values(knowing.read(photo)) == [2, 3, 5]
    assert values(knowing.read(load(other.jpeg))) == [2, 5]


def test_a_profile_of_pieces_that_were_found_searches_for_nothing(reader: TableReader) -> None:
    profile = taught(reader, thrown(EMBLEM, [2, 5], 21, 6))
    assert not any(piece.unseen for piece in profile.pieces)
    assert Templates.of(profile.pieces).search(np.zeros((200, 300, 3), np.uint8), []) == []


def test_what_the_networks_say_is_the_same_to_the_bit_with_their_features_as_outputs() -> None:
    manifest, rng = load_manifest(), np.random.default_rng(1)
    for shape, side in (("die", SIDE), ("tile", 64)):
        model, layers = manifest[NETWORKS[shape][0]], LAYERS[shape]  # type: ignore[index]
        crops = rng.random((5, 3, side, side), np.float32)
        (plain,) = open_session(model).run(None, {"crops": crops})
        logits, head, middle = open_session(model, layers.names).run(None, {"crops": crops})
        assert np.array_equal(plain, logits)
        assert head.shape[0] == middle.shape[0] == 5


def test_the_negatives_belong_to_the_networks(tmp_path: Path) -> None:
    manifest = load_manifest()
    negatives = load_negatives(manifest)
    assert set(negatives) == {"die", "tile"}
    others = Manifest(tuple(replace(model, sha256="0" * 64) for model in manifest.models))
    with pytest.raises(ModelError, match="belongs to another network"):
        load_negatives(others)
    with pytest.raises(ModelError, match="missing"):
        load_negatives(manifest, tmp_path / "none.npz")
    (tmp_path / "cut.npz").write_bytes(FILE.read_bytes()[:1000])
    with pytest.raises(ModelError, match="damaged"):
        load_negatives(manifest, tmp_path / "cut.npz")


def test_nothing_is_read_and_nothing_learned_of_no_crops() -> None:
    manifest = load_manifest()
    assert DiceReader(manifest, MarkReader(manifest["marks"])).features([]).chances.shape == (
        0,
        20,
    )
    assert TileReader(manifest["ends"], MarkReader(manifest["marks"])).read([]) == []


def test_a_layer_tells_its_labels_apart_and_knows_what_is_none_of_them() -> None:
    rng = np.random.default_rng(3)
    middles = np.eye(3, 20, dtype=np.float32)

    def around(middle: np.ndarray, count: int) -> np.ndarray:
        points = middle + rng.normal(0, 0.05, (count, 20)).astype(np.float32)
        return np.asarray(points / np.linalg.norm(points, axis=1, keepdims=True), np.float32)

    layer = Layer(
        np.concatenate([around(middles[0], 8), around(middles[1], 8)]), ["a"] * 8 + ["b"] * 8, around(middles[2], 50)
    )
    first, second, none = (layer.match(around(middle, 1))[0] for middle in middles)
    assert (first.label, second.label) == ("a", "b")
    assert min(first.gap, second.gap) > 0.5 > 0 > none.margin


def _lessons(*shown: tuple[int, int, float]) -> _Lessons[DieLabel]:
    """Of dice: what people said each shows, what the network says, and how sure it is of that."""
    rng = np.random.default_rng(1)
    negatives = Negatives.of([rng.normal(size=(50, 16)).astype(np.float32)])
    seen = []
    for said, read, chance in shown:
        chances = np.full(20, (1 - chance) / 19)
        chances[CLASSES.index(f"pip {read}")] = chance
        seen.append(Seen(chances[None], ((np.eye(16)[said] + rng.normal(0, 0.02, 16))[None].astype(np.float32),)))
    labels = [("d6", said) for said, *_ in shown]
    sides = [("d6", value) for value in range(1, 7)]
    return _learned("own", labels, ["a"] * len(shown), seen, _of_die, negatives, sides)[0]


def _lessons_of_ends(photos: int) -> _Lessons[int]:
    """Of tiles with a logo on the blank, which the network took for a 1 on so many photos."""
    layer = Layer(np.eye(2, 4, dtype=np.float32), [0, 1], -np.eye(2, 4, dtype=np.float32))
    misread = {0: {1: photos}} if photos else {}
    return _Lessons("own", layer, misread, False, (), frozenset({1}), frozenset({0}), False)


def test_a_set_whose_sides_the_network_surely_reads_now_and_then_is_none_of_symbols() -> None:
    assert _lessons((2, 2, 0.6), (5, 5, 0.6)).symbols
    assert not _lessons((2, 2, 0.6), (2, 2, 0.99), (5, 5, 0.6)).symbols
    assert not _lessons((2, 2, 0.6), (2, 2, 0.99), (5, 5, 0.6), (5, 5, 0.99)).symbols
    assert _lessons((2, 4, 0.99), (5, 1, 0.6), (3, 1, 0.6)).symbols


def test_of_a_side_that_the_network_always_named_there_was_nothing_to_learn() -> None:
    lessons = _lessons((2, 2, 0.99), (5, 5, 0.99), (6, 4, 0.7))
    unsure = _Network(("d6", 3), sure=False)
    match = Match(("d6", 6), margin=0.9, gap=0.9, second=None)
    assert _Opinion(lessons, match, 1).holds(unsure, close=0.3, better=0.35)
    assert not _Opinion(lessons, replace(match, label=("d6", 2)), 1).holds(unsure, close=0.3, better=0.35)
    assert _Opinion(lessons, replace(match, label=("d6", 2)), 1).holds(
        _Network(None, sure=False), close=0.3, better=0.35
    )
