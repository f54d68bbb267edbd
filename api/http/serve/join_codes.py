"""The links and QR codes that `muggins serve` prints when it is ready."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TextIO

import segno

from api.http.games.join_gate import FRAGMENT

_QUIET = 2
"""Quiet zone of a code in the terminal: half the standard's, which phones still read."""
_LIGHT_ON_DARK, _AS_BEFORE = "\x1b[97;40m", "\x1b[0m"


@dataclass(frozen=True, slots=True)
class Invitation:
    """How to reach a server.

    Attributes:
        scheme: http or https.
        here: host name or address for this computer.
        hosts: for phones, likeliest first; empty if phones cannot reach it.
        port: it listens on.
        token: the join token.
        data: the folder of the games; with a database, of the keys.
        trust_port: port of the plain page about the certificate; None: no such page.
        fingerprint: of the authority phones have to trust; empty without HTTPS.
        database: URL of the database that has the games, without its password; empty: they are in `data`.
        proxied: names by which a proxy on this computer may bring phones where they cannot connect themselves.
    """

    scheme: str
    here: str
    hosts: Sequence[str]
    port: int
    token: str
    data: Path
    trust_port: int | None = None
    fingerprint: str = ""
    database: str = ""
    proxied: Sequence[str] = ()

    @property
    def local(self) -> str:
        """The URL for this computer."""
        return f"{self.scheme}://{bracketed(self.here)}:{self.port}"

    def joining(self, host: str) -> str:
        """The link for phones, with the join token in the fragment."""
        return f"{self.scheme}://{bracketed(host)}:{self.port}/#{FRAGMENT}={self.token}"

    def trusting(self, host: str) -> str:
        """The link to the plain page about the certificate."""
        return f"http://{bracketed(host)}:{self.trust_port}/trust"


def bracketed(host: str) -> str:
    """The host as in a URL: IPv6 addresses in brackets."""
    return f"[{host}]" if ":" in host else host


def code(link: str) -> segno.QRCode:
    """The QR code of a link."""
    return segno.make_qr(link)


def show(invitation: Invitation, out: TextIO) -> None:
    """Print links and codes; no codes if the terminal cannot show half blocks."""
    encoding = out.encoding or "utf-8"
    for line in _lines(invitation):
        out.write(f"{line}\n".encode(encoding, "backslashreplace").decode(encoding))
    if invitation.hosts:
        _show_codes(invitation, out)
    out.write("Ctrl-C ends it.\n")
    out.flush()


def _lines(invitation: Invitation) -> Iterator[str]:
    if invitation.database:
        yield f"Games are stored in {invitation.database}, keys in {invitation.data}"
    else:
        yield f"Games are stored in {invitation.data}"
    yield f"On this computer:  {invitation.joining(invitation.here)}"
    if not invitation.hosts:
        yield from _reached_by_proxy(invitation)
        return
    yield f"On a phone:        {invitation.joining(invitation.hosts[0])}"
    for other in invitation.hosts[1:]:
        yield f"           or:     {invitation.joining(other)}"
    yield "Anyone with this link can start games here. Each game then has its own links."
    yield from _hints(invitation)


def _reached_by_proxy(invitation: Invitation) -> Iterator[str]:
    if not invitation.proxied:
        yield "Only this computer can connect. For phones, omit --host and join their network."
        return
    yield "Only this computer can connect, and a proxy on it. Through a proxy with HTTPS:"
    for name in invitation.proxied:
        yield f"                   https://{bracketed(name)}/#{FRAGMENT}={invitation.token}"


def _hints(invitation: Invitation) -> Iterator[str]:
    ports = f"port {invitation.port}"
    if invitation.trust_port:
        ports = f"ports {invitation.port} and {invitation.trust_port}"
        yield f"First time on a phone: {invitation.trusting(invitation.hosts[0])} shows how to trust this server."
        yield f"Certificate authority, SHA-256: {invitation.fingerprint}"
    else:
        yield "The live camera needs HTTPS: muggins serve --https"
    yield f"If a phone cannot connect, check that it is in the same Wi-Fi and that this computer's firewall allows {ports}."


def _show_codes(invitation: Invitation, out: TextIO) -> None:
    first = invitation.hosts[0]
    if invitation.trust_port:
        _show_code("Scan this once on each phone, to trust this server:", invitation.trusting(first), out)
    _show_code("Scan this to play:", invitation.joining(first), out)


def _show_code(title: str, link: str, out: TextIO) -> None:
    drawn = StringIO()
    code(link).terminal(drawn, border=_QUIET, compact=True)
    lines = drawn.getvalue().splitlines()
    if out.isatty():
        # Light blocks on dark, regardless of the terminal's colours.
        lines = [f"{_LIGHT_ON_DARK}{line}{_AS_BEFORE}" for line in lines]
    with suppress(UnicodeEncodeError):
        "▀▄█".encode(out.encoding or "utf-8")
        out.write("\n".join(["", title, *lines, ""]))
        out.write("\n")
