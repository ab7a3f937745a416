"""The context that all checks share, computed once."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from jupyter_ac.errors import AcError
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.hosts.assembly import HostOptions, build_planner, plan_once
from jupyter_ac.hosts.model_plan import ModelPlan, ModelPlanner
from jupyter_ac.settings.admin import JupyterAC, load_admin


class NotChecked(AcError):
    """Another check has failed on which this one depends."""


@dataclass(frozen=True, slots=True)
class CheckContext:
    """The environment in which the doctor was called, and facts that several checks need.

    Attributes:
        environ: the environment.
        folder: where a repository should be.
        found: the repository, or the error.
        limits: the administrator's settings, or the error.
        chosen: the model planner with its plan; None without `limits`.
    """

    environ: Mapping[str, str]
    folder: Path
    found: Repository | AcError
    limits: JupyterAC | AcError
    chosen: tuple[ModelPlanner, ModelPlan] | None

    @property
    def repository(self) -> Repository:
        """The repository.

        Raises:
            NotChecked: there is none.
        """
        if isinstance(self.found, AcError):
            raise NotChecked("there is no repository to look at")
        return self.found

    @property
    def planner(self) -> ModelPlanner:
        """The model planner.

        Raises:
            NotChecked: the administrator's settings are broken.
        """
        return self._choice()[0]

    @property
    def plan(self) -> ModelPlan:
        """The model, with the keys; to be shown as `ModelPlan.summary` does.

        Raises:
            NotChecked: the administrator's settings are broken.
        """
        return self._choice()[1]

    def _choice(self) -> tuple[ModelPlanner, ModelPlan]:
        if self.chosen is None:
            raise NotChecked("the administrator's settings are broken, and nothing starts")
        return self.chosen


async def look_around(
    environ: Mapping[str, str], folder: Path, options: HostOptions
) -> CheckContext:
    """Compute the facts that several checks need."""
    found: Repository | AcError
    try:
        found = await discover(folder)
    except AcError as error:
        found = error
    limits = await asyncio.to_thread(_limits)
    if isinstance(limits, AcError):
        return CheckContext(environ, folder, found, limits, None)
    planner = build_planner(environ, limits, options)
    plan = await plan_once(planner)
    return CheckContext(environ, folder, found, limits, (planner, plan))


def _limits() -> JupyterAC | AcError:
    try:
        return load_admin()
    except AcError as error:
        return error
