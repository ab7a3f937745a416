"""Takes secrets out of text that leaves a process: errors and logs."""

import os
import re
from collections.abc import Iterable, Mapping
from typing import Final

_HIDDEN: Final = "…"

_SECRET_NAME: Final = re.compile(
    r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL)S?(_ID)?$", re.IGNORECASE
)

_SHORTEST: Final = 8
"""Shorter values are no secrets, and hiding them would hide ordinary words."""

_SHAPES: Final = re.compile(
    r"""
    \b(?:sk|pk|rk|gsk|xai|r8|hf|ghp|gho|github_pat|AIza|AKIA|ya29)[-_.]?[A-Za-z0-9_.*-]{12,}
    | (?<=[?&]key=)[^&\s'"]+
    | (?i:(?<=bearer\ ))[A-Za-z0-9_.~+/=-]{8,}
    | (?<=://)[^/\s@:]+:[^/\s@]+(?=@)
    """,
    re.VERBOSE,
)


def secrets_of(environ: Mapping[str, str]) -> list[str]:
    """Give the values in an environment whose names say that they are secret, longest first."""
    found = {
        value
        for name, value in environ.items()
        if len(value) >= _SHORTEST and _SECRET_NAME.search(name)
    }
    return sorted(found, key=len, reverse=True)


def is_secret_name(name: str) -> bool:
    """Tell whether a variable or a key of this name is likely to hold a secret."""
    return _SECRET_NAME.search(name) is not None


def mask(text: str, secrets: Iterable[str] = ()) -> str:
    """Replace what is or looks like a secret.

    Args:
        text: to be shown or logged.
        secrets: exact values to hide beside those in this process's environment.
    """
    for secret in [*secrets, *secrets_of(os.environ)]:
        text = text.replace(secret, _HIDDEN)
    return _SHAPES.sub(_HIDDEN, text)
