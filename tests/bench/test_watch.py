from pathlib import Path

import pytest

from bench.watch import repeated, scaled
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
