"""Carries out the tool calls of one run: checks them, asks the user, runs them, reports them."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final, cast

from jupyter_ac.agent.edit_questions import edit_question
from jupyter_ac.agent.grants import Grants
from jupyter_ac.agent.limits import RunBudget
from jupyter_ac.agent.run_texts import DONE
from jupyter_ac.agent.tool import Question, Right, ToolContext
from jupyter_ac.agent.tool_approvals import CallKey, Decision, ToolApprovals, question_row
from jupyter_ac.agent.toolbox import PreparedCall, Toolbox, refusal
from jupyter_ac.agent.tools.result_text import one_line
from jupyter_ac.chat.edit_blocks.blocks import BlockOutcome
from jupyter_ac.chat.ports import RunRequest
from jupyter_ac.chat.tool_calls import ToolCall, ToolResult
from jupyter_ac.edit_rows import BlockStatus
from jupyter_ac.errors import AcError
from jupyter_ac.ids import RepoPath
from jupyter_ac.tool_rows import EDIT, ToolCallRow, ToolStatus

log = logging.getLogger(__name__)

MAX_SHOWN: Final = 4000
"""Characters of arguments and of a result that a front end is shown."""

_INTERNAL: Final = "The tool has failed inside jupyter_ac; the host's log says why."
_LATE: Final = "The run's time was over before the tool had ended; it was stopped."
_STOPPED: Final = "Stopped."
_TITLE: Final = 200


@dataclass(frozen=True, slots=True)
class CallRules:
    """What the calls of a run need besides their tools.

    Attributes:
        toolbox: has the tools.
        approvals: ask the user.
        grants: what the user has allowed before.
        is_reviewing: whether a branch is under review; looks at the disk.
        count_tokens: of a result.
    """

    toolbox: Toolbox
    approvals: ToolApprovals
    grants: Grants
    is_reviewing: Callable[[], bool]
    count_tokens: Callable[[str], Awaitable[int]]


class CallExecution:
    """The calls of one run.

    Args:
        request: of the run.
        rules: what the calls need.
        budget: of the run; waits for the user don't count.
        acting: runs what may change files between two checkpoints.
        seen: the hash of a file's block as the model has it in this run.
        report: tells the front ends of a call.
    """

    def __init__(
        self,
        request: RunRequest,
        rules: CallRules,
        budget: RunBudget,
        acting: Callable[[Callable[[], Awaitable[ToolResult]]], Awaitable[ToolResult]],
        seen: Callable[[RepoPath], str],
        report: Callable[[ToolCallRow], None],
    ) -> None:
        self._request, self._rules, self._budget = request, rules, budget
        self._acting, self._seen, self._report = acting, seen, report

    async def run(self, call: ToolCall, shown_id: str, step: int) -> ToolResult:
        """Carry out a call; what fails is a result that says so.

        Args:
            call: as the model wrote it.
            shown_id: unique in the run: the call's id, or one of ours.
            step: of the run, from 1.
        """
        row = _row(call, shown_id, step)
        try:
            prepared = self._rules.toolbox.prepare(call)
            row = _with(row, title=prepared.title[:_TITLE])
            refused = refusal(
                self._request.mode,
                prepared.tool.definition.right,
                is_reviewing=await asyncio.to_thread(self._rules.is_reviewing),
            )
            if refused:
                return await self._end(row, "refused", ToolResult(refused, is_error=True))
            return await self._run(prepared, row)
        except AcError as error:
            return await self._end(row, "failed", ToolResult(error.message, is_error=True))
        except asyncio.CancelledError:
            self._report(_with(row, status="cancelled", reason=_STOPPED))
            raise
        except Exception:
            log.exception("the tool %s has failed", call.name[:_TITLE])
            return await self._end(row, "failed", ToolResult(_INTERNAL, is_error=True))

    async def decide_edit(
        self,
        outcome: BlockOutcome,
        shown_id: str,
        step: int,
        apply: Callable[[], Awaitable[BlockOutcome]],
    ) -> BlockOutcome:
        """Have the user decide on an edit that waits, and return what became of it.

        Args:
            outcome: of its block.
            shown_id: unique in the run.
            step: of the run, from 1.
            apply: makes the edit.
        """
        question = edit_question(outcome)
        row = _row(ToolCall("", EDIT, ""), shown_id, step)
        row = _with(row, title=one_line(outcome.block.path), question=question_row(question))
        self._report(_with(row, status="waiting"))
        try:
            decision = await self._ask(shown_id, question)
        except asyncio.CancelledError:
            self._report(_with(row, status="cancelled", reason=_STOPPED))
            raise
        if decision.allow:
            outcome = await apply()
        elif decision.is_by_user:
            outcome = replace(outcome, status=BlockStatus.REJECTED, message=decision.text)
        status: ToolStatus = "done" if outcome.status in DONE else "failed"
        reason = "" if status == "done" else outcome.message
        if not decision.allow:
            status, reason = "refused", decision.text
        self._report(_with(row, status=status, reason=reason[:_TITLE]))
        return outcome

    async def _ask(self, shown_id: str, question: Question) -> Decision:
        key = CallKey(self._request.request_id, shown_id)
        identity = self._request.conversation.conversation_key.identity
        with self._budget.user_wait():
            return await self._rules.approvals.ask(key, identity, question)

    async def _run(self, prepared: PreparedCall, row: ToolCallRow) -> ToolResult:
        context = self._context(row, "")
        question = await prepared.tool.question(prepared.arguments, context)
        if question is not None:
            decision = await self._decide(prepared, question, row)
            row = _with(row, question=question_row(question))
            if not decision.allow:
                return await self._end(row, "refused", ToolResult(decision.text, is_error=True))
            context = replace(context, answer=decision.text)
        began = time.monotonic()
        row = _with(row, status="running", started_at=f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}")
        self._report(row)

        async def work() -> ToolResult:
            return await prepared.tool.run(prepared.arguments, context)

        is_acting = prepared.tool.definition.right is Right.EXECUTE
        try:
            async with asyncio.timeout(self._budget.remaining()["seconds"]):
                result = await (self._acting(work) if is_acting else work())
        except AcError as error:
            result = ToolResult(error.message, is_error=True)
        except TimeoutError:
            result = ToolResult(_LATE, is_error=True)
        row = _with(row, duration_ms=round(1000 * (time.monotonic() - began)))
        return await self._end(row, "failed" if result.is_error else "done", result)

    async def _decide(
        self, prepared: PreparedCall, question: Question, row: ToolCallRow
    ) -> Decision:
        """Let a grant or the mode decide, or else the user."""
        session_id = self._request.conversation.session.session_id
        name = prepared.tool.definition.name
        is_held = self._request.mode == "sandbox" and question.is_sandboxed
        if is_held or await self._rules.grants.is_granted(question, session_id, name):
            return Decision(allow=True)
        self._report(_with(row, status="waiting", question=question_row(question)))
        decision = await self._ask(row["call_id"], question)
        if decision.allow:
            await self._rules.grants.grant(decision.scope, question, session_id, name)
        return decision

    def _context(self, row: ToolCallRow, answer: str) -> ToolContext:
        return ToolContext(
            conversation=self._request.conversation,
            request_id=self._request.request_id,
            call_id=row["call_id"],
            answer=answer,
            seen=self._seen,
            progress=self._request.progress,
        )

    async def _end(self, row: ToolCallRow, status: ToolStatus, result: ToolResult) -> ToolResult:
        row = _with(
            row,
            status=status,
            reason=result.text[:_TITLE] if result.is_error else "",
            tokens=await self._rules.count_tokens(result.text),
            result=result.text[:MAX_SHOWN],
            left_out=max(0, len(result.text) - MAX_SHOWN),
        )
        self._report(row)
        return result


def _row(call: ToolCall, shown_id: str, step: int) -> ToolCallRow:
    return ToolCallRow(
        call_id=shown_id,
        step=step,
        tool=call.name[:_TITLE],
        title="",
        arguments=call.arguments[:MAX_SHOWN],
        status="running",
        reason="",
        question=None,
        started_at="",
        duration_ms=None,
        tokens=0,
        result="",
        left_out=0,
    )


def _with(row: ToolCallRow, **changed: object) -> ToolCallRow:
    return cast("ToolCallRow", {**row, **changed})
