"""The server process: startup, messages, shutdown."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import signal
import socket
import ssl
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType

import uvicorn
from anyio.to_thread import run_sync
from fastapi import FastAPI
from uvicorn.server import HANDLED_SIGNALS

from api.evidence.keys import ServerKey
from api.files.data_folder import data_folder
from api.http import logs
from api.http.addresses import is_address, is_loopback, lan_addresses, own_names
from api.http.app import create_app
from api.http.games.join_gate import Gate, kept_token
from api.http.serve import join_codes, trust_page
from api.http.serve.certificates import Certificate, CertificateError, Certificates
from api.http.serve.connections import Connections, protocol, raised_open_files
from api.http.serve.settings import Settings
from api.store import Store
from api.store.database import shown_url
from api.store.folder import only_server

_ENDING = 5
"""Seconds for requests to finish at shutdown."""
_LOOK_AGAIN = 600
"""Interval between certificate checks, in tenths of a second."""
_EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - compared with

_log = logging.getLogger("uvicorn.error")


class ListenError(Exception):
    """The server cannot listen on its address and port; the message says why and what to do."""


def run(settings: Settings) -> bool:
    """Serve until the process is told to stop.

    Returns:
        Whether the server was ever ready; if not, its log says why.

    Raises:
        ListenError: the address or port is not available, or two ports are the same.
        StoreError, KeyFileError, CertificateError: the folder or the database cannot be used.
    """
    _check_plain_port(settings)
    data = settings.data or data_folder()
    database = settings.database.get_secret_value() if settings.database else None
    listening = listen(settings.host, settings.port)
    # Checked before the server starts, when errors can still be printed instead of logged.
    with only_server(data) if database is None else contextlib.nullcontext():
        Store.open(database, data).close()
    ServerKey.open(data)
    token = settings.token.get_secret_value() if settings.token else kept_token(data)
    names = _names(settings)
    app = create_app(data=data, database=database, names=names)
    app.state.gate = Gate(token)
    port = listening.getsockname()[1]
    app.state.network_origin = partial(_network_origin, settings, port)
    secure = _Secure.prepared(settings, data, port) if settings.https else None
    invitation = _invitation(settings, data, port, token, secure)
    server = Server(
        _config(app, settings, secure),
        lambda: app.state.live.feed.close(),
        ready=partial(_say, invitation),
        beside=_beside(app, secure, port, names),
    )
    if secure:
        server.looking_again = partial(secure.renew, settings, server.config)
    _warn_root()
    server.run([listening])
    return server.started


def _check_plain_port(settings: Settings) -> None:
    if settings.http_port is None:
        return
    if not settings.https:
        print("--http-port has no effect without --https.", file=sys.stderr, flush=True)
    elif settings.http_port == settings.port != 0:
        raise ListenError(f"--port and --http-port are both {settings.port}: choose another for one of them.")


def _warn_root() -> None:
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        text = "This server runs as root, which it never needs: a fault in it could reach the whole computer. Use an account"
        print(f"{text} of its own (docs/operations.md).", flush=True)


class Server(uvicorn.Server):
    """Closes its event streams at shutdown, which would otherwise wait for viewers forever.

    Being stopped by a signal is not an error: the process continues after `run`.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        end_streams: Callable[[], None],
        ready: Callable[[], None] = lambda: None,
        beside: tuple[uvicorn.Server, socket.socket] | None = None,
    ) -> None:
        super().__init__(config)
        self._end_streams = end_streams
        self._ready = ready
        self._beside = beside
        self.looking_again: Callable[[], None] | None = None

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve, together with the secondary server."""
        if self._beside is None:
            await super().serve(sockets)
            return
        other, listening = self._beside
        going = asyncio.create_task(other.serve([listening]))
        try:
            await super().serve(sockets)
        finally:
            other.should_exit = True
            await going

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and report readiness."""
        await super().startup(sockets)
        if self.started and not self.should_exit:
            self._ready()

    async def on_tick(self, counter: int) -> bool:
        """Check the certificate from time to time."""
        if self.looking_again and counter % _LOOK_AGAIN == _LOOK_AGAIN - 1:
            await run_sync(self.looking_again)
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Shut down on a signal."""
        super().handle_exit(sig, frame)
        if self.started:
            self._end_streams()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """As in uvicorn, but without raising the signal again at the end."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {sig: signal.signal(sig, self.handle_exit) for sig in HANDLED_SIGNALS}
        try:
            yield
        finally:
            for sig, handler in before.items():
                signal.signal(sig, handler)


class _Quiet(uvicorn.Server):
    """A secondary server; the primary one handles signals for both."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


# Listening


def listen(host: str, port: int) -> socket.socket:
    """Open a listening socket.

    Raises:
        ListenError: the address or port is not available.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        both = host == "::" and socket.has_dualstack_ipv6()
        return socket.create_server(address[:2], family=family, dualstack_ipv6=both)
    except (OSError, UnicodeError) as error:
        raise ListenError(_why_not(host, port, error)) from error


