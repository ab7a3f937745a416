"""The addresses of a host, and what its HTTP statuses mean."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Final

import httpx

from jupyter_ac.errors import (
    AccessDenied,
    AcError,
    Busy,
    ConnectionClosed,
    InvalidParams,
    NotFound,
    RemoteError,
    TooLarge,
)
from jupyter_ac.version import __version__

EVENT_STREAM: Final = "text/event-stream"
CONNECT_S: Final = 10.0

_SCHEMES: Final = {"http": "http", "https": "https", "ws": "http", "wss": "https"}
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})
_MAX_SENTENCE: Final = 1000
_OK: Final = frozenset({200, 204})


class Endpoint:
    """A host's addresses: `rpc` and `events` below a common one, with its query.

    The token is sent as a header only: httpx logs addresses.

    Args:
        url: `http://127.0.0.1:18080/`, or `{base_url}jupyter-ac/` of a Jupyter server. Its query
            may have `token`, `repo`, `client` and `profile`. `ws:` stands for `http:`.
        token: overrides that of the query.

    Raises:
        InvalidParams: it is no such address.
    """

    def __init__(self, url: str, token: str | None = None) -> None:
        try:
            given = httpx.URL(url)
        except httpx.InvalidURL as error:
            raise InvalidParams(f"url must be the address of a host: {error}") from error
        scheme = _SCHEMES.get(given.scheme)
        if scheme is None or not given.host:
            raise InvalidParams("url must be like http://127.0.0.1:18080/?token=…")
        shown = given.params.get("token", "") if token is None else token
        path = given.path.removesuffix("/rpc").rstrip("/") + "/"
        params = given.params.remove("token")
        base = given.copy_with(scheme=scheme, path=path, fragment=None, params=params)
        self.rpc = base.copy_with(path=path + "rpc")
        self.events = base.copy_with(path=path + "events")
        self.headers = {"User-Agent": f"jupyter-ac/{__version__}"}
        if shown:
            self.headers["Authorization"] = f"token {shown}"

    def session(self) -> httpx.AsyncClient:
        """Open what sends requests; proxies of the environment aren't asked for this machine."""
        timeout = httpx.Timeout(None, connect=CONNECT_S)
        is_local = self.rpc.host in _LOOPBACK
        return httpx.AsyncClient(headers=self.headers, timeout=timeout, trust_env=not is_local)


@asynccontextmanager
async def translated(subject: str) -> AsyncIterator[None]:
    """Turn httpx's errors of the block into ours.

    Raises:
        ConnectionClosed: the connection failed, or the answer is damaged.
    """
    try:
        yield
    except (httpx.RequestError, httpx.StreamError) as error:
        why = str(error) or type(error).__name__
        raise ConnectionClosed(f"{subject}: the connection failed: {why}.") from error


async def require_accepted(response: httpx.Response) -> None:
    """Read the refusal of a response, if it is one.

    Raises:
        AcError: the server refused the request, before any call was read.
    """
    if response.status_code not in _OK:
        raise refusal(response.status_code, response.headers, await response.aread())


def refusal(status: int, headers: Mapping[str, str], body: bytes) -> AcError:
    """Return the error for a status of HTTP; its sentence is the server's, if it has one."""
    sentence = _sentence(body) or f"The server answered with the status {status}."
    match status:
        case 401 | 403:
            return AccessDenied(sentence)
        case 404:
            return NotFound(sentence)
        case 413:
            return TooLarge(sentence)
        case 429 | 503:
            after = headers.get("Retry-After", "")
            return Busy(sentence, {"retry_after": int(after)} if _is_seconds(after) else {})
        case 502 | 504:
            return ConnectionClosed(sentence)
    return RemoteError(sentence, status)


def _is_seconds(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < len("1000000")


def _sentence(body: bytes) -> str:
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    found = said.get("message") if isinstance(said, dict) else None
    return found[:_MAX_SENTENCE] if isinstance(found, str) else ""
