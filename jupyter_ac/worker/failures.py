"""Converts litellm's exceptions to a `ProviderError`: what the user can do, and when to retry.

litellm's classes aren't specific enough (a missing key may be a server error, a refused connection
too), so the status and the text are also used.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from jupyter_ac.errors import (
    ProviderAuth,
    ProviderBadRequest,
    ProviderContext,
    ProviderError,
    ProviderRateLimit,
    ProviderUnavailable,
)
from jupyter_ac.workers.redaction import plain_address, redact

_IN_TEXT: Final = re.compile(
    r"(?:try again|retry|wait)[^.]{0,20}? (?:in|after|for) "
    r"(?:(\d+)m)?(\d+(?:\.\d+)?) ?(ms|s\b|sec)",
    re.IGNORECASE,
)

_PASSING: Final = frozenset({408, 429, 500, 502, 503, 504, 529})
_SPENT: Final = re.compile(r"quota|billing|credit|balance", re.IGNORECASE)
_LONGEST_PAUSE_S: Final = 30.0


def is_passing(error: Exception, seen: ProviderError) -> bool:
    """Return whether a failure is transient.

    Args:
        error: litellm's exception.
        seen: the `ProviderError` made from it.
    """
    if isinstance(seen, ProviderRateLimit):
        return seen.retry_after_s is not None or _SPENT.search(seen.message) is None
    inner = getattr(error, "original_exception", None) or error
    return isinstance(seen, ProviderUnavailable) and _status(error, inner) in _PASSING


def pause_s(attempt: int, asked_s: float | None) -> float:
    """Return the delay before a retry; the first retry has number 1."""
    return asked_s if asked_s is not None else min(_LONGEST_PAUSE_S, 2.0 ** (attempt - 1))


def retry_after_s(error: Exception, detail: str) -> float | None:
    """Return the seconds to wait, from the response's headers or else from its text.

    Args:
        error: litellm's exception.
        detail: the provider's message.
    """
    for headers in _headers(error):
        lower = {str(name).lower(): str(value) for name, value in headers.items()}
        found = _milliseconds(lower.get("retry-after-ms")) or _header(lower.get("retry-after"))
        if found is not None:
            return found
    text = _IN_TEXT.search(detail)
    if text is None:
        return None
    minutes, number, unit = text.groups()
    seconds = float(number) / 1000 if unit.lower() == "ms" else float(number)
    return int(minutes or 0) * 60 + seconds


def _status(*errors: object) -> int:
    found = (getattr(error, "status_code", None) for error in errors)
    return next((status for status in found if isinstance(status, int)), 0)


def _headers(error: Exception) -> list[Mapping[str, str]]:
    candidates = [
        getattr(error, "litellm_response_headers", None),
        getattr(getattr(error, "response", None), "headers", None),
    ]
    return [headers for headers in candidates if isinstance(headers, Mapping)]


def _milliseconds(value: str | None) -> float | None:
    seconds = _header(value)
    return None if seconds is None else seconds / 1000


def _header(value: str | None) -> float | None:
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


_LONGEST_DETAIL: Final = 300

_FORBIDDEN: Final = frozenset({401, 403})
_REFUSED: Final = frozenset({400, 404, 405, 413, 415, 422})
_TOO_MANY: Final = 429

_CONTEXT: Final = re.compile(
    r"context.?(length|window|size)|prompt is too long|too many (input )?tokens|input is too long"
    r"|reduce the length|request too large|exceeds? the (maximum|max|limit).{0,40}token",
    re.IGNORECASE,
)
_NO_KEY: Final = re.compile(
    r"missing .{0,40}(api.?key|credentials)|no key is set|api_key client option must be set"
    r"|unable to locate credentials|api.?key.{0,20}(required|not (set|provided|found))",
    re.IGNORECASE,
)
_BAD_KEY: Final = re.compile(
    r"(invalid|incorrect|bad|expired|revoked).{0,20}(api.?key|token|credential)"
    r"|api.?key.{0,20}(not valid|invalid)|unauthorized|authentication|permission denied",
    re.IGNORECASE,
)
_RATE: Final = re.compile(r"rate.?limit|too many requests|quota|throttl", re.IGNORECASE)
_UNREACHABLE: Final = re.compile(
    r"cannot connect|connection error|connection refused|connect call failed|name or service"
    r"|name resolution|nodename nor servname|getaddrinfo|network is unreachable|certificate",
    re.IGNORECASE,
)
_BROKEN: Final = re.compile(
    r"not completed|peer closed|incomplete|disconnected|connection reset|broken pipe"
    r"|connection (was )?closed",
    re.IGNORECASE,
)
_MISSING_PACKAGE: Final = re.compile(r"no module named '([\w.]+)'", re.IGNORECASE)

_CLASS: Final = re.compile(r"(?:litellm\.)?(?<!\w)(\w++)(?: -|:)\s*+")

_OTHER_CREDENTIALS: Final = frozenset({"bedrock", "sagemaker", "vertex_ai"})

_KEY_NAMES: Final[Mapping[str, str]] = {
    "together_ai": "TOGETHERAI_API_KEY",
    "cohere_chat": "COHERE_API_KEY",
    "bedrock": "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    "sagemaker": "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    "vertex_ai": "GOOGLE_APPLICATION_CREDENTIALS",
}

_NAMES: Final[Mapping[str, str]] = {
    "openai": "OpenAI",
    "anthropic": "Anthropic",
    "gemini": "Gemini",
    "mistral": "Mistral",
    "deepseek": "DeepSeek",
    "groq": "Groq",
    "xai": "xAI",
    "openrouter": "OpenRouter",
    "bedrock": "Amazon Bedrock",
    "azure": "Azure",
    "vertex_ai": "Vertex AI",
}


@dataclass(frozen=True, slots=True)
class CallFacts:
    """The facts of a call that an error's text needs.

    Attributes:
        model: litellm's name.
        provider: litellm's name of it, or "".
        api_base: the address when it isn't the provider's own.
        max_input_tokens: the model's limit.
        secrets: values that must not appear.
    """

    model: str
    provider: str
    api_base: str | None
    max_input_tokens: int
    secrets: tuple[str, ...] = ()

    @property
    def who(self) -> str:
        """The provider's usual name."""
        name = _NAMES.get(self.provider, self.provider or "the provider")
        if not self.api_base:
            return name
        return f"The server at {plain_address(self.api_base) or 'the api_base that is set'}"

    @property
    def key_name(self) -> str:
        """The variables that hold the key."""
        return _KEY_NAMES.get(self.provider, f"{self.provider.upper()}_API_KEY")


