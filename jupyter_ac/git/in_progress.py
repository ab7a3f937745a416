"""What git is in the middle of."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from jupyter_ac.git.plain_files import read_plain
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


def under_way(repository: Repository) -> str | None:
    """Return what is under way: a merge, rebase, am, cherry-pick, revert, bisect, or None."""
    for name, operation in _OPERATIONS.items():
        if os.path.lexists(repository.git_dir / name):
            return operation
    return _sequence(repository.git_dir / "sequencer" / "todo")


def applies_patches(repository: Repository) -> bool:
    """Tell whether git waits for a patch to be mended, by `git am` or `git rebase --apply`.

    It makes the commit itself then, with the patch's author and message.
    """
    return os.path.lexists(repository.git_dir / "rebase-apply")


def is_at_pick(repository: Repository) -> bool:
    """Tell whether a rebase waits for a commit that it could not pick, `REBASE_HEAD`.

    It has left that one's message then. Where it stops to edit, the commit is made already.
    """
    places = ("rebase-merge", "REBASE_HEAD", "MERGE_MSG")
    return all(os.path.lexists(repository.git_dir / name) for name in places) and not (
        os.path.lexists(repository.git_dir / "rebase-merge" / "amend")
    )


def _sequence(todo: Path) -> str | None:
    """Return what is between two of several commits: only its list of commands tells."""
    try:
        word = read_plain(todo, _LONGEST_COMMAND).split(b" ", 1)[0]
    except OSError:
        return None
    return _COMMANDS.get(word.decode("ascii", "replace"))
