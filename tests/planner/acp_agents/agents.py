"""Attempts by the agent of `tests/support/acp_agent.py`."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from jupyter_ac.agent.limits import RunLimits
from jupyter_ac.agent.tool_approvals import Decision, ToolApprovals
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.planner.acp_agents.acp_executor import AcpExecutor, AcpSession, AgentPorts
from jupyter_ac.planner.execution.executor import Assignment
from jupyter_ac.settings.executors import ACP, ExecutorSettings
from jupyter_ac.tool_rows import TaskName, ToolUpdate
from tests.planner.plans.planned import ADA
from tests.support import acp_agent
from tests.support.repositories import RepositoryFolder, make_repository

SCRIPT = Path(acp_agent.__file__)
LIMITS = RunLimits(max_steps=25, max_tokens=400_000, max_usd=1.0, max_minutes=15)


def told(*words: str, env: tuple[str, ...] = (), sandbox: bool = True) -> ExecutorSettings:
    """The settings of an agent that does what it is told."""
    command = (sys.executable, str(SCRIPT), *words)
    return ExecutorSettings("told", ACP, command, env=env, shows=(str(SCRIPT),), sandbox=sandbox)


@dataclass
class AgentWorld:
    """A repository in which agents work.

    Attributes:
        folder: it.
        environ: of the host.
        said: by the agent.
        news: that pages were told.
        decide: answers questions; None: there is no page.
        limits: of attempts.
        tasks: of the questions that were answered.
    """

    folder: RepositoryFolder
    environ: dict[str, str]
    said: list[str] = field(default_factory=list)
    news: list[ToolUpdate] = field(default_factory=list)
    decide: Callable[[], Decision | None] | None = None
    limits: RunLimits = LIMITS
    tasks: list[TaskName | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.approvals = ToolApprovals(lambda: self.decide is not None)

    def publish(self, _assignment: Assignment, update: ToolUpdate) -> None:
        self.told(update)

    def told(self, update: ToolUpdate) -> None:
        self.news.append(update)
        call = update.get("call")
        if call is None or call["status"] != "waiting" or self.decide is None:
            return
        decision = self.decide()
        if decision is not None:
            self._answer(decision)

    def _answer(self, decision: Decision) -> None:
        def answer() -> None:
            for pending in self.approvals.pending(ADA):
                self.tasks.append(pending.task)
                self.approvals.answer(ADA, pending.key, decision)

        asyncio.get_running_loop().call_soon(answer)

    def executor(self, settings: ExecutorSettings) -> AcpExecutor:
        ports = AgentPorts(self.environ, self.approvals, lambda: self.limits, self.publish)
        return AcpExecutor(settings, ports)

    async def worktree(self) -> Repository:
        return await discover(self.folder.root)

    @asynccontextmanager
    async def open(self, settings: ExecutorSettings) -> AsyncIterator[AcpSession]:
        assignment = Assignment("plan_1", "a", ADA, await self.worktree(), on_text=self.said.append)
        async with self.executor(settings).open(assignment) as session:
            yield session

    @property
    def calls(self) -> dict[str, str]:
        """The last status of each call, by its id."""
        rows = [each["call"] for each in self.news if "call" in each]
        return {row["call_id"]: row["status"] for row in rows}


def agent_world(folder: Path, **environ: str) -> AgentWorld:
    made = make_repository(folder / "r", {"a.py": "a = 1\n"})
    home = folder / "home"
    home.mkdir()
    (home / "private.txt").write_text("secret")
    return AgentWorld(made, {"PATH": "/usr/bin:/bin", "HOME": str(home), **environ})
