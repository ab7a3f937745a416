from dataclasses import replace

from jupyter_ac.planner.plans.plan import TaskOutcome
from jupyter_ac.planner.plans.plan_wire import plan_row, plan_update, task_row
from tests.planner.plans.planned import plan_of

PLAN = plan_of({"a": [], "b": ["a"]})


def test_a_plan_has_the_members_of_the_seed() -> None:
    row = plan_row(replace(PLAN, estimated_s=120, explanation="because"))
    assert (row["estimated_time_seconds"], row["explanation"]) == (120, "because")
    seed = {"id", "type", "description", "dependencies", "priority"}
    assert all(seed <= set(task) for task in row["tasks"])
    assert row["tasks"][1]["dependencies"] == ["a"]


def test_an_update_has_the_changed_tasks_and_the_ids_of_all() -> None:
    update = plan_update(PLAN, ["b"])
    assert [task["id"] for task in update["tasks"]] == ["b"]
    assert update["task_ids"] == ["a", "b"]


def test_a_task_that_was_tried_has_an_output() -> None:
    outcome = TaskOutcome("done", ("a.py",), tokens_used=7, model="m", commit="0" * 40)
    row = task_row(replace(PLAN.task("a"), outcome=outcome))
    assert row["output"]["files_modified"] == ["a.py"]
    assert "output" not in task_row(PLAN.task("a"))
