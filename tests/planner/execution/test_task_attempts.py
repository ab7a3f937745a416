from dataclasses import replace
from pathlib import Path

from jupyter_ac.planner.execution.task_attempts import (
    commit_mark,
    commit_message,
    worktree_name,
    worktree_prefix,
)
from jupyter_ac.planner.plans.plan import PlanState
from tests.planner.execution.execution_world import execution_world, writing
from tests.planner.plans.planned import plan_of
from tests.support.armed_repository import arm

PLAN = plan_of({"a": [], "b.x": []})


def test_names_and_messages_tell_whose_they_are() -> None:
    task = replace(PLAN.task("b.x"), attempts=2, description="Do it.\nWell " + "x" * 80)
    assert worktree_name(PLAN, task) == "plan_1-1-2"
    assert worktree_name(PLAN, task).startswith(worktree_prefix(PLAN))
    message = commit_message(PLAN, task, " Said\0 this. ")
    subject, _, rest = message.partition("\n\n")
    assert subject == "b.x: Do it. Well " + "x" * 48
    assert rest == f"Said this.\n\n{commit_mark(PLAN, task)}\n"
    assert commit_mark(PLAN, task) == "Jupyter-AC-Task: plan_1/b.x"


async def test_an_attempt_without_changes_makes_no_commit(tmp_path: Path) -> None:
    async with execution_world(tmp_path) as world:
        plan = await world.run({"a": []})
        outcome = plan.task("a").outcome
        assert outcome is not None
        assert (outcome.commit, outcome.explanation) == ("", "Nothing to do.")
        assert world.folder.git("rev-parse", plan.branch) == plan.base
        assert not plan.can_apply


async def test_nothing_of_the_repository_runs(tmp_path: Path) -> None:
    armed = arm(tmp_path)
    armed.folder.root.rename(tmp_path / "r")
    async with execution_world(tmp_path) as world:
        world.folder.write("filtered.txt", "one\nmine\n")
        world.agents.deeds = {
            "a": [writing({"filtered.txt": "one\nmine\nand more\n", "new.txt": "x\n"})],
            "b": [writing({"multi.bin": "two\n", "plain.md": None})],
        }
        plan = await world.run({"a": [], "b": ["a"]})
        assert plan.state is PlanState.COMPLETED
        applied = await world.application.apply(plan)
        assert applied.files == ("filtered.txt", "multi.bin", "new.txt", "plain.md")
        assert armed.ran() == set()
