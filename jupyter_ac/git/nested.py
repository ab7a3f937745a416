"""Repositories inside the repository: submodules, and others that git does not look into.

What lies in one is its own business. The repository around it neither stages nor restores it, so
nothing is done to it here that git could not undo there.
"""

import os
from pathlib import Path
from typing import Final

from jupyter_ac.git.file_types import is_folder
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import DEFAULTS, read_git

_LAST_COMMIT: Final = ("rev-parse", "--verify", "--quiet", "HEAD^{commit}")


def is_repository(folder: Path) -> bool:
    """Tell whether a folder is a repository of its own, one without a commit included."""
    return os.path.lexists(folder / ".git") and is_folder(folder)


def repository_above(repository: Repository, path: str) -> str:
    """Return the innermost nested repository that holds a path; "" when it lies in none."""
    above, _, _ = path.rpartition("/")
    while above:
        if is_repository(repository.root / above):
            return above
        above, _, _ = above.rpartition("/")
    return ""


async def has_commit(repository: Repository, path: str) -> bool:
    """Tell whether a nested repository has a commit that the one around it could point to."""
    output = await read_git(repository.root / path, _LAST_COMMIT, DEFAULTS)
    return output.exit_code == 0
