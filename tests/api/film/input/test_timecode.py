import pytest

from api.film.input.timecode import Span, TimeError, clock, moment


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("95", 95), ("1:35", 95), ("01:02:03.5", 3723.5), ("0.25", 0.25), (" 2:00 ", 120), ("99:00", 5940)],
)
def test_a_moment_is_seconds_or_minutes_or_hours(text: str, seconds: float) -> None:
    assert moment(text) == seconds


@pytest.mark.parametrize("text", ["", "1:75", "1:2:3:4", "-3", "soon", "1:61:00", "nan"])
def test_what_is_no_moment_is_refused_with_the_way_out(text: str) -> None:
    with pytest.raises(TimeError, match="such as 1:35"):
        moment(text)


def test_a_moment_is_told_as_a_clock_tells_it() -> None:
    assert (clock(0), clock(59.99), clock(192), clock(3723)) == ("00:00", "00:59", "03:12", "1:02:03")


def test_a_part_ends_after_it_begins() -> None:
    assert Span(1, 2).holds(1)
    assert not Span(1, 2).holds(2)
    with pytest.raises(TimeError, match="must be after --from"):
        Span(5, 5)
