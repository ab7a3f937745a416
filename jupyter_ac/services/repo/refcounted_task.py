"""A reference-counted background task, which lingers after its last user has left."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager


class RefcountedTask:
    """Runs a task while it has at least one user. Belongs to one event loop.

    Args:
        work: creates the coroutine, which runs until it is cancelled.
        linger_s: seconds for which it still runs after its last user has left, so that a reloaded
            page finds it running.
    """

    def __init__(
        self, work: Callable[[], Coroutine[object, object, None]], linger_s: float
    ) -> None:
        self._work = work
        self._linger_s = linger_s
        self._present = 0
        self._task: asyncio.Task[None] | None = None
        self._ending: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._is_closed = False

    @property
    def is_running(self) -> bool:
        """Whether the task is running."""
        return self._task is not None and not self._task.done()

    @asynccontextmanager
    async def attended(self) -> AsyncIterator[None]:
        """Count as a user during the body; the task is started before it, unless this is closed."""
        self._present += 1
        self._forget_timer()
        if not (self.is_running or self._is_closed):
            self._task = asyncio.create_task(self._work(), name="watch")
            await asyncio.sleep(0)
        try:
            yield
        finally:
            self._present -= 1
            if not (self._present or self._is_closed):
                loop = asyncio.get_running_loop()
                self._timer = loop.call_later(self._linger_s, self._stop)

    async def aclose(self) -> None:
        """Cancel the task, and wait for its end; it can't be started again."""
        self._is_closed = True
        self._stop()
        if self._ending:
            await asyncio.wait(self._ending)

    def _stop(self) -> None:
        self._forget_timer()
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    def _forget_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
