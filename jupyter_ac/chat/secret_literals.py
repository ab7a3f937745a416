"""Finds secrets between quotes, behind the names of secrets, in code of any language."""

import re
from collections.abc import Iterator
from typing import Final

from jupyter_ac.chat.secret_names import (
    LONGEST_NAME,
    NAME_PART,
    has_word_of_secrets,
    is_password_name,
    is_secret_value_name,
    whole_name,
)
from jupyter_ac.chat.secret_values import is_secret_text
from jupyter_ac.chat.text_spans import Span, matches

_QUOTED: Final = re.compile(
    NAME_PART
    + r"""
    [\w-]{0,40}+
    (?P<named>\\{0,3}["'])?
    (?:\]|[ ]?\([^()"'\n]{0,60}\))?
    [ \t]{0,8}
    (?::[ \t]{0,4}[A-Za-z_][\w\[\].|,]{0,60}(?:[ ]\|[ ]\w{1,40}|[ ]\(\w{0,40}\))?[ \t]{0,4}(?==))?
    (?P<separator>=>|<{1,2}-|[=!]==?|:?=|:(?!:)|,)
    [ \t]{0,8}(?P<paren>\()?(?:\r?\n[ \t]{0,40})?
    [rbufRBUF]{0,2}(?P<quote>\\{0,3}(?:\"{3}|'{3}|["']))
    """,
    re.VERBOSE,
)
"""A name, then a separator, then the quote that opens its value."""

_COMPARISONS: Final = frozenset(("==", "!=", "===", "!=="))

_NEXT_LITERAL: Final = re.compile(
    r"[\"']{1,3}\s{0,200}[rbufRBUF]{0,2}(?P<quote>\\{0,3}(?:\"{3}|'{3}|[\"']))"
)
"""In parentheses: the end of a part of a value, and the quote that opens the next part."""

_TYPE_NAME: Final = re.compile(r"[A-Z][A-Za-z]{0,40}|[A-Za-z]{1,40}(?:Str|Bytes)")

_BODIES: Final = {
    '"': re.compile(r'[^"\\\n]*+(?:\\.[^"\\\n]*+)*+'),
    "'": re.compile(r"[^'\\\n]*+(?:\\.[^'\\\n]*+)*+"),
    "\\": re.compile(r"""(?:[^"'\\\n]++|\\{2,}["']?|\\[^"'\\\n])*+"""),
}
"""What is between two quotes; the last one is for quotes that have a backslash themselves."""

_LINE_CHARS: Final = 400
"""How far back the beginning of a line is looked for."""


def quoted_values(text: str) -> Iterator[Span]:
    """Yield the texts between quotes that seem to be secrets."""
    for match in matches(_QUOTED, text):
        name, start = whole_name(text, match.start())
        quote, separator = match["quote"], match["separator"]
        if not is_secret_value_name(name):
            continue
        end, is_closed = closing_quote(text, match.end(), quote)
        value = text[match.end() : end]
        if separator == ",":
            is_value = _is_pair(text, match, start) and not is_secret_value_name(value)
        elif separator in _COMPARISONS:
            is_value = is_closed and is_password_name(name) and not _looks_like_code(value)
        elif match["named"]:
            is_value = True
        else:
            is_strict = _needs_proof(text, start, separator, quote)
            is_value = not is_strict or (is_closed and not _looks_like_code(value))
            is_value = is_value and not (separator == ":" and _is_type(value))
        if is_value and is_secret_text(name, value):
            yield from _parts(text, (match.end(), end), quote, in_parentheses=bool(match["paren"]))


def closing_quote(text: str, start: int, quote: str) -> tuple[int, bool]:
    """Return where a value ends, and whether a quote ends it."""
    if len(quote.lstrip("\\")) > 1:
        end = text.find(quote, start)
        if end >= 0:
            return end, True
    body = _BODIES[quote[0]].match(text, start)
    end = body.end() if body else start
    return end, end < len(text) and text[end] != "\n"


def _parts(text: str, first: Span, quote: str, *, in_parentheses: bool) -> Iterator[Span]:
    """Yield the parts of a value; none if it is a tuple of strings."""
    parts = [first]
    while in_parentheses:
        end = parts[-1][1]
        match = _NEXT_LITERAL.match(text, end)
        if match is None:
            rest = text[end + len(quote) : end + len(quote) + LONGEST_NAME].lstrip()
            if rest.startswith(","):
                return
            break
        quote = match["quote"]
        parts.append((match.end(), closing_quote(text, match.end(), quote)[0]))
    yield from parts


def _is_type(value: str) -> bool:
    """Return whether a string is an annotation, such as `"Token"` or `"SecretStr"`."""
    return _TYPE_NAME.fullmatch(value) is not None and has_word_of_secrets(value)


def _is_pair(text: str, match: re.Match[str], start: int) -> bool:
    """Return whether a name is the first of two arguments or of a tuple: `("name", "value"`."""
    opening = text[max(0, start - 3) : start].rstrip("\"'\\")
    return bool(match["named"]) and opening.endswith("(") and not text.startswith("-", start)


def _needs_proof(text: str, start: int, separator: str, quote: str) -> bool:
    """Return whether the quote after a name could close a string rather than open a value."""
    begin = max(0, start - _LINE_CHARS)
    line = text[begin:start]
    if "\n" in line:
        line = line.rpartition("\n")[2]
    elif begin:
        return False
    if separator == ":" and line.strip(" \t-{"):
        return True
    return line.count(quote[-1]) % 2 == 1


def _looks_like_code(value: str) -> bool:
    return any(sign in value for sign in " ,()\t") or not value
