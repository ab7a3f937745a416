"""Private profile folders of browsers that this process starts.

A folder is locked for as long as its owner or its browser runs. A folder whose owner was killed is
removed by who started the owner, or when the next one is made.
"""

import fcntl
import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import Final

PREFIX: Final = "jupyter-ac-browser-"

_LOCK: Final = ".jupyter-ac.lock"
_YOUNG_S: Final = 60.0
"""Younger folders without an owner's name may be in the making: made, but not locked yet."""

_LEFT_S: Final = 10.0
_LEFT_PAUSE_S: Final = 0.2

_REMOVE_TRIES: Final = 20
_REMOVE_PAUSE_S: Final = 0.1


class Profile:
    """A folder that only this user can read.

    Attributes:
        path: of the folder.
    """

    def __init__(self, path: Path, lock_fd: int) -> None:
        self.path = path
        self._lock_fd = lock_fd

    @classmethod
    def create(cls, parent: Path | None = None) -> "Profile":
        """Make a new folder, mode 0700.

        Args:
            parent: by default the system's folder for temporary files.

        Raises:
            OSError: it can't be made.
        """
        parent = parent or Path(tempfile.gettempdir())
        remove_stale(parent)
        path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
        lock_fd = os.open(path / _LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        fcntl.flock(lock_fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.write(lock_fd, str(os.getpid()).encode())
        return cls(path, lock_fd)

    @property
    def lock_fd(self) -> int:
        """The descriptor of the lock; whoever inherits it keeps the folder."""
        return self._lock_fd

    def remove(self) -> bool:
        """Remove the folder; its browser's last processes may still write for a moment.

        Returns:
            whether it is gone.
        """
        for _ in range(_REMOVE_TRIES):
            shutil.rmtree(self.path, ignore_errors=True)
            if not self.path.exists():
                break
            time.sleep(_REMOVE_PAUSE_S)
        if self._lock_fd >= 0:
            os.close(self._lock_fd)
            self._lock_fd = -1
        return not self.path.exists()


def remove_stale(parent: Path) -> None:
    """Remove the folders of this user whose owners have ended."""
    for path in parent.glob(f"{PREFIX}*"):
        try:
            if _is_stale(path):
                shutil.rmtree(path, ignore_errors=True)
        except OSError:
            continue  # another process has removed it


def remove_left(owner: int, parent: Path | None = None) -> None:
    """Remove the folders of a process that was killed, when their browsers have ended; bounded.

    Args:
        owner: its number.
        parent: as of `Profile.create`.
    """
    parent = parent or Path(tempfile.gettempdir())
    end = time.monotonic() + _LEFT_S
    while _folders_of(owner, parent) and time.monotonic() < end:
        remove_stale(parent)
        time.sleep(_LEFT_PAUSE_S)


def _folders_of(owner: int, parent: Path) -> list[Path]:
    return [path for path in parent.glob(f"{PREFIX}*") if _owner(path) == str(owner)]


def _owner(path: Path) -> str:
    """Give the number of the process that has made a folder; "" while it isn't there."""
    try:
        lock_fd = os.open(path / _LOCK, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return ""
    try:
        return os.read(lock_fd, 20).decode("ascii", "replace")
    finally:
        os.close(lock_fd)


def _is_stale(path: Path) -> bool:
    status = path.lstat()
    if path.is_symlink() or not path.is_dir() or status.st_uid != os.getuid():
        return False
    if not _owner(path) and time.time() - status.st_mtime < _YOUNG_S:
        return False
    lock_fd = os.open(path / _LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(lock_fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(lock_fd)
    return True
