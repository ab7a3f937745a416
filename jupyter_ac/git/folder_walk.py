"""Walks through the folders of the working tree with one open descriptor at a time.

Each folder is opened relative to the one above, without following links. On the way up `..` is
opened only if it is the folder that the walk came from: a folder that was moved meanwhile leads
nowhere. So a walk costs one step per folder, at any depth.
"""

import errno
import os
from collections.abc import Iterator
from types import TracebackType
from typing import Final, Self

from jupyter_ac.git.repository import Repository

_FLAGS: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY | os.O_NOFOLLOW
_ABOVE: Final = ".."

_Mark = tuple[int, int]
"""Identity of a folder: device and inode."""


class FolderWalk:
    """The walk: starts in the top folder; a context manager that closes the descriptor.

    Args:
        repository: the repository.

    Attributes:
        here: descriptor of the current folder; it changes with each step.

    Raises:
        OSError: the top folder can't be opened.
    """

    def __init__(self, repository: Repository) -> None:
        self.here = os.open(repository.root, _FLAGS)
        self._path: list[_Mark] = [_mark(self.here)]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self.here)

    def enter(self, *names: str) -> None:
        """Go down into folders.

        Raises:
            OSError: a folder is missing, or is a link or something else.
        """
        for name in names:
            self._step(os.open(name, _FLAGS, dir_fd=self.here))
            self._path.append(_mark(self.here))

    def leave(self) -> None:
        """Go up to the folder above.

        Raises:
            OSError: the folder has been moved.
        """
        above = os.open(_ABOVE, _FLAGS, dir_fd=self.here)
        if _mark(above) != self._path[-2]:
            os.close(above)
            raise OSError(errno.ESTALE, os.strerror(errno.ESTALE))
        self._step(above)
        self._path.pop()

    def remove_empty(self, name: str) -> None:
        """Remove a folder that contains only folders.

        Raises:
            OSError: it contains something else, or it is no folder.
        """
        self.enter(name)
        names = [name]
        inside = [_names(self.here)]
        while names:
            below = next(inside[-1], None)
            if below is not None:
                self.enter(below)
                names.append(below)
                inside.append(_names(self.here))
            else:
                self.leave()
                inside.pop()
                os.rmdir(names.pop(), dir_fd=self.here)

    def _step(self, descriptor: int) -> None:
        os.close(self.here)
        self.here = descriptor


def _names(descriptor: int) -> Iterator[str]:
    with os.scandir(descriptor) as rows:
        return iter([row.name for row in rows])


def _mark(descriptor: int) -> _Mark:
    found = os.fstat(descriptor)
    return found.st_dev, found.st_ino
