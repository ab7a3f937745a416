"""Downloads one resource over HTTP, within limits, and only from hosts that the rules permit.

The address that is connected to is the one that was checked: a name is resolved once for each
request, also after redirects, so that a second answer of the name server has no effect (DNS
rebinding).
"""

import asyncio
import socket
import ssl
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from ipaddress import ip_address
from typing import Final
from urllib.request import getproxies, proxy_bypass

import httpx

from jupyter_ac.errors import AccessDenied, AcError, NotFound, TimedOut, TooLarge, Unsupported
from jupyter_ac.version import __version__
from jupyter_ac.web.host_rules import HostRules

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Resolves a host's name and port to network addresses; raises `OSError` if it has none."""

MAX_REDIRECTS: Final = 5
_CONNECT_S: Final = 10.0
_MAX_ADDRESSES: Final = 4
_ANY_HEADER: Final = zlib.MAX_WBITS | 32
"""Makes zlib accept the headers of gzip and of zlib."""

_HEADERS: Final = {
    "User-Agent": f"jupyter-ac/{__version__}",
    "Accept": "text/html,application/xhtml+xml,text/plain;q=0.9,application/pdf;q=0.9,*/*;q=0.5",
    "Accept-Encoding": "gzip, deflate",
}


@dataclass(frozen=True, slots=True)
class Download:
    """What a server has answered.

    Attributes:
        url: the address after redirects.
        media_type: of the content, in lower case; "" if the server names none.
        charset: the encoding that the server names, or "".
        data: the content, decompressed.
        proxy: host and port of the proxy that it came through, or "".
    """

    url: str
    media_type: str
    charset: str
    data: bytes
    proxy: str = ""


@cache
def certificates() -> ssl.SSLContext:
    """Return the trusted certificates, also those that `SSL_CERT_FILE` names; takes 20 ms."""
    return httpx.create_ssl_context()


async def resolve(host: str, port: int) -> list[str]:
    """Resolve a host's name with the system's resolver."""
    loop = asyncio.get_running_loop()
    rows = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(row[4][0]) for row in rows))


class HttpClient:
    """Downloads resources; keeps neither cookies nor credentials.

    Args:
        rules: which hosts are permitted.
        resolve: how names are resolved.
        let_through: addresses with ports (`127.0.0.1:8000`) that are permitted in addition, for
            tests with a server of their own.
    """

    def __init__(
        self, rules: HostRules, resolve: Resolve = resolve, let_through: Sequence[str] = ()
    ) -> None:
        self._rules, self._resolve = rules, resolve
        self._let_through = frozenset(let_through)

    async def download(
        self,
        url: str,
        max_bytes: int,
        accepts: Callable[[str], bool],
        report: Callable[[int], None] = lambda _: None,
    ) -> Download:
        """Download a resource; the caller bounds the time.

        Args:
            url: its address.
            max_bytes: of the content, decompressed.
            accepts: says of a media type whether its content is wanted.
            report: is told how many bytes are there.

        Raises:
            AccessDenied: the rules refuse the host, or the server asks for a login.
            NotFound: there is no such host or resource.
            TooLarge: the content has more bytes.
            Unsupported: the media type isn't wanted, the content is damaged, or the server fails.
            TimedOut: the server doesn't accept the connection.
        """
        for _ in range(MAX_REDIRECTS + 1):
            async with self._response(_checked_url(url)) as (response, proxy):
                if response.has_redirect_location:
                    url = _redirected(response, url)
                    continue
                _check_status(response)
                media_type, charset = _content_type(response)
                if not accepts(media_type):
                    raise Unsupported(f"its content has the type {media_type!r}, which isn't text")
                data = await _content(response, max_bytes, report)
                return Download(url, media_type, charset, data, proxy and _named(proxy))
        raise Unsupported(f"it redirects more than {MAX_REDIRECTS} times")

    @asynccontextmanager
    async def _response(self, target: httpx.URL) -> AsyncIterator[tuple[httpx.Response, str]]:
        host, port = target.raw_host.decode("ascii"), _port(target)
        if f"{host}:{port}" not in self._let_through:
            self._rules.check_host(host)
        proxy = _proxy_for(target)
        addresses = await self._permitted(host, port, is_resolved_elsewhere=bool(proxy))
        async with httpx.AsyncClient(
            trust_env=False,
            verify=certificates() if "https" in (target.scheme, proxy[:5]) else False,
            proxy=proxy or None,
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
            headers=_HEADERS,
            timeout=httpx.Timeout(None, connect=_CONNECT_S),
        ) as client:
            try:
                response = await _first_response(client, target, [] if proxy else addresses)
                try:
                    yield response, proxy
                finally:
                    await response.aclose()
            except httpx.ConnectTimeout as error:
                raise TimedOut(f"{host} doesn't accept the connection") from error
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                raise Unsupported(f"{host} can't be read: {error}") from error

    async def _permitted(self, host: str, port: int, *, is_resolved_elsewhere: bool) -> list[str]:
        """Resolve a host's name, and return the addresses that may be connected to."""
        try:
            found = await self._resolve(host, port)
        except (OSError, UnicodeError):
            if is_resolved_elsewhere:  # a proxy may know names that this machine doesn't
                return []
            raise NotFound(f"there is no host {host}") from None
        permitted = []
        refusal: AcError = NotFound(f"the host {host} has no address")
        for each in found:
            try:
                if f"{each}:{port}" not in self._let_through:
                    self._rules.check_address(host, ip_address(each.partition("%")[0]))
                permitted.append(each)
            except AccessDenied as error:
                refusal = error
        if not permitted:
            raise refusal
        return permitted[:_MAX_ADDRESSES]


