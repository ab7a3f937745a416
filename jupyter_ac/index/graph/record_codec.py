"""Serializes a record and its facts to bytes, for pipes and the cache.

First comes the digest, from which the facts are restored without any work on names; then the
compressed record. Both depend on the content only, not on the path. The machine that wrote them
reads them, so numbers are in native byte order.
"""

import zlib
from array import array
from struct import Struct
from typing import Final

import orjson

from jupyter_ac.index.encoding import decode, encode
from jupyter_ac.index.graph.extract_facts import gather
from jupyter_ac.index.graph.facts import Base, Facts
from jupyter_ac.index.graph.importing import depends_on_place
from jupyter_ac.index.records import FileRecord, Manifest

_SIZES: Final = Struct("=7I")
"""Bytes of the digest; how many symbols, uses, keys; bytes of the imports and the rest; a flag."""

_LEVEL: Final = 1
"""Of compression; higher ones cost more than they save."""


def seal(record: FileRecord) -> bytes:
    """Write a record and its facts."""
    facts, keys = gather(record)
    bases = [(at, *base) for at, row in facts.bases.items() for base in row]
    rest = orjson.dumps((facts.family, record.note, bases, record.manifest))
    parts = (
        facts.names.tobytes(),
        array("Q", keys).tobytes(),
        facts.uses.tobytes(),
        facts.before.tobytes(),
        facts.parents.tobytes(),
        facts.around.tobytes(),
        facts.counts.tobytes(),
        facts.kinds,
        facts.imports,
        rest,
    )
    size = _SIZES.size + sum(map(len, parts))
    counts = len(facts.names), len(facts.uses), len(keys)
    is_placed = any(map(depends_on_place, record.imports))
    sizes = _SIZES.pack(size, *counts, len(facts.imports), len(rest), is_placed)
    return b"".join((sizes, *parts, zlib.compress(encode(record), _LEVEL)))


def record_in(sealed: bytes) -> FileRecord:
    """Return a record that was sealed.

    Raises:
        ValueError: nobody has sealed these bytes.
    """
    return decode(zlib.decompress(sealed[Digest(sealed).size :]))


def is_sealed(data: bytes) -> bool:
    """Tell whether bytes are a sealed record."""
    try:
        Digest(data)
    except ValueError:
        return False
    return True


class Digest:
    """The header of a record in its serialized bytes.

    Attributes:
        size: in bytes.
        is_placed: whether there are imports that are relative to the file.

    Args:
        data: the serialized bytes, or their beginning.

    Raises:
        ValueError: the bytes are not a serialized record.
    """

    def __init__(self, data: bytes) -> None:
        if len(data) < _SIZES.size:
            raise ValueError("These bytes are no sealed record.")
        self.size, *numbers, rest, is_placed = _SIZES.unpack_from(data)
        self._symbols, self._uses, self._keys, self._imports = numbers
        self.is_placed = bool(is_placed)
        self._names_end = _SIZES.size + 8 * self._symbols
        self._keys_end = self._names_end + 8 * self._keys
        self._rest_at = self.size - rest
        length = self._keys_end + 5 * self._symbols + 24 * self._uses + self._imports
        if self._rest_at != length or self.size > len(data):
            raise ValueError("These bytes are no sealed record.")
        self._data = data

    @property
    def names(self) -> "array[int]":
        """Keys of the names of the symbols."""
        return array("Q", self._data[_SIZES.size : self._names_end])

    @property
    def keys(self) -> "array[int]":
        """Keys under which the file can be found, wherever it is."""
        return array("Q", self._data[self._names_end : self._keys_end])

    @property
    def imports(self) -> bytes:
        """The imports, as the facts have them."""
        return self._data[self._rest_at - self._imports : self._rest_at]

    @property
    def note(self) -> str:
        """The note of the record."""
        return str(orjson.loads(self._data[self._rest_at : self.size])[1])

    @property
    def manifest(self) -> Manifest:
        """The manifest of the record."""
        rows = orjson.loads(self._data[self._rest_at : self.size])[3]
        return tuple(tuple(row) for row in rows)

    def facts(self, path: str) -> Facts:
        """Return the facts of a file."""
        family, _, bases, _ = orjson.loads(self._data[self._rest_at : self.size])
        facts, data, uses = Facts(path, family), self._data, 8 * self._uses
        facts.names = self.names
        at = self._keys_end
        facts.uses = array("Q", data[at : (at := at + uses)])
        facts.before = array("Q", data[at : (at := at + uses)])
        facts.parents = array("i", data[at : (at := at + 4 * self._symbols)])
        facts.around = array("i", data[at : (at := at + uses // 2)])
        facts.counts = array("I", data[at : (at := at + uses // 2)])
        facts.kinds = data[at : at + self._symbols]
        facts.imports = self.imports
        for symbol, name, before in bases:
            facts.bases[symbol] = (*facts.bases.get(symbol, ()), Base(name, before))
        return facts
