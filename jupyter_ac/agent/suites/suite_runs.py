"""The runs of tests of a workspace: at most one at a time for each person.

A run is a call of a tool as those of the agent are: refused during a review and where the tool is
switched off, allowed by the same grants, and else asked for on the person's pages.
"""

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

import orjson

from jupyter_ac.agent.call_execution import CallExecution, CallRules
from jupyter_ac.agent.limits import RunBudget, RunLimits
from jupyter_ac.agent.suites.board import OutcomeBoard
from jupyter_ac.agent.suites.suite_tool import DONE, NAME, SuiteParts, SuiteTool
from jupyter_ac.agent.tool import ToolContext
from jupyter_ac.agent.toolbox import Toolbox
from jupyter_ac.agent.tools.running import MOST_LIMIT_S
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.ports import RunRequest
from jupyter_ac.chat.streams import ActiveStream
from jupyter_ac.chat.tool_calls import ToolCall, ToolResult
from jupyter_ac.errors import AccessDenied, Busy
from jupyter_ac.ids import Identity, RepoPath, RequestId
from jupyter_ac.suite_rows import SuiteKind, SuiteRun
from jupyter_ac.tool_rows import RunRow, ToolCallRow, ToolUpdate

TITLE: Final = "Tests"
"""Of the panel, where a person is asked."""

MAX_PEOPLE: Final = 50
"""Whose outcomes are kept; those of who has run nothing for the longest time are forgotten."""

_CALL_ID: Final = "tests"
_LIMITS: Final = RunLimits(
    max_steps=1, max_tokens=1, max_usd=0.0, max_minutes=MOST_LIMIT_S / 60 + 1
)


@dataclass(frozen=True, slots=True)
class WantedTests:
    """What a person wants of the tests.

    Attributes:
        kind: to run them, or only to find them.
        nodes: of pytest; () for all.
        outside_sandbox: run it outside of the sandbox.
    """

    kind: SuiteKind
    nodes: Sequence[str] = ()
    outside_sandbox: bool = False


class SuiteRuns:
    """The runs, and what is known of the tests.

    Args:
        parts: what the runs work with.
        rules: of the agent's calls.
        disabled: names of tools that are switched off.
        publish: tells the pages of a conversation of a call.
    """

    def __init__(
        self,
        parts: SuiteParts,
        rules: CallRules,
        disabled: Collection[str],
        publish: Callable[[Conversation, ToolUpdate], None],
    ) -> None:
        self._boards: OrderedDict[Identity, OutcomeBoard] = OrderedDict()
        self._running: dict[Identity, asyncio.Task[None]] = {}
        self._is_disabled = NAME in disabled
        self._publish = publish
        tool = SuiteTool(parts, self._board_in)
        self._rules = replace(rules, toolbox=Toolbox([tool], ()), count_tokens=_nothing)

    def board(self, identity: Identity) -> OutcomeBoard:
        """Return what a person knows of the tests."""
        board = self._boards.get(identity)
        if board is None:
            board = self._boards[identity] = OutcomeBoard()
            for other in list(self._boards)[:-MAX_PEOPLE]:
                if not self._boards[other].is_active:
                    del self._boards[other]
        return board

    def start(self, conversation: Conversation, wanted: WantedTests) -> SuiteRun:
        """Begin a run; it goes on by itself.

        Raises:
            Busy: the person's last run isn't over.
            AccessDenied: the administrator has switched it off.
        """
        if self._is_disabled:
            raise AccessDenied(f"The administrator has switched off the tool {NAME}.")
        identity = conversation.conversation_key.identity
        board = self.board(identity)
        if board.is_active:
            raise Busy("Tests are running already; wait for their end, or stop them.")
        self._boards.move_to_end(identity)
        run_id = f"tests-{secrets.token_hex(6)}"
        run = SuiteRun(
            run_id=run_id,
            kind=wanted.kind,
            state="running",
            message="",
            command="",
            selected=len(wanted.nodes),
            duration_ms=None,
        )
        board.begin(run)
        work = self._carry_out(conversation, wanted, _Followed(run_id, board))
        task = self._running[identity] = asyncio.create_task(work, name=f"run of {run_id}")
        task.add_done_callback(lambda _: self._forget(identity, task))
        return run

    async def stop(self, identity: Identity) -> bool:
        """End a person's run, or take its question back; returns whether there was one."""
        task = self._running.get(identity)
        if task is None:
            return False
        task.cancel()
        await asyncio.wait({task})
        return True

    async def aclose(self) -> None:
        """End all runs."""
        tasks = set(self._running.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _carry_out(
        self, conversation: Conversation, wanted: WantedTests, followed: "_Followed"
    ) -> None:
        request_id = RequestId(followed.run_id)
        call = ToolCall(_CALL_ID, NAME, orjson.dumps(_arguments(wanted)).decode())
        request = RunRequest(
            conversation=conversation,
            request_id=request_id,
            turn_id=followed.run_id,
            mode="agent",
            info=None,
            log=(),
            stream=ActiveStream(request_id),
        )
        budget = RunBudget(_LIMITS)

        def report(row: ToolCallRow) -> None:
            followed.take(row)
            run = _run_row(followed.run_id, budget)
            update = ToolUpdate(request_id=request_id, run=run, call=row, panel=TITLE)
            self._publish(conversation, update)

        execution = CallExecution(request, self._rules, budget, _directly, _nothing_seen, report)
        with self._rules.approvals.for_panel(request_id, TITLE):
            await execution.run(call, _CALL_ID, 1)

    def _board_in(self, context: ToolContext) -> OutcomeBoard:
        return self.board(context.conversation.conversation_key.identity)

    def _forget(self, identity: Identity, task: "asyncio.Task[None]") -> None:
        if self._running.get(identity) is task:
            del self._running[identity]


class _Followed:
    """A run whose state is put on a board."""

    def __init__(self, run_id: str, board: OutcomeBoard) -> None:
        self.run_id = run_id
        self._board = board
        self._began = time.monotonic()

    def take(self, row: ToolCallRow) -> None:
        """Take the news of the call."""
        status, said = row["status"], row["result"] or row["reason"]
        if status == "waiting":
            self._board.advance("asking")
        elif status == "running":
            self._began = time.monotonic()
            self._board.advance("running")
        else:
            took = round(1000 * (time.monotonic() - self._began))
            if status == "done":
                self._board.advance("done", "" if said == DONE else said, took)
            elif status == "cancelled":
                self._board.advance("stopped", "Stopped.", took)
            else:
                self._board.advance("refused" if status == "refused" else "failed", said, took)


def _arguments(wanted: WantedTests) -> dict[str, object]:
    return {
        "nodes": list(wanted.nodes),
        "collect_only": wanted.kind == "collect",
        "outside_sandbox": wanted.outside_sandbox,
    }


def _run_row(run_id: str, budget: RunBudget) -> RunRow:
    return {
        "run_id": run_id,
        "request_id": run_id,
        "mode": "agent",
        "state": "running",
        "reason": "",
        "used": budget.used(),
        "limits": _LIMITS.amounts(),
        "calls": [],
        "steps": [],
        "changed_steps": [],
        "files_changed": [],
        "can_undo": False,
    }


async def _directly(work: Callable[[], Awaitable[ToolResult]]) -> ToolResult:
    """Run without checkpoints: it is the person who runs the tests, not a model."""
    return await work()


async def _nothing(_text: str) -> int:
    return 0


def _nothing_seen(_path: RepoPath) -> str:
    return ""
