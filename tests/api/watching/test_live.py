"""A camera that sends pictures over HTTP, is cut off and comes back; a real server, a real stream."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from api.watching.live import Live, _captured, stream
from api.watching.source import SourceError, open_source
from api.watching.times import Span
from tests.api.watching.films import RATE, SIZE, film, grey, number_of

_PAUSE = 0.02
"""Seconds between two pictures."""


class Camera(ThreadingHTTPServer):
    """Sends motion JPEG, as webcams in the home do.

    Attributes:
        lasts: how many pictures each visit gets; None: as long as somebody looks.
        visits: how many there were.
        file: is sent instead, whole.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.lasts: int | None = None
        self.visits = 0
        self.file: Path | None = None
        self.open = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/stream"


class _Answer(BaseHTTPRequestHandler):
    server: Camera

    def do_GET(self) -> None:
        self.server.visits += 1
        if self.server.file:
            self._send_file(self.server.file.read_bytes())
            return
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        with suppress(OSError):  # nobody looks any more
            self._send_pictures()

    def _send_file(self, data: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _send_pictures(self) -> None:
        sent = 0
        while self.server.open and (self.server.lasts is None or sent < self.server.lasts):
            data = BytesIO()
            Image.fromarray(grey(5 + sent % 10)).save(data, "JPEG")
            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {data.tell()}\r\n\r\n"
            self.wfile.write(head.encode() + data.getvalue() + b"\r\n")
            sent += 1
            time.sleep(_PAUSE)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def camera() -> Iterator[Camera]:
    server = Camera()
    serving = threading.Thread(target=server.serve_forever, args=(0.01,))
    serving.start()
    yield server
    server.open = False
    server.shutdown()
    serving.join()
    server.server_close()


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
    assert said[0].endswith("is gone. Trying again in 0.01 s.")
    assert camera.visits > 1
    assert after.number > last.number
    assert after.time > last.time


def test_pauses_grow_while_nothing_answers_and_begin_anew_when_it_does() -> None:
    said: list[str] = []
    visits = iter(["one", None, None, "two", None])

    def connect() -> Iterator[object]:
        if next(visits, None) is None:
            raise SourceError("no-answer", "silence")
        yield lambda: grey(7)

    source = Live("camera", connect, said.append, pauses=(0.01, 0.02, 0.03))  # type: ignore[arg-type]
    list(source.frames(Span(0, 1.0)))
    assert [text.partition(".")[2].strip(" .") for text in said if "gone" in text][:4] == [
        f"Trying again in {pause} s" for pause in (0.01, 0.02, 0.03, 0.01)
    ]


def test_who_looks_slowly_sees_the_newest_picture_and_never_a_late_one() -> None:
    sent = 0

    def connect() -> Iterator[object]:
        nonlocal sent
        while True:
            sent += 1
            yield lambda number=sent: grey(number % 25)
            time.sleep(0.005)

    source = Live("camera", connect, print)  # type: ignore[arg-type]
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

    source = Live("camera", connect, print, pauses=(0.01,))  # type: ignore[arg-type]
    with pytest.raises(SourceError, match="another size"):
        list(source.frames(Span(0, 5)))


def test_a_webcam_s_colours_are_the_right_way_round(tmp_path: Path) -> None:
    red = np.zeros((120, 160, 3), np.uint8)
    red[..., 0] = 220
    # OpenCV reads a file as it reads a camera.
    recording = str(film(tmp_path / "a.mp4", [red] * 5))
    source = Live("camera", partial(_captured, recording), print, pauses=(0.01,))  # type: ignore[arg-type]
    (first, *_) = source.frames(Span(0, 0.2))
    assert first.pixels.mean(axis=(0, 1)) == pytest.approx([220, 0, 0], abs=12)


def test_numbers_and_times_go_on_after_a_restart() -> None:
    def connect() -> Iterator[object]:
        while True:
            yield lambda: grey(7)
            time.sleep(0.01)

    source = Live("camera", connect, print)  # type: ignore[arg-type]
    first = next(frames := source.frames(Span(125.0, None), 1, 4000))
    frames.close()
    assert first.number > 4000
    assert 125 <= first.time < 126


def test_a_video_at_an_address_is_a_recording(camera: Camera, tmp_path: Path) -> None:
    camera.file = film(tmp_path / "a.mkv", [grey(n) for n in range(12)])
    source = open_source(camera.url, fps=RATE, say=print)
    assert (source.facts.live, source.facts.seconds) == (False, pytest.approx(1.2))
    assert [number_of(frame.pixels) for frame in source.frames(Span())] == list(range(12))


def test_an_address_where_nobody_answers_is_said_at_once_without_its_password() -> None:
    with pytest.raises(SourceError, match="sends no video") as refused:
        open_source("http://ann:secret@127.0.0.1:9/stream", fps=RATE, say=print)
    assert "secret" not in refused.value.message
