"""Decides which hosts and which network addresses may be connected to."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

from jupyter_ac.errors import AccessDenied

IpAddress = IPv4Address | IPv6Address

_METADATA_NAMES: Final = frozenset({"metadata", "metadata.google.internal", "metadata.goog"})
_METADATA: Final = (
    IPv4Network("169.254.0.0/16"),
    IPv4Network("100.100.100.200/32"),
    IPv4Network("168.63.129.16/32"),
    IPv4Network("192.0.0.192/32"),
    IPv6Network("fe80::/10"),
    IPv6Network("fd00:ec2::/32"),
    IPv6Network("fd20:ce::/32"),
)
"""Where clouds tell a machine its keys; with all link-local addresses."""

_NAT64: Final = IPv6Network("64:ff9b::/96")
_LOCAL_NAT64: Final = IPv6Network("64:ff9b:1::/48")
"""For translators within a private network (RFC 8215)."""

_ADDRESSES: Final = re.compile(r"[.:*?]*[0-9][0-9.:*?]*")


@dataclass(frozen=True, slots=True)
class HostRules:
    """The administrator's rules about hosts, and the rules that hold everywhere.

    Attributes:
        allowed: patterns of host names (`*.example.org`) or network addresses; if there are any,
            other hosts are refused. These hosts may have private addresses.
        denied: patterns of hosts that are refused in any case.
    """

    allowed: Sequence[str] = ()
    denied: Sequence[str] = ()

    def check_host(self, host: str) -> None:
        """Check the name (or literal network address) of a host, before it is resolved.

        Raises:
            AccessDenied: it may not be connected to.
        """
        name = _plain(host)
        if name in _METADATA_NAMES:
            raise AccessDenied(f"{host} is refused: it serves the metadata of a cloud's machine")
        if _matches(name, self.denied):
            raise AccessDenied(f"{host} is refused by the setting c.JupyterAC.denied_hosts")
        if self.allowed and not self.is_listed(host):
            raise AccessDenied(f"{host} is not in the setting c.JupyterAC.allowed_hosts")
        literal = _literal(name)
        if literal is not None:
            self.check_address(host, literal)

    def check_address(self, host: str, address: IpAddress) -> None:
        """Check a network address that a host's name was resolved to.

        Raises:
            AccessDenied: it may not be connected to.
        """
        reached = _embedded(address) or address
        if any(_is_in(each, _METADATA) for each in (address, reached)):
            raise AccessDenied(f"{host} is refused: {address} is a link-local or metadata address")
        if _matches(str(reached), self.denied):
            raise AccessDenied(f"{address} is refused by the setting c.JupyterAC.denied_hosts")
        is_public = _is_public(reached) and address not in _LOCAL_NAT64
        if not (is_public or self.is_listed(host)):
            raise AccessDenied(
                f"{host} is refused: {address} is an address of this machine or of a private "
                "network; an administrator can allow it by c.JupyterAC.allowed_hosts"
            )

    def is_listed(self, host: str) -> bool:
        """Return whether the administrator has named this host as allowed."""
        return _matches(_plain(host), self.allowed)


def _plain(host: str) -> str:
    name = host.lower().rstrip(".")
    return name[1:-1] if name.startswith("[") and name.endswith("]") else name


def _matches(name: str, patterns: Sequence[str]) -> bool:
    """Return whether a pattern matches; one of addresses (`10.*`) matches no host name."""
    is_address = _literal(name) is not None
    return any(
        fnmatchcase(name, each)
        for each in map(_plain, patterns)
        if is_address or not _ADDRESSES.fullmatch(each)
    )


def _literal(name: str) -> IpAddress | None:
    try:
        return ip_address(name.partition("%")[0])
    except ValueError:
        return None


def _is_in(address: IpAddress, networks: Sequence[IPv4Network | IPv6Network]) -> bool:
    return any(address in each for each in networks if each.version == address.version)


def _is_public(address: IpAddress) -> bool:
    if isinstance(address, IPv6Address) and address.is_site_local:
        return False
    return address.is_global and not (
        address.is_multicast or address.is_reserved or address.is_unspecified
    )


def _embedded(address: IpAddress) -> IPv4Address | None:
    """Return the IPv4 address that an IPv6 address leads to, if any."""
    if isinstance(address, IPv4Address):
        return None
    if address in _NAT64 or address in _LOCAL_NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    teredo = address.teredo
    return address.ipv4_mapped or address.sixtofour or (teredo[1] if teredo else None)
