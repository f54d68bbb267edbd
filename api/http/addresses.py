"""Addresses and names by which nearby phones can reach this computer, found without sending anything."""

from __future__ import annotations

import re
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import IPv4Address, ip_address

_TOWARDS = ("192.168.255.255", "10.255.255.255", "172.31.255.255", "192.0.2.1", "224.0.0.251")
"""Destinations inside and outside the home network, to see which of our addresses would be used."""
_SIOCGIFADDR = 0x8915
"""Linux: the address of an interface (netdevice(7))."""
_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*")


def is_name(text: str) -> bool:
    """Whether the text is a valid host name (RFC 1123)."""
    return len(text) <= 253 and bool(_NAME.fullmatch(text))


def is_address(text: str) -> bool:
    """Whether the text is an IP address."""
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def is_loopback(address: str) -> bool:
    """Whether the text is a loopback address, including IPv4 mapped to IPv6; False for anything else."""
    if not is_address(address):
        return False
    parsed = ip_address(address)
    mapped = getattr(parsed, "ipv4_mapped", None)
    return (mapped or parsed).is_loopback


def lan_addresses() -> tuple[str, ...]:
    """This computer's IPv4 addresses in home networks, likeliest first."""
    found = dict.fromkeys([*_towards(), *_interfaces(), *_by_name()])
    return tuple(address for address in found if _at_home(address))


def own_names() -> tuple[str, ...]:
    """This computer's host name, and its multicast DNS name (RFC 6762)."""
    name = socket.gethostname().lower().rstrip(".")
    if not is_name(name) or name == "localhost":
        return ()
    return tuple(dict.fromkeys([name, f"{name.partition('.')[0]}.local"]))


def _at_home(address: str) -> bool:
    parsed = IPv4Address(address)
    return not (parsed.is_global or parsed.is_loopback or parsed.is_multicast or parsed.is_unspecified)


def _towards() -> Iterator[str]:
    for target in _TOWARDS:
        # Connecting a UDP socket sends nothing; it only looks up the route.
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            asking.connect((target, 9))
            yield asking.getsockname()[0]


def _interfaces() -> Iterator[str]:
    if sys.platform != "linux":
        return
    from fcntl import ioctl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            with suppress(OSError):
                told = ioctl(asking, _SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
                yield socket.inet_ntoa(told[20:24])


def _by_name() -> Iterator[str]:
    with suppress(OSError):
        yield from socket.gethostbyname_ex(socket.gethostname())[2]
