"""Unused connections are closed, and no address holds more than its share of them."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import pytest
import uvicorn

from api.http.serve import connections as module
from api.http.serve.connections import Connections, Patience, protocol, raised_open_files

HEAD = b"POST /echo HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n"
SHORT = Patience(head=1.5, idle=1.5, body=4.0, reader=0.5)


async def app(scope, receive, send):  # type: ignore[no-untyped-def]
    """Reads what comes; at /much it sends 64 MB."""
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    for _ in range(1024 if scope["path"] == "/much" else 0):
        await send({"type": "http.response.body", "body": bytes(65_536), "more_body": True})
    await send({"type": "http.response.body", "body": b"done"})


@contextmanager
def serving(known: Connections | None = None, patience: Patience = SHORT) -> Iterator[tuple[str, int]]:
    config = uvicorn.Config(app, port=0, log_level="error", lifespan="off", http=protocol(known, patience))
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield server.servers[0].sockets[0].getsockname()
    server.should_exit = True
    thread.join(20)


@pytest.fixture(scope="module")
def address() -> Iterator[tuple[str, int]]:
    with serving() as there:
        yield there


def connected(address: tuple[str, int]) -> socket.socket:
    return socket.create_connection(address, timeout=15)


def ended(connection: socket.socket) -> bool:
    """Whether the server ends it before the test gives up."""
    try:
        while connection.recv(65_536):
            continue
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False
    return True


def heard(connection: socket.socket) -> bytes:
    """What the server sends until "done", or until it closes the connection."""
    received = b""
    with suppress(ConnectionResetError):
        while b"done" not in received and (chunk := connection.recv(65_536)):
            received += chunk
    return received


def asked(address: tuple[str, int]) -> bytes:
    """The answer to a request of its own."""
    with connected(address) as connection, suppress(OSError):
        connection.sendall(b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
        return heard(connection)
    return b""


def drips(connection: socket.socket) -> int:
    """How many bytes go off, one at a time, until the server ends it."""
    sent = 0
    with suppress(OSError):
        while sent < 100:
            connection.sendall(b"x")
            sent += 1
            time.sleep(0.1)
    return sent


def sent_in_parts(address: tuple[str, int], parts: int, pause: float) -> tuple[bytes, float]:
    """The answer to a body of 100 bytes sent in parts, and the longest time in seconds between two of them."""
    with connected(address) as connection:
        connection.sendall(HEAD + b"\r\n")
        last, longest = time.monotonic(), 0.0
        with suppress(OSError):
            for part in range(parts):
                time.sleep(pause)
                connection.sendall(b"x" * (100 * (part + 1) // parts - 100 * part // parts))
                now = time.monotonic()
                last, longest = now, max(longest, now - last)
            return heard(connection), longest
    return b"", longest


@pytest.mark.parametrize(
    "sent",
    [b"", b"POST / HT", HEAD, HEAD + b"\r\n", HEAD + b"\r\n" + b"x" * 99],
    ids=["nothing", "half a line", "half a head", "no body", "half a body"],
)
def test_a_request_that_is_half_sent_is_not_kept(address: tuple[str, int], sent: bytes) -> None:
    with connected(address) as connection:
        connection.sendall(sent)
        assert ended(connection)


def test_a_body_that_drips_is_not_kept(address: tuple[str, int]) -> None:
    with connected(address) as connection:
        connection.sendall(HEAD + b"\r\n")
        assert drips(connection) < 90


def test_the_next_request_may_not_be_half_sent_either(address: tuple[str, int]) -> None:
    with connected(address) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")
        assert b"done" in heard(connection)
        connection.sendall(b"GET / HTTP")
        assert ended(connection)


def test_who_does_not_read_is_not_waited_for() -> None:
    with serving(Connections(most=1)) as address, connected(address) as unread:
        unread.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        unread.sendall(b"GET /much HTTP/1.1\r\nhost: localhost\r\n\r\n")
        # The only place is taken until the server closes the connection that reads nothing.
        ends = time.monotonic() + 30
        while b"done" not in (answer := asked(address)) and time.monotonic() < ends:
            time.sleep(0.2)
        assert b"done" in answer


def test_a_slow_but_steady_sender_is_heard() -> None:
    patience = Patience(head=20, idle=2, body=60)
    with serving(patience=patience) as address:
        for _ in range(5):
            answer, longest = sent_in_parts(address, parts=6, pause=0.5)
            if b"done" in answer:
                return
            # A machine that stands still for so long makes anybody an idle sender: only then is it tried again.
            assert longest > patience.idle / 2
    pytest.skip("this machine stood still again and again")


def test_there_are_only_so_many_connections() -> None:
    with serving(Connections(most=5)) as address, ExitStack() as stack:
        for _ in range(5):
            stack.enter_context(connected(address)).sendall(HEAD)
        refused = stack.enter_context(connected(address))
        assert b"503" in refused.recv(65_536)
    with serving(Connections(most=5)) as address:
        for _ in range(20):
            with connected(address) as connection:
                connection.sendall(b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
                assert ended(connection)


def test_one_address_has_its_share() -> None:
    known = Connections(most=10, most_of_client=2)
    assert [known.admits("192.168.1.7") for _ in range(3)] == [True, True, False]
    assert known.admits("192.168.1.8")
    known.leaves("192.168.1.7")
    assert known.admits("192.168.1.7")
    assert all(known.admits("127.0.0.1") for _ in range(7))
    assert not known.admits("127.0.0.1")


def test_the_limit_of_open_files_is_raised_or_told() -> None:
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 512), hard))
        most = raised_open_files()
        now, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        assert now >= most + module._SPARE_FILES or most == 1
        assert most == min(module.MOST, now - module._SPARE_FILES)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