def provider_error(error: Exception, facts: CallFacts, *, has_begun: bool = False) -> ProviderError:
    """Convert an exception of litellm to a `ProviderError`.

    Args:
        error: from litellm or something below it.
        facts: of the call.
        has_begun: whether part of the answer has arrived.
    """
    cause = _cause(error)
    detail = redact(_detail(cause), facts.secrets)
    status = getattr(cause, "status_code", None)
    found = _classify(type(cause).__name__, status if isinstance(status, int) else 0, detail)
    if has_begun and found is ProviderUnavailable:
        text = f"{facts.who} broke off in the middle of the answer: {detail} Ask again."
        return ProviderUnavailable(redact(text, facts.secrets))
    wait_s = retry_after_s(cause, detail) if found is not ProviderContext else None
    if found is ProviderAuth:
        text = missing_key(facts) if _NO_KEY.search(detail) else _refused_key(facts, detail)
    elif found is ProviderRateLimit:
        text = _rate_limit(facts, detail, wait_s)
    elif found is ProviderContext:
        text = _too_long(facts, detail)
    elif found is ProviderBadRequest:
        text = _bad_request(facts, detail)
    else:
        text = _unavailable(facts, detail)
    return found(redact(text, facts.secrets), wait_s)


def missing_key(facts: CallFacts) -> str:
    """Return the error for a missing key, with the name of the variable."""
    return f"{facts.who} needs a key for {facts.model}: set {facts.key_name} {_where(facts)}."


def too_late(facts: CallFacts, what: str, waited_s: float) -> ProviderUnavailable:
    """Return the error for a time limit that has passed.

    Args:
        facts: of the call.
        what: the provider did: `did not answer within`.
        waited_s: the limit.
    """
    text = f"{facts.who} {what} {waited_s:g} s ({facts.model}). Ask again, or choose another model."
    return ProviderUnavailable(redact(text, facts.secrets))


def _cause(error: Exception) -> Exception:
    inner = getattr(error, "original_exception", None)
    return _cause(inner) if isinstance(inner, Exception) and inner is not error else error


