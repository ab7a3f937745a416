"""What an agent says and does in one attempt, told to the user's pages like a run of our own."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, cast

from acp.schema import (
    AgentMessageChunk,
    ContentToolCallContent,
    TextContentBlock,
    ToolCall,
    ToolCallStatus,
    ToolCallUpdate,
    UsageUpdate,
)

from jupyter_ac.agent.limits import RunBudget, RunLimits
from jupyter_ac.ids import RequestId
from jupyter_ac.planner.acp_agents.permission_requests import title_of
from jupyter_ac.terminal import terminal_text
from jupyter_ac.tool_rows import AgentMode, RunRow, RunState, ToolCallRow, ToolStatus, ToolUpdate

MAX_TEXT: Final = 400_000
"""Characters of what an agent says that are kept and passed on."""

MAX_CALLS: Final = 500
MAX_NEWS: Final = 5_000
"""News of calls that pages are told, so that an agent can't flood them."""

_MAX_SHOWN: Final = 4_000
_MAX_ID: Final = 200
_STATUSES: Final[dict[ToolCallStatus, ToolStatus]] = {
    "pending": "running",
    "in_progress": "running",
    "completed": "done",
    "failed": "failed",
}


class AgentRun:
    """One attempt of an agent.

    Args:
        request_id: by which its questions are answered.
        mode: as which of our own modes it is shown.
        limits: that it keeps.
        on_text: gets what it says.
        publish: tells the pages.

    Attributes:
        request_id: by which its questions are answered.
        budget: what it has used.
    """

    def __init__(
        self,
        request_id: RequestId,
        mode: AgentMode,
        limits: RunLimits,
        on_text: Callable[[str], None],
        publish: Callable[[ToolUpdate], None],
    ) -> None:
        self.request_id, self.budget = request_id, RunBudget(limits)
        self._mode, self._limits = mode, limits
        self._on_text, self._publish = on_text, publish
        self._rows: dict[str, ToolCallRow] = {}
        self._length = self._news = self._prompts = 0
        self._words: list[str] = []
        self._cost_usd = self._counted_usd = 0.0
        self._tokens = 0

    def begin(self) -> None:
        """A prompt is sent."""
        self._prompts += 1
        self._words.clear()

    @property
    def words(self) -> str:
        """What it has said since the last prompt or call."""
        return "".join(self._words).strip()

    @property
    def is_too_costly(self) -> bool:
        """Whether it has told of a cost beyond the limit, in the middle of a prompt."""
        return self._cost_usd > self._limits.max_usd

    def said(self, chunk: AgentMessageChunk) -> None:
        """Take a piece of its answer; pictures and sounds are left out."""
        if not isinstance(chunk.content, TextContentBlock):
            return
        text = chunk.content.text[: MAX_TEXT - self._length]
        self._length += len(text)
        if text:
            self._words.append(text)
            self._on_text(text)

    def spent(self, usage: UsageUpdate) -> None:
        """Take the cost of the session so far; of other currencies nothing is known."""
        if usage.cost is not None and usage.cost.currency.upper() == "USD":
            self._cost_usd = max(self._cost_usd, usage.cost.amount)

    def answered(self, session_tokens: int) -> tuple[int, float]:
        """Count a prompt that has been answered.

        Args:
            session_tokens: of all prompts so far, as the agent says; 0 when it doesn't.

        Returns:
            tokens and dollars of this one.
        """
        tokens = max(0, session_tokens - self._tokens)
        usd = self._cost_usd - self._counted_usd
        self._tokens, self._counted_usd = max(self._tokens, session_tokens), self._cost_usd
        self.budget.note_step(tokens, usd if self._cost_usd else None)
        return tokens, usd

    def changed(self, call: ToolCall | ToolCallUpdate) -> None:
        """Take the beginning of a call, or news of it."""
        is_new = call.tool_call_id not in self._rows
        if is_new:
            self._words.clear()
        status = _STATUSES.get(call.status) if call.status else None
        if self._row(call)["status"] == "waiting" and status == "running":
            status = None  # the user still decides
        texts = [
            each.content.text
            for each in call.content or ()
            if isinstance(each, ContentToolCallContent)
            and isinstance(each.content, TextContentBlock)
        ]
        result = terminal_text("\n".join(texts))
        known: dict[str, object | None] = {
            "title": title_of(call.title) or None,
            "tool": call.kind,
            "status": status,
            "arguments": _arguments(call),
            "result": result[:_MAX_SHOWN] or None,
            "started_at": _now() if is_new else None,
        }
        changed = {name: value for name, value in known.items() if value is not None}
        if texts:
            changed["left_out"] = max(0, len(result) - _MAX_SHOWN)
        self.report(call.tool_call_id, **changed)

    def report(self, call_id: str, **changed: object) -> None:
        """Change the row of a call, and tell the pages if it is another one now."""
        before = self._rows.get(call_id)
        if before is None:
            return
        row = cast("ToolCallRow", {**before, **changed})
        if row == before or self._news >= MAX_NEWS:
            return
        self._rows[call_id] = row
        self._news += 1
        self._tell(row, "running")

    def call_id(self, call: ToolCallUpdate) -> str:
        """Return the id by which the user's answer to a question names a call."""
        return self._row(call)["call_id"]

    def ended(self, state: RunState, reason: str) -> None:
        """Tell that nothing of it runs any more."""
        for row in self._rows.values():
            if row["status"] in {"running", "waiting"}:
                self._tell(cast("ToolCallRow", {**row, "status": "cancelled"}), state, reason)
        self._tell(None, state, reason)

    def _tell(self, row: ToolCallRow | None, state: RunState, reason: str = "") -> None:
        update = ToolUpdate(request_id=self.request_id, run=self._run(state, reason))
        if row is not None:
            update["call"] = row
        self._publish(update)

    def _row(self, call: ToolCall | ToolCallUpdate) -> ToolCallRow:
        found = self._rows.get(call.tool_call_id)
        if found is not None:
            return found
        row = ToolCallRow(
            call_id=call.tool_call_id[:_MAX_ID],
            step=max(1, self._prompts),
            tool="other",
            title="",
            arguments="",
            status="running",
            reason="",
            question=None,
            started_at="",
            duration_ms=None,
            tokens=0,
            result="",
            left_out=0,
        )
        if len(self._rows) < MAX_CALLS:
            self._rows[call.tool_call_id] = row
        return row

    def _run(self, state: RunState, reason: str) -> RunRow:
        return RunRow(
            run_id=self.request_id,
            request_id=self.request_id,
            mode=self._mode,
            state=state,
            reason=reason,
            used=self.budget.used(),
            limits=self._limits.amounts(),
            calls=[],
            steps=[],
            changed_steps=[],
            files_changed=[],
            can_undo=False,
        )


def _now() -> str:
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _arguments(call: ToolCall | ToolCallUpdate) -> str | None:
    if call.raw_input is None:
        return None
    return terminal_text(json.dumps(call.raw_input, ensure_ascii=False))[:_MAX_SHOWN]
