"""Folders and files of state that may come from anybody: no links, no pipes.

What SQLite and the locks open by its path is looked at right before: a link in its place, also one
that was put there while this process runs, would have them write elsewhere.
"""

import errno
import os
import stat
from pathlib import Path
from typing import Final

_JOURNAL_MAGIC: Final = bytes.fromhex("d9d505f920a163d7")


def require_plain_folder(folder: Path) -> None:
    """See that a folder is where its path says.

    Args:
        folder: with all links above it resolved when it was chosen.

    Raises:
        FileNotFoundError: there is none.
        NotADirectoryError: it, or a folder above it, is a link now; or it is no folder.
    """
    found = folder.lstat()
    is_moved = os.path.realpath(folder) != os.path.normpath(folder)
    if is_moved or not stat.S_ISDIR(found.st_mode):
        raise NotADirectoryError(errno.ENOTDIR, "its folder was replaced by a link", folder.name)


def is_plain_file(path: Path) -> bool:
    """Say whether there is a regular file, or nothing; a link is neither."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except FileNotFoundError:
        return True


def names_a_super_journal(journal: Path) -> bool:
    """Say whether a rollback journal names a further file, which SQLite would delete after use.

    It does so for transactions over several databases, which this program never makes.
    """
    try:
        with journal.open("rb") as file:
            if file.seek(0, os.SEEK_END) < len(_JOURNAL_MAGIC):
                return False
            file.seek(-len(_JOURNAL_MAGIC), os.SEEK_END)
            return file.read() == _JOURNAL_MAGIC
    except OSError:
        return False
