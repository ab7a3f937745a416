"""Hears of changes in a repository's folders, whichever these are at the time.

Says how far that can be relied on: some systems tell nothing, of some folders, or only of what
happened on this machine.
"""

import asyncio
import logging
import time
from collections.abc import Collection
from pathlib import Path
from typing import Final

from jupyter_ac.git.repository import Repository
from jupyter_ac.git.tree.snapshot import Snapshot
from jupyter_ac.git.watch.folders import Meaning, Watched, folders_to_watch, meaning_of
from jupyter_ac.git.watch.fs_events import Change, NoNotices, Notices, notices_of
from jupyter_ac.store.state_paths import is_local

logger = logging.getLogger(__name__)

_LIMIT: Final = Path("/proc/sys/fs/inotify/max_user_watches")
_DOUBT_S: Final = 1.0
_TOO_OFTEN: Final = 2
_DEAF: Final = "the system did not tell of changes that there were"


class FolderListener:
    """Listens to one repository. Belongs to one event loop.

    Args:
        repository: which one.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._notices: Notices | None = None
        self._watched: Watched | None = None
        self._meaning = Meaning.NOTHING
        self._heard: set[Change] = set()
        self._lost = False
        self._wake = asyncio.Event()
        self._missed = 0
        self._is_deaf = False
        self._doubt = ""

    @property
    def is_reliable(self) -> bool:
        """Whether every change is likely to be heard of."""
        return self._notices is not None and not self._doubt

    async def follow(self, shown: Snapshot) -> bool:
        """Listen where it is due after a look; returns whether something may have been missed.

        Args:
            shown: what the look found.

        Raises:
            AcError: the repository can't be read.
        """
        meaning, self._meaning = self._meaning, Meaning.NOTHING
        old = self._watched
        try:
            if old is not None and meaning < Meaning.WALK and await _is_same(shown, old):
                return False
            self._watched = await folders_to_watch(self._repository, shown)
        except BaseException:
            self._meaning = Meaning.RENEW
            raise
        if old is not None and meaning < Meaning.RENEW and self._watched.all == old.all:
            return False
        await self._renew(self._watched)
        return True

    async def judge(self, shown: Snapshot) -> bool:
        """Take in what was heard; returns whether it is worth a look.

        Args:
            shown: the tree before.
        """
        heard = None if self._lost else self._heard
        self._heard, self._lost = set(), False
        self._wake.clear()
        if self._watched is None:
            return False
        asked = (heard, self._watched, self._repository, shown)
        try:
            meaning = await asyncio.to_thread(meaning_of, *asked)
        except BaseException:
            self._lost = True
            raise
        self._meaning = max(self._meaning, meaning)
        return meaning > Meaning.NOTHING

    async def listen(self, shown: Snapshot, until: float) -> bool:
        """Wait for a change that is worth a look; returns whether one came.

        Args:
            shown: the tree before.
            until: by the monotonic clock.
        """
        try:
            async with asyncio.timeout(max(0.0, until - time.monotonic())):
                await self._wake.wait()
                while not await self.judge(shown):
                    await self._wake.wait()
        except TimeoutError:
            return False
        return True

    async def doubt(self) -> None:
        """Consider that a change was found of which nothing has been heard."""
        if not self.is_reliable:
            return
        try:
            async with asyncio.timeout(_DOUBT_S):
                await self._wake.wait()
        except TimeoutError:
            self._missed += 1
            if self._missed >= _TOO_OFTEN:
                self._is_deaf = True
                self._distrust(_DEAF)

    def start_afresh(self) -> None:
        """Trust in nothing that is watched at the moment."""
        self._meaning = Meaning.RENEW

    async def close(self) -> None:
        """Hear nothing more."""
        notices, self._notices = self._notices, None
        if notices is not None:
            await notices.aclose()

    async def _renew(self, watched: Watched) -> None:
        await self.close()
        doubt = _DEAF if self._is_deaf else ""
        try:
            doubt = await asyncio.to_thread(_doubt, self._repository, watched) or doubt
            self._notices = await notices_of(watched.all, self._hear)
        except NoNotices as error:
            doubt = error.message
            # A folder may have gone since; nothing else changes by asking again.
            if isinstance(error.__cause__, FileNotFoundError):
                self._meaning = Meaning.WALK
        self._distrust(doubt)
        logger.debug("%r: %d folders are watched", self._repository.name, len(watched.all))

    def _distrust(self, doubt: str) -> None:
        if doubt and not self._doubt:
            logger.info("%r is looked at again and again: %s", self._repository.name, doubt)
        self._doubt = doubt

    def _hear(self, changes: Collection[Change] | None) -> None:
        if changes is None:
            self._lost = True
        else:
            self._heard.update(changes)
        self._wake.set()


async def _is_same(shown: Snapshot, old: Watched) -> bool:
    return await asyncio.to_thread(lambda: set(shown.folders) == set(old.shown))


def _doubt(repository: Repository, watched: Watched) -> str:
    """Return why not every change would be heard of; "" when it would.

    Raises:
        NoNotices: there are too many folders.
    """
    folders, limit = len(watched.all), watch_limit()
    if limit is not None and folders > limit:
        raise NoNotices(
            f"it has {folders} folders, and {limit} can be watched; "
            "raise fs.inotify.max_user_watches."
        )
    if watched.unnameable:
        return "folders whose names are not UTF-8 can't be watched"
    if not is_local(repository.root):
        return "its file system can be changed from elsewhere"
    return ""


def watch_limit() -> int | None:
    """Return how many folders may be watched; None where the system doesn't say.

    The user's other programs keep the other half of what all of them may watch together.
    """
    try:
        return int(_LIMIT.read_text("ascii")) // 2
    except (OSError, ValueError):
        return None
