"""Discards the changes of files, back to their version in the last commit.

A file in the last commit is restored in the index and on disk. A file only in the index is removed
from both. An untracked file is removed. An untracked folder stays, because it may contain too much.
Files in nested repositories also stay, and files that git skips: outside of a sparse checkout, or
marked as assume-unchanged. Everything is checked before anything is changed.

A restore is refused if git would delete untracked files for it. A file may have become a folder
since the commit, or a folder a file or a link. To restore the old one, git removes whatever is in
the way, even untracked files and whole repositories; these could not be recovered.
"""

import asyncio
import errno
import os
import stat
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from jupyter_ac.errors import AccessDenied, Conflict, RefusedPath
from jupyter_ac.git.filtered_paths import refuse_restoring
from jupyter_ac.git.index_entries import EMPTY_BLOBS, LIST_ENTRIES
from jupyter_ac.git.nested import is_repository, repository_above
from jupyter_ac.git.paths import Located, folder_beneath
from jupyter_ac.git.plain_files import is_folder, is_link
from jupyter_ac.git.refs import last_commit
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.restoring import last_versions, restore
from jupyter_ac.git.staging import FORGET, Listing, feed, folders_above, listed, rows
from jupyter_ac.git.task_groups import grouped
from jupyter_ac.git.write_commands import Git
from jupyter_ac.ids import RepoPath

_UNKNOWN: Final = ("ls-files", "-z", "--others")
_COMMITTED: Final = ("ls-tree", "-z", "--full-tree", "HEAD")
_SUBMODULE: Final = "160000 "


async def refuse_overwriting(git: Git, restored: Collection[str], removed: Collection[str]) -> None:
    """Refuse a restore if an untracked entry is in the way.

    Args:
        git: with exclusive access to the repository.
        restored: files of the last commit that will be written to disk.
        removed: files that will be removed on purpose.

    Raises:
        Conflict: something else is in the way.
    """
    root = git.repository.root
    blocked, folders = await asyncio.to_thread(_in_the_way, root, restored)
    for path in sorted(blocked.difference(removed)):
        raise Conflict(f"{path!r} is in the way of a folder to restore; move it away first.")
    committed = await rows(git, _COMMITTED, folders)
    submodules = {row.partition("\t")[2] for row in committed if row.startswith(_SUBMODULE)}
    for folder in folders:
        if folder in submodules:
            continue
        unknown = (await listed(git, _UNKNOWN, [folder])).names.difference(removed)
        is_other = await asyncio.to_thread(is_repository, root / folder)
        if unknown or is_other:
            raise Conflict(
                f"The folder {folder!r} is in the way of a file to restore, and contains untracked "
                "files; move it away first."
            )


def _in_the_way(root: Path, names: Iterable[str]) -> tuple[set[str], list[str]]:
    """Return the non-folders where a folder is needed, and the folders where a file is needed."""
    is_blocked: dict[str, bool] = {}
    folders: list[str] = []
    for name in names:
        above = folders_above(name)
        for folder in above:
            if folder not in is_blocked:
                is_blocked[folder] = _is_no_folder(root / folder)
        if not any(is_blocked[folder] for folder in above) and is_folder(root / name):
            folders.append(name)
    # A link has no content that could be lost.
    blocked = {folder for folder, is_so in is_blocked.items() if is_so}
    return {folder for folder in blocked if not is_link(root / folder)}, sorted(folders)


def _is_no_folder(place: Path) -> bool:
    return os.path.lexists(place) and not is_folder(place)


_MERGED: Final = "0"
_SPARSE: Final = "S"
_RENAMES: Final = (
    "diff",
    "--cached",
    "--name-status",
    "-z",
    "--find-renames",
    "--diff-filter=R",
    "--no-ext-diff",
    "--ignore-submodules=dirty",
)
_DIFFERENT: Final = ("diff-index", "HEAD", "--name-only", "-z", "--ignore-submodules=dirty")
_FROM_STDIN: Final = ("--pathspec-from-file=-", "--pathspec-file-nul")
_RESET: Final = ("reset", "--quiet", *_FROM_STDIN)


