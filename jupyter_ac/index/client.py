"""The host's client of the index worker: starts it, restarts it after a crash, calls it."""

import asyncio
import logging
from collections.abc import Callable, Collection
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from jupyter_ac.errors import AcError, ConnectionClosed, NotReady, TimedOut
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.indexing.listing import MAX_FILES
from jupyter_ac.index.indexing.progress import (
    RefreshProgress,
    RefreshResult,
    ReportProgress,
    ignore,
)
from jupyter_ac.workers.process import Worker
from jupyter_ac.workers.wire import decoded_record

_logger = logging.getLogger(__name__)

_OPEN_S: Final = 60.0
_REFRESH_S: Final = 1800.0
_CALL_S: Final = 30.0


class IndexState(StrEnum):
    """How far the index is."""

    OFF = "off"
    INDEXING = "indexing"
    READY = "ready"
    FAILED = "failed"


class IndexStatus(NamedTuple):
    """The status of the index, as shown to the user.

    Attributes:
        state: whether it can be queried.
        progress: of the running refresh, or of the last one.
        generation: of the tree that it shows; "" before the first refresh has ended.
        skipped: files left out or read in part.
        reason: why it failed or isn't of the whole tree, a sentence; "" when it is.
    """

    state: IndexState
    progress: RefreshProgress
    generation: str = ""
    skipped: int = 0
    reason: str = ""


def _never() -> bool:
    return False


class IndexClient:
    """Asks the index worker of one working tree.

    The worker is started, and looks at the whole tree, in the background (`start`) or at the first
    call. After a crash of the worker the next call starts another, which has all from its cache.
    Belongs to the event loop that first uses it.

    Args:
        root: top of the working tree.
        cache_dir: where the machine keeps what was parsed; made when needed.
        worker: a `Worker("index")`, closed with the client; None makes one.
        report: is given the progress of refreshes.
        shows_jupyter_files: tells whether untracked files that Jupyter writes beside documents
            are in the index, at this moment; when that changes the next call looks at all files.
    """

    def __init__(
        self,
        root: Path,
        cache_dir: Path,
        worker: Worker | None = None,
        report: ReportProgress = ignore,
        *,
        shows_jupyter_files: Callable[[], bool] = _never,
    ) -> None:
        self._root = root
        self._cache_dir = cache_dir
        self._worker = worker or Worker("index")
        self._report = report
        self._status = IndexStatus(IndexState.OFF, RefreshProgress(0, 0))
        self._preparing: asyncio.Task[None] | None = None
        self._prepared_pid: int | None = None
        self._shows_jupyter_files = shows_jupyter_files
        self._has_jupyter_files = False

    @property
    def status(self) -> IndexStatus:
        """How the index is, as far as this process knows; asks nobody."""
        return self._status

    def start(self) -> None:
        """Begin to prepare the index in the background; returns at once."""
        self._prepare()

    async def ready(self, wait_s: float) -> bool:
        """Wait until the index can be asked, for a while; say whether it can."""
        preparing = self._prepare()
        if preparing is not None:
            await asyncio.wait({preparing}, timeout=wait_s)
        return self._is_prepared()

    async def call(self, name: str, *args: object, timeout_s: float = _CALL_S) -> object:
        """Call a method of the worker; one that died meanwhile is started again and asked again.

        Args:
            name: with its namespace: `Index.stable_map`.
            args: JSON values.
            timeout_s: bound of waiting for the index and of the call, each.

        Raises:
            NotReady: the index is still being made, or can't be.
            RemoteError: the worker answered with an error.
            TimedOut: no answer in time.
            ConnectionClosed: the worker died of the call, twice.
        """
        await self._require(timeout_s)
        try:
            return await self._worker.call(name, *args, timeout_s=timeout_s)
        except ConnectionClosed:
            await self._require(timeout_s)
            return await self._worker.call(name, *args, timeout_s=timeout_s)

    async def run(
        self, name: str, *args: object, on_event: Callable[[object], None], timeout_s: float
    ) -> object:
        """Run a job of the worker, as `Worker.run`, which says what is raised besides NotReady."""
        await self._require(_CALL_S)
        return await self._worker.run(name, *args, on_event=on_event, timeout_s=timeout_s)

    async def refresh(self, paths: Collection[RepoPath] | None = None) -> RefreshResult:
        """Have the index brought up to date.

        Args:
            paths: files and folders that have changed; None looks at all.

        Raises:
            what `call` raises.
        """
        await self._require(_REFRESH_S)
        try:
            return await self._refresh(paths)
        except ConnectionClosed:
            await self._require(_REFRESH_S)
            return await self._refresh(paths)

    async def aclose(self) -> None:
        """End the worker; bounded."""
        if self._preparing is not None:
            self._preparing.cancel()
            with suppress(asyncio.CancelledError):
                await self._preparing
        await self._worker.aclose()

    def _is_prepared(self) -> bool:
        return self._is_made() and self._has_jupyter_files == self._shows_jupyter_files()

    def _is_made(self) -> bool:
        return self._prepared_pid is not None and self._worker.pid == self._prepared_pid

    def _prepare(self) -> "asyncio.Task[None] | None":
        """Give the task that prepares the worker; None when that is done."""
        if self._is_prepared():
            return None
        if self._preparing is None or self._preparing.done():
            loop = asyncio.get_running_loop()
            self._preparing = loop.create_task(self._open(), name="index: opening")
        return self._preparing

    async def _require(self, wait_s: float) -> None:
        if not await self.ready(wait_s):
            raise NotReady(self._status.reason or "The index is still being made; wait a moment.")

    async def _open(self) -> None:
        if not self._is_made():
            self._status = IndexStatus(IndexState.INDEXING, RefreshProgress(0, 0))
        try:
            await self._worker.start()
            pid = self._worker.pid
            places = str(self._root), str(self._cache_dir)
            await self._worker.call("Index.open", *places, timeout_s=_OPEN_S)
            await self._refresh(None)
            self._prepared_pid = pid
        except AcError as error:
            self._status = self._status._replace(state=IndexState.FAILED, reason=error.message)
            _logger.warning("the index can't be made: %s", error.message)

    async def _refresh(self, paths: Collection[RepoPath] | None) -> RefreshResult:
        with_jupyter_files = self._shows_jupyter_files()
        found = await self._worker.run(
            "Index.refresh",
            None if paths is None else list(paths),
            with_jupyter_files,
            on_event=self._note,
            timeout_s=_REFRESH_S,
        )
        if not isinstance(found, dict):
            raise TimedOut("The index worker gave no answer.")
        self._has_jupyter_files = with_jupyter_files
        done = decoded_record(RefreshResult, found)
        self._status = IndexStatus(
            state=IndexState.READY,
            progress=self._status.progress,
            generation=done.generation,
            skipped=done.skipped,
            reason=_too_many(done.beyond),
        )
        return done

    def _note(self, event: object) -> None:
        if isinstance(event, dict):
            progress = RefreshProgress(int(event["done"]), int(event["total"]))
            self._status = self._status._replace(progress=progress)
            self._report(progress)


def _too_many(beyond: int) -> str:
    if not beyond:
        return ""
    return (
        f"The index is of the first {MAX_FILES:,} files by name; {beyond:,} more are left out. "
        "List folders that don't matter in .gitignore, or open a smaller repository."
    )
