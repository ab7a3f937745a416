"""Renames entries in the index, and updates the paths of submodules that have moved.

Files on disk are neither read nor moved: `git mv` would do so, but moves by path (see `moving`).
A submodule's path stands in `.gitmodules`, in its `.git` and in its git configuration. Only git
directories inside the repository's own one are changed; others are named by absolute paths, which
stay valid.
"""

import asyncio
import hashlib
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jupyter_ac.errors import NotFound
from jupyter_ac.git import descriptor_entries
from jupyter_ac.git.disk_entries import NEW_FILE, DiskEntry, read_entry, restore_entry
from jupyter_ac.git.entry_writing import refresh, write_entries
from jupyter_ac.git.index_entries import SUBMODULE, Entries, restore_entries
from jupyter_ac.git.runner import GitOptions, read_git
from jupyter_ac.git.staging import feed
from jupyter_ac.git.write_commands import Git
from jupyter_ac.ids import RepoPath

_SKIPPED: Final = ("update-index", "--skip-worktree", "-z", "--stdin")
_ASSUMED: Final = ("update-index", "--assume-unchanged", "-z", "--stdin")


@dataclass(frozen=True, slots=True)
class Tracked:
    """A path in the index.

    Attributes:
        path: its name.
        mode: octal, as git writes it.
        tag: as in `ls-files -v`: `S` for skip-worktree (sparse checkout), a lower case letter for
            assume-unchanged.
    """

    path: RepoPath
    mode: str
    tag: str


def renamed(path: str, old: str, new: str) -> RepoPath:
    """Return a path after it, or a folder above it, is renamed."""
    return RepoPath(new + path[len(old) :])


async def move_in_index(
    git: Git,
    names: tuple[str, str],
    tracked: Sequence[Tracked],
    before: Mapping[RepoPath, Entries],
) -> None:
    """Rename entries of the index; their content stays, staged or not.

    Args:
        git: with exclusive access to the repository.
        names: old and new name of a file or folder; index entries of the new one are replaced.
        tracked: index entries of the old one.
        before: the same entries, as read while the files were at the old name.

    Raises:
        GitError: git can't write the index; it is unchanged.
        Busy: another git process held its lock the whole time.
    """
    if not tracked:
        return
    old, new = names
    after = {renamed(path, old, new): entries for path, entries in before.items()}
    if any(entry.is_promise for entries in after.values() for entry in entries):
        await restore_entries(git, dict.fromkeys(before, ()) | after)
        await refresh(git)
    else:
        held: dict[str, str] = {
            path: f"{entry.mode} {entry.blob}"
            for path, entries in after.items()
            for entry in entries
        }
        await write_entries(git, held, removed=before.keys() - after.keys())
    await feed(git, _SKIPPED, [renamed(e.path, old, new) for e in tracked if e.tag in "Ss"])
    await feed(git, _ASSUMED, [renamed(e.path, old, new) for e in tracked if e.tag.islower()])


_LIST: Final = RepoPath(".gitmodules")
_MAX_BYTES: Final = 4 * 1024 * 1024
_MAX_DEPTH: Final = 20
_POINTER: Final = b"gitdir:"
_POINTER_MODE: Final = 0o100644
_INDEX: Final = ("ls-files", "-z", "--stage")
_TAG: Final = hashlib.sha256(b"submodule_moves").hexdigest()[:16]


async def repair_links(git: Git, old: str, new: str, tracked: Sequence[Tracked]) -> None:
    """Update the references to submodules that were moved.

    Args:
        git: with exclusive access to the repository and its files.
        old: former path of a submodule or of a folder above.
        new: its new path.
        tracked: index entries below the old path.

    Raises:
        AcError: a file can't be written, or git fails.
    """
    moved = {each.path: renamed(each.path, old, new) for each in tracked if each.mode == SUBMODULE}
    if not moved:
        return
    await _update_list(git, moved)
    for was, now in moved.items():
        await _point_at(git, was, now, _MAX_DEPTH)


async def _point_at(git: Git, was: RepoPath, now: RepoPath, depth: int) -> None:
    """Make a submodule and its git directory refer to each other, recursively."""
    git_dir = await asyncio.to_thread(_git_dir, git, was, now)
    if git_dir is None or not depth:
        return
    place = git.repository.root / now
    pointer = os.fsencode(f"gitdir: {_relative(place, git_dir)}\n")
    entry = DiskEntry(pointer, _POINTER_MODE)
    await asyncio.to_thread(restore_entry, git.repository, RepoPath(f"{now}/.git"), _TAG, entry)
    settings = os.fspath(git_dir / "config")
    await git.run("config", "--file", settings, "core.worktree", _relative(git_dir, place))
    rows = (await read_git(place, _INDEX)).data.split(b"\0")
    for row in rows:
        info, _, name = os.fsdecode(row).partition("\t")
        if info.startswith(SUBMODULE):
            inner = RepoPath(f"{was}/{name}"), RepoPath(f"{now}/{name}")
            await _point_at(git, *inner, depth - 1)


async def _update_list(git: Git, moved: Mapping[RepoPath, RepoPath]) -> None:
    """Write the new paths into `.gitmodules`, on disk and in the index."""
    entry = await asyncio.to_thread(read_entry, git.repository, _LIST, _MAX_BYTES)
    if not entry.exists or entry.is_link:
        return
    options = GitOptions(stdin=entry.data)
    find = ("config", "--file", "-", "-z", "--get-regexp", r"^submodule\..*\.path$")
    rows = (await read_git(git.repository.root, find, options)).data.split(b"\0")
    data = entry.data
    for row in rows:
        key, _, value = os.fsdecode(row).partition("\n")
        if value in moved:
            data = await _with_value(git, data, key, moved[RepoPath(value)])
    if data == entry.data:
        return
    wanted = DiskEntry(data, entry.mode)
    await asyncio.to_thread(restore_entry, git.repository, _LIST, _TAG, wanted)
    blob = await git.run("hash-object", "-w", "--stdin", stdin=data)
    info = f"{NEW_FILE},{blob.data.decode().strip()},{_LIST}"
    await git.run("update-index", "--add", "--cacheinfo", info)


async def _with_value(git: Git, data: bytes, key: str, value: str) -> bytes:
    """Return a configuration file with one value changed; comments are preserved."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "settings")
        await asyncio.to_thread(copy.write_bytes, data)
        await git.run("config", "--file", os.fspath(copy), key, value)
        return await asyncio.to_thread(copy.read_bytes)


def _git_dir(git: Git, was: RepoPath, now: RepoPath) -> Path | None:
    """Return the git directory of a moved submodule; None if nothing must be updated."""
    try:
        with descriptor_entries.open_entry(git.repository, f"{now}/.git") as file:
            pointer = file.read(_MAX_BYTES)
    except NotFound:
        return None
    target = os.fsdecode(pointer.removeprefix(_POINTER).strip())
    if not pointer.startswith(_POINTER) or not target or Path(target).is_absolute():
        return None
    git_dir = Path(os.path.normpath(git.repository.root / was / target))
    is_ours = git_dir.is_relative_to(git.repository.common_dir / "modules")
    return git_dir if is_ours and git_dir.resolve() == git_dir else None


def _relative(folder: Path, target: Path) -> str:
    return os.path.relpath(target, folder)
