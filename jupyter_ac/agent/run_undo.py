"""Takes back what a run has changed, whole or from a step on."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.edit_blocks.stored_edits import TurnEdits
from jupyter_ac.chat.records import TurnRecord, TurnState
from jupyter_ac.chat.run_record import RunRecord, changed_steps
from jupyter_ac.edit_rows import BlockStatus, EditResult
from jupyter_ac.errors import Busy, Conflict, InvalidParams, NotFound
from jupyter_ac.git.checkpoints.comparison import diff
from jupyter_ac.git.checkpoints.plan import KeptPath
from jupyter_ac.git.checkpoints.restore import CheckpointRestorer, Restored
from jupyter_ac.ids import RepoPath, SessionId
from jupyter_ac.tool_rows import RunRow

_MAX_NAME: Final = 80


@dataclass(frozen=True, slots=True)
class UndoneRun:
    """What became of undoing a run.

    Attributes:
        restored: files that are as they were before.
        kept: files that were left alone, and why.
        run: as it is now.
    """

    restored: Sequence[RepoPath]
    kept: Sequence[KeptPath]
    run: RunRow


class RunUndo:
    """Undoes runs of a working tree.

    Args:
        restorer: restores the files.
        keep: keeps how a turn of a session stands; raises `AcError`.
    """

    def __init__(
        self,
        restorer: CheckpointRestorer,
        keep: Callable[[SessionId, TurnRecord], Awaitable[None]],
    ) -> None:
        self._restorer, self._keep = restorer, keep

    async def undo(self, conversation: Conversation, run_id: str, step: int) -> UndoneRun:
        """Restore what a run changed in a step and later.

        Args:
            conversation: of the run.
            run_id: of the run.
            step: from 1, for all of it.

        Raises:
            NotFound: there is no such run, or its checkpoints are no longer stored.
            Busy: it still runs.
            Conflict: it has changed nothing, or it was taken back.
            InvalidParams: there is no such step.
            AcError: the disk refuses; nothing was changed.
        """
        turn, run = _run(conversation, run_id)
        if step < 1:
            raise InvalidParams("step must be at least 1.")
        intervals = [one for one in run.intervals if one.step >= step]
        if not intervals:
            raise Conflict("The run has changed nothing there that could be taken back.")
        names = [(one.before, one.after) for one in intervals]
        restored = await self._restorer.take_back(run_id, names)
        changed = _after(run, restored, step)
        edits = _without(turn.edits, {*restored.restored})
        turn = replace(turn, run=changed, edits=edits)
        conversation.session.put(turn)
        await self._keep(SessionId(conversation.session.session_id), turn)
        conversation.session.revision += 1
        return UndoneRun(restored.restored, restored.kept, changed.row)

    async def diff(self, conversation: Conversation, run_id: str) -> str:
        """Return one unified diff of what a run has changed, from its first step to its last.

        What others changed in the same files between its steps is in it, too.

        Raises:
            NotFound: there is no such run, or its checkpoints are no longer stored.
            Busy: it still runs.
        """
        _, run = _run(conversation, run_id)
        if not run.intervals:
            return ""
        store = self._restorer.store
        before = await store.find(run_id, run.intervals[0].before)
        after = await store.find(run_id, run.intervals[-1].after)
        return await diff(store, before, after)


def _run(conversation: Conversation, run_id: str) -> tuple[TurnRecord, RunRecord]:
    turns = conversation.session.turns if conversation.session.is_own else ()
    for turn in turns:
        if turn.turn_id == run_id and turn.state is TurnState.RUNNING:
            raise Busy("The run is not over; stop it first.")
        if turn.turn_id == run_id and turn.run is not None:
            return turn, turn.run
    raise NotFound(f"There is no run {run_id[:_MAX_NAME]!r} in this conversation.")


def _after(run: RunRecord, restored: Restored, step: int) -> RunRecord:
    left = tuple(one for one in run.intervals if one.step < step)
    gone = {*restored.restored}
    files = [path for path in run.row["files_changed"] if path not in gone] if left else []
    kept = [one.path for one in restored.kept]
    shown = run.with_row(
        changed_steps=changed_steps(left),
        files_changed=sorted({*files, *kept}),
        can_undo=bool(left),
        reason=_reason(step, restored),
    )
    return replace(shown, intervals=left)


def _reason(step: int, restored: Restored) -> str:
    whole = "The run was taken back" if step == 1 else f"Taken back to before step {step}"
    count = len(restored.kept)
    if not count:
        return f"{whole}."
    left = "1 file was" if count == 1 else f"{count} files were"
    return f"{whole}; {left} left as they are, since they were changed later."


def _without(edits: TurnEdits, restored: Collection[RepoPath]) -> TurnEdits:
    """Mark the edits of restored files as undone."""
    rows: list[EditResult] = [
        {**row, "status": BlockStatus.UNDONE}
        for row in edits.results
        if row["status"] == BlockStatus.APPLIED and row["file"] in restored
    ]
    return edits.with_results(rows).without_files(restored, is_all=False)
