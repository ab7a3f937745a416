"""Asks a model server for the names of its models, by OpenAI's or Ollama's list."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from ipaddress import ip_address
from socket import SOCK_STREAM
from typing import Final
from urllib.parse import urlsplit

import httpx

from jupyter_ac.errors import (
    ProviderAuth,
    ProviderBadRequest,
    ProviderError,
    ProviderUnavailable,
)
from jupyter_ac.models.endpoints import is_reserved
from jupyter_ac.workers.redaction import plain_address
from jupyter_ac.workers.wire import MAX_MODEL_NAME, ServedModels, ServedModelsRequest

MAX_NAMES: Final = 500
MAX_BYTES: Final = 2_000_000
LIMIT_S: Final = 10.0

_OLLAMA: Final = "ollama_chat"
_REFUSED_KEY: Final = frozenset({401, 403})


async def served_models(request: ServedModelsRequest) -> ServedModels:
    """Return the names of a server's models.

    Redirects are not followed, and only names leave the server's answer.

    Raises:
        ProviderError: the server can't be reached, refuses, or has no such list; says what to do.
    """
    shown = plain_address(request.api_base) or "this address"
    try:
        async with asyncio.timeout(LIMIT_S):
            await _check_host(request.api_base)
            return await _ask(request, shown)
    except TimeoutError as error:
        raise ProviderUnavailable(
            f"The server at {shown} did not answer within {LIMIT_S:g} s. Check the address, and "
            "whether the server runs."
        ) from error
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        raise ProviderUnavailable(
            f"The server at {shown} can't be reached. Start it, or correct the address."
        ) from error


async def _ask(request: ServedModelsRequest, shown: str) -> ServedModels:
    headers = {"Authorization": f"Bearer {request.key}"} if request.key else {}
    status = 0
    async with httpx.AsyncClient(headers=headers, follow_redirects=False, timeout=LIMIT_S) as http:
        for api_base, path in _places(request):
            status, names = await _names_at(http, f"{api_base}{path}")
            if names is not None:
                return ServedModels(api_base, tuple(names))
            if status in _REFUSED_KEY:
                break
    raise _refusal(status, shown, has_key=bool(request.key))


def _places(request: ServedModelsRequest) -> list[tuple[str, str]]:
    """Return the addresses to ask: base and path of the list."""
    base = request.api_base.rstrip("/")
    if request.provider == _OLLAMA:
        return [(base.removesuffix("/v1"), "/api/tags")]
    places = [(base, "/models")]
    # Many servers have their methods below /v1, which is often left out.
    return places if base.endswith("/v1") else [(f"{base}/v1", "/models"), *places]


async def _names_at(http: httpx.AsyncClient, url: str) -> tuple[int, list[str] | None]:
    """Return the status, and the names; None if there is no list."""
    data = bytearray()
    async with http.stream("GET", url) as response:
        if not response.is_success:
            return response.status_code, None
        async for chunk in response.aiter_bytes():
            data += chunk
            if len(data) > MAX_BYTES:
                return response.status_code, None
    try:
        return response.status_code, _names_in(json.loads(data))
    except (ValueError, RecursionError):
        return response.status_code, None


def _names_in(answer: object) -> list[str] | None:
    """Read OpenAI's list (`data`, `id`) or Ollama's (`models`, `name`)."""
    if not isinstance(answer, Mapping):
        return None
    rows = answer.get("data", answer.get("models"))
    if not isinstance(rows, Sequence) or isinstance(rows, str):
        return None
    found = (
        row.get("id", row.get("name")) for row in rows[: 4 * MAX_NAMES] if isinstance(row, Mapping)
    )
    names = (name for name in found if isinstance(name, str) and _is_name(name))
    return list(dict.fromkeys(names))[:MAX_NAMES]


def _is_name(name: str) -> bool:
    return 0 < len(name) <= MAX_MODEL_NAME and name.isprintable() and " " not in name


def _refusal(status: int, shown: str, *, has_key: bool) -> ProviderError:
    if status in _REFUSED_KEY:
        remedy = "Correct the key." if has_key else "Enter its key."
        return ProviderAuth(f"The server at {shown} refuses to list its models. {remedy}")
    said = f" (it answers {status})" if status else ""
    return ProviderBadRequest(
        f"The server at {shown} has no list of models{said}. Check the address, or type the "
        "model's name."
    )


async def _check_host(address: str) -> None:
    """Refuse hosts at which no model server may be, once their names are resolved.

    Raises:
        ProviderBadRequest: the host is one, or has one.
        OSError: the host has no address.
    """
    parts = urlsplit(address)
    loop = asyncio.get_running_loop()
    rows = await loop.getaddrinfo(parts.hostname or "", parts.port or 80, type=SOCK_STREAM)
    for row in rows:
        found = ip_address(str(row[4][0]).partition("%")[0])
        if is_reserved(found):
            raise ProviderBadRequest(
                f"{found} is no address of a model server. Correct the address."
            )
