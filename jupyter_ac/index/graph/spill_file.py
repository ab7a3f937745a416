"""Stores byte strings by number in an unlinked temporary file, to keep them out of memory."""

import logging
import os
import tempfile
from array import array
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

_logger = logging.getLogger(__name__)

_NONE: Final = -1
"""No file."""

_TAIL_BYTES: Final = 1 << 18
"""The newest data is buffered in memory up to this size."""


class SpillFile:
    """Pieces of bytes by the numbers of files.

    What is replaced or dropped stays in the file until the archive is moved into another.

    Args:
        folder: where the file is; without it, or when it can't be written, all stays in memory.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._starts = array("Q")
        self._sizes = array("I")
        self._base = _NONE
        self._base_size = 0
        self._file = _NONE
        self._file_size = 0
        self._tail = bytearray()

    def __del__(self) -> None:
        self.close()

    @property
    def sizes(self) -> "array[int]":
        """Bytes of each piece; 0 for none."""
        return self._sizes

    def put(self, number: int, data: bytes) -> None:
        """Add or replace a piece; an empty one is none."""
        while number >= len(self._sizes):
            self._starts.append(0)
            self._sizes.append(0)
        self._starts[number] = self._base_size + self._file_size + len(self._tail)
        self._sizes[number] = len(data)
        self._tail += data
        if len(self._tail) > _TAIL_BYTES and self._folder is not None:
            self._flush(self._folder)

    def read(self, number: int, start: int = 0, end: int | None = None) -> bytes:
        """Return a piece, or a part of it; b"" when there is none.

        Raises:
            OSError: the file can't be read.
        """
        size = self._sizes[number] if number < len(self._sizes) else 0
        size = (size if end is None else min(end, size)) - start
        if size <= 0:
            return b""
        at = self._starts[number] + start
        if at < self._base_size:
            return _read(self._base, at, size)
        at -= self._base_size
        if at < self._file_size:
            return _read(self._file, at, size)
        at -= self._file_size
        return bytes(self._tail[at : at + size])

    def pieces(self) -> Iterator[bytes]:
        """Yield all pieces in the order of their numbers."""
        for number in range(len(self._sizes)):
            yield self.read(number)

    def move(self, base: int, sizes: "array[int]") -> None:
        """Read from another file that holds all pieces one after the other, from its beginning.

        Args:
            base: descriptor of the file; it is closed with the archive.
            sizes: bytes of each piece; 0 for none.
        """
        self._sizes = sizes
        self._starts = array("Q")
        at = 0
        for size in sizes:
            self._starts.append(at)
            at += size
        self.close()
        self._base, self._base_size = base, at

    def close(self) -> None:
        """Close the files; nothing can be read any more."""
        for descriptor in (self._base, self._file):
            if descriptor != _NONE:
                os.close(descriptor)
        self._base = self._file = _NONE
        self._base_size = self._file_size = 0
        self._tail = bytearray()

    def _flush(self, folder: Path) -> None:
        try:
            if self._file == _NONE:
                self._file = _nameless(folder)
            os.pwrite(self._file, self._tail, self._file_size)
        except OSError as error:
            _logger.warning("the records stay in memory: %s", error)
            self._folder = None
            return
        self._file_size += len(self._tail)
        self._tail = bytearray()


def _nameless(folder: Path) -> int:
    """Open a new unlinked file, which disappears when its descriptor is closed."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(".records", "index-draft-", folder)
    with suppress(OSError):
        Path(name).unlink()
    return descriptor


def _read(descriptor: int, at: int, size: int) -> bytes:
    data = os.pread(descriptor, size, at)
    if len(data) != size:
        raise OSError("a part of the records is missing")
    return data
