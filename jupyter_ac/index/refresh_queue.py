"""Queues changed paths and refreshes the index in batches, with retries."""

import asyncio
import logging
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Final, Protocol

from jupyter_ac.errors import AcError
from jupyter_ac.ids import RepoPath

_logger = logging.getLogger(__name__)

PAUSE_S: Final = 0.03
"""For which a change waits for those that come with it."""

FIRST_RETRY_S: Final = 1.0
"""After which a refresh that failed is tried again; twice as long after each further failure."""

_LAST_RETRY_S: Final = 30.0


class Refreshable(Protocol):
    """The part of `IndexClient` that is used."""

    async def refresh(self, paths: Collection[RepoPath] | None = None) -> object:
        """Bring it up to date; raises `AcError`."""


def _nothing() -> None:
    pass


class RefreshQueue:
    """Passes changes on to the index, several at once. Belongs to one event loop.

    Args:
        index: what is brought up to date.
        refreshed: called after each time.
    """

    def __init__(self, index: Refreshable, refreshed: Callable[[], None] = _nothing) -> None:
        self._index = index
        self._refreshed = refreshed
        self._waiting: set[RepoPath] | None = set()
        self._calm = asyncio.Event()
        self._calm.set()
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False

    def touched(self, paths: Collection[str]) -> None:
        """Note that files have changed; none at all stands for any."""
        if self._is_closed:
            return
        if not paths:
            self._waiting = None
        elif self._waiting is not None:
            self._waiting.update(map(RepoPath, paths))
        self._calm.clear()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._catch_up(), name="index: following")

    async def settled(self, wait_s: float) -> bool:
        """Wait until all that was noted is in the index, for a while; say whether it is."""
        with suppress(TimeoutError):
            async with asyncio.timeout(wait_s):
                await self._calm.wait()
        return self._calm.is_set()

    async def aclose(self) -> None:
        """Pass nothing more on."""
        self._is_closed = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
        self._calm.set()

    async def _catch_up(self) -> None:
        retry_s = FIRST_RETRY_S
        while self._waiting is None or self._waiting:
            await asyncio.sleep(PAUSE_S)
            paths, self._waiting = self._waiting, set()
            try:
                await self._index.refresh(None if paths is None else sorted(paths))
            except AcError as error:
                _logger.info("the index is not up to date: %s", error)
                # What changed meanwhile isn't known path by path any more.
                self._waiting = None
                await asyncio.sleep(retry_s)
                retry_s = min(2 * retry_s, _LAST_RETRY_S)
                continue
            retry_s = FIRST_RETRY_S
            self._refreshed()
        self._calm.set()
