"""A planner's methods as pages call them."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from jupyter_ac.planner.plans.plan import Plan
from jupyter_ac.planner.plans.plan_wire import plan_update
from jupyter_ac.planner.plans.plan_writer import PlanWriter
from jupyter_ac.planner.shared_context_store import SharedContextStore
from jupyter_ac.planner_rows import PlanUpdate
from jupyter_ac.rpc.methods import MethodTable
from jupyter_ac.services.planner.executor_listing import ExecutorRow
from jupyter_ac.services.planner.planner_names import PlannerPorts, planner_methods
from jupyter_ac.services.subscribers import Subscribers
from tests.planner.execution.execution_world import ExecutionWorld, execution_world
from tests.planner.plans.planning_model import PlanningModel, gateway_of
from tests.support.exclusions import none_excluded


@dataclass(frozen=True)
class PlannerWorld:
    """The methods, the model, what carries out plans, and what was told of them."""

    table: MethodTable
    subscribers: Subscribers
    model: PlanningModel
    updates: list[PlanUpdate]
    execution: ExecutionWorld


@asynccontextmanager
async def planner_world(
    folder: Path, model: PlanningModel | None = None
) -> AsyncIterator[PlannerWorld]:
    model, updates = model or PlanningModel(), list[PlanUpdate]()

    def publish(plan: Plan, changed: Sequence[str]) -> None:
        updates.append(plan_update(plan, changed))

    async with execution_world(folder, {"a.py": "x\n"}, publish) as world:
        subscribers = Subscribers()
        ports = PlannerPorts(
            repository=world.repository,
            validator=world.validator,
            contexts=SharedContextStore(world.database, world.repository),
            registry=world.registry,
            writer=PlanWriter(gateway_of(model), world.repository, none_excluded),
            runner=world.runner,
            application=world.application,
            executors=lambda: [ExecutorRow(name="scripted", kind="agent", note="")],
            subscribers=subscribers,
        )
        table = MethodTable(*planner_methods(ports))
        yield PlannerWorld(table, subscribers, model, updates, world)
