"""One run: a turn in steps, each an answer with its calls, within limits."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from jupyter_ac.agent.call_execution import CallExecution, CallRules
from jupyter_ac.agent.commands.background import BackgroundCommands
from jupyter_ac.agent.limits import RunBudget, RunLimits
from jupyter_ac.agent.mcp_servers.session_servers import SessionServers
from jupyter_ac.agent.repetition import RepetitionDetector
from jupyter_ac.agent.run_checkpoints import RunCheckpoints
from jupyter_ac.agent.run_texts import (
    DONE,
    NO_ROOM,
    SUM_UP,
    added_text,
    closing_text,
    edits_text,
    opening_text,
)
from jupyter_ac.agent.text_calls import parse_calls
from jupyter_ac.agent.tool import Right
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.edit_blocks.blocks import BlockOutcome
from jupyter_ac.chat.edits.edit_tracker import TrackedAnswer
from jupyter_ac.chat.ports import RunLimit, RunRequest, StepOutcome
from jupyter_ac.chat.prompt.blocks import Block, Category
from jupyter_ac.chat.prompt.context_fitting import input_limit
from jupyter_ac.chat.records import TurnState
from jupyter_ac.chat.run_record import RunRecord, StepRecord, changed_steps, without_calls
from jupyter_ac.chat.tool_calls import ToolCall, ToolResult
from jupyter_ac.chat.turn.allow import LEAST_ANSWER
from jupyter_ac.edit_rows import BlockStatus
from jupyter_ac.ids import RepoPath
from jupyter_ac.models.client import CompletedAnswer
from jupyter_ac.tool_rows import RunRow, RunState, ToolCallRow, ToolUpdate

_LIMITS: Final = "The run has reached its limits; continue with another question."
_ENDED: Final[Mapping[TurnState, RunState]] = {
    TurnState.CANCELLED: "stopped",
    TurnState.ERROR: "failed",
}


@dataclass(frozen=True, slots=True)
class RunOpening:
    """What the model is told at the beginning of a run.

    Attributes:
        warning: what doesn't work here, such as the sandbox; "" for nothing.
        instructions: of the repository for agents.
        shown: what the user was asked before the first step, as calls.
    """

    warning: str = ""
    instructions: Sequence[Block] = ()
    shown: Sequence[ToolCallRow] = ()


@dataclass(frozen=True, slots=True)
class RunParts:
    """What all runs of a workspace share.

    Attributes:
        rules: what their calls need.
        hashes: returns the hashes of the blocks of files as they are now, as a conversation has
            them; without those that can't be read.
        publish: tells the front ends of a person.
        opening: says what the model is told first, in a conversation.
        background: their commands that go on.
        servers: the MCP servers, whose tools sessions have besides; None: there are none.
    """

    rules: CallRules
    hashes: Callable[[Conversation, Collection[RepoPath]], Awaitable[Mapping[RepoPath, str]]]
    publish: Callable[[RunRequest, ToolUpdate], None]
    opening: Callable[[Conversation], Awaitable[RunOpening]]
    background: BackgroundCommands
    servers: SessionServers | None = None


class ToolRun:
    """A run of a conversation.

    Args:
        request: what it was begun with.
        parts: what all runs share.
        limits: that it keeps.
        checkpoints: of what it changes.
        opening: what the model is told first.
        is_native: the provider takes tools; else calls stand in the text.

    Attributes:
        has_steps: it acts in steps.
    """

    def __init__(
        self,
        request: RunRequest,
        parts: RunParts,
        limits: RunLimits,
        checkpoints: RunCheckpoints,
        opening: RunOpening,
        *,
        is_native: bool,
    ) -> None:
        self._request, self._parts = request, parts
        window = input_limit(request.info) if request.info is not None else 0
        # Less than that the stage that weighs requests doesn't let an answer have.
        price = LEAST_ANSWER * (request.info.output_cost or 0.0) if request.info else 0.0
        self._limits, self._budget = limits, RunBudget(limits, window=window, answer_usd=price)
        self._checkpoints, self._is_native = checkpoints, is_native
        self._opening = opening
        self.has_steps = True
        checkpoints.is_busy = partial(parts.background.is_running, request.request_id)
        self._execution = CallExecution(
            request, parts.rules, self._budget, self._acting, self._seen_hash, self._report
        )
        self._repetition = RepetitionDetector()
        self._seen: dict[RepoPath, str] = {}
        self._seen_in: dict[RepoPath, int] = {}
        self._unsent_steps = 0
        self._steps: list[StepRecord] = []
        self._ends: list[int] = []
        self._open_end: int | None = None
        self._rows = {row["call_id"]: row for row in opening.shown}
        self._shown_ids = list(self._rows)
        self._limit = ""
        self._state: RunState = "running"
        self._reason = ""

    @property
    def may_edit(self) -> bool:
        """Whether edits are applied."""
        return self._request.mode not in {"ask", "plan"}

    def retried(self, _answer: CompletedAnswer) -> None:
        """Edits of a run aren't asked for again: its next step says what became of them."""

    def opening(self) -> Sequence[Block]:
        """Return what stands before the question: what the log lacks, the mode, the limits."""
        remaining = self._budget.remaining_text()
        mode, warning = self._request.mode, self._opening.warning
        text = opening_text(mode, remaining, warning)
        lesson = [] if self._is_native else [self._parts.rules.toolbox.lesson]
        sent = {block.sha256 for one in self._request.log for block in one.sent}
        lasting = (*lesson, *self._opening.instructions)
        self._publish(None)
        return [
            *(block for block in lasting if block.sha256 not in sent),
            Block(Category.RUN, text),
        ]

    async def edited(self, apply: Callable[[], Awaitable[None]]) -> None:
        """Apply an answer's edits between two checkpoints; what it has seen stays in context."""
        seen = await self.in_context()
        await self._checkpoints.around(len(self._steps) + 1, apply)
        self._seen.update(await self._hashes(seen))

    async def decide(
        self, outcome: BlockOutcome, text_end: int, apply: Callable[[], Awaitable[BlockOutcome]]
    ) -> BlockOutcome:
        """Have the user decide on an edit that waits, and return what became of it."""
        self._open_end = text_end
        step = len(self._steps) + 1
        shown_id = f"{step}-edit-{outcome.block.index + 1}"
        self._shown_ids.append(shown_id)
        return await self._execution.decide_edit(outcome, shown_id, step, apply)

    async def in_context(self) -> Collection[RepoPath]:
        """Return the files that the model has seen in this run, as they still are."""
        now = await self._hashes(self._seen)
        return [path for path, known in self._seen.items() if now.get(path) == known]

    async def step(
        self, answer: CompletedAnswer, tracked: TrackedAnswer, text_end: int
    ) -> StepOutcome:
        """Carry out the calls of an answer."""
        usage = answer.usage
        self._budget.note_step(usage.input_tokens + usage.output_tokens, usage.cost_usd)
        calls = answer.calls if self._is_native else tuple(parse_calls(answer.text))
        self._steps.append(StepRecord(calls, answer.thinking))
        self._ends.append(text_end)
        self._open_end = None
        outcomes = [outcome for _, outcome in sorted(tracked.outcomes.items())]
        created = [one.block.path for one in outcomes if one.is_create and one.status in DONE]
        self._note_seen(await self._hashes([RepoPath(path) for path in created]))
        edits = edits_text(outcomes)
        if self._limit:
            return self._over("limit", self._limit, self._limit if calls else "")
        if answer.finish_reason == "length" and self._budget.is_last_step:
            return self._over("limit", self._budget.exceeded() or _LIMITS)
        if calls:
            return await self._carry_out(calls, edits)
        rejected = any(outcome.status is BlockStatus.REJECTED for outcome in outcomes)
        is_done = not rejected and not any(outcome.is_open for outcome in outcomes)
        # Providers want an answer with a text between two messages of the user.
        if is_done and not (self._request.has_added() and answer.text.strip()):
            return self._over("done", "")
        await self._make_room((), 0)
        return self._next((), edits)

    def refuse(self, limit: RunLimit) -> str:
        """End the run since its next request would go beyond a limit; return why, in a sentence."""
        reason = self._limits.refusal(limit)
        return self._over("limit", reason, reason).text

    async def close(self) -> None:
        """End the commands that go on in the background; what they have changed can be undone."""
        await self._parts.background.end_run(self._request.request_id)
        await self._checkpoints.close()

    def record(self, state: TurnState | None = None) -> RunRecord:
        """Return the run so far; at its end with how the turn ended."""
        if state is not None and state in _ENDED:
            self._state = _ENDED[state]
        elif state is not None and self._state == "running":
            self._state = "done"
        return RunRecord(self._row(), tuple(self._steps), tuple(self._checkpoints.intervals))

    def _row(self) -> RunRow:
        """Return the run as it is shown at this moment."""
        changed = self._checkpoints.changed
        return RunRow(
            run_id=self._request.turn_id,
            request_id=self._request.request_id,
            mode=self._request.mode,
            state=self._state,
            reason=self._reason,
            used=self._budget.used(),
            limits=self._limits.amounts(),
            calls=[self._rows[name] for name in self._shown_ids if name in self._rows],
            steps=[*self._ends, *(() if self._open_end is None else (self._open_end,))],
            changed_steps=changed_steps(self._checkpoints.intervals),
            files_changed=sorted(changed),
            can_undo=bool(changed),
        )

    async def _carry_out(self, calls: Sequence[ToolCall], edits: str) -> StepOutcome:
        results: list[tuple[ToolCall, ToolResult]] = []
        for group in self._groups(calls):
            results += await asyncio.gather(*map(self._call, group))
            if results[-1][1].ends_run and not self._request.has_added():
                break
        ended = next((result for _, result in results if result.ends_run), None)
        if ended is not None and not self._request.has_added():
            return self._over("done", "", ended.text)
        for call, result in results:
            if reason := self._repetition.note(call, result):
                return self._over("repeated", reason, reason)
        return self._next(await self._fitting(results), edits)

    async def _fitting(
        self, results: Sequence[tuple[ToolCall, ToolResult]]
    ) -> list[tuple[ToolCall, ToolResult]]:
        """Leave out results that the model's window has no room for, even in a shorter log."""
        shown_ids = self._shown_ids[len(self._shown_ids) - len(results) :]
        sizes = [self._rows[shown_id]["tokens"] for shown_id in shown_ids]
        await self._make_room([call for call, _ in results], sum(sizes))
        fitting: list[tuple[ToolCall, ToolResult]] = []
        for (call, result), tokens in zip(results, sizes, strict=True):
            fits = result.ends_run or self._budget.takes_result(tokens)
            fitting.append((call, result if fits else ToolResult(NO_ROOM, is_error=True)))
            self._note_seen(result.read if fits else {})
        return fitting

    async def _make_room(self, calls: Sequence[ToolCall], tokens: int) -> None:
        """Have the log shortened if it nearly fills the model's window.

        Args:
            calls: whose results follow.
            tokens: of these results.
        """
        excess = self._budget.excess(tokens)
        done = await self._request.shorten(calls, excess) if excess else None
        if done is None:
            return
        self._budget.note_shortened(done.freed_tokens, done.usage)
        self._unsent_steps += done.steps
        for path, step in list(self._seen_in.items()):
            if step <= self._unsent_steps:
                del self._seen[path], self._seen_in[path]

    def _groups(self, calls: Sequence[ToolCall]) -> list[list[ToolCall]]:
        """Put calls that only read together, to be carried out at once; others stand alone."""
        groups: list[list[ToolCall]] = []
        was_reading = False
        for call in calls:
            is_reading = self._parts.rules.toolbox.right_of(call) is Right.READ
            if is_reading and was_reading:
                groups[-1].append(call)
            else:
                groups.append([call])
            was_reading = is_reading
        return groups

    async def _call(self, call: ToolCall) -> tuple[ToolCall, ToolResult]:
        shown_id = call.call_id
        if not shown_id or shown_id in self._shown_ids:
            shown_id = f"{len(self._steps)}-{len(self._shown_ids) + 1}"
        self._shown_ids.append(shown_id)
        return call, await self._execution.run(call, shown_id, len(self._steps))

    def _next(self, results: Sequence[tuple[ToolCall, ToolResult]], edits: str) -> StepOutcome:
        if self._budget.is_last_step:
            self._limit = self._budget.exceeded() or _LIMITS
        left = SUM_UP if self._limit else self._budget.remaining_text()
        return StepOutcome(
            results=[(call, result.text) for call, result in results],
            closing=closing_text(edits, *map(added_text, self._request.added()), left),
            images=[name for _, result in results for name in result.images],
        )

    def _over(self, state: RunState, reason: str, text: str = "") -> StepOutcome:
        self._state, self._reason = state, reason
        return StepOutcome(is_over=True, text=text)

    async def _acting(self, work: Callable[[], Awaitable[ToolResult]]) -> ToolResult:
        return await self._checkpoints.around(len(self._steps), work)

    def _note_seen(self, hashes: Mapping[RepoPath, str]) -> None:
        """Note what the model sees of files in the present step."""
        self._seen.update(hashes)
        self._seen_in.update(dict.fromkeys(hashes, len(self._steps)))

    async def _hashes(self, paths: Collection[RepoPath]) -> Mapping[RepoPath, str]:
        if not paths:
            return {}
        return await self._parts.hashes(self._request.conversation, list(paths))

    def _seen_hash(self, path: RepoPath) -> str:
        return self._seen.get(path, "")

    def _report(self, row: ToolCallRow) -> None:
        self._rows[row["call_id"]] = row
        self._publish(row)

    def _publish(self, call: ToolCallRow | None) -> None:
        update = ToolUpdate(request_id=self._request.request_id, run=without_calls(self._row()))
        if call is not None:
            update["call"] = call
        self._parts.publish(self._request, update)
