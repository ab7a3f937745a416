import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from jupyter_ac.errors import IllegalTransition, NotFound, TooLarge
from jupyter_ac.planner.plans import plan_registry
from jupyter_ac.planner.plans.plan import Plan, PlanState
from jupyter_ac.planner.plans.plan_changes import PlanChange, PlanMoved, TasksReplaced
from jupyter_ac.planner.plans.plan_journal import PlanJournal
from jupyter_ac.planner.plans.plan_registry import PlanRegistry, new_plan_id
from jupyter_ac.store.sqlite import Database
from tests.planner.plans.planned import ADA, plan_of
from tests.support.plans import plans_in


class Told:
    """Remembers what was published."""

    def __init__(self) -> None:
        self.plans: list[tuple[int, list[str]]] = []

    def __call__(self, plan: Plan, tasks: Sequence[str]) -> None:
        self.plans.append((plan.revision, list(tasks)))


def registry_in(database: Database, told: Told | None = None) -> PlanRegistry:
    return PlanRegistry(PlanJournal(database, ""), told or Told())


async def test_a_change_is_told_with_all_that_follows(tmp_path: Path) -> None:
    database, told = plans_in(tmp_path), Told()
    registry = registry_in(database, told)
    await registry.create(plan_of({"a": [], "b": ["a"]}))
    plan = await registry.change(
        "plan_1", ADA, lambda _: [PlanMoved("propose"), PlanMoved("approve")]
    )
    assert [task.state for task in plan.tasks] == ["ready", "pending"]
    assert told.plans == [(1, ["a", "b"]), (4, ["a"])]
    assert await registry.get("plan_1", ADA) == plan
    assert await registry.newest(ADA, 10) == [plan]
    assert await registry.change("plan_1", ADA, lambda _: []) == plan
    assert len(told.plans) == 2
    await database.aclose()


async def test_a_change_that_is_refused_leaves_nothing(tmp_path: Path) -> None:
    database = plans_in(tmp_path)
    registry = registry_in(database)
    created = await registry.create(plan_of({"a": []}))
    with pytest.raises(IllegalTransition):
        await registry.change("plan_1", ADA, lambda _: [PlanMoved("propose"), PlanMoved("resume")])
    with pytest.raises(NotFound):
        await registry.change("plan_2", ADA, lambda _: [])
    assert await registry.get("plan_1", ADA) == created
    await database.aclose()


async def test_two_hosts_change_a_plan_one_after_another(tmp_path: Path) -> None:
    databases = plans_in(tmp_path), plans_in(tmp_path)
    registries = [registry_in(database) for database in databases]
    await registries[0].create(plan_of({"a": []}))

    def longer(plan: Plan) -> Sequence[PlanChange]:
        tasks = plan_of({f"t{number}": [] for number in range(len(plan.tasks) + 1)}).tasks
        return [TasksReplaced(tasks)]

    await asyncio.gather(
        *(registry.change("plan_1", ADA, longer) for registry in registries for _ in range(3))
    )
    plan = await registries[0].get("plan_1", ADA)
    assert (len(plan.tasks), plan.revision, plan.state) == (7, 7, PlanState.DRAFT)
    for database in databases:
        await database.aclose()


async def test_a_plan_is_changed_with_its_creation_or_not_made(tmp_path: Path) -> None:
    database, told = plans_in(tmp_path), Told()
    registry = registry_in(database, told)
    made = await registry.create(plan_of({"a": []}), [PlanMoved("propose")])
    assert (made.state, made.revision) == (PlanState.AWAITING_APPROVAL, 2)
    with pytest.raises(IllegalTransition):
        await registry.create(plan_of({"a": []}, plan_id="plan_2"), [PlanMoved("resume")])
    assert await registry.newest(ADA, 9) == [made]
    assert [revision for revision, _ in told.plans] == [2]
    await database.aclose()


async def test_a_plan_is_not_changed_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan_registry, "MAX_REVISIONS", 2)
    database = plans_in(tmp_path)
    registry = registry_in(database)
    await registry.create(plan_of({"a": []}))
    await registry.change("plan_1", ADA, lambda _: [PlanMoved("propose")])
    with pytest.raises(TooLarge, match="a new one"):
        await registry.change("plan_1", ADA, lambda _: [PlanMoved("cancel")])
    await database.aclose()


def test_ids_differ() -> None:
    assert len({new_plan_id() for _ in range(100)}) == 100
