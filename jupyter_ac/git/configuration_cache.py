"""Cache of git's configuration listing, invalidated when a file that it was read from changes.

All files count, existing or not: the user's, the repository's, and those that they include. A
listing is cached only if every file was the same before and after the read (`StampedCache`), on
local disks, and if inclusion depends on no condition except the repository's path.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from jupyter_ac.store.stamped_cache import SETTLED_S, StampedCache, take_stamp
from jupyter_ac.store.state_paths import is_local

LIFETIME_S: Final = 60.0

_FILE: Final = "file:"
_INCLUDE: Final = "include.path"
_CONDITIONAL: Final = "includeif."
_BY_PLACE: Final = ("includeif.gitdir:", "includeif.gitdir/i:")
_OPTIONAL: Final = ":(optional)"
_OF_GIT: Final = "%(prefix)"
_DECIDING: Final = frozenset({"HOME", "XDG_CONFIG_HOME", "PATH"})

_expand: Final = os.path.expanduser

Row = tuple[str, str, str, str]
"""Scope, origin, key and value of an entry."""


class ConfigurationCache:
    """Cache for the configuration of one repository. Belongs to one event loop.

    Args:
        lifetime_s: maximum age of a cached listing.
        settled_s: minimum age of the newest file change before a listing is cached.
    """

    def __init__(self, lifetime_s: float = LIFETIME_S, settled_s: float = SETTLED_S) -> None:
        self._listings = StampedCache[bytes](lifetime_s=lifetime_s, settled_s=settled_s)
        self._files: Sequence[str] = ()

    async def read(
        self, ask: Callable[[], Awaitable[bytes]], files: Callable[[bytes], Sequence[str]]
    ) -> bytes:
        """Return the cached listing, or read a new one.

        Args:
            ask: reads the listing from git.
            files: returns the files that a listing was read from; empty if it must not be cached.

        Raises:
            Exception: whatever `ask` raises.
        """
        key = _environment()
        known = self._listings.get(key)
        if known is not None:
            return known
        before = await asyncio.to_thread(take_stamp, self._files) if self._files else None
        listing = await ask()
        read = await asyncio.to_thread(files, listing)
        if read == self._files:
            self._listings.put(key, before, listing, len(listing))
        self._files = read
        return listing


def _environment() -> frozenset[tuple[str, str]]:
    """Return the environment variables that affect git's configuration."""
    return frozenset(
        (name, value)
        for name, value in os.environ.items()
        if name in _DECIDING or name.startswith("GIT_")
    )


def configuration_files(
    root: Path, git_dir: Path, common_dir: Path, rows: Iterable[Row]
) -> list[str]:
    """Return the files that a configuration is read from; empty if they can't be determined.

    Args:
        root: top of the working tree, where git ran.
        git_dir: git directory of the working tree.
        common_dir: git directory that all working trees share.
        rows: all entries.
    """
    home = Path(os.environ.get("HOME") or os.sep)
    if not all(map(is_local, {root, git_dir, common_dir, home})):
        return []
    found = [str(common_dir / "config"), str(git_dir / "config.worktree")]
    found.append(str(git_dir / "commondir"))
    if git_dir != root / ".git":
        found.append(str(root / ".git"))
    found += _of_the_user(home)
    for _, origin, key, value in rows:
        place = origin.removeprefix(_FILE) if origin.startswith(_FILE) else ""
        if place:
            found.append(str(root / place))
        is_conditional = key.startswith(_CONDITIONAL)
        if is_conditional and not key.startswith(_BY_PLACE):
            return []
        if key == _INCLUDE or (is_conditional and key.endswith(".path")):
            if value.startswith(_OF_GIT):
                return []
            found.append(str((root / place).parent / _expand(value.removeprefix(_OPTIONAL))))
    return list(dict.fromkeys(found))


def _of_the_user(home: Path) -> Iterator[str]:
    """Yield the configuration files of the user and of the machine.

    git may be built to read the latter from another path, which can't be determined; what is
    configured there is the user's own choice, and allowed.
    """
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        named = os.environ.get(name)
        if named:
            yield named
    yield str(home / ".gitconfig")
    folder = os.environ.get("XDG_CONFIG_HOME") or str(home / ".config")
    yield f"{folder}/git/config"
    yield "/etc/gitconfig"
