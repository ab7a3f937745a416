"""Formats what is known of a symbol as Markdown, for a hover, with its docstring or comment."""

import re
from collections.abc import Sequence
from textwrap import dedent
from typing import Final

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.documents.code_references import Mention
from jupyter_ac.index.languages.registry import described
from jupyter_ac.index.navigation.rows import Hover
from jupyter_ac.index.navigation.scopes import Goal
from jupyter_ac.index.navigation.source_text import SourceText
from jupyter_ac.index.navigation.symbol_at import SymbolAt
from jupyter_ac.index.records import NOBODY, FileRecord, Symbol
from jupyter_ac.index.view import IndexView

_STRING: Final = re.compile(r"""\s*[rRuUbB]{0,2}("{3}|'{3}|"|')(.*)""")
_MARKS: Final = re.compile(r"\s*+(?:/\*+|\*+/|///?!?|//|#+(?:!|'(?!\S))?|--+|\*|;+|%+)\s?")
_COMMENT: Final = re.compile(r"^\s*(?:/\*|\*|//|#(?!include|define)|--|@\w)")
_ATTRIBUTE: Final = re.compile(r"^\s*(?:#!?\[|@\w)")
_HEADER_LINES: Final = 60
_COMMENT_LINES: Final = 60
_LINES_ABOVE: Final = 500
"""Longest comment or string above a definition; of a longer one the beginning isn't shown."""
_LONGEST_doc_lines: Final = 300
_MOST_LINES: Final = 12


def doc_lines(language: str, source: SourceText, symbol: Symbol) -> list[str]:
    """Return the first lines of a docstring, or of the comment above; none when there is none."""
    found = (
        _docstring(source, symbol)
        if described(language).has_docstrings
        else _string_above(language, source, symbol) or _comment_above(source, symbol)
    )
    lines = [line[:_LONGEST_doc_lines].rstrip() for line in found]
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


def _string_above(language: str, source: SourceText, symbol: Symbol) -> list[str]:
    """Return the string in three quotes that ends above a definition, if the language has these."""
    last = symbol.first_line - 1
    if not described(language).has_strings_above or not source.line(last).rstrip().endswith('"""'):
        return []
    for number in range(last, max(0, last - _LINES_ABOVE), -1):
        if source.line(number).lstrip().startswith('"""') and (
            number < last or source.line(number).count('"""') > 1
        ):
            return _string(source, number, last, '"""', source.line(number).lstrip()[3:])
    return []


def _comment_above(source: SourceText, symbol: Symbol) -> list[str]:
    """Return the comment that ends above a definition, without its marks."""
    first = number = symbol.first_line
    while number > max(1, first - _LINES_ABOVE) and _COMMENT.match(source.line(number - 1)):
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


_MOST_BASES: Final = 10
_MOST_PLACES: Final = 3
_LONGEST: Final = 200


def hover(
    view: IndexView, found: SymbolAt, source: SourceText, remarks: Sequence[str] = ()
) -> Hover:
    """Say what is known of what was found at a place.

    Args:
        view: the index.
        found: what stands there.
        source: the text of the file that is led to; empty when it can't be read.
        remarks: what is written about it elsewhere, at its declaration; for want of better.
    """
    goal = found.goal
    record = view.record(goal.path)
    if record is not None and goal.local is not None:
        return {"contents": "\n\n".join(_local(record, goal, source))}
    if record is not None and goal.symbol != NOBODY:
        parts = _symbol(record, goal, source, remarks)
    elif record is not None and goal.heading != NOBODY:
        parts = _heading(record, goal)
    else:
        parts = _file(record, goal.path)
    return {"contents": "\n\n".join(parts)}


def mentioned(mentions: Sequence[Mention]) -> list[str]:
    """Say in which documents a symbol is named; nothing when it is in none."""
    places = [quoted(f"{mention.path}:{mention.line}") for mention in mentions]
    if not places:
        return []
    more = f" and {len(places) - _MOST_PLACES} more" if len(places) > _MOST_PLACES else ""
    return [f"named in {', '.join(places[:_MOST_PLACES])}{more}"]


def fenced(language: str, code: str) -> str:
    """Return code as a block of Markdown, whatever backticks it holds."""
    fence = "```"
    while fence in code:
        fence += "`"
    return f"{fence}{language}\n{code}\n{fence}"


def quoted(text: str) -> str:
    """Return a name as inline code of Markdown, whatever backticks it holds."""
    fence = "`"
    while fence in text:
        fence += "`"
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _symbol(
    record: FileRecord, goal: Goal, source: SourceText, remarks: Sequence[str]
) -> list[str]:
    symbol = record.symbols[goal.symbol]
    code = symbol.detail.rstrip(" {:") or f"{symbol.name}{symbol.signature}"
    parts = [fenced(record.language, code)]
    said = doc_lines(record.language, source, symbol) or list(remarks)
    if said:
        parts.append("  \n".join(map(plain, said)))
    if symbol.bases:
        parts.append(f"extends {', '.join(map(quoted, symbol.bases[:_MOST_BASES]))}")
    inside = f" of {quoted(record.symbols[symbol.parent].name)}" if symbol.parent != NOBODY else ""
    place = quoted(f"{goal.path}:{symbol.line}")
    return [*parts, f"{symbol.kind}{inside} in {place}"]


def _local(record: FileRecord, goal: Goal, source: SourceText) -> list[str]:
    line, _ = goal.local or (0, 0)
    code = source.line(line).strip()[:_LONGEST]
    return [fenced(record.language, code), f"local name in {quoted(f'{goal.path}:{line}')}"]


def plain(text: str) -> str:
    """Return a line of somebody's text such that Markdown takes it as it stands."""
    return "".join(f"\\{each}" if each in "\\<>[]*_#|~&!" else each for each in text)


def _heading(record: FileRecord, goal: Goal) -> list[str]:
    headings = record.outline.headings if record.outline else ()
    heading = headings[goal.heading]
    holds = f", with {' and '.join(heading.contents)}" if heading.contents else ""
    lines = heading.last_line - heading.line
    return [
        f"**{plain(heading.text)}**",
        f"section of {quoted(goal.path)}, line {heading.line}, {lines} lines{holds}",
    ]


def _file(record: FileRecord | None, path: RepoPath) -> list[str]:
    if record is None:
        return [quoted(path)]
    tops = [symbol.name for symbol in record.symbols if symbol.parent == NOBODY]
    kind = f"{record.language} file"
    titles = [heading.text for heading in record.outline.headings[:1]] if record.outline else []
    parts = [f"{kind} {quoted(path)}", *map(plain, titles)]
    if tops:
        shown = ", ".join(map(quoted, tops[:_MOST_BASES]))
        parts.append(f"{shown} …" if len(tops) > _MOST_BASES else shown)
    return parts
