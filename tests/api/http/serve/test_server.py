"""The server as a process: how it starts, who may do what, how it ends."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path
from signal import SIGINT, SIGTERM, Signals
from typing import Any

import httpx2
import pytest
import uvicorn
from starlette.applications import Starlette

from api.http.addresses import lan_addresses, own_names
from api.http.serve import server
from api.http.serve.certificates import Certificates
from api.http.serve.settings import load
from tests.api.conftest import Muggins
from tests.api.http.games.play import bearer
from tests.api.qr import shown_codes
from tests.api.served import COMMAND, Served, environment, served

_PATIENT = 60
get, post = partial(httpx2.get, timeout=_PATIENT), partial(httpx2.post, timeout=_PATIENT)
GAME = {"game": "crib-dice", "players": ["Ann", "Ben"]}
NEEDS_LAN = pytest.mark.skipif(not lan_addresses(), reason="this computer is in no network")


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("http"), "--access-log", "--name", "dice.example") as running:
        yield running


@pytest.fixture(scope="module")
def https(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("https"), "--https", "--http-port", "0") as running:
        yield running


def begin(url: str, host: str | None = None, token: str | None = None) -> tuple[int, Any]:
    headers = {"host": host} if host else {}
    response = post(f"{url}/v1/games", json=GAME, headers={**headers, **({"x-muggins-join": token} if token else {})})
    return response.status_code, response.json().get("code")


# By default


@NEEDS_LAN
def test_the_code_on_the_terminal_is_the_link_for_phones(http: Served) -> None:
    link = f"http://dice.example:{http.port}/#join={http.token}"
    assert shown_codes(http.out) == [link]
    assert f"http://{lan_addresses()[0]}:{http.port}/#join={http.token}" in http.out
    assert http.url == f"http://127.0.0.1:{http.port}"


def test_whoever_sits_at_the_server_opens_the_link_that_it_prints(http: Served) -> None:
    assert f"{http.url}/#join={http.token}" in http.out
    assert begin(http.url, token=http.token) == begin(f"http://localhost:{http.port}", token=http.token) == (201, None)


def test_a_server_that_runs_as_root_says_so(http: Served) -> None:
    assert ("runs as root" in http.out) == (os.geteuid() == 0)


@pytest.mark.parametrize(("user", "warned"), [(0, True), (1000, False)])
def test_only_root_is_warned(
    user: int, warned: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(server.os, "geteuid", lambda: user)
    server._warn_root()
    assert ("Use an account of its own" in capsys.readouterr().out) == warned


@pytest.mark.parametrize("host", [None, "dice.example"])
def test_what_a_proxy_here_passes_on_needs_the_token(http: Served, host: str | None) -> None:
    """As nginx does without a word said to it: from this computer's address, to the name of the server behind it."""
    assert begin(http.url, host) == (403, "no-join-token")
    assert begin(http.url, host, http.token) == (201, None)


@NEEDS_LAN
def test_a_phone_in_the_network_needs_the_token_of_the_link(http: Served) -> None:
    url = f"http://{lan_addresses()[0]}:{http.port}"
    assert begin(url) == (403, "no-join-token")
    assert begin(url, token="x" * 22) == (403, "wrong-join-token")
    assert begin(url, token=http.token) == (201, None)
    assert get(f"{url}/").status_code == 200


def test_the_token_is_in_no_log(http: Served) -> None:
    get(f"{http.url}/v1/games/x?token={http.token}")
    begin(http.url, "dice.example", http.token)
    log = http.out.partition("Ctrl-C")[2] + http.err
    assert "POST /v1/games" in log
    assert http.token not in log


def test_every_line_of_the_log_begins_with_its_time(http: Served) -> None:
    get(f"{http.url}/healthz")
    lines = [line for line in http.out.splitlines() if "HTTP/1.1" in line]
    assert any("/healthz" in line for line in lines)
    for line in lines:
        assert abs(time.time() - datetime.fromisoformat(line.split()[0]).timestamp()) < 3600, line


def test_without_https_there_is_no_page_about_trust(http: Served) -> None:
    assert get(f"{http.url}/trust").status_code == 404


def test_games_are_kept_in_a_folder_of_ones_own(http: Served) -> None:
    assert (http.folder / "data/muggins/muggins.db").exists()


# Over HTTPS


