"""The user's model settings: `llm.json` in the configuration directory."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from jupyter_ac.settings.schema import Rule, SettingsText, build

_TOKENS: Final = {"rule": Rule(least=1, most=10_000_000)}
_SECONDS: Final = {"rule": Rule(least=1, most=86_400)}


@dataclass(frozen=True, slots=True)
class LlmSettings:
    """What `llm.json` says; "" and None mean that it says nothing.

    Attributes:
        model: the model for the chat, by the name that litellm takes.
        smaller_model: the model for short side tasks.
        api_base: the address of the provider of `model`.
        env: environment variables for the model's process, keys among them; never shown.
        max_output_tokens: a limit below the model's own.
        num_retries: how often a request that failed for a passing reason is repeated.
        request_timeout_seconds: for a whole answer.
        first_chunk_timeout_seconds: until the answer begins.
        chunk_timeout_seconds: between two pieces of an answer.
        aux_request_timeout_seconds: for a whole side task.
        cache_min_tokens: the least that is worth a mark for the provider's prompt cache.
        cache_buffer_multiplier: how far above that least a cached part must be.
    """

    model: str = ""
    smaller_model: str = field(default="", metadata={"rule": Rule(alias="smallerModel")})
    api_base: str | None = None
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    max_output_tokens: int | None = field(default=None, metadata=_TOKENS)
    num_retries: int = field(default=4, metadata={"rule": Rule(least=0, most=100)})
    request_timeout_seconds: float = field(default=300.0, metadata=_SECONDS)
    first_chunk_timeout_seconds: float = field(default=60.0, metadata=_SECONDS)
    chunk_timeout_seconds: float = field(default=120.0, metadata=_SECONDS)
    aux_request_timeout_seconds: float = field(default=60.0, metadata=_SECONDS)
    cache_min_tokens: int = field(default=1024, metadata={"rule": Rule(least=0, most=10_000_000)})
    cache_buffer_multiplier: float = field(default=1.1, metadata={"rule": Rule(least=1, most=100)})


def read_llm(source: SettingsText) -> LlmSettings:
    """Return what `llm.json` says.

    Raises:
        BrokenSettings: it can't be used; the message names the line and the key, never a value.
    """
    settings = build(LlmSettings, source)
    if settings.api_base and not _is_address(settings.api_base):
        raise source.misfit(("api_base",), "must be an address, such as https://example.org/v1.")
    for name, value in settings.env.items():
        if not name or "=" in name or not _is_plain(name + value):
            raise source.misfit(("env", name), "is no variable that an environment can hold.")
    return settings


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _is_plain(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text
