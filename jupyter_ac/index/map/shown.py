"""Reads off the maps in a prompt which files and names they show.

The texts are the only record of what was sent, so nothing else can disagree with them. A name
counts as shown where it stands in its file and its classes: bare, or with its present signature. A
function that was only shown with another signature isn't shown as it is now.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.naming import Name
from jupyter_ac.index.map.text import plain_or_quoted
from jupyter_ac.index.quoting import on_one_line
from jupyter_ac.index.records import NOBODY

_QUOTED: Final = r"\"(?:[^\"\\]|\\.?)*+\"?"
_FILE: Final = re.compile(rf"{_QUOTED}|[^ \"():]+")
_WORD: Final = re.compile(rf"{_QUOTED}|[^ \"()]+|.")
_LEFT_OUT: Final = re.compile(r"\+\d+")
_RESULT: Final = "->"
_ENDS: Final = frozenset({"", " ", "(", ")"})
_UNKNOWN: Final = -2
"""Stands for what is no name of the file as it is now."""


class ShownMaps:
    """The files and names that maps show.

    Args:
        texts: in the form of `text.map_text`; other lines around the maps say nothing.
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._rows: dict[RepoPath, list[str]] = {}
        for text in texts:
            self._read(text)

    @property
    def paths(self) -> Collection[RepoPath]:
        """The files that are shown, with names or without."""
        return self._rows.keys()

    def names(self, path: RepoPath, names: Sequence[Name]) -> frozenset[int]:
        """Return which of a file's names are shown, by their numbers.

        Args:
            path: of the file.
            names: all that it has now.
        """
        rows = self._rows.get(path, ())
        if not rows:
            return frozenset()
        reading = _Reading(names)
        return frozenset(at for row in rows for at in reading.shown(row))

    def _read(self, text: str) -> None:
        folder: str | None = None
        for line in text.split("\n"):
            words = _FILE.findall(line)
            first = _FILE.match(line)
            if first is not None:
                folder = _folder(line, first)
                for name in words[1:] if folder is not None else ():
                    if not _LEFT_OUT.fullmatch(name) and name != "/":
                        self._rows.setdefault(_path(folder or "", name), [])
            elif folder is not None and line.startswith(" ") and words:
                _, _, row = line[1 + len(words[0]) :].partition(": ")
                self._rows.setdefault(_path(folder, words[0]), []).append(row)


def _folder(line: str, first: re.Match[str]) -> str | None:
    """Return the folder whose line this is; None for a line of another kind."""
    if first[0].startswith('"'):
        return _plain(first[0]) if line.startswith("/", first.end()) else None
    return first[0].removesuffix("/") if first[0].endswith("/") else None


def _path(folder: str, name: str) -> RepoPath:
    return RepoPath(f"{folder}/{_plain(name)}" if folder not in {"", "."} else _plain(name))


def _plain(word: str) -> str:
    """Undo what `plain_or_quoted` has done; a word that it can't have written stays."""
    if not word.startswith('"'):
        return word
    try:
        return str(json.loads(word))
    except ValueError:
        return word


class _Reading:
    """Finds the names of one file in the text that stands behind it in a map.

    Args:
        names: all that it has now.
    """

    def __init__(self, names: Sequence[Name]) -> None:
        self._names = names
        self._inside: dict[int, dict[str, int]] = {}
        for at, name in enumerate(names):
            self._inside.setdefault(name.parent, {})[plain_or_quoted(name.text)] = at

    def shown(self, row: str) -> Iterator[int]:
        """Yield the numbers of the names that stand there."""
        around, last, place = [NOBODY], _UNKNOWN, 0
        while place < len(row):
            word = _WORD.match(row, place)
            text = word[0] if word is not None else row[place]
            if text == "(":
                around.append(last)
            elif text == ")":
                last = around.pop() if len(around) > 1 else _UNKNOWN
            elif text != " ":
                text, last = self._find(text, around[-1])
                end = place + len(text)
                signature = self._signature(row, end, last)
                if last != _UNKNOWN and (signature or self._is_bare(row, end, last)):
                    yield last
                text += signature
            place += len(text)

    def _find(self, word: str, around: int) -> tuple[str, int]:
        """Return the part of a word that is a name, and its number."""
        inside = self._inside.get(around, {})
        name = word if word in inside else word.partition(_RESULT)[0] or word
        return name, inside.get(name, _UNKNOWN)

    def _signature(self, row: str, end: int, at: int) -> str:
        """Return the name's present signature where it follows; "" otherwise."""
        text = on_one_line(self._names[at].signature) if at != _UNKNOWN else ""
        follows = bool(text) and row.startswith(text, end)
        return text if follows and row[end + len(text) :][:1] in _ENDS else ""

    def _is_bare(self, row: str, end: int, at: int) -> bool:
        """Say whether a name has no signature; a bracket behind it holds its members then."""
        following = row[end : end + 1]
        return following in {"", " ", ")"} or (following == "(" and at in self._inside)
