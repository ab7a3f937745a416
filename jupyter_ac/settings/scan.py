"""A tolerant JSON tokenizer that reports the position and path of names and values.

Works for valid and invalid texts: unreadable parts are skipped. It allows an error to name a line,
and a single value to be replaced without changing the rest of the text.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""Keys and list indexes from the outside in."""

_TOKEN: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"?|[{}\[\]:,]|[^\s{}\[\]:,"]+')

_DEEPEST: Final = 64
"""Maximum length of a path; the settings have four levels."""


@dataclass(frozen=True, slots=True)
class Token:
    """A name, or a value that is neither object nor list.

    Attributes:
        path: of the value, or of the value that the name belongs to.
        start: index of the first character.
        end: index after the last one.
        line: from 1.
        literal: source text.
        is_name: whether it is before a colon.
    """

    path: Path
    start: int
    end: int
    line: int
    literal: str
    is_name: bool

    @property
    def is_text(self) -> bool:
        """Whether it is quoted."""
        return self.literal.startswith('"')

    @property
    def value(self) -> str:
        """Its value without quotes."""
        return _decoded(self.literal)


@dataclass(slots=True)
class _Level:
    """An open object or list."""

    prefix: Path
    is_object: bool
    at: str | int
    wants_name: bool = field(init=False)

    def __post_init__(self) -> None:
        self.wants_name = self.is_object

    @property
    def path(self) -> Path:
        return (*self.prefix, self.at) if len(self.prefix) < _DEEPEST else self.prefix


def tokens(text: str) -> Iterator[Token]:
    """Yield all names and scalar values in order."""
    levels: list[_Level] = []
    line, counted = 1, 0
    for match in _TOKEN.finditer(text):
        literal = match.group()
        line += text.count("\n", counted, match.start())
        counted = match.start()
        level = levels[-1] if levels else None
        if literal in "{}[]:,":
            _step(literal, levels)
            continue
        is_name = level is not None and level.wants_name and literal.startswith('"')
        if is_name and level is not None:
            level.at = _decoded(literal)
        path = level.path if level is not None else ()
        yield Token(path, match.start(), match.end(), line, literal, is_name)


def lines_of(text: str) -> dict[Path, int]:
    """Return the line of each name."""
    return {token.path: token.line for token in tokens(text) if token.is_name}


def _step(sign: str, levels: list[_Level]) -> None:
    if sign in "{[":
        prefix = levels[-1].path if levels else ()
        levels.append(_Level(prefix, sign == "{", "" if sign == "{" else 0))
    elif not levels:
        return
    elif sign in "}]":
        levels.pop()
    elif sign == ":":
        levels[-1].wants_name = False
    else:
        level = levels[-1]
        level.wants_name = level.is_object
        if isinstance(level.at, int):
            level.at += 1


def _decoded(literal: str) -> str:
    try:
        value = json.loads(literal, strict=False)
    except ValueError:
        value = None
    return value if isinstance(value, str) else literal.strip('"')