def trusting(https: Served) -> ssl.SSLContext:
    """As a phone does that has followed the two steps: the file comes from the plain page."""
    page = shown_codes(https.out)[0].replace("/trust", "/trust/muggins.crt") if lan_addresses() else ""
    data = get(page.replace(lan_addresses()[0], "127.0.0.1")).content
    return ssl.create_default_context(cadata=data)


@NEEDS_LAN
def test_a_phone_that_has_taken_the_two_steps_trusts_the_server(https: Served) -> None:
    context = trusting(https)
    for host in ("localhost", "127.0.0.1", lan_addresses()[0]):
        url = f"https://{host}:{https.port}"
        assert get(f"{url}/healthz", verify=context).json() == {"status": "ok"}
    _, link = shown_codes(https.out)
    assert link == f"https://{lan_addresses()[0]}:{https.port}/#join={https.token}"
    game = post(f"{url}/v1/games", json=GAME, headers={"x-muggins-join": https.token}, verify=context)
    assert game.status_code == 201


def test_a_phone_that_has_not_is_warned(https: Served) -> None:
    with pytest.raises(httpx2.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
        get(f"{https.url}/healthz")


@NEEDS_LAN
def test_the_plain_page_leads_to_the_games(https: Served) -> None:
    page = shown_codes(https.out)[0]
    assert "Certificate Trust Settings" in get(page).text
    arrived = get(f"{page}/games", verify=trusting(https), follow_redirects=True)
    assert (arrived.status_code, str(arrived.url)) == (200, f"https://{lan_addresses()[0]}:{https.port}/")
    assert get(f"{https.url}/trust", verify=trusting(https)).status_code == 200


@NEEDS_LAN
def test_the_authority_stays_when_the_server_starts_again(https: Served, tmp_path: Path) -> None:
    before = https.folder / "data/muggins/https"
    after = tmp_path / "data/https"
    shutil.copytree(before, after)
    with served(tmp_path / "again", "--https", "--http-port", "0", "--data", str(after.parent)) as again:
        assert get(f"{again.url}/healthz", verify=trusting(https)).status_code == 200
    assert (after / "server.pem").read_bytes() == (before / "server.pem").read_bytes()


def test_a_second_server_on_the_same_folder_is_refused_with_the_way_out(http: Served, muggins: Muggins) -> None:
    done = muggins("serve", "--port", "0", "--data", http.folder / "data/muggins")
    assert (done.returncode, done.stdout) == (1, "")
    assert "--database" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_server_that_comes_into_another_network_gets_another_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = load({"host": "127.0.0.1", "http_port": 0, "https": True})
    secure = server._Secure.prepared(settings, tmp_path, 8000)
    config = uvicorn.Config(Starlette(), log_level="warning", ssl_certfile=secure.certificate.file)
    process = server.Server(config, lambda: None)
    process.looking_again = partial(secure.renew, settings, config)
    monkeypatch.setattr("api.http.serve.server._LOOK_AGAIN", 1)
    with secure.plain, server.listen("127.0.0.1", 0) as listening:
        thread = threading.Thread(target=process.run, args=([listening],))
        thread.start()
        port, trust = listening.getsockname()[1], ssl.create_default_context(cadata=secure.certificate.authority)
        try:
            assert not trusted(trust, port, "192.168.77.7")
            monkeypatch.setattr("api.http.serve.server.lan_addresses", lambda: ("192.168.77.7",))
            until = time.monotonic() + _PATIENT
            while not trusted(trust, port, "192.168.77.7"):
                assert time.monotonic() < until, "it keeps the old one"
                time.sleep(0.2)
        finally:
            process.handle_exit(SIGTERM, None)
            thread.join(_PATIENT)


def test_one_port_for_two_pages_is_refused() -> None:
    with pytest.raises(server.ListenError, match="--port and --http-port are both 8490: choose another for one"):
        server.run(load({"port": 8490, "http_port": 8490, "https": True}))


def test_a_port_for_nothing_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    server._check_plain_port(load({"http_port": 8490}))
    assert capsys.readouterr().err == "--http-port has no effect without --https.\n"
    server._check_plain_port(load({"port": 0, "http_port": 0, "https": True}))
    server._check_plain_port(load({"port": 8490}))
    assert capsys.readouterr().err == ""


def test_a_certificate_names_what_the_server_was_called(tmp_path: Path) -> None:
    told = {"host": "192.168.9.9", "name": ["dice.example"], "https": True}
    certificate = server._current(Certificates(tmp_path), load(told))
    assert "192.168.9.9" in certificate.addresses
    assert "192.168.9.9" not in certificate.names
    assert {"localhost", "dice.example", *own_names()} <= certificate.names


def trusted(trust: ssl.SSLContext, port: int, host: str) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), _PATIENT) as connection:
            trust.wrap_socket(connection, server_hostname=host).close()
    except ssl.SSLCertVerificationError:
        return False
    return True


