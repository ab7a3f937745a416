"""Notices that a cell holds up the kernel's main loop, and that the loop goes on."""

import asyncio
from collections.abc import Callable
from typing import Final

from jupyter_ac.hosts.kernel.child.host import LoopThread

BUSY_S: Final = 1.0
"""For which the loop stands still before it counts as busy."""


class BusyWatch:
    """Watches a loop from another thread while cells run. `begin` and `end` are for any thread.

    Args:
        loop: that is watched.
        thread: from which.
        tell: called on that thread with `is_busy`, when this changes.
        busy_s: after which it is.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        thread: LoopThread,
        tell: Callable[..., None],
        busy_s: float = BUSY_S,
    ) -> None:
        self._loop = loop
        self._thread = thread
        self._tell = tell
        self._busy_s = busy_s
        self._cells = 0
        self._watching: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """A cell begins."""
        self._thread.call(self._begin)

    def end(self) -> None:
        """A cell ends."""
        self._thread.call(self._end)

    def _begin(self) -> None:
        self._cells += 1
        if self._watching is None:
            self._watching = asyncio.get_running_loop().create_task(self._watch())

    def _end(self) -> None:
        self._cells = max(0, self._cells - 1)

    async def _watch(self) -> None:
        while self._cells:
            turned = asyncio.Event()
            try:
                self._loop.call_soon_threadsafe(self._thread.call, turned.set)
            except RuntimeError:  # it is closed
                break
            try:
                async with asyncio.timeout(self._busy_s):
                    await turned.wait()
            except TimeoutError:
                self._tell(is_busy=True)
                await turned.wait()
                self._tell(is_busy=False)
            await asyncio.sleep(self._busy_s)
        self._watching = None
