"""Files that are excluded: nothing of them is sent to a model, whoever asks.

The user excludes files and folders in the picker; a folder stands for all that is below it, now and
later. Code that puts text, names or symbols of files into a request asks `ReadExcluded` first.
"""

import re
import sys
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from jupyter_ac.errors import RefusedPath
from jupyter_ac.git.protected_paths import comparable_names
from jupyter_ac.ids import RepoPath

REASON: Final = "it is excluded; include it in the picker if it may be sent"

_TOKEN: Final = re.compile(r"[^\s\"'`<>()\[\]{},;:|*]+")
_OF_DIFFS: Final = ("a/", "b/")


@dataclass(frozen=True, slots=True)
class ExcludedPaths:
    """The excluded files and folders at one moment.

    Attributes:
        paths: relative to the repository.
        ignores_case: names that differ by their case only are taken for one file.
        since: for each path the number of the change that has excluded it; empty for 0.
        number: of the last change that has excluded something.
    """

    paths: tuple[RepoPath, ...] = ()
    ignores_case: bool = sys.platform == "darwin"
    since: tuple[int, ...] = field(default=(), repr=False, compare=False)
    number: int = field(default=0, compare=False)
    _keys: frozenset[str] = field(init=False, repr=False, compare=False)
    _with_blanks: tuple[str, ...] = field(init=False, repr=False, compare=False)
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_keys", frozenset(map(self._key, self.paths)))
        blanks = (path for path in self.paths if _TOKEN.fullmatch(path) is None)
        object.__setattr__(self, "_with_blanks", tuple(blanks))
        object.__setattr__(self, "_hash", hash(self.paths))

    def __hash__(self) -> int:
        return self._hash

    def covers(self, *names: str) -> bool:
        """Whether one of a file's names is excluded, or lies in an excluded folder."""
        return bool(self._keys) and any(map(self._covers, names))

    def new_since(self, known: Collection[RepoPath], number: int) -> tuple[RepoPath, ...]:
        """Return the paths that weren't excluded at a moment, or weren't at any time since.

        Args:
            known: those that were.
            number: of the last change then.
        """
        since = self.since or (0,) * len(self.paths)
        pairs = zip(self.paths, since, strict=True)
        return tuple(path for path, at in pairs if path not in known or at > number)

    def sent(self, paths: Iterable[RepoPath]) -> list[RepoPath]:
        """Return the paths that aren't excluded, in order."""
        return [path for path in paths if not self.covers(path)]

    def require_sent(self, *names: str) -> None:
        """Refuse a file that is excluded.

        Args:
            *names: all that are known of it, the one to be shown first.

        Raises:
            RefusedPath: it is.
        """
        if self.covers(*names):
            raise RefusedPath(f"{names[0]!r} is not sent: {REASON}.")

    def mentioned_in(self, text: str, *, from_any_folder: bool = False) -> list[RepoPath]:
        """Return the names of excluded files, and of what is below them, that a text has.

        Args:
            text: with names of files.
            from_any_folder: the names may begin at a folder above the repository.
        """
        if not self._keys:
            return []
        found = {path: None for path in self._with_blanks if path in text}
        for token in dict.fromkeys(_TOKEN.findall(text)):
            bare = token.rstrip(".!?/")
            if from_any_folder:
                names = list(_ends(bare))
            else:
                names = [bare, bare[2:]] if bare.startswith(_OF_DIFFS) else [bare]
            found.update({name: None for name in names if self._covers(name)})
        return [RepoPath(path) for path in found]

    def may_be_named_in(self, text: str) -> bool:
        """Whether a text has the last part of an excluded name; a map has folders on other lines.

        Another file may have the same last part.
        """
        if not self._keys:
            return False
        ends = {key.rpartition("/")[2] for key in self._keys}
        tokens = {self._key(token.rstrip("/")) for token in _TOKEN.findall(text)}
        blanks = (path.rpartition("/")[2] for path in self._with_blanks)
        return (
            not ends.isdisjoint(token.rpartition("/")[2] for token in tokens)
            or any(map(self._covers, tokens))
            or any(end in text for end in blanks)
        )

    def _covers(self, name: str) -> bool:
        key = self._key(name)
        while key:
            if key in self._keys:
                return True
            key = key.rpartition("/")[0]
        return False

    def _key(self, name: str) -> str:
        return "/".join(comparable_names(name)) if self.ignores_case else name


def _ends(name: str) -> Iterator[str]:
    """Return a name, and what is left of it below each of its folders."""
    while name:
        yield name
        name = name.partition("/")[2]


NONE_EXCLUDED: Final = ExcludedPaths()

ReadExcluded: TypeAlias = Callable[[], Awaitable[ExcludedPaths]]
"""Returns what is excluded now; raises `AcError` when that can't be known."""
