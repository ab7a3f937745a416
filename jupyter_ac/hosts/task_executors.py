"""What carries out tasks of plans: this program's own agent, and what the user's settings name."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from jupyter_ac.agent.limits import RunLimits
from jupyter_ac.errors import AccessDenied, NotReady
from jupyter_ac.hosts.composition import Composition
from jupyter_ac.hosts.task_workspaces import TaskWorkspaces, tell_pages
from jupyter_ac.planner.execution.executor import Assignment, TaskExecutor, TaskSession
from jupyter_ac.services.planner.executor_listing import ExecutorRow
from jupyter_ac.settings.executors import ACP, OWN_AGENT, ExecutorSettings
from jupyter_ac.tool_rows import ToolUpdate

if TYPE_CHECKING:
    from jupyter_ac.planner.acp_agents.acp_executor import AcpExecutor, AgentPorts

_OWN: Final = ExecutorRow(name=OWN_AGENT, kind=OWN_AGENT, note="")
_PACKAGES: Final[Mapping[str, str]] = {ACP: "acp"}
"""Which package each kind needs."""

_MISSING: Final = 'It needs a package that isn\'t installed: pip install "jupyter_ac[{extra}]".'
_DISABLED: Final = (
    "The administrator has disabled the tool run_command; agents of others run commands by "
    "themselves and can't be kept from it."
)
_UNBOUND: Final = "It runs outside of the sandbox, as the settings say."


class TaskExecutors(Mapping[str, TaskExecutor]):
    """The executors of a workspace, by the settings of each moment; nothing is started.

    Args:
        made: the workspace.
    """

    def __init__(self, made: Composition) -> None:
        self._made = made

    def __getitem__(self, name: str) -> TaskExecutor:
        """Return one of them; what it needs is loaded when it is used."""
        if name == OWN_AGENT:
            return TaskWorkspaces(self._made)
        for settings in self._settings():
            if settings.name == name:
                return _NamedExecutor(settings, self._made)
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        """Return their names, the own agent first."""
        yield OWN_AGENT
        yield from (one.name for one in self._settings())

    def __len__(self) -> int:
        """Count them."""
        return 1 + len(self._settings())

    def rows(self) -> list[ExecutorRow]:
        """List them, with what the user should know of each."""
        return [
            _OWN,
            *(
                ExecutorRow(name=one.name, kind=one.kind, note=_note(one, self._made))
                for one in self._settings()
            ),
        ]

    def _settings(self) -> tuple[ExecutorSettings, ...]:
        return self._made.planner.settings.app.executors


@dataclass(frozen=True, slots=True)
class _NamedExecutor:
    """An executor of the settings."""

    settings: ExecutorSettings
    made: Composition

    @asynccontextmanager
    async def open(self, assignment: Assignment) -> AsyncIterator[TaskSession]:
        """Begin an attempt.

        Raises:
            NotReady: a package is missing.
            AccessDenied: the administrator doesn't allow it.
            AcError: it can't be started.
        """
        if _is_missing(self.settings):
            raise NotReady(_MISSING.format(extra=self.settings.kind))
        if _is_disabled(self.settings, self.made):
            raise AccessDenied(_DISABLED)
        executor = await asyncio.to_thread(_acp_executor, self.settings, self.made)
        async with executor.open(assignment) as session:
            yield session


def _acp_executor(settings: ExecutorSettings, made: Composition) -> TaskExecutor:
    # The SDK takes long to load, and is an extra.
    loaded = import_module("jupyter_ac.planner.acp_agents.acp_executor")
    make: type[AcpExecutor] = loaded.AcpExecutor
    make_ports: type[AgentPorts] = loaded.AgentPorts

    def publish(assignment: Assignment, update: ToolUpdate) -> None:
        tell_pages(made.subscribers, assignment, update)

    ports = make_ports(
        environ=made.planner.environ,
        approvals=made.agent.approvals,
        limits=lambda: RunLimits.of(made.planner.settings.app.agent),
        publish=publish,
    )
    return make(settings, ports)


def _is_missing(settings: ExecutorSettings) -> bool:
    return find_spec(_PACKAGES[settings.kind]) is None


def _is_disabled(settings: ExecutorSettings, made: Composition) -> bool:
    admin = made.planner.admin
    return settings.kind == ACP and admin.tool_allowed("run_command") is not None


def _note(settings: ExecutorSettings, made: Composition) -> str:
    if _is_missing(settings):
        return _MISSING.format(extra=settings.kind)
    if _is_disabled(settings, made):
        return _DISABLED
    return "" if settings.sandbox else _UNBOUND
