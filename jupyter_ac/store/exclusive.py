"""Doing things one at a time: this process's tasks in their order, then all processes."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final
from weakref import WeakValueDictionary

from jupyter_ac.errors import Busy
from jupyter_ac.store.locks import WAIT_S, hold

QUEUE_S: Final = 30.0
"""How long a task waits for others of this process."""


class Exclusive:
    """Locks of one repository by name. Belongs to one event loop.

    Args:
        state_dir: the repository's state folder, where the locks are.
        wait_s: how long to wait for other processes.
    """

    def __init__(self, state_dir: Path, wait_s: float = WAIT_S) -> None:
        self._state_dir = state_dir
        self._wait_s = wait_s
        self._queues: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @property
    def is_held(self) -> bool:
        """Whether a task of this process has a lock, or is about to get it."""
        return any(queue.locked() for queue in list(self._queues.values()))

    @asynccontextmanager
    async def alone_with_all(self, names: Iterable[str], refusal: str) -> AsyncIterator[None]:
        """Take several locks for the body, in one order, so that nobody waits in a ring.

        Raises what `alone` raises.
        """
        async with AsyncExitStack() as stack:
            for name in sorted(set(names)):
                await stack.enter_async_context(self.alone(name, refusal))
            yield

    @asynccontextmanager
    async def alone(self, name: str, refusal: str) -> AsyncIterator[None]:
        """Keep everybody else out for the body; not re-entrant.

        Args:
            name: of the lock, one word.
            refusal: what could not be done, as a sentence without its end: "a.py can't be written".

        Raises:
            Busy: others had it all the time.
            AcError: the file system takes no locks.
        """
        queue = self._queues.setdefault(name, asyncio.Lock())
        try:
            async with asyncio.timeout(QUEUE_S):
                await queue.acquire()
        except TimeoutError:
            raise Busy(f"{refusal} now: too much is waiting; try again in a moment.") from None
        try:
            lock = hold(self._state_dir, name, self._wait_s)
            try:
                await lock.__aenter__()
            except Busy as error:
                raise Busy(f"{refusal} now. {error.message}") from None
            try:
                yield
            finally:
                await lock.__aexit__(None, None, None)
        finally:
            queue.release()
