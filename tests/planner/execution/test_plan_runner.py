"""Runs of plans in real repositories."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from jupyter_ac.errors import Conflict, IllegalTransition, InvalidParams
from jupyter_ac.planner.execution.task_attempts import Preparation
from jupyter_ac.planner.plans.plan import Plan, PlanState, TaskState
from jupyter_ac.planner.plans.plan_registry import PlanRegistry
from tests.planner.execution.execution_world import (
    PLAN,
    Gate,
    execution_world,
    writing,
)
from tests.planner.plans.planned import ADA

DIAMOND = {"a": [], "b": ["a"], "c": ["a"], "d": ["b", "c"]}


async def test_a_plan_runs_to_its_end_and_the_user_s_files_stay(tmp_path: Path) -> None:
    async with execution_world(tmp_path) as world:
        world.folder.write("b.py", "b = 'uncommitted'\n")
        world.folder.write("new.txt", "untracked\n")
        world.agents.deeds = {
            "a": [writing({"a.py": "a = 2\n"}, "Made it two.")],
            "b": [writing({"b.py": "b = 'uncommitted'\nc = 3\n"})],
            "c": [writing({"sub/c.py": "c = 1\n"})],
            "d": [writing({"new.txt": None})],
        }
        before = world.folder.git("status", "--porcelain")
        head = world.folder.git("rev-parse", "HEAD")
        plan = await world.run(DIAMOND)
        assert plan.state is PlanState.COMPLETED
        assert world.branch_file("a.py") == "a = 2"
        assert world.branch_file("b.py") == "b = 'uncommitted'\nc = 3"
        assert world.branch_file("sub/c.py") == "c = 1"
        names = world.folder.git("ls-tree", "-r", "--name-only", plan.branch).split()
        assert names == ["a.py", "b.py", "sub/c.py"]
        log = world.folder.git("log", "--format=%s", f"{plan.base}..{plan.branch}").splitlines()
        assert sorted(log) == ["a: do a", "b: do b", "c: do c", "d: do d"]
        assert world.folder.git("rev-parse", f"{plan.base}^") == head
        assert world.folder.git("status", "--porcelain") == before
        assert world.folder.git("rev-parse", "HEAD") == head
        assert list(world.worktrees.iterdir()) == []
        assert len(world.folder.git("worktree", "list").splitlines()) == 1
        assert "Made it two." in world.agents.prompts["b"][0]
        outcome = plan.task("b").outcome
        assert outcome is not None
        assert (outcome.files_modified, outcome.tokens_used) == (("b.py",), 10)


async def test_code_that_can_not_be_parsed_is_told_twice_then_the_task_fails(
    tmp_path: Path,
) -> None:
    async with execution_world(tmp_path) as world:
        world.agents.deeds = {"a": [writing({"a.py": "def f(:\n"})]}
        plan = await world.run({"a": [], "b": ["a"]})
        assert plan.state is PlanState.FAILED
        assert world.states(plan) == {"a": TaskState.FAILED, "b": TaskState.BLOCKED}
        assert "a.py:1:" in plan.task("a").reason
        prompts = world.agents.prompts["a"]
        assert len(prompts) == 3
        assert "a.py:1:" in prompts[1]
        outcome = plan.task("a").outcome
        assert outcome is not None
        assert (outcome.tokens_used, outcome.cost_usd) == (30, 1.5)
        world.agents.deeds["a"].append(writing({"a.py": "a = 3\n"}))
        plan = await world.runner.ended(await world.runner.retry(plan, "a", "Mind the syntax."))
        assert plan.state is PlanState.COMPLETED
        assert "Mind the syntax." in world.agents.prompts["a"][3]
        outcome = plan.task("a").outcome
        assert outcome is not None
        assert outcome.tokens_used == 40


async def test_what_could_not_be_parsed_before_is_not_the_task_s_fault(tmp_path: Path) -> None:
    async with execution_world(tmp_path, {"a.py": "print 'two'\n"}) as world:
        world.agents.deeds = {"a": [writing({"a.py": "print 'three'\n"})]}
        assert (await world.run({"a": []})).state is PlanState.COMPLETED


async def test_a_conflict_is_kept_and_given_back(tmp_path: Path) -> None:
    async with execution_world(tmp_path) as world:
        gates = {name: Gate(writing({"a.py": f"a = '{name}'\n"})) for name in ("x", "y")}
        world.agents.deeds = {name: [gate] for name, gate in gates.items()}
        plan = await world.planned({"x": [], "y": []})
        plan = await world.runner.run(plan, "scripted")
        await gates["x"].begun.wait()
        await gates["y"].begun.wait()
        gates["x"].leave.set()
        await _until(world.registry, lambda now: now.task("x").state is TaskState.DONE)
        gates["y"].leave.set()
        plan = await world.runner.ended(plan)
        assert world.states(plan) == {"x": TaskState.DONE, "y": TaskState.FAILED}
        outcome = plan.task("y").outcome
        assert outcome is not None
        [conflict] = outcome.conflicts
        assert conflict.path == "a.py"
        assert "<<<<<<< plan\na = 'x'" in conflict.text
        assert "same lines of a.py" in plan.task("y").reason
        world.agents.deeds["y"] = [writing({"a.py": "a = 'x and y'\n"})]
        plan = await world.runner.ended(await world.runner.retry(plan, "y", ""))
        assert plan.state is PlanState.COMPLETED
        assert "<<<<<<< plan\na = 'x'" in world.agents.prompts["y"][-1]
        assert world.branch_file("a.py") == "a = 'x and y'"


async def test_a_pause_lets_running_tasks_end_and_starts_no_other(tmp_path: Path) -> None:
    async with execution_world(tmp_path) as world:
        gate = Gate(writing({"a.py": "a = 2\n"}))
        world.agents.deeds = {"a": [gate]}
        plan = await world.runner.run(await world.planned({"a": [], "b": ["a"]}), "scripted")
        await gate.begun.wait()
        plan = await world.runner.pause(plan)
        gate.leave.set()
        plan = await world.runner.ended(plan)
        assert plan.state is PlanState.PAUSED
        assert world.states(plan) == {"a": TaskState.DONE, "b": TaskState.READY}
        plan = await world.runner.ended(await world.runner.resume(plan))
        assert plan.state is PlanState.COMPLETED


async def test_cancelling_ends_what_runs_and_merges_nothing(tmp_path: Path) -> None:
    async with execution_world(tmp_path) as world:
        gate = Gate(writing({"a.py": "a = 2\n"}))
        world.agents.deeds = {"a": [gate]}
        plan = await world.runner.run(await world.planned({"a": [], "b": ["a"]}), "scripted")
        await gate.begun.wait()
        plan = await world.runner.ended(await world.runner.cancel(plan, "Changed my mind."))
        assert (plan.state, plan.reason) == (PlanState.CANCELLED, "Changed my mind.")
        assert set(world.states(plan).values()) == {TaskState.CANCELLED}
        assert world.branch_file("a.py") == "a = 1"
        assert list(world.worktrees.iterdir()) == []
        with pytest.raises(IllegalTransition):
            await world.runner.run(plan, "scripted")


async def test_an_unknown_executor_and_a_setup_that_is_not_allowed_are_refused(
    tmp_path: Path,
) -> None:
    async with execution_world(tmp_path) as world:
        plan = await world.planned({"a": []})
        with pytest.raises(InvalidParams, match="there are: scripted"):
            await world.runner.run(plan, "other")
        world.preparation.append(Preparation(setup="touch made.txt"))
        with pytest.raises(Conflict, match=r"touch made\.txt"):
            await world.runner.run(plan, "scripted")
        with pytest.raises(InvalidParams, match="concurrency"):
            await world.runner.run(plan, "scripted", "touch made.txt", 9)
        assert (await world.registry.get(PLAN, plan.identity)).state is PlanState.AWAITING_APPROVAL
        plan = await world.runner.run(plan, "scripted", "touch made.txt", 1)
        plan = await world.runner.ended(plan)
        assert plan.state is PlanState.COMPLETED
        assert world.branch_file("made.txt") == ""
        assert plan.limits.concurrency == 1


async def _until(registry: PlanRegistry, is_so: Callable[[Plan], bool]) -> None:
    async with asyncio.timeout(60):
        while not is_so(await registry.get(PLAN, ADA)):
            await asyncio.sleep(0.01)
