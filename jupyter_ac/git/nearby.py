"""Finds repositories near a folder that is in none: above it, and up to two levels below.

They are recognized by their `.git` alone, without running git: this is fast and executes nothing of
theirs. Whether one can be opened is checked only when it is opened.
"""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jupyter_ac.git.generated_files import generated_folder
from jupyter_ac.git.plain_files import git_dir_of

LEVELS: Final = 2
_MOST_ABOVE: Final = 4
_HIDDEN: Final = "."


@dataclass(frozen=True, slots=True)
class SearchBounds:
    """Limits for a search for repositories below a folder.

    Attributes:
        repositories: maximum number of results.
        entries: maximum number of files and folders to read.
        seconds: time limit; the folder being read is finished.
    """

    repositories: int = 20
    entries: int = 20_000
    seconds: float = 1.0


@dataclass(frozen=True, slots=True)
class RepositoriesBelow:
    """The result of a search.

    Attributes:
        paths: relative to the folder, with slashes; those of the first level come first.
        is_complete: False if the search reached a limit or couldn't read a folder.
    """

    paths: tuple[str, ...]
    is_complete: bool


def repositories_below(folder: Path, bounds: SearchBounds | None = None) -> RepositoriesBelow:
    """Search repositories one and two levels below a folder; blocks, so call it in a thread.

    Links, hidden folders, generated folders (such as `node_modules`) and the inside of repositories
    are skipped.

    Args:
        folder: absolute, without links.
        bounds: limits; None for the default ones.
    """
    search = _Search(folder, bounds or SearchBounds())
    search.run()
    return RepositoriesBelow(tuple(search.found), search.is_complete)


def marked_folders_above(folder: Path) -> list[Path]:
    """Return the folders above that contain a `.git`, the nearest first; only the nearest few."""
    marked = (above for above in folder.parents if os.path.lexists(above / ".git"))
    return [above for above, _ in zip(marked, range(_MOST_ABOVE), strict=False)]


class _Search:
    """One breadth-first search: if a limit is reached the deepest folders are missing."""

    def __init__(self, folder: Path, bounds: SearchBounds) -> None:
        self.found: list[str] = []
        self.is_complete = True
        self._folder = folder
        self._bounds = bounds
        self._entries = 0
        self._ends_at = time.monotonic() + bounds.seconds

    def run(self) -> None:
        """Run the search; call it once."""
        level = [""]
        for _ in range(LEVELS):
            below: list[str] = []
            for path in self._folders_in(level):
                if not _has_git_directory(self._folder / path):
                    below.append(path)
                elif len(self.found) < self._bounds.repositories:
                    self.found.append(path)
                else:
                    self.is_complete = False
                    return
            level = below

    def _folders_in(self, folders: list[str]) -> Iterator[str]:
        """Yield the subfolders of folders, within the limits."""
        for above in folders:
            if self._entries >= self._bounds.entries:
                self.is_complete = False
                return
            for name in self._names_in(above):
                if time.monotonic() > self._ends_at:
                    self.is_complete = False
                    return
                yield f"{above}/{name}" if above else name

    def _names_in(self, above: str) -> list[str]:
        """Return the names of the subfolders to search, sorted."""
        names: list[str] = []
        try:
            with os.scandir(self._folder / above) as rows:
                for row in rows:
                    if self._entries >= self._bounds.entries:
                        self.is_complete = False
                        break
                    self._entries += 1
                    if row.is_dir(follow_symlinks=False) and _is_of_interest(row.name):
                        names.append(row.name)
        except OSError:  # it was removed, or may not be read
            self.is_complete = False
        named = [name for name in names if _is_unicode(name)]
        if len(named) < len(names):  # the others can't be displayed
            self.is_complete = False
        return sorted(named)


def _is_of_interest(name: str) -> bool:
    return not name.startswith(_HIDDEN) and not generated_folder(f"{name}/")


def _is_unicode(name: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in name)


def _has_git_directory(folder: Path) -> bool:
    """Return whether a folder has a git directory, or a file that names one (a worktree).

    A missing git directory doesn't count, as after a repository was moved away from its worktrees.
    """
    try:
        return os.path.lexists(git_dir_of(folder) / "HEAD")
    except OSError:
        return False
