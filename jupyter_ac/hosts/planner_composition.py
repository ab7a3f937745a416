"""Makes the planner of a workspace; nothing is started."""

from collections.abc import Sequence
from dataclasses import dataclass

from jupyter_ac.chat.model_gateway import ModelGateway
from jupyter_ac.events import PlanUpdated
from jupyter_ac.git.repository import Repository
from jupyter_ac.hosts.model_plan import ModelPlanner
from jupyter_ac.planner.plan_database import plan_database
from jupyter_ac.planner.plans.plan import Plan
from jupyter_ac.planner.plans.plan_journal import PlanJournal
from jupyter_ac.planner.plans.plan_registry import PlanRegistry
from jupyter_ac.planner.plans.plan_wire import plan_update
from jupyter_ac.planner.plans.plan_writer import PlanWriter
from jupyter_ac.planner.shared_context_store import SharedContextStore
from jupyter_ac.planner.validation.validator import Checkers, CodeValidator
from jupyter_ac.services.planner.planner_names import PlannerPorts
from jupyter_ac.services.subscribers import Subscribers
from jupyter_ac.store.sqlite import Database


@dataclass(frozen=True, slots=True)
class PlannerParts:
    """The planner of a workspace.

    Attributes:
        ports: what its methods work with.
        database: the file of both plans and contexts.
    """

    ports: PlannerPorts
    database: Database

    async def aclose(self) -> None:
        """End what runs; bounded."""
        await self.ports.validator.aclose()
        await self.database.aclose()


def make_planner(
    repository: Repository,
    history: Database,
    settings: ModelPlanner,
    models: ModelGateway,
    subscribers: Subscribers,
) -> PlannerParts:
    """Make the planner of a workspace.

    Args:
        repository: which one is served.
        history: the database of conversations, beside which that of plans lies.
        settings: has the environment of the process.
        models: the chosen model.
        subscribers: the pages.
    """
    database = plan_database(history)

    def publish(plan: Plan, changed: Sequence[str]) -> None:
        update = PlanUpdated(plan_update(plan, changed))
        for key in subscribers.conversation_keys():
            if key.identity == plan.identity:
                subscribers.publish(update, key)

    ports = PlannerPorts(
        validator=CodeValidator(Checkers.of(repository.root, settings.environ)),
        contexts=SharedContextStore(database, repository),
        registry=PlanRegistry(PlanJournal(database, repository.worktree), publish),
        writer=PlanWriter(models, repository),
        subscribers=subscribers,
    )
    return PlannerParts(ports, database)
