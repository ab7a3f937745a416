"""Folders and files of state that may come from anybody: no links, no pipes.

What SQLite and the locks open by its path is looked at right before: a link in its place, also one
that was put there while this process runs, would have them write elsewhere.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from jupyter_ac.errors import RefusedPath

_JOURNAL_MAGIC: Final = bytes.fromhex("d9d505f920a163d7")


def require_plain_folder(folder: Path) -> None:
    """See that a folder is where its path says.

    Args:
        folder: with all links above it resolved when it was chosen.

    Raises:
        FileNotFoundError: there is none.
        RefusedPath: it, or a folder above it, is a link now; or it is no folder.
    """
    found = folder.lstat()
    is_moved = os.path.realpath(folder) != os.path.normpath(folder)
    if is_moved or not stat.S_ISDIR(found.st_mode):
        raise RefusedPath(
            f"The folder {folder.name!r} leads through a link now, or is no folder, so nothing is "
            "kept there. Remove what took its place, or put the folder back."
        )


def make_plain_folder(folder: Path) -> None:
    """Make a folder for its owner only; one that is there stays, when it is plain.

    Raises:
        OSError: it can't be made.
        RefusedPath: something else is in its place.
    """
    with suppress(FileExistsError):  # looked at below, whatever it is
        folder.mkdir(mode=0o700)
    require_plain_folder(folder)


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