def _classify(name: str, status: int, detail: str) -> type[ProviderError]:
    verdicts: list[tuple[bool, type[ProviderError]]] = [
        (name == "ContextWindowExceededError" or bool(_CONTEXT.search(detail)), ProviderContext),
        (bool(_NO_KEY.search(detail)), ProviderAuth),
        (status == _TOO_MANY or name == "RateLimitError", ProviderRateLimit),
        (status in _FORBIDDEN, ProviderAuth),
        (bool(_MISSING_PACKAGE.search(detail)), ProviderBadRequest),
        (bool(_UNREACHABLE.search(detail) or _BROKEN.search(detail)), ProviderUnavailable),
        (bool(_RATE.search(detail)), ProviderRateLimit),
        (status in _REFUSED and not _BAD_KEY.search(detail), ProviderBadRequest),
        (bool(_BAD_KEY.search(detail)), ProviderAuth),
    ]
    return next((verdict for applies, verdict in verdicts if applies), ProviderUnavailable)


def _detail(error: Exception) -> str:
    """Extract the provider's own message from litellm's text."""
    text = str(getattr(error, "message", None) or error).partition("\nTraceback")[0]
    text = text.partition("Original exception:")[0]
    start, end = text.find("{"), text.rfind("}")
    if 0 <= start < end:
        text = _message_in(text[start : end + 1]) or text
    text = _without_classes(" ".join(text.split()))
    text = re.sub(r"\.? Handle with `litellm\.\w+`\.?", "", text)
    text = re.sub(r" ?ssl:<ssl\.SSLContext object at 0x[0-9a-f]+>", "", text)
    text = text[2:-1] if text.startswith("b'") else text.strip()
    if len(text) > _LONGEST_DETAIL:
        text = f"{text[:_LONGEST_DETAIL]}…"
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def _without_classes(text: str) -> str:
    """Remove the names of exceptions at the start of a message."""
    at = 0
    while (name := _CLASS.match(text, at)) is not None:
        if "Error" not in name[1] and "Exception" not in name[1]:
            break
        at = name.end()
    return text[at:]


def _message_in(text: str) -> str:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    for _ in range(3):
        if isinstance(value, dict):
            value = value.get("message") or value.get("error") or value.get("detail")
    return value if isinstance(value, str) else ""


def _refused_key(facts: CallFacts, detail: str) -> str:
    return (
        f"{facts.who} refused the key, or the key may not use {facts.model}: {detail} "
        f"Check {facts.key_name}: set another one {_where(facts)}, or choose another model."
    )


def _where(facts: CallFacts) -> str:
    """Return where a key is set; the settings have a field for one key per provider."""
    environment = "in the environment and restart Jupyter"
    if facts.provider in _OTHER_CREDENTIALS:
        return f"under `env` in llm.json, or {environment}"
    return f"in the settings, under Keys, or {environment}"


def _rate_limit(facts: CallFacts, detail: str, wait_s: float | None) -> str:
    wait = "later" if wait_s is None else f"in {wait_s:g} s"
    if "quota" in detail.lower() or "billing" in detail.lower():
        wait = f"{wait}, after a look at the account's plan"
    return f"{facts.who} has had too many requests or tokens: {detail} Ask again {wait}."


def _too_long(facts: CallFacts, detail: str) -> str:
    return (
        f"The request is longer than {facts.model} takes (about {facts.max_input_tokens:,} "
        f"tokens): {detail} Untick files or start a new conversation."
    )


def _bad_request(facts: CallFacts, detail: str) -> str:
    package = _MISSING_PACKAGE.search(detail)
    if package:
        return (
            f"{facts.model} needs the Python package that provides `{package.group(1)}`; install "
            "it beside jupyter_ac and restart Jupyter."
        )
    if not facts.provider:
        return (
            f"No provider is known for the model {facts.model}: write it as provider/model, for "
            "example anthropic/claude-sonnet-4-6."
        )
    return f"{facts.who} does not accept the request for {facts.model}: {detail}"


def _unavailable(facts: CallFacts, detail: str) -> str:
    if _UNREACHABLE.search(detail):
        address = "Check the address: JUPYTER_AC_API_BASE, or api_base in llm.json"
        remedy = address if facts.api_base else "Check the network and proxy"
        return f"{facts.who} can't be reached: {detail} {remedy}."
    return f"{facts.who} failed: {detail} Ask again, or choose another model."
