"""Shared start-up of all hosts: the model planner, the workspace registry, the user's identity."""

import asyncio
from collections.abc import AsyncIterator, Mapping, MutableMapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from jupyter_ac.hosts.call_guards import call_guards
from jupyter_ac.hosts.live_model import make_plan
from jupyter_ac.hosts.model_plan import ModelPlan, ModelPlanner
from jupyter_ac.hosts.panels.plugin_command import PluginCommand
from jupyter_ac.hosts.registry import WorkspaceRegistry
from jupyter_ac.hosts.resources import HostResources
from jupyter_ac.hosts.workspace import Workspace
from jupyter_ac.ids import Identity
from jupyter_ac.models import embedded
from jupyter_ac.rpc.context import Caller
from jupyter_ac.rpc.methods import Access
from jupyter_ac.settings.admin import JupyterAC, load_admin
from jupyter_ac.settings.limit_overrides import NO_OVERRIDES, LimitOverrides
from jupyter_ac.settings.paths import config_dir
from jupyter_ac.workers.wire import ListedModel

HUB_USER: Final = "JUPYTERHUB_USER"
"""Set by JupyterHub in every process of a person's server, kernels and terminals included."""

_LOCAL: Final = Identity("local")


@dataclass(frozen=True, slots=True)
class HostOptions:
    """What a host is started with.

    Attributes:
        model: `--model`, overrides environment and settings; None when it wasn't given.
        is_child: of a kernel, which is its only client: no signatures are asked for.
        limits: of agents' runs, instead of the user's.
        panels: are listed with the user's own.
    """

    model: str | None = None
    is_child: bool = False
    limits: LimitOverrides = NO_OVERRIDES
    panels: tuple[PluginCommand, ...] = ()


_DEFAULTS: Final = HostOptions()


def build_planner(
    environ: Mapping[str, str], admin: JupyterAC, options: HostOptions = _DEFAULTS
) -> ModelPlanner:
    """Create the planner that selects the model for all workspaces of a host.

    Raises:
        AccessDenied: the administrator has locked a limit that is given.
    """
    planner = ModelPlanner(
        environ, config_dir(environ), admin, embedded.available, flag=options.model
    )
    planner.settings.override(options.limits)
    return planner


async def plan_once(planner: ModelPlanner) -> ModelPlan:
    """Choose the model where no host runs; a worker is started only for a plan that needs one."""
    return await make_plan(planner, _list_models)


async def _list_models() -> Sequence[ListedModel]:
    resources = HostResources()
    try:
        return await resources.models.catalogue()
    finally:
        await resources.aclose()


def build_registry(
    resources: HostResources, planner: ModelPlanner, admin: JupyterAC
) -> WorkspaceRegistry[Workspace]:
    """Create the workspace registry of a host; no workspace is open yet.

    Args:
        resources: the workers that they share; closed by the caller, after the registry.
        planner: says which model answers.
        admin: says how long a workspace without users stays open.
    """
    return WorkspaceRegistry[Workspace](
        lambda repository: Workspace(repository, resources, planner),
        idle_s=admin.idle_minutes * 60,
    )


def local_identity(environ: Mapping[str, str]) -> Identity:
    """Return the one person that a host outside a Jupyter server serves.

    On a Hub it is the name that the person's Jupyter server knows as well, so that the history of
    both is one.
    """
    return Identity(environ.get(HUB_USER) or _LOCAL)


@dataclass(frozen=True, slots=True)
class LocalHost:
    """A host whose only user started it.

    Attributes:
        admin: what the administrator allows.
        planner: says which model answers.
        resources: the workers.
        registry: the workspaces.
        identity: that user.
    """

    admin: JupyterAC
    planner: ModelPlanner
    resources: HostResources
    registry: WorkspaceRegistry[Workspace]
    identity: Identity


@asynccontextmanager
async def local_host(
    environ: MutableMapping[str, str], options: HostOptions = _DEFAULTS
) -> AsyncIterator[LocalHost]:
    """Build such a host; at the end its workspaces close and its workers end.

    Raises:
        NotReady: the administrator's settings are broken.
    """
    admin = await asyncio.to_thread(load_admin)
    guards = call_guards(environ, admin, is_child=options.is_child)
    resources = HostResources(guards=guards, panels=options.panels)
    planner = build_planner(environ, admin, options)
    registry = build_registry(resources, planner, admin)
    try:
        yield LocalHost(admin, planner, resources, registry, local_identity(environ))
    finally:
        await registry.aclose()
        await resources.aclose()


def allow_everything(_caller: Caller, _access: Access) -> bool:
    """Authorise as a host does whose only user started it."""
    return True
