from pathlib import Path

import pytest

from bench.watch import growth, repeated, scaled
from tests.api.film.films import RATE, film, frames_of, grey, number_of, shown_at


def test_a_clip_is_scaled_and_repeated_without_a_gap(tmp_path: Path) -> None:
    clip = film(tmp_path / "a.mp4", [grey(n) for n in range(15)])
    times = 30 // RATE
    long = repeated(scaled(clip, tmp_path / "b.mp4", 240), tmp_path / "c.mp4", minutes=0.1)
    frames = frames_of(long)
    assert frames[0].shape == (240, 426, 3)
    assert [number_of(frame) for frame in frames] == [n // times % 15 for n in range(len(frames))]
    assert len(frames) >= 6 * 30
    assert shown_at(long) == pytest.approx([n / 30 for n in range(len(frames))])


def test_memory_that_grows_in_the_second_half_is_told_and_what_was_taken_at_first_is_not() -> None:
    taken = [(minute, 100.0 + 300 * min(1.0, minute)) for minute in range(9)]
    flat = [{"minute": float(minute), "now_mb": now} for minute, now in taken]
    assert growth(flat) == pytest.approx(0)
    assert growth([{**each, "now_mb": each["now_mb"] + 5 * each["minute"]} for each in flat]) == pytest.approx(5)
    assert growth(flat[:3]) is None
