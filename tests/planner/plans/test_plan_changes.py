"""Rules of plans that hold whatever is changed, in whatever order (reference C4)."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import AcError, Conflict, IllegalTransition, InvalidParams, NotFound
from jupyter_ac.planner.plans.plan import (
    ACTIVE,
    FINAL_PLAN,
    FINAL_TASK,
    Plan,
    PlanState,
    TaskState,
    is_satisfied,
)
from jupyter_ac.planner.plans.plan_changes import (
    PlanChange,
    PlanCreated,
    PlanMoved,
    TaskMoved,
    TasksReplaced,
    apply,
    as_pending,
)
from jupyter_ac.planner.plans.plan_codec import decode_change, encode_change
from jupyter_ac.planner.plans.plan_journal import JournalRow, replayed
from jupyter_ac.planner.plans.plan_scheduling import consequences, settled, startable
from tests.planner.plans.planned import CHANGES, plan_of, plans


def running(plan: Plan) -> Plan:
    plan = apply(None, PlanCreated(plan), 1)
    for change in (PlanMoved("propose"), PlanMoved("approve")):
        plan = apply(plan, change, 1)
    return settled(plan, 1)[0]


def check_step(before: Plan, after: Plan) -> None:
    """What holds for any two states of a plan, one after the other."""
    assert len(after.active()) <= max(after.limits.concurrency, len(before.active()))
    if before.state in FINAL_PLAN:
        assert after.state is before.state
    tasks = after.by_id()
    for old, new in zip(before.tasks, after.tasks, strict=True):
        if old.state in FINAL_TASK:
            assert new.state is old.state
        if new.state is TaskState.RUNNING and old.state is not TaskState.RUNNING:
            assert is_satisfied(new, tasks)
            assert after.state is PlanState.RUNNING
        if new.state in ACTIVE:
            assert is_satisfied(new, tasks)


@given(plans(), st.lists(CHANGES, max_size=60))
def test_any_changes_keep_the_rules_and_the_sum_of_the_journal_is_the_plan(
    plan: Plan, changes: Sequence[PlanChange]
) -> None:
    current = apply(None, PlanCreated(plan), 5)
    written = [encode_change(PlanCreated(plan))]
    for change in (PlanMoved("propose"), PlanMoved("approve"), *changes):
        try:
            after = apply(current, change, 5)
        except (IllegalTransition, Conflict, NotFound):
            continue
        written.append(encode_change(change))
        check_step(current, after)
        after, further = settled(after, 5)
        written += map(encode_change, further)
        check_step(current, after)
        assert not list(consequences(after))
        current = after
    rows = [JournalRow(at, 5, decode_change(text)) for at, text in enumerate(written, 1)]
    assert replayed(rows) == current
    for cut in range(1, len(rows)):
        part = replayed(rows[:cut])
        assert part is not None
        assert part.revision == cut


@given(plans(), st.randoms(use_true_random=False), st.booleans())
def test_every_plan_ends(plan: Plan, chance: object, cancels: bool) -> None:
    """Whatever tasks come to, a plan whose tasks are carried out ends in a bounded time."""
    assert isinstance(chance, random.Random)
    current = running(plan)
    for step in range(100):
        if cancels and step == 3 and current.state is PlanState.RUNNING:
            current, _ = settled(apply(current, PlanMoved("cancel"), 2), 2)
        for task in startable(current):
            current = apply(current, TaskMoved(task.task_id, "start"), 2)
        active = current.active()
        if not active:
            break
        task = chance.choice(active)
        if current.state is PlanState.CANCELLING:
            moves = [TaskMoved(task.task_id, "cancel")]
        elif chance.random() < 0.3:
            moves = [TaskMoved(task.task_id, "fail", "broken")]
        elif chance.random() < 0.2 and task.attempts < 3:
            moves = [TaskMoved(task.task_id, "try_again")]
        else:
            moves = [TaskMoved(task.task_id, "validate"), TaskMoved(task.task_id, "finish")]
        if task.state is TaskState.VALIDATING and moves[0].trigger == "validate":
            moves = moves[1:]
        for move in moves:
            current, _ = settled(apply(current, move, 2), 2)
    assert current.state in {PlanState.COMPLETED, PlanState.FAILED, PlanState.CANCELLED}
    are_done = all(task.state is TaskState.DONE for task in current.tasks)
    assert (
        current.state is PlanState.COMPLETED
    ) is are_done or current.state is PlanState.CANCELLED


def test_a_task_starts_after_its_dependencies_and_within_the_limit() -> None:
    plan = running(plan_of({"a": [], "b": [], "c": [], "d": ["a", "b"]}))
    assert [task.task_id for task in startable(plan)] == ["a", "b"]
    for task_id in ("a", "b"):
        plan = apply(plan, TaskMoved(task_id, "start"), 2)
    assert startable(plan) == []
    with pytest.raises(Conflict, match="2 tasks run"):
        apply(plan, TaskMoved("c", "start"), 2)
    with pytest.raises(Conflict, match="waits for others"):
        apply(plan, TaskMoved("d", "get_ready"), 2)
    assert plan.task("a").attempts == 1
    with pytest.raises(Conflict, match="paused"):
        apply(apply(plan, PlanMoved("pause"), 2), TaskMoved("c", "start"), 2)


def test_dependents_of_a_failure_are_blocked_until_it_is_done_after_all() -> None:
    plan = running(plan_of({"a": [], "b": ["a"], "c": ["b"]}))
    plan = apply(plan, TaskMoved("a", "start"), 2)
    plan, _ = settled(apply(plan, TaskMoved("a", "fail", "broken"), 2), 2)
    assert [task.state for task in plan.tasks] == ["failed", "blocked", "blocked"]
    assert plan.task("c").reason == "It depends on b, which isn't done."
    assert (plan.state, plan.reason) == ("failed", "Not done: a, b, c.")
    plan = apply(plan, PlanMoved("retry"), 3)
    plan, _ = settled(apply(plan, TaskMoved("a", "retry"), 3), 3)
    for move in ("start", "validate", "finish"):
        plan, _ = settled(apply(plan, TaskMoved("a", move), 3), 3)
    assert [task.state for task in plan.tasks] == ["done", "ready", "blocked"]


def test_tasks_are_edited_before_the_plan_runs_only() -> None:
    plan = apply(None, PlanCreated(plan_of({"a": []})), 1)
    other = plan_of({"b": [], "c": ["b"]}).tasks
    assert apply(plan, TasksReplaced(other), 2).tasks == other
    for bad in ((), plan_of({"b": ["z"]}).tasks, plan_of({"b": ["b"]}).tasks):
        with pytest.raises(InvalidParams, match="tasks"):
            apply(plan, TasksReplaced(bad), 2)
    with pytest.raises(Conflict, match="only before it runs"):
        apply(running(plan_of({"a": []})), TasksReplaced(other), 2)
    task = running(plan_of({"a": []})).task("a")
    assert as_pending(task).state is TaskState.PENDING


def test_a_plan_is_created_once_and_first() -> None:
    plan = plan_of({"a": []})
    with pytest.raises(Conflict):
        apply(apply(None, PlanCreated(plan), 1), PlanCreated(plan), 1)
    with pytest.raises(AcError):
        apply(None, PlanMoved("propose"), 1)
