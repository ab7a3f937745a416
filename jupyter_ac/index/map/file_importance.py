"""Ranks files by in-degree and keeps the ranking up to date with the index."""

from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from typing import TypeAlias

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.naming import is_test
from jupyter_ac.index.view import IndexView

Level: TypeAlias = int
"""How much a file matters, in few steps: one reference more rarely moves anything."""


class FileImportance:
    """Follows an index; a change costs what it touches, not a pass over all files."""

    def __init__(self) -> None:
        self._view: IndexView | None = None
        self._version = 0
        self._levels: dict[RepoPath, Level] = {}
        self._ranks: dict[Level, list[RepoPath]] = {}
        self._below: Counter[str] = Counter()

    def follow(self, view: IndexView) -> None:
        """Take over what has changed."""
        version = view.version
        changed = view.changed_since(self._version) if view is self._view else None
        if changed is None:
            self._take_all(view)
        elif changed:
            paths = view.paths()
            for path in sorted(changed):
                at = bisect_left(paths, path)
                is_there = at < len(paths) and paths[at] == path
                self._move(path, level_of(path, view.fame(path)) if is_there else None)
        self._view, self._version = view, version

    def first(
        self, most: int, without: Collection[RepoPath] = ()
    ) -> Iterator[tuple[RepoPath, Level]]:
        """Yield the files that matter most, equal ones by their path.

        Args:
            most: so many of them.
            without: files that aren't among them.
        """
        ranks = sorted(self._ranks.items(), reverse=True)
        found = ((path, level) for level, paths in ranks for path in paths if path not in without)
        return islice(found, most)

    def left_out(
        self, shown: Collection[RepoPath], without: Collection[RepoPath] = ()
    ) -> Mapping[str, int]:
        """Return how many files aren't shown, by the nearest folder above them that is.

        Args:
            shown: some of the files.
            without: files that aren't counted.
        """
        below = Counter(self._below)
        below.subtract(folder for path in without for folder in _folders(path))
        own = Counter(_folder(path) for path in shown)
        missing = {folder: below[folder] - number for folder, number in own.items()}
        missing.setdefault("", below[""])
        for folder in own:
            if folder:
                around = _folder(folder)
                while around not in missing:
                    around = _folder(around)
                missing[around] -= below[folder]
        return {folder: number for folder, number in missing.items() if number}

    def _take_all(self, view: IndexView) -> None:
        fame = view.popularity()
        self._levels = {path: level_of(path, fame.get(path, 0)) for path in view.paths()}
        ranks: dict[Level, list[RepoPath]] = defaultdict(list)
        for path, level in self._levels.items():
            ranks[level].append(path)
        self._ranks = dict(ranks)
        self._below = Counter()
        for folder, number in Counter(map(_folder, self._levels)).items():
            self._count(folder, number)

    def _move(self, path: RepoPath, level: Level | None) -> None:
        before = self._levels.get(path)
        if before == level:
            return
        if before is not None:
            del self._levels[path]
            rank = self._ranks[before]
            del rank[bisect_left(rank, path)]
            self._count(_folder(path), -1)
        if level is not None:
            self._levels[path] = level
            insort(self._ranks.setdefault(level, []), path)
            self._count(_folder(path), 1)

    def _count(self, folder: str, number: int) -> None:
        """Count files in a folder and in all around it."""
        self._below[""] += number
        while folder:
            self._below[folder] += number
            folder = _folder(folder)


def level_of(path: RepoPath, fame: int) -> Level:
    """Return how much a file matters.

    Args:
        path: of the file.
        fame: how many files refer to it.
    """
    return 0 if is_test(path) else 1 + fame.bit_length()


def _folders(path: str) -> Iterator[str]:
    """Yield all folders that a file lies in, the repository's top among them."""
    while path:
        path = _folder(path)
        yield path


def _folder(path: str) -> str:
    return path.rpartition("/")[0]
