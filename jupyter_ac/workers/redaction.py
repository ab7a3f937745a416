"""Redacts secrets in text that leaves a process: errors and logs."""

import os
import re
from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import urlsplit

_HIDDEN: Final = "…"

_SECRET_NAME: Final = re.compile(
    r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL)S?(_ID)?$", re.IGNORECASE
)

_PLAIN_NAME: Final = re.compile(
    r"(^|_)(REGION|REGION_NAME|BASE|API_BASE|BASE_URL|ENDPOINT|HOST|PORT|VERSION|PROJECT"
    r"|PROJECT_ID|LOCATION|ORGANIZATION|PROFILE|TIMEOUT|PROXY|LOG|VERBOSE|MODEL)$",
    re.IGNORECASE,
)
"""Names of variables with a provider's address, not with credentials."""

_SHORTEST: Final = 8
"""Shorter values are no secrets, and hiding them would hide ordinary words."""

_SHAPES: Final = re.compile(
    r"""
    \b(?:sk|pk|rk|gsk|xai|r8|hf|ghp|gho|github_pat|AIza|AKIA|ya29)[-_.]?[A-Za-z0-9_.*-]{12,}
    | \b(?:csk|fw|nvapi|pplx|tgp_v1|glpat|xox[abeoprs]|gh[ursp])[-_][A-Za-z0-9_-]{12,}
    | \bASIA[0-9A-Z]{16}\b
    """,
    re.VERBOSE,
)
_QUERY_KEY: Final = re.compile(r"(?<=[?&]key=)[^&\s'\"]+")
_BEARER: Final = re.compile(r"(?i:(?<=bearer ))[A-Za-z0-9_.~+/=-]{8,}")
_USER: Final = re.compile(r"(?<=://)[^/\s@:]+:[^/\s@]+(?=@)")


PROVIDER_KEYS: Final = (
    r"\b(?:sk|pk|rk|gsk|csk|r8|fw|pplx|tgp_v1|xai|nvapi|glpat|hf)[-_][A-Za-z0-9_-]{20,}"
    r"|\b(?:gh[pousr]_|github_pat_)[A-Za-z0-9_]{20,}"
    r"|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}"
    r"|\bxox[abeoprs]-[\w-]{10,}"
)
"""The keys of well-known services, as an expression.

Narrower than `redact`: a name that only looks like a key isn't matched.
"""


def secrets_of(environ: Mapping[str, str]) -> list[str]:
    """Return the values in an environment with names of secrets, longest first."""
    found = {
        value
        for name, value in environ.items()
        if len(value) >= _SHORTEST and _SECRET_NAME.search(name)
    }
    return sorted(found, key=len, reverse=True)


def hidden_in(variables: Mapping[str, str]) -> list[str]:
    """Give the values among a provider's own variables that are never shown, longest first.

    Stricter than `secrets_of`, which looks through everything that a process has inherited.
    """
    found = {
        value
        for name, value in variables.items()
        if len(value) >= _SHORTEST and not is_plain_name(name)
    }
    return sorted(found, key=len, reverse=True)


def is_plain_name(name: str) -> bool:
    """Return whether a variable of this name holds no secret by itself."""
    return _PLAIN_NAME.search(name) is not None and not is_secret_name(name)


def plain_address(address: str) -> str:
    """Return a URL without what may hold a key: user, password, query, fragment, an odd path."""
    try:
        parts = urlsplit(address)
        port = "" if parts.port is None else f":{parts.port}"
        host = parts.hostname or ""
    except ValueError:
        return ""
    shown = f"[{host}]" if ":" in host else host
    path = parts.path if redact(parts.path) == parts.path else ""
    return f"{parts.scheme}://{shown}{port}{path}" if host else ""


def is_secret_name(name: str) -> bool:
    """Return whether a variable or a key of this name is likely to hold a secret."""
    return _SECRET_NAME.search(name) is not None


def redact(text: str, secrets: Iterable[str] = ()) -> str:
    """Replace what is or looks like a secret.

    Args:
        text: to be shown or logged.
        secrets: exact values to hide beside those in this process's environment.
    """
    return redact_with(text, [*secrets, *secrets_of(os.environ)])


def redact_with(text: str, secrets: Iterable[str]) -> str:
    """Replace given secrets and what looks like one, without a look at the environment.

    Args:
        text: to be shown or logged.
        secrets: exact values to hide, such as `secrets_of` has found once.
    """
    for secret in secrets:
        text = text.replace(secret, _HIDDEN)
    text = _SHAPES.sub(_HIDDEN, text)
    # To look for a word first takes much less than the expressions would on a long text.
    if "key=" in text:
        text = _QUERY_KEY.sub(_HIDDEN, text)
    if "://" in text and "@" in text:
        text = _USER.sub(_HIDDEN, text)
    return _BEARER.sub(_HIDDEN, text) if "bearer " in text.lower() else text
