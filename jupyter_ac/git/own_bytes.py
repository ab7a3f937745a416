"""Index entries made of files that we have read ourselves, one folder after the other."""

import asyncio
from collections.abc import Sequence
from typing import Final

from jupyter_ac.errors import TooLarge
from jupyter_ac.git.changing import Git
from jupyter_ac.git.disk_entries import look_at
from jupyter_ac.git.files import MAX_FILE_BYTES
from jupyter_ac.ids import RepoPath

_MOST_FILES: Final = 500
"""Each is a git of its own."""


async def own_entries(git: Git, names: Sequence[str]) -> list[str]:
    """Return rows for `update-index --index-info` of these files as they are on disk, if they are.

    Raises:
        TooLarge: there are too many, or one is too long.
        AcError: one can't be read, or is no file.
        GitError: git can't store its content.
    """
    if len(names) > _MOST_FILES:
        raise TooLarge(f"These are more than {_MOST_FILES} files.")
    found: list[str] = []
    for name in names:
        entry = await asyncio.to_thread(look_at, git.repository, RepoPath(name), MAX_FILE_BYTES)
        if entry.exists:
            how = ("--no-filters",) if entry.is_link else (f"--path={name}",)
            output = await git.run("hash-object", "-w", "--stdin", *how, stdin=entry.data)
            found.append(f"{entry.git_mode} {output.data.decode('ascii').strip()} 0\t{name}")
    return found
