import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.reading import Die, Doubt, Reading, Tile

# Two digits at most, so that rounding to JSON's precision changes nothing.
CHANCE = st.integers(0, 100).map(lambda n: n / 100)
COORDINATE = st.integers(0, 40_000).map(lambda n: n / 10)
POINT = st.tuples(COORDINATE, COORDINATE)
DIE = st.builds(
    Die,
    value=st.integers(1, 6),
    confidence=CHANCE,
    alternatives=st.lists(st.tuples(st.integers(1, 6), CHANCE), min_size=1, max_size=6).map(tuple),
    box=st.tuples(POINT, POINT, POINT, POINT),
    colour=st.sampled_from(["white", "red"]),
)
DOUBT = st.builds(Doubt, st.sampled_from(["cut-off", "uncertain-value"]), st.text(), st.none() | st.integers(0, 5))
READING = st.builds(
    Reading,
    photo=st.text(),
    sha256=st.text("0123456789abcdef", min_size=64, max_size=64),
    width=st.integers(1, 9999),
    height=st.integers(1, 9999),
    dice=st.lists(DIE, max_size=3).map(tuple),
    doubts=st.lists(DOUBT, max_size=2).map(tuple),
    models=st.just({"locator": "ab"}),
    timings_ms=st.just({"total": 12.5}),
    tiles=st.just(()) | st.just((Tile((6, None), 0.5, (((6, 1), 0.5),), ((0.0, 0.0),) * 4),)),
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
