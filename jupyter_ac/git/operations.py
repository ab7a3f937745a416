"""What git is in the middle of."""

import os
from collections.abc import Mapping
from typing import Final

from jupyter_ac.git.repository import Repository

_OPERATIONS: Final[Mapping[str, str]] = {
    "MERGE_HEAD": "merge",
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "BISECT_LOG": "bisect",
}


def under_way(repository: Repository) -> str | None:
    """Return the merge, rebase, cherry-pick, revert or bisect under way; None: there is none."""
    for name, operation in _OPERATIONS.items():
        if os.path.lexists(repository.git_dir / name):
            return operation
    return None
