"""The edits of an MCP server's client, each between two checkpoints, so that they can be undone."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from jupyter_ac.agent.run_checkpoints import RunCheckpoints
from jupyter_ac.errors import NotFound
from jupyter_ac.git.checkpoints.restore import CheckpointRestorer, Restored
from jupyter_ac.git.checkpoints.store import MAX_RUNS

T = TypeVar("T")

_SHOWN: Final = 80


class EditCheckpoints:
    """The last edits, at most as many as checkpoints are kept of.

    Args:
        restorer: restores the files.
    """

    def __init__(self, restorer: CheckpointRestorer) -> None:
        self._restorer = restorer
        self._done: dict[str, RunCheckpoints] = {}

    async def around(self, edit_id: str, work: Callable[[], Awaitable[T]]) -> T:
        """Make an edit between two checkpoints; without the first one it isn't made.

        Args:
            edit_id: by which it can be undone: letters, digits, `_` and `-`.
            work: makes it.

        Raises:
            AcError: no checkpoint can be taken.
        """
        await self._restorer.store.prune()
        checkpoints = RunCheckpoints(self._restorer.store, edit_id)
        try:
            return await checkpoints.around(1, work)
        finally:
            if checkpoints.intervals:
                self._done[edit_id] = checkpoints
                for oldest in list(self._done)[:-MAX_RUNS]:
                    del self._done[oldest]

    async def undo(self, edit_id: str) -> Restored:
        """Restore the files that an edit has changed, to the exact bytes; it is undone once.

        Args:
            edit_id: of the edit; "" for the last one that can be undone.

        Raises:
            NotFound: there is no such edit, or its checkpoints are no longer stored.
            AcError: the disk refuses; nothing was changed.
        """
        wanted = edit_id or next(reversed(self._done), "")
        found = self._done.get(wanted)
        if found is None:
            known = ", ".join(self._done) or "none"
            raise NotFound(
                f"No edit {edit_id[:_SHOWN]!r} can be undone; those that can: {known}."
                if edit_id
                else "No edit of this server can be undone."
            )
        names = [(one.before, one.after) for one in found.intervals]
        restored = await self._restorer.take_back(wanted, names)
        del self._done[wanted]
        return restored
