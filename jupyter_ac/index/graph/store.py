"""Stores each file's content hash and its compressed record, and hashes the whole tree."""

import hashlib
import zlib
from array import array
from collections import OrderedDict
from pathlib import Path
from typing import Final

from jupyter_ac.index.encoding import decode
from jupyter_ac.index.graph.record_codec import Digest
from jupyter_ac.index.graph.spill_file import SpillFile
from jupyter_ac.index.records import FileRecord

_RECORDS_KEPT: Final = 512
_RING: Final = 1 << 256


class Store:
    """Content hashes and compressed records by file number, and a hash of the whole tree.

    Attributes:
        archive: the sealed records.
        blobs: names of the contents; None for a number without a file.
        digests: bytes of the digests; 0 for a file without a record.

    Args:
        folder: of the file that stores the records; None: they are in memory.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.archive = SpillFile(folder)
        self.blobs: list[str | None] = []
        self.digests = array("I")
        self._sum = 0
        self._decoded: OrderedDict[int, FileRecord] = OrderedDict()

    @property
    def generation(self) -> str:
        """A sum over the files: it doesn't matter in which order they came."""
        return f"{self._sum:064x}"[:32]

    def put(self, slot: int, path: str, blob: str, sealed: bytes, digest: Digest | None) -> None:
        """Add or replace a file.

        Args:
            slot: number of the file.
            path: of the file.
            blob: names its content.
            sealed: its record; b"" for none.
            digest: the digest in front of that.
        """
        if slot == len(self.blobs):
            self.blobs.append(None)
            self.digests.append(0)
        self.remove(slot, path)
        self.add(slot, path, blob, digest.size if digest else 0)
        self.archive.put(slot, sealed)

    def add(self, slot: int, path: str, blob: str, digest_bytes: int) -> None:
        """Add a file whose record is in the archive."""
        self.blobs[slot] = blob
        self.digests[slot] = digest_bytes
        self._sum = (self._sum + _mark(path, blob)) % _RING

    def remove(self, slot: int, path: str) -> None:
        """Forget a file; one that isn't there is nothing."""
        blob = self.blobs[slot]
        if blob is not None:
            self._sum = (self._sum - _mark(path, blob)) % _RING
            self.blobs[slot] = None
            self.digests[slot] = 0
            self.archive.put(slot, b"")
            self._decoded.pop(slot, None)

    def digest(self, slot: int) -> Digest | None:
        """Return the digest of a file's record; None when it has none."""
        size = self.digests[slot] if slot < len(self.digests) else 0
        return Digest(self.archive.read(slot, 0, size)) if size else None

    def record(self, slot: int) -> FileRecord | None:
        """Return the record of a file; None when it has none."""
        found = self._decoded.get(slot)
        if found is not None:
            self._decoded.move_to_end(slot)
            return found
        found = self._read(slot, with_uses=True)
        if found is not None:
            self._decoded[slot] = found
            if len(self._decoded) > _RECORDS_KEPT:
                self._decoded.popitem(last=False)
        return found

    def record_without_uses(self, slot: int) -> FileRecord | None:
        """Return the record of a file without its uses; None when it has none."""
        return self._read(slot, with_uses=False)

    def _read(self, slot: int, *, with_uses: bool) -> FileRecord | None:
        size = self.digests[slot]
        if not size:
            return None
        return decode(zlib.decompress(self.archive.read(slot, size)), with_uses=with_uses)


def _mark(path: str, blob: str) -> int:
    text = f"{path}\0{blob}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(text).digest())
