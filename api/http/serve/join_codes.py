"""What `muggins serve` shows when it is ready: the links, and QR codes of them for phones."""

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
"""Light modules round a code in a terminal: half of what the standard asks, which phones read too, and it stays small."""
_LIGHT_ON_DARK, _AS_BEFORE = "\x1b[97;40m", "\x1b[0m"


@dataclass(frozen=True, slots=True)
class Invitation:
    """How to get to a server.

    Attributes:
        scheme: http or https.
        here: host by which this computer reaches it.
        hosts: by which phones do, the likeliest first; empty where none can.
        port: it listens on.
        token: the join token.
        data: the folder where games are kept.
        trust_port: of the plain page about the certificate; None: there is none.
        fingerprint: of what phones are to trust; empty where there is nothing.
    """

    scheme: str
    here: str
    hosts: Sequence[str]
    port: int
    token: str
    data: Path
    trust_port: int | None = None
    fingerprint: str = ""

    @property
    def local(self) -> str:
        """The address for this computer."""
        return f"{self.scheme}://{bracketed(self.here)}:{self.port}"

    def joining(self, host: str) -> str:
        """The link for phones, with the join token where no server sees it."""
        return f"{self.scheme}://{bracketed(host)}:{self.port}/#{FRAGMENT}={self.token}"

    def trusting(self, host: str) -> str:
        """The link to the plain page about the certificate."""
        return f"http://{bracketed(host)}:{self.trust_port}/trust"


def bracketed(host: str) -> str:
    """As it stands in a URL: an IPv6 address in brackets."""
    return f"[{host}]" if ":" in host else host


def code(link: str) -> segno.QRCode:
    """The QR code of a link."""
    return segno.make_qr(link)


def show(invitation: Invitation, out: TextIO) -> None:
    """Write it all; a terminal that has no half blocks gets no codes."""
    encoding = out.encoding or "utf-8"
    for line in _lines(invitation):
        out.write(f"{line}\n".encode(encoding, "backslashreplace").decode(encoding))
    if invitation.hosts:
        _show_codes(invitation, out)
    out.write("Ctrl-C ends it.\n")
    out.flush()


def _lines(invitation: Invitation) -> Iterator[str]:
    yield f"Muggins keeps its games in {invitation.data}"
    yield f"On this computer:  {invitation.joining(invitation.here)}"
    if not invitation.hosts:
        yield "Only this computer can reach it. For phones, leave --host away and be in their network."
        return
    yield f"On a phone:        {invitation.joining(invitation.hosts[0])}"
    for other in invitation.hosts[1:]:
        yield f"           or:     {invitation.joining(other)}"
    yield "Whoever has that link may begin games here. Each game then has links of its own."
    yield from _hints(invitation)


def _hints(invitation: Invitation) -> Iterator[str]:
    ports = f"port {invitation.port}"
    if invitation.trust_port:
        ports = f"ports {invitation.port} and {invitation.trust_port}"
        yield f"A phone's first time: {invitation.trusting(invitation.hosts[0])} tells how it comes to trust this server."
        yield f"What it is to trust has this SHA-256: {invitation.fingerprint}"
    else:
        yield "The live camera needs HTTPS: muggins serve --https"
    yield f"If a phone does not get here: is it in the same Wi-Fi, and does this computer's firewall let {ports} through?"


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
        # Whatever colours the terminal has: light blocks on dark.
        lines = [f"{_LIGHT_ON_DARK}{line}{_AS_BEFORE}" for line in lines]
    with suppress(UnicodeEncodeError):
        "▀▄█".encode(out.encoding or "utf-8")
        out.write("\n".join(["", title, *lines, ""]))
        out.write("\n")