async def _first_response(
    client: httpx.AsyncClient, target: httpx.URL, addresses: Sequence[str]
) -> httpx.Response:
    """Ask at each address of the host until one accepts the connection; without any, by name."""
    for at, address in enumerate(addresses):
        request = client.build_request("GET", target)
        request.url = target.copy_with(host=address)
        request.extensions["sni_hostname"] = target.raw_host.decode("ascii")
        try:
            return await client.send(request, stream=True)
        except (httpx.ConnectError, httpx.ConnectTimeout):
            if at + 1 == len(addresses):
                raise
    return await client.send(client.build_request("GET", target), stream=True)


def _checked_url(url: str) -> httpx.URL:
    try:
        target = httpx.URL(url).copy_with(fragment=None)
    except httpx.InvalidURL as error:
        raise Unsupported(f"the address can't be read: {error}") from error
    if target.scheme not in ("http", "https") or not target.host:
        raise Unsupported("only addresses that begin with http:// or https:// are fetched")
    if target.userinfo:
        raise AccessDenied("an address with a user name or a password isn't fetched; remove them")
    return target


def _redirected(response: httpx.Response, url: str) -> str:
    try:
        return str(httpx.URL(url).join(response.headers["Location"]))
    except httpx.InvalidURL as error:
        raise Unsupported(f"it redirects to an address that can't be read: {error}") from error


def _port(target: httpx.URL) -> int:
    return target.port or (443 if target.scheme == "https" else 80)


def _proxy_for(target: httpx.URL) -> str:
    """Return the proxy that the environment or the system names for an address, or ""."""
    proxies = getproxies()
    proxy = proxies.get(target.scheme) or proxies.get("all", "")
    if not proxy or proxy_bypass(target.host):
        return ""
    proxy = proxy if "://" in proxy else f"http://{proxy}"
    if not proxy.startswith(("http://", "https://")):
        raise Unsupported("the proxy of this machine isn't one for HTTP; name one by HTTPS_PROXY")
    return proxy


def _named(proxy: str) -> str:
    """Return a proxy's host and port, without its user and password."""
    address = httpx.URL(proxy)
    return address.host if address.port is None else f"{address.host}:{address.port}"


def _check_status(response: httpx.Response) -> None:
    status = response.status_code
    said = f"the server answers {status} {response.reason_phrase}".strip()
    if status in (401, 403, 407):
        raise AccessDenied(f"{said}: it asks for a login, or refuses programs")
    if status in (404, 410):
        raise NotFound(f"{said}: there is no such page")
    if not response.is_success:
        raise Unsupported(said)


def _content_type(response: httpx.Response) -> tuple[str, str]:
    media_type = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    return media_type, response.charset_encoding or ""


async def _content(
    response: httpx.Response, max_bytes: int, report: Callable[[int], None]
) -> bytes:
    """Read the content; one that is compressed is never larger in memory than the limit."""
    if response.headers.get("Content-Length", "0").isdecimal() and (
        int(response.headers.get("Content-Length", "0")) > max_bytes
    ):
        raise _too_large(max_bytes)
    expand = _expander(response.headers.get("Content-Encoding", ""), max_bytes)
    data = bytearray()
    async for chunk in response.aiter_raw():
        data += expand.feed(chunk) if expand else chunk
        if len(data) > max_bytes:
            raise _too_large(max_bytes)
        report(len(data))
    if expand and not expand.is_complete:
        raise Unsupported("its compressed content ends too early")
    return bytes(data)


def _too_large(max_bytes: int) -> TooLarge:
    return TooLarge(f"its content is larger than {max_bytes // 1_000_000} MB")


def _expander(encoding: str, max_bytes: int) -> "_Expander | None":
    match encoding.strip().lower():
        case "" | "identity":
            return None
        case "gzip" | "x-gzip" | "deflate":
            return _Expander(max_bytes)
        case unknown:
            raise Unsupported(f"its content is compressed by {unknown!r}, which wasn't asked for")


class _Expander:
    """Decompresses content in pieces, up to a limit.

    httpx would decompress each chunk as a whole; 64 kB may hold 60 MB.
    """

    def __init__(self, max_bytes: int) -> None:
        self._left = max_bytes
        self._stream = zlib.decompressobj(_ANY_HEADER)
        self._has_begun = False

    @property
    def is_complete(self) -> bool:
        return self._stream.eof or not self._has_begun

    def feed(self, chunk: bytes) -> bytes:
        """Decompress a chunk; gives at most one byte more than the limit in all."""
        if self._stream.eof:  # what servers append to the end is ignored, as in browsers
            return b""
        try:
            data = self._expanded(chunk)
        except zlib.error as error:
            raise Unsupported("its compressed content is damaged") from error
        self._has_begun = True
        self._left -= len(data)
        return data

    def _expanded(self, chunk: bytes) -> bytes:
        try:
            return self._stream.decompress(chunk, self._left + 1)
        except zlib.error:
            if self._has_begun:
                raise
            # Some servers send "deflate" without the header that the standard wants.
            self._stream = zlib.decompressobj(-zlib.MAX_WBITS)
            return self._stream.decompress(chunk, self._left + 1)
