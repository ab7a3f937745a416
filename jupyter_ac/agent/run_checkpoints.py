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


class RunCheckpoints:
    """The checkpoints of a run.

    Args:
        store: of the working tree.
        run_id: of the run.

    Attributes:
        intervals: in which the run changed something, in order.
        changed: paths of files that it changed.
    """

    def __init__(self, store: CheckpointStore, run_id: str) -> None:
        self._store, self._run_id = store, run_id
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
        before = await self._store.take(self._run_id)
        try:
            return await work()
        finally:
            await run_to_completion(self._note(step, before))

    async def _note(self, step: int, before: Checkpoint) -> None:
        try:
            after = await self._store.take(self._run_id)
            if after.name == before.name:
                return
            changes = await changed_paths(self._store, before, after)
        except (AcError, OSError) as error:
            log.warning("what a run has changed is not known: %s", error)
            return
        self.intervals.append(ChangeInterval(step, before.name, after.name))
        self.changed.update(str(change.path) for change in changes)
