"""Opens many files by path quickly, but never through a link.

A folder on the path may be replaced by a link at any moment. So the result is accepted only if the
system confirms that the open file is at that very path; otherwise the file is opened again, one
folder after the other.
"""

import os
from typing import Final

_FILE_FLAGS: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW
_FOLDER_FLAGS: Final = (
    getattr(os, "O_PATH", os.O_RDONLY) | os.O_CLOEXEC | os.O_DIRECTORY | os.O_NOFOLLOW
)
# A `Path` would take longer than the system call, and there may be many files.
_readlink: Final = os.readlink
_DELETED: Final = " (deleted)"
"""Suffix that the system adds to the path of a file that was replaced after it was opened."""


def open_unlinked(root: str, path: str) -> int:
    """Open an entry for reading without blocking; the caller closes the descriptor.

    Args:
        root: top of the working tree, links resolved; without a final `/`.
        path: git path, without `..`.

    Raises:
        OSError: it doesn't exist or may not be read, or there is a link on the path or at its end.
        ValueError: the name is not valid.
    """
    absolute = f"{root}/{path}"
    descriptor = os.open(absolute, _FILE_FLAGS)
    if _place(descriptor) in {absolute, absolute + _DELETED}:
        return descriptor
    os.close(descriptor)
    try:
        return _descend(root or "/", path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None


def _place(descriptor: int) -> str:
    try:
        return _readlink(f"/proc/self/fd/{descriptor}")
    except OSError:  # the system has no such folder
        return ""


def _descend(root: str, path: str) -> int:
    *folders, name = path.split("/")
    here = os.open(root, _FOLDER_FLAGS & ~os.O_NOFOLLOW)
    try:
        for folder in folders:
            below = os.open(folder, _FOLDER_FLAGS, dir_fd=here)
            os.close(here)
            here = below
        return os.open(name, _FILE_FLAGS, dir_fd=here)
    finally:
        os.close(here)
