"""Renames in the index alone: entries get new names; nothing on disk is looked at or moved."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from jupyter_ac.git.entry_writing import refresh, write_entries
from jupyter_ac.git.index_entries import Entries, put_entries_back
from jupyter_ac.git.staging import feed
from jupyter_ac.git.write_commands import Git
from jupyter_ac.ids import RepoPath

_SKIPPED: Final = ("update-index", "--skip-worktree", "-z", "--stdin")
_ASSUMED: Final = ("update-index", "--assume-unchanged", "-z", "--stdin")


@dataclass(frozen=True, slots=True)
class Tracked:
    """A file that the index has.

    Attributes:
        path: its name.
        mode: as git writes it.
        tag: as `ls-files -v` writes it: `S` for what a sparse checkout leaves out, a small letter
            for what is assumed to be unchanged.
    """

    path: RepoPath
    mode: str
    tag: str


def renamed(path: str, old: str, new: str) -> RepoPath:
    """Return what a name becomes when an entry, or a folder above it, gets a new one."""
    return RepoPath(new + path[len(old) :])


async def move_in_index(
    git: Git,
    names: tuple[str, str],
    tracked: Sequence[Tracked],
    before: Mapping[RepoPath, Entries],
) -> None:
    """Give entries of the index new names; what they hold stays, staged or not.

    Args:
        git: alone with the repository.
        names: of a file or a folder, the old and the new one; what the index has of the latter is
            replaced.
        tracked: what the index has of the old one.
        before: the same, as it was read while the files stood there.

    Raises:
        GitError: git can't write the index; it is as it was.
        Busy: another git held it all the time.
    """
    if not tracked:
        return
    old, new = names
    after = {renamed(path, old, new): entries for path, entries in before.items()}
    if any(entry.is_promise for entries in after.values() for entry in entries):
        await put_entries_back(git, dict.fromkeys(before, ()) | after)
        await refresh(git)
    else:
        held: dict[str, str] = {
            path: f"{entry.mode} {entry.blob}"
            for path, entries in after.items()
            for entry in entries
        }
        await write_entries(git, held, gone=before.keys() - after.keys())
    await feed(git, _SKIPPED, [renamed(e.path, old, new) for e in tracked if e.tag in "Ss"])
    await feed(git, _ASSUMED, [renamed(e.path, old, new) for e in tracked if e.tag.islower()])
