"""Has agents carry out tasks: each attempt is a process in the task's worktree."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar, cast

from acp import PROTOCOL_VERSION, RequestError
from acp.client.connection import ClientSideConnection
from acp.helpers import text_block
from acp.schema import ClientCapabilities, FileSystemCapabilities, Implementation, PromptResponse
from pydantic import ValidationError

from jupyter_ac.agent.commands.command import CommandRunner
from jupyter_ac.agent.commands.sandbox import Sandbox
from jupyter_ac.agent.limits import RunLimits
from jupyter_ac.agent.tool_approvals import ToolApprovals
from jupyter_ac.errors import AcError, NotReady, Unsupported
from jupyter_ac.ids import new_request_id
from jupyter_ac.planner.acp_agents.agent_process import AgentCommand, AgentProcess
from jupyter_ac.planner.acp_agents.agent_run import AgentRun
from jupyter_ac.planner.acp_agents.permission_requests import title_of
from jupyter_ac.planner.acp_agents.worktree_client import Asking, WorktreeClient
from jupyter_ac.planner.execution.executor import Assignment, TaskAnswer
from jupyter_ac.settings.executors import ExecutorSettings
from jupyter_ac.store.shield import run_to_completion
from jupyter_ac.tool_rows import AgentMode, RunState, TaskName, ToolUpdate
from jupyter_ac.version import __version__

if TYPE_CHECKING:
    from acp.interfaces import Client

START_S: Final = 120.0
"""How long an agent may take until its session is there."""

_CANCEL_S: Final = 0.3
_WATCH_S: Final = 0.5
_ENDS: Final[Mapping[str, str]] = {
    "max_tokens": "The agent's answer was cut at its longest length.",
    "max_turn_requests": "The agent has reached its own limit of steps.",
    "refusal": "The agent has refused to go on.",
    "cancelled": "The agent was stopped.",
}
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AgentPorts:
    """What agents share with the workspace.

    Attributes:
        environ: of this process.
        approvals: ask the user.
        limits: returns those of a run, by the settings of this moment.
        publish: tells the user's pages of an attempt.
    """

    environ: Mapping[str, str]
    approvals: ToolApprovals
    limits: Callable[[], RunLimits]
    publish: Callable[[Assignment, ToolUpdate], None]


class AcpExecutor:
    """Starts an agent for each attempt at a task.

    Args:
        settings: of the agent.
        ports: what it shares with the workspace.
    """

    def __init__(self, settings: ExecutorSettings, ports: AgentPorts) -> None:
        self._settings, self._ports = settings, ports

    @asynccontextmanager
    async def open(self, assignment: Assignment) -> AsyncIterator["AcpSession"]:
        """Start the agent and a session; at the end its processes are ended.

        Raises:
            Unsupported: there is no sandbox, and the settings don't do without.
            AcError: it can't be started, or doesn't speak the protocol.
        """
        ports, name = self._ports, self._settings.name
        command = await self._command(assignment)

        def publish(update: ToolUpdate) -> None:
            ports.publish(assignment, update)

        mode: AgentMode = "sandbox" if command.is_sandboxed else "agent"
        run = AgentRun(new_request_id(), mode, ports.limits(), assignment.on_text, publish)
        asking = Asking(ports.approvals, assignment.identity, name, command.is_sandboxed)
        client = WorktreeClient(assignment.worktree, run, asking)
        process = await AgentProcess.start(command, assignment.worktree.root)
        # The protocol names methods of unstable parts, too, which the SDK finds missing.
        connection = ClientSideConnection(cast("Client", client), process)
        session = AcpSession(name, process, connection, run)
        task = TaskName(plan_id=assignment.plan_id, task_id=assignment.task_id)
        try:
            with ports.approvals.for_task(run.request_id, task):
                await session.begin(assignment.worktree.root)
                yield session
        finally:
            await run_to_completion(_close(process, connection))
            session.tell_end()

    async def _command(self, assignment: Assignment) -> AgentCommand:
        settings, environ, worktree = self._settings, self._ports.environ, assignment.worktree
        home = Path(environ.get("HOME", "") or Path.home())
        shown = [worktree.root / path for path in assignment.links]
        # An absolute path stays what it is.
        shown += [home / path.removeprefix("~/") for path in settings.shows]
        sandbox = Sandbox(worktree, environ, shown=shown, has_network=settings.network)
        if settings.sandbox and (refusal := await sandbox.refusal()):
            raise Unsupported(
                f"{refusal} Without one the agent {settings.name!r} isn't started, unless its "
                'settings say "sandbox": false.'
            )
        line, variables = await CommandRunner(worktree.root, sandbox, environ).prepare(
            settings.command, sandboxed=settings.sandbox
        )
        private: dict[str, str] = {}
        for entry in settings.env:
            variable, is_given, value = entry.partition("=")
            if is_given or variable in environ:
                private[variable] = value if is_given else environ[variable]
        return AgentCommand(line, variables, private, settings.command, settings.sandbox)


class AcpSession:
    """A conversation with an agent.

    Args:
        name: of the agent.
        process: of it.
        connection: to it.
        run: the attempt.
    """

    def __init__(
        self, name: str, process: AgentProcess, connection: ClientSideConnection, run: AgentRun
    ) -> None:
        self._name, self._process, self._connection, self._run = name, process, connection, run
        self._session_id, self._model = "", name
        self._end: tuple[RunState, str] = ("failed", "It has not begun.")

    async def begin(self, root: Path) -> None:
        """Agree on the protocol, and open the session.

        Raises:
            NotReady: the agent doesn't do that, wants a login, or takes too long.
        """
        capabilities = ClientCapabilities(
            fs=FileSystemCapabilities(read_text_file=True, write_text_file=True), terminal=False
        )
        us = Implementation(name="jupyter_ac", version=__version__)
        try:
            async with asyncio.timeout(START_S):
                hello = await self._called(
                    self._connection.initialize(PROTOCOL_VERSION, capabilities, us)
                )
                if hello.protocol_version != PROTOCOL_VERSION:
                    raise self._problem(f"speaks version {hello.protocol_version} of the protocol")
                if hello.agent_info is not None:
                    self._model = title_of(f"{hello.agent_info.name} {hello.agent_info.version}")
                opened = await self._called(
                    self._connection.new_session(cwd=str(root), mcp_servers=[])
                )
        except TimeoutError:
            raise self._problem(f"has not begun a session within {START_S:g} s") from None
        self._session_id = opened.session_id

    async def ask(self, prompt: str) -> TaskAnswer:
        """Have the agent do something; cancelling this stops it."""
        self._run.begin()
        asking = asyncio.ensure_future(
            self._called(
                self._connection.prompt(session_id=self._session_id, prompt=[text_block(prompt)])
            )
        )
        self._end = ("stopped", "")
        try:
            problem = await self._watch(asking)
            response = None if problem else asking.result()
        except AcError as error:
            problem, response = error.message, None
        finally:
            if not asking.done():
                await run_to_completion(self._stop(asking))
        problem = problem or _ENDS.get(response.stop_reason if response else "", "")
        self._end = ("failed" if problem else "done", problem)
        return self._answer(response, problem)

    def tell_end(self) -> None:
        """Tell the pages that nothing of the attempt runs any more."""
        self._run.ended(*self._end)

    def _answer(self, response: PromptResponse | None, problem: str) -> TaskAnswer:
        usage = response.usage if response is not None else None
        tokens, cost_usd = self._run.answered(usage.total_tokens if usage is not None else 0)
        return TaskAnswer(self._run.words, problem, tokens, cost_usd, self._model)

    async def _watch(self, asking: "asyncio.Future[PromptResponse]") -> str:
        """Wait for the answer; returns the limit that was reached before, as a sentence."""
        while not asking.done():
            left = self._run.budget.remaining()["seconds"]
            if left <= 0 or self._run.is_too_costly:
                self._run.answered(0)
                return self._run.budget.exceeded() or "The agent has cost more than agent.max_usd."
            await asyncio.wait({asking}, timeout=max(min(left, _WATCH_S), 0.05))
        return ""

    async def _stop(self, asking: "asyncio.Future[PromptResponse]") -> None:
        """Tell the agent to stop; whether it does or not, its process ends soon after."""
        telling = asyncio.ensure_future(self._connection.cancel(session_id=self._session_id))
        both = asyncio.gather(telling, asking, return_exceptions=True)
        await asyncio.wait({both}, timeout=_CANCEL_S)
        telling.cancel()
        asking.cancel()
        await asyncio.wait({both})

    async def _called(self, call: Awaitable[T]) -> T:
        """Wait for an answer of the agent, and say in our words what is wrong with it."""
        try:
            return await call
        except RequestError as error:
            detail = title_of(str(error))
            if error.code == RequestError.auth_required().code and "auth" in detail.lower():
                raise self._problem(
                    f"wants a login ({detail}); name its key's variable in `env` of its settings"
                ) from error
            raise self._problem(f"says: {detail}") from error
        except ValidationError as error:
            raise self._problem("has answered what the protocol doesn't know") from error
        except ConnectionError as error:
            fault = self._process.fault or f"has ended ({self._process.complaint})"
            raise self._problem(fault) from error

    def _problem(self, what: str) -> NotReady:
        return NotReady(f"The agent {self._name!r} {what}.")


async def _close(process: AgentProcess, connection: ClientSideConnection) -> None:
    try:
        await process.end()
    finally:
        await connection.close()