async def discard(git: Git, paths: Sequence[RepoPath]) -> list[RepoPath]:
    """Discard the changes of files and return their paths; unknown paths are ignored.

    For the new name of a staged rename the file with the old name is restored as well.

    Args:
        git: with exclusive access to the repository.
        paths: files, or folders with all files below that git knows; validated.

    Raises:
        RefusedPath: a path is in a nested repository; nothing was done.
        Conflict: an untracked file is in the way, or a file would pass through a filter that may
            not run; nothing was done.
        GitError: git can't write.
        AccessDenied: a file can't be removed.
    """
    await git.policy()
    async with grouped() as tasks:
        naming = tasks.create_task(_old_names(git, paths))
        finding = tasks.create_task(last_commit(git.repository))
    wanted = list(dict.fromkeys([*paths, *naming.result()]))
    async with grouped() as tasks:
        listing = tasks.create_task(rows(git, LIST_ENTRIES, wanted))
        reading = tasks.create_task(last_versions(git, wanted if finding.result() else ()))
    held, committed = _entries(listing.result()), reading.result()
    index, head = Listing(held), Listing(committed)
    left_out = {name for name, found in held.items() if found.is_left_out}
    added = index.names - head.names
    unknown = [path for path in paths if not index.has(path) and not head.has(path)]
    restored = {name: what for name, what in committed.items() if name not in left_out}
    removed = added.union(unknown, paths)
    await asyncio.to_thread(_require_own, git.repository, unknown)
    await refuse_overwriting(git, restored, removed)
    if (await git.policy()).denied_filters:
        different = set(await rows(git, _DIFFERENT, sorted(restored)))
        await refuse_restoring(git, different & restored.keys(), "nothing was discarded")
    await feed(git, FORGET, added)
    await asyncio.to_thread(remove_files, git.repository, [*sorted(added), *unknown])
    staged = [name for name, what in restored.items() if not _is_as_committed(held, name, what)]
    await restore(git, restored, staged)
    await feed(git, _RESET, head.names & left_out)
    return wanted


def remove_files(repository: Repository, paths: Iterable[str]) -> None:
    """Remove files and links; ignores missing paths, folders, and paths behind a link.

    Args:
        repository: the repository.
        paths: normalized paths.

    Raises:
        AccessDenied: one can't be removed.
    """
    for path in paths:
        place = repository.root / path
        try:
            with (
                suppress(FileNotFoundError, NotADirectoryError),
                folder_beneath(repository, Located(RepoPath(path), place, place)) as folder,
            ):
                found = os.stat(place.name, dir_fd=folder, follow_symlinks=False)
                if not stat.S_ISDIR(found.st_mode):
                    os.unlink(place.name, dir_fd=folder)
        except OSError as error:
            if error.errno != errno.ELOOP:
                raise AccessDenied(f"{path!r} can't be removed: {error.strerror}.") from error


async def _old_names(git: Git, paths: Collection[str]) -> list[RepoPath]:
    """Return the old names of renamed files among the paths."""
    output = await git.run(*_RENAMES)
    fields = output.data.decode("utf-8", "surrogateescape").split("\0")
    pairs = zip(fields[1::3], fields[2::3], strict=False)
    return [RepoPath(old) for old, new in pairs if _is_among(new, paths)]


def _is_among(name: str, paths: Collection[str]) -> bool:
    return any(name == path or name.startswith(f"{path}/") for path in paths)


@dataclass(slots=True)
class _EntriesOfFile:
    """The index entries of one file.

    Attributes:
        is_left_out: git ignores the file on disk: outside a sparse checkout, or marked by the user
            as assume-unchanged.
        entries: mode, blob and stage of each side.
    """

    is_left_out: bool = False
    entries: list[str] = field(default_factory=list)


def _entries(listed: Iterable[str]) -> dict[str, _EntriesOfFile]:
    found: dict[str, _EntriesOfFile] = {}
    for row in listed:
        entry, _, name = row[2:].partition("\t")
        held = found.setdefault(name, _EntriesOfFile())
        held.is_left_out = held.is_left_out or row[0] == _SPARSE or row[0].islower()
        held.entries.append(entry)
    return found


def _is_as_committed(held: Mapping[str, _EntriesOfFile], name: str, committed: str) -> bool:
    """Return whether the index has the same version of a file as the last commit.

    A file that was added with intent-to-add looks like an empty one.
    """
    is_same = name in held and held[name].entries == [f"{committed} {_MERGED}"]
    return is_same and committed.partition(" ")[2] not in EMPTY_BLOBS


def _require_own(repository: Repository, unknown: Iterable[str]) -> None:
    for path in unknown:
        above = repository_above(repository, path)
        if above:
            raise RefusedPath(
                f"{path!r} belongs to the repository {above!r} inside this one; "
                "discard its changes there."
            )