# The end


@pytest.mark.parametrize(("sig", "secure"), [(SIGINT, ()), (SIGTERM, ("--https", "--http-port", "0"))])
def test_told_to_end_it_ends_its_streams_and_all_is_well(tmp_path: Path, sig: Signals, secure: tuple[str, ...]) -> None:
    with served(tmp_path, "--host", "127.0.0.1", *secure) as running:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        joining = {"x-muggins-join": running.token}
        told = post(f"{running.url}/v1/games", json=GAME, headers=joining, verify=context).json()
        stream, headers = f"{running.url}/v1/games/{told['id']}/events", bearer(told["viewer"])
        with httpx2.stream("GET", stream, headers=headers, verify=context, timeout=_PATIENT) as events:
            lines = events.iter_lines()
            next(lines)
            ending = threading.Timer(0.2, running.process.send_signal, [sig])
            ending.start()
            assert list(lines) is not None, "the stream came to a proper end"
        assert running.process.wait(_PATIENT) == 0
    assert running.err.splitlines()[1:] == []
    assert "Only this computer" in running.out
    assert "█" not in running.out


def test_behind_a_proxy_the_link_for_phones_is_told(tmp_path: Path) -> None:
    with served(tmp_path, "--host", "127.0.0.1", "--name", "dice.example") as running:
        assert "https://dice.example/#join=" in running.out


# What cannot be


def test_a_database_that_cannot_be_used_is_said_without_its_password(muggins: Muggins, tmp_path: Path) -> None:
    done = muggins("serve", "--port", "0", "--data", tmp_path, "--database", "mysql://ann:secret@localhost/games")
    assert done.returncode == 1
    assert "postgresql+psycopg://" in done.stderr
    assert "secret" not in done.stderr


@pytest.mark.parametrize("more", [(), ("--https", "--http-port", "0")])
def test_a_folder_that_cannot_be_used_is_said(muggins: Muggins, tmp_path: Path, more: tuple[str, ...]) -> None:
    (tmp_path / "file").touch()
    done = muggins("serve", "--port", "0", "--data", tmp_path / "file", *more)
    assert (done.returncode, done.stdout) == (1, "")
    assert str(tmp_path / "file") in done.stderr
    assert "Traceback" not in done.stderr


def test_a_port_in_use_is_said(muggins: Muggins, tmp_path: Path) -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:
        port = taken.getsockname()[1]
        done = muggins("serve", "--port", port, "--data", tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"Port {port} is in use, perhaps by another `muggins serve`: end that, or choose another with --port.\n"
    )


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("192.168.254.254", "does not have the address 192.168.254.254"),
        ("no.such.invalid", "no address no.such.invalid"),
    ],
)
def test_an_address_that_is_not_ours_is_said(muggins: Muggins, tmp_path: Path, host: str, expected: str) -> None:
    done = muggins("serve", "--host", host, "--port", "0", "--data", tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert expected in done.stderr
    assert done.stderr.count("\n") == 1


def test_options_that_are_none_are_said(tmp_path: Path) -> None:
    (tmp_path / "config/muggins").mkdir(parents=True)
    (tmp_path / "config/muggins/config.toml").write_text("prot = 8000\nhtps = true\n")
    done = subprocess.run(COMMAND, env=environment(tmp_path), capture_output=True, text=True, timeout=_PATIENT)
    assert (done.returncode, done.stdout) == (2, "")
    file = tmp_path / "config/muggins/config.toml"
    assert done.stderr.splitlines() == [
        f"{file}: prot is no option. Did you mean 'port'?",
        f"{file}: htps is no option. Did you mean 'https'?",
    ]


def test_options_come_from_the_command_line_the_environment_and_the_file(tmp_path: Path) -> None:
    (tmp_path / "options.toml").write_text('token = "from-the-file"\nport = 1\nhost = "127.0.0.9"\nhttps = true\n')
    more = {"MUGGINS_CONFIG": str(tmp_path / "options.toml"), "MUGGINS_HOST": "0.0.0.0", "MUGGINS_HTTPS": "no"}
    with served(tmp_path / "run", more=more) as running:
        assert begin(running.url, "192.168.1.20", "from-the-file") == (201, None)
