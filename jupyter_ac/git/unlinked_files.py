"""Files opened by their paths, many of them quickly, none through a link.

A folder on the way may be exchanged with a link at any moment. So what was opened counts when the
system says that it lies at that very path; where it says something else, or doesn't say it, the
file is opened again, one folder after the other.
"""

import os
from typing import Final

_FILE_FLAGS: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW
_FOLDER_FLAGS: Final = (
    getattr(os, "O_PATH", os.O_RDONLY) | os.O_CLOEXEC | os.O_DIRECTORY | os.O_NOFOLLOW
)
# A `Path` would take longer than the call, and there may be many files.
_readlink: Final = os.readlink
_DELETED: Final = " (deleted)"
"""What the system adds to the path of a file that was replaced after it was opened."""


def open_unlinked(root: str, path: str) -> int:
    """Open what is at a path for reading, without waiting; the caller closes the descriptor.

    Args:
        root: top of the working tree, links resolved; without `/` at its end.
        path: as git names it, without `..`.

    Raises:
        OSError: nothing is there, it may not be read, or a link is on the way or at its end.
        ValueError: no name can be like that.
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
