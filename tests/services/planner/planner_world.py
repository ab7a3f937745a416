"""A planner's methods as pages call them."""

import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from jupyter_ac.git.repository import discover
from jupyter_ac.planner.plans.plan import Plan
from jupyter_ac.planner.plans.plan_journal import PlanJournal
from jupyter_ac.planner.plans.plan_registry import PlanRegistry
from jupyter_ac.planner.plans.plan_wire import plan_update
from jupyter_ac.planner.plans.plan_writer import PlanWriter
from jupyter_ac.planner.shared_context_store import SharedContextStore
from jupyter_ac.planner.validation.validator import Checkers, CodeValidator
from jupyter_ac.planner_rows import PlanUpdate
from jupyter_ac.rpc.methods import MethodTable
from jupyter_ac.services.planner.planner_names import PlannerPorts, planner_methods
from jupyter_ac.services.subscribers import Subscribers
from tests.planner.plans.planning_model import PlanningModel, gateway_of
from tests.support.plans import plans_in
from tests.support.repositories import make_repository


@dataclass(frozen=True)
class PlannerWorld:
    """The methods, the model, and what was told of plans."""

    table: MethodTable
    subscribers: Subscribers
    model: PlanningModel
    updates: list[PlanUpdate]


@asynccontextmanager
async def planner_world(
    folder: Path, model: PlanningModel | None = None
) -> AsyncIterator[PlannerWorld]:
    root = make_repository(folder / "r", {"a.py": "x\n"}).root
    database, subscribers, repository = plans_in(folder), Subscribers(), await discover(root)
    model, updates = model or PlanningModel(), list[PlanUpdate]()

    def publish(plan: Plan, changed: Sequence[str]) -> None:
        updates.append(plan_update(plan, changed))

    ports = PlannerPorts(
        validator=CodeValidator(Checkers.of(root, os.environ), 120.0),
        contexts=SharedContextStore(database, repository),
        registry=PlanRegistry(PlanJournal(database, ""), publish),
        writer=PlanWriter(gateway_of(model), repository),
        subscribers=subscribers,
    )
    try:
        yield PlannerWorld(MethodTable(*planner_methods(ports)), subscribers, model, updates)
    finally:
        await ports.validator.aclose()
        await database.aclose()
