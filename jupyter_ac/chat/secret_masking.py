"""Masks secrets in variables, cells and outputs before they are sent to a model.

Each secret becomes a numbered placeholder such as `[secret 1]`. One `SecretMasker` serves all parts
of a question, so that equal values get equal placeholders. `restore` puts the secrets back; it is
for an answer that replaces the very text that was masked, never for another place.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from jupyter_ac.chat.known_secrets import KnownSecrets
from jupyter_ac.chat.secret_names import is_secret_value_name
from jupyter_ac.chat.secret_spans import find_secrets
from jupyter_ac.chat.secret_tables import secret_cells
from jupyter_ac.chat.text_spans import Span, merged
from jupyter_ac.workers.redaction import secrets_of

_PLACEHOLDER: Final = re.compile(r"\[secret (\d{1,9})\]")

_LEAST_KNOWN_CHARS: Final = 8
"""Shorter values are masked where they were found only: elsewhere they may be ordinary words."""

_LEAST_WORD_CHARS: Final = 12
"""The same for values of letters only, such as `password="swordfish"`."""

_MOST_PASSES: Final = 4
"""A value whose neighbour was masked may be recognized only then."""


@dataclass(frozen=True, slots=True)
class MaskedText:
    """A text without its secrets.

    Attributes:
        text: with placeholders.
        placeholders: the secrets by placeholder; only those that this text got. Never to be sent,
            shown or stored.
    """

    text: str
    placeholders: Mapping[str, str] = field(default_factory=dict, repr=False)


class SecretMasker:
    """Masks secrets in several texts; a value has the same placeholder in all of them."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        """Begin without known secrets.

        Args:
            environment: variables of a process; the values of those with secret names, 8 characters
                or longer, and the passwords in their addresses are masked wherever they stand.
        """
        self._numbers: dict[str, list[int]] = {}
        self._count = 0
        self._known = KnownSecrets()
        for value in _environment_secrets(environment or {}):
            self._learn(value, _LEAST_KNOWN_CHARS)

    def mask(self, text: str, name: str = "") -> MaskedText:
        """Replace the secrets of a text by placeholders; takes time linear in its length.

        Args:
            text: code, output, or the summary of a value.
            name: of the variable whose value the text is. If it is the name of a secret, the whole
                text is masked.
        """
        taken = {int(number) for number in _PLACEHOLDER.findall(text)}
        found: dict[str, str] = {}
        if name and text and is_secret_value_name(name):
            for line in text.splitlines():  # the value stands on a line of its own
                self._learn_value(line.strip().strip("'\""))
            masked = self._replaced(text, _outside(text, [(0, len(text))]), taken, found)
            return MaskedText(masked, found)
        masked = text
        for _ in range(_MOST_PASSES):
            spans = merged(find_secrets(masked) + secret_cells(masked))
            for start, end in spans:
                self._learn_value(masked[start:end])
            spans = _outside(masked, merged([*spans, *self._known.spans(masked)]))
            if not spans:
                break
            masked = self._replaced(masked, spans, taken, found)
        return MaskedText(masked, found)

    def _learn_value(self, value: str) -> None:
        is_word = value.isidentifier() and not any(sign.isdigit() for sign in value)
        self._learn(value, _LEAST_WORD_CHARS if is_word else _LEAST_KNOWN_CHARS)

    def _learn(self, value: str, least_chars: int) -> None:
        if len(value) >= least_chars and not _PLACEHOLDER.search(value):
            self._known.learn(value)

    def _replaced(
        self, text: str, spans: Iterable[Span], taken: set[int], found: dict[str, str]
    ) -> str:
        parts, at = [], 0
        for start, end in spans:
            secret = text[start:end]
            placeholder = f"[secret {self._number(secret, taken)}]"
            found[placeholder] = secret
            parts += [text[at:start], placeholder]
            at = end
        return "".join([*parts, text[at:]])

    def _number(self, secret: str, taken: set[int]) -> int:
        """Return the number of a secret; another one where the text itself has a placeholder."""
        numbers = self._numbers.setdefault(secret, [])
        for number in numbers:
            if number not in taken:
                return number
        self._count += 1
        while self._count in taken:
            self._count += 1
        numbers.append(self._count)
        return self._count


def restore(text: str, placeholders: Mapping[str, str]) -> str:
    """Put secrets back.

    Args:
        text: replaces the text that was masked.
        placeholders: those of that text; others stay as they are.
    """
    return _PLACEHOLDER.sub(lambda match: placeholders.get(match[0], match[0]), text)


def _environment_secrets(environment: Mapping[str, str]) -> Iterable[str]:
    found = dict.fromkeys(secrets_of(environment))
    for name, value in environment.items():
        if is_secret_value_name(name) and not name.upper().endswith(("_FILE", "_DIR", "_PATH")):
            found[value] = None
        for start, end in find_secrets(value):
            found[value[start:end]] = None
    return found


def _outside(text: str, spans: list[Span]) -> list[Span]:
    """Cut the placeholders that a text has already out of spans; both are in order."""
    parts: list[Span] = []
    placeholders = [match.span() for match in _PLACEHOLDER.finditer(text)]
    first = 0
    for start, end in spans:
        while first < len(placeholders) and placeholders[first][1] <= start:
            first += 1
        at, number = start, first
        while number < len(placeholders) and placeholders[number][0] < end:
            begin, close = placeholders[number]
            parts.append((at, begin))
            at, number = close, number + 1
        parts.append((at, end))
    return [(start, end) for start, end in parts if end > start]
