"""The event loop that a connection belongs to, and how other threads get there.

A plain method that is served runs in a thread, and may well call back or add an object from it.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import TypeVar

_Result = TypeVar("_Result")


class OwnerLoop:
    """The running loop, as others see it; to be made on it."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()

    def is_elsewhere(self) -> bool:
        """Say whether who asks runs in another loop, or in none."""
        return _running() is not self._loop and not self._loop.is_closed()

    async def run(self, work: Coroutine[None, None, _Result]) -> _Result:
        """Have a coroutine run there, and wait for it in another loop."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    def do(self, action: Callable[[], None]) -> None:
        """Do something there: at once on the loop itself, soon from anywhere else."""
        if self.is_elsewhere():
            self._loop.call_soon_threadsafe(action)
        else:
            action()


def _running() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
