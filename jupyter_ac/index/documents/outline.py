"""Extracts the outline of a document in any supported format."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from jupyter_ac.index.documents.markdown import markdown_outline, read_markdown
from jupyter_ac.index.documents.rst import rst_outline
from jupyter_ac.index.documents.sections import Sections
from jupyter_ac.index.documents.svg import svg_outline
from jupyter_ac.index.languages.registry import TEXT
from jupyter_ac.index.records import Outline

_MARKER: Final = re.compile(r"^(?P<comment>#|//|--|%|;+|')[ \t]*%%(?P<rest>.*)$")
_MARKDOWN: Final = re.compile(r"\[(?:markdown|md)\]")


class _Cell(NamedTuple):
    is_markdown: bool
    comment: str
    first_line: int
    lines: list[str]


def notebook_outline(text: str) -> Outline:
    """Read headings, sections, links and names in backticks of the Markdown cells."""
    sections = Sections()
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for cell in _cells(lines):
        if cell.is_markdown:
            read_markdown("\n".join(_uncommented(cell)), sections, cell.first_line)
        elif any(line.strip() for line in cell.lines):
            sections.holds("code")
    return sections.outline(len(lines) - (not lines[-1]))


def _cells(lines: list[str]) -> Iterator[_Cell]:
    cell: _Cell | None = None
    for number, line in enumerate(lines):
        marker = _MARKER.match(line)
        if marker is None:
            if cell is not None:
                cell.lines.append(line)
            continue
        if cell is not None:
            yield cell
        is_markdown = _MARKDOWN.search(marker["rest"][:1000]) is not None
        cell = _Cell(is_markdown, marker["comment"], number + 1, [])
    if cell is not None:
        yield cell


def _uncommented(cell: _Cell) -> Iterator[str]:
    for line in cell.lines:
        rest = line.removeprefix(cell.comment)
        yield rest.removeprefix(" ") if rest is not line else line


_MAX_LINES: Final = 30_000
_LONGEST: Final = 80
_UNDERLINE: Final = re.compile(r"([=\-~*^#+])\1{2,}\s*$")
_MARKED: Final = re.compile(r"(#{1,6})\s++(.+)$")
_CAPITALS: Final = re.compile(r"[A-Z][A-Z0-9 ,&/'():.-]{3,}$")
_NAMED: Final = re.compile(r"`{1,2}([^`\s]+)`{1,2}|(?<![\w.-])([\w.-]++(?:/[\w.-]++)++)")
_FILE: Final = re.compile(r"[\w-]++\.[A-Za-z]\w{0,9}\b")
_FIRST, _SECOND, _CAPITAL = 1, 2, 2


def txt_outline(text: str) -> Outline:
    """Read headings, and the paths and names in backticks that stand in the text."""
    sections = Sections()
    lines = [line.rstrip() for line in text.split("\n")[:_MAX_LINES]]
    for at, line in enumerate(lines):
        level, title = _heading(lines, at)
        if level:
            sections.heading(title, level, at + 1)
        for match in _NAMED.finditer(line[: _LONGEST * 10]):
            if name := match[1] or _path_in(match[2]):
                sections.name(name, at + 1)
    return sections.outline(text.count("\n") + (not text.endswith("\n")))


def _path_in(written: str) -> str:
    """Return the longest beginning of names joined by `/` that ends in a file's name."""
    parts = written.split("/")
    for at in range(len(parts) - 1, 0, -1):
        if (file := _FILE.match(parts[at])) is not None:
            return "/".join((*parts[:at], file[0]))
    return ""


def _heading(lines: list[str], at: int) -> tuple[int, str]:
    """Return the level of a heading on a line, 0 for none, and its text."""
    line = lines[at].strip()
    if not line or len(line) > _LONGEST or _UNDERLINE.match(line):
        return 0, ""
    marked = _MARKED.match(lines[at])
    if marked is not None:
        return len(marked[1]), marked[2].rstrip("#").rstrip() or marked[2][0]
    behind = lines[at + 1].strip() if at + 1 < len(lines) else ""
    is_first = at == 0 or not lines[at - 1] or _UNDERLINE.match(lines[at - 1].strip()) is not None
    if is_first and _UNDERLINE.match(behind) and 2 * len(behind) > len(line):
        return (_FIRST if behind[0] in "=*#" else _SECOND), line
    if is_first and not behind and _CAPITALS.match(line):
        return _CAPITAL, line.rstrip(":")
    return 0, ""


_READERS: Final[Mapping[str, Callable[[str], Outline]]] = {
    "markdown": markdown_outline,
    "notebook": notebook_outline,
    "rst": rst_outline,
    "svg": svg_outline,
    TEXT: txt_outline,
}

LANGUAGES: Final = frozenset(_READERS)
"""Names of the languages, as `jupyter_ac.index.parsing` gives them, that have an outline."""


def outline(language: str, text: str) -> Outline:
    """Read the structure of a document.

    Args:
        language: one of `LANGUAGES`. Of a notebook the text is its percent format, whose lines
            the outline then counts.
        text: any text at all; what makes no sense in the language is left out.
    """
    return _READERS[language](text)
