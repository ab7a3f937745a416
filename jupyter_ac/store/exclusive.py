"""Named locks: first in order among this process's tasks, then against other processes."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final
from weakref import WeakValueDictionary

from jupyter_ac.errors import Busy
from jupyter_ac.store.locks import WAIT_S, hold

QUEUE_S: Final = 30.0
"""Time limit for waiting on tasks of the same process."""


class NamedLocks:
    """Locks of one repository by name. Belongs to one event loop.

    Args:
        state_dir: the repository's state folder, which contains the lock files.
        wait_s: time limit for waiting on other processes.
    """

    def __init__(self, state_dir: Path, wait_s: float = WAIT_S) -> None:
        self._state_dir = state_dir
        self._wait_s = wait_s
        self._queues: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @property
    def is_held(self) -> bool:
        """Whether a task of this process holds a lock, or is about to get it."""
        return any(queue.locked() for queue in list(self._queues.values()))

    @asynccontextmanager
    async def hold_all(self, names: Iterable[str], refusal: str) -> AsyncIterator[None]:
        """Hold several locks for the body, acquired in sorted order to prevent deadlocks.

        Raises the same errors as `hold`.
        """
        async with AsyncExitStack() as stack:
            for name in sorted(set(names)):
                await stack.enter_async_context(self.hold(name, refusal))
            yield

    @asynccontextmanager
    async def hold(self, name: str, refusal: str) -> AsyncIterator[None]:
        """Hold a lock exclusively for the body; not re-entrant.

        Args:
            name: of the lock, one word.
            refusal: the failed operation for the message, as a sentence without its end: "a.py
                can't be written".

        Raises:
            Busy: others held it the whole time.
            AcError: the file system doesn't support locks.
        """
        queue = self._queues.setdefault(name, asyncio.Lock())
        try:
            async with asyncio.timeout(QUEUE_S):
                await queue.acquire()
        except TimeoutError:
            raise Busy(
                f"{refusal} now: too many operations are waiting; try again in a moment."
            ) from None
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
