"""Lists the repository's files on disk as a flat text."""

import asyncio
import os
import stat
from typing import Final

from jupyter_ac.git.name_lists import names_in
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.task_groups import gather
from jupyter_ac.git.temp_files import without_temp_files
from jupyter_ac.git.tree.scan import LIST_TRACKED, read_list
from jupyter_ac.git.untracked_files import shown_untracked

LIST_UNTRACKED: Final = ("ls-files", "-z", "--others", "--exclude-standard")


async def flat_file_list(repository: Repository) -> str:
    """Return the paths of all files on disk, sorted, one per line; "" if there are none.

    Left out are ignored and deleted files, nested repositories, hidden untracked files, and files
    whose names contain a line end.

    Raises:
        GitError: git can't read the repository.
        TimedOut: it took too long.
    """
    tracked, untracked = await gather(
        read_list(repository, LIST_TRACKED), read_list(repository, LIST_UNTRACKED)
    )
    return await asyncio.to_thread(_flatten, repository, tracked, untracked)


def _flatten(repository: Repository, tracked: bytes, untracked: bytes) -> str:
    prefix = f"{repository.root}/"
    is_shown = shown_untracked(repository)
    # git's order is nearly sorted: sorting many names from scratch would block all threads.
    names = dict.fromkeys(without_temp_files(names_in(tracked)))
    names |= dict.fromkeys(filter(is_shown, names_in(untracked)))
    return "\n".join(
        sorted([name for name in names if "\n" not in name and _is_on_disk(prefix + name)])
    )


def _is_on_disk(absolute: str) -> bool:
    try:
        return not stat.S_ISDIR(os.lstat(absolute).st_mode)
    except (OSError, ValueError):
        return False
