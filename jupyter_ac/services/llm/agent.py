"""RPC methods for agent runs: decisions on tool calls, what waits for one, undoing a run."""

from typing import Final, Literal, NotRequired, TypedDict, get_args

from jupyter_ac.agent.run_undo import RunUndo
from jupyter_ac.agent.tool_approvals import (
    CallKey,
    Decision,
    PendingQuestion,
    ToolApprovals,
    question_row,
)
from jupyter_ac.chat.conversation import ConversationRegistry
from jupyter_ac.chat.run_record import without_calls
from jupyter_ac.chat.turn.runner import require_length
from jupyter_ac.edit_rows import KeptFile
from jupyter_ac.errors import Busy, InvalidParams, NotFound
from jupyter_ac.events import ToolUpdated
from jupyter_ac.ids import RequestId
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.subscribers import Subscribers
from jupyter_ac.tool_rows import (
    RunRow,
    TaskName,
    ToolDecision,
    ToolQuestion,
    ToolScope,
    ToolUpdate,
)

MAX_ADDED: Final = 20
"""Messages of the user that may wait for the next step of a run."""


class PendingTool(TypedDict):
    """A call that waits for the user.

    Attributes:
        request_id: the front end's name of its turn.
        call_id: unique within the turn.
        question: what the user is asked.
        task: of a plan, whose call it is.
        panel: title of the panel that makes the call. Without a task and a panel it is a call of
            the conversation.
    """

    request_id: str
    call_id: str
    question: ToolQuestion
    task: NotRequired[TaskName]
    panel: NotRequired[str]


class ToolAnswered(TypedDict):
    """A decision that was passed on."""

    status: Literal["ok"]


class RunDiff(TypedDict):
    """What a run has changed.

    Attributes:
        diff: unified, of all files; at most 4 MiB.
    """

    diff: str


class RunUndone(TypedDict):
    """What became of undoing a run.

    Attributes:
        status: `undone`, also when some files were left alone.
        files_restored: that are now as they were before.
        files_kept: that were left alone.
        run: as it is now.
    """

    status: Literal["undone"]
    files_restored: list[str]
    files_kept: list[KeptFile]
    run: RunRow


class AgentMethods:
    """RPC methods for the runs of a person's conversation.

    Args:
        book: the conversations.
        approvals: the calls that wait.
        undo: takes back what runs changed.
        audience: notified of runs that were undone.
    """

    def __init__(
        self,
        book: ConversationRegistry,
        approvals: ToolApprovals,
        undo: RunUndo,
        audience: Subscribers,
    ) -> None:
        self._conversations, self._approvals = book, approvals
        self._undo, self._subscribers = undo, audience

    @method(Access.EXECUTE, is_urgent=True)
    async def answer_tool(
        self,
        request_id: str,
        call_id: str,
        decision: ToolDecision,
        scope: ToolScope = "once",
        text: str = "",
    ) -> ToolAnswered:
        """Decide on a tool call that waits: `allow` or `refuse`.

        `scope` is one of those that its question offers: `once`, `session` (equal calls until the
        conversation ends; of an address, the whole origin), `prefix` (commands that begin with the
        question's `prefix`, from now on). `text` answers a question of the model, or says why a
        call is refused.
        """
        if decision not in get_args(ToolDecision):
            raise InvalidParams("decision must be allow or refuse.")
        key = CallKey(RequestId(request_id), call_id)
        made = Decision(decision == "allow", scope, text)
        self._approvals.answer(current_caller().identity, key, made)
        return {"status": "ok"}

    @method(Access.READ)
    async def list_pending_tools(self) -> list[PendingTool]:
        """List the tool calls of the person's runs that wait for a decision, oldest first."""
        return [_pending(one) for one in self._approvals.pending(current_caller().identity)]

    @method(Access.EXECUTE)
    async def add_to_run(self, request_id: str, message: str) -> ToolAnswered:
        """Tell a running agent something; its next step delivers it to the model."""
        conversation = await self._conversations.open(current_caller().conversation_key)
        stream = conversation.running(request_id)
        if stream is None or stream.run is None:
            raise NotFound("No run is being made under this id; ask it as a question.")
        require_length(message)
        if not message.strip():
            raise InvalidParams("message is empty; write what the model should know.")
        if len(stream.added) >= MAX_ADDED:
            raise Busy(f"{MAX_ADDED} messages wait for the run's next step; wait for it.")
        stream.added.append(message)
        return {"status": "ok"}

    @method(Access.READ)
    async def get_run_diff(self, run_id: str) -> RunDiff:
        """Return one diff of all that a run has changed; "" if it has changed nothing."""
        conversation = await self._conversations.open(current_caller().conversation_key)
        return {"diff": await self._undo.diff(conversation, run_id)}

    @method(Access.WRITE)
    async def undo_run(self, run_id: str, step: int = 1) -> RunUndone:
        """Restore the files that a run changed, by edits and by commands, to the exact bytes.

        Files that were changed since by anybody else are left alone and listed. With `step`, what
        the run changed in that step and later is taken back. Files that git ignores aren't
        restored.
        """
        conversation = await self._conversations.open(current_caller().conversation_key)
        await self._conversations.refresh(conversation)
        undone = await self._undo.undo(conversation, run_id, step)
        update = ToolUpdate(request_id=undone.run["request_id"], run=without_calls(undone.run))
        self._subscribers.publish(ToolUpdated(update), conversation.conversation_key)
        return {
            "status": "undone",
            "files_restored": list(undone.restored),
            "files_kept": [{"path": one.path, "reason": one.reason} for one in undone.kept],
            "run": undone.run,
        }


def _pending(one: PendingQuestion) -> PendingTool:
    row = PendingTool(
        request_id=one.key.request_id,
        call_id=one.key.call_id,
        question=question_row(one.question),
    )
    if one.task is not None:
        row["task"] = one.task
    if one.panel:
        row["panel"] = one.panel
    return row
