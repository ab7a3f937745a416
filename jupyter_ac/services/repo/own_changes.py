"""Remembers the changes that this host has published, so that the watch doesn't repeat them.

Each published path is recorded with its file's state at that moment. Any later difference from this
state is the change of another program.
"""

import asyncio
import os
import stat
import sys
import time
from collections.abc import Callable, Collection, Container, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final, TypeAlias

from jupyter_ac.events import FilesModified
from jupyter_ac.git.repository import Repository

Sign: TypeAlias = tuple[int, ...]
"""Fingerprint of a file's state; () for no file."""

_MOST: Final = 1000
"""More paths than this are not recorded individually."""

_AT_ONCE: Final = 500
"""So many files are checked in a few milliseconds; then the event loop gets control."""

_GIT_FILES: Final = ("index", "HEAD", "logs/HEAD", "MERGE_HEAD")

_REALTIME_COARSE: Final = 5
"""Linux's clock for file times; it advances only with each kernel tick."""


@dataclass(frozen=True, slots=True)
class _PublishedPath:
    """One published path.

    Attributes:
        number: in the order of publishing.
        moment: time of publishing, by the clock of file times.
        sign: the fingerprint at that moment.
    """

    number: int
    moment: int
    sign: Sign


class OwnChanges:
    """Records the changes of this host, and recognizes them later. Belongs to one event loop.

    Args:
        repository: the repository.
        under_way: returns whether an unpublished change is in progress.
    """

    def __init__(self, repository: Repository, under_way: Callable[[], bool]) -> None:
        self._repository = repository
        self._under_way = under_way
        self._numbers = count()
        self._published: dict[str, _PublishedPath] = {}
        self._git: tuple[Sign, ...] = ()

    @property
    def under_way(self) -> bool:
        """Whether an unpublished change is in progress."""
        return self._under_way()

    def files_modified(self, event: FilesModified) -> None:
        """Record the changes that this host publishes; [] stands for any file."""
        self._remember(event.paths)

    def mark(self) -> int:
        """Return a number that stands for all changes published until this moment."""
        return next(self._numbers)

    def forget(self, mark: int) -> None:
        """Forget the changes published before a mark."""
        self._published = {
            path: told for path, told in self._published.items() if told.number > mark
        }

    async def others(self, paths: list[str], staged: Container[str] = ()) -> list[str] | None:
        """Return the paths that other programs have changed, sorted.

        Args:
            paths: paths that differ since the previous mark; [] when only git's state differs.
            staged: the paths among them that differ in the index.

        Returns:
            [] when only git's state differs; None when all differences were published.
        """
        git_differs = not self._published or self._git_signs() != self._git
        restaged = staged if git_differs else ()
        theirs: set[str] = set()
        for at in range(0, len(paths), _AT_ONCE):
            if at:
                await asyncio.sleep(0)
            some = paths[at : at + _AT_ONCE]
            theirs.update(path for path in some if path in restaged or not self._is_published(path))
        # A published change that was reverted since also differs from the pages' state.
        theirs.update(
            path for path, told in self._published.items() if self._is_another(path, told)
        )
        return sorted(theirs) if theirs or git_differs else None

    def _remember(self, paths: Collection[str]) -> None:
        number, moment = next(self._numbers), _moment()
        if len(self._published) + len(paths) > _MOST:
            paths = ()
        for path in paths or ("",):
            self._published[path] = _PublishedPath(number, moment, self._sign(path))
        self._git = self._git_signs()

    def _is_published(self, path: str) -> bool:
        told = self._published.get(path)
        if told is not None and self._sign(path) == told.sign:
            return True
        folders = [self._published[each] for each in _above(path) if each in self._published]
        return any(
            (told is None or folder.number > told.number) and self._is_older(path, folder)
            for folder in folders
        )

    def _is_another(self, path: str, told: _PublishedPath) -> bool:
        sign = self._sign(path)
        return sign != told.sign and not any(map(_is_folder, (sign, told.sign)))

    def _is_older(self, path: str, folder: _PublishedPath) -> bool:
        """Return whether a path is unchanged since a folder above it was published."""
        if not folder.sign:
            return not os.path.lexists(self._repository.root / path)
        with suppress(OSError):
            return os.lstat(self._repository.root / path).st_ctime_ns < folder.moment
        for above in _above(path):
            with suppress(OSError):
                return os.lstat(self._repository.root / above).st_mtime_ns < folder.moment
        return False

    def _sign(self, path: str) -> Sign:
        return _sign(self._repository.root / path)

    def _git_signs(self) -> tuple[Sign, ...]:
        return tuple(_sign(self._repository.git_dir / name) for name in _GIT_FILES)


def _above(path: str) -> Iterator[str]:
    """Yield the folders above a path, the nearest first, "" last."""
    while path:
        path = path.rpartition("/")[0]
        yield path


def _sign(place: Path) -> Sign:
    try:
        found = place.lstat()
    except OSError:
        return ()
    return found.st_mode, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _is_folder(sign: Sign) -> bool:
    return bool(sign) and stat.S_ISDIR(sign[0])


def _moment() -> int:
    """Return a lower bound for the times of files that are changed after this call."""
    is_linux = sys.platform == "linux"
    return time.clock_gettime_ns(_REALTIME_COARSE if is_linux else time.CLOCK_REALTIME)
