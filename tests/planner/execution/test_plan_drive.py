"""How one plan is carried out, and how that ends."""

import asyncio
import gc
import os
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.planner.execution.executor import TaskAnswer
from jupyter_ac.planner.execution.plan_drive import HOST_STOPPED
from jupyter_ac.planner.plans.plan import PlanState, TaskState
from jupyter_ac.planner.plans.plan_changes import PlanMoved
from jupyter_ac.planner.plans.plan_registry import new_plan_id
from tests.planner.execution.execution_world import (
    PLAN,
    ExecutionWorld,
    Gate,
    execution_world,
    writing,
)
from tests.planner.plans.planned import plan_of

DIAMOND = {"a": [], "b": ["a"], "c": ["a"], "d": ["b", "c"]}


async def test_never_more_tasks_run_than_allowed(tmp_path: Path) -> None:
    async with execution_world(tmp_path) as world:

        async def slowly(_root: Path) -> str:
            await asyncio.sleep(0.05)
            return "done"

        names = [f"t{number}" for number in range(8)]
        world.agents.deeds = {name: [slowly] for name in names}
        plan = await world.run({name: [] for name in names}, concurrency=3)
        assert plan.state is PlanState.COMPLETED
        assert world.agents.most == 3
        assert max(len(seen.active()) for seen in world.seen) == 3


async def test_a_task_that_is_cancelled_blocks_what_depends_on_it(tmp_path: Path) -> None:
    async with execution_world(tmp_path) as world:
        gate = Gate()
        world.agents.deeds = {"a": [gate]}
        plan = await world.runner.run(
            await world.planned({"a": [], "b": ["a"], "c": []}), "scripted"
        )
        await gate.begun.wait()
        await world.runner.cancel_task(plan, "a")
        plan = await world.runner.ended(plan)
        assert plan.state is PlanState.FAILED
        assert world.states(plan) == {
            "a": TaskState.CANCELLED,
            "b": TaskState.BLOCKED,
            "c": TaskState.DONE,
        }


async def test_a_host_that_stops_pauses_the_plan_which_goes_on_elsewhere(tmp_path: Path) -> None:
    async with execution_world(tmp_path) as world:
        gate = Gate()
        world.agents.deeds = {"a": [gate]}
        plan = await world.runner.run(await world.planned({"a": [], "b": ["a"]}), "scripted")
        await gate.begun.wait()
        await world.runner.aclose()
        plan = await world.registry.get(PLAN, plan.identity)
        assert (plan.state, plan.reason) == (PlanState.PAUSED, HOST_STOPPED)
        assert plan.task("a").state is TaskState.READY
        assert list(world.worktrees.iterdir()) == []
    async with execution_world(tmp_path) as world:
        plan = await world.runner.mended(await world.registry.get(PLAN, plan.identity))
        plan = await world.runner.ended(await world.runner.resume(plan))
        assert plan.state is PlanState.COMPLETED


async def test_an_agent_that_gives_up_fails_the_task(tmp_path: Path) -> None:
    async with execution_world(tmp_path) as world:
        world.agents.deeds = {"a": [lambda _root: TaskAnswer("", "The limit of steps.", 5)]}
        plan = await world.run({"a": []})
        assert plan.task("a").reason == "The limit of steps."
        assert plan.state is PlanState.FAILED


async def test_a_fault_of_an_agent_is_a_failed_task(tmp_path: Path) -> None:
    def broken(_root: Path) -> str:
        raise ZeroDivisionError

    async with execution_world(tmp_path) as world:
        world.agents.deeds = {"a": [broken]}
        plan = await world.run({"a": []})
        assert "jupyter_ac" in plan.task("a").reason
        assert plan.state is PlanState.FAILED


async def test_many_plans_leave_nothing_behind(tmp_path: Path) -> None:
    async with execution_world(tmp_path) as world:
        await _carried_out(world, 5)
        assert not world.runner.is_busy


@pytest.mark.soak
async def test_a_thousand_plans_leave_nothing_behind(tmp_path: Path) -> None:
    async with execution_world(tmp_path) as world:
        await _carried_out(world, 50)
        tasks, files, bytes_before = _held()
        await _carried_out(world, 1000)
        tasks_now, files_now, bytes_now = _held()
        assert (tasks_now, files_now) == (tasks, files)
        assert bytes_now - bytes_before < 30 << 20
        assert len(world.folder.git("worktree", "list").splitlines()) == 1


async def _carried_out(world: ExecutionWorld, count: int) -> None:
    world.agents.deeds = {"a": [writing({"a.py": "a = 2\n"})]}
    for _ in range(count):
        made = replace(plan_of({"a": [], "b": ["a"]}), plan_id=new_plan_id())
        plan = await world.registry.create(made, [PlanMoved("propose")])
        plan = await world.runner.ended(await world.runner.run(plan, "scripted"))
        assert plan.state is PlanState.COMPLETED
        world.agents.prompts.clear()
        world.agents.worktrees.clear()
        world.seen.clear()
    assert list(world.worktrees.iterdir()) == []


def _held() -> tuple[int, int, int]:
    """How many tasks and files are open, and how much memory is used."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return (
        len(asyncio.all_tasks()),
        len(list(Path("/proc/self/fd").iterdir())),
        pages * os.sysconf("SC_PAGE_SIZE"),
    )
