"""Snapshots of a whole index on disk, for a fast start.

A snapshot is stored beside the cache, for one working tree. It can be lost at any time: the index
is then rebuilt from the cache. The code that wrote it reads it, and unpickles only types of an
index.

First come the records of all files, which stay on disk and are read from there one by one; then the
parts of the index, pickled one by one; then their offsets, and a checksum of all.
"""

import hashlib
import logging
import os
import pickle
import sys
import tempfile
import time
import zlib
from collections.abc import Generator, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from struct import Struct
from typing import BinaryIO, Final

from jupyter_ac.index.cache_version import source_name
from jupyter_ac.index.graph.state_dump import dumped, restored
from jupyter_ac.index.indexing.ingest import IngestTarget

MAX_BYTES: Final = 2 << 30
"""All snapshots together; those that were used least recently go."""

UNUSED_DAYS: Final = 30

_END: Final = ".snapshot"
_SOURCES: Final = ("graph/*.py", "project/*.py", "languages/*.py", "indexing/*.py")
_OURS: Final = ("jupyter_ac.index.graph.", "jupyter_ac.index.indexing.")
_OTHERS: Final = frozenset(
    {
        ("array", "array"),
        ("array", "_array_reconstructor"),
        ("builtins", "list"),
        ("builtins", "dict"),
    }
)
_FOOT: Final = Struct("=QI")
"""The offset of the parts; the checksum of all bytes before this footer."""

_READ: Final = os.O_RDONLY | os.O_CLOEXEC
_BUFFER_BYTES: Final = 1 << 20
_PIECES: Final = 256
_SEEN: Final = 1024
_DAY_S: Final = 86_400

# What is raised for bytes that nobody has written.
_UNREADABLE: Final = (
    *(OSError, EOFError, ValueError, TypeError, LookupError, AttributeError, ImportError),
    *(pickle.UnpicklingError, MemoryError, RecursionError, OverflowError, StopIteration),
)
_UNWRITABLE: Final = (pickle.PicklingError, MemoryError, RecursionError, TypeError)

_logger = logging.getLogger(__name__)


class Snapshots:
    """The snapshot of one working tree.

    Args:
        cache: file of the cache, beside which it is.
        root: top of the working tree.
    """

    def __init__(self, cache: Path, root: str) -> None:
        tree = hashlib.sha256(os.fsencode(root)).hexdigest()[:16]
        code = hashlib.sha256(f"{sys.version} {source_name(_SOURCES)}".encode()).hexdigest()[:8]
        self.path = cache.with_name(f"{cache.stem}-{tree}-{code}{_END}")

    def load(self) -> IngestTarget | None:
        """Return the index as it was saved; None when there is none that can be used."""
        try:
            with self.path.open("rb") as file:
                file.seek(_require_whole(file))
                found = _read_index(file, self.path.parent)
        except FileNotFoundError:
            return None
        except _UNREADABLE as error:
            _logger.warning("%s isn't used: %s", self.path.name, error)
            self._remove(self.path)
            return None
        with suppress(OSError):
            self.path.touch()
        return found

    def save(self, index: IngestTarget) -> None:
        """Keep the index as it is; another process sees the old one or this one."""
        for _ in self.saving(index):
            pass

    def saving(self, index: IngestTarget) -> Generator[None, None, None]:
        """Do the same in steps; the index mustn't change meanwhile. To be closed when it does."""
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor, name = tempfile.mkstemp(_END, "index-draft-", self.path.parent)
        except OSError as error:
            _logger.warning("no snapshot is kept: %s", error)
            return
        try:
            with os.fdopen(descriptor, "wb", _BUFFER_BYTES) as file:
                yield from _write_index(_Summing(file), index)
            self._take(Path(name), index)
        except (OSError, *_UNWRITABLE) as error:
            _logger.warning("no snapshot is kept: %s", error)
        finally:
            self._remove(Path(name))

    def _take(self, draft: Path, index: IngestTarget) -> None:
        """Make a draft the snapshot, and have the index read its records there."""
        archive = index.state.graph.tables.store.archive
        archive.move(os.open(draft, _READ), archive.sizes)
        draft.rename(self.path)

    def tidy(self) -> None:
        """Remove what nobody has used for long, and what is too much."""
        size = 0
        oldest = time.time() - UNUSED_DAYS * _DAY_S
        for modified, bytes_, path in sorted(self._all(), reverse=True):
            size += bytes_
            if modified < oldest or (size > MAX_BYTES and path != self.path):
                self._remove(path)

    def _all(self) -> Iterator[tuple[float, int, Path]]:
        for path in self.path.parent.glob(f"index-*{_END}"):
            with suppress(OSError):
                found = path.stat()
                yield found.st_mtime, found.st_size, path

    @staticmethod
    def _remove(path: Path) -> None:
        with suppress(OSError):
            path.unlink()


class _Unpickler(pickle.Unpickler):
    """Makes parts of an index and nothing else."""

    def find_class(self, module: str, name: str) -> object:
        """Return a class of ours, or one of the plain ones that ours consist of.

        Raises:
            UnpicklingError: it is another.
        """
        if module.startswith(_OURS) or (module, name) in _OTHERS:
            found = super().find_class(module, name)
            if isinstance(found, type) or (module, name) in _OTHERS:
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no part of an index")


class _Summing:
    """A file being written, and the sum of what was."""

    def __init__(self, file: BinaryIO) -> None:
        self.sum = 0
        self.size = 0
        self._file = file

    def write(self, data: bytes) -> int:
        """Write a piece."""
        self.sum = zlib.crc32(data, self.sum)
        self.size += len(data)
        return self._file.write(data)


def _write_index(file: _Summing, index: IngestTarget) -> Iterator[None]:
    pieces = index.state.graph.tables.store.archive.pieces()
    while some := list(islice(pieces, _PIECES)):
        file.write(b"".join(some))
        yield
    start = file.size
    for part in dumped(index.state):
        file.write(pickle.dumps(part, protocol=5))
        yield
    seen = iter(index.seen.items())
    while rows := dict(islice(seen, _SEEN)):
        file.write(pickle.dumps(rows, protocol=5))
        yield
    file.write(pickle.dumps(None))
    file.write(_FOOT.pack(start, file.sum))


def _read_index(file: BinaryIO, folder: Path) -> IngestTarget:
    parts = _parts(file)
    state = restored(parts, os.dup(file.fileno()), folder)
    index = IngestTarget(state, {})
    for rows in parts:
        if not isinstance(rows, dict):
            break
        index.seen.update(rows)
    return index


def _parts(file: BinaryIO) -> Iterator[object]:
    while True:
        yield _Unpickler(file).load()


def _require_whole(file: BinaryIO) -> int:
    """See that a file ends with the sum of what stands before; return where the parts begin.

    Raises:
        ValueError: it doesn't.
    """
    left = os.fstat(file.fileno()).st_size - _FOOT.size
    found = 0
    while left > 0:
        data = file.read(min(left, _BUFFER_BYTES))
        if not data:
            break
        found = zlib.crc32(data, found)
        left -= len(data)
    foot = file.read()
    if left or len(foot) != _FOOT.size:
        raise ValueError("it is damaged")
    start, expected = _FOOT.unpack(foot)
    if found != expected:
        raise ValueError("it is damaged")
    return int(start)
