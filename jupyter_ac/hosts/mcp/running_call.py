"""A tool call of an MCP client while it runs: its questions to the user, then its result."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from typing import Final

from jupyter_ac.agent.call_execution import CallExecution, CallRules
from jupyter_ac.agent.limits import RunBudget, RunLimits
from jupyter_ac.agent.tool_approvals import CallKey, Decision
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.ports import RunRequest
from jupyter_ac.chat.streams import ActiveStream
from jupyter_ac.chat.tool_calls import ToolCall, ToolResult
from jupyter_ac.hosts.mcp.edit_checkpoints import EditCheckpoints
from jupyter_ac.ids import RepoPath, RequestId
from jupyter_ac.tool_rows import ToolCallRow

EDITING: Final = "edit_files"
"""The tool whose calls stand between two checkpoints."""

_LIMITS: Final = RunLimits(max_steps=1, max_tokens=1, max_usd=0.0, max_minutes=10.0)


class RunningCall:
    """One call, begun by `ToolCalls.begin`.

    Args:
        call: what is called.
        answer: passes a decision on.

    Attributes:
        call_id: unique among the calls of the server.
    """

    def __init__(self, call: ToolCall, answer: Callable[[Decision], None]) -> None:
        self.call_id = call.call_id
        self._call, self._answer = call, answer
        self._asked: asyncio.Queue[ToolCallRow] = asyncio.Queue()
        self._work: asyncio.Task[ToolResult] | None = None

    def start(self, execution: CallExecution) -> None:
        """Begin to carry it out."""
        work = execution.run(self._call, self.call_id, 1)
        self._work = asyncio.create_task(work, name=f"call of {self._call.name[:80]}")

    def report(self, row: ToolCallRow) -> None:
        """Take the news of the call."""
        if row["status"] == "waiting":
            self._asked.put_nowait(row)

    async def next(self) -> ToolCallRow | ToolResult:
        """Wait for a question to the user, to be answered by `answer`, or for the result."""
        if self._work is None:
            raise RuntimeError("the call was not started")
        asking = asyncio.ensure_future(self._asked.get())
        try:
            await asyncio.wait({asking, self._work}, return_when=asyncio.FIRST_COMPLETED)
            if self._work.done():
                return self._work.result()
            return asking.result()
        finally:
            asking.cancel()

    def answer(self, decision: Decision) -> None:
        """Decide on the question that waits.

        Raises:
            NotFound: it waits no more.
        """
        self._answer(decision)

    async def cancel(self) -> None:
        """End it, if it runs."""
        if self._work is not None and self._work.cancel():
            await asyncio.wait({self._work})


class ToolCalls:
    """The calls of one client, in a conversation of its own.

    Args:
        conversation: whose grants count; nothing is said in it.
        rules: what calls need; `approvals` must be the client's own.
        checkpoints: of the edits.
    """

    def __init__(
        self, conversation: Conversation, rules: CallRules, checkpoints: EditCheckpoints
    ) -> None:
        self._conversation, self._rules, self._checkpoints = conversation, rules, checkpoints

    def begin(self, name: str, arguments: str) -> RunningCall:
        """Begin a call.

        Args:
            name: of the tool.
            arguments: JSON.
        """
        kind = "edit" if name == EDITING else "call"
        call = ToolCall(f"{kind}-{secrets.token_hex(4)}", name, arguments)
        request_id = RequestId(f"mcp-{call.call_id}")
        identity = self._conversation.conversation_key.identity
        key = CallKey(request_id, call.call_id)

        def answer(decision: Decision) -> None:
            self._rules.approvals.answer(identity, key, decision)

        async def acting(work: Callable[[], Awaitable[ToolResult]]) -> ToolResult:
            if name != EDITING:
                return await work()
            return await self._checkpoints.around(call.call_id, work)

        running = RunningCall(call, answer)
        running.start(
            CallExecution(
                self._request(request_id, call.call_id),
                self._rules,
                RunBudget(_LIMITS),
                acting,
                _nothing_seen,
                running.report,
            )
        )
        return running

    def _request(self, request_id: RequestId, call_id: str) -> RunRequest:
        return RunRequest(
            conversation=self._conversation,
            request_id=request_id,
            turn_id=call_id,
            mode="agent",
            info=None,
            log=(),
            stream=ActiveStream(request_id),
        )


def _nothing_seen(_path: RepoPath) -> str:
    return ""
