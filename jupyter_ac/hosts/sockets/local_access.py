"""Access check of requests to a server on the loopback address: Host, Origin, token. Pure.

The port is open to every program and every web page of the machine, and the browser sends a
request for whomever. Three facts of a request decide: `Host` names the server as its caller knows
it, which a rebound DNS name gives away; `Origin` is the page that asks, set by the browser alone;
the token is the one thing that another user of the machine doesn't have.
"""

import hmac
import re
from collections.abc import Sequence
from typing import Final, Protocol

from jupyter_ac.errors import AccessDenied

_LOOPBACK: Final = r"(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?"
_HOST: Final = re.compile(_LOOPBACK, re.ASCII | re.IGNORECASE)
_ORIGIN: Final = re.compile(rf"https?://{_LOOPBACK}", re.ASCII | re.IGNORECASE)
_CLIENT: Final = re.compile(r"[\w.-]{0,64}", re.ASCII)
_AUTHORIZATION: Final = re.compile(r"token\s+(\S+)\s*", re.IGNORECASE)

_ORIGIN_HEADERS: Final = ("Origin", "Sec-WebSocket-Origin")

FOREIGN_HOST: Final = (
    "This server answers to 127.0.0.1, localhost and [::1] only; use one of these in the address."
)
FOREIGN_ORIGIN: Final = (
    "This server takes requests from pages of this machine only (http://localhost, "
    "http://127.0.0.1 or http://[::1], any port)."
)
NOT_INVITED: Final = (
    "This server asks for its token: use the address that it printed when it started "
    "(?token=… or the header Authorization: token …)."
)


class Headers(Protocol):
    """A request's headers, as tornado has them."""

    def get_list(self, name: str, /) -> list[str]:
        """Return the values of all headers of that name."""
        ...


def check_local(headers: Headers) -> None:
    """Check that a request is addressed to this machine and comes from no foreign page.

    Raises:
        AccessDenied: it doesn't, or one is.
    """
    check_host(headers.get_list("Host"))
    for name in _ORIGIN_HEADERS:
        check_origin(headers.get_list(name))


def check_host(hosts: Sequence[str]) -> None:
    """Check that a request's `Host` is this machine.

    Args:
        hosts: the values of all its `Host` headers.

    Raises:
        AccessDenied: there is none, more than one, or one that isn't a loopback name or address.
    """
    if len(hosts) != 1 or _HOST.fullmatch(hosts[0]) is None:
        raise AccessDenied(FOREIGN_HOST)


def check_origin(origins: Sequence[str]) -> None:
    """Check that a request comes from no foreign page.

    Args:
        origins: the values of all its `Origin` headers; none for a program or a typed address.

    Raises:
        AccessDenied: one of them isn't http(s) on a loopback name; `null` isn't either.
    """
    if not all(map(is_own_origin, origins)):
        raise AccessDenied(FOREIGN_ORIGIN)


def is_own_origin(origin: str) -> bool:
    """Return whether the request comes from a page of this machine."""
    return _ORIGIN.fullmatch(origin) is not None


def check_token(expected: str, authorization: str, query: Sequence[str]) -> None:
    """Check the caller's token, in constant time.

    Args:
        expected: the token; "" when the server asks for none.
        authorization: the header's value, "" when there is none. It is stronger than the query.
        query: the values of all `token` parameters.

    Raises:
        AccessDenied: it is missing or wrong.
    """
    if not expected:
        return
    header = _AUTHORIZATION.fullmatch(authorization)
    given = [header[1]] if header else list(query)
    if len(given) != 1 or not _is_same(expected, given[0]):
        raise AccessDenied(NOT_INVITED)


def without_query(uri: str) -> str:
    """Return a request's URI as it may be logged: what follows the path may hold the token."""
    path, mark, _ = uri.partition("?")
    return f"{path}?…" if mark else path


def is_client_name(name: str) -> bool:
    """Say whether a page may call itself so; "" is no name and may be."""
    return _CLIENT.fullmatch(name) is not None


def _is_same(expected: str, given: str) -> bool:
    return hmac.compare_digest(
        expected.encode("utf-8", "surrogatepass"), given.encode("utf-8", "surrogatepass")
    )
