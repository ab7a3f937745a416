"""Finds secrets without quotes in settings and printed lines: `password: word`, `a.password=word`.

In code such a word is the name of a variable or of a type. What tells settings apart is the block
of lines around it; an uncertain one is taken for code.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from jupyter_ac.chat.secret_names import (
    NAME_PART,
    has_word_of_secrets,
    is_certain_name,
    whole_name,
)
from jupyter_ac.chat.secret_values import is_ordinary, is_own_name, is_secret_text
from jupyter_ac.chat.text_spans import Span

_CANDIDATE: Final = re.compile(NAME_PART + r"[ \t]{0,4}[:=][ \t]{0,8}[^\s\"'`,;(){}<>=\[\]:]{3}")
_COLON: Final = re.compile(
    NAME_PART
    + r":[ \t]{1,8}([^\s\"'`,;(){}<>\[\]]{3,}+)(?=[ \t]{0,8}(?:\Z|[ ]\#)|,[ ]\w{1,40}:[ ])"
)
_ASSIGNMENT: Final = re.compile(
    r"[ \t]{0,40}(?:export[ ]+)?(?P<name>[\w.-]{1,80}+)(?P<blanks>[ \t]{0,8})=[ \t]{0,8}"
    r"(?P<value>[^\"'`(){};=\[\]]*+)"
)
_COMMENT: Final = re.compile(r"[ \t]*(?:#|//|;|--|!)")
_SECTION: Final = re.compile(r"[ \t]*\[[\w .:-]{1,80}\][ \t]*")
_CODE: Final = re.compile(
    r"[ \t]*(?:[)}\]]|(?:async|class|const|def|export|fn|for|from|func|function|if|import|interface"
    r"|let|pub|return|struct|try|type|var|while|with)\b)|.*[;{(\[,][ \t]*\Z"
)
_BEFORE_CODE: Final = re.compile(
    r".*[\"'`(){}<>=|\[\]]"
    r"|.*\b(?:case|const|final|lambda|let|private|protected|pub|public|readonly|static|val|var)\b"
)
_ATTRIBUTE: Final = re.compile(r"(?:self|cls|this)\.")
_TYPES: Final = re.compile(
    r"any|bool|boolean|bytes|char|column|date|datetime|field|float|int|integer|json|none|null"
    r"|number|object|optional|str|string|text|unicode|uuid|varchar",
    re.IGNORECASE,
)
_SAYINGS: Final = re.compile(
    r"accepted|changed?|correct|denied|disabled|empty|enabled|expired|failed|false|hidden"
    r"|incorrect|invalid|masked|missing|not|okay|required|reset|set|strong|the|true|unknown|unset"
    r"|valid|weak|wrong|yes",
    re.IGNORECASE,
)
"""What is said of a secret, not what it is."""

_CAMEL: Final = re.compile(r"[A-Z][a-z]+[A-Z]\w*")
_LONGEST_LINE: Final = 400


class _Line(NamedTuple):
    start: int
    text: str


def setting_values(text: str) -> Iterator[Span]:
    """Yield the words without quotes that seem to be secrets."""
    if not _CANDIDATE.search(text):
        return
    for block in _blocks(text):
        if any(_CANDIDATE.search(line.text) for line in block):
            yield from _assigned(block)
            yield from _said(block)


def _blocks(text: str) -> Iterator[list[_Line]]:
    """Yield the lines without blank ones between them; long lines count as blank."""
    block: list[_Line] = []
    at = 0
    for line in text.split("\n"):
        if line.strip() and len(line) <= _LONGEST_LINE:
            block.append(_Line(at, line.rstrip("\r")))
        elif block:
            yield block
            block = []
        at += len(line) + 1
    if block:
        yield block


def _assigned(block: list[_Line]) -> Iterator[Span]:
    """Yield the values of `name=value` if the block has nothing else."""
    found, has_section = [], False
    for line in block:
        if _SECTION.fullmatch(line.text):
            has_section = True
        elif (match := _ASSIGNMENT.fullmatch(line.text)) is not None:
            found.append((line, match))
        elif not _COMMENT.match(line.text):
            return
    if not has_section and any(match["blanks"] for _, match in found):
        return
    names = {match["name"] for _, match in found}
    is_settings = has_section or len(found) > 1 or any("." in name for name in names)
    for line, match in found if is_settings else ():
        value = match["value"].strip()
        name = match["name"].rpartition(".")[2]
        is_variable = value in names or _ATTRIBUTE.match(match["name"])
        if value and not is_variable and _is_secret_word(name, value):
            start = line.start + match.start("value")
            yield start, start + len(value)


def _said(block: list[_Line]) -> Iterator[Span]:
    """Yield the values of `name: value` in lines of settings and in printed ones."""
    is_code = any(_CODE.match(line.text) for line in block)
    for line in block:
        if is_code and not _COMMENT.match(line.text):
            continue
        for match in _COLON.finditer(line.text):
            name, start = whole_name(line.text, match.start())
            value = match[1]
            is_type = _TYPES.fullmatch(value) or _CAMEL.fullmatch(value)
            if (
                not is_type
                and not _BEFORE_CODE.match(line.text, 0, start)
                and _is_secret_word(name, value)
            ):
                yield line.start + match.start(1), line.start + match.end(1)


def _is_secret_word(name: str, value: str) -> bool:
    return (
        is_certain_name(name)
        and is_secret_text(name, value)
        and not is_ordinary(value)
        and not is_own_name(name, value)
        and not _SAYINGS.fullmatch(value)
        and not has_word_of_secrets(value)
    )
