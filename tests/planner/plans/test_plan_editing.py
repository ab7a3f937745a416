from dataclasses import replace

import pytest

from jupyter_ac.errors import Conflict, InvalidParams, NotFound
from jupyter_ac.planner.plans.plan import Plan, PlanState
from jupyter_ac.planner.plans.plan_changes import TaskMoved, apply
from jupyter_ac.planner.plans.plan_editing import edited
from tests.planner.plans.planned import plan_of

PLAN = plan_of({"a": [], "b": ["a"]})


def after(plan: Plan, task_id: str, edit: dict[str, object] | None) -> Plan:
    for change in edited(plan, task_id, edit):
        plan = apply(plan, change, 1)
    return plan


def test_members_of_a_task_are_replaced() -> None:
    task = after(PLAN, "b", {"description": "other", "priority": 1, "dependencies": []}).task("b")
    assert (task.description, task.priority, task.dependencies) == ("other", 1, ())


def test_a_task_is_added_and_taken_away() -> None:
    plan = after(PLAN, "c", {"type": "testing", "description": "x", "dependencies": ["b"]})
    assert [task.task_id for task in plan.tasks] == ["a", "b", "c"]
    plan = after(plan, "b", None)
    assert [(task.task_id, task.dependencies) for task in plan.tasks] == [("a", ()), ("c", ())]
    with pytest.raises(NotFound):
        after(plan, "z", None)


@pytest.mark.parametrize(
    ("task_id", "edit"),
    [
        ("a", {"dependencies": ["b"]}),
        ("a", {"dependencies": ["z"]}),
        ("a", {"type": "cooking"}),
        ("a", {"priority": 9}),
        ("a", {"status": "done"}),
        ("a", {"status": "skipped", "priority": 1}),
        ("c", {"description": "x"}),
        ("../c", {"type": "testing", "description": "x"}),
    ],
)
def test_what_is_not_sound_is_refused(task_id: str, edit: dict[str, object]) -> None:
    with pytest.raises(InvalidParams, match="changes") as raised:
        after(PLAN, task_id, edit)
    assert raised.value.details == {"path": "$.changes"}


def test_the_last_task_stays() -> None:
    with pytest.raises(InvalidParams):
        after(plan_of({"a": []}), "a", None)


def test_a_task_is_skipped_also_while_the_plan_runs() -> None:
    running = replace(PLAN, state=PlanState.RUNNING)
    assert edited(running, "a", {"status": "skipped"}) == [
        TaskMoved("a", "skip", "Skipped by the user.")
    ]
    assert after(running, "a", {"status": "skipped"}).task("a").state == "skipped"
    with pytest.raises(Conflict):
        after(running, "a", {"priority": 1})
    with pytest.raises(NotFound):
        after(running, "z", {"status": "skipped"})
