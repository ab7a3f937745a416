"""Extracts the docstring of a definition, or the comment above it."""

import re
from textwrap import dedent
from typing import Final

from jupyter_ac.index.languages.registry import described
from jupyter_ac.index.navigation.source_text import SourceText
from jupyter_ac.index.records import Symbol

_STRING: Final = re.compile(r"""\s*[rRuUbB]{0,2}("{3}|'{3}|"|')(.*)""")
_MARKS: Final = re.compile(r"\s*+(?:/\*+|\*+/|///?!?|//|#+!?|--+|\*|;+|%+)\s?")
_COMMENT: Final = re.compile(r"^\s*(?:/\*|\*|//|#(?!include|define)|--|@\w)")
_ATTRIBUTE: Final = re.compile(r"^\s*(?:#!?\[|@\w)")
_HEADER_LINES: Final = 60
_COMMENT_LINES: Final = 60
_LONGEST: Final = 300
_MOST_LINES: Final = 12


def doc_lines(language: str, source: SourceText, symbol: Symbol) -> list[str]:
    """Return the first lines of a docstring, or of the comment above; none when there is none."""
    found = (
        _docstring(source, symbol)
        if described(language).has_docstrings
        else _comment_above(source, symbol)
    )
    lines = [line[:_LONGEST].rstrip() for line in found]
    while lines and not any(map(str.isalnum, lines[0])):
        lines.pop(0)
    del lines[_MOST_LINES:]
    while lines and not any(map(str.isalnum, lines[-1])):
        lines.pop()
    return lines


def _docstring(source: SourceText, symbol: Symbol) -> list[str]:
    depth = 0
    for number in range(symbol.line, min(symbol.last_line, symbol.line + _HEADER_LINES) + 1):
        line = source.line(number)
        code = line.partition("#")[0].rstrip()
        depth += sum(map(code.count, "([{")) - sum(map(code.count, ")]}"))
        if depth <= 0 and code.endswith(":"):
            return _string_after(source, number + 1, symbol.last_line)
    return []


def _string_after(source: SourceText, first: int, last: int) -> list[str]:
    for number in range(first, min(last, first + _COMMENT_LINES) + 1):
        line = source.line(number)
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _STRING.match(line)
        return _string(source, number, last, *match.groups()) if match is not None else []
    return []


def _string(source: SourceText, first: int, last: int, quote: str, text: str) -> list[str]:
    """Return the lines of a string, the indentation of all of them left out."""
    said, end, _ = text.partition(quote)
    lines: list[str] = []
    for number in range(first + 1, min(last, first + _COMMENT_LINES) + 1):
        if end or len(quote) == 1:
            break
        line, end, _ = source.line(number).partition(quote)
        lines.append(line)
    return [said.strip(), *dedent("\n".join(lines)).split("\n")]


def _comment_above(source: SourceText, symbol: Symbol) -> list[str]:
    """Return the comment that ends above a definition, without its marks."""
    first = number = symbol.first_line
    while number > max(1, first - _COMMENT_LINES) and _COMMENT.match(source.line(number - 1)):
        number -= 1
    lines = []
    for each in range(number, first):
        line = source.line(each)
        said = _unmarked(_unmarked(line)).rstrip()
        if not (_ATTRIBUTE.match(line) or said.lstrip().startswith("@")):
            lines.append(said)
    return lines


def _unmarked(line: str) -> str:
    """Take off the mark that a line of a comment begins with, and the one that ends it."""
    mark = _MARKS.match(line)
    said = line if mark is None else line[mark.end() :]
    bare = said.rstrip()
    return bare[:-1].rstrip("*").rstrip() if bare.endswith("*/") else said
