"""Splits a byte stream from a pipe into lines."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_START_BYTES: Final = 128


@dataclass(frozen=True, slots=True)
class Oversize:
    """A line that was too long to keep.

    Attributes:
        start: its first bytes.
    """

    start: bytes


class LineSplitter:
    """Splits a stream of bytes into lines, without their ends; blank lines are left out.

    Args:
        max_bytes: a longer line is dropped, and reported at its end.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._parts: list[bytes] = []
        self._size = 0
        self._dropped: bytes | None = None

    def feed(self, data: bytes) -> Iterator[bytes | Oversize]:
        """Take what came and give the lines that it completes; to be read to the end."""
        *ended, rest = data.split(b"\n")
        for part in ended:
            self._add(part)
            line = self._take()
            if isinstance(line, Oversize) or (line and not line.isspace()):
                yield line
        self._add(rest)

    def rest(self) -> bytes | Oversize | None:
        """Give what came after the last line's end; None when that is nothing."""
        line = self._take()
        return line if isinstance(line, Oversize) or line.strip() else None

    def _add(self, part: bytes) -> None:
        self._size += len(part)
        if self._dropped is None and part:
            self._parts.append(part)
            if self._size > self._max_bytes:
                self._dropped = b"".join(self._parts)[:_START_BYTES]
                self._parts = []

    def _take(self) -> bytes | Oversize:
        parts, dropped = self._parts, self._dropped
        self._parts, self._dropped, self._size = [], None, 0
        if dropped is not None:
            return Oversize(dropped)
        return parts[0] if len(parts) == 1 else b"".join(parts)
