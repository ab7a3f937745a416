"""Caches the file tree of one repository from scan to scan.

Each scan runs git, so the tree is exact with and without a file watcher; but only differences to
the previous scan are read, compared and serialized.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Generic, TypeVar

from jupyter_ac.git.repository import Repository
from jupyter_ac.git.tree.scan import ask, ask_changed_lines
from jupyter_ac.git.tree.snapshot import Snapshot
from jupyter_ac.git.tree.state import TreeState, head_of, merge_scan, update_state
from jupyter_ac.store.shield import run_to_completion

T = TypeVar("T")


class SingleFlight(Generic[T]):
    """Coalesces concurrent calls: calls during a run share the next run.

    A run is cancelled when all its waiters are cancelled; the last one waits for its end. Its
    errors reach all waiters.

    Args:
        work: one run.
    """

    def __init__(self, work: Callable[[], Awaitable[T]]) -> None:
        self._work = work
        self._lock = asyncio.Lock()
        self._next: asyncio.Task[T] | None = None
        self._waiting: dict[asyncio.Task[T], int] = {}

    async def get(self) -> T:
        """Return the result of a run that starts after this call."""
        task = self._next
        if task is None or task.done():
            task = self._next = asyncio.create_task(self._run(), name="single flight")
        self._waiting[task] = self._waiting.get(task, 0) + 1
        try:
            return await asyncio.shield(task)
        finally:
            await self._leave(task)

    async def _run(self) -> T:
        async with self._lock:
            self._next = None
            return await self._work()

    async def _leave(self, task: "asyncio.Task[T]") -> None:
        self._waiting[task] -= 1
        if self._waiting[task]:
            return
        del self._waiting[task]
        if not task.done():
            task.cancel()
            if self._next is task:
                self._next = None
            # git processes of the run must not outlive the event loop.
            await run_to_completion(asyncio.gather(task, return_exceptions=True))


class TreeCache:
    """The latest snapshot of a repository's files. Belongs to one event loop.

    Args:
        repository: the repository.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._scans = SingleFlight(self._scan)
        self._epoch = secrets.token_hex(4)
        self._number = 0
        self._state = TreeState()
        self._last: Snapshot | None = None

    @property
    def is_settled(self) -> bool:
        """Whether no file of the last scan may change again without a change of its times."""
        return self._state.scan.is_settled

    async def snapshot(self) -> Snapshot:
        """Return a snapshot that contains all files on disk at the time of the call.

        The same object as before is returned as long as nothing differs.

        Raises:
            GitError: git can't read the repository.
            TimedOut: it took too long.
        """
        return await self._scans.get()

    async def _scan(self) -> Snapshot:
        repository, before = self._repository, self._state
        answers, disk = await ask(repository, before.scan.answers, before.scan.disk.names)
        scan = await asyncio.to_thread(merge_scan, repository, before.scan, answers, disk)
        if self._last is not None and before.scan.is_unchanged(scan):
            return self._last
        stats = await ask_changed_lines(repository, answers, scan.status, scan.disk)
        scan = replace(scan, lacks_lines=stats is None)
        after = await asyncio.to_thread(update_state, repository.root, before, scan, stats or {})
        self._last = self._snapshot(before, after)
        self._state = after
        return self._last

    def _snapshot(self, before: TreeState, after: TreeState) -> Snapshot:
        head = head_of(after.scan.answers)
        operation = after.scan.operation
        last = self._last
        if (
            last is not None
            and after.filled is before.filled
            and (after.lists, head, operation) == (before.lists, last.head, last.operation)
        ):
            return last
        self._number += 1
        version = f"{self._epoch}-{self._number}"
        return Snapshot(version, self._repository.name, head, operation, after.lists, after.filled)
