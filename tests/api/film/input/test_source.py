import os
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from PIL import Image

from api.film.input.open_source import open_source
from api.film.input.source import SourceError, without_password
from api.film.input.timecode import Span
from tests.api.film.films import RATE, SIZE, film, grey, number_of


def opened(name: str | Path):  # type: ignore[no-untyped-def]
    return open_source(str(name), fps=RATE, say=print)


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return film(tmp_path_factory.mktemp("video") / "a.mp4", [grey(n) for n in range(20)], sound="aac")


def test_a_video_is_its_frames_in_order_with_their_times(video: Path) -> None:
    source = opened(video)
    frames = list(source.frames(Span()))
    assert (source.facts.size, source.facts.seconds, source.facts.live) == (SIZE, 2.0, False)
    assert [frame.number for frame in frames] == list(range(20))
    assert [number_of(frame.pixels) for frame in frames] == list(range(20))
    assert [round(frame.time, 6) for frame in frames] == [n / RATE for n in range(20)]
    assert frames[0].pixels.shape == (120, 160, 3)


@pytest.mark.parametrize("start", [0.1, 0.5, 0.7, 1.65])
def test_frames_of_a_part_keep_number_and_time(video: Path, start: float) -> None:
    frames = list(opened(video).frames(Span(start, 1.8)))
    assert [frame.number for frame in frames] == [n for n in range(18) if n / RATE >= start]
    assert all(number_of(frame.pixels) == frame.number for frame in frames)


def test_every_third_frame_and_only_those_after_one(video: Path) -> None:
    assert [frame.number for frame in opened(video).frames(Span(), 3, 6)] == [9, 12, 15, 18]


def test_a_variable_frame_rate_keeps_its_times(tmp_path: Path) -> None:
    ticks = [0, 10, 15, 60, 61, 200]
    video = film(tmp_path / "a.mp4", [grey(n) for n in range(6)], ticks=ticks)
    assert [round(frame.time, 4) for frame in opened(video).frames(Span())] == [tick / 100 for tick in ticks]


def test_a_raw_stream_has_times_by_its_rate_in_every_part(tmp_path: Path) -> None:
    """Its packets say no times, and nothing can be sought in it."""
    source = opened(film(tmp_path / "a.h264", [grey(n) for n in range(20)]))
    times = [number / float(source.rate) for number in range(20)]
    assert source.facts.seconds is None
    assert [frame.time for frame in source.frames(Span())] == source.moments(Span()) == pytest.approx(times)
    part = Span(times[7] - 0.001, times[18])
    assert [(frame.number, number_of(frame.pixels)) for frame in source.frames(part)] == [(n, n) for n in range(7, 18)]
    assert source.moments(part) == pytest.approx(times[7:18])
    assert source.moments(Span(60)) == []


def test_a_file_that_names_the_times_in_another_order_loses_no_frame(tmp_path: Path) -> None:
    """In an AVI, frames that are predicted from later ones have the time at which they were coded."""
    source = opened(film(tmp_path / "a.avi", [grey(n) for n in range(20)], codec="libx264"))
    frames = list(source.frames(Span()))
    assert [number_of(frame.pixels) for frame in frames] == list(range(20))
    times = [frame.time for frame in frames]
    assert times == sorted(set(times))
    assert times[-1] == pytest.approx(2.0, abs=0.5)


def test_a_film_from_a_phone_held_upright_stands_upright(tmp_path: Path) -> None:
    on_table = np.zeros((120, 160, 3), np.uint8)
    on_table[:, :40] = 255
    turned = turn(film(tmp_path / "a.mp4", [on_table] * 3))
    source = opened(turned)
    (first, *_) = source.frames(Span())
    assert source.facts.size == (120, 160)
    assert first.pixels.shape == (160, 120, 3)
    # A quarter to the right: what was on the left is on top.
    assert first.pixels[:30].mean() > 250
    assert first.pixels[50:].mean() < 5


@pytest.mark.parametrize("held_upright", [False, True])
def test_a_frame_comes_small_and_becomes_pixels_only_when_asked_for(tmp_path: Path, held_upright: bool) -> None:
    photo = np.asarray(Image.open("docs/sample-throw.jpg").convert("RGB").resize((640, 480)))
    video = film(tmp_path / "a.mp4", [photo] * 3)
    first = next(iter(opened(turn(video) if held_upright else video).frames(Span())))
    assert first.small is not None
    assert first.small.shape == ((160, 120, 3) if held_upright else (120, 160, 3))
    assert "pixels" not in vars(first)
    alike = cv2.resize(first.pixels, first.small.shape[1::-1], interpolation=cv2.INTER_AREA)
    assert np.abs(alike.astype(float) - first.small).mean() < 4


