"""What carries out tasks of plans: this program's own agent, and what the user's settings name."""

import asyncio
import shlex
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from jupyter_ac.agent.grant_store import GrantStore
from jupyter_ac.agent.limits import RunLimits
from jupyter_ac.errors import AccessDenied, NotReady
from jupyter_ac.hosts.composition import Composition
from jupyter_ac.hosts.task_workspaces import TaskWorkspaces, tell_pages
from jupyter_ac.planner.execution.executor import Assignment, TaskExecutor, TaskSession
from jupyter_ac.services.planner.executor_listing import ExecutorRow
from jupyter_ac.settings.executors import ACP, DASK, OWN_AGENT, ExecutorSettings
from jupyter_ac.tool_rows import ToolUpdate

if TYPE_CHECKING:
    from jupyter_ac.planner.acp_agents.acp_executor import AcpExecutor, AgentPorts
    from jupyter_ac.planner.dask_agents.dask_executor import ClusterPorts, DaskExecutor

_OWN: Final = ExecutorRow(name=OWN_AGENT, kind=OWN_AGENT, note="")
_PACKAGES: Final[Mapping[str, str]] = {ACP: "acp", DASK: "distributed"}
"""Which package each kind needs."""

_MISSING: Final = 'It needs a package that isn\'t installed: pip install "jupyter_ac[{extra}]".'
_DISABLED: Final = (
    "The administrator has disabled the tool run_command; agents of others run commands by "
    "themselves and can't be kept from it."
)
_NO_ADDRESS: Final = (
    "The administrator has named no Dask scheduler for this: c.JupyterAC.executor_address."
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
        if refused := _refusal(self.settings, self.made):
            raise AccessDenied(refused)
        load = _acp_executor if self.settings.kind == ACP else _dask_executor
        executor = await asyncio.to_thread(load, self.settings, self.made)
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


def _dask_executor(_settings: ExecutorSettings, made: Composition) -> TaskExecutor:
    loaded = import_module("jupyter_ac.planner.dask_agents.dask_executor")
    make: type[DaskExecutor] = loaded.DaskExecutor
    make_ports: type[ClusterPorts] = loaded.ClusterPorts
    grants = GrantStore(made.planner.config_dir, made.repository)

    async def allowed() -> list[str]:
        return [shlex.join(grant.prefix) for grant in (await grants.read()).grants]

    ports = make_ports(
        address=made.planner.admin.executor_address,
        limits=lambda: RunLimits.of(made.planner.settings.app.agent),
        allowed=allowed,
        excluded=made.excluded.read,
    )
    return make(ports)


def _is_missing(settings: ExecutorSettings) -> bool:
    return find_spec(_PACKAGES[settings.kind]) is None


def _refusal(settings: ExecutorSettings, made: Composition) -> str:
    """Return why the administrator's settings don't allow an executor; "" if they do."""
    admin = made.planner.admin
    if settings.kind == ACP:
        return _DISABLED if admin.tool_allowed("run_command") is not None else ""
    return "" if admin.executor_address else _NO_ADDRESS


def _note(settings: ExecutorSettings, made: Composition) -> str:
    if _is_missing(settings):
        return _MISSING.format(extra=settings.kind)
    if refused := _refusal(settings, made):
        return refused
    return "" if settings.sandbox else _UNBOUND
