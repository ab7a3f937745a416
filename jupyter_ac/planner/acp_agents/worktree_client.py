"""What an agent may ask of us: the user's consent, and files of its worktree."""

import asyncio
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from acp import RequestError
from acp.schema import (
    AgentMessageChunk,
    PermissionOption,
    ReadTextFileResponse,
    RequestPermissionResponse,
    ToolCallProgress,
    ToolCallStart,
    ToolCallUpdate,
    UsageUpdate,
    WriteTextFileResponse,
)

from jupyter_ac.agent.tool_approvals import CallKey, Decision, ToolApprovals, question_row
from jupyter_ac.errors import AcError, RefusedPath
from jupyter_ac.git.files import read_text
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.writing import FileLocks, FileWriter
from jupyter_ac.ids import Identity
from jupyter_ac.planner.acp_agents.agent_run import AgentRun
from jupyter_ac.planner.acp_agents.permission_requests import (
    MAX_QUESTION,
    is_answerable,
    outcome,
    question_about,
)
from jupyter_ac.store.locks import NamedLocks

if TYPE_CHECKING:
    from jupyter_ac.agent.tool import Question

MAX_ASKED: Final = 200
"""Questions of one attempt; an agent that asks more is refused."""

_FAILED: Final = -32000
_LONG: Final = "It was refused: its description is too long for anybody to read."
_MANY: Final = f"It was refused: the agent has asked {MAX_ASKED} times already."
_NO_OPTION: Final = "It was refused: the agent doesn't let it be allowed only once."


@dataclass(frozen=True, slots=True)
class Asking:
    """By whom an agent's requests are decided.

    Attributes:
        approvals: ask the user.
        identity: who is asked.
        agent: its name in the settings.
        is_sandboxed: it runs in the sandbox.
    """

    approvals: ToolApprovals
    identity: Identity
    agent: str
    is_sandboxed: bool


class WorktreeClient:
    """Answers one agent; what it is allowed for the session ends with this.

    Args:
        worktree: in which it works.
        run: its attempt.
        asking: decides on its requests.
    """

    def __init__(self, worktree: Repository, run: AgentRun, asking: Asking) -> None:
        self._worktree, self._run, self._asking = worktree, run, asking
        locks = FileLocks(worktree, NamedLocks(worktree.git_dir))
        self._writer = FileWriter(worktree, locks)
        self._decided: dict[Question, Decision] = {}
        self._asked = 0

    async def session_update(self, update: object, **_more: object) -> None:
        """Take news of the session; thoughts, plans, modes and commands are left out."""
        match update:
            case AgentMessageChunk():
                self._run.said(update)
            case ToolCallStart() | ToolCallProgress():
                self._run.changed(update)
            case UsageUpdate():
                self._run.spent(update)

    async def request_permission(
        self,
        tool_call: ToolCallUpdate,
        options: list[PermissionOption],
        **_more: object,
    ) -> RequestPermissionResponse:
        """Have the user decide on a call of the agent."""
        self._run.changed(tool_call)
        decision = await self._decide(tool_call)
        response = outcome(decision, options)
        name = tool_call.tool_call_id
        if not decision.allow:
            self._run.report(name, status="refused", reason=decision.text)
        elif is_answerable(decision, response):
            self._run.report(name, status="running")
        else:
            self._run.report(name, status="refused", reason=_NO_OPTION)
        return response

    async def read_text_file(
        self,
        path: str,
        line: int | None = None,
        limit: int | None = None,
        **_more: object,
    ) -> ReadTextFileResponse:
        """Return the text of a file of the worktree, or some lines of it."""
        try:
            text = await read_text(self._worktree, await self._inside(path))
        except AcError as error:
            raise RequestError(_FAILED, error.message) from error
        if line is not None or limit is not None:
            first = max(1, line or 1) - 1
            lines = text.splitlines(keepends=True)
            text = "".join(lines[first : None if limit is None else first + max(0, limit)])
        return ReadTextFileResponse(content=text)

    async def write_text_file(
        self, path: str, content: str, **_more: object
    ) -> WriteTextFileResponse:
        """Write a file of the worktree."""
        try:
            await self._writer.write(await self._inside(path), content)
        except AcError as error:
            raise RequestError(_FAILED, error.message) from error
        return WriteTextFileResponse()

    async def create_terminal(self, **_more: object) -> None:
        """Refuse: an agent runs its commands itself, inside of its sandbox."""
        raise RequestError.method_not_found("terminal/create")

    async def _decide(self, call: ToolCallUpdate) -> Decision:
        asking = self._asking
        question = question_about(call, asking.agent, is_sandboxed=asking.is_sandboxed)
        if question in self._decided:
            return self._decided[question]
        if len(question.text) > MAX_QUESTION:
            return Decision(allow=False, text=_LONG)
        self._asked += 1
        if self._asked > MAX_ASKED:
            return Decision(allow=False, text=_MANY)
        self._run.report(call.tool_call_id, status="waiting", question=question_row(question))
        key = CallKey(self._run.request_id, self._run.call_id(call))
        try:
            with self._run.budget.user_wait():
                decision = await asking.approvals.ask(key, asking.identity, question)
        except AcError as error:
            return Decision(allow=False, text=error.message)
        if decision.scope != "once":
            self._decided[question] = decision
        return decision

    async def _inside(self, path: str) -> str:
        """Return a path of the protocol, which is absolute, below the worktree's top folder."""
        relative = await asyncio.to_thread(_relative, self._worktree.root, path)
        if not relative:
            raise RefusedPath("The path leads out of the worktree of the task.")
        return relative


def _relative(root: Path, path: str) -> str:
    """Return a path below a folder, links above it resolved; "" for another one."""
    if "\0" in path or not path.startswith(os.sep):
        return ""
    place = os.path.normpath(path)
    for base in (os.fspath(root), os.path.realpath(root)):
        if place.startswith(f"{base}{os.sep}"):
            return place[len(base) + 1 :]
    return ""
