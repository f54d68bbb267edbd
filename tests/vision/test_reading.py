import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.reading import Die, Doubt, Reading, Tile

# Two digits at most, so that rounding to JSON's precision changes nothing.
CHANCE = st.integers(0, 100).map(lambda n: n / 100)
COORDINATE = st.integers(0, 40_000).map(lambda n: n / 10)
POINT = st.tuples(COORDINATE, COORDINATE)
BOX = st.tuples(POINT, POINT, POINT, POINT)
DIE = st.builds(
    Die,
    value=st.integers(1, 6),
    confidence=CHANCE,
    alternatives=st.lists(st.tuples(st.integers(1, 6), CHANCE), min_size=1, max_size=6).map(tuple),
    box=BOX,
    colour=st.sampled_from(["white", "red"]),
)
D12 = st.builds(
    Die,
    value=st.integers(1, 12),
    confidence=CHANCE,
    alternatives=st.lists(st.tuples(st.integers(1, 12), CHANCE), min_size=1, max_size=12).map(tuple),
    box=BOX,
    colour=st.sampled_from(["white", "red"]),
    kind=st.just("d12"),
    starter=st.booleans(),
)
ENDS = st.tuples(st.integers(0, 12), st.integers(0, 12))
FACE_UP = st.builds(
    Tile, ends=ENDS, confidence=CHANCE, alternatives=st.lists(st.tuples(ENDS, CHANCE), max_size=3).map(tuple), box=BOX
)
FACE_DOWN = st.builds(
    Tile, ends=st.just((None, None)), confidence=CHANCE, alternatives=st.just(()), box=BOX, face_up=st.just(False)
)
PLACE = st.none() | st.integers(0, 5)
DOUBT = st.builds(Doubt, st.sampled_from(["cut-off", "face-down", "starter"]), st.text(), PLACE, PLACE)
READING = st.builds(
    Reading,
    photo=st.text(),
    sha256=st.text("0123456789abcdef", min_size=64, max_size=64),
    width=st.integers(1, 9999),
    height=st.integers(1, 9999),
    dice=st.lists(DIE | D12, max_size=3).map(tuple),
    doubts=st.lists(DOUBT, max_size=2).map(tuple),
    models=st.just({"locator": "ab"}),
    timings_ms=st.just({"total": 12.5}),
    tiles=st.lists(FACE_UP | FACE_DOWN, max_size=3).map(tuple),
)


@given(READING)
def test_json_and_back(reading: Reading):
    assert Reading.from_json(json.loads(json.dumps(reading.to_json()))) == reading


@given(READING)
def test_sure_means_no_doubts(reading: Reading):
    assert reading.to_json()["sure"] == (not reading.doubts)


def test_a_reading_edited_to_look_sure_is_refused():
    reading = Reading("p", "0" * 64, 10, 10, (), (Doubt("no-pieces", "none"),), {}, {})
    with pytest.raises(ValueError, match="sure"):
        Reading.from_json({**reading.to_json(), "sure": True})


def test_a_doubt_names_its_die_counted_from_one():
    assert Doubt("cut-off", "It leaves the picture.", 2).said == "Die 3: It leaves the picture."
    assert Doubt("no-pieces", "Nothing.").said == "Nothing."


def test_a_doubt_names_its_tile_counted_from_one():
    assert Doubt("face-down", "It lies face down.", tile=2).said == "Tile 3: It lies face down."


@given(DIE | D12)
def test_only_twelve_sided_dice_say_whether_they_are_the_starter(die: Die):
    told = reading_of(die).to_json()["dice"][0]
    assert told.get("starter") == (die.starter if die.kind == "d12" else None)
    assert ("starter" in told) == (die.kind == "d12")


def reading_of(*dice: Die, tiles: tuple[Tile, ...] = (), doubts: tuple[Doubt, ...] = ()) -> Reading:
    return Reading("p", "0" * 64, 10, 10, dice, doubts, {}, {}, tiles)


@given(DIE | D12)
def test_a_die_is_likelier_there_than_it_shows_what_it_is_read_as(die: Die):
    assert die.confidence <= die.presence <= 1


def test_a_die_of_which_only_the_value_is_in_doubt_is_surely_there():
    die = Die(6, 0.45, ((6, 0.47), (9, 0.44)), ((0, 0), (9, 0), (9, 9), (0, 9)), "red", "d12")
    assert die.presence == pytest.approx(0.957, abs=0.001)
    back = Tile((None, None), 0.7, (), ((0, 0), (9, 0), (9, 5), (0, 5)), face_up=False)
    assert back.presence == 0.7


def test_tiles_are_told_in_the_documented_shape():
    box = ((0.04, 0.0), (20.0, 0.0), (20.0, 10.0), (0.0, 10.0))
    up = Tile((3, 5), 0.98765, (((3, 5), 0.98765), ((3, 4), 0.01)), box)
    down = Tile((None, None), 0.9, (), box, face_up=False)
    told = reading_of(tiles=(up, down), doubts=(Doubt("face-down", "Look.", tile=1),)).to_json()
    corners = [[0.0, 0.0], [20.0, 0.0], [20.0, 10.0], [0.0, 10.0]]
    assert told["tiles"] == [
        {
            "ends": [3, 5],
            "confidence": 0.9877,
            "alternatives": [[[3, 5], 0.9877], [[3, 4], 0.01]],
            "box": corners,
            "face_up": True,
            "profile": "",
        },
        {"ends": [None, None], "confidence": 0.9, "alternatives": [], "box": corners, "face_up": False, "profile": ""},
    ]
    assert told["doubts"] == [{"reason": "face-down", "message": "Look.", "piece": None, "tile": 1}]


def test_a_tile_is_named_by_its_ends_in_their_order():
    box = ((0.0, 0.0),) * 4
    assert (Tile((5, 0), 1.0, (), box).name, Tile((5, 0), 1.0, (), box).shown) == ("5-0", (5, 0))
    assert (Tile((None, None), 1.0, (), box, face_up=False).name) == "face down"
    assert Tile((None, None), 1.0, (), box, face_up=False).shown is None


def test_a_reading_written_before_there_were_tiles_is_still_read():
    old = json.loads((Path(__file__).parent / "fixtures" / "reading_of_the_first_version.json").read_text())
    assert "tile" not in old["doubts"][0]
    reading = Reading.from_json(old)
    assert reading.values == (5, 5, 2, 2, 1, 4, 6)
    assert {(die.kind, die.starter) for die in reading.dice} == {("d6", False)}
    assert [(doubt.piece, doubt.tile) for doubt in reading.doubts] == [(5, None)]
    # What has come since says that there was no profile.
    dice = [{**die, "profile": ""} for die in old["dice"]]
    assert {**reading.to_json(), "doubts": old["doubts"]} == {**old, "dice": dice, "profiles": {}}
