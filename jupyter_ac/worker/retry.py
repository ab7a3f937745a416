"""The retry policy: which failures are transient, and the delay before a retry."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from jupyter_ac.errors import ProviderError, ProviderRateLimit, ProviderUnavailable

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
