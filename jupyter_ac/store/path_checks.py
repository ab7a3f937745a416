"""Checks untrusted folders and files of state: no links, no pipes.

SQLite and the locks open files by path, so the path is checked right before: a link, even one
created while this process runs, would redirect their writes.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from jupyter_ac.errors import RefusedPath

_JOURNAL_MAGIC: Final = bytes.fromhex("d9d505f920a163d7")


def require_real_folder(folder: Path) -> None:
    """Check that a folder is real and not reached through a link.

    Args:
        folder: absolute, with all links above it resolved when it was chosen.

    Raises:
        FileNotFoundError: it doesn't exist.
        RefusedPath: it, or a folder above it, is a link; or it is not a folder.
    """
    found = folder.lstat()
    is_moved = os.path.realpath(folder) != os.path.normpath(folder)
    if is_moved or not stat.S_ISDIR(found.st_mode):
        raise RefusedPath(
            f"The folder {folder.name!r} is behind a link, or is no folder, so nothing is stored "
            "there. Remove what is in its place, or restore the folder."
        )


def make_real_folder(folder: Path) -> None:
    """Create a folder for its owner only; an existing one is used if it is real.

    Raises:
        OSError: it can't be created.
        RefusedPath: something else is at its path.
    """
    with suppress(FileExistsError):  # checked below
        folder.mkdir(mode=0o700)
    require_real_folder(folder)


def is_regular_or_missing(path: Path) -> bool:
    """Return whether there is a regular file or nothing; a link is neither."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except FileNotFoundError:
        return True


def names_a_super_journal(journal: Path) -> bool:
    """Return whether a rollback journal names a super-journal, which SQLite would delete after use.

    SQLite creates them for transactions over several databases, which this program never uses.
    """
    try:
        with journal.open("rb") as file:
            if file.seek(0, os.SEEK_END) < len(_JOURNAL_MAGIC):
                return False
            file.seek(-len(_JOURNAL_MAGIC), os.SEEK_END)
            return file.read() == _JOURNAL_MAGIC
    except OSError:
        return False
