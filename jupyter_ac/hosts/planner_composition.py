"""Makes the planner of a workspace; nothing is started."""

from collections.abc import Mapping
from dataclasses import dataclass

from jupyter_ac.git.repository import Repository
from jupyter_ac.planner.plan_database import plan_database
from jupyter_ac.planner.shared_context_store import SharedContextStore
from jupyter_ac.planner.validation.validator import Checkers, CodeValidator
from jupyter_ac.store.sqlite import Database


@dataclass(frozen=True, slots=True)
class PlannerParts:
    """The planner of a workspace.

    Attributes:
        validator: checks code.
        contexts: that planners share.
        database: the file of both plans and contexts.
    """

    validator: CodeValidator
    contexts: SharedContextStore
    database: Database

    async def aclose(self) -> None:
        """End what runs; bounded."""
        await self.validator.aclose()
        await self.database.aclose()


def make_planner(
    repository: Repository, history: Database, environ: Mapping[str, str]
) -> PlannerParts:
    """Make the planner of a workspace.

    Args:
        repository: which one is served.
        history: the database of conversations, beside which that of plans lies.
        environ: of this process.
    """
    database = plan_database(history)
    return PlannerParts(
        CodeValidator(Checkers.of(repository.root, environ)),
        SharedContextStore(database, repository),
        database,
    )
