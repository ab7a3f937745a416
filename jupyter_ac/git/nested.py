"""Finds nested repositories: submodules, and other repositories inside the repository.

The outer repository neither stages nor restores files inside them, so this program does nothing to
these files that git could not undo.
"""

import os
from pathlib import Path
from typing import Final

from jupyter_ac.git.plain_files import is_folder
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import DEFAULTS, read_git

_LAST_COMMIT: Final = ("rev-parse", "--verify", "--quiet", "HEAD^{commit}")


def is_repository(folder: Path) -> bool:
    """Return whether a folder is a repository, also if it has no commits."""
    return os.path.lexists(folder / ".git") and is_folder(folder)


def repository_above(repository: Repository, path: str) -> str:
    """Return the innermost nested repository that contains a path; "" if there is none."""
    above, _, _ = path.rpartition("/")
    while above:
        if is_repository(repository.root / above):
            return above
        above, _, _ = above.rpartition("/")
    return ""


async def has_commit(repository: Repository, path: str) -> bool:
    """Return whether a nested repository has a commit that the outer one could point to."""
    output = await read_git(repository.root / path, _LAST_COMMIT, DEFAULTS)
    return output.exit_code == 0
