from __future__ import annotations

import socket
from ipaddress import ip_address

import pytest

from api.http.addresses import is_loopback, is_name, lan_addresses, own_names


def test_addresses_are_those_that_phones_at_home_can_use() -> None:
    for address in lan_addresses():
        assert not ip_address(address).is_global
        assert not is_loopback(address)
        socket.create_server((address, 0)).close()


def test_a_computer_without_a_network_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*_: object) -> None:
        raise OSError

    monkeypatch.setattr("api.http.addresses._interfaces", lambda: iter(["127.0.0.1"]))
    monkeypatch.setattr("socket.socket.connect", unreachable)
    monkeypatch.setattr("socket.gethostbyname_ex", lambda _: ("kitchen", [], ["127.0.1.1"]))
    assert lan_addresses() == ()


def test_the_way_out_comes_first_and_internet_addresses_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.http.addresses._towards", lambda: iter(["192.168.1.20", "8.8.8.8"]))
    monkeypatch.setattr("api.http.addresses._interfaces", lambda: iter(["127.0.0.1", "172.17.0.1", "192.168.1.20"]))
    monkeypatch.setattr("api.http.addresses._by_name", lambda: iter(["127.0.1.1", "192.168.1.20"]))
    assert lan_addresses() == ("192.168.1.20", "172.17.0.1")


@pytest.mark.parametrize(
    ("called", "expected"),
    [
        ("Kitchen", ("kitchen", "kitchen.local")),
        ("anns-book.fritz.box", ("anns-book.fritz.box", "anns-book.local")),
        ("kitchen.local", ("kitchen.local",)),
        ("localhost", ()),
        ("Ann's book", ()),
    ],
)
def test_a_computer_has_its_name_and_one_by_multicast(
    monkeypatch: pytest.MonkeyPatch, called: str, expected: tuple[str, ...]
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: called)
    assert own_names() == expected


@pytest.mark.parametrize("text", ["", "a b", "-a", "a-", "a..b", ".a", "a_b", "ä.example", "a" * 64, "a.b/c", "a:1"])
def test_what_is_no_name(text: str) -> None:
    assert not is_name(text)
    assert is_name("a-1.example")


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("::ffff:10.0.0.1", False),
        ("10.0.0.1", False),
        ("localhost", False),
        ("", False),
    ],
)
def test_loopback(address: str, expected: bool) -> None:
    assert is_loopback(address) is expected
