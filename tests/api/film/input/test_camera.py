"""A camera that sends pictures over HTTP, is cut off and comes back; a real server, a real stream."""

from __future__ import annotations

import socket
import sys
import time
import wave
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from threading import Event

import av
import cv2
import numpy as np
import pytest

from api.film.input import camera as input_camera
from api.film.input import container
from api.film.input.camera import LiveSource, _captured, _no_camera, stream
from api.film.input.open_source import open_source
from api.film.input.source import SourceError
from api.film.input.timecode import Span
from tests.api.film.cameras import Camera, on_air
from tests.api.film.films import RATE, SIZE, Bytes, film, grey, number_of


@pytest.fixture
def camera() -> Iterator[Camera]:
    with on_air() as running:
        yield running


def test_a_stream_is_watched_as_it_comes(camera: Camera) -> None:
    source = open_source(camera.url, fps=RATE, say=print)
    assert (source.facts.live, source.facts.seconds, source.facts.size) == (True, None, SIZE)
    frames = list(source.frames(Span(0, 1.0)))
    assert len(frames) > 3
    numbers, times = [frame.number for frame in frames], [frame.time for frame in frames]
    assert numbers == sorted(set(numbers))
    assert times == sorted(times)
    assert times[-1] < 1.2
    assert all(5 <= number_of(frame.pixels) < 15 for frame in frames)


def test_a_camera_that_drops_out_is_waited_for_and_both_are_said(camera: Camera) -> None:
    camera.lasts = 4
    said: list[str] = []
    source = stream(camera.url, said.append)
    source.pauses = (0.01, 0.02)
    frames = source.frames(Span(0, 60))
    while not any("is back" in text for text in said):
        last = next(frames)
    after = next(frames)
    frames.close()
    assert "127.0.0.1" in said[0]
    assert said[0].endswith(". Reconnecting in 0.01 s.")
    assert camera.visits > 1
    assert after.number > last.number
    assert after.time > last.time


def test_a_camera_that_falls_silent_is_gone_too(camera: Camera, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container, "_WITHIN", (10.0, 0.3))
    silence = Event()
    said: list[str] = []

    def hangs_at_first(sent: int) -> Bytes:
        if sent == 6 and not silence.is_set():
            silence.wait(5)
        return grey(7)

    camera.shows = hangs_at_first
    source = stream(camera.url, said.append)
    source.pauses = (0.01,)
    frames = source.frames(Span(0, 60))
    while not said:
        next(frames)
    assert said[0].endswith(". Reconnecting in 0.01 s.")
    silence.set()
    while "is back" not in said[-1]:
        next(frames)
    frames.close()


