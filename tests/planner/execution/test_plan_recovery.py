"""Plans whose host was killed in the middle: they are put in order, and go on."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_ac.planner.execution.plan_drive import lock_name
from jupyter_ac.planner.execution.plan_recovery import INTERRUPTED
from jupyter_ac.planner.execution.task_attempts import commit_message
from jupyter_ac.planner.plans.plan import Plan, PlanState, TaskState
from jupyter_ac.planner.plans.plan_changes import BranchStarted, PlanChange, PlanMoved, TaskMoved
from jupyter_ac.planner.worktrees.plan_branch import PlanBranch
from jupyter_ac.planner.worktrees.snapshot_commit import snapshot_commit
from jupyter_ac.planner.worktrees.task_worktrees import TaskWorktrees
from jupyter_ac.store.locks import hold
from jupyter_ac.store.state_paths import state_dir
from tests.planner.execution.execution_world import PLAN, ExecutionWorld, execution_world
from tests.planner.plans.planned import ADA
from tests.support.dying_plan import TASKS, finished

LIMIT_S = 300.0
RUNS = 200
STEPS = (0, 1, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50)
"""Before which changes a host is killed in a usual test run."""


@pytest.fixture(scope="module")
def doomed() -> Iterator["subprocess.Popen[str]"]:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.support.dying_plan"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
    ) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(LIMIT_S) == 0


def killed_before(doomed: "subprocess.Popen[str]", folder: Path, step: int) -> bool:
    """Carry a plan out in a process that is killed; says whether that was done."""
    assert doomed.stdin is not None
    assert doomed.stdout is not None
    doomed.stdin.write(json.dumps([str(folder), step]) + "\n")
    doomed.stdin.flush()
    has_ended: bool = json.loads(doomed.stdout.readline())
    return not has_ended


async def assert_goes_on(folder: Path) -> None:
    """Open the repository again and finish the plan; nothing is done twice, nothing is left."""
    async with execution_world(folder) as world:
        status = world.folder.git("status", "--porcelain")
        plan = await finished(world)
        assert plan.state is PlanState.COMPLETED
        assert world.states(plan) == dict.fromkeys(TASKS, TaskState.DONE)
        log = world.folder.git("log", "--format=%s", f"{plan.base}..{plan.branch}").splitlines()
        assert sorted(log) == ["a: do a", "b: do b", "c: do c"]
        names = world.folder.git("ls-tree", "-r", "--name-only", plan.branch).split()
        assert names == ["a.py", "sub/b.py"]
        outcome = plan.task("a").outcome
        assert outcome is not None
        assert (outcome.explanation, outcome.files_modified) == ("A is two.", ("a.py",))
        assert world.folder.git("status", "--porcelain") == status == ""
        assert len(world.folder.git("worktree", "list").splitlines()) == 1
        left = world.worktrees.iterdir() if world.worktrees.exists() else ()
        assert list(left) == []


async def test_a_host_is_killed_at_some_changes(
    doomed: "subprocess.Popen[str]", tmp_path: Path
) -> None:
    killed = 0
    for step in STEPS:
        folder = tmp_path / str(step)
        folder.mkdir()
        killed += killed_before(doomed, folder, step)
        await assert_goes_on(folder)
    assert killed >= len(STEPS) - 2


@pytest.mark.soak
async def test_a_host_is_killed_at_each_change_and_once_more_when_it_goes_on(
    doomed: "subprocess.Popen[str]", tmp_path: Path
) -> None:
    killed = step = again = number = 0
    while killed < RUNS:
        folder = tmp_path / str(number)
        folder.mkdir()
        number += 1
        is_killed = killed_before(doomed, folder, step)
        if is_killed:
            killed += 1 + killed_before(doomed, folder, again)
        await assert_goes_on(folder)
        step, again = (step + 1, again) if is_killed else (0, again + 3)


async def left_running(world: ExecutionWorld, *, is_merged: bool) -> Plan:
    """A plan as a host leaves it that dies while its first task runs, or after its merge."""
    plan = await world.planned({"a": [], "b": ["a"]})
    base = (await snapshot_commit(world.repository, "base")).commit
    branch = PlanBranch(world.repository, PLAN)
    await branch.move(base, "")
    start: list[PlanChange] = [BranchStarted(base, "scripted"), PlanMoved("approve")]
    plan = await world.registry.change(PLAN, ADA, lambda _: start)
    plan = await world.registry.change(PLAN, ADA, lambda _: [TaskMoved("a", "start")])
    worktrees = TaskWorktrees(world.repository, world.worktrees)
    worktree = await worktrees.create(f"{PLAN}-0-0", base)
    (worktree.root / "a.py").write_text("a = 2\n", encoding="utf-8")
    message = commit_message(plan, plan.task("a"), "A is two.\n\nReally.")
    made = await snapshot_commit(worktree, message, [base])
    if is_merged:
        await branch.merge(base, made.commit, message)
    return plan


async def test_what_is_on_the_branch_is_done(tmp_path: Path) -> None:
    async with execution_world(tmp_path) as world:
        plan = await world.runner.mended(await left_running(world, is_merged=True))
        assert (plan.state, plan.reason) == (PlanState.PAUSED, INTERRUPTED)
        assert world.states(plan) == {"a": TaskState.DONE, "b": TaskState.READY}
        outcome = plan.task("a").outcome
        assert outcome is not None
        assert (outcome.explanation, outcome.files_modified, outcome.commit) == (
            "A is two.\n\nReally.",
            ("a.py",),
            world.folder.git("rev-parse", plan.branch),
        )
        assert list(world.worktrees.iterdir()) == []


async def test_what_is_not_on_the_branch_is_carried_out_anew(tmp_path: Path) -> None:
    async with execution_world(tmp_path) as world:
        plan = await world.runner.mended(await left_running(world, is_merged=False))
        assert world.states(plan) == {"a": TaskState.READY, "b": TaskState.PENDING}
        assert world.branch_file("a.py") == "a = 1"
        plan = await world.runner.ended(await world.runner.resume(plan))
        assert plan.state is PlanState.COMPLETED
        assert "host ended" in world.agents.prompts["a"][0]


async def test_a_plan_that_was_being_cancelled_is(tmp_path: Path) -> None:
    async with execution_world(tmp_path) as world:
        await left_running(world, is_merged=False)
        plan = await world.registry.change(PLAN, ADA, lambda _: [PlanMoved("cancel", "Stop.")])
        assert plan.state is PlanState.CANCELLING
        plan = await world.runner.mended(plan)
        assert (plan.state, plan.reason) == (PlanState.CANCELLED, "Stop.")


async def test_a_plan_that_another_host_runs_is_left_alone(tmp_path: Path) -> None:
    async with execution_world(tmp_path) as world:
        plan = await left_running(world, is_merged=False)
        async with hold(state_dir(world.repository.common_dir), lock_name(PLAN)):
            assert await world.runner.mended(plan) == plan
