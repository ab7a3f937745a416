"""Refuses a restore that would make git delete untracked files.

A file may have become a folder since the commit, or a folder a file or a link. To restore the old
one, git removes whatever is in the way, even untracked files and whole repositories; these could
not be recovered.
"""

import asyncio
import os
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

from jupyter_ac.errors import Conflict
from jupyter_ac.git.file_types import is_folder, is_link
from jupyter_ac.git.nested import is_repository
from jupyter_ac.git.staging import folders_above, listed, rows
from jupyter_ac.git.write_commands import Git

_UNKNOWN: Final = ("ls-files", "-z", "--others")
_COMMITTED: Final = ("ls-tree", "-z", "--full-tree", "HEAD")
_SUBMODULE: Final = "160000 "


async def refuse_overwriting(git: Git, restored: Collection[str], removed: Collection[str]) -> None:
    """Refuse a restore if an untracked entry is in the way.

    Args:
        git: with exclusive access to the repository.
        restored: files of the last commit that will be written to disk.
        removed: files that will be removed on purpose.

    Raises:
        Conflict: something else is in the way.
    """
    root = git.repository.root
    blocked, folders = await asyncio.to_thread(_in_the_way, root, restored)
    for path in sorted(blocked.difference(removed)):
        raise Conflict(f"{path!r} is in the way of a folder to restore; move it away first.")
    committed = await rows(git, _COMMITTED, folders)
    submodules = {row.partition("\t")[2] for row in committed if row.startswith(_SUBMODULE)}
    for folder in folders:
        if folder in submodules:
            continue
        unknown = (await listed(git, _UNKNOWN, [folder])).names.difference(removed)
        is_other = await asyncio.to_thread(is_repository, root / folder)
        if unknown or is_other:
            raise Conflict(
                f"The folder {folder!r} is in the way of a file to restore, and contains untracked "
                "files; move it away first."
            )


def _in_the_way(root: Path, names: Iterable[str]) -> tuple[set[str], list[str]]:
    """Return the non-folders where a folder is needed, and the folders where a file is needed."""
    is_blocked: dict[str, bool] = {}
    folders: list[str] = []
    for name in names:
        above = folders_above(name)
        for folder in above:
            if folder not in is_blocked:
                is_blocked[folder] = _is_no_folder(root / folder)
        if not any(is_blocked[folder] for folder in above) and is_folder(root / name):
            folders.append(name)
    # A link has no content that could be lost.
    blocked = {folder for folder, is_so in is_blocked.items() if is_so}
    return {folder for folder in blocked if not is_link(root / folder)}, sorted(folders)


def _is_no_folder(place: Path) -> bool:
    return os.path.lexists(place) and not is_folder(place)
