"""Selects the folders to watch, and classifies changes in them.

Every folder that is not ignored is watched separately, so that changes in ignored ones cost
nothing; in addition those of git's own folders that change with a commit, a switch or `git add`.
"""

import asyncio
import os
import stat
from collections.abc import Collection, Container, Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Final

from jupyter_ac.errors import GitError
from jupyter_ac.git.plain_files import read_regular
from jupyter_ac.git.program_policy import program_policy
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import GitOptions, read_git
from jupyter_ac.git.temp_files import tag_of
from jupyter_ac.git.tree.entries import SUBMODULE
from jupyter_ac.git.tree.snapshot import Snapshot
from jupyter_ac.git.watch.fs_events import ADDED, MODIFIED, Change

_IGNORED: Final = (
    *("status", "--porcelain=v2", "-z", "--ignored=matching", "--untracked-files=all"),
    *("--ignore-submodules=all", "--no-renames"),
)
_SILENT: Final = frozenset(
    {"COMMIT_EDITMSG", "FETCH_HEAD", "gc.log", "gc.pid", "jupyter_ac", "objects", "review.json"}
)
"""Entries of a git directory that don't affect the tree."""

_SHARED: Final = frozenset({"config", "packed-refs"})
"""Entries of the shared git directory that affect a linked worktree."""

_RULES: Final = frozenset({".gitignore", ".gitattributes", ".git", "exclude", "HEAD"})
"""Names whose change may affect which folders are watched."""

_POINTER_BYTES: Final = 4096

_MANY: Final = 4000
"""Among more changes at once the system may have lost some."""


class Reaction(IntEnum):
    """The reaction to changes; each one includes those before it."""

    NOTHING = 0
    SCAN = 1
    WALK = 2
    """Determine again which folders to watch."""
    REWATCH = 3
    """Create all watches again: a folder was replaced by another one of the same name."""


@dataclass(frozen=True, slots=True)
class WatchedFolders:
    """Folders to watch.

    Attributes:
        folders: of the working tree, absolute.
        git_folders: git's own, absolute.
        shown: the tree's folders at that time.
        unnameable: whether there are others whose names are not UTF-8.
    """

    folders: frozenset[str]
    git_folders: frozenset[str]
    shown: Collection[str]
    unnameable: bool = False

    @property
    def all(self) -> frozenset[str]:
        """All folders."""
        return self.folders | self.git_folders


async def folders_to_watch(repository: Repository, snapshot: Snapshot) -> WatchedFolders:
    """Return the folders in which a change can affect the tree.

    Raises:
        GitError: the repository no longer exists.
    """
    ignored = await _ignored(repository)
    found = await asyncio.to_thread(_walk, repository.root, snapshot, ignored)
    git_folders = await asyncio.to_thread(_git_folders, repository, snapshot)
    named = {path for path in found if _is_utf8(path)}
    return WatchedFolders(
        frozenset(_absolute(repository.root, named)),
        frozenset(path for path in git_folders if _is_utf8(path)),
        snapshot.folders,
        unnameable=len(named) < len(found),
    )


def reaction_to(
    changes: Collection[Change] | None,
    watched: WatchedFolders,
    repository: Repository,
    shown: Snapshot,
) -> Reaction:
    """Classify changes; None means that changes were lost.

    Args:
        changes: the changes.
        watched: the watched folders.
        repository: the repository.
        shown: the tree before them.
    """
    if changes is None or len(changes) > _MANY:
        return Reaction.REWATCH
    prefix = f"{repository.root}/".replace("//", "/")
    classifier = _Classifier(watched, repository, shown.entries, prefix)
    return max((classifier.classify(*change) for change in changes), default=Reaction.NOTHING)


@dataclass(frozen=True, slots=True)
class _Classifier:
    """Classifies single changes."""

    watched: WatchedFolders
    repository: Repository
    shown: Container[str]
    prefix: str

    def classify(self, kind: int, path: str) -> Reaction:
        folder, _, name = path.rpartition("/")
        if folder in self.watched.git_folders:
            return self._in_git(folder, name)
        if tag_of(name) is not None:
            return Reaction.NOTHING
        if path in self.watched.folders:
            return Reaction.SCAN if kind == MODIFIED else Reaction.REWATCH
        if name in _RULES or (kind == ADDED and _is_folder(path)):
            return Reaction.WALK
        if kind == MODIFIED and path.removeprefix(self.prefix) not in self.shown:
            # Its creation was reported before; the scan after that found that it is ignored.
            return Reaction.NOTHING
        return Reaction.SCAN

    def _in_git(self, folder: str, name: str) -> Reaction:
        if name.endswith(".lock") or name in _SILENT:
            return Reaction.NOTHING
        common, own = str(self.repository.common_dir), str(self.repository.git_dir)
        if folder == common != own and name not in _SHARED:
            return Reaction.NOTHING
        return Reaction.WALK if name in _RULES else Reaction.SCAN


async def _ignored(repository: Repository) -> set[str]:
    """Return the folders ignored by a rule; not those that only contain ignored files."""
    options = GitOptions(config=(await program_policy(repository)).reading())
    answer = await read_git(repository.root, _IGNORED, options)
    if answer.exit_code != 0 or answer.truncated:
        raise GitError(f"git can't list the ignored folders: {answer.complaint}")
    entries = os.fsdecode(answer.data).split("\0")
    return {entry[2:-1] for entry in entries if entry[:2] == "! " and entry[-1] == "/"}


def _walk(root: Path, snapshot: Snapshot, ignored: Collection[str]) -> list[str]:
    """Return the folders that are neither ignored nor in nested repositories."""
    found, left = [], [""]
    while left:
        folder = left.pop()
        try:
            with os.scandir(root / folder) as entries:
                names = [each.name for each in entries if each.is_dir(follow_symlinks=False)]
        except OSError:
            continue
        found.append(folder)
        inner = [f"{folder}/{name}".lstrip("/") for name in names if name != ".git"]
        left += [path for path in inner if path not in ignored and path not in snapshot.entries]
    return found


def _git_folders(repository: Repository, snapshot: Snapshot) -> set[str]:
    own, common = repository.git_dir, repository.common_dir
    places = [own, own / "logs", own / "info", common, common / "info"]
    places.append((common / _branch(own)).parent)
    for path, entry in snapshot.entries.items():
        if entry.flags & SUBMODULE:
            places += _module(repository, repository.root / path / ".git")
    return {str(place) for place in places if place.is_dir()}


def _branch(git_dir: Path) -> str:
    """Return the file of the checked out branch, relative to the shared directory."""
    try:
        head = os.fsdecode(read_regular(git_dir / "HEAD", _POINTER_BYTES))
    except OSError:
        return "HEAD"
    name = head.removeprefix("ref: ").rstrip("\n")
    return name if name.startswith("refs/heads/") and ".." not in name else "HEAD"


def _module(repository: Repository, dot_git: Path) -> Iterator[Path]:
    """Yield the folders that change with the commit of a nested repository."""
    place = dot_git
    if dot_git.is_file():
        try:
            pointer = os.fsdecode(read_regular(dot_git, _POINTER_BYTES))
        except OSError:
            return
        place = Path(os.path.realpath(dot_git.parent / pointer.removeprefix("gitdir:").strip()))
    if any(place.is_relative_to(each) for each in (repository.root, repository.common_dir)):
        yield from (place, place / "logs")


def _absolute(root: Path, folders: Iterable[str]) -> Iterator[str]:
    return (str(root / folder) for folder in folders)


def _is_folder(path: str) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except OSError:
        return False


def _is_utf8(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
