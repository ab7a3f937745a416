"""One workspace per repository and host process: opened by its first user, closed when idle.

Generic over what a workspace is: it must be an async context manager and say whether it is at
work. Each lives in a task of its own, because what it owns must be entered and left in one task.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Generic, Protocol, TypeVar

from jupyter_ac.errors import NotReady
from jupyter_ac.git.repository import Repository

logger = logging.getLogger(__name__)

CLOSE_TIMEOUT_S: Final = 15.0
"""Time limit for closing a workspace; then it is cancelled, without waiting for its end."""


class Closable(Protocol):
    """The part of a workspace that decides when it may close."""

    @property
    def is_busy(self) -> bool:
        """Whether work without a user runs in it, such as a stream."""


Space = TypeVar("Space", bound=Closable)


class Timer(Protocol):
    """A call that is due later, as `asyncio.TimerHandle`."""

    def cancel(self) -> None:
        """Forget the call."""


class Timers(Protocol):
    """Schedules delayed calls, as an event loop."""

    def call_later(self, delay: float, callback: Callable[[], object]) -> Timer:
        """Call back after so many seconds."""


@dataclass(eq=False, slots=True)
class _Entry(Generic[Space]):
    """One workspace and who uses it."""

    git_dir: Path
    opened: asyncio.Future[Space]
    leave: asyncio.Event
    task: asyncio.Task[None] | None = None
    timer: Timer | None = None
    users: int = 0


class WorkspaceRegistry(Generic[Space]):
    """The workspaces of a host. Belongs to one event loop.

    Args:
        build: makes a workspace; it is entered and left by the registry.
        idle_s: seconds without a user after which a workspace closes, unless it is busy.
        timers: where the idle calls are left; the running loop when None.
    """

    def __init__(
        self,
        build: Callable[[Repository], AbstractAsyncContextManager[Space]],
        idle_s: float,
        timers: Timers | None = None,
    ) -> None:
        self._build = build
        self._idle_s = idle_s
        self._timers = timers
        self._entries: dict[Path, _Entry[Space]] = {}
        self._tasks: dict[Path, asyncio.Task[None]] = {}
        self._closed = False

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def is_busy(self) -> bool:
        """Whether any workspace is at work."""
        return any(
            entry.opened.done() and not _failed(entry.opened) and entry.opened.result().is_busy
            for entry in self._entries.values()
        )

    @asynccontextmanager
    async def use(self, repository: Repository) -> AsyncIterator[Space]:
        """Enter the repository's workspace; it stays open at least until this is left.

        Raises:
            NotReady: the host is stopping.
            AcError: the workspace can't be opened; the next caller retries.
        """
        if self._closed:
            raise NotReady("the server is stopping; reconnect when it runs again")
        # A folder without a repository may have become one.
        entry = self._entries.get(repository.git_dir) or self._start(repository)
        entry.users += 1
        if entry.timer is not None:
            entry.timer.cancel()
        try:
            yield await asyncio.shield(entry.opened)
        finally:
            entry.users -= 1
            if not entry.users:
                self._arm(entry)

    async def aclose(self) -> None:
        """Close all workspaces, at the same time, within `CLOSE_TIMEOUT_S`."""
        self._closed = True
        for entry in list(self._entries.values()):
            self._dismiss(entry)
        tasks = set(self._tasks.values())
        if not tasks:
            return
        _, late = await asyncio.wait(tasks, timeout=CLOSE_TIMEOUT_S)
        for task in late:
            logger.error("%s does not close and is cancelled", task.get_name())
            task.cancel()
        if late:
            await asyncio.wait(late, timeout=1)

    def _start(self, repository: Repository) -> _Entry[Space]:
        loop = asyncio.get_running_loop()
        place = repository.git_dir
        entry = _Entry[Space](place, loop.create_future(), asyncio.Event())
        before = self._tasks.get(place)
        task = loop.create_task(
            self._serve(entry, repository, before), name=f"workspace {repository.name}"
        )
        entry.task = task
        self._entries[place] = entry
        self._tasks[place] = task
        task.add_done_callback(lambda done: self._ended(entry, done))
        return entry

    async def _serve(
        self, entry: _Entry[Space], repository: Repository, before: asyncio.Task[None] | None
    ) -> None:
        """Open the workspace, keep it until it is dismissed, close it."""
        if before is not None:
            await asyncio.wait({before}, timeout=CLOSE_TIMEOUT_S)
        async with self._build(repository) as space:
            entry.opened.set_result(space)
            await entry.leave.wait()

    def _ended(self, entry: _Entry[Space], task: asyncio.Task[None]) -> None:
        if self._entries.get(entry.git_dir) is entry:
            del self._entries[entry.git_dir]
        if self._tasks.get(entry.git_dir) is task:
            del self._tasks[entry.git_dir]
        error = asyncio.CancelledError() if task.cancelled() else task.exception()
        if entry.opened.done():
            if error is not None and not task.cancelled():
                logger.error("%s failed", task.get_name(), exc_info=error)
            return
        entry.opened.set_exception(
            error if isinstance(error, Exception) else NotReady("the workspace was closed")
        )
        # Whoever waits for it gets it; when nobody does any more, it is no news.
        entry.opened.exception()

    def _arm(self, entry: _Entry[Space]) -> None:
        timers = self._timers or asyncio.get_running_loop()
        entry.timer = timers.call_later(self._idle_s, lambda: self._close_if_idle(entry))

    def _close_if_idle(self, entry: _Entry[Space]) -> None:
        if entry.users or self._entries.get(entry.git_dir) is not entry:
            return
        if entry.opened.done() and entry.opened.result().is_busy:
            self._arm(entry)
            return
        self._dismiss(entry)

    def _dismiss(self, entry: _Entry[Space]) -> None:
        if entry.timer is not None:
            entry.timer.cancel()
        self._entries.pop(entry.git_dir, None)
        entry.leave.set()


def _failed(future: "asyncio.Future[Space]") -> bool:
    return future.cancelled() or future.exception() is not None
