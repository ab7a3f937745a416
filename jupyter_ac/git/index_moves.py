"""Renames entries in the index only; files on disk are neither read nor moved."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from jupyter_ac.git.entry_writing import refresh, write_entries
from jupyter_ac.git.index_entries import Entries, restore_entries
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
