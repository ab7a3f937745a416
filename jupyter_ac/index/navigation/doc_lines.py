"""The first line of what a definition's author wrote about it, read off the source."""

import re
from typing import Final

from jupyter_ac.index.navigation.text import SourceText
from jupyter_ac.index.records import Symbol

_STRING: Final = re.compile(r"""\s*[rRuUbB]{0,2}("{3}|'{3}|"|')(.*)""")
_MARKS: Final = re.compile(r"^\s*(?:/\*+|\*+/|///?!?|//|#+!?|--+|\*|;+|%+)\s?|\s*\*+/\s*$")
_COMMENT: Final = re.compile(r"^\s*(?:/\*|\*|//|#(?!include|define)|--|@\w)")
_ATTRIBUTE: Final = re.compile(r"^\s*(?:#!?\[|@\w)")
_HEADER_LINES: Final = 60
_COMMENT_LINES: Final = 60
_LONGEST: Final = 300


def doc_line(language: str, source: SourceText, symbol: Symbol) -> str:
    """Return the first line of a docstring, or of the comment above; "" when there is none."""
    if language == "python":
        return _docstring(source, symbol)
    return _comment_above(source, symbol)


def _docstring(source: SourceText, symbol: Symbol) -> str:
    depth = 0
    for number in range(symbol.line, min(symbol.last_line, symbol.line + _HEADER_LINES) + 1):
        line = source.line(number)
        code = line.partition("#")[0].rstrip()
        depth += sum(map(code.count, "([{")) - sum(map(code.count, ")]}"))
        if depth <= 0 and code.endswith(":"):
            return _string_after(source, number + 1, symbol.last_line)
    return ""


def _string_after(source: SourceText, first: int, last: int) -> str:
    for number in range(first, min(last, first + _COMMENT_LINES) + 1):
        line = source.line(number)
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _STRING.match(line)
        if match is None:
            return ""
        quote, text = match.groups()
        said = text.partition(quote)[0].strip()
        return (said or source.line(number + 1).partition(quote)[0].strip())[:_LONGEST]
    return ""


def _comment_above(source: SourceText, symbol: Symbol) -> str:
    """Return the first line that says something of the comment that ends above a definition."""
    first = number = symbol.first_line
    while number > max(1, first - _COMMENT_LINES) and _COMMENT.match(source.line(number - 1)):
        number -= 1
    for each in range(number, first):
        line = source.line(each)
        said = _MARKS.sub("", _MARKS.sub("", line)).strip()
        is_attribute = _ATTRIBUTE.match(line) or said.startswith("@")
        if not is_attribute and any(map(str.isalnum, said)):
            return said[:_LONGEST]
    return ""
