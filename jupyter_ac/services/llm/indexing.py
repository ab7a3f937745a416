"""Builds and updates an open workspace's index in the background, and reports progress."""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Final, Protocol, cast

from jupyter_ac.chat.ports import Enrichment, MapState
from jupyter_ac.errors import AcError
from jupyter_ac.events import CompactionEvent, FilesModified, StartupProgress, TurnProgress
from jupyter_ac.index.client import IndexState, IndexStatus
from jupyter_ac.index.indexing.progress import RefreshProgress
from jupyter_ac.index.refresh_queue import Refreshable, RefreshQueue
from jupyter_ac.services.repo.write_context import ChangeListeners

_logger = logging.getLogger(__name__)

STAGE: Final = "indexing"
_QUIET_S: Final = 1.0
"""Progress is reported only for an index that takes longer than this to build."""

_BETWEEN_S: Final = 0.5
_SETTLE_S: Final = 1.0
"""Debounce time: documents must be unchanged for so long before keyword extraction starts."""

_MAKE_S: Final = 3600.0
_ENRICH_S: Final = 3600.0


class IndexUpdates(Refreshable, Protocol):
    """The part of `IndexClient` that is used here."""

    @property
    def status(self) -> IndexStatus:
        """The status of the index."""

    def start(self) -> None:
        """Start to build the index."""

    async def ready(self, wait_s: float) -> bool:
        """Wait until the index can be queried."""

    async def run(
        self, name: str, *args: object, on_event: Callable[[object], None], timeout_s: float
    ) -> object:
        """Run a job of the worker."""

    async def aclose(self) -> None:
        """End the worker."""


class Indexing:
    """Updates the index after changes by this host and others, and reports its status to pages.

    Changes come as events, so other code doesn't depend on the index.

    Args:
        index: of the working tree.
        pages: notified of the progress.
    """

    def __init__(self, index: IndexUpdates, pages: ChangeListeners) -> None:
        self._index = index
        self._pages = pages
        self._follower = RefreshQueue(index, self._refreshed)
        self._enrichment: Enrichment = "unavailable"
        self._enriching: asyncio.Task[None] | None = None
        self._is_stale = False
        self._began = 0.0
        self._told = 0.0
        self._making: asyncio.Task[None] | None = None

    def files_modified(self, event: FilesModified) -> None:
        """Index changed files again; [] stands for any file."""
        self._follower.touched(event.paths)

    def start(self) -> None:
        """Start to build the index; returns immediately."""
        self._began = time.monotonic()
        self._making = asyncio.create_task(self._make(), name="index: making")

    def rescan(self) -> None:
        """Scan the whole tree: it was not watched for a while."""
        if self._index.status.state is IndexState.READY:
            self._follower.touched(())

    async def settled(self, wait_s: float) -> bool:
        """Wait until the index is ready and includes all known changes; return whether it is."""
        deadline = time.monotonic() + wait_s
        if not await self._index.ready(wait_s):
            return False
        return await self._follower.settled(max(0.0, deadline - time.monotonic()))

    def state(self) -> MapState:
        """Return the progress of the indexes."""
        status = self._index.status
        is_ready = status.state is IndexState.READY
        is_building = status.state in {IndexState.INDEXING, IndexState.OFF}
        return MapState(
            code_ready=is_ready,
            code_building=is_building,
            doc_ready=is_ready,
            doc_building=is_building,
            enrichment=self._enrichment if is_ready else "unavailable",
            message=status.reason,
        )

    def progressed(self, progress: RefreshProgress) -> None:
        """Report the progress of the first scan to the pages, if it takes long."""
        now = time.monotonic()
        is_first = self._making is not None and not self._making.done()
        if not is_first or now - self._began < _QUIET_S or now - self._told < _BETWEEN_S:
            return
        self._told = now
        percent = min(99, 100 * progress.done // max(progress.total, 1))
        message = f"Indexing: {progress.done:,} of {progress.total:,} files …"
        self._pages.publish(StartupProgress(STAGE, message, percent))

    async def aclose(self) -> None:
        """End the index's worker and all tasks of this object, within a time limit."""
        await self._follower.aclose()
        tasks = {task for task in (self._making, self._enriching) if task is not None}
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        await self._index.aclose()

    async def _make(self) -> None:
        self._index.start()
        is_ready = await self._index.ready(_MAKE_S)
        reason = self._index.status.reason
        if self._told or reason or not is_ready:
            message = reason or ("The index is ready." if is_ready else "")
            self._pages.publish(StartupProgress(STAGE, message, 100))
        self._refreshed()

    def _refreshed(self) -> None:
        """Extract the keywords of new documents, once for several changes."""
        self._is_stale = True
        if self._enriching is None or self._enriching.done():
            self._enriching = asyncio.create_task(self._enrich(), name="index: keywords")

    async def _enrich(self) -> None:
        while self._is_stale:
            self._is_stale = False
            self._enrichment = "pending"
            await asyncio.sleep(_SETTLE_S)
            try:
                await self._index.run(
                    "Index.enrich", on_event=self._publish_keywords, timeout_s=_ENRICH_S
                )
            except AcError as error:
                _logger.info("no keywords for the documents: %s", error)
                return
            self._enrichment = "complete"

    def _publish_keywords(self, event: object) -> None:
        if isinstance(event, dict):
            self._enrichment = "building"
            self._pages.publish(CompactionEvent("", cast("TurnProgress", event)))
