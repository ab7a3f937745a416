import subprocess
import sys
from typing import get_args

import pytest

from jupyter_ac.errors import IllegalTransition
from jupyter_ac.planner.plans.plan import FINAL_PLAN, FINAL_TASK, PlanState, TaskState
from jupyter_ac.planner.plans.plan_machines import (
    PlanTrigger,
    TaskTrigger,
    next_plan_state,
    next_task_state,
)


def test_the_ways_of_a_plan() -> None:
    state = PlanState.DRAFT
    ways: list[tuple[PlanTrigger, str]] = [
        ("propose", "awaiting_approval"),
        ("approve", "running"),
        ("pause", "paused"),
        ("resume", "running"),
        ("fail", "failed"),
        ("retry", "running"),
        ("cancel", "cancelling"),
        ("end", "cancelled"),
    ]
    for trigger, expected in ways:
        state = next_plan_state(state, trigger)
        assert state == expected


def test_an_impossible_transition_says_what_is_possible() -> None:
    with pytest.raises(IllegalTransition, match="Task a is done and can't start") as raised:
        next_task_state("a", TaskState.DONE, "start")
    assert raised.value.details == {
        "current_state": "done",
        "required_states": ["ready"],
        "current": "done",
        "allowed": [],
    }
    with pytest.raises(IllegalTransition, match="it can: pause"):
        next_plan_state(PlanState.RUNNING, "approve")


@pytest.mark.parametrize("plan_state", sorted(FINAL_PLAN))
@pytest.mark.parametrize("task_state", sorted(FINAL_TASK))
def test_nothing_leads_out_of_a_final_state(plan_state: PlanState, task_state: TaskState) -> None:
    for plan_trigger in get_args(PlanTrigger):
        with pytest.raises(IllegalTransition):
            next_plan_state(plan_state, plan_trigger)
    for task_trigger in get_args(TaskTrigger):
        with pytest.raises(IllegalTransition):
            next_task_state("a", task_state, task_trigger)


def test_the_library_is_loaded_when_needed() -> None:
    code = (
        "import sys; import jupyter_ac.planner.plans.plan_machines; "
        "print('transitions' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
