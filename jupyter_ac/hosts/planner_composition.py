"""Makes the planner of a workspace; nothing is started."""

from collections.abc import Mapping
from dataclasses import dataclass

from jupyter_ac.git.repository import Repository
from jupyter_ac.planner.validation.validator import Checkers, CodeValidator


@dataclass(frozen=True, slots=True)
class PlannerParts:
    """The planner of a workspace.

    Attributes:
        validator: checks code.
    """

    validator: CodeValidator

    async def aclose(self) -> None:
        """End what runs; bounded."""
        await self.validator.aclose()


def make_planner(repository: Repository, environ: Mapping[str, str]) -> PlannerParts:
    """Make the planner of a workspace.

    Args:
        repository: which one is served.
        environ: of this process.
    """
    return PlannerParts(CodeValidator(Checkers.of(repository.root, environ)))
