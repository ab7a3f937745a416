"""The tree of one repository, kept from look to look.

Each look asks git, so that the tree is exact with and without anyone who watches the files; but
only what differs from the look before is read, compared and spelt.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Generic, TypeVar

from jupyter_ac.git.repository import Repository
from jupyter_ac.git.tree.scan import ask, ask_changed_lines
from jupyter_ac.git.tree.snapshot import Snapshot
from jupyter_ac.git.tree.state import TreeState, advance, head_of, sift
from jupyter_ac.store.shield import to_end

T = TypeVar("T")


class SharedLook(Generic[T]):
    """Looks one after the other; who asks while one is under way waits for the next.

    A look ends early when nobody waits for it any more; who gave it up last goes on when it has
    ended. What it raises reaches all who wait.

    Args:
        look: does it.
    """

    def __init__(self, look: Callable[[], Awaitable[T]]) -> None:
        self._look = look
        self._turn = asyncio.Lock()
        self._coming: asyncio.Task[T] | None = None
        self._waiting: dict[asyncio.Task[T], int] = {}

    async def get(self) -> T:
        """Return what a look finds that begins from here on."""
        task = self._coming
        if task is None or task.done():
            task = self._coming = asyncio.create_task(self._run(), name="look at the files")
        self._waiting[task] = self._waiting.get(task, 0) + 1
        try:
            return await asyncio.shield(task)
        finally:
            await self._leave(task)

    async def _run(self) -> T:
        async with self._turn:
            self._coming = None
            return await self._look()

    async def _leave(self, task: "asyncio.Task[T]") -> None:
        self._waiting[task] -= 1
        if self._waiting[task]:
            return
        del self._waiting[task]
        if not task.done():
            task.cancel()
            if self._coming is task:
                self._coming = None
            # The commands that it runs must not outlive the loop.
            await to_end(asyncio.gather(task, return_exceptions=True))


class TreeCache:
    """The newest snapshot of a repository's files; belongs to one event loop.

    Args:
        repository: whose files.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._looks = SharedLook(self._look)
        self._epoch = secrets.token_hex(4)
        self._number = 0
        self._state = TreeState()
        self._last: Snapshot | None = None

    @property
    def is_settled(self) -> bool:
        """Whether the last look saw no file that may change again and keep its times."""
        return self._state.seen.is_settled

    async def snapshot(self) -> Snapshot:
        """Return what the tree shows; all that stood on disk at the call is in it.

        It is the same object as the one before as long as nothing in it differs.

        Raises:
            GitError: git can't read the repository.
            TimedOut: it took too long.
        """
        return await self._looks.get()

    async def _look(self) -> Snapshot:
        repository, before = self._repository, self._state
        told, disk = await ask(repository, before.seen.told, before.seen.disk.names)
        seen = await asyncio.to_thread(sift, repository, before.seen, told, disk)
        if self._last is not None and before.seen.still_holds(seen):
            return self._last
        stats = await ask_changed_lines(repository, told, seen.status, seen.disk)
        seen = replace(seen, lacks_lines=stats is None)
        after = await asyncio.to_thread(advance, repository.root, before, seen, stats or {})
        self._last = self._snapshot(before, after)
        self._state = after
        return self._last

    def _snapshot(self, before: TreeState, after: TreeState) -> Snapshot:
        head = head_of(after.seen.told)
        operation = after.seen.operation
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
