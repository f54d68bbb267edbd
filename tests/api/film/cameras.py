"""Cameras that send motion JPEG over HTTP, as those in the home do; real servers, real streams."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from PIL import Image

from tests.api.film.films import Bytes, grey
from tests.api.pictures import jpeg

_PAUSE = 0.02
"""Seconds between two pictures."""


class Camera(ThreadingHTTPServer):
    """Sends what it is shown.

    Attributes:
        shows: the picture that it sends now, by how many it has sent to this visitor.
        lasts: how many pictures each visit gets; None: as long as somebody looks.
        visits: how many there were.
        file: is sent instead, whole.
        answers: the status that every visitor gets, and nothing else, where it is not 200.
    """

    daemon_threads = True

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Answer)
        self.shows: Callable[[int], Bytes] = lambda sent: grey(5 + sent % 10)
        self.lasts: int | None = None
        self.visits = 0
        self.file: Path | None = None
        self.answers = 200
        self.open = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/stream"


class _Answer(BaseHTTPRequestHandler):
    server: Camera

    def do_GET(self) -> None:
        self.server.visits += 1
        if self.server.answers != 200:
            self.send_error(self.server.answers)
            return
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
            data = jpeg(Image.fromarray(self.server.shows(sent)))
            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
            self.wfile.write(head.encode() + data + b"\r\n")
            sent += 1
            time.sleep(_PAUSE)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def on_air(port: int = 0) -> Iterator[Camera]:
    """A camera that is on; then it is off, and nobody sees anything more."""
    camera = Camera(port)
    serving = threading.Thread(target=camera.serve_forever, args=(0.01,))
    serving.start()
    try:
        yield camera
    finally:
        camera.open = False
        camera.shutdown()
        serving.join()
        camera.server_close()
