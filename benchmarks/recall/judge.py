"""What a map names, read off its text: the same rule for every contestant."""

import json
import posixpath
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Final, NamedTuple

from jupyter_ac.ids import RepoPath

_WORD: Final = re.compile(r"\"(?:[^\"\\]|\\.)*\"|[^\s\"():]+")
_IDENTIFIER: Final = re.compile(r"[^\W\d]\w*")


class Named(NamedTuple):
    """What a map names.

    Attributes:
        files: by path.
        symbols: the words that stand behind each file's name, up to the next file's.
    """

    files: frozenset[RepoPath]
    symbols: Mapping[RepoPath, frozenset[str]]

    def recall(self, files: Collection[RepoPath]) -> float:
        """Return the share of files that are named."""
        return len(self.files.intersection(files)) / len(files)

    def symbol_recall(self, symbols: Collection[tuple[RepoPath, str]]) -> float:
        """Return the share of symbols that are named at their own file."""
        hits = sum(name in self.symbols.get(path, ()) for path, name in symbols)
        return hits / len(symbols)


def read(text: str, paths: Collection[RepoPath]) -> Named:
    """Read a map.

    A word that ends in `/` at the beginning of a line is a folder; a word that is the path of a
    file, alone or in the folder of the last such line, names it; words after it are its symbols.
    """
    known = frozenset(paths)
    symbols: dict[RepoPath, set[str]] = defaultdict(set)
    folder, file = "", None
    for line in text.splitlines():
        for at, word in enumerate(_words(line)):
            if at == 0 and line[0] != " " and word.endswith("/"):
                folder, file = word.removesuffix("/").removeprefix("."), None
                continue
            whole = next((p for p in (posixpath.join(folder, word), word) if p in known), None)
            if whole is not None:
                file = RepoPath(whole)
                symbols[file].update(())
            elif file is not None:
                symbols[file].update(_IDENTIFIER.findall(word))
    return Named(frozenset(symbols), {path: frozenset(found) for path, found in symbols.items()})


def _words(line: str) -> Iterable[str]:
    for word in _WORD.findall(line):
        yield json.loads(word) if word.startswith('"') and word.endswith('"') else word
