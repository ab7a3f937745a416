"""Detects other programs' changes in the repository, and reports each to the pages once.

The operating system reports only that something changed in a folder. A scan of the whole tree finds
the changes, so the result doesn't depend on single messages. Without messages the tree is polled;
with messages there is also an occasional scan, for changes that the messages missed.
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
"""Scans the tree."""

LINGER_S: Final = 5.0
"""How long a watch still runs after the last page has disconnected."""

_STALE_LOCK_S: Final = 10.0
_PAUSE_S: Final = 0.02

_AFTERMATH_S: Final = 0.3
"""The operating system's notifications of a change arrive within this time."""


@dataclass(frozen=True, slots=True)
class ScanInterval:
    """The intervals between scans of the tree; `cost` is the duration of a scan.

    Attributes:
        rest_s: minimum from the start of a scan to the next start; or `rest` times its cost.
        poll_s: the interval without messages; or `poll` times the cost.
        safety_s: the interval with messages; or `safety` times the cost.
        settle_s: how long a scan waits for a running git, or for a change of our own.
        retry_s: delay after a failed scan; doubled each time up to `retry_most_s`.
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
    """The reason for a scan."""

    NOTICE = 1
    CLOCK = 2
    AGAIN = 3


class RepositoryWatch:
    """Watches one repository while `run` runs, which is once.

    Args:
        repository: which one.
        look: scans the tree.
        own: records this host's own changes.
        audience: notified of changes.
        pace: the intervals of the scans.
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
        self._subscribers = audience
        self._pace = pace or ScanInterval()
        self._shown: Snapshot | None = None
        self._listener = FolderListener(repository)
        self._cause = ScanReason.AGAIN
        self._began = 0.0
        self._cost = 0.0
        self._retry_s = 0.0

    async def run(self) -> None:
        """Watch until cancelled; failures are retried."""
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
        """Scan, notify, watch; returns whether to scan again immediately."""
        try:
            told = await self._scan_once()
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
                    self._subscribers.publish(FilesModified([]))
            self._retry_s = 0.0
            return again
        await self._pause_after_failure()
        return True

    async def _scan_once(self) -> bool:
        """Scan the tree and publish other programs' changes; returns whether there were any."""
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
            self._subscribers.publish(FilesModified(others))
        return others is not None

    async def _see(self, before: Snapshot | None) -> Snapshot:
        """Return the tree, if possible not in the middle of a change."""
        shown = await self._timed_scan()
        differs = before is not None and shown.version != before.version
        if differs and self._cause is not ScanReason.NOTICE:
            until = time.monotonic() + _AFTERMATH_S
            if await self._listener.wait(shown, until):
                return await self._timed_scan()
        return shown

    async def _timed_scan(self) -> Snapshot:
        self._began = time.monotonic()
        shown = await self._snapshot()
        took = time.monotonic() - self._began
        # The first scan reads all files: its cost must not delay the next scan.
        self._cost = min(took, (self._cost + took) / 2) if self._cost else took
        return shown

    async def _wait(self, *, again: bool) -> None:
        """Wait for a message or the end of the interval, but at least the minimum interval."""
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
        """Return whether a git process is changing the index, and so perhaps many files."""
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
