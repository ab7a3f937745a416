"""Incremental parser for the output of `git grep`.

Each line of the output is `name NUL number NUL text LF`; a match has `column NUL` before its text,
which alone distinguishes it from context. A name may contain line ends, so the output can't be
split into lines first, and a text may be larger than memory, so it is never held completely.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

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
