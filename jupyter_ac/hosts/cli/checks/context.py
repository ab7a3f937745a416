"""What all checks share: their context, computed once, and the result of a check."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
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


class CheckState(StrEnum):
    """The severity of a result."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One line of the doctor's.

    Attributes:
        state: how it is.
        text: what was found.
        remedy: what to do; "" when nothing is to be done.
        details: further lines.
    """

    state: CheckState
    text: str
    remedy: str = ""
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """One check.

    Attributes:
        name: in front of what was found.
        look: looks; whatever it raises becomes a finding.
    """

    name: str
    look: Callable[[CheckContext], Awaitable[CheckResult]]


def ok(text: str, *details: str) -> CheckResult:
    """Create a result without problems."""
    return CheckResult(CheckState.OK, text, details=details)


def warn(text: str, remedy: str, *details: str) -> CheckResult:
    """Create a result with a warning."""
    return CheckResult(CheckState.WARN, text, remedy, details)


def fail(text: str, remedy: str, *details: str) -> CheckResult:
    """Create a result with a failure."""
    return CheckResult(CheckState.FAIL, text, remedy, details)
