"""git's listing of its configuration, kept while none of the files that it was read from changes.

Files count whether they exist or not: the user's, the repository's, and all that these include. A
listing is kept only when every file was the same before it was read and after (`StampedCache`), on
local disks, and when no condition decides what is included but the place of the repository.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from jupyter_ac.store.stamped_cache import SETTLED_S, StampedCache, look
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
    """The configuration of one repository. Belongs to one event loop.

    Args:
        lifetime_s: how long a listing is used at most.
        settled_s: how old the newest change must be for a listing to be kept.
    """

    def __init__(self, lifetime_s: float = LIFETIME_S, settled_s: float = SETTLED_S) -> None:
        self._listings = StampedCache[bytes](lifetime_s=lifetime_s, settled_s=settled_s)
        self._files: Sequence[str] = ()

    async def read(
        self, ask: Callable[[], Awaitable[bytes]], files: Callable[[bytes], Sequence[str]]
    ) -> bytes:
        """Return the listing.

        Args:
            ask: asks git for it.
            files: gives the files that a listing was read from; none when it isn't to be kept.

        Raises:
            Exception: what `ask` raises.
        """
        key = _environment()
        known = self._listings.get(key)
        if known is not None:
            return known
        before = await asyncio.to_thread(look, self._files) if self._files else None
        listing = await ask()
        read = await asyncio.to_thread(files, listing)
        if read == self._files:
            self._listings.keep(key, before, listing, len(listing))
        self._files = read
        return listing


def _environment() -> frozenset[tuple[str, str]]:
    """Return what of this process's environment has a say in the configuration."""
    return frozenset(
        (name, value)
        for name, value in os.environ.items()
        if name in _DECIDING or name.startswith("GIT_")
    )


def configuration_files(
    root: Path, git_dir: Path, common_dir: Path, rows: Iterable[Row]
) -> list[str]:
    """Return the files that a configuration is read from; none when that can't be told.

    Args:
        root: of the working tree, where git ran.
        git_dir: of the working tree.
        common_dir: of all working trees.
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
    """Give the files of the user and of the machine.

    Where else git may have been built to look for the latter can't be told; what is configured
    there is the user's own choice, and allowed.
    """
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        named = os.environ.get(name)
        if named:
            yield named
    yield str(home / ".gitconfig")
    folder = os.environ.get("XDG_CONFIG_HOME") or str(home / ".config")
    yield f"{folder}/git/config"
    yield "/etc/gitconfig"
