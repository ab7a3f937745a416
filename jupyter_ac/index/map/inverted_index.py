"""An inverted index from words to files: four bytes for each word of each file."""

import posixpath
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum
from itertools import chain
from typing import Final

import orjson

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.naming import UNNAMED, core
from jupyter_ac.index.map.words import stems
from jupyter_ac.index.records import FileRecord

_BITS: Final = 6
_MOST: Final = (1 << _BITS) - 1
"""A word counts at most so often in a file."""


class Field(IntEnum):
    """The part of a file in which a word occurs."""

    PATH = 0
    DEFINED = 1
    USED = 2
    FOLDER = 3
    CORE = 4
    FILE = 5


class InvertedIndex:
    """The words of all files of a tree.

    A file has a number; a word has the numbers of its files, each with the count in its low bits.
    A file that changes gets a new number, and the old one means nothing from then on.
    """

    def __init__(self) -> None:
        self._paths: list[str] = []
        self._sizes: list[int] = []
        self._numbers: dict[str, int] = {}
        self._blobs: dict[str, str] = {}
        self._fields: list[dict[str, array[int]]] = [{} for _ in Field]

    def __len__(self) -> int:
        return len(self._numbers)

    def __contains__(self, path: str) -> bool:
        return path in self._numbers

    def __iter__(self) -> Iterator[RepoPath]:
        return map(RepoPath, self._numbers)

    @property
    def wasted(self) -> int:
        """How many numbers mean nothing any more."""
        return len(self._paths) - len(self._numbers)

    def blob(self, path: RepoPath) -> str | None:
        """Return what a file was put with; None for one that isn't there."""
        return self._blobs.get(path)

    def put(self, path: RepoPath, blob: str, record: FileRecord | None) -> None:
        """Add or replace a file."""
        self.remove(path)
        words = _words(path, record)
        number = len(self._paths)
        self._paths.append(path)
        self._sizes.append(words[Field.USED].total() + words[Field.PATH].total())
        self._numbers[path], self._blobs[path] = number, blob
        for field, counts in words.items():
            table = self._fields[field]
            for word, count in counts.items():
                entry = number << _BITS | min(count, _MOST)
                row = table.get(word)
                if row is None:
                    table[word] = array("I", (entry,))
                else:
                    row.append(entry)

    def remove(self, path: RepoPath) -> None:
        """Forget a file; an unknown one is nothing."""
        if self._numbers.pop(path, None) is not None:
            del self._blobs[path]

    def find(self, field: Field, word: str) -> dict[RepoPath, int]:
        """Return the files that have a word, each with how often."""
        paths, numbers = self._paths, self._numbers
        found: dict[RepoPath, int] = {}
        for entry in self._fields[field].get(word, ()):
            number = entry >> _BITS
            path = paths[number]
            if numbers.get(path) == number:
                found[RepoPath(path)] = entry & _MOST
        return found

    def count(self, field: Field, word: str) -> int:
        """Return about how many files have a word."""
        return len(self._fields[field].get(word, ()))

    def size(self, path: RepoPath) -> int:
        """Return how many words a file has."""
        return self._sizes[self._numbers[path]]

    @property
    def mean_size(self) -> float:
        """How many words a file has on average."""
        return sum(self._sizes) / max(len(self._sizes), 1)

    def dump(self) -> bytes:
        """Write all as bytes; `load` reads them."""
        rows = [[*table.items()] for table in self._fields]
        head = orjson.dumps(
            [
                list(map(_portable, self._paths)),
                self._sizes,
                [[_portable(path), number] for path, number in self._numbers.items()],
                [self._blobs[path] for path in self._numbers],
                [[[_portable(word), len(row)] for word, row in table] for table in rows],
            ]
        )
        entries = b"".join(row.tobytes() for table in rows for _, row in table)
        return len(head).to_bytes(8, "little") + head + entries

    def restore(self, data: bytes) -> None:
        """Become what `dump` wrote.

        Raises:
            ValueError: it is something else; nothing has changed then.
        """
        try:
            end = 8 + int.from_bytes(data[:8], "little")
            paths, sizes, numbers, blobs, tables = orjson.loads(data[8:end])
            entries = array("I", data[end:])
            fields = _tables(tables, entries)
            known = {_native(path): number for path, number in numbers}
            names = [_native(path) for path in paths]
            blobs = dict(zip(known, blobs, strict=True))
        except (TypeError, ValueError, AttributeError) as error:
            raise ValueError("these bytes are no inverted index") from error
        self._paths, self._sizes, self._numbers, self._fields = names, sizes, known, fields
        self._blobs = blobs


def _portable(text: str) -> str:
    """Spell a text, which may hold lone surrogates, for JSON."""
    return text.encode("utf-8", "surrogateescape").decode("latin-1")


def _native(text: str) -> str:
    return text if text.isascii() else text.encode("latin-1").decode("utf-8", "surrogateescape")


def _tables(
    tables: list[list[tuple[str, int]]], entries: "array[int]"
) -> "list[dict[str, array[int]]]":
    at = 0
    fields: list[dict[str, array[int]]] = []
    for table in tables:
        rows: dict[str, array[int]] = {}
        for word, length in table:
            rows[_native(word)] = entries[at : at + length]
            at += length
        fields.append(rows)
    if len(fields) != len(Field) or at != len(entries):
        raise ValueError("rows and entries differ")
    return fields


def _words(path: RepoPath, record: FileRecord | None) -> Mapping[Field, Counter[str]]:
    defined = (
        (symbol.name for symbol in record.symbols if symbol.kind not in UNNAMED) if record else ()
    )
    return {
        Field.PATH: Counter(stems(path)),
        Field.DEFINED: _counted(defined),
        Field.USED: _counted(record.words if record else ()),
        Field.FOLDER: Counter((posixpath.dirname(path),)),
        Field.CORE: Counter((core(path),)),
        Field.FILE: Counter((posixpath.basename(path).lower(),)),
    }


def _counted(names: Iterable[str]) -> Counter[str]:
    return Counter(chain.from_iterable(map(stems, names)))
