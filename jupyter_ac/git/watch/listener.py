"""Listens for changes in a repository's watched folders, and updates the watches.

Also reports how reliable this is: some systems don't report changes in all folders, or report only
changes made on this machine.
"""

import asyncio
import logging
import time
from collections.abc import Collection
from pathlib import Path
from typing import Final

from jupyter_ac.git.repository import Repository
from jupyter_ac.git.tree.snapshot import Snapshot
from jupyter_ac.git.watch.folders import Reaction, WatchedFolders, folders_to_watch, reaction_to
from jupyter_ac.git.watch.fs_events import Change, FolderWatch, WatchUnavailable, watch_folders
from jupyter_ac.store.state_paths import is_local

logger = logging.getLogger(__name__)

_LIMIT: Final = Path("/proc/sys/fs/inotify/max_user_watches")
_DOUBT_S: Final = 1.0
_TOO_OFTEN: Final = 2
_EVENTS_MISSING: Final = "the system did not report some changes"


class FolderListener:
    """Listens to one repository. Belongs to one event loop.

    Args:
        repository: the repository.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._watch: FolderWatch | None = None
        self._watched: WatchedFolders | None = None
        self._reaction = Reaction.NOTHING
        self._changes: set[Change] = set()
        self._lost = False
        self._wake = asyncio.Event()
        self._missed = 0
        self._misses_events = False
        self._unreliable_because = ""

    @property
    def is_reliable(self) -> bool:
        """Whether every change is likely to be reported."""
        return self._watch is not None and not self._unreliable_because

    async def update(self, shown: Snapshot) -> bool:
        """Update the watches after a scan; returns whether changes may have been missed.

        Args:
            shown: the result of the scan.

        Raises:
            AcError: the repository can't be read.
        """
        reaction, self._reaction = self._reaction, Reaction.NOTHING
        old = self._watched
        try:
            if old is not None and reaction < Reaction.WALK and await _is_same(shown, old):
                return False
            self._watched = await folders_to_watch(self._repository, shown)
        except BaseException:
            self._reaction = Reaction.REWATCH
            raise
        if old is not None and reaction < Reaction.REWATCH and self._watched.all == old.all:
            return False
        await self._renew(self._watched)
        return True

    async def needs_scan(self, shown: Snapshot) -> bool:
        """Process the received changes; returns whether they require a scan.

        Args:
            shown: the tree before.
        """
        changes = None if self._lost else self._changes
        self._changes, self._lost = set(), False
        self._wake.clear()
        if self._watched is None:
            return False
        asked = (changes, self._watched, self._repository, shown)
        try:
            reaction = await asyncio.to_thread(reaction_to, *asked)
        except BaseException:
            self._lost = True
            raise
        self._reaction = max(self._reaction, reaction)
        return reaction > Reaction.NOTHING

    async def wait(self, shown: Snapshot, until: float) -> bool:
        """Wait for a change that requires a scan; returns whether one arrived.

        Args:
            shown: the tree before.
            until: deadline on the monotonic clock.
        """
        try:
            async with asyncio.timeout(max(0.0, until - time.monotonic())):
                await self._wake.wait()
                while not await self.needs_scan(shown):
                    await self._wake.wait()
        except TimeoutError:
            return False
        return True

    async def report_unannounced(self) -> None:
        """Record that a scan found a change that the system had not reported."""
        if not self.is_reliable:
            return
        try:
            async with asyncio.timeout(_DOUBT_S):
                await self._wake.wait()
        except TimeoutError:
            self._missed += 1
            if self._missed >= _TOO_OFTEN:
                self._misses_events = True
                self._distrust(_EVENTS_MISSING)

    def rewatch_all(self) -> None:
        """Have all watches created again after the next scan."""
        self._reaction = Reaction.REWATCH

    async def close(self) -> None:
        """Stop listening."""
        watch, self._watch = self._watch, None
        if watch is not None:
            await watch.aclose()

    async def _renew(self, watched: WatchedFolders) -> None:
        await self.close()
        doubt = _EVENTS_MISSING if self._misses_events else ""
        try:
            doubt = await asyncio.to_thread(_unreliable_because, self._repository, watched) or doubt
            self._watch = await watch_folders(watched.all, self._receive)
        except WatchUnavailable as error:
            doubt = error.message
            # A folder may have been removed since; a retry changes nothing else.
            if isinstance(error.__cause__, FileNotFoundError):
                self._reaction = Reaction.WALK
        self._distrust(doubt)
        logger.debug("%r: %d folders are watched", self._repository.name, len(watched.all))

    def _distrust(self, doubt: str) -> None:
        if doubt and not self._unreliable_because:
            logger.info("%r is scanned periodically: %s", self._repository.name, doubt)
        self._unreliable_because = doubt

    def _receive(self, changes: Collection[Change] | None) -> None:
        if changes is None:
            self._lost = True
        else:
            self._changes.update(changes)
        self._wake.set()


async def _is_same(shown: Snapshot, old: WatchedFolders) -> bool:
    return await asyncio.to_thread(lambda: set(shown.folders) == set(old.shown))


def _unreliable_because(repository: Repository, watched: WatchedFolders) -> str:
    """Return why some changes may not be reported; "" if all are.

    Raises:
        WatchUnavailable: there are too many folders.
    """
    folders, limit = len(watched.all), watch_limit()
    if limit is not None and folders > limit:
        raise WatchUnavailable(
            f"it has {folders} folders, and {limit} can be watched; "
            "raise fs.inotify.max_user_watches."
        )
    if watched.unnameable:
        return "folders whose names are not UTF-8 can't be watched"
    if not is_local(repository.root):
        return "its file system can be changed from elsewhere"
    return ""


def watch_limit() -> int | None:
    """Return how many folders may be watched; None if the system doesn't say.

    It is half of the user's limit; the other half is left to other programs.
    """
    try:
        return int(_LIMIT.read_text("ascii")) // 2
    except (OSError, ValueError):
        return None
