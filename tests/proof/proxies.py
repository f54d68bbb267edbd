"""nginx and Caddy with the configurations of `deploy/`, in front of a real server."""

from __future__ import annotations

import os
import pwd
import shutil
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx2
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.api.served import Served, served
from tests.proof.server import free_port

NAME = "dice.example"
"""In both configurations."""
PATIENCE = 300.0
_DEPLOY = Path(__file__).resolve().parents[2] / "deploy"


@dataclass
class Proxy:
    """A proxy that runs, with Muggins behind it.

    Attributes:
        port: where it listens.
        authority: the file of the certificate that clients have to trust.
        folder: of its logs.
        server: what is behind it, if it is one.
        ports: of all servers behind it.
    """

    port: int
    authority: Path
    folder: Path
    server: Served | None
    ports: Sequence[int]

    @property
    def url(self) -> str:
        return f"https://{NAME}:{self.port}"

    @property
    def logs(self) -> dict[str, str]:
        """Everything that the proxy and the server have written, by its file."""
        files = [each for each in self.folder.rglob("*.log") if each.is_file()]
        written = {each.name: each.read_text(errors="replace") for each in files}
        if self.server is None:
            return written
        return {**written, "server": self.server.out.partition("Ctrl-C")[2] + self.server.err}

    def client(self, address: str = "127.0.0.1", **headers: str) -> httpx2.Client:
        """A client at this address, as a page of this site sends its requests."""
        trusted = ssl.create_default_context(cafile=str(self.authority))
        return httpx2.Client(
            base_url=self.url,
            timeout=PATIENCE,
            transport=_ToThisComputer(self.port, httpx2.HTTPTransport(verify=trusted, local_address=address)),
            headers={"origin": self.url, **headers},
        )


class _ToThisComputer(httpx2.BaseTransport):
    """As if a name server had said that the name is this computer's."""

    def __init__(self, port: int, inner: httpx2.BaseTransport) -> None:
        self._port = port
        self._inner = inner

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        request.extensions = {**request.extensions, "sni_hostname": NAME}
        request.url = request.url.copy_with(host="127.0.0.1")
        return self._inner.handle_request(request)

    def close(self) -> None:
        self._inner.close()


@contextmanager
def behind(kind: str, folder: Path) -> Iterator[Proxy]:
    """Muggins as the configurations say it is to be started, and this proxy before it."""
    options = ("--host", "127.0.0.1", "--name", NAME, "--access-log")
    with served(folder / "server", *options) as server, before(kind, folder, [server.port], server) as proxy:
        yield proxy


@contextmanager
def before(kind: str, folder: Path, ports: Sequence[int], server: Served | None = None) -> Iterator[Proxy]:
    """This proxy before servers that run at these ports and know the name."""
    proxy = Proxy(free_port(), folder / "authority.pem", folder / kind, server, ports)
    proxy.folder.mkdir()
    log = proxy.folder / "output.log"
    with log.open("wb") as written:
        started = subprocess.Popen(STARTS[kind](proxy), stdout=written, stderr=written, env=_environment(proxy))
    try:
        _wait(proxy, started)
        yield proxy
    finally:
        # With streams that are still open.
        started.terminate()
        started.wait(PATIENCE)


def _environment(proxy: Proxy) -> dict[str, str]:
    """Caddy keeps its things in the home folder."""
    return {**os.environ, "HOME": str(proxy.folder), "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": ""}


def _wait(proxy: Proxy, started: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + PATIENCE
    while not _answers(proxy):
        assert started.poll() is None, (proxy.folder / "output.log").read_text()
        assert time.monotonic() < until, f"the proxy does not answer: {proxy.logs}"
        time.sleep(0.1)


def _answers(proxy: Proxy) -> bool:
    if not proxy.authority.exists():
        return False
    try:
        with proxy.client() as client:
            return client.get("/healthz").status_code == 200
    except (httpx2.TransportError, ssl.SSLError):
        return False


def program(kind: str) -> str | None:
    """Where it is installed, if it is."""
    places = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])
    return shutil.which(kind, path=places)


def _adapted(file: str, changes: Mapping[str, str]) -> str:
    """A configuration with what differs on a computer of one's own; everything else is as it is shipped."""
    text = (_DEPLOY / file).read_text()
    for before, after in changes.items():
        assert before in text, f"{file} has no {before!r}"
        text = text.replace(before, after)
    return text


# nginx


_AROUND = """
daemon off;
pid {folder}/pid;
error_log {folder}/error.log info;
events {{ }}
http {{
    access_log {folder}/access.log combined;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site;
}}
"""
"""What Debian's nginx.conf has around the sites, with other folders."""


def _nginx(proxy: Proxy) -> list[str]:
    key = proxy.folder / "key.pem"
    proxy.authority.write_bytes(_certificate(key))
    certificates = f"/etc/letsencrypt/live/{NAME}"
    changes = {
        "listen 443 ": f"listen 127.0.0.1:{proxy.port} ",
        f"{certificates}/fullchain.pem": str(proxy.authority),
        f"{certificates}/privkey.pem": str(key),
        "server 127.0.0.1:8000;": " ".join(f"server 127.0.0.1:{port};" for port in proxy.ports),
    }
    (proxy.folder / "site").write_text(_adapted("nginx.conf", changes))
    whole = proxy.folder / "nginx.conf"
    # Started by root, its workers would be others, who may not read what is here.
    user = f"user {pwd.getpwuid(0).pw_name};" if os.geteuid() == 0 else ""
    whole.write_text(user + _AROUND.format(folder=proxy.folder))
    return [str(program("nginx")), "-p", str(proxy.folder), "-e", str(proxy.folder / "error.log"), "-c", str(whole)]


def _certificate(key_file: Path) -> bytes:
    """For the name, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name, now = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAME)]), datetime.now(UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
    )
    private = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    key_file.write_bytes(key.private_bytes(serialization.Encoding.PEM, *private))
    return builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


# Caddy


_OPTIONS = """{{
	admin off
	storage file_system {folder}
	https_port {port}
	auto_https disable_redirects
	local_certs
	skip_install_trust
	default_bind 127.0.0.1
"""
"""Certificates of an authority of its own in place of Let's Encrypt's, and other folders and ports."""


def _caddy(proxy: Proxy) -> list[str]:
    proxy.authority = proxy.folder / "pki/authorities/local/root.crt"
    changes = {
        "\tlog default {": f"\tlog default {{\n\t\toutput file {proxy.folder}/run.log",
        "\tlog {": f"\tlog {{\n\t\toutput file {proxy.folder}/access.log",
        "{\n\t#": _OPTIONS.format(folder=proxy.folder, port=proxy.port) + "\t#",
        f"{NAME} {{": f"{NAME}:{proxy.port} {{",
        "127.0.0.1:8000": " ".join(f"127.0.0.1:{port}" for port in proxy.ports),
    }
    whole = proxy.folder / "Caddyfile"
    whole.write_text(_adapted("Caddyfile", changes))
    return [str(program("caddy")), "run", "--config", str(whole), "--adapter", "caddyfile"]


STARTS: Mapping[str, Callable[[Proxy], list[str]]] = {"nginx": _nginx, "caddy": _caddy}
