"""The agent of a workspace: begins runs, and refuses calls where tools are switched off."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace
from typing import Final

from jupyter_ac.agent.limits import RunLimits
from jupyter_ac.agent.mcp_servers.server_questions import ServerQuestions
from jupyter_ac.agent.run import RunParts, ToolRun
from jupyter_ac.agent.run_checkpoints import RunCheckpoints
from jupyter_ac.agent.run_texts import TOOLS_OFF
from jupyter_ac.agent.toolbox import Toolbox
from jupyter_ac.chat.edit_blocks.blocks import BlockOutcome
from jupyter_ac.chat.edits.edit_tracker import TrackedAnswer
from jupyter_ac.chat.ports import AgentRun, RunLimit, RunRequest, StepOutcome
from jupyter_ac.chat.prompt.blocks import Block
from jupyter_ac.chat.records import TurnState
from jupyter_ac.chat.run_record import NO_AMOUNTS, RunRecord, StepRecord
from jupyter_ac.chat.session import Session
from jupyter_ac.ids import RepoPath
from jupyter_ac.models.client import CompletedAnswer, ModelInfo
from jupyter_ac.tool_rows import AgentMode, RunRow

MAX_REFUSALS: Final = 2
"""Answers with calls, where tools are switched off, before the turn ends."""


class WorkspaceAgent:
    """Begins the runs of a workspace.

    Args:
        parts: what all runs share.
        limits: returns those of the user at this moment.
        checkpoints: makes those of a run, by its id.
    """

    def __init__(
        self,
        parts: RunParts,
        limits: Callable[[], RunLimits],
        checkpoints: Callable[[str], RunCheckpoints],
    ) -> None:
        self._parts, self._limits, self._checkpoints = parts, limits, checkpoints

    def tools(self, session: Session, mode: AgentMode, info: ModelInfo | None) -> tuple[Block, ...]:
        """Return the definitions of the tools, each as JSON, for a provider that takes them."""
        is_wanted = mode != "ask" or any(turn.run is not None for turn in session.turns)
        is_taken = info is not None and info.takes_tools
        return self._toolbox(session).blocks if is_wanted and is_taken else ()

    async def begin(self, request: RunRequest) -> AgentRun | None:
        """Begin a run; None for a plain answer without tools.

        At the first run of a session its tools are fixed, those of MCP servers included.
        """
        session, servers = request.conversation.session, self._parts.servers
        is_native = request.info is not None and request.info.takes_tools
        if request.mode == "ask":
            is_offered = bool(self.tools(session, request.mode, request.info))
            if is_offered and servers is not None:
                await servers.join(session.session_id, None)
            return RefusingRun(request) if is_offered else None
        limits, rules = self._limits(), self._parts.rules
        asking = ServerQuestions(request, rules.approvals, limits, self._parts.publish)
        if servers is not None:
            rules = replace(rules, toolbox=await servers.join(session.session_id, asking))
        run = ToolRun(
            request,
            replace(self._parts, rules=rules),
            limits,
            self._checkpoints(request.turn_id),
            replace(await self._parts.opening(request.conversation), shown=asking.rows),
            is_native=is_native,
        )
        request.stream.run = lambda: run.record().row
        return run

    def _toolbox(self, session: Session) -> Toolbox:
        servers = self._parts.servers
        if servers is None:
            return self._parts.rules.toolbox
        return servers.toolbox(session.session_id)


class RefusingRun:
    """A question without tools in a conversation in which there was a run before.

    The model is still told of the tools, since the provider's cache serves nothing of the log
    otherwise; calls are answered by a refusal.

    Args:
        request: of the turn.
    """

    may_edit = True
    has_steps = False

    def __init__(self, request: RunRequest) -> None:
        self._request = request
        self._steps: list[StepRecord] = []

    def opening(self) -> Sequence[Block]:
        """Nothing is said before: most models don't call."""
        return ()

    def retried(self, answer: CompletedAnswer) -> None:
        """Note an answer whose edits are asked for again."""
        self._steps.append(StepRecord(thinking=answer.thinking))

    async def edited(self, apply: Callable[[], Awaitable[None]]) -> None:
        """Apply an answer's edits."""
        await apply()

    async def decide(
        self, outcome: BlockOutcome, _text_end: int, _apply: Callable[[], Awaitable[BlockOutcome]]
    ) -> BlockOutcome:
        """Edits wait as they do without tools."""
        return outcome

    async def in_context(self) -> Collection[RepoPath]:
        """Nothing was read."""
        return ()

    async def close(self) -> None:
        """Nothing was started."""

    def refuse(self, _limit: RunLimit) -> str:
        """It has no limits."""
        return ""

    async def step(
        self, answer: CompletedAnswer, _tracked: TrackedAnswer, _text_end: int
    ) -> StepOutcome:
        """Refuse the calls of an answer."""
        self._steps.append(StepRecord(answer.calls, answer.thinking))
        if not answer.calls or len(self._steps) > MAX_REFUSALS:
            return StepOutcome(is_over=True)
        refused = [(call, TOOLS_OFF) for call in answer.calls]
        return StepOutcome(results=refused, closing=TOOLS_OFF)

    def record(self, _state: TurnState | None = None) -> RunRecord | None:
        """Return the refused calls; None if there were none."""
        if not any(step.calls for step in self._steps):
            return None
        row = RunRow(
            run_id=self._request.turn_id,
            request_id=self._request.request_id,
            mode="ask",
            state="done",
            reason="",
            used={**NO_AMOUNTS, "steps": len(self._steps)},
            limits=NO_AMOUNTS,
            calls=[],
            steps=[],
            changed_steps=[],
            files_changed=[],
            can_undo=False,
        )
        return RunRecord(row, tuple(self._steps))
