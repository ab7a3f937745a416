"""One look for all who ask at once, if it begins after they have asked."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

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
