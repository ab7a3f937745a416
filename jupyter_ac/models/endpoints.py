"""Model servers of the user's own: their kinds, their addresses, and a trial of one."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final, Protocol
from urllib.parse import urlsplit

from jupyter_ac.errors import AccessDenied, InvalidParams
from jupyter_ac.models.client import CompletedAnswer
from jupyter_ac.workers.wire import (
    ASKED_ONCE,
    CompletionRequest,
    ServedModels,
    ServedModelsRequest,
)

MAX_ADDRESS: Final = 2048
MAX_SHOWN: Final = 200
"""Characters of a trial's answer that are kept."""

TRIAL_S: Final = 45.0
"""Longest trial; less than what front ends wait for an answer."""

_QUESTION: Final = "Answer with one word: ready"
_MAX_TOKENS: Final = 64


@dataclass(frozen=True, slots=True)
class EndpointKind:
    """A kind of model server.

    Attributes:
        title: its name for users.
        provider: litellm's word; goes before the model's name.
        address: where it usually is; "" if that differs.
    """

    title: str
    provider: str
    address: str


ENDPOINT_KINDS: Final[Mapping[str, EndpointKind]] = {
    "ollama": EndpointKind("Ollama", "ollama_chat", "http://127.0.0.1:11434"),
    "lm_studio": EndpointKind("LM Studio", "lm_studio", "http://127.0.0.1:1234/v1"),
    "llama_cpp": EndpointKind("llama.cpp", "hosted_vllm", "http://127.0.0.1:8080/v1"),
    "vllm": EndpointKind("vLLM", "hosted_vllm", "http://127.0.0.1:8000/v1"),
    "openai_compatible": EndpointKind("Other (OpenAI-compatible)", "hosted_vllm", ""),
}


class Models(Protocol):
    """What sends requests; `ModelsClient` is one."""

    async def load(self) -> None:
        """Wait until it can send them."""

    async def complete(
        self, request: CompletionRequest, on_text: Callable[[str], None]
    ) -> CompletedAnswer:
        """Send one."""

    async def served(self, request: ServedModelsRequest) -> ServedModels:
        """Ask a server which models it has."""


@dataclass(frozen=True, slots=True)
class TrialAnswer:
    """What a model has answered.

    Attributes:
        text: the beginning of it; "" if it has used up its tokens before.
        milliseconds: from the request to the end of the answer.
    """

    text: str
    milliseconds: int


async def ask_once(
    models: Models, model: str, api_base: str | None, env: Mapping[str, str]
) -> TrialAnswer:
    """Send one short question to a model.

    Args:
        models: sends it.
        model: litellm's name.
        api_base: another address than the provider's.
        env: variables, keys among them.

    Raises:
        ProviderError: it did not answer; says why and what to do.
    """
    await models.load()
    options = replace(
        ASKED_ONCE,
        request_timeout_seconds=TRIAL_S,
        first_chunk_timeout_seconds=TRIAL_S,
        chunk_timeout_seconds=TRIAL_S,
    )
    request = CompletionRequest(
        model,
        [{"role": "user", "content": _QUESTION}],
        max_tokens=_MAX_TOKENS,
        api_base=api_base,
        env=env,
        cache=False,
        options=options,
    )
    begun = time.monotonic()
    answer = await models.complete(request, lambda _text: None)
    milliseconds = round((time.monotonic() - begun) * 1000)
    return TrialAnswer(" ".join(answer.text.split())[:MAX_SHOWN], milliseconds)


def checked_address(text: str) -> str:
    """Return an address of a model server without surrounding blanks and trailing slashes.

    Raises:
        InvalidParams: it is none.
        AccessDenied: no model server may be there.
    """
    address = text.strip().rstrip("/")
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port = "", None
    if (
        len(address) > MAX_ADDRESS
        or not address.isprintable()
        or " " in address
        or not address.lower().startswith(("http://", "https://"))
        or not host
        or port == 0
    ):
        raise InvalidParams("That is no address; it is written like http://127.0.0.1:11434.")
    if parts.username is not None or parts.password is not None:
        raise InvalidParams("An address has no user name and password; enter the key beside it.")
    if parts.query or parts.fragment:
        raise InvalidParams("The address ends before `?` and `#`; leave the rest out.")
    _require_permitted(host)
    return address


def is_reserved(address: IPv4Address | IPv6Address) -> bool:
    """Return whether no model server may be at an address.

    Clouds have the credentials of their machines at link-local ones.
    """
    mapped = getattr(address, "ipv4_mapped", None) or address
    return bool(mapped.is_link_local or mapped.is_multicast or mapped.is_unspecified)


def _require_permitted(host: str) -> None:
    """Refuse addresses at which clouds have the credentials of machines."""
    try:
        found = ip_address(host)
    except ValueError:
        return
    if is_reserved(found):
        raise AccessDenied(f"{host} is no address of a model server; correct it.")
