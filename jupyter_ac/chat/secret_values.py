"""Tells values that are evidently no secret: references, placeholders, constants, expressions."""

import re
from typing import Final

from jupyter_ac.chat.secret_names import is_password_name, is_secret_value_name

_INTERPOLATION: Final = re.compile(r"\{[^{}\n]{0,200}\}|%\(\w{1,60}\)s")
REFERENCE: Final = re.compile(
    r"\{[A-Za-z_][\w.]{0,200}\}|\$\{[^{}]{1,200}\}|\$[A-Z][A-Z0-9_]*|\{\{[^{}]{1,200}\}\}|%s|\*+"
)
"""The name of another value."""

_PLACEHOLDER: Final = re.compile(
    r"[.…*_-]+|[xX]{3,}|<[A-Za-z][A-Za-z _'-]{0,60}>|\[[A-Za-z][A-Za-z _'-]{0,60}\]"
    r"|(?i:(?:enter|insert|put|paste|use|add)?[ _-]?your[ _-](?:[a-z]{1,20}[ _-]){0,4}"
    r"(?:pass(?:word|phrase)?|key|token|secret|credentials?|here))"
    r"|(?i:(?:replace|fill)[ _-](?:me|this|in)|todo|placeholder|redacted)"
)
"""What documentation writes where a secret belongs. `changeme` is none: it is in real use."""

_CONSTANTS: Final = frozenset(("None", "True", "False", "null", "true", "false"))
_NUMBER: Final = re.compile(r"[\d.,eE+-]{1,6}%?")
_LEAST_CHARS: Final = 4
"""Shorter values of keys and tokens are parts of a language, such as `token = "("`."""

_LONGEST_PLACEHOLDER: Final = 100


def is_secret_text(name: str, value: str) -> bool:
    """Return whether the text between two quotes is a value rather than a reference to one."""
    rest = _INTERPOLATION.sub("", value).strip()
    least = 1 if is_password_name(name) else _LEAST_CHARS
    if len(rest) < least or REFERENCE.fullmatch(value.strip()):
        return False
    return len(rest) > _LONGEST_PLACEHOLDER or not (
        _PLACEHOLDER.fullmatch(rest) or is_own_name(name, rest)
    )


def is_own_name(name: str, value: str) -> bool:
    """Return whether a value says only what it stands for, such as `db_password = "password"`."""
    own, said = _letters(name), _letters(value)
    if not said or any(sign.isdigit() for sign in value):
        return False
    return own == said or (own.endswith(said) and is_secret_value_name(value.strip(" :.")))


def is_reference(value: str) -> bool:
    """Return whether a value is the name of another one, such as `${PASSWORD}`."""
    return REFERENCE.fullmatch(value) is not None


def is_ordinary(value: str) -> bool:
    """Return whether a value without quotes is a reference, a constant or a short number."""
    return is_expression(value) or is_reference(value) or _NUMBER.fullmatch(value) is not None


def is_expression(value: str) -> bool:
    """Return whether a value is a constant or an attribute such as `settings.token`."""
    return value in _CONSTANTS or ("." in value and value.replace(".", "").isidentifier())


def _letters(text: str) -> str:
    return "".join(sign for sign in text.lower() if sign.isalnum())
