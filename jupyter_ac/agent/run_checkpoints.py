"""The checkpoints of one run: a pair around everything that may change files."""

import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from jupyter_ac.chat.run_record import ChangeInterval
from jupyter_ac.errors import AcError
from jupyter_ac.git.checkpoints.comparison import changed_paths
from jupyter_ac.git.checkpoints.store import Checkpoint, CheckpointStore
from jupyter_ac.store.shield import run_to_completion

log = logging.getLogger(__name__)

T = TypeVar("T")


def _never() -> bool:
    return False


class RunCheckpoints:
    """The checkpoints of a run.

    Args:
        store: of the working tree; None: nobody takes the run back, so none are taken.
        run_id: of the run.

    Attributes:
        intervals: in which the run changed something, in order.
        changed: paths of files that it changed.
        is_busy: whether a command of the run goes on in the background. What changes after a
            checkpoint at which one does counts as changed by the run, until the next one.
    """

    def __init__(self, store: CheckpointStore | None, run_id: str) -> None:
        self._store, self._run_id = store, run_id
        self._left: tuple[int, Checkpoint] | None = None
        self.is_busy: Callable[[], bool] = _never
        self.intervals: list[ChangeInterval] = []
        self.changed: set[str] = set()

    async def around(self, step: int, work: Callable[[], Awaitable[T]]) -> T:
        """Do something between two checkpoints; without the first one it isn't done.

        What was begun and is cancelled gets its second one all the same.

        Args:
            step: of the run, from 1.
            work: what may change files.

        Raises:
            AcError: no checkpoint can be taken.
        """
        if self._store is None:
            return await work()
        before = await self._store.take(self._run_id)
        await self._note_left(self._store, before)
        try:
            return await work()
        finally:
            await run_to_completion(self._take_after(self._store, step, before))

    async def close(self) -> None:
        """Note what commands in the background have changed since; to be called behind their end.

        A disk that fails is logged.
        """
        if self._left is None or self._store is None:
            return
        try:
            await self._note_left(self._store, await self._store.take(self._run_id))
        except (AcError, OSError) as error:
            log.warning("what a command in the background has changed is not known: %s", error)

    async def _take_after(self, store: CheckpointStore, step: int, before: Checkpoint) -> None:
        was_busy = self.is_busy()
        try:
            after = await store.take(self._run_id)
            await self._note(store, step, before, after)
        except (AcError, OSError) as error:
            log.warning("what a run has changed is not known: %s", error)
            return
        if was_busy:
            self._left = step, after

    async def _note_left(self, store: CheckpointStore, now: Checkpoint) -> None:
        """Note what has changed since the last checkpoint, if a command went on then."""
        if self._left is not None:
            step, since = self._left
            self._left = None
            await self._note(store, step, since, now)

    async def _note(
        self, store: CheckpointStore, step: int, before: Checkpoint, after: Checkpoint
    ) -> None:
        if after.name == before.name:
            return
        changes = await changed_paths(store, before, after)
        self.intervals.append(ChangeInterval(step, before.name, after.name))
        self.changed.update(str(change.path) for change in changes)
