"""Folders that a run made or removed: empty ones of these are removed or made again."""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from jupyter_ac.git.checkpoints.comparison import net_changes
from jupyter_ac.git.checkpoints.notes import Notes
from jupyter_ac.git.checkpoints.store import Checkpoint, CheckpointStore
from jupyter_ac.git.descriptor_entries import entry_location, lstat
from jupyter_ac.git.output_parsers import names_in
from jupyter_ac.git.paths import folder_beneath, is_stored_path
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import GitOptions
from jupyter_ac.git.stderr import failure

FolderChanges = Mapping[str, tuple[bool, bool]]
"""By folder: whether it existed before the run, and whether it did after."""

_LIST: Final = ("ls-tree", "-r", "-d", "-z", "--name-only")


async def folder_changes(
    store: CheckpointStore,
    intervals: Sequence[tuple[Checkpoint, Checkpoint]],
    notes: Mapping[str, Notes],
) -> FolderChanges:
    """Return the folders that steps made or removed.

    Args:
        store: the checkpoints.
        intervals: the checkpoints before and after each step, the oldest first.
        notes: of the checkpoints.

    Raises:
        NotFound: a checkpoint is no longer stored.
        AcError: git can't list the folders.
    """
    known: dict[str, frozenset[str]] = {}
    for checkpoint in {each.name: each for pair in intervals for each in pair}.values():
        output = await store.git([checkpoint], (*_LIST, checkpoint.files), GitOptions())
        if output.exit_code != 0 or output.truncated:
            raise failure("ls-tree", output.complaint)
        found = filter(is_stored_path, names_in(output.data))
        known[checkpoint.name] = notes[checkpoint.name].folders.union(found)
    steps = [_changed(known[before.name], known[after.name]) for before, after in intervals]
    net, _ = net_changes(steps, [()] * len(steps))
    return {folder: change for folder, change in net.items() if change[0] != change[1]}


def restore_folders(repository: Repository, changes: FolderChanges) -> None:
    """Remove the folders that a run made if they are empty, and make those that it removed.

    Whatever can't be done is left: a folder holds no content.
    """
    for folder in sorted(changes, key=lambda name: name.count("/"), reverse=True):
        existed, _ = changes[folder]
        with suppress(OSError):
            if existed and lstat(repository, folder) is None:
                inside = entry_location(repository, f"{folder}/x")
                with folder_beneath(repository, inside, make=True):
                    pass
            elif not existed:
                with folder_beneath(repository, entry_location(repository, folder)) as above:
                    os.rmdir(folder.rpartition("/")[2], dir_fd=above)


def _changed(before: frozenset[str], after: frozenset[str]) -> dict[str, tuple[bool, bool]]:
    return {folder: (folder in before, folder in after) for folder in before ^ after}
