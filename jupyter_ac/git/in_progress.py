"""Detects an operation that git has not finished, such as a merge or rebase."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from jupyter_ac.git.plain_files import read_regular
from jupyter_ac.git.repository import Repository

_OPERATIONS: Final[Mapping[str, str]] = {
    "MERGE_HEAD": "merge",
    "rebase-merge": "rebase",
    "rebase-apply/applying": "am",
    "rebase-apply": "rebase",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "BISECT_LOG": "bisect",
}
_COMMANDS: Final[Mapping[str, str]] = {"pick": "cherry-pick", "revert": "revert"}
_LONGEST_COMMAND: Final = 16


def unfinished_operation(repository: Repository) -> str | None:
    """Return the unfinished operation: merge, rebase, am, cherry-pick, revert, bisect, or None."""
    for name, operation in _OPERATIONS.items():
        if os.path.lexists(repository.git_dir / name):
            return operation
    return _sequence(repository.git_dir / "sequencer" / "todo")


def applies_patches(repository: Repository) -> bool:
    """Return whether `git am` or `git rebase --apply` waits for a patch to be corrected.

    It then makes the commit itself, with the patch's author and message.
    """
    return os.path.lexists(repository.git_dir / "rebase-apply")


def is_at_pick(repository: Repository) -> bool:
    """Return whether a rebase stopped at a commit that could not be picked, `REBASE_HEAD`.

    Then that commit's message is in MERGE_MSG. If it stops for an edit, the commit is already made.
    """
    places = ("rebase-merge", "REBASE_HEAD", "MERGE_MSG")
    return all(os.path.lexists(repository.git_dir / name) for name in places) and not (
        os.path.lexists(repository.git_dir / "rebase-merge" / "amend")
    )


def _sequence(todo: Path) -> str | None:
    """Return the operation between two of several commits: only its list of commands shows it."""
    try:
        word = read_regular(todo, _LONGEST_COMMAND).split(b" ", 1)[0]
    except OSError:
        return None
    return _COMMANDS.get(word.decode("ascii", "replace"))