def test_a_camera_that_freezes_is_not_taken_for_a_still_table(camera: Camera, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(input_camera, "FROZEN", 0.4)
    said: list[str] = []
    frozen = Event()
    frozen.set()
    camera.shows = lambda sent: grey(7 if frozen.is_set() else 5 + sent % 10)
    frames = stream(camera.url, said.append).frames(Span(0, 60))
    while not said:
        last = next(frames)
    assert 0.4 <= last.time < 20
    assert "has sent the very same picture for 0.4 s: it seems to be frozen" in said[0]
    frozen.clear()
    while len(said) < 2:
        next(frames)
    begun = next(frames).time
    while next(frames).time < begun + 0.8:
        pass
    frames.close()
    assert said[1:] == [f"{camera.url} sends new pictures again."]


@pytest.mark.parametrize(
    "error", [av.error.PatchWelcomeError(0, "Not yet implemented"), cv2.error("bad frame"), OSError("unplugged")]
)
def test_a_stream_that_cannot_be_decoded_any_more_is_opened_anew(error: Exception) -> None:
    said: list[str] = []
    visits = iter([True, True, False])

    def connect() -> Iterator[object]:
        yield lambda: grey(7)
        if next(visits):
            raise error
        time.sleep(1)

    source = LiveSource("camera", connect, said.append, pauses=(0.01,))  # type: ignore[arg-type]
    frames = source.frames(Span(0, 5))
    while len(said) < 4:
        next(frames)
    frames.close()
    assert said == ["Lost camera. Reconnecting in 0.01 s.", "camera is back."] * 2


def test_a_mistake_in_the_reading_of_a_camera_ends_the_watching_and_is_not_waited_for() -> None:
    def connect() -> Iterator[object]:
        yield lambda: grey(7)
        raise ZeroDivisionError

    source = LiveSource("camera", connect, print, pauses=(0.01,))  # type: ignore[arg-type]
    with pytest.raises(ZeroDivisionError):
        list(source.frames(Span(0, 5)))


def test_pauses_grow_while_nothing_answers_and_begin_anew_when_it_does() -> None:
    said: list[str] = []
    visits = iter(["one", None, None, "two", None])

    def connect() -> Iterator[object]:
        if next(visits, None) is None:
            raise SourceError("no-answer", "silence")
        yield lambda: grey(7)

    source = LiveSource("camera", connect, said.append, pauses=(0.01, 0.02, 0.03))  # type: ignore[arg-type]
    list(source.frames(Span(0, 1.0)))
    assert [text.partition(".")[2].strip(" .") for text in said if "Lost" in text][:4] == [
        f"Reconnecting in {pause} s" for pause in (0.01, 0.02, 0.03, 0.01)
    ]


def test_who_looks_slowly_sees_the_newest_picture_and_never_a_late_one() -> None:
    sent = 0

    def connect() -> Iterator[object]:
        nonlocal sent
        while True:
            sent += 1
            yield lambda number=sent: grey(number % 25)
            time.sleep(0.005)

    source = LiveSource("camera", connect, print)  # type: ignore[arg-type]
    for frame in source.frames(Span(0, 0.6)):
        assert sent - frame.number <= 3
        time.sleep(0.1)


def test_a_camera_that_comes_back_with_another_size_ends_the_watching() -> None:
    sizes = iter([SIZE, (200, 100)])

    def connect() -> Iterator[object]:
        size = next(sizes)
        yield lambda: grey(7, size)
        if size != SIZE:
            time.sleep(1)

    source = LiveSource("camera", connect, print, pauses=(0.01,))  # type: ignore[arg-type]
    with pytest.raises(SourceError, match="another frame size"):
        list(source.frames(Span(0, 5)))


def test_a_webcam_s_colours_are_the_right_way_round(tmp_path: Path) -> None:
    red = np.zeros((120, 160, 3), np.uint8)
    red[..., 0] = 220
    # OpenCV reads a file as it reads a camera.
    recording = str(film(tmp_path / "a.mp4", [red] * 5))
    source = LiveSource("camera", partial(_captured, recording), print, pauses=(0.01,))  # type: ignore[arg-type]
    (first, *_) = source.frames(Span(0, 0.2))
    assert first.pixels.mean(axis=(0, 1)) == pytest.approx([220, 0, 0], abs=12)


def test_numbers_and_times_go_on_after_a_restart() -> None:
    def connect() -> Iterator[object]:
        while True:
            yield lambda: grey(7)
            time.sleep(0.01)

    source = LiveSource("camera", connect, print)  # type: ignore[arg-type]
    first = next(frames := source.frames(Span(125.0, None), 1, 4000))
    frames.close()
    assert first.number > 4000
    assert 125 <= first.time < 126


def test_a_video_at_an_address_is_a_recording(camera: Camera, tmp_path: Path) -> None:
    camera.file = film(tmp_path / "a.mkv", [grey(n) for n in range(12)])
    source = open_source(camera.url, fps=RATE, say=print)
    assert (source.facts.live, source.facts.seconds) == (False, pytest.approx(1.2))
    assert [number_of(frame.pixels) for frame in source.frames(Span())] == list(range(12))


@pytest.mark.parametrize(
    ("answers", "complaint"),
    [
        (401, "it requires a login. Put it in the URL: rtsp://NAME:PASSWORD@HOST"),
        (403, "403 Forbidden"),
        (404, "404 Not Found.*Check the URL"),
        (503, "5XX"),
    ],
)
def test_an_address_that_gives_nothing_says_why(camera: Camera, answers: int, complaint: str) -> None:
    camera.answers = answers
    with pytest.raises(SourceError, match=complaint):
        open_source(camera.url, fps=RATE, say=print)


def test_a_page_is_no_stream(camera: Camera, tmp_path: Path) -> None:
    camera.file = tmp_path / "page"
    camera.file.write_text("<html>The camera in the kitchen</html>" * 50)
    with pytest.raises(SourceError, match="A camera's web page is not its stream"):
        open_source(camera.url, fps=RATE, say=print)


def test_sound_alone_is_no_stream(camera: Camera, tmp_path: Path) -> None:
    with wave.open(str(tmp_path / "a.wav"), "wb") as sound:
        sound.setparams((1, 2, 8000, 0, "NONE", ""))
        sound.writeframes(bytes(16000))
    camera.file = tmp_path / "a.wav"
    with pytest.raises(SourceError, match="sound but no video"):
        open_source(camera.url, fps=RATE, say=print)


def test_a_host_that_is_not_found() -> None:
    with pytest.raises(SourceError, match="the host is unknown"):
        open_source("rtsp://camera.invalid/1", fps=RATE, say=print)


def test_a_host_that_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container, "_WITHIN", (0.5, 0.5))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        for scheme in ("rtsp", "http"):
            with pytest.raises(SourceError, match=r"no response within 0\.5 seconds"):
                open_source(f"{scheme}://127.0.0.1:{silent.getsockname()[1]}/1", fps=RATE, say=print)


@pytest.mark.skipif(sys.platform != "linux", reason="of Linux")
def test_a_webcam_that_is_not_there_says_which_are(tmp_path: Path) -> None:
    assert "Plug one in" in _no_camera(0, tmp_path)
    for number in (0, 2, 10):
        (tmp_path / f"video{number}").touch()
    assert _no_camera(1, tmp_path).endswith("/video1 does not exist. Available: 0, 2, and 10.")
    assert "Close other programs that use it" in _no_camera(2, tmp_path)


def test_a_video_whose_index_is_at_its_end_needs_a_server_that_sends_parts(camera: Camera, tmp_path: Path) -> None:
    noise = np.random.default_rng(5).integers(0, 255, (30, 120, 160, 3), np.uint8)
    camera.file = film(tmp_path / "a.mp4", list(noise))
    with pytest.raises(SourceError, match="Download it"):
        open_source(camera.url, fps=RATE, say=print)


def test_an_address_where_nobody_answers_is_said_at_once_without_its_password() -> None:
    with pytest.raises(SourceError, match="sends no video") as refused:
        open_source("http://ann:secret@127.0.0.1:9/stream", fps=RATE, say=print)
    assert "secret" not in refused.value.message
