"""Detects other programs' changes in the repository, and reports each to the pages once.

The operating system tells that something has happened in a folder; what it was, a look at the whole
tree finds out, so that nothing hangs on which messages came. Where no messages come there are looks
all the time, and everywhere a seldom one for what they did not tell.
"""

import asyncio
import logging
import os
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum
from itertools import count
from typing import Final, TypeAlias

from jupyter_ac.errors import AcError
from jupyter_ac.events import FilesModified
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.tree.entries import CONFLICTED, STAGED
from jupyter_ac.git.tree.snapshot import Snapshot
from jupyter_ac.git.watch.listener import FolderListener
from jupyter_ac.services.repo.own_changes import OwnChanges
from jupyter_ac.services.repo.write_context import ChangeListeners

logger = logging.getLogger(__name__)

Look: TypeAlias = Callable[[], Awaitable[Snapshot]]
"""Returns the tree as it is."""

LINGER_S: Final = 5.0
"""For how long a watch goes on when the last page has left."""

_STALE_LOCK_S: Final = 10.0
_PAUSE_S: Final = 0.02

_AFTERMATH_S: Final = 0.3
"""Notices of what happens now have come in after so long."""


@dataclass(frozen=True, slots=True)
class ScanInterval:
    """How often the tree is looked at; `cost` is what a look takes.

    Attributes:
        rest_s: least time from the begin of a look to the next one; or `rest` times its cost.
        poll_s: the same where no messages come; or `poll` times its cost.
        safety_s: the same where they come; or `safety` times its cost.
        settle_s: how long a look waits for a git, or a change of our own, that is at work.
        retry_s: pause after a look that failed; doubled each time up to `retry_most_s`.
    """

    rest_s: float = 1.0
    rest: float = 3.0
    poll_s: float = 1.5
    poll: float = 10.0
    safety_s: float = 60.0
    safety: float = 400.0
    settle_s: float = 1.2
    retry_s: float = 5.0
    retry_most_s: float = 60.0


class ScanReason(Enum):
    """Why there is a look."""

    NOTICE = 1
    CLOCK = 2
    AGAIN = 3


class RepositoryWatch:
    """Watches one repository while `run` runs, which is once.

    Args:
        repository: which one.
        look: returns the tree as it is.
        own: knows what this host has changed itself.
        audience: is told.
        pace: how often to look.
    """

    def __init__(
        self,
        repository: Repository,
        look: Look,
        own: OwnChanges,
        audience: ChangeListeners,
        pace: ScanInterval | None = None,
    ) -> None:
        self._repository = repository
        self._snapshot = look
        self._own = own
        self._audience = audience
        self._pace = pace or ScanInterval()
        self._shown: Snapshot | None = None
        self._listener = FolderListener(repository)
        self._cause = ScanReason.AGAIN
        self._began = 0.0
        self._cost = 0.0
        self._retry_s = 0.0

    async def run(self) -> None:
        """Watch until cancelled; whatever fails is tried again."""
        try:
            hurried = False
            while True:
                again = await self._round()
                hurried = again and not hurried
                self._cause = ScanReason.AGAIN
                if not hurried:
                    await self._wait(again=again)
        finally:
            await self._listener.close()

    async def _round(self) -> bool:
        """Look, tell, watch; returns whether to look again at once."""
        try:
            told = await self._look()
            shown = self._shown
            again = shown is not None and await self._listener.update(shown)
            if told and self._cause is ScanReason.CLOCK:
                await self._listener.report_unannounced()
        except (AcError, OSError) as error:
            if not self._retry_s:
                logger.warning("%r can't be watched: %s", self._repository.name, error)
        except Exception:
            if not self._retry_s:
                logger.exception("%r can't be watched", self._repository.name)
        else:
            if self._retry_s:
                logger.info("%r is watched again", self._repository.name)
                if not told:
                    # Pages that asked meanwhile show why they could not be answered.
                    self._audience.publish(FilesModified([]))
            self._retry_s = 0.0
            return again
        await self._pause_after_failure()
        return True

    async def _look(self) -> bool:
        """Look at the tree and tell what others have changed; returns whether they have."""
        before, deadline = self._shown, time.monotonic() + self._pace.settle_s
        if before is not None:
            await _until_quiet(lambda: self._own.under_way or self._is_locked(), deadline)
            await self._listener.needs_scan(before)
        mark = self._own.mark()
        shown = await self._see(before)
        others: list[str] | None = None
        if before is not None and shown.version != before.version:
            paths, staged = await asyncio.to_thread(_difference, before, shown)
            await _until_quiet(lambda: self._own.under_way, deadline)
            others = await self._own.others(paths, staged)
        self._shown = shown
        self._own.forget(mark)
        if others is not None:
            self._audience.publish(FilesModified(others))
        return others is not None

    async def _see(self, before: Snapshot | None) -> Snapshot:
        """Return the tree, not in the middle of a change if that can be helped."""
        shown = await self._measured_look()
        differs = before is not None and shown.version != before.version
        if differs and self._cause is not ScanReason.NOTICE:
            until = time.monotonic() + _AFTERMATH_S
            if await self._listener.wait(shown, until):
                return await self._measured_look()
        return shown

    async def _measured_look(self) -> Snapshot:
        self._began = time.monotonic()
        shown = await self._snapshot()
        took = time.monotonic() - self._began
        # The first look reads all files: no later one has to rest for that.
        self._cost = min(took, (self._cost + took) / 2) if self._cost else took
        return shown

    async def _wait(self, *, again: bool) -> None:
        """Wait until something has happened, or long enough, but not to look too often."""
        pace, shown = self._pace, self._shown
        if not again and shown is not None:
            least, times = pace.safety_s, pace.safety
            if not self._listener.is_reliable:
                least, times = pace.poll_s, pace.poll
            until = self._began + max(least, times * self._cost)
            heard = await self._listener.wait(shown, until)
            self._cause = ScanReason.NOTICE if heard else ScanReason.CLOCK
        rest_until = self._began + max(pace.rest_s, pace.rest * self._cost)
        await asyncio.sleep(max(0.0, rest_until - time.monotonic()))

    def _is_locked(self) -> bool:
        """Tell whether a git is changing the index, and so perhaps many files."""
        try:
            since = os.lstat(self._repository.git_dir / "index.lock").st_mtime
        except OSError:
            return False
        return abs(time.time() - since) < _STALE_LOCK_S

    async def _pause_after_failure(self) -> None:
        pace = self._pace
        self._retry_s = min(2 * self._retry_s, pace.retry_most_s) or pace.retry_s
        self._listener.rewatch_all()
        await asyncio.sleep(self._retry_s)


def _difference(before: Snapshot, shown: Snapshot) -> tuple[list[str], set[str]]:
    """Return the paths that differ, sorted, and those of them that differ in the index."""
    paths = shown.changed_from(before)
    return paths, {path for path in paths if _in_index(before, path) != _in_index(shown, path)}


def _in_index(snapshot: Snapshot, path: str) -> int:
    entry = snapshot.entries.get(path)
    return 0 if entry is None else entry.flags & (STAGED | CONFLICTED)


async def _until_quiet(is_loud: Callable[[], bool], deadline: float) -> None:
    for _ in count():
        if not is_loud() or time.monotonic() > deadline:
            return
        await asyncio.sleep(_PAUSE_S)
