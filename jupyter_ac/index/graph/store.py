"""The records of files as compressed bytes, the last read ones decoded."""

import hashlib
import zlib
from collections import OrderedDict
from typing import Final

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.encoding import decode
from jupyter_ac.index.records import FileRecord

_KEPT: Final = 512
_RING: Final = 1 << 256


def pack(encoded: bytes) -> bytes:
    """Compress the bytes of a record; empty ones stay so."""
    return zlib.compress(encoded, 1) if encoded else b""


class Stored:
    """A file's content by name, and its record, packed."""

    __slots__ = ("blob", "data")

    def __init__(self, blob: str, data: bytes) -> None:
        self.blob = blob
        self.data = data

    def encoded(self) -> bytes:
        """Return the bytes of the record; empty for a file in no known language."""
        return zlib.decompress(self.data) if self.data else b""


class Store:
    """Records by path, and a name for all of them together. Pickled without the decoded ones."""

    def __init__(self) -> None:
        self._files: dict[RepoPath, Stored] = {}
        self._decoded: OrderedDict[RepoPath, FileRecord] = OrderedDict()
        self._sum = 0

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_decoded": OrderedDict()}

    @property
    def generation(self) -> str:
        """A sum over the files: it doesn't matter in which order they came."""
        return f"{self._sum:064x}"[:32]

    def get(self, path: RepoPath) -> Stored | None:
        """Return what is stored of a file."""
        return self._files.get(path)

    def put(self, path: RepoPath, stored: Stored) -> None:
        """Add or replace a file."""
        self.remove(path)
        self._files[path] = stored
        self._sum = (self._sum + _mark(path, stored.blob)) % _RING

    def remove(self, path: RepoPath) -> None:
        """Forget a file."""
        stored = self._files.pop(path, None)
        if stored:
            self._decoded.pop(path, None)
            self._sum = (self._sum - _mark(path, stored.blob)) % _RING

    def record(self, path: RepoPath) -> FileRecord | None:
        """Return what a file says of itself."""
        found = self._decoded.get(path)
        if found is not None:
            self._decoded.move_to_end(path)
            return found
        stored = self._files.get(path)
        if stored is None or not stored.data:
            return None
        found = self._decoded[path] = decode(stored.encoded())
        if len(self._decoded) > _KEPT:
            self._decoded.popitem(last=False)
        return found


def _mark(path: str, blob: str) -> int:
    text = f"{path}\0{blob}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(text).digest())
