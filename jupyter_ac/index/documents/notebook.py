"""The outline of a notebook, read off its percent text.

Each Markdown cell is a text of its own: a fence or a list that one cell leaves open ends with it.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from jupyter_ac.index.documents.markdown import read_markdown
from jupyter_ac.index.documents.sections import Sections
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
