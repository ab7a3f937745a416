"""The lines of a cell as percent text has them, and back; exact for every text."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from jupyter_ac.notebook.dialects import Dialect

_QUOTE: Final = re.compile(r"'''|\"\"\"|'|\"|#")
_INSIDE: Final = {
    sign: re.compile(expression)
    for sign, expression in (
        ("'", r"(?:[^'\\]|\\.)*+'"),
        ('"', r'(?:[^"\\]|\\.)*+"'),
        ("'''", r"(?:[^'\\]|\\.|'(?!''))*+'''"),
        ('"""', r'(?:[^"\\]|\\.|"(?!""))*+"""'),
    )
}
_TRIPLE: Final = frozenset({"'''", '"""'})
_INDENT: Final = re.compile(r"\s*", re.ASCII)


def write_text(lines: Sequence[str], dialect: Dialect) -> Iterator[str]:
    """Write the lines of a cell that isn't code of the kernel's: each as a comment."""
    for line in lines:
        is_deeper = dialect.is_reserved_text(line)
        yield dialect.commented(dialect.commented(line) if is_deeper else line)


def read_text(lines: Sequence[str], dialect: Dialect) -> Iterator[str]:
    """Read what `write_text` writes; lines that are no comments stay as they are."""
    for line in lines:
        inner = dialect.uncommented(line)
        is_deeper = dialect.is_reserved_text(inner) and inner.startswith(f"{dialect.start} ")
        yield dialect.uncommented(inner) if is_deeper else inner


def write_code(lines: Sequence[str], dialect: Dialect) -> Iterator[str]:
    """Write the lines of a cell of code: magics, and what looks like one, as comments."""
    passed = _Passed(dialect)
    for line in lines:
        if passed.is_continued:
            yield from write_text([line], dialect)
        else:
            yield _deeper(line, dialect) if passed.reserve(line) else line
        passed.add(line)


def read_code(lines: Sequence[str], dialect: Dialect) -> Iterator[str]:
    """Read what `write_code` writes."""
    passed = _Passed(dialect)
    for written in lines:
        line = written
        if passed.is_continued:
            [line] = read_text([written], dialect)
        elif passed.reserve(written):
            line = _shallower(written, dialect)
        yield line
        passed.add(line)


def _deeper(line: str, dialect: Dialect) -> str:
    indent, rest = _indented(line)
    return indent + dialect.commented(rest)


def _shallower(line: str, dialect: Dialect) -> str:
    indent, rest = _indented(line)
    return indent + dialect.uncommented(rest)


def _indented(line: str) -> tuple[str, str]:
    found = _INDENT.match(line)
    end = found.end() if found else 0
    return line[:end], line[end:]


class _Passed:
    """What the lines before a line of code say of it.

    Writing and reading go over the same lines, so they agree.
    """

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._quote = ""
        self.is_continued = False

    def reserve(self, line: str) -> bool:
        """Whether the next line is written one comment deeper."""
        return self._dialect.is_reserved(line, is_quoted=bool(self._quote))

    def add(self, line: str) -> None:
        if self._dialect.language != "python":
            return
        is_magic = not self._quote and self._dialect.is_magic(line)
        is_continued = line.rstrip().endswith("\\")
        self.is_continued = (self.is_continued or is_magic) and is_continued
        self._quote = _quote_after(line, self._quote)


def _quote_after(line: str, quote: str) -> str:
    """Return the triple quote that is open after a line of Python; "" when none is.

    Args:
        line: the line.
        quote: what was open before.
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
