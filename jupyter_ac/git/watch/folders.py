"""Which folders are watched for changes, and what a change in one of them means.

Watched are the folders that are not ignored, each by itself, so that what happens in ignored ones
costs nothing; and those of git's own folders in which a commit, a switch or `git add` leaves a
trace.
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
from jupyter_ac.git.plain_files import read_plain
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
"""What changes in a git directory without any difference to the tree."""

_SHARED: Final = frozenset({"config", "packed-refs"})
"""What matters to a linked worktree of the directory that all worktrees share."""

_RULES: Final = frozenset({".gitignore", ".gitattributes", ".git", "exclude", "HEAD"})
"""What may change which folders are watched."""

_POINTER_BYTES: Final = 4096

_MANY: Final = 4000
"""Of more changes at once the system may have lost some."""


class Meaning(IntEnum):
    """What is to be done about changes; each includes those before it."""

    NOTHING = 0
    LOOK = 1
    WALK = 2
    """Find out which folders are to be watched."""
    RENEW = 3
    """Watch them anew: one of them is another one by the same name."""


@dataclass(frozen=True, slots=True)
class Watched:
    """Folders to be watched.

    Attributes:
        folders: of the working tree, absolute.
        git_folders: git's own, absolute.
        shown: the tree's folders at that time.
        unnameable: whether there are more, whose names are not UTF-8.
    """

    folders: frozenset[str]
    git_folders: frozenset[str]
    shown: Collection[str]
    unnameable: bool = False

    @property
    def all(self) -> frozenset[str]:
        """All of them."""
        return self.folders | self.git_folders


async def folders_to_watch(repository: Repository, snapshot: Snapshot) -> Watched:
    """Return the folders in which something can happen that the tree will show.

    Raises:
        GitError: the repository is gone.
    """
    ignored = await _ignored(repository)
    found = await asyncio.to_thread(_walk, repository.root, snapshot, ignored)
    git_folders = await asyncio.to_thread(_git_folders, repository, snapshot)
    named = {path for path in found if _is_utf8(path)}
    return Watched(
        frozenset(_absolute(repository.root, named)),
        frozenset(path for path in git_folders if _is_utf8(path)),
        snapshot.folders,
        unnameable=len(named) < len(found),
    )


def meaning_of(
    changes: Collection[Change] | None, watched: Watched, repository: Repository, shown: Snapshot
) -> Meaning:
    """Say what is to be done about changes; None stands for lost ones.

    Args:
        changes: what happened.
        watched: the folders in which it did.
        repository: whose folders.
        shown: the tree before them.
    """
    if changes is None or len(changes) > _MANY:
        return Meaning.RENEW
    prefix = f"{repository.root}/".replace("//", "/")
    judge = _Judge(watched, repository, shown.entries, prefix)
    return max((judge.judge(*change) for change in changes), default=Meaning.NOTHING)


@dataclass(frozen=True, slots=True)
class _Judge:
    """Judges single changes."""

    watched: Watched
    repository: Repository
    shown: Container[str]
    prefix: str

    def judge(self, kind: int, path: str) -> Meaning:
        folder, _, name = path.rpartition("/")
        if folder in self.watched.git_folders:
            return self._in_git(folder, name)
        if tag_of(name) is not None:
            return Meaning.NOTHING
        if path in self.watched.folders:
            return Meaning.LOOK if kind == MODIFIED else Meaning.RENEW
        if name in _RULES or (kind == ADDED and _is_folder(path)):
            return Meaning.WALK
        if kind == MODIFIED and path.removeprefix(self.prefix) not in self.shown:
            # Whatever made it was told before; the look after that found it ignored.
            return Meaning.NOTHING
        return Meaning.LOOK

    def _in_git(self, folder: str, name: str) -> Meaning:
        if name.endswith(".lock") or name in _SILENT:
            return Meaning.NOTHING
        common, own = str(self.repository.common_dir), str(self.repository.git_dir)
        if folder == common != own and name not in _SHARED:
            return Meaning.NOTHING
        return Meaning.WALK if name in _RULES else Meaning.LOOK


async def _ignored(repository: Repository) -> set[str]:
    """Return the folders that a rule names; not those that only hold ignored files."""
    options = GitOptions(config=(await program_policy(repository)).reading())
    answer = await read_git(repository.root, _IGNORED, options)
    if answer.exit_code != 0 or answer.truncated:
        raise GitError(f"git can't list the ignored folders: {answer.complaint}")
    entries = os.fsdecode(answer.data).split("\0")
    return {entry[2:-1] for entry in entries if entry[:2] == "! " and entry[-1] == "/"}


def _walk(root: Path, snapshot: Snapshot, ignored: Collection[str]) -> list[str]:
    """Return the folders that are not ignored, nor of repositories in this one."""
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
    """Return the file of the branch that is checked out, relative to the shared directory."""
    try:
        said = os.fsdecode(read_plain(git_dir / "HEAD", _POINTER_BYTES))
    except OSError:
        return "HEAD"
    name = said.removeprefix("ref: ").rstrip("\n")
    return name if name.startswith("refs/heads/") and ".." not in name else "HEAD"


def _module(repository: Repository, dot_git: Path) -> Iterator[Path]:
    """Return where the commit of a nested repository is found."""
    place = dot_git
    if dot_git.is_file():
        try:
            said = os.fsdecode(read_plain(dot_git, _POINTER_BYTES))
        except OSError:
            return
        place = Path(os.path.realpath(dot_git.parent / said.removeprefix("gitdir:").strip()))
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
