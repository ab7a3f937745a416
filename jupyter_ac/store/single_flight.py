"""Shares one run of a piece of work among all that wait for its result."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

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
            # Processes of the run must not outlive the event loop.
            await run_to_completion(asyncio.gather(task, return_exceptions=True))