def turn(path: Path) -> Path:
    """Write into the track's header that the picture is to be turned to the right by 90 degrees (ISO 14496-12, tkhd)."""
    data = bytearray(path.read_bytes())
    matrix = data.index(b"tkhd") + 4 + 40
    one, zero = (1 << 16).to_bytes(4, "big"), bytes(4)
    minus = (-(1 << 16)).to_bytes(4, "big", signed=True)
    width = (120 << 16).to_bytes(4, "big")
    data[matrix : matrix + 36] = zero + one + zero + minus + zero + zero + width + zero + (1 << 30).to_bytes(4, "big")
    path.write_bytes(data)
    return path


def test_a_video_that_was_cut_off_is_watched_as_far_as_it_goes(tmp_path: Path) -> None:
    noise = np.random.default_rng(5).integers(0, 255, (30, 120, 160, 3), np.uint8)
    whole = film(tmp_path / "a.mkv", list(noise))
    cut = tmp_path / "cut.mkv"
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    assert 5 < len(list(opened(cut).frames(Span()))) < 30


def test_a_folder_of_pictures_goes_by_the_numbers_in_their_names(tmp_path: Path) -> None:
    for number in range(12):
        Image.fromarray(grey(number)).save(tmp_path / f"f{number}.png")
    (tmp_path / "notes.txt").write_text("no picture")
    frames = list(opened(tmp_path).frames(Span(0.2, 1.1)))
    assert [number_of(frame.pixels) for frame in frames] == list(range(2, 11))
    assert [frame.time for frame in frames] == [n / RATE for n in range(2, 11)]


def test_a_picture_of_another_size_in_a_folder_is_named(tmp_path: Path) -> None:
    Image.fromarray(grey(1)).save(tmp_path / "a.png")
    Image.fromarray(grey(1, (200, 100))).save(tmp_path / "b.png")
    with pytest.raises(SourceError, match=r"b\.png differs in size"):
        list(opened(tmp_path).frames(Span()))


def test_what_is_no_video_is_refused_with_the_way_out(tmp_path: Path) -> None:
    (text := tmp_path / "a.mp4").write_text("no video at all")
    Image.fromarray(grey(3)).save(tmp_path / "a.jpg")
    (tmp_path / "empty").mkdir()
    for name, code in [
        (text, "not-a-video"),
        (tmp_path / "a.jpg", "a-photo"),
        (tmp_path / "none.mp4", "not-found"),
        (tmp_path / "empty", "no-pictures"),
    ]:
        with pytest.raises(SourceError) as refused:
            opened(name)
        assert refused.value.code == code


@pytest.mark.skipif(os.name != "posix", reason="pipes have names on POSIX only")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SourceError, match="pipe is a pipe or a device, not a file"):
        opened(tmp_path / "pipe")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_one_may_not_read_is_said(video: Path) -> None:
    video.chmod(0)
    try:
        with pytest.raises(SourceError, match="Change its permissions"):
            opened(video)
    finally:
        video.chmod(0o600)


def test_a_folder_one_may_not_open_is_not_called_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(SourceError, match="No permission to open this folder") as refused:
        opened(tmp_path)
    assert refused.value.code == "no-permission"


def test_no_such_camera_is_said_and_that_they_count_from_0() -> None:
    with pytest.raises(SourceError, match="Camera 73 does not respond") as refused:
        opened("73")
    assert refused.value.code == "no-camera"


def test_a_password_is_never_shown() -> None:
    assert without_password("rtsp://ann:secret@cam.local:554/1?key=x") == "rtsp://cam.local:554/1"


@pytest.mark.parametrize("listed", ["#EXTM3U\n#EXTINF:1,\n{}\n#EXT-X-ENDLIST\n", "ffconcat version 1.0\nfile {}\n"])
@pytest.mark.parametrize("name", ["list.m3u8", "list.mp4"])
def test_a_playlist_opens_no_other_file(video: Path, tmp_path: Path, listed: str, name: str) -> None:
    (tmp_path / "a.mp4").write_bytes(video.read_bytes())
    (tmp_path / name).write_text(listed.format("a.mp4"))
    with pytest.raises(SourceError) as refused:
        opened(tmp_path / name)
    assert refused.value.code == "not-a-video"


def test_an_unknown_codec_is_a_sentence(tmp_path: Path) -> None:
    with av.open(str(tmp_path / "a.mkv"), "w") as out:
        stream = out.add_stream("mpeg4", rate=RATE)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        out.mux([*stream.encode(av.VideoFrame(64, 48)), *stream.encode()])
    data = (tmp_path / "a.mkv").read_bytes().replace(b"V_MPEG4/ISO/ASP", b"V_XXXXX/ISO/ASP")
    (tmp_path / "b.mkv").write_bytes(data)
    with pytest.raises(SourceError) as refused:
        opened(tmp_path / "b.mkv")
    assert refused.value.code == "unknown-codec"
