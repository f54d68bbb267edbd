from pathlib import Path

import av
import numpy as np
import pytest

from datasets.generate.clips.recording.sound import clatter
from datasets.generate.clips.recording.video import RATE, Video


def frames(count: int) -> list[np.ndarray]:
    return [np.full((48, 64, 3), 40 + 10 * n, np.uint8) for n in range(count)]


def test_a_clip_keeps_its_frames_in_time(tmp_path: Path):
    with Video(tmp_path / "a.mp4", 15, (64, 48), 23) as video:
        for frame in frames(7):
            video.add(frame)
    with av.open(str(tmp_path / "a.mp4")) as clip:
        stream = clip.streams.video[0]
        seen = [(frame.time, frame.to_ndarray(format="rgb24").mean()) for frame in clip.decode(video=0)]
        assert (stream.codec_context.name, stream.average_rate) == ("h264", 15)
    assert [time for time, _ in seen] == pytest.approx([n / 15 for n in range(7)], abs=1e-3)
    assert [light for _, light in seen] == pytest.approx([40 + 10 * n for n in range(7)], abs=4)
    assert not list(tmp_path.glob("*.part"))


def test_a_clip_with_sound_is_as_long_as_its_pictures(tmp_path: Path):
    with Video(tmp_path / "a.mp4", 10, (64, 48), 23, sound=True) as video:
        for frame in frames(12):
            video.add(frame)
        video.hear(clatter(np.random.default_rng(1), [0.4], 1.2, RATE))
    with av.open(str(tmp_path / "a.mp4")) as clip:
        assert clip.streams.audio[0].codec_context.name == "aac"
        heard = np.concatenate([frame.to_ndarray()[0] for frame in clip.decode(audio=0)])
    assert len(heard) / RATE == pytest.approx(1.2, abs=0.1)
    assert np.abs(heard).max() > 0.02


def test_what_was_broken_off_has_no_name(tmp_path: Path):
    with pytest.raises(ValueError, match="ndim"), Video(tmp_path / "a.mp4", 15, (64, 48), 23) as video:
        video.add(np.zeros((48, 64), np.uint8))
    assert not list(tmp_path.iterdir())
