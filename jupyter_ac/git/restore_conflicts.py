"""Room for what is to be restored.

A file may have become a folder since it was committed, or a folder a file or a link. To bring the
old one back, git removes whatever stands there, untracked files and whole repositories included;
nothing could bring those back.
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


async def require_room(git: Git, restored: Collection[str], going: Collection[str]) -> None:
    """Refuse where git would clear the way of what it doesn't know.

    Args:
        git: alone with the repository.
        restored: files of the last commit that are to be on disk.
        going: what is meant to go.

    Raises:
        Conflict: something else stands in the way.
    """
    root = git.repository.root
    blocked, folders = await asyncio.to_thread(_in_the_way, root, restored)
    for path in sorted(blocked.difference(going)):
        raise Conflict(f"{path!r} stands where a folder is to be restored; move it away first.")
    committed = await rows(git, _COMMITTED, folders)
    submodules = {row.partition("\t")[2] for row in committed if row.startswith(_SUBMODULE)}
    for folder in folders:
        if folder in submodules:
            continue
        unknown = (await listed(git, _UNKNOWN, [folder])).names.difference(going)
        is_other = await asyncio.to_thread(is_repository, root / folder)
        if unknown or is_other:
            raise Conflict(
                f"The folder {folder!r} stands where a file is to be restored, and git doesn't "
                "know all that is in it; move it away first."
            )


def _in_the_way(root: Path, names: Iterable[str]) -> tuple[set[str], list[str]]:
    """Return what is no folder where one must be, and the folders where a file must be."""
    is_blocked: dict[str, bool] = {}
    folders: list[str] = []
    for name in names:
        above = folders_above(name)
        for folder in above:
            if folder not in is_blocked:
                is_blocked[folder] = _is_no_folder(root / folder)
        if not any(is_blocked[folder] for folder in above) and is_folder(root / name):
            folders.append(name)
    # A link holds nothing of its own that could be lost.
    blocked = {folder for folder, is_so in is_blocked.items() if is_so}
    return {folder for folder in blocked if not is_link(root / folder)}, sorted(folders)


def _is_no_folder(place: Path) -> bool:
    return os.path.lexists(place) and not is_folder(place)
