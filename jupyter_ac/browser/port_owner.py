"""Which user owns a port of this machine, read from Linux's table of sockets."""

import os
import socket
import struct
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import Final

from jupyter_ac.errors import AccessDenied, NotConnected

TABLES: Final = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))

_LISTENING: Final = "0A"
_FIELDS: Final = 8
"""A line: number, local address, remote address, state, queues, timer, retransmits, uid, …"""


def check_owner(host: str, port: int, tables: tuple[Path, ...] = TABLES) -> bool:
    """Check that whatever listens on a port belongs to the user of this process.

    Args:
        host: the loopback address that will be connected to.
        port: its port.
        tables: the kernel's files.

    Returns:
        whether it could be checked: only Linux has the tables.

    Raises:
        AccessDenied: another user's process listens there.
        NotConnected: nothing listens there.
    """
    try:
        texts = [table.read_text("ascii") for table in tables if table.exists()]
    except OSError:
        texts = []
    if not texts or not hasattr(os, "getuid"):
        return False
    wanted = ip_address(host)
    owners = {uid for text in texts for uid in _listeners(text, wanted, port)}
    if not owners:
        raise NotConnected(
            f"Nothing listens on port {port}; start the browser with "
            f"--remote-debugging-port={port} and a --user-data-dir of its own."
        )
    if owners != {os.getuid()}:
        raise AccessDenied(f"Port {port} belongs to a process of another user of this machine.")
    return True


def _listeners(text: str, wanted: IPv4Address | IPv6Address, port: int) -> Iterator[int]:
    """Give the users of the sockets that would accept a connection."""
    for line in text.splitlines()[1:]:
        fields = line.split()
        if len(fields) < _FIELDS or fields[3] != _LISTENING:
            continue
        address, _, hex_port = fields[1].partition(":")
        if int(hex_port, 16) == port and _accepts(_parse(address), wanted):
            yield int(fields[7])


def _accepts(address: IPv4Address | IPv6Address, wanted: IPv4Address | IPv6Address) -> bool:
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    # "::" accepts IPv4 as well, unless it was told not to, which the table doesn't say.
    may_accept = isinstance(address, IPv6Address) or isinstance(wanted, IPv4Address)
    return address == wanted or (address.is_unspecified and may_accept)


def _parse(address: str) -> IPv4Address | IPv6Address:
    """Parse an address of the table: words of 32 bits, each in the machine's byte order."""
    words = [int(address[start : start + 8], 16) for start in range(0, len(address), 8)]
    packed = struct.pack(f"={len(words)}I", *words)
    family = socket.AF_INET if len(words) == 1 else socket.AF_INET6
    return ip_address(socket.inet_ntop(family, packed))
