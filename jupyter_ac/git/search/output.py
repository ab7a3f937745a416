"""Parses the output of `git grep` incrementally; builds the matches by file, with context lines.

Each line of the output is `name NUL number NUL text LF`; a match has `column NUL` before its text,
which alone distinguishes it from context. A name may contain line ends, so the output can't be
split into lines first, and a text may be larger than memory, so it is never held completely.
"""

import os
import re
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NotRequired, TypedDict

from jupyter_ac.git.plain_files import is_link
from jupyter_ac.git.unlinked_files import open_unlinked

MAX_MATCHES: Final = 2000
MAX_LINE_CHARS: Final = 2000
MAX_CHARS: Final = 4_000_000
"""Limit for all lines together, including context."""

_CHARS_BEFORE: Final = 200
_MAX_WHOLE_BYTES: Final = 64 * 1024
_MAX_BYTES_A_CHAR: Final = 4
_HEAD: Final = re.compile(rb"(?:--\n)*+([^\0]+)\0(\d+)\0(?:(\d+)\0)?")
_ROW: Final = re.compile(_HEAD.pattern + rb"([^\n]*)\n")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the result, cut for display."""

    number: int
    matches: bool
    text: str


class SearchRows:
    """Collects the rows of each file, up to one match more than displayed.

    Args:
        accepts: filter for matching lines; None accepts all.
        leaves_out: filter for files to skip; None skips none.

    Attributes:
        files: rows by the file's name, both in git's order.
        is_full: whether a limit was reached.
    """

    def __init__(
        self,
        accepts: Callable[[bytes], bool] | None = None,
        leaves_out: Callable[[bytes], bool] | None = None,
    ) -> None:
        self.files: dict[bytes, list[Row]] = {}
        self.is_full = False
        self._accepts = accepts
        self._leaves_out = leaves_out
        self._matches = 0
        self._chars = 0
        self._rest = b""
        self._long: _LongRow | None = None

    def feed(self, piece: bytes) -> bool:
        """Parse the next chunk of the output; returns False if no more is wanted."""
        if self._long is not None:
            piece = self._read_on(self._long, piece)
        data = self._rest + piece
        at = 0
        while not self.is_full and (found := _ROW.match(data, at)) is not None:
            name, number, column, text = found.groups()
            matches = column is not None and (self._accepts is None or self._accepts(text))
            self._add(name, Row(int(number), matches, _shown(text, _offset(column))))
            at = found.end()
        self._rest = data[at:]
        if len(self._rest) > _MAX_WHOLE_BYTES and (head := _HEAD.match(self._rest)) is not None:
            name, number, column = head.groups()
            self._long = _LongRow(name, int(number), _offset(column), matches=column is not None)
            self._long.add(self._rest[head.end() :])
            self._rest = b""
        return not self.is_full

    def _read_on(self, row: "_LongRow", piece: bytes) -> bytes:
        """Continue a row from an earlier chunk; returns the data after it."""
        text, end, rest = piece.partition(b"\n")
        row.add(text)
        if end:
            self._long = None
            self._add(row.name, Row(row.number, row.matches, row.shown()))
        return rest

    def _add(self, name: bytes, row: Row) -> None:
        if self._leaves_out is not None and self._leaves_out(name):
            return
        self.files.setdefault(name, []).append(row)
        self._matches += row.matches
        self._chars += len(row.text)
        self.is_full = self._matches > MAX_MATCHES or self._chars > MAX_CHARS


class _LongRow:
    """A row of which only the part around its match is buffered."""

    def __init__(self, name: bytes, number: int, offset: int, *, matches: bool) -> None:
        self.name = name
        self.number = number
        self.matches = matches
        lead = _MAX_BYTES_A_CHAR * (_CHARS_BEFORE + 1)
        self._from = max(0, offset - lead)
        self._offset = offset - self._from
        self._capacity = _MAX_BYTES_A_CHAR * (MAX_LINE_CHARS + 1) + lead
        self._passed = 0
        self._buffer = bytearray()

    def add(self, text: bytes) -> None:
        """Add the next part of the line."""
        begin = max(0, self._from - self._passed)
        self._buffer += text[begin : begin + self._capacity - len(self._buffer)]
        self._passed += len(text)

    def shown(self) -> str:
        """Return the displayed part."""
        return _shown(bytes(self._buffer), self._offset, is_start=self._from == 0)


def _offset(column: bytes | None) -> int:
    return 0 if column is None else int(column) - 1


def _shown(text: bytes, offset: int, *, is_start: bool = True) -> str:
    """Decode a line, or the part of it around the match at a byte offset."""
    line = text.decode("utf-8", "replace").removesuffix("\r")
    if is_start and len(line) <= MAX_LINE_CHARS:
        return line
    before = len(text[:offset].decode("utf-8", "replace"))
    if is_start and before <= MAX_LINE_CHARS - _CHARS_BEFORE:
        return line[:MAX_LINE_CHARS]
    start = max(0, before - _CHARS_BEFORE)
    return f"…{line[start : start + MAX_LINE_CHARS - 1]}"


_CHUNK_BYTES: Final = 1024 * 1024


class Line(TypedDict):
    """A line and its number, counted from 1."""

    line_num: int
    line: str


class Match(Line):
    """A matching line; its context ends at the next match.

    Attributes:
        cell: number of the notebook's cell, from 1, in whose source the line is; `line` and the
            context are lines of that source then, and `line_num` is the line of the file.
        cell_line: the line's number in that source, from 1.
        text_line: the line's number in the text that `get_notebook_text` returns.
    """

    context_before: list[Line]
    context_after: list[Line]
    cell: NotRequired[int]
    cell_line: NotRequired[int]
    text_line: NotRequired[int]


class FileMatches(TypedDict):
    """The matches in one file.

    Attributes:
        file: its path.
        truncated: true on the last file if there are further matches.
        skipped: why the file was not searched; it has no matches then.
        elsewhere: of a notebook, how many further lines of the file match, in outputs and metadata.
    """

    file: str
    matches: list[Match]
    truncated: NotRequired[bool]
    skipped: NotRequired[str]
    elsewhere: NotRequired[int]


def merge(root: Path, outputs: Sequence[SearchRows], context: int) -> list[FileMatches]:
    """Merge the results of several commands, up to `MAX_MATCHES`.

    Args:
        root: the top folder.
        outputs: if two contain the same file the first takes precedence.
        context: number of lines before and after a match.
    """
    rows: dict[bytes, list[Row]] = {}
    for found in outputs:
        rows = found.files | rows
    full = [found for found in outputs if found.is_full and found.files]
    # After the position where one stopped, results of the others alone would have gaps.
    last = min((max(found.files) for found in full), default=None)
    truncated = bool(full)
    files: list[FileMatches] = []
    left = MAX_MATCHES
    behind = {"": False}
    for name in sorted(rows):
        if last is not None and name > last:
            break
        path = name.decode("utf-8", "surrogateescape")
        if _is_behind_link(root, path.rpartition("/")[0], behind):
            continue
        matches = _matches(_without_phantom(root, path, rows[name]), max(0, context))
        if len(matches) > left:
            matches, truncated = matches[:left], True
        left -= len(matches)
        if matches:
            files.append(FileMatches(file=path, matches=matches))
    if truncated and files:
        files[-1]["truncated"] = True
    return files


def _is_behind_link(root: Path, folder: str, known: dict[str, bool]) -> bool:
    """Return whether a tracked folder was replaced by a link, which git follows."""
    unknown = []
    while (found := known.get(folder)) is None:
        unknown.append(folder)
        folder = folder.rpartition("/")[0]
    # A loop, outermost folder first: recursion would fail for thousands of nested folders.
    for each in reversed(unknown):
        found = known[each] = found or is_link(root / each)
    return found


def _without_phantom(root: Path, path: str, rows: list[Row]) -> list[Row]:
    """Remove the empty line that git matches after the last one, for example for `^$`."""
    last = rows[-1]
    if not last.matches or last.text or _has_line(root, path, last.number):
        return rows
    return rows[:-1]


def _has_line(root: Path, path: str, number: int) -> bool:
    lines = 0
    end = b"\n"
    try:
        with os.fdopen(open_unlinked(os.fspath(root), path), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return True
            while lines < number and (chunk := file.read(_CHUNK_BYTES)):
                lines += chunk.count(b"\n")
                end = chunk[-1:]
    except OSError:
        return True
    return lines + (end != b"\n") >= number


def _matches(rows: list[Row], context: int) -> list[Match]:
    return [
        Match(
            line_num=row.number,
            line=row.text,
            context_before=_around(rows, at, -1, context)[::-1],
            context_after=_around(rows, at, 1, context),
        )
        for at, row in enumerate(rows)
        if row.matches
    ]


def _around(rows: list[Row], at: int, step: int, context: int) -> list[Line]:
    """Return the context lines on one side of a match, nearest first."""
    found: list[Line] = []
    for distance in range(1, context + 1):
        near = at + step * distance
        if not 0 <= near < len(rows):
            break
        row = rows[near]
        if row.matches or row.number != rows[at].number + step * distance:
            break
        found.append(Line(line_num=row.number, line=row.text))
    return found
