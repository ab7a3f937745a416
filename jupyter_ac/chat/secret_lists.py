"""Finds secrets in tuples, lists and arguments: a user and a password, several passwords."""

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import Final, NamedTuple

from jupyter_ac.chat.secret_literals import closing_quote
from jupyter_ac.chat.secret_names import is_certain_name, is_secret_value_name, whole_name
from jupyter_ac.chat.secret_values import is_secret_text
from jupyter_ac.chat.text_spans import Span, matches

_OPENING: Final = re.compile(
    r"""
    (?i:auth(?:enticate)?|cred(?:ential)?s?|login|(?:pass(?:word|wd|phrase)|pwd|secret|token|key)s)
    (?:\\{0,3}["'])?\]?
    [ \t]{0,8}
    (?::[ \t]{0,4}[A-Za-z_][\w\[\],\ .|]{0,60}(?==))?
    (?P<separator>=>|<{1,2}-|:?=(?!=)|:(?!:))?
    [ \t]{0,8}
    (?P<open>(?:\b(?:c|list|tuple|set|frozenset))?[(\[{]\s{0,40}[(\[]?)
    """,
    re.VERBOSE,
)
"""A name, and the bracket that opens its values; without a separator it is a call."""

_PAIR_NAME: Final = re.compile(
    r"(?i:(?:(?:api|basic|client|digest|https?|ntlm|proxy|user)[_-]?)?auth)|\w*[a-z]Auth"
    r"|(?:.*[\W_])?(?i:authenticate|cred(?:ential)?s?|login)"
)
_PAIRS_NAME: Final = re.compile(r"(?:.*[\W_])?(?i:cred(?:ential)?s?)")
_DICTIONARY_NAME: Final = re.compile(
    r"(?:.*[\W_])?(?i:pass(?:word|wd|phrase)s|pwds|secrets|api[_-]?keys)"
)
"""Others, such as `ListAccessKeys`, are names of what is described in a dictionary."""

_GAP: Final = r"\s{0,80}(?:\#[^\n]{0,200}\n\s{0,80})?"
_LITERAL: Final = re.compile(_GAP + r"[rbufRBUF]{0,2}(?P<quote>\\{0,3}(?:\"{3}|'{3}|[\"']))")
_EXPRESSION: Final = re.compile(
    _GAP + r"[\w.]{1,60}+(?:\[[^\[\]\n]{0,60}\]|\([^()\n]{0,60}\))?(?=\s{0,80}[,:)\]}])"
)
_COMMA: Final = re.compile(_GAP + r",")
_COLON: Final = re.compile(r"\s{0,8}(?::(?!:)|=>)")
_NEXT_GROUP: Final = re.compile(r"\s{0,8}[)\]]\s{0,8}," + _GAP + r"[(\[]")


_PAIR_LENGTH: Final = 2


class _Kind(Enum):
    SECRETS = auto()
    PAIRS = auto()
    PAIR = auto()
    CALL = auto()


class _Item(NamedTuple):
    value: Span | None
    """Of the text between quotes; `None` for anything else."""

    end: int


def listed_values(text: str) -> Iterator[Span]:
    """Yield the texts between quotes in brackets that seem to be secrets."""
    read = 0
    for match in matches(_OPENING, text):
        if match.start() < read:
            continue
        name, _ = whole_name(text, match.start())
        kind = _kind(name, match)
        if kind is not None:
            groups, read = _groups(text, match)
            values = (value for items in groups for value in _values(kind, items))
            yield from (span for span in values if _may_be_secret(kind, text[slice(*span)]))


def _kind(name: str, opening: re.Match[str]) -> _Kind | None:
    """Return what is in the brackets behind a name; `None` if no secrets are."""
    is_dictionary = "{" in opening["open"]
    if opening["separator"] is not None and name[-1:] in "sS" and is_certain_name(name[:-1]):
        return None if is_dictionary and not _DICTIONARY_NAME.fullmatch(name) else _Kind.SECRETS
    if is_dictionary or not _PAIR_NAME.fullmatch(name):
        return None
    is_group = _PAIRS_NAME.fullmatch(name) is not None
    if opening["separator"] is None:
        return _Kind.CALL if opening["open"] == "(" and not is_group else None
    return _Kind.PAIRS if is_group else _Kind.PAIR


def _values(kind: _Kind, items: list[_Item]) -> Iterator[Span]:
    """Yield what may be a secret by its place."""
    rest = items[1:]
    secrets = {
        _Kind.SECRETS: items,
        _Kind.PAIRS: rest,
        _Kind.PAIR: rest if len(items) == _PAIR_LENGTH else [],
        _Kind.CALL: rest[:1],
    }
    yield from (item.value for item in secrets[kind] if item.value)


def _may_be_secret(kind: _Kind, value: str) -> bool:
    """Return whether an item is no name of a secret, such as a column's."""
    has_digit = any(sign.isdigit() for sign in value)
    is_word = value.strip(" .:-").replace("-", "_").isidentifier()
    is_name = is_secret_value_name(value) and is_word and not has_digit
    name = "secret" if kind is _Kind.SECRETS else "password"
    return is_secret_text(name, value) and not is_name


def _groups(text: str, opening: re.Match[str]) -> tuple[list[list[_Item]], int]:
    """Return the items in brackets, a list for each bracket in the outer one, and their end."""
    groups, at = [], opening.end()
    is_nested = sum(sign in "([{" for sign in opening["open"]) > 1
    while True:
        items = list(_items(text, at))
        at = items[-1].end if items else at
        groups.append(items)
        following = _NEXT_GROUP.match(text, at) if is_nested else None
        if following is None:
            return groups, at
        at = following.end()


def _items(text: str, at: int) -> Iterator[_Item]:
    """Yield the items from a place on, up to something else; of `key: value` the value."""
    while (item := _item(text, at)) is not None:
        colon = _COLON.match(text, item.end)
        if colon and (value := _item(text, colon.end())) is not None:
            item = value
        yield item
        comma = _COMMA.match(text, item.end)
        if comma is None:
            return
        at = comma.end()


def _item(text: str, at: int) -> _Item | None:
    literal = _LITERAL.match(text, at)
    if literal is None:
        expression = _EXPRESSION.match(text, at)
        return _Item(None, expression.end()) if expression else None
    end, is_closed = closing_quote(text, literal.end(), literal["quote"])
    return _Item((literal.end(), end), end + len(literal["quote"])) if is_closed else None
