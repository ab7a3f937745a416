"""Addresses of browsers that run already: parsed, checked, and asked for their WebSocket.

Only this machine's loopback addresses are allowed, and only ports of processes of the same user. A
browser's answers are untrusted: of the URL that it reports only the path is used.
"""

import asyncio
import re
import socket
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final
from urllib.parse import urlsplit

import orjson

from jupyter_ac.browser.port_owner import check_owner
from jupyter_ac.errors import InvalidParams, NotConnected

ANSWER_S: Final = 5.0
"""Time limit of a browser's answer over HTTP."""

MAX_ANSWER_BYTES: Final = 1 << 20

_SOCKET_PATH: Final = re.compile(r"/devtools/browser(?:/[A-Za-z0-9-]{1,100})?")
_MAX_PORT: Final = 65535
_OK: Final = b"200"
_SCHEMES: Final = ("http", "ws")


@dataclass(frozen=True)
class Address:
    """Where a browser listens.

    Attributes:
        host: a loopback IP address.
        port: its port.
        path: of the browser's WebSocket, or "" when it must be asked for.
    """

    host: str
    port: int
    path: str = ""

    @property
    def netloc(self) -> str:
        """Host and port, as in a URL."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


@dataclass(frozen=True)
class Endpoint:
    """A browser that may be connected to.

    Attributes:
        address: its host and port, as in a URL.
        socket_url: of its WebSocket.
        product: its name and version; "" when it wasn't asked.
        is_headless: whether nobody can see its window.
        is_owner_checked: whether it was checked that the port belongs to this user.
    """

    address: str
    socket_url: str
    product: str
    is_headless: bool
    is_owner_checked: bool


async def find_endpoint(text: str) -> Endpoint:
    """Check an address that the user gave, and find the browser's WebSocket.

    Args:
        text: `9222`, `127.0.0.1:9222`, `localhost:9222`, `http://127.0.0.1:9222` or
            `ws://127.0.0.1:9222/devtools/browser/…`.

    Raises:
        InvalidParams: it is no such address, or one of another machine.
        AccessDenied: the port belongs to another user.
        NotConnected: no browser answers there.
    """
    address = parse_address(text)
    is_checked = await asyncio.to_thread(check_owner, address.host, address.port)
    if address.path:
        # Browsers that ask the user for each connection don't answer over HTTP.
        url = f"ws://{address.netloc}{address.path}"
        return Endpoint(address.netloc, url, "", is_headless=False, is_owner_checked=is_checked)
    version = await _get_json(address, "/json/version")
    fields = version if isinstance(version, dict) else {}
    path = _socket_path(fields.get("webSocketDebuggerUrl"))
    if not path:
        raise NotConnected(f"What listens at {address.netloc} is no Chromium, Chrome or Edge.")
    product, agent = str(fields.get("Browser", "")), str(fields.get("User-Agent", ""))
    return Endpoint(
        address.netloc,
        f"ws://{address.netloc}{path}",
        product[:200],
        is_headless="Headless" in product or "Headless" in agent,
        is_owner_checked=is_checked,
    )


def parse_address(text: str) -> Address:
    """Parse an address of this machine.

    Raises:
        InvalidParams: it is none; see `find_endpoint`.
    """
    text = text.strip()
    if text.isascii() and text.isdigit():
        text = f"127.0.0.1:{text}"
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port = "", None
    path = parts.path.rstrip("/") if host else ""
    if (
        not port
        or not 0 < port <= _MAX_PORT
        or parts.scheme not in _SCHEMES
        or parts.query
        or parts.fragment
        or parts.username is not None
        or (path and not _SOCKET_PATH.fullmatch(path))
    ):
        raise InvalidParams(
            "The address of a browser is a port, such as 9222, or 127.0.0.1:9222, or "
            "ws://127.0.0.1:9222/devtools/browser/…"
        )
    return Address(_loopback(host), port, path)


def _loopback(host: str) -> str:
    if host == "localhost":
        return "127.0.0.1"
    found: IPv4Address | IPv6Address | None = None
    with suppress(ValueError):
        found = ip_address(host)
    if found is None or not found.is_loopback:
        raise InvalidParams(
            "Only a browser on this machine can be connected to, at 127.0.0.1 or localhost; "
            "forward the port of another machine by `ssh -L`."
        )
    return str(found)


def _socket_path(url: object) -> str:
    """Give the path of a reported URL; its host may be another machine's."""
    if not isinstance(url, str):
        return ""
    with suppress(ValueError):
        path = urlsplit(url).path
        return path if _SOCKET_PATH.fullmatch(path) else ""
    return ""


async def _get_json(address: Address, path: str) -> object:
    """Send a GET request, without proxy, redirects or cookies."""
    try:
        async with asyncio.timeout(ANSWER_S):
            body = await _get(address, path)
        return orjson.loads(body)
    except TimeoutError as error:
        raise NotConnected(
            f"The browser at {address.netloc} didn't answer within {ANSWER_S:g} s."
        ) from error
    except (OSError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
        raise NotConnected(f"No browser answers at {address.netloc}.") from error


async def _get(address: Address, path: str) -> bytes:
    reader, writer = await asyncio.open_connection(
        address.host, address.port, limit=MAX_ANSWER_BYTES, family=socket.AF_UNSPEC
    )
    try:
        request = f"GET {path} HTTP/1.1\r\nHost: {address.netloc}\r\nConnection: close\r\n\r\n"
        writer.write(request.encode())
        head = await reader.readuntil(b"\r\n\r\n")
        status, *lines = head.split(b"\r\n")
        if status.split()[1:2] != [_OK]:
            raise ValueError("the answer isn't 200 OK")
        return await reader.readexactly(_content_length(lines))
    finally:
        writer.transport.abort()


def _content_length(lines: list[bytes]) -> int:
    for line in lines:
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            length = int(value)
            if 0 <= length <= MAX_ANSWER_BYTES:
                return length
    raise ValueError("the answer has no usable length")
