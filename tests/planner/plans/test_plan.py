import pytest

from jupyter_ac.errors import NotFound
from jupyter_ac.planner.plans.plan import Task, TaskState, TaskType, is_hopeless, is_satisfied
from tests.planner.plans.planned import plan_of


def test_a_task_is_found_by_its_id() -> None:
    plan = plan_of({"a": [], "b": ["a"]})
    assert plan.task("b").dependencies == ("a",)
    with pytest.raises(NotFound, match="'c'"):
        plan.task("c")


@pytest.mark.parametrize(
    ("state", "needs_all", "satisfied", "hopeless"),
    [
        (TaskState.DONE, True, True, False),
        (TaskState.RUNNING, True, False, False),
        (TaskState.FAILED, False, False, True),
        (TaskState.BLOCKED, True, False, True),
        (TaskState.CANCELLED, True, False, True),
        (TaskState.SKIPPED, True, False, True),
        (TaskState.SKIPPED, False, True, False),
    ],
)
def test_what_a_task_waits_for(
    state: TaskState, needs_all: bool, satisfied: bool, hopeless: bool
) -> None:
    first = Task("a", TaskType.TESTING, "x", state=state)
    second = Task("b", TaskType.TESTING, "x", ("a",), needs_all=needs_all)
    tasks = {"a": first, "b": second}
    assert is_satisfied(second, tasks) is satisfied
    assert is_hopeless(second, tasks) is hopeless
