"""Masks secrets in settings for display, and restores them when a masked text is saved.

A mask is a row of dots, plus the end of a long value. It is restored only at the same path: a value
can't be revealed by moving its mask elsewhere.
"""

import json
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import Final
from urllib.parse import urlsplit

from jupyter_ac.settings.files import LITELLM, SettingsKind
from jupyter_ac.settings.scan import Path, Token, tokens
from jupyter_ac.settings.schema import BrokenSettings, parse
from jupyter_ac.workers.redaction import PROVIDER_KEYS, is_plain_name, is_secret_name, secrets_of
from jupyter_ac.workers.wire import RequestOptions

DOTS: Final = "••••••••"

_LONG: Final = 24
"""From this length on the last four characters of a value are shown."""

_END: Final = re.compile(r"[A-Za-z0-9_-]{4}\Z")

_SHAPES: Final = re.compile(
    PROVIDER_KEYS + r"|-----BEGIN [A-Z ]*PRIVATE KEY"
    r"|(?i:\bbearer )[A-Za-z0-9_.~+/=-]{12,}|://[^/\s@:]+:[^/\s@]+@"
)

_PLAIN_FIELDS: Final = frozenset({"model", "smaller_model", "smallerModel"})
_NUMBERS: Final = re.compile(r"-?[0-9.eE+-]{1,12}|true|false|null")
_VARIABLE: Final = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)+")


def mask_of(value: str) -> str:
    """Return the mask of a value."""
    end = _END.search(value) if len(value) >= _LONG else None
    return DOTS + end.group() if end else DOTS


def hide(kind: SettingsKind, text: str) -> str:
    """Mask the secrets in a text of settings; in a text that can't be parsed more is masked."""
    if not kind.is_json:
        return text
    is_hidden = _policy(kind, text)
    return _replace(
        text,
        (
            (token, json.dumps(mask_of(token.value), ensure_ascii=False))
            for token in tokens(text)
            if is_hidden(token)
        ),
    )


def unhide(kind: SettingsKind, text: str, stored: str) -> str:
    """Restore the values of masks in a text.

    Args:
        kind: type of settings.
        text: from a front end.
        stored: the text on disk.

    Raises:
        BrokenSettings: there are dots without a masked value; the message names the line.
    """
    if not kind.is_json or DOTS not in _unescaped(text):
        return text
    known = _Hidden.of(kind, stored)
    found: list[tuple[Token, str]] = []
    for token in tokens(text):
        if DOTS not in token.value:
            continue
        literal = None if token.is_name else known.literal(token)
        if literal is not None:
            found.append((token, literal))
        elif kind.type == LITELLM or known.knows_mask(token):
            raise BrokenSettings(
                kind.file, "dots are in place of a value; type the value itself.", token.line
            )
    return _replace(text, found)


def looks_secret(text: str, secrets: Iterable[str] = ()) -> bool:
    """Return whether a text looks like a secret, or contains one of these."""
    return any(secret in text for secret in secrets) or _SHAPES.search(text) is not None


def shows_variable(name: str, value: str) -> bool:
    """Return whether the value of an environment variable may be shown."""
    return is_plain_name(name) and not looks_secret(value) and not _hides_access(value)


@dataclass(frozen=True, slots=True)
class _Hidden:
    """The masked values of a stored text.

    Attributes:
        by_path: values by path.
        by_name: for a text that can't be parsed also by the last key of the path.
    """

    by_path: dict[Path, Token]
    by_name: dict[str | int, Token]

    @classmethod
    def of(cls, kind: SettingsKind, stored: str) -> "_Hidden":
        is_hidden = _policy(kind, stored)
        hidden = [token for token in tokens(stored) if is_hidden(token) and not token.is_name]
        by_path = {token.path: token for token in hidden}
        if _parses(kind, stored):
            return cls(by_path, {})
        return cls(by_path, {token.path[-1]: token for token in hidden if token.path})

    def knows_mask(self, token: Token) -> bool:
        """Return whether a text is the mask of a value at another path."""
        return any(mask_of(hidden.value) == token.value for hidden in self.by_path.values())

    def literal(self, token: Token) -> str | None:
        """Return the literal of a masked value."""
        found = self.by_path.get(token.path)
        if found is None and token.path[:1] == ("env",):
            found = self.by_name.get(token.path[-1])
        if found is None or mask_of(found.value) != token.value or not _is_whole(found.literal):
            return None
        return found.literal


def _policy(kind: SettingsKind, text: str) -> Callable[[Token], bool]:
    """Return a predicate that decides whether a name or value must be masked."""
    secrets = secrets_of(os.environ)
    parses = _parses(kind, text)

    def by_shape(token: Token) -> bool:
        return looks_secret(token.value, secrets)

    def in_plain_file(token: Token) -> bool:
        named = any(isinstance(key, str) and is_secret_name(key) for key in token.path)
        return by_shape(token) or (named and not token.is_name and token.is_text)

    def in_llm(token: Token) -> bool:
        if token.is_name or by_shape(token):
            return by_shape(token)
        return not _is_shown(token)

    def in_broken_llm(token: Token) -> bool:
        if by_shape(token):
            return True
        if token.is_name:
            return not (_VARIABLE.fullmatch(token.value) or token.value in _KNOWN_NAMES)
        if token.is_text:
            return not (token.path and token.path[-1] in _PLAIN_FIELDS)
        return _NUMBERS.fullmatch(token.literal) is None

    if kind.type != LITELLM:
        return in_plain_file
    return in_llm if parses else in_broken_llm


def _is_shown(token: Token) -> bool:
    """Return whether a value of a valid `llm.json` may be shown."""
    path, value = token.path, token.value
    match path:
        case ("env", str(name)):
            return token.is_text and shows_variable(name, value)
        case ("api_base",):
            return not _hides_access(value)
        case (str(name),) if name in _KNOWN_NAMES:
            return not token.is_text or name in _PLAIN_FIELDS
    named = any(isinstance(key, str) and is_secret_name(key) for key in path)
    return not token.is_text and not named and _NUMBERS.fullmatch(token.literal) is not None


def _hides_access(value: str) -> bool:
    """Return whether an address contains more than a location, such as credentials."""
    try:
        parts = urlsplit(value)
    except ValueError:
        return True
    return bool(parts.query or parts.fragment or "@" in parts.netloc)


_KNOWN_NAMES: Final = (
    _PLAIN_FIELDS
    | {"api_base", "env", "max_output_tokens"}
    | {option.name for option in fields(RequestOptions)}
)


def _parses(kind: SettingsKind, text: str) -> bool:
    try:
        parse(kind.file, text)
    except BrokenSettings:
        return False
    return True


def _is_whole(literal: str) -> bool:
    try:
        json.loads(literal)
    except (ValueError, RecursionError):
        return False
    return True


def _unescaped(text: str) -> str:
    """Decode escape sequences of dots in a text."""
    return re.sub(r"\\u2022", "•", text)


def _replace(text: str, exchanges: Iterable[tuple[Token, str]]) -> str:
    parts: list[str] = []
    at = 0
    for token, literal in exchanges:
        parts += [text[at : token.start], literal]
        at = token.end
    return "".join([*parts, text[at:]])
