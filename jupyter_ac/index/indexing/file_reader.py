"""Reads files of a working tree, never through symbolic links, and computes git's blob hashes."""

import hashlib
import os
import stat
from typing import Final

from jupyter_ac.git.unlinked_files import open_unlinked


class Reader:
    """Reads the files of one working tree for a while.

    It looks at each folder once, so it shall not live longer than one look at the tree.

    Args:
        root: top of the working tree.
    """

    def __init__(self, root: str) -> None:
        self._root = root.rstrip("/")
        self._plain = {"": True}

    def look(self, path: str) -> os.stat_result | None:
        """Return what the file system says of a file; None when there is no plain file."""
        try:
            found = os.lstat(f"{self._root}/{path}")
        except (OSError, ValueError):
            return None
        if not stat.S_ISREG(found.st_mode) or not self._is_plain(path.rpartition("/")[0]):
            return None
        return found

    def read(self, path: str, limit: int) -> bytes:
        """Return a file's bytes, at most so many.

        Raises:
            OSError: there is no plain file, or it may not be read.
        """
        descriptor = open_unlinked(self._root, path)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise FileNotFoundError(path)
            return file.read(limit)

    def _is_plain(self, folder: str) -> bool:
        """Tell whether a folder, and all above it, are folders and no links."""
        unknown = []
        while (known := self._plain.get(folder)) is None:
            unknown.append(folder)
            folder = folder.rpartition("/")[0]
        # A loop, outermost folder first: a repository may be thousands of folders deep.
        for each in reversed(unknown):
            known = self._plain[each] = known and _is_folder(f"{self._root}/{each}")
        return known


def _is_folder(absolute: str) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(absolute).st_mode)
    except OSError:
        return False


SHA1_DIGITS: Final = 40


def blob_hash(data: bytes, digits: int = SHA1_DIGITS) -> str:
    """Return the name that git gives a content.

    Args:
        data: the content.
        digits: length of names in the repository, which says how they are made.
    """
    new = hashlib.sha1 if digits == SHA1_DIGITS else hashlib.sha256
    return new(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