def _why_not(host: str, port: int, error: Exception) -> str:
    number = getattr(error, "errno", None)
    if number == errno.EADDRINUSE:
        return f"Port {port} is in use, perhaps by another `muggins serve`: end that, or choose another with --port."
    if number in (errno.EACCES, errno.EPERM):
        return f"Port {port} is not for everybody on this computer: choose one from 1024 on with --port."
    if number == errno.EADDRNOTAVAIL:
        return f"This computer does not have the address {host}: leave --host away to listen on all that it has."
    if isinstance(error, (socket.gaierror, UnicodeError)):
        return f"There is no address {host}: leave --host away to listen on all that this computer has."
    return f"Cannot listen on {host}, port {port}: {getattr(error, 'strerror', None) or error}."


# Names and addresses


def _names(settings: Settings) -> tuple[str, ...]:
    """Host names under which browsers may reach this server."""
    host = () if settings.host in _EVERYWHERE else (settings.host,)
    return (*settings.name, *own_names(), *host)


def _phones_reach(settings: Settings) -> tuple[str, ...]:
    """Hosts for phone links: a configured name, else addresses; empty if phones cannot connect."""
    if settings.host in _EVERYWHERE:
        return (*settings.name[:1], *lan_addresses())
    if settings.host == "localhost" or is_loopback(settings.host):
        return ()
    return (*settings.name[:1], settings.host)


def _network_origin(settings: Settings, port: int) -> str | None:
    """Where phones reach this server now, as a page's origin; None if they cannot."""
    scheme = "https" if settings.https else "http"
    return next((f"{scheme}://{join_codes.bracketed(host)}:{port}" for host in _phones_reach(settings)), None)


def _here(settings: Settings) -> str:
    return "127.0.0.1" if settings.host in (*_EVERYWHERE, "localhost") else settings.host


def _invitation(settings: Settings, data: Path, port: int, token: str, secure: _Secure | None) -> join_codes.Invitation:
    return join_codes.Invitation(
        scheme="https" if secure else "http",
        here=_here(settings),
        hosts=_phones_reach(settings),
        port=port,
        token=token,
        data=data,
        trust_port=secure.plain.getsockname()[1] if secure else None,
        fingerprint=secure.certificate.fingerprint if secure else "",
        database=shown_url(settings.database.get_secret_value()) if settings.database else "",
        proxied=settings.name,
    )


def _say(invitation: join_codes.Invitation) -> None:
    """Links go to standard output, since they contain the token; loggable messages go to standard error."""
    print(f"Muggins serves at {invitation.local}", file=sys.stderr, flush=True)
    with contextlib.suppress(BrokenPipeError):  # nobody reads the output: no reason not to serve
        join_codes.show(invitation, sys.stdout)


# HTTPS


@dataclass(frozen=True, slots=True)
class _Secure:
    """Everything needed for HTTPS.

    Attributes:
        certificates: of the data folder.
        certificate: of the server.
        plain: socket of the plain page about it.
    """

    certificates: Certificates
    certificate: Certificate
    plain: socket.socket

    @classmethod
    def prepared(cls, settings: Settings, data: Path, port: int) -> _Secure:
        """Prepare certificate and socket.

        Raises:
            ListenError, CertificateError: the port or certificate is not available.
        """
        certificates = Certificates(data)
        plain = settings.http_port
        if plain is None:
            plain = port + 1 if settings.port and port < 65535 else 0
        return cls(certificates, _current(certificates, settings), listen(settings.host, plain))

    def renew(self, settings: Settings, config: uvicorn.Config) -> None:
        """Switch to a new certificate if the old one no longer fits; it applies to new connections."""
        try:
            current = _current(self.certificates, settings)
            assert config.ssl is not None
            config.ssl.load_cert_chain(current.file)
        except (CertificateError, OSError, ssl.SSLError) as error:
            _log.error("The certificate cannot be renewed: %s", error)


def _current(certificates: Certificates, settings: Settings) -> Certificate:
    """The certificate for the current names and addresses, which change with the network."""
    called = _names(settings)
    return certificates.for_server(
        [each for each in called if not is_address(each)],
        [*lan_addresses(), *filter(is_address, called)],
        asked=[each for each in settings.name if not is_address(each)],
    )


def _config(app: FastAPI, settings: Settings, secure: _Secure | None) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=protocol(Connections(raised_open_files())),
        log_config=logs.server(),
        log_level="info" if settings.access_log else "warning",
        access_log=settings.access_log,
        timeout_graceful_shutdown=_ENDING,
        ssl_certfile=secure.certificate.file if secure else None,
    )


def _beside(
    app: FastAPI, secure: _Secure | None, port: int, names: Sequence[str]
) -> tuple[uvicorn.Server, socket.socket] | None:
    """The page about the certificate, on the server itself and on a plain port."""
    if secure is None:
        return None
    trust_page.install(app, secure.certificate.authority, port)
    plain = trust_page.plain_app(secure.certificate.authority, port, names)
    # No log_config: the primary server has configured logging.
    config = uvicorn.Config(
        plain, http=protocol(), log_config=None, access_log=False, timeout_graceful_shutdown=_ENDING
    )
    return _Quiet(config), secure.plain
