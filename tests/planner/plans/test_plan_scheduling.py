from dataclasses import replace

from jupyter_ac.planner.plans.plan import PlanState, TaskState
from jupyter_ac.planner.plans.plan_changes import PlanMoved, TaskMoved, apply
from jupyter_ac.planner.plans.plan_scheduling import consequences, settled, startable
from tests.planner.plans.planned import plan_of


def test_ready_tasks_start_by_priority_then_in_their_order() -> None:
    plan = plan_of({"a": [], "b": [], "c": []}, concurrency=5)
    tasks = tuple(
        replace(task, priority=priority, state=TaskState.READY)
        for task, priority in zip(plan.tasks, (3, 1, 3), strict=True)
    )
    plan = replace(plan, tasks=tasks, state=PlanState.RUNNING)
    assert [task.task_id for task in startable(plan)] == ["b", "a", "c"]
    assert startable(replace(plan, state=PlanState.PAUSED)) == []


def test_nothing_follows_for_a_draft() -> None:
    assert list(consequences(plan_of({"a": []}))) == []


def test_cancelling_waits_for_what_runs() -> None:
    plan = replace(plan_of({"a": [], "b": []}), state=PlanState.RUNNING)
    plan, _ = settled(plan, 1)
    plan = apply(plan, TaskMoved("a", "start"), 1)
    plan, _ = settled(apply(plan, PlanMoved("cancel", "enough"), 1), 1)
    assert (plan.state, plan.task("b").state) == ("cancelling", "cancelled")
    plan, _ = settled(apply(plan, TaskMoved("a", "cancel"), 1), 1)
    assert (plan.state, plan.reason) == ("cancelled", "enough")


def test_a_plan_whose_tasks_are_skipped_is_complete() -> None:
    plan = replace(plan_of({"a": []}), state=PlanState.RUNNING)
    plan, _ = settled(plan, 1)
    plan, _ = settled(apply(plan, TaskMoved("a", "skip"), 1), 1)
    assert plan.state is PlanState.COMPLETED
