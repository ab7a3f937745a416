"""Converts the lines of a cell to percent text and back, exactly for every text."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from jupyter_ac.notebook.dialects import Dialect

_QUOTE: Final = re.compile(r"'''|\"\"\"|'|\"|#")
# Python 3.11 before 3.11.5 matches alternatives in a possessive group wrongly (gh-106052).
_INSIDE: Final = {
    sign: re.compile(expression)
    for sign, expression in (
        ("'", r"[^'\\]*+(?:\\.[^'\\]*+)*+'"),
        ('"', r'[^"\\]*+(?:\\.[^"\\]*+)*+"'),
        ("'''", r"[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+)*'''"),
        ('"""', r'[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*"""'),
    )
}
_TRIPLE: Final = frozenset({"'''", '"""'})
_INDENT: Final = re.compile(r"\s*", re.ASCII)


def write_text(lines: Sequence[str], dialect: Dialect) -> Iterator[str]:
    """Write the lines of a cell that isn't kernel code: each as a comment."""
    for line in lines:
        is_deeper = dialect.is_reserved_text(line)
        yield dialect.comment(dialect.comment(line) if is_deeper else line)


def read_text(lines: Sequence[str], dialect: Dialect) -> Iterator[str]:
    """Read the output of `write_text`; lines that are no comments stay unchanged."""
    for line in lines:
        inner = dialect.uncomment(line)
        is_deeper = dialect.is_reserved_text(inner) and inner.startswith(f"{dialect.start} ")
        yield dialect.uncomment(inner) if is_deeper else inner


def write_code(lines: Sequence[str], dialect: Dialect) -> Iterator[str]:
    """Write the lines of a code cell: magics, and lines that look like one, as comments."""
    state = _LineState(dialect)
    for line in lines:
        if state.is_continued:
            yield from write_text([line], dialect)
        else:
            yield _escape(line, dialect) if state.is_reserved(line) else line
        state.add(line)


def read_code(lines: Sequence[str], dialect: Dialect) -> Iterator[str]:
    """Read the output of `write_code`."""
    state = _LineState(dialect)
    for written in lines:
        line = written
        if state.is_continued:
            [line] = read_text([written], dialect)
        elif state.is_reserved(written):
            line = _unescape(written, dialect)
        yield line
        state.add(line)


def _escape(line: str, dialect: Dialect) -> str:
    indent, rest = _indented(line)
    return indent + dialect.comment(rest)


def _unescape(line: str, dialect: Dialect) -> str:
    indent, rest = _indented(line)
    return indent + dialect.uncomment(rest)


def _indented(line: str) -> tuple[str, str]:
    found = _INDENT.match(line)
    end = found.end() if found else 0
    return line[:end], line[end:]


class _LineState:
    """Parser state from the lines before: open quotes and continued magics.

    Writing and reading process the same lines, so they agree.
    """

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._quote = ""
        self.is_continued = False

    def is_reserved(self, line: str) -> bool:
        """Return whether the next line is escaped by one comment level."""
        return self._dialect.is_reserved(line, is_quoted=bool(self._quote))

    def add(self, line: str) -> None:
        if self._dialect.language != "python":
            return
        is_magic = not self._quote and self._dialect.is_magic(line)
        is_continued = line.rstrip().endswith("\\")
        self.is_continued = (self.is_continued or is_magic) and is_continued
        self._quote = _quote_after(line, self._quote)


def _quote_after(line: str, quote: str) -> str:
    """Return the triple quote that is open after a line of Python; "" if none is.

    Args:
        line: the line.
        quote: the one open before it.
    """
    position = 0
    if quote:
        inside = _INSIDE[quote]
        closed = inside.match(line)
        if closed is None:
            return quote
        position = closed.end()
    while (found := _QUOTE.search(line, position)) is not None and found[0] != "#":
        inside = _INSIDE[found[0]]
        closed = inside.match(line, found.end())
        if closed is None:
            return found[0] if found[0] in _TRIPLE else ""
        position = closed.end()
    return ""
