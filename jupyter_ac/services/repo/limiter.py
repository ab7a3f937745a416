"""Whose turn it is, where only a few may work at once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakKeyDictionary


class Limiter:
    """Lets a few of each caller's work at once, and a few of everybody's.

    Who asks for more than that waits for their own, and keeps nobody else waiting.

    Args:
        each: how many of one caller.
        overall: how many of all callers.
    """

    def __init__(self, each: int, overall: int) -> None:
        self._each = each
        self._everybody = asyncio.Semaphore(overall)
        self._own: WeakKeyDictionary[object, asyncio.Semaphore] = WeakKeyDictionary()

    @asynccontextmanager
    async def turn(self, caller: object) -> AsyncIterator[None]:
        """Wait for a turn, which lasts as long as the block.

        Args:
            caller: remembered as long as it lives.
        """
        own = self._own.setdefault(caller, asyncio.Semaphore(self._each))
        async with own, self._everybody:
            yield
