"""Questions about MCP servers at the beginning of a run, shown as calls of its first step."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, cast

from jupyter_ac.agent.limits import RunLimits
from jupyter_ac.agent.tool import Question
from jupyter_ac.agent.tool_approvals import CallKey, ToolApprovals, question_row
from jupyter_ac.chat.ports import RunRequest
from jupyter_ac.chat.run_record import NO_AMOUNTS
from jupyter_ac.tool_rows import RunRow, ToolCallRow, ToolScope, ToolUpdate

TOOL: Final = "mcp_server"
"""The name that such a question has in place of a tool's."""

_TITLE: Final = 200


class ServerQuestions:
    """Asks at the beginning of one run.

    Args:
        request: of the run.
        approvals: ask the user.
        limits: of the run.
        publish: tells the front ends of a person.
    """

    def __init__(
        self,
        request: RunRequest,
        approvals: ToolApprovals,
        limits: RunLimits,
        publish: Callable[[RunRequest, ToolUpdate], None],
    ) -> None:
        self._request, self._approvals = request, approvals
        self._limits, self._publish = limits, publish
        self._rows: dict[str, ToolCallRow] = {}

    @property
    def rows(self) -> list[ToolCallRow]:
        """What was asked, and what has failed."""
        return list(self._rows.values())

    async def ask(self, title: str, question: Question) -> ToolScope | None:
        """Return for how long the user allows something; None: it is refused."""
        row = self._new(title)
        self._report({**row, "status": "waiting", "question": question_row(question)})
        self._request.stream.run = self.row
        key = CallKey(self._request.request_id, row["call_id"])
        identity = self._request.conversation.conversation_key.identity
        decision = await self._approvals.ask(key, identity, question)
        asked = self._rows[row["call_id"]]
        if decision.allow:
            self._report({**asked, "status": "done"})
            return decision.scope
        self._report({**asked, "status": "refused", "reason": decision.text[:_TITLE]})
        return None

    def starting(self, name: str) -> None:
        """Tell that a server is being started."""
        self._request.progress(f"Starting the MCP server {name} …")

    def failed(self, title: str, reason: str) -> None:
        """Tell that a server can't be used."""
        self._report({**self._new(title), "status": "failed", "reason": reason[:_TITLE]})

    def row(self) -> RunRow:
        """Return the run as it is shown before its first step."""
        return RunRow(
            run_id=self._request.turn_id,
            request_id=self._request.request_id,
            mode=self._request.mode,
            state="running",
            reason="",
            used=NO_AMOUNTS,
            limits=self._limits.amounts(),
            calls=self.rows,
            steps=[],
            files_changed=[],
            changed_steps=[],
            can_undo=False,
        )

    def _new(self, title: str) -> ToolCallRow:
        return ToolCallRow(
            call_id=f"server-{len(self._rows) + 1}",
            step=1,
            tool=TOOL,
            title=title[:_TITLE],
            arguments="",
            status="running",
            reason="",
            question=None,
            started_at=f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
            duration_ms=None,
            tokens=0,
            result="",
            left_out=0,
        )

    def _report(self, row: ToolCallRow) -> None:
        self._rows[row["call_id"]] = row
        run = cast("RunRow", {**self.row(), "calls": []})
        self._publish(
            self._request, ToolUpdate(request_id=self._request.request_id, run=run, call=row)
        )
