from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from api.http.serve.join_codes import Invitation, code, show
from tests.api.qr import decoded, shown_codes

HERE = Invitation("http", "127.0.0.1", ["192.168.1.20", "10.8.0.2"], 8000, "k3Yt0k3n-k3Yt0k3n_k3Yt", Path("/data"))
LINK = "http://192.168.1.20:8000/#join=k3Yt0k3n-k3Yt0k3n_k3Yt"
SECURE = replace(HERE, scheme="https", trust_port=8001, fingerprint="AB CD")


class Terminal(io.StringIO):
    def __init__(self, encoding: str = "utf-8", *, tty: bool = False) -> None:
        super().__init__()
        self._encoding, self._tty = encoding, tty

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

    def isatty(self) -> bool:
        return self._tty


def shown(invitation: Invitation, terminal: Terminal | None = None) -> str:
    out = terminal or Terminal()
    show(invitation, out)
    return out.getvalue()


@pytest.mark.parametrize("host", ["192.168.1.20", "kitchen.local", "fd00::20"])
def test_the_code_says_the_link(host: str) -> None:
    png = io.BytesIO()
    code(HERE.joining(host)).save(png, kind="png", scale=6)
    picture = cv2.imdecode(np.frombuffer(png.getvalue(), np.uint8), cv2.IMREAD_GRAYSCALE)
    assert picture is not None
    assert decoded(picture) == HERE.joining(host)  # type: ignore[arg-type]


def test_a_terminal_shows_the_code_too() -> None:
    text = shown(HERE)
    assert shown_codes(text) == [LINK]
    assert LINK in text
    assert "http://10.8.0.2:8000/#join=" in text
    assert "http://127.0.0.1:8000/" in text
    assert "firewall allows port 8000" in text


def test_it_fits_a_terminal_of_eighty_columns() -> None:
    blocks = [line for line in shown(SECURE).splitlines() if line.startswith("█")]
    assert max(map(len, blocks)) <= 41


def test_a_terminal_gets_the_colours_of_a_code_whatever_its_own_are() -> None:
    text = shown(HERE, Terminal(tty=True))
    rows = [line for line in text.splitlines() if "█" in line]
    assert all(line.startswith("\x1b[97;40m") and line.endswith("\x1b[0m") for line in rows)
    assert shown_codes(text) == [LINK]


def test_a_terminal_without_half_blocks_gets_the_link_alone() -> None:
    text = shown(replace(HERE, data=Path("/игры")), Terminal("latin-1"))
    assert LINK in text
    text.encode("latin-1")


def test_over_https_phones_are_first_led_to_the_page_about_trust() -> None:
    text = shown(SECURE)
    assert shown_codes(text) == ["http://192.168.1.20:8001/trust", LINK.replace("http:", "https:")]
    assert "SHA-256: AB CD" in text
    assert "ports 8000 and 8001" in text


def test_where_no_phone_can_come_there_is_no_code() -> None:
    text = shown(replace(HERE, hosts=()))
    assert "Only this computer" in text
    assert shown_codes(text) == []
    assert text.count("join=") == 1, "the link for this computer"


def test_an_ipv6_address_stands_in_brackets() -> None:
    assert replace(HERE, here="::1").local == "http://[::1]:8000"
    assert HERE.joining("fd00::20").startswith("http://[fd00::20]:8000/#join=")


def test_behind_a_proxy_the_link_is_the_proxys() -> None:
    text = shown(replace(HERE, hosts=(), proxied=("dice.example",)))
    assert "https://dice.example/#join=k3Yt0k3n-k3Yt0k3n_k3Yt" in text
    assert "omit --host" not in text


def test_with_a_database_the_folder_is_not_where_games_are() -> None:
    text = shown(replace(HERE, database="postgresql+psycopg://ann:***@db/games"))
    assert "Games are stored in postgresql+psycopg://ann:***@db/games, keys in /data" in text
